//! Which files there are: from the paths that were named to entries with URLs.

mod walk;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use absolve_links::DocumentType;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::failure::{Action, FileError};
use crate::maildir::{self, Role};
use crate::retrieval::{Discovery, Known, Layout, Retrieval, UrlSource, note_retrievals};
use crate::temporary::Temporary;
use crate::{Code, FileType, Finding, Symlinks};

/// A file, folder or symbolic link of the input.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is.
    pub source: PathBuf,
    /// Its path in the output: below the root of its input, or its file name if it was named itself.
    pub path: PathBuf,
    /// Its name in reports: the path below the root of its input, or as it was named itself.
    pub name: PathBuf,
    /// The record that it is, if it is one of a container: in a Maildir the unique name of the message.
    pub record: String,
    /// What it is.
    pub kind: EntryKind,
    /// Its size in bytes.
    pub size: u64,
    /// When it was changed last.
    pub modified: Option<SystemTime>,
    /// Its permissions.
    pub permissions: fs::Permissions,
    /// What is known of where it was retrieved from.
    pub(crate) known: Known,
    /// How more of that is found.
    pub(crate) discovery: Discovery,
    /// Where what a symbolic link leads to stands below the root of the input, if it is there.
    pub(crate) leads_to: Option<PathBuf>,
    /// The file, if it has no path: standard input, which waits in a temporary file.
    pub(crate) opened: Option<Arc<File>>,
}

impl Entry {
    /// Standard input, or whatever else has no path, as a file that is called `-`. It waits in a temporary file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or not be put there.
    ///
    /// ```
    /// use absolve_rewriter::{Entry, Selection};
    /// let entry = Entry::waiting(&b"<a href=x>"[..], &Selection::default())?;
    /// assert_eq!((entry.name.to_str(), entry.size), (Some("-"), 10));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn waiting(mut input: impl Read, selection: &Selection) -> io::Result<Self> {
        let waiting = Temporary::with_permissions_of_new_files()?;
        io::copy(&mut input, &mut &waiting)?;
        let file = waiting.into_file();
        let kind = selection.file_type.map_or(EntryKind::Asked, EntryKind::Document);
        let url = selection.url.clone();
        let entry = entry("-".into(), "-".into(), kind, String::new(), url, &file.metadata()?);
        Ok(Self { modified: None, opened: Some(Arc::new(file)), discovery: selection.discovery, ..entry })
    }

    /// A folder that is `path` in the output; `None` if there is none.
    ///
    /// ```
    /// use absolve_rewriter::{Entry, EntryKind};
    /// let folder = tempfile::tempdir()?;
    /// let entry = Entry::folder(folder.path(), "site".as_ref());
    /// assert_eq!(entry.map(|entry| entry.kind), Some(EntryKind::Folder));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn folder(source: &Path, path: &Path) -> Option<Self> {
        let metadata = source.metadata().ok()?;
        let entry = entry(source.to_owned(), path.to_owned(), EntryKind::Folder, String::new(), None, &metadata);
        Some(Self { name: source.to_owned(), ..entry })
    }

    /// Where it was retrieved from, as far as that is known before it is read, and who says so.
    ///
    /// ```
    /// use absolve_rewriter::{Selection, UrlSource, collect};
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("a.html"), "")?;
    /// let mut selection = Selection::default();
    /// selection.url = Some("http://h/".into());
    /// let entries = collect(folder.path(), &selection).entries;
    /// let retrieval = entries[0].retrieval().unwrap();
    /// assert_eq!((retrieval.source, &*retrieval.url), (UrlSource::Url, "http://h/a.html"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn retrieval(&self) -> Option<&Retrieval> {
        self.known.retrievals.first()
    }

    /// The file, at its first byte.
    pub(crate) fn open(&self) -> io::Result<File> {
        let Some(opened) = &self.opened else { return File::open(&self.source) };
        let mut file = opened.try_clone()?;
        file.rewind()?;
        Ok(file)
    }

    /// The type that its first bytes tell.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    ///
    /// ```
    /// use absolve_rewriter::{Entry, FileType, Selection};
    /// let entry = Entry::waiting(&b"Received: from x\n\n"[..], &Selection::default())?;
    /// assert_eq!(entry.type_of_content()?, Some(FileType::Message));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn type_of_content(&self) -> io::Result<Option<FileType>> {
        let mut start = Vec::new();
        self.open()?.take(FileType::BYTES_THAT_TELL).read_to_end(&mut start)?;
        Ok(FileType::of_compressed_content(&start))
    }
}

/// What becomes of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// Its links are made absolute.
    Document(FileType),
    /// A file whose name does not tell; its first bytes will.
    Unknown,
    /// The same, but it was asked for by name, and is told when its first bytes do not tell either.
    Asked,
    /// A plain text by its name; its first bytes may tell that it is an mbox.
    Text,
    /// A file that is copied as it is.
    Other,
    /// A folder.
    Folder,
    /// A symbolic link, copied as a link and not followed.
    Symlink,
}

impl EntryKind {
    /// Whether it is a page by its name, or its first bytes may say so.
    pub(crate) const fn may_be_html(self) -> bool {
        matches!(self, Self::Document(FileType::Document(DocumentType::Html)) | Self::Unknown)
    }
}

/// How the files of an input are looked for.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Selection {
    /// The URL of the input: of its root, if it is a folder.
    pub url: Option<String>,
    /// The URLs of files by their paths, with `/` between names; what they do not name has that of `url`. The paths may
    /// begin with folders around the input.
    pub urls: HashMap<String, String>,
    /// Who has laid out the folders, if they tell URLs.
    pub layout: Option<Layout>,
    /// How the URLs of files are found that nobody tells.
    pub discovery: Discovery,
    /// The type of all files that are read as documents, instead of what their names tell.
    pub file_type: Option<FileType>,
    /// Only files whose paths match are read as documents; none: all.
    pub include: Option<GlobSet>,
    /// Files whose paths match are not read as documents.
    pub exclude: Option<GlobSet>,
    /// What becomes of symbolic links in a folder.
    pub symlinks: Symlinks,
}

/// What was found in an input.
#[derive(Debug, Default)]
pub struct Collection {
    /// The entries in the order of their paths, folders before what is in them.
    pub entries: Vec<Entry>,
    /// What is worth telling, with the path it concerns.
    pub findings: Vec<(PathBuf, Finding)>,
    /// Files by which a mail server knows the messages of a Maildir; it must not be changed in place.
    pub indexes: Vec<PathBuf>,
    /// What could not be read.
    pub errors: Vec<FileError>,
}

/// Globs over paths below the input, with `*` staying within a folder and `**` crossing them.
///
/// # Errors
///
/// The message of the first pattern that is no glob.
///
/// ```
/// let globs = absolve_rewriter::globs(&["old/**".to_owned()])?;
/// assert!(globs.is_match("old/a/b.html"));
/// # Ok::<(), globset::Error>(())
/// ```
pub fn globs(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(GlobBuilder::new(pattern).literal_separator(true).build()?);
    }
    set.build()
}

/// Finds the entries of `input`, a file or a folder.
///
/// What cannot be read is told in [`Collection::errors`], and the rest goes on. A symbolic link is followed
/// when it is `input` itself; elsewhere by [`Selection::symlinks`].
///
/// ```
/// use absolve_rewriter::{Selection, collect};
/// let missing = collect("no such file".as_ref(), &Selection::default());
/// assert_eq!((missing.entries.len(), missing.errors.len()), (0, 1));
/// ```
pub fn collect(input: &Path, selection: &Selection) -> Collection {
    let mut collection = Collection::default();
    match fs::metadata(input) {
        Ok(metadata) if metadata.is_dir() => walk::walk(input, selection, &mut collection),
        Ok(metadata) => {
            let path = PathBuf::from(input.file_name().unwrap_or(input.as_os_str()));
            let role = maildir::role_of(input);
            let kind = match (kind_of_file(role, &path, selection), selection.file_type) {
                (_, Some(file_type)) => EntryKind::Document(file_type),
                (EntryKind::Other | EntryKind::Unknown, None) => EntryKind::Asked,
                (kind, None) => kind,
            };
            let record = maildir::record_of(input, role);
            let entry = entry(input.to_owned(), path, kind, record, selection.url.clone(), &metadata);
            let (name, discovery) = (input.to_owned(), selection.discovery);
            collection.entries.push(Entry { name, discovery, ..entry });
        }
        Err(source) => collection.errors.push(FileError::new(input, Action::Read, source)),
    }
    collection.findings.extend(note_retrievals(&mut collection.entries, selection));
    note_maildirs(&mut collection, selection);
    collection
}

/// Notes what is to be known of the Maildirs that messages were found in.
fn note_maildirs(collection: &mut Collection, selection: &Selection) {
    let mut known = HashSet::new();
    for entry in collection.entries.iter().filter(|entry| !entry.record.is_empty()) {
        let Some(maildir) = maildir::maildir_of(&entry.source).filter(|maildir| known.insert(maildir.clone())) else {
            continue;
        };
        collection.indexes.extend(maildir::indexes_in(&maildir));
        if selection.url.is_some() {
            let message = "the messages of a Maildir were not retrieved from a URL; --url does not count for them";
            collection.findings.push((entry.name.clone(), Finding::new(Code::UrlNotUsed, message)));
        }
    }
}

fn entry(
    source: PathBuf,
    path: PathBuf,
    kind: EntryKind,
    record: String,
    url: Option<String>,
    metadata: &Metadata,
) -> Entry {
    let (size, permissions) = (metadata.len(), metadata.permissions());
    let name = path.clone();
    // Nobody retrieved the messages of a Maildir from a URL.
    let url = url.filter(|_| record.is_empty());
    let retrievals = url.map(|url| Retrieval { source: UrlSource::Url, url }).into_iter().collect();
    let known = Known { retrievals, links: None };
    let (modified, discovery) = (metadata.modified().ok(), Discovery::default());
    let (leads_to, opened) = (None, None);
    Entry { source, path, name, record, kind, size, modified, permissions, known, discovery, leads_to, opened }
}

fn kind_of_file(role: Role, path: &Path, selection: &Selection) -> EntryKind {
    let is_left_out = selection.include.as_ref().is_some_and(|globs| !globs.is_match(path))
        || selection.exclude.as_ref().is_some_and(|globs| globs.is_match(path));
    let extension = path.extension().and_then(OsStr::to_str);
    let by_name = extension.and_then(FileType::of_extension).or_else(|| compressed_stream(path));
    let is_text = by_name == Some(FileType::Document(DocumentType::Text)) && selection.file_type.is_none();
    match selection.file_type.or(by_name) {
        _ if is_left_out => EntryKind::Other,
        _ if role == Role::Message => EntryKind::Document(FileType::Message),
        _ if is_text => EntryKind::Text,
        Some(file_type) if by_name.is_some() || selection.include.is_some() => EntryKind::Document(file_type),
        Some(file_type) if may_be_page(path, extension) && is_readable(extension, file_type) => {
            EntryKind::Document(file_type)
        }
        _ if selection.include.is_some() || is_packed(path) => EntryKind::Asked,
        _ if may_be_page(path, extension) => EntryKind::Unknown,
        _ => EntryKind::Other,
    }
}

/// The stream that a name tells behind that of its compression: `a.warc.gz`.
fn compressed_stream(path: &Path) -> Option<FileType> {
    let extension = |path: &Path| path.extension().and_then(OsStr::to_str).map(str::to_owned);
    let inner = extension(path).filter(|outer| is_compressed(outer)).and(extension(Path::new(path.file_stem()?)))?;
    FileType::of_extension(&inner).filter(|known| matches!(known, FileType::Mbox | FileType::Warc | FileType::Arc))
}

/// Whether a file with this extension may be of a type that was asked for: a page is never compressed.
fn is_readable(extension: Option<&str>, file_type: FileType) -> bool {
    !extension.is_some_and(is_compressed) || !matches!(file_type, FileType::Document(_))
}

fn is_compressed(extension: &str) -> bool {
    ["gz", "zst"].iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Whether a name is that of mail or an archive which is compressed in another way: `inbox.mbox.bz2`.
fn is_packed(path: &Path) -> bool {
    const PACKED: [&str; 9] = ["gz", "zst", "bz2", "xz", "lz", "lz4", "z", "zip", "7z"];
    let extension = |path: &Path| path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let inner = || path.file_stem().and_then(|stem| extension(Path::new(stem)));
    extension(path).is_some_and(|extension| PACKED.contains(&&*extension))
        && inner()
            .and_then(|inner| FileType::of_extension(&inner))
            .is_some_and(|file_type| !matches!(file_type, FileType::Document(_)))
}

/// Whether a page may hide behind a name that is not that of a document: names without an extension, with a query,
/// with a number behind (`page.html.1`), or of the programs that make pages. Or an mbox or a web
/// archive, perhaps compressed.
fn may_be_page(path: &Path, extension: Option<&str>) -> bool {
    const PROGRAMS: [&str; 11] = ["php", "php3", "php4", "php5", "asp", "aspx", "jsp", "cfm", "cgi", "pl", "do"];
    let is_program = |extension: &str| PROGRAMS.iter().any(|program| program.eq_ignore_ascii_case(extension));
    let is_number = |extension: &str| extension.bytes().all(|byte| byte.is_ascii_digit());
    extension.is_none_or(|extension| is_program(extension) || is_number(extension) || is_compressed(extension))
        || path.file_name().is_some_and(|name| name.as_encoded_bytes().contains(&b'?'))
}
