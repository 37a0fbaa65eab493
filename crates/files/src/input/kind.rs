//! What a file is: by its name, its place, the options, and its first bytes.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use absolve_containers::{FileType, holds_several};
use absolve_framing::{Compression, Packing};
use absolve_links::DocumentType;
use absolve_rewriter::internal::{foreign_mailbox, packed};
use absolve_rewriter::results::Remedy;
use absolve_rewriter::{Code, Finding, Purpose};

use crate::bundle::format::BundleFormat;
use crate::input::foreign::Foreign;
use crate::input::maildir::Role;
use crate::input::no_document::is_no_document;
use crate::input::selection::Selection;

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A file of this type: its name, its place or the [`Selection`] says so.
    File(FileType),
    /// A file whose first bytes say its type.
    Undecided(Otherwise),
    /// A file that is copied unread.
    Copied,
    /// A folder.
    Folder,
    /// A ZIP or tar file. Its members are the entries after it.
    Bundle(BundleFormat),
    /// An explicitly named file that cannot be read, for an error in its data, which is in
    /// [`Collection::errors`](crate::input::entry::Collection::errors).
    Damaged,
    /// A symbolic link that is copied as a link and not followed, with the path in the file system of its target, if that is in the input.
    Symlink(Option<PathBuf>),
}

/// What becomes of a file whose first bytes are not typical of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Otherwise {
    /// It is of this type: that before a query in its name (`main.css?v=3`).
    Type(FileType),
    /// The same, and no other type but those of records is typical: nothing else has such a name.
    NoRecords(FileType),
    /// It is copied.
    Copied,
    /// It is copied, unless it holds mail or is a web archive: its extension says nothing, and what begins like a page may be the source
    /// of one, in the language of any template.
    CopiedSource,
    /// It is copied, unless it is a feed: its name is that of any data in JSON.
    CopiedData,
    /// It is copied, with a finding: it was named itself.
    Finding,
    /// The same: nothing else has such a name.
    Dialect,
    /// It is copied, with a finding: its name belongs to a format that is not read.
    Foreign(Foreign),
}

/// Why a file is copied unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It is over the size limit, or is not what its name or its first line says.
    Unread(Finding),
    /// It was named itself, and is of no known type.
    UnknownType(Finding),
    /// It is text that nothing says the type of, and may have links.
    Text,
    /// It has no links.
    Other,
}

impl EntryKind {
    /// Returns what a file is that has this role in a Maildir.
    pub(crate) fn of_file(role: Role, path: &Path, selection: &Selection) -> Self {
        let extension = path.extension().and_then(OsStr::to_str);
        let before_query = before_query(path);
        let of_path = before_query.as_deref().and_then(|path| type_of_name(path, selection.purpose));
        let by_name = of_path.or_else(|| type_of_name(path, selection.purpose));
        let is_included = selection.include.is_some();
        let foreign = extension.and_then(Foreign::of_extension);
        match (selection.file_type, by_name) {
            _ if selection.leaves_out(path) => Self::Copied,
            _ if role == Role::Message => Self::File(FileType::Message),
            (None, Some(by_name)) if before_query.is_some() => Self::Undecided(Otherwise::Type(by_name)),
            (None, Some(FileType::Message | TEXT)) => Self::Undecided(Otherwise::NoRecords(by_name.unwrap_or(TEXT))),
            (None, Some(by_name)) => Self::File(by_name),
            (Some(given), Some(_)) => Self::File(given),
            (Some(given), None) if is_included || (may_be_page(path, extension) && is_readable(path, given)) => {
                Self::File(given)
            }
            _ if foreign.is_some() => {
                foreign.map_or(Self::Copied, |foreign| Self::Undecided(Otherwise::Foreign(foreign)))
            }
            _ if extension.is_some_and(is_dialect) => Self::Undecided(Otherwise::Dialect),
            _ if is_included || is_packed(path) || extension.is_some_and(Packing::is_of_outlook) => {
                Self::Undecided(Otherwise::Finding)
            }
            (None, _) if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json")) => {
                Self::Undecided(Otherwise::CopiedData)
            }
            _ if may_be_page(path, extension) => Self::Undecided(Otherwise::Copied),
            _ if extension.is_some_and(is_no_document) => Self::Copied,
            _ => Self::Undecided(Otherwise::CopiedSource),
        }
    }

    /// Returns what such a file is that was named itself.
    pub(crate) fn of_named(role: Role, path: &Path, selection: &Selection) -> Self {
        let text = path.extension().and_then(OsStr::to_str).and_then(Foreign::of_text);
        match (Self::of_file(role, path, selection), selection.file_type) {
            _ if selection.leaves_out(path) => Self::Copied,
            (_, Some(given)) => Self::File(given),
            (Self::Undecided(Otherwise::CopiedSource), None) => {
                Self::Undecided(text.map_or(Otherwise::Finding, Otherwise::Foreign))
            }
            (Self::Copied | Self::Undecided(Otherwise::Copied | Otherwise::CopiedData), None) => {
                Self::Undecided(Otherwise::Finding)
            }
            (Self::File(by_name @ FileType::Document(_)), None) => Self::Undecided(Otherwise::NoRecords(by_name)),
            (kind, None) => kind,
        }
    }

    /// Returns its type by its name; `None` if only its first bytes say one.
    pub(crate) const fn named_type(&self) -> Option<FileType> {
        match self {
            Self::File(named) | Self::Undecided(Otherwise::NoRecords(named)) => Some(*named),
            _ => None,
        }
    }

    /// Returns whether it is a page by its name, or may be one by its first bytes.
    pub(crate) fn may_be_html(&self) -> bool {
        const HTML: FileType = FileType::Document(DocumentType::Html);
        self.named_type() == Some(HTML) || matches!(self, Self::Undecided(Otherwise::Type(HTML) | Otherwise::Copied))
    }
}

impl Otherwise {
    /// Returns the type of a file that begins with `start`, or why it is copied unread. `rest` has the bytes after these; those of them
    /// that are needed are added to `start`.
    pub(crate) fn file_type(self, start: &mut Vec<u8>, rest: &mut dyn Read) -> Result<FileType, Why> {
        if let Some(foreign) = Foreign::of_start(start) {
            return Err(Why::UnknownType(foreign.finding()));
        }
        if let Self::NoRecords(by_name) = self {
            return Ok(match (by_name, FileType::of_start_of_records(start, rest)) {
                // A message may have been saved with the separator line before it.
                (FileType::Message, Some(FileType::Mailbox)) if !holds_several(start, rest) => by_name,
                (_, found) => found.unwrap_or(by_name),
            });
        }
        let is_plain = Compression::of(start) == Compression::None;
        match (self, FileType::of_start(start, rest)) {
            (Self::Foreign(foreign), _) => Err(Why::UnknownType(foreign.finding())),
            (Self::Dialect, _) => Err(Why::UnknownType(dialect())),
            (Self::CopiedData, Some(found)) if !JSON.contains(&found) => Err(Why::Other),
            (Self::CopiedSource, Some(FileType::Document(_))) => Err(Why::Text),
            (_, Some(found)) => Ok(found),
            (Self::Type(by_name), None) if is_plain => Ok(by_name),
            (Self::Copied | Self::CopiedSource, None) if is_plain => Err(unread(start)),
            (Self::Finding, None) => Err(Why::UnknownType(unknown_type(start))),
            _ => Err(Why::Other),
        }
    }
}

const TEXT: FileType = FileType::Document(DocumentType::Text);
const JSON: [FileType; 2] =
    [FileType::Document(DocumentType::JsonFeed), FileType::Document(DocumentType::SpeculationRules)];

/// Returns why a file is copied that begins so, is not compressed, and was not named itself.
fn unread(start: &[u8]) -> Why {
    let of_text = || if is_text(start) { Why::Text } else { Why::Other };
    foreign_mailbox(start).map_or_else(of_text, Why::Unread)
}

/// Returns whether a file that is not compressed is text by its first bytes: they have no NUL, or are those of UTF-16.
fn is_text(start: &[u8]) -> bool {
    let start = &start[..start.len().min(FileType::START_BYTES as usize)];
    let is_utf_16 = || start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF");
    !start.trim_ascii().is_empty() && (memchr::memchr(0, start).is_none() || is_utf_16())
}

/// Finding: an explicitly named file of unknown type.
fn unknown_type(start: &[u8]) -> Finding {
    if start.is_empty() {
        return Finding::left_unchanged(Code::UnknownType, "it is empty");
    }
    let begins: Vec<u8> =
        start.iter().copied().filter(|byte| byte.is_ascii() && !byte.is_ascii_whitespace()).take(2).collect();
    let is_json = matches!(&*begins, b"{\"" | b"{}" | b"[{" | b"[\"" | b"[]");
    let what = if is_json { "it is JSON, but not a JSON Feed" } else { "unknown file type" };
    let unknown = || Finding::new(Code::UnknownType, format!("{what}, left unchanged")).with_remedy(Remedy::NameType);
    packed(start).map_or_else(unknown, |packed| Finding { code: Code::UnknownType, ..packed })
}

/// Finding: a file in a language that is much like Markdown.
fn dialect() -> Finding {
    let what = "it is MDX, R Markdown or the text of a wiki, which is not read, and left unchanged; convert it first, or read it as Markdown";
    Finding::new(Code::UnknownType, what).with_remedy(Remedy::NameType)
}

/// Returns a name without the query at its end; `None` if it has none.
fn before_query(path: &Path) -> Option<PathBuf> {
    // Most paths have none, which takes no look at their parts.
    memchr::memchr(b'?', path.as_os_str().as_encoded_bytes())?;
    let (before, _) = path.file_name()?.to_str()?.split_once('?')?;
    Some(path.with_file_name(before))
}

/// Returns the type of a file that was named itself and begins with `start`, as that of an entry; `None` if it is unknown. `rest` has the
/// bytes after these; those of them that are needed are added to `start`.
///
/// ```
/// use absolve_containers::FileType;
/// use absolve_files::{Selection, type_of_named};
/// let of = |name: &str, start: &[u8]| {
///     type_of_named(name.as_ref(), &Selection::default(), &mut start.to_vec(), &mut std::io::empty())
/// };
/// assert_eq!((of("a.txt", b"WARC/1.1\r\n"), of("a.png", b"\x89PNG")), (Some(FileType::WARC), None));
/// ```
pub fn type_of_named(name: &Path, selection: &Selection, start: &mut Vec<u8>, rest: &mut dyn Read) -> Option<FileType> {
    match EntryKind::of_named(Role::None, name, selection) {
        EntryKind::File(file_type) => Some(file_type),
        EntryKind::Undecided(otherwise) => otherwise.file_type(start, rest).ok(),
        _ => None,
    }
}

/// Returns the type of a file by its name. Where the documents are for mail, the sources of templates are HTML.
pub(crate) fn type_of_name(path: &Path, purpose: Purpose) -> Option<FileType> {
    let is_template = || path.extension().and_then(OsStr::to_str).is_some_and(is_template_extension);
    let of_template = || (purpose == Purpose::Mail && is_template()).then_some(FileType::Document(DocumentType::Html));
    FileType::of_name(path).or_else(of_template)
}

/// Returns whether a file with this name may have this type: documents are never compressed.
fn is_readable(path: &Path, file_type: FileType) -> bool {
    !is_compressed(path) || !matches!(file_type, FileType::Document(_))
}

fn is_compressed(path: &Path) -> bool {
    Compression::of_name(path).is_some_and(|compression| compression != Compression::None)
}

/// Returns whether a name is that of packed mail or of a packed web archive that is not read, such as `inbox.mbox.7z`.
pub(crate) fn is_packed(path: &Path) -> bool {
    let inner = || FileType::of_extension(Path::new(path.file_stem()?).extension()?.to_str()?);
    packing_of_name(path).is_some() && inner().is_some_and(|inner| !matches!(inner, FileType::Document(_)))
}

/// Returns why an output cannot have its name, if that says a compression in which the type of the input is never written. A copy
/// keeps its extension.
///
/// ```
/// use absolve_containers::FileType;
/// use absolve_files::compression_refusal;
/// let refusal = |output: &str, file_type| compression_refusal(output.as_ref(), "in".as_ref(), Some(file_type));
/// let why = "not compressed by absolve; give the output a name without .lz";
/// assert_eq!(refusal("a.mbox.LZ", FileType::Mailbox).as_deref(), Some(why));
/// assert_eq!(refusal("a.mbox.gz", FileType::Mailbox), None);
/// assert_eq!(refusal("a.eml", FileType::Message), None);
/// ```
pub fn compression_refusal(output: &Path, input: &Path, file_type: Option<FileType>) -> Option<String> {
    let extension = packing_of_name(output)?.extension;
    let is_written = match file_type {
        Some(FileType::Wacz) => extension == "zip",
        _ => file_type.is_some_and(FileType::may_be_compressed) && Compression::of_name(output).is_some(),
    };
    let is_refused = !is_written && packing_of_name(input) != packing_of_name(output);
    is_refused.then(|| format!("not compressed by absolve; give the output a name without .{extension}"))
}

/// Returns the compression or packing that the extension of a name is of.
pub(crate) fn packing_of_name(path: &Path) -> Option<Packing> {
    Packing::of_extension(path.extension()?.to_str()?)
}

/// Returns whether a name is that of a ZIP or tar file, plain or compressed.
///
/// ```
/// use absolve_files::is_bundle_name;
/// let are = ["a.zip", "a.TAR", "a.tar.gz", "a.tgz"].iter().all(|name| is_bundle_name(name.as_ref()));
/// assert!(are && !is_bundle_name("a.gz".as_ref()));
/// ```
pub fn is_bundle_name(path: &Path) -> bool {
    let inner = || BundleFormat::of_name(Path::new(path.file_stem()?));
    let is_packed_tar = || packing_of_name(path).is_some() && inner() == Some(BundleFormat::Tar(Compression::None));
    BundleFormat::of_name(path).is_some() || is_packed_tar()
}

/// Returns whether the last segment of a URL is a page by its extension: HTML, or a program that makes it.
pub(crate) fn is_page_extension(extension: &str) -> bool {
    is_program(extension)
        || matches!(DocumentType::of_extension(extension), Some(DocumentType::Html))
        || extension.eq_ignore_ascii_case("xhtml")
}

/// Returns whether a file is the source of a template of mail: MJML, Handlebars, Liquid, Nunjucks.
fn is_template_extension(extension: &str) -> bool {
    ["mjml", "hbs", "liquid", "njk"].iter().any(|template| template.eq_ignore_ascii_case(extension))
}

/// Returns whether a file is in MDX (Markdown with JavaScript), Quarto or R Markdown, or in the language of a wiki.
fn is_dialect(extension: &str) -> bool {
    ["mdx", "qmd", "rmd", "wiki", "mediawiki"].iter().any(|dialect| dialect.eq_ignore_ascii_case(extension))
}

fn is_program(extension: &str) -> bool {
    const PROGRAMS: [&str; 16] = [
        "php", "php3", "php4", "php5", "asp", "aspx", "ascx", "master", "jsp", "jspx", "jspf", "cfm", "cfml", "cgi",
        "pl", "do",
    ];
    PROGRAMS.iter().any(|program| program.eq_ignore_ascii_case(extension))
}

/// Returns whether a file may be a page, an mbox or a web archive by its first bytes: its name has no extension, a query,
/// a number at the end (`page.html.1`), or the extension of a program or of a compression.
pub(crate) fn may_be_page(path: &Path, extension: Option<&str>) -> bool {
    let is_number = |extension: &str| extension.bytes().all(|byte| byte.is_ascii_digit());
    extension.is_none_or(|extension| is_program(extension) || is_number(extension))
        || is_compressed(path)
        || path.file_name().is_some_and(|name| name.as_encoded_bytes().contains(&b'?'))
}
