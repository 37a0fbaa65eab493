//! From a file to what is in it.

use std::io::Read;

use absolve_containers::{Container, FileType, Format};
use absolve_links::DocumentType;
use absolve_rewriter::{
    Code, Entity, Finding, Retrieval, UrlSource, document_too_long, message_too_long, origin, packed,
};

use crate::discover::copies::InputFiles;
use crate::discover::xattr::retrievals_of;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::limits::{DOCUMENT_FILE_BYTES, MESSAGE_FILE_BYTES};

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holding {
    /// A document.
    Document(DocumentType),
    /// A message.
    Message,
    /// Many records, too many to be read at once.
    Container(Container),
    /// A document too long to be read.
    LongDocument,
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
        EntryKind::Unknown | EntryKind::Explicit | EntryKind::Text => None,
        _ => return Ok(Holding::Nothing),
    };
    // A text is an mbox at most.
    let is_fit = |container: &Container| entry.kind != EntryKind::Text || *container == Container::Stream(Format::Mbox);
    let container_of = |file_type| container(file_type).filter(is_fit);
    if let Some(container) = known.and_then(container_of) {
        return Ok(Holding::Container(container));
    }
    let mut file = entry.open().map_err(fail)?;
    if known.is_none() {
        (&mut file).take(FileType::BYTES_THAT_TELL).read_to_end(bytes).map_err(fail)?;
    }
    let file_type = known.or_else(|| FileType::of_compressed_content(bytes));
    if let Some(container) = file_type.and_then(container_of) {
        return Ok(Holding::Container(container));
    }
    let document = |document_type| (Holding::Document(document_type), Holding::LongDocument, DOCUMENT_FILE_BYTES);
    let (holding, too_long, limit) = match file_type {
        _ if entry.kind == EntryKind::Text => document(DocumentType::Text),
        Some(FileType::Document(document_type)) => document(document_type),
        Some(FileType::Message) => (Holding::Message, Holding::LongMessage, MESSAGE_FILE_BYTES),
        _ => return Ok(Holding::Nothing),
    };
    // What a file is said to hold need not be what is in it.
    if entry.size <= limit {
        const AT_ONCE: u64 = 1 << 20;
        bytes.reserve(entry.size.min(AT_ONCE) as usize);
        file.take(limit + 1 - bytes.len() as u64).read_to_end(bytes).map_err(fail)?;
        if bytes.len() as u64 <= limit {
            return Ok(holding);
        }
    }
    bytes.clear();
    Ok(too_long)
}

impl Holding {
    /// What is told of a file that is too long to be read.
    pub(crate) fn too_long(self) -> Option<Finding> {
        match self {
            Self::LongDocument => Some(document_too_long(DOCUMENT_FILE_BYTES)),
            Self::LongMessage => Some(message_too_long(MESSAGE_FILE_BYTES)),
            Self::Document(_) | Self::Message | Self::Container(_) | Self::Nothing => None,
        }
    }
}

const fn container(file_type: FileType) -> Option<Container> {
    match file_type {
        FileType::Mbox => Some(Container::Stream(Format::Mbox)),
        FileType::Warc => Some(Container::Stream(Format::Warc)),
        FileType::Arc => Some(Container::Stream(Format::Arc)),
        FileType::Wacz => Some(Container::Wacz),
        _ => None,
    }
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
    let page = (document_type == DocumentType::Html).then_some(bytes);
    let file = entry.opened.is_none().then_some(&*entry.source);
    let origin = origin(&entry.known, page, retrievals_of(file, entry.discovery), entry.discovery);
    PageOrigin {
        retrieval: origin.retrievals.into_iter().next().map(|retrieval| retrieval.url),
        base: origin.base.map(|base| base.value),
    }
}

/// The entity that `bytes`, read from an entry, are; none of its bytes where they were not read.
pub(crate) fn entity_of<'e>(
    entry: &Entry,
    bytes: &'e [u8],
    holding: Holding,
    mirror: &InputFiles<'_>,
) -> Option<Entity<'e>> {
    let entity = match holding {
        Holding::Document(document_type) => Entity::bare_file(bytes, document_type),
        Holding::Message => Entity::message(bytes),
        _ => return holding.too_long().map(Entity::unread),
    };
    if !matches!(holding, Holding::Document(_)) {
        let known = entry.retrieval();
        return Some(match known {
            Some(known) => entity.retrieved_from(&known.url, known.source.name()),
            None => entity,
        });
    }
    let page = (holding == Holding::Document(DocumentType::Html)).then_some(bytes);
    let file = entry.opened.is_none().then_some(&*entry.source);
    let origin = origin(&entry.known, page, retrievals_of(file, entry.discovery), entry.discovery);
    Some(entity.of_origin(origin, || mirror.around(&entry.source)))
}

/// What is told of a file that was asked for and of which not even its first bytes tell what it is.
pub(crate) fn unknown_type(start: &[u8]) -> Finding {
    let unknown =
        || Finding::new(Code::UnknownType, "no document of a known type, left as it is; --type names the type");
    packed(start).map_or_else(unknown, |packed| Finding { code: Code::UnknownType, ..packed })
}

/// What is told of a container that was given a URL.
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
