//! Which files there are: from the paths that were named to entries with URLs.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use absolve_containers::{FileType, Temporary};
use absolve_rewriter::{Discovery, Finding, Known, Retrieval, UrlSource};
use ignore::Match;
use ignore::gitignore::Gitignore;

use crate::error::FileError;
use crate::input::kind::EntryKind;
use crate::input::selection::{Globs, Selection};

/// A file, folder or symbolic link of the input.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is.
    pub source: PathBuf,
    /// Its path in the output: below the root of its input, or its file name if it was named itself.
    pub path: PathBuf,
    /// Its name in reports: its path as the input was named, and below that.
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
    /// The charset that HTTP declared, if it is a document ([`Selection::charset`]).
    pub charset: Option<&'static str>,
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
    /// use absolve_files::{Entry, Selection};
    /// let entry = Entry::from_reader(&b"<a href=x>"[..], &Selection::default())?;
    /// assert_eq!((entry.name.to_str(), entry.size), (Some("-"), 10));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn from_reader(mut input: impl Read, selection: &Selection) -> io::Result<Self> {
        let waiting = Temporary::with_permissions_of_new_files()?;
        io::copy(&mut input, &mut &waiting)?;
        let file = waiting.into_file();
        let kind = selection.file_type.map_or(EntryKind::Explicit, EntryKind::Document);
        let url = selection.url.clone();
        let entry = entry("-".into(), "-".into(), kind, String::new(), url, &file.metadata()?);
        let (discovery, charset) = (selection.discovery, selection.charset);
        Ok(Self { modified: None, opened: Some(Arc::new(file)), discovery, charset, ..entry })
    }

    /// A folder that is `path` in the output; `None` if there is none.
    ///
    /// ```
    /// use absolve_files::{Entry, EntryKind};
    /// let folder = tempfile::tempdir()?;
    /// let entry = Entry::folder(folder.path(), "site".as_ref());
    /// assert_eq!(entry.map(|entry| entry.kind), Some(EntryKind::Folder));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn folder(source: &Path, path: &Path) -> Option<Self> {
        let metadata = source.metadata().ok()?;
        Some(entry(source.to_owned(), path.to_owned(), EntryKind::Folder, String::new(), None, &metadata))
    }

    /// Where it was retrieved from, as far as that is known before it is read, and who says so.
    ///
    /// ```
    /// use absolve_files::{Selection, collect};
    /// use absolve_rewriter::UrlSource;
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
    /// use absolve_containers::FileType;
    /// use absolve_files::{Entry, Selection};
    /// let entry = Entry::from_reader(&b"Received: from x\n\n"[..], &Selection::default())?;
    /// assert_eq!(entry.type_of_content()?, Some(FileType::Message));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn type_of_content(&self) -> io::Result<Option<FileType>> {
        let mut start = Vec::new();
        self.open()?.take(FileType::BYTES_THAT_TELL).read_to_end(&mut start)?;
        Ok(FileType::of_compressed_content(&start))
    }
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

pub(crate) fn entry(
    source: PathBuf,
    path: PathBuf,
    kind: EntryKind,
    record: String,
    url: Option<String>,
    metadata: &Metadata,
) -> Entry {
    let (size, permissions) = (metadata.len(), metadata.permissions());
    let name = source.clone();
    // Nobody retrieved the messages of a Maildir from a URL.
    let url = url.filter(|_| record.is_empty());
    let retrievals = url.map(|url| Retrieval { source: UrlSource::Url, url }).into_iter().collect();
    let known = Known { retrievals, links: None };
    let (modified, discovery) = (metadata.modified().ok(), Discovery::default());
    let (charset, leads_to, opened) = (None, None, None);
    Entry { source, path, name, record, kind, size, modified, permissions, known, discovery, charset, leads_to, opened }
}

impl Collection {
    /// Returns the patterns of `globs` that match none of the entries.
    pub fn unmatched<'g>(&self, globs: &'g Globs) -> impl Iterator<Item = &'g str> {
        let matches = |glob: &Gitignore, entry: &Entry| {
            let is_folder = entry.kind == EntryKind::Folder;
            !matches!(glob.matched_path_or_any_parents(&entry.path, is_folder), Match::None)
        };
        let unmatched = move |(_, glob): &(&str, &Gitignore)| !self.entries.iter().any(|entry| matches(glob, entry));
        globs.each().filter(unmatched).map(|(pattern, _)| pattern)
    }
}
