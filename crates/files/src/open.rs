//! From an entry to what is in its file.

use std::io::Read;

use absolve_containers::{Container, FileType, Format};
use absolve_links::DocumentType;
use absolve_rewriter::{
    Code, Entity, Finding, Origin, Retrieval, UrlSource, document_too_long, message_too_long, origin, packed,
};

use crate::discover::copies::InputFiles;
use crate::discover::xattr::retrievals_of;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::limits::{DOCUMENT_FILE_BYTES, MESSAGE_FILE_BYTES};

/// What an entry is, once its first bytes are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// A document, which was read.
    Document(DocumentType),
    /// A message, which was read.
    Message,
    /// Many records, too many to be read at once.
    Container(Container),
    /// A document or a message too long to be read.
    TooLong(Finding),
    /// A file that was named itself, and whose type is not known.
    UnknownType(Finding),
    /// Anything else; it has no links.
    Other,
}

/// Opens an entry, and reads it into `bytes` if it is a document or a message.
pub(crate) fn open(entry: &Entry, bytes: &mut Vec<u8>) -> Result<Opened, FileError> {
    let fail = |error| FileError::new(&entry.source, Action::Read, error);
    bytes.clear();
    let known = match entry.kind {
        EntryKind::Document(FileType::Container(container)) => return Ok(Opened::Container(container)),
        EntryKind::Document(file_type) => Some(file_type),
        EntryKind::Unknown | EntryKind::Explicit | EntryKind::Text => None,
        _ => return Ok(Opened::Other),
    };
    let mut file = entry.open().map_err(fail)?;
    if known.is_none() {
        (&mut file).take(FileType::BYTES_THAT_TELL).read_to_end(bytes).map_err(fail)?;
    }
    let (opened, too_long, limit) = match known.or_else(|| FileType::of_compressed_content(bytes)) {
        // A text is an mbox at most.
        Some(FileType::MBOX) => return Ok(Opened::Container(Container::Stream(Format::Mbox))),
        _ if entry.kind == EntryKind::Text => document(DocumentType::Text),
        Some(FileType::Container(container)) => return Ok(Opened::Container(container)),
        Some(FileType::Document(document_type)) => document(document_type),
        Some(FileType::Message) => (Opened::Message, message_too_long(MESSAGE_FILE_BYTES), MESSAGE_FILE_BYTES),
        _ if entry.kind == EntryKind::Explicit => return Ok(Opened::UnknownType(unknown_type(bytes))),
        _ => return Ok(Opened::Other),
    };
    // The size of a file need not be what is in it.
    if entry.size <= limit {
        const AT_ONCE: u64 = 1 << 20;
        bytes.reserve(entry.size.min(AT_ONCE) as usize);
        file.take(limit + 1 - bytes.len() as u64).read_to_end(bytes).map_err(fail)?;
        if bytes.len() as u64 <= limit {
            return Ok(opened);
        }
    }
    bytes.clear();
    Ok(Opened::TooLong(too_long))
}

fn document(document_type: DocumentType) -> (Opened, Finding, u64) {
    (Opened::Document(document_type), document_too_long(DOCUMENT_FILE_BYTES), DOCUMENT_FILE_BYTES)
}

/// Where a document comes from, as far as somebody tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageOrigin {
    /// The URL it was retrieved from, by the most trusted one who says so.
    pub retrieval: Option<String>,
    /// The BASE that it had before it was saved.
    pub base: Option<String>,
}

/// Where a document of this type comes from, which `bytes` were read from an entry.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_files::{Entry, Selection, origin_of};
/// let page = b"<!-- saved from url=(0014)http://h/d/a.b -->";
/// let entry = Entry::from_reader(&page[..], &Selection::default())?;
/// assert_eq!(origin_of(&entry, page, DocumentType::Html).retrieval.as_deref(), Some("http://h/d/a.b"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn origin_of(entry: &Entry, bytes: &[u8], document_type: DocumentType) -> PageOrigin {
    let origin = origin_of_document(entry, bytes, document_type);
    PageOrigin {
        retrieval: origin.retrievals.into_iter().next().map(|retrieval| retrieval.url),
        base: origin.base.map(|base| base.value),
    }
}

fn origin_of_document(entry: &Entry, bytes: &[u8], document_type: DocumentType) -> Origin {
    let page = (document_type == DocumentType::Html).then_some(bytes);
    let file = entry.opened.is_none().then_some(&*entry.source);
    origin(&entry.known, page, retrievals_of(file, entry.discovery), entry.discovery)
}

/// Returns the entity that an opened entry is; `bytes` are those that were read of it.
pub(crate) fn entity_of<'e>(
    entry: &Entry,
    bytes: &'e [u8],
    opened: &Opened,
    files: &InputFiles<'_>,
) -> Option<Entity<'e>> {
    let document_type = match opened {
        Opened::Document(document_type) => *document_type,
        Opened::Message => {
            let message = Entity::message(bytes);
            return Some(match entry.retrieval() {
                Some(known) => message.retrieved_from(&known.url, known.source.name()),
                None => message,
            });
        }
        Opened::TooLong(finding) => return Some(Entity::unread(finding.clone())),
        Opened::Container(_) | Opened::UnknownType(_) | Opened::Other => return None,
    };
    let origin = origin_of_document(entry, bytes, document_type);
    let entity = Entity::bare_file(bytes, document_type).of_origin(origin, || files.around(&entry.source));
    Some(match entry.charset {
        Some(charset) => entity.with_charset(charset),
        None => entity,
    })
}

/// Returns the finding: a file that was named itself is of unknown type.
fn unknown_type(start: &[u8]) -> Finding {
    let unknown =
        || Finding::new(Code::UnknownType, "no document of a known type, left as it is; --type names the type");
    packed(start).map_or_else(unknown, |packed| Finding { code: Code::UnknownType, ..packed })
}

/// Returns the finding: a container was given a URL.
pub(crate) fn url_not_used(entry: &Entry, container: Container) -> Option<Finding> {
    let message = match container {
        Container::Stream(Format::Mbox) => {
            "the messages of an mbox were not retrieved from a URL; --url does not count for them"
        }
        Container::Stream(Format::Warc | Format::Arc) | Container::Wacz => {
            "each record of a web archive names the URL it was retrieved from; --url does not count for them"
        }
    };
    let is_told = |retrieval: &Retrieval| matches!(retrieval.source, UrlSource::Url | UrlSource::Urls);
    entry.retrieval().is_some_and(is_told).then(|| Finding::new(Code::UrlNotUsed, message))
}
