//! Opens an entry: reads its file and determines its type.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use absolve_containers::{FileType, START};
use absolve_framing::{ArchiveFormat, Compression, is_saved_page};
use absolve_links::{DocumentType, Head};
use absolve_rewriter::internal::{
    ArchivePrefix, Discover, Entity, Origin, Retrieval, SavedBase, UrlSource, WaybackLinks, charset_does_not_fit,
    document_too_long, is_of_teleport, message_too_long, origin,
};
use absolve_rewriter::results::Remedy;
use absolve_rewriter::{Code, Finding, Options};

use crate::bundle::contents::Contents;
use crate::discover::copies::InputFiles;
use crate::discover::xattr::retrievals_of;
use crate::error::{Action, FileError};
use crate::input::entry::{Entry, Provenance, Storage};
use crate::input::kind::{EntryKind, Why};
use crate::limits::longest;
use crate::message_file::MessageFile;

/// An opened entry.
#[derive(Debug)]
pub(crate) enum Opened {
    /// A document, which was read.
    Document(DocumentType),
    /// A message, which was read.
    Message(MessageFile),
    /// A container of records, of which no more than the start was read.
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

/// The contents of a container: the bytes that were read, and those after them.
pub(crate) type Input = io::Chain<io::Cursor<Vec<u8>>, Contents>;

/// A container of records.
#[derive(Debug)]
pub(crate) struct Container {
    pub(crate) file_type: FileType,
    /// Its contents, if it is open.
    input: Option<Input>,
}

impl Container {
    /// Opens it. Returns its compression as well, which its first bytes say.
    pub(crate) fn open(self, entry: &Entry) -> io::Result<(Compression, Input)> {
        let open = || {
            let (mut start, mut contents) = (Vec::new(), entry.open()?);
            (&mut contents).take(START).read_to_end(&mut start)?;
            io::Result::Ok(io::Cursor::new(start).chain(contents))
        };
        let input = self.input.map_or_else(open, Ok)?;
        let start = input.get_ref().0.get_ref();
        let compression = match self.file_type {
            FileType::Archive(_) => Compression::of_archive(start),
            FileType::Mailbox => Compression::of(start),
            _ => Compression::None,
        };
        Ok((compression, input))
    }
}

/// Opens an entry. Reads it into `bytes` if it is a document or a message.
pub(crate) fn open(entry: &Entry, files: &InputFiles<'_>, bytes: &mut Vec<u8>) -> Result<Opened, FileError> {
    let fail = |error| FileError::new(&entry.source, Action::Read, error);
    if let Some(finding) = compressed_nothing(entry) {
        return Ok(Opened::Copied(Why::Unread(finding)));
    }
    let size = entry.attributes.size;
    let (file_type, mut file, read) = match entry.kind {
        EntryKind::File(file_type) if !file_type.is_single() => {
            return Ok(Opened::Container(Container { file_type, input: None }));
        }
        EntryKind::File(file_type) => (Ok(file_type), entry.open().map_err(fail)?, 0),
        EntryKind::Undecided(otherwise) => {
            let mut file = entry.open().map_err(fail)?;
            read_up_to(START, &mut file, size, 0, bytes).map_err(fail)?;
            (otherwise.file_type(bytes, &mut file), file, bytes.len())
        }
        _ => return Ok(Opened::Copied(Why::Other)),
    };
    let (document_type, too_long): (_, fn(u64) -> Finding) = match file_type {
        Err(why) => return Ok(Opened::Copied(why)),
        Ok(FileType::Document(known)) => (Some(known), document_too_long),
        Ok(FileType::Message) => (None, message_too_long),
        Ok(file_type) => {
            let input = files.may_stay_open().then(|| io::Cursor::new(bytes.clone()).chain(file));
            return Ok(Opened::Container(Container { file_type, input }));
        }
    };
    let limit = document_type.map_or(longest(FileType::Message), |known| longest(FileType::Document(known)));
    if size <= limit {
        const AT_ONCE: u64 = 1 << 20;
        let at_once = (size + 1).min(AT_ONCE).max(read as u64);
        read_up_to(at_once, &mut file, size, read, bytes).map_err(fail)?;
        if bytes.len() as u64 == at_once {
            // It is long or has grown, and some special files have size 0.
            file.take(limit + 1 - at_once).read_to_end(bytes).map_err(fail)?;
        }
        if bytes.len() as u64 <= limit {
            let opened = match document_type {
                Some(document_type) => {
                    let is_page = document_type == DocumentType::Html;
                    let unread = web_archive(bytes).or_else(|| if is_page { self_extracting(bytes) } else { None });
                    unread.map_or(Ok(Opened::Document(document_type)), Err)
                }
                None => MessageFile::of(bytes, &entry.source).map_err(fail)?.map(Opened::Message),
            };
            return Ok(opened.unwrap_or_else(|finding| Opened::Copied(Why::Unread(finding))));
        }
    }
    bytes.clear();
    Ok(Opened::Copied(Why::Unread(too_long(limit))))
}

/// Returns the finding about an empty file with the name of a compressed one. Even what compresses nothing has bytes.
fn compressed_nothing(entry: &Entry) -> Option<Finding> {
    entry.kind.named_type().filter(|_| entry.attributes.size == 0)?;
    let named = Compression::of_name(&entry.source).filter(|named| *named != Compression::None)?;
    Some(Finding::left_unchanged(Code::NotItsType, format!("it is empty, not {}", named.name())))
}

/// Returns the finding about a web archive with the name of a document.
fn web_archive(bytes: &[u8]) -> Option<Finding> {
    let message = |format: ArchiveFormat| {
        let name = format.name();
        format!("it begins like a web archive, not like what its name says; give it a name that ends in .{name}")
    };
    ArchiveFormat::of(bytes).map(|format| Finding::left_unchanged(Code::NotItsType, message(format)))
}

/// Returns the finding about a page of SingleFile that unpacks itself in a browser (`<html data-sfz>`): the saved page is in a ZIP file within
/// it, whose offsets an edit would break.
fn self_extracting(bytes: &[u8]) -> Option<Finding> {
    let is_mark = |name: &Range<usize>| bytes[name.clone()].eq_ignore_ascii_case(b"data-sfz");
    let is_marked = Head::to_first_tag(bytes).html_attributes.iter().any(is_mark);
    let is_packed = is_marked && memchr::memmem::find(bytes, b"PK\x03\x04").is_some();
    is_packed.then(|| {
        let why = "the page is in a ZIP file within this one, which unpacks itself in a browser and is not read; \
                   left unchanged, save it in a browser without compression";
        Finding::new(Code::MemberUnread, why)
    })
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
    /// Whether its first BASE is not its own.
    pub has_added_base: bool,
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
        has_added_base: origin.base == Some(SavedBase::Second),
        base: origin.base.and_then(|base| match base {
            SavedBase::Commented(base) => Some(base.value),
            _ => None,
        }),
    }
}

fn origin_of_document(entry: &Entry, bytes: &[u8], document_type: DocumentType) -> Origin {
    let page = (document_type == DocumentType::Html).then_some(bytes);
    let Provenance { known, discovery, .. } = &entry.provenance;
    let origin = origin(known, page, retrievals_of(entry.file(), discovery), discovery);
    origin.or_of_recorder(|| discovery.discover != Discover::Nothing && is_of_teleport(bytes, document_type))
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
            let text = file.message(bytes);
            let known = retrievals_of_message(entry, text);
            let message = Entity::message(text).retrieved_by(&known);
            let mut message = message.with_message_url(options.message_url.as_ref());
            message.findings.extend(ignored_url(entry, &known));
            message.findings.extend(stays_wrapped(entry, &message));
            return Some(message);
        }
        Opened::Copied(Why::Unread(finding)) => return Some(Entity::unread(finding.clone())),
        Opened::Container(_) | Opened::Copied(_) => return None,
    };
    let origin = origin_of_document(entry, bytes, document_type);
    let entity = Entity::bare_file(bytes, document_type).of_origin(origin, || match &entry.provenance.unpacked {
        Some(file) => Arc::new(file.clone()),
        None => files.around(&entry.source),
    });
    let Some(charset) = entry.provenance.charset else { return Some(entity) };
    let entity = entity.with_charset(charset);
    let is_wrong = entity.parts.iter().any(|part| entity.document(part).has_wrong_label());
    Some(if is_wrong { Entity::unread(charset_does_not_fit(charset)) } else { entity })
}

/// Returns the URLs that a message was retrieved from: that of all of the input is not one of mail.
fn retrievals_of_message<'e>(entry: &'e Entry, message: &[u8]) -> Cow<'e, [Retrieval]> {
    let known = &entry.provenance.known.retrievals;
    let is_of_input = |retrieval: &Retrieval| retrieval.source == UrlSource::Url;
    match known.iter().any(is_of_input) && is_mail(entry, message) {
        true => known.iter().filter(|retrieval| !is_of_input(retrieval)).cloned().collect(),
        false => Cow::Borrowed(known),
    }
}

/// Returns the URL that a message was retrieved from, and the finding about one that is given and does not apply to mail.
///
/// ```
/// use absolve_files::{Entry, Selection, retrieval_of_message};
/// let mut selection = Selection::default();
/// selection.url = Some("http://h/".into());
/// let of = |message: &[u8]| retrieval_of_message(&Entry::from_reader(message, &selection).unwrap(), message);
/// assert!(of(b"Subject: x\n\n").0.is_none() && of(b"Subject: x\n\n").1.is_some());
/// assert!(of(b"From: <Saved by Blink>\n\n").0.is_some());
/// ```
pub fn retrieval_of_message(entry: &Entry, message: &[u8]) -> (Option<Retrieval>, Option<Finding>) {
    let known = retrievals_of_message(entry, message);
    (known.first().cloned(), ignored_url(entry, &known))
}

/// Finding: the user gave a URL for a message, which is named itself.
fn ignored_url(entry: &Entry, known: &[Retrieval]) -> Option<Finding> {
    let is_ignored = known.len() < entry.provenance.known.retrievals.len() && is_named(entry);
    is_ignored.then(|| url_of_messages("a message was"))
}

/// Returns whether a file was named itself, and is neither in a folder nor a member of a bundle that was named.
const fn is_named(entry: &Entry) -> bool {
    !matches!(entry.storage, Storage::Below(_) | Storage::Member(..))
}

/// Returns whether a file holds a message that was sent, and not a page that was saved as one. Mail was not retrieved from a URL.
pub(crate) fn is_mail(entry: &Entry, message: &[u8]) -> bool {
    let is_page = |extension: &OsStr| ["mht", "mhtml"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    !entry.source.extension().is_some_and(is_page) && !is_saved_page(message)
}

/// Finding: the links of a message stay in the archive that it was retrieved from.
fn stays_wrapped(entry: &Entry, message: &Entity<'_>) -> Option<Finding> {
    let url = message.parts.first()?.retrieval_url()?;
    let is_copy = entry.provenance.discovery.wayback != WaybackLinks::Keep && ArchivePrefix::of_copy(url).is_some();
    let why = "its links stay those of the archive: the parts of a message are found by their URLs there";
    is_copy.then(|| Finding::new(Code::UrlNotUsed, why))
}

/// Finding: the user gave a URL for a container.
pub(crate) fn url_not_used(entry: &Entry, file_type: FileType) -> Option<Finding> {
    let finding = match file_type {
        // A folder of pages may hold patches.
        FileType::Mailbox if !is_named(entry) => return None,
        FileType::Mailbox => url_of_messages("the messages of an mbox were"),
        _ => Finding::new(
            Code::UrlNotUsed,
            "the given URL is ignored: each record of a web archive contains the URL it was retrieved from",
        ),
    };
    entry.retrieval().is_some_and(|retrieval| retrieval.source.is_given()).then_some(finding)
}

/// Finding: the user gave a URL for messages.
pub(crate) fn url_of_messages(subject: &str) -> Finding {
    let message = format!("the given URL is ignored: {subject} not retrieved from a URL");
    Finding::new(Code::UrlNotUsed, message).with_remedy(Remedy::GiveMessageUrl)
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use super::open;
    use crate::collect::collect;
    use crate::discover::copies::InputFiles;
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
                assert!(open(&entry, &InputFiles::new(&[]), &mut bytes).is_ok());
                assert!(bytes == page(now), "{name}: {found} bytes, then {now}");
            }
            fs::remove_file(path)?;
        }
        Ok(())
    }
}
