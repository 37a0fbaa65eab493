//! Opens an entry: reads its file and determines its type.

use std::io::{self, Read};

use absolve_containers::{Compression, Container, FileType, START};
use absolve_links::DocumentType;
use absolve_rewriter::internal::{
    ArchivePrefix, Entity, Origin, WaybackLinks, charset_does_not_fit, document_too_long, message_too_long, origin,
};
use absolve_rewriter::results::Remedy;
use absolve_rewriter::{Code, Finding, Options};

use crate::discover::copies::InputFiles;
use crate::discover::xattr::retrievals_of;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::input::kind::{EntryKind, Expected, Why};
use crate::limits::{DOCUMENT_FILE_BYTES, MESSAGE_FILE_BYTES};
use crate::message_file::MessageFile;

/// An opened entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// A document, which was read.
    Document(DocumentType),
    /// A message, which was read.
    Message(MessageFile),
    /// A container of records, which was not read.
    Container(Container),
    /// Another file, or one that cannot be read as what it is.
    Copied(Why),
}

impl Opened {
    /// Returns the document or message in a file with these bytes.
    pub(crate) fn content<'b>(&'b self, bytes: &'b [u8]) -> &'b [u8] {
        match self {
            Self::Message(file) => file.message(bytes),
            _ => bytes,
        }
    }

    /// Returns whether it is a document, a message or a container of them, also one that cannot be read.
    pub(crate) const fn is_document(&self) -> bool {
        !matches!(self, Self::Copied(Why::UnknownType(_) | Why::Text | Why::Other))
    }
}

/// Opens an entry. Reads it into `bytes` if it is a document or a message.
pub(crate) fn open(entry: &Entry, bytes: &mut Vec<u8>) -> Result<Opened, FileError> {
    let fail = |error| FileError::new(&entry.source, Action::Read, error);
    let EntryKind::File(expected) = entry.kind else { return Ok(Opened::Copied(Why::Other)) };
    if let Some(finding) = compressed_nothing(entry, expected) {
        return Ok(Opened::Copied(Why::Unread(finding)));
    }
    match expected {
        Expected::Type(FileType::Container(container)) => return Ok(Opened::Container(container)),
        Expected::Copy => return Ok(Opened::Copied(Why::Other)),
        _ => {}
    }
    let mut file = entry.open().map_err(fail)?;
    if expected.needs_start() {
        read_up_to(START, &mut file, entry.size, 0, bytes).map_err(fail)?;
    }
    let (document_type, too_long, limit) = match expected.file_type(bytes, &mut file) {
        Err(why) => return Ok(Opened::Copied(why)),
        Ok(FileType::Container(container)) => return Ok(Opened::Container(container)),
        Ok(FileType::Document(known)) => (Some(known), document_too_long(DOCUMENT_FILE_BYTES), DOCUMENT_FILE_BYTES),
        Ok(_) => (None, message_too_long(MESSAGE_FILE_BYTES), MESSAGE_FILE_BYTES),
    };
    if entry.size <= limit {
        const AT_ONCE: u64 = 1 << 20;
        let read = if expected.needs_start() { bytes.len() } else { 0 };
        let at_once = (entry.size + 1).min(AT_ONCE).max(read as u64);
        read_up_to(at_once, &mut file, entry.size, read, bytes).map_err(fail)?;
        if bytes.len() as u64 == at_once {
            // It is long or has grown, and some special files have size 0.
            file.take(limit + 1 - at_once).read_to_end(bytes).map_err(fail)?;
        }
        if bytes.len() as u64 <= limit {
            return Ok(match document_type {
                Some(document_type) => Opened::Document(document_type),
                None => MessageFile::of(bytes, &entry.source)
                    .map_err(fail)?
                    .map_or_else(|finding| Opened::Copied(Why::Unread(finding)), Opened::Message),
            });
        }
    }
    bytes.clear();
    Ok(Opened::Copied(Why::Unread(too_long)))
}

/// Returns the finding about an empty file with the name of a compressed one. Even what compresses nothing has bytes.
fn compressed_nothing(entry: &Entry, expected: Expected) -> Option<Finding> {
    let Expected::Type(_) = expected else { return None };
    let named = Compression::of_name(&entry.source).filter(|named| *named != Compression::None)?;
    let why = || format!("it is empty, not {}", named.name());
    (entry.size == 0).then(|| Finding::left_unchanged(Code::NotItsType, why()))
}

/// Reads a file on after the first `read` bytes of the buffer, until it has `length` bytes or the file ends. That takes one call if
/// the file still has the size that is known of it.
fn read_up_to(length: u64, file: &mut impl Read, size: u64, mut read: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    // Bytes of the last file are overwritten, not cleared.
    bytes.resize(length as usize, 0);
    while read < bytes.len() {
        match file.read(&mut bytes[read..]) {
            Ok(0) => break,
            Ok(more) => {
                read += more;
                if read as u64 == size {
                    break;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(read);
    Ok(())
}

/// The URL that a document was retrieved from, and the base URL it had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageOrigin {
    /// The URL it was retrieved from, by the most trusted source.
    pub retrieval: Option<String>,
    /// Whether that URL was found: by a mark, a log or the place in a mirror.
    pub is_found: bool,
    /// Its BASE before it was saved.
    pub base: Option<String>,
    /// Whether the program that saved it made its links lead elsewhere.
    pub has_moved_links: bool,
}

/// Returns the origin of a document of this type; `bytes` are the contents of the entry.
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
    let has_moved_links = origin.has_moved_links();
    let retrieval = origin.retrievals.into_iter().next();
    PageOrigin {
        has_moved_links,
        is_found: retrieval.as_ref().is_some_and(|retrieval| retrieval.source.is_found()),
        retrieval: retrieval.map(|retrieval| retrieval.url),
        base: origin.base.map(|base| base.value),
    }
}

fn origin_of_document(entry: &Entry, bytes: &[u8], document_type: DocumentType) -> Origin {
    let page = (document_type == DocumentType::Html).then_some(bytes);
    let file = entry.file();
    origin(&entry.known, page, retrievals_of(file, &entry.discovery), &entry.discovery)
}

/// Returns the document or message of an opened entry; `bytes` are the contents of the entry. `None` if it is neither.
pub(crate) fn entity_of<'e>(
    entry: &Entry,
    bytes: &'e [u8],
    opened: &'e Opened,
    files: &InputFiles<'_>,
    options: &Options,
) -> Option<Entity<'e>> {
    let document_type = match opened {
        Opened::Document(document_type) => *document_type,
        Opened::Message(file) => {
            let message = Entity::message(file.message(bytes));
            let message = message.retrieved_by(&entry.known.retrievals);
            let mut message = message.with_message_url(options.message_url.as_ref());
            message.findings.extend(stays_wrapped(entry, &message));
            return Some(message);
        }
        Opened::Copied(Why::Unread(finding)) => return Some(Entity::unread(finding.clone())),
        Opened::Container(_) | Opened::Copied(_) => return None,
    };
    let origin = origin_of_document(entry, bytes, document_type);
    let entity = Entity::bare_file(bytes, document_type).of_origin(origin, || files.around(&entry.source));
    let Some(charset) = entry.charset else { return Some(entity) };
    let entity = entity.with_charset(charset);
    let is_wrong = entity.parts.iter().any(|part| entity.document(part).has_wrong_label());
    Some(if is_wrong { Entity::unread(charset_does_not_fit(charset)) } else { entity })
}

/// Finding: the links of a message stay in the archive that it was retrieved from.
fn stays_wrapped(entry: &Entry, message: &Entity<'_>) -> Option<Finding> {
    let url = message.parts.first()?.retrieval_url()?;
    let is_copy = entry.discovery.wayback != WaybackLinks::Keep && ArchivePrefix::of_copy(url).is_some();
    let why = "its links stay those of the archive: the parts of a message are found by their URLs there";
    is_copy.then(|| Finding::new(Code::UrlNotUsed, why))
}

/// Finding: the user gave a URL for a container.
pub(crate) fn url_not_used(entry: &Entry, container: Container) -> Option<Finding> {
    let finding = match container {
        Container::Mailbox => url_of_messages("an mbox"),
        Container::Archive(_) | Container::Wacz => Finding::new(
            Code::UrlNotUsed,
            "the given URL is ignored: each record of a web archive contains the URL it was retrieved from",
        ),
    };
    entry.retrieval().is_some_and(|retrieval| retrieval.source.is_given()).then_some(finding)
}

/// Finding: the user gave a URL for the messages of this container.
pub(crate) fn url_of_messages(container: &str) -> Finding {
    let message = format!("the given URL is ignored: the messages of {container} were not retrieved from a URL");
    Finding::new(Code::UrlNotUsed, message).with_remedy(Remedy::GiveMessageUrl)
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use super::open;
    use crate::collect::collect;
    use crate::input::selection::Selection;

    /// Beside the size that was found, those matter at which the first bytes, and a buffer, end.
    #[test]
    fn a_file_is_read_whole_that_has_changed_its_size() -> io::Result<()> {
        const SIZES: [usize; 8] = [6, 100, 2047, 2048, 2049, (1 << 20) - 1, 1 << 20, (1 << 20) + 100];
        let folder = tempfile::tempdir()?;
        let page = |size: usize| [&b"<html>"[..], &vec![b'x'; size - 6]].concat();
        let mut bytes = Vec::new();
        for name in ["page.html", "page"] {
            let path = folder.path().join(name);
            for (found, now) in SIZES.iter().flat_map(|found| SIZES.map(|now| (*found, now))) {
                fs::write(&path, page(found))?;
                let entry = collect(folder.path(), &Selection::default()).entries.remove(0);
                fs::write(&path, page(now))?;
                assert!(open(&entry, &mut bytes).is_ok());
                assert!(bytes == page(now), "{name}: {found} bytes, then {now}");
            }
            fs::remove_file(path)?;
        }
        Ok(())
    }
}
