//! From a file to what is in it.

use std::io::Read;

use absolve_links::DocumentType;

use crate::failure::{Action, FileError};
use crate::findings::message_too_long;
use crate::framing::Format;
use crate::limits::MESSAGE_FILE_BYTES;
use crate::mark::mark_of;
use crate::options::{Discover, Options};
use crate::{Code, Entity, Entry, EntryKind, FileType, Finding};

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holding {
    /// A document.
    Document(DocumentType),
    /// A message.
    Message,
    /// Many records, too many to be read at once.
    Stream(Format),
    /// A message too long to be read.
    LongMessage,
    /// Nothing whose links are made absolute.
    Nothing,
}

/// Reads an entry into `bytes`, if it is a document or a message.
pub(crate) fn read(entry: &Entry, bytes: &mut Vec<u8>) -> Result<Holding, FileError> {
    let fail = |error| FileError::new(&entry.source, Action::Read, error);
    bytes.clear();
    let known = match entry.kind {
        EntryKind::Document(file_type) => Some(file_type),
        EntryKind::Unknown | EntryKind::Asked | EntryKind::Text => None,
        _ => return Ok(Holding::Nothing),
    };
    // A text is an mbox at most.
    let format_of =
        |file_type| stream_format(file_type).filter(|format| entry.kind != EntryKind::Text || *format == Format::Mbox);
    if let Some(format) = known.and_then(format_of) {
        return Ok(Holding::Stream(format));
    }
    let mut file = entry.open().map_err(fail)?;
    if known.is_none() {
        (&mut file).take(FileType::BYTES_THAT_TELL).read_to_end(bytes).map_err(fail)?;
    }
    let file_type = known.or_else(|| FileType::of_compressed_content(bytes));
    if let Some(format) = file_type.and_then(format_of) {
        return Ok(Holding::Stream(format));
    }
    let holding = match file_type {
        Some(FileType::Message) if entry.size > MESSAGE_FILE_BYTES => return Ok(Holding::LongMessage),
        _ if entry.kind == EntryKind::Text => Holding::Document(DocumentType::Text),
        Some(FileType::Document(document_type)) => Holding::Document(document_type),
        Some(FileType::Message) => Holding::Message,
        Some(FileType::Mbox | FileType::Warc | FileType::Arc) | None => return Ok(Holding::Nothing),
    };
    bytes.reserve(entry.size as usize);
    file.read_to_end(bytes).map_err(fail)?;
    Ok(holding)
}

const fn stream_format(file_type: FileType) -> Option<Format> {
    match file_type {
        FileType::Mbox => Some(Format::Mbox),
        FileType::Warc => Some(Format::Warc),
        FileType::Arc => Some(Format::Arc),
        _ => None,
    }
}

/// The entity that `bytes`, read from an entry, are; none of its bytes where they were not read.
pub(crate) fn entity_of<'e>(entry: &Entry, bytes: &'e [u8], holding: Holding, options: &Options) -> Option<Entity<'e>> {
    let entity = match holding {
        Holding::Document(document_type) => Entity::bare_file(bytes, document_type),
        Holding::Message => Entity::message(bytes),
        Holding::LongMessage => Entity::unread(message_too_long(MESSAGE_FILE_BYTES)),
        Holding::Stream(_) | Holding::Nothing => return None,
    };
    let is_page = holding == Holding::Document(DocumentType::Html) && options.discover == Discover::Marks;
    Some(match &entry.url {
        Some(url) => entity.retrieved_from(url, entry.url_place),
        None if is_page => marked(entity),
        None => entity,
    })
}

/// A page with the URL that a program has written into it.
fn marked(mut entity: Entity<'_>) -> Entity<'_> {
    match mark_of(entity.bytes) {
        Ok(Some(mark)) => entity.retrieved_from(&mark.url, mark.program),
        Ok(None) => entity,
        Err(finding) => {
            entity.findings.push(finding);
            entity
        }
    }
}

/// What is told of a file that was asked for and of which not even its bytes tell what it is.
pub(crate) fn unknown_type() -> Finding {
    Finding::new(Code::UnknownType, "no document of a known type, left as it is; --type names the type")
}

/// What is told of a stream that was given a URL.
pub(crate) fn url_not_used(entry: &Entry, format: Format) -> Option<Finding> {
    let message = match format {
        Format::Mbox => "the messages of an mbox were not retrieved from a URL; --url does not count for them",
        Format::Warc | Format::Arc => {
            "each record of a web archive names the URL it was retrieved from; --url does not count for them"
        }
    };
    entry.url.is_some().then(|| Finding::new(Code::UrlNotUsed, message))
}
