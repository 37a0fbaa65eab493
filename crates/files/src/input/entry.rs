//! Entries of an input: files, folders and symbolic links.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use absolve_containers::{FileType, START, Temporary};
use absolve_framing::bundle::{FilePart, MemberKind};
use absolve_links::DocumentType;
use absolve_rewriter::Finding;
use absolve_rewriter::internal::{Discovery, Known, Retrieval, UrlSource};
use rayon::prelude::*;

use crate::bundle::Bundle;
use crate::bundle::contents::Contents;
use crate::disk::atomic_file::folder_of;
use crate::disk::open_folder::OpenFolder;
use crate::error::FileError;
use crate::input::globs::{Globs, Last};
use crate::input::kind::{EntryKind, Otherwise};
use crate::input::selection::Selection;
use crate::input::symlinks::Symlinks;
use crate::input::unpacked::UnpackedFile;

/// A file, folder or symbolic link of the input.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its path in the file system, as the input was named; also its name in messages. It is `-` for a reader.
    pub source: PathBuf,
    /// Its path in the output: relative to the input folder, or its file name if it is the input itself.
    pub path: PathBuf,
    /// The unique name of a message in a Maildir; empty for all other entries.
    pub record: String,
    /// What it is.
    pub kind: EntryKind,
    /// What the file system says of it.
    pub attributes: Attributes,
    /// What is known of its retrieval.
    pub provenance: Provenance,
    /// Where its contents are.
    pub(crate) storage: Storage,
}

/// What the file system says of a file.
#[derive(Clone, Debug)]
pub struct Attributes {
    /// Its size in bytes.
    pub size: u64,
    /// Its time of last modification.
    pub modified: Option<SystemTime>,
    /// Its permissions.
    pub permissions: fs::Permissions,
}

/// What is known of the retrieval of a file before it is read.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The URLs it was retrieved from.
    pub(crate) known: Known,
    /// How to discover further URLs.
    pub(crate) discovery: Discovery,
    /// The unpacked site that it is a file of.
    pub(crate) unpacked: Option<UnpackedFile>,
    /// The charset that HTTP declared, if it is a document ([`Selection::charset`]).
    pub charset: Option<&'static str>,
}

/// Where the contents of an entry are.
#[derive(Clone, Debug)]
pub(crate) enum Storage {
    /// In the file of its path.
    Path,
    /// In the file of its path below this folder.
    Below(Arc<Root>),
    /// In the file of its path, which was named itself, and stays open from when it is needed first.
    Named(OnceLock<Arc<File>>),
    /// In a temporary file, which contains standard input.
    Temporary(Arc<File>),
    /// In a bundle, at this index of its members.
    Member(Arc<Bundle>, usize),
}

/// The folder that is the input, opened once.
#[derive(Debug)]
pub(crate) struct Root {
    folder: OpenFolder,
    /// Its path, as the user has named it.
    path: PathBuf,
    /// Its absolute path without symbolic links.
    pub(crate) canonical: PathBuf,
    symlinks: Symlinks,
}

impl Root {
    /// Opens the folder at a path that the user has named.
    pub(crate) fn at(path: &Path, symlinks: Symlinks) -> io::Result<Self> {
        Ok(Self { folder: OpenFolder::at(path)?, path: path.to_owned(), canonical: path.canonicalize()?, symlinks })
    }

    fn below<'p>(&self, source: &'p Path) -> &'p Path {
        source.strip_prefix(&self.path).unwrap_or(source)
    }

    /// Opens the file `source` in this folder to read it. Symbolic links are followed only if they are copied as what they point
    /// to, and only to what is in this folder.
    fn open(&self, source: &Path) -> io::Result<File> {
        match self.folder.open(self.below(source)) {
            Err(_) if self.symlinks == Symlinks::Copy => {
                let outside = || io::Error::other("a symbolic link leads out of the input");
                let target = source.canonicalize()?;
                self.folder.open(target.strip_prefix(&self.canonical).map_err(|_| outside())?)
            }
            opened => opened,
        }
    }
}

impl Entry {
    /// Copies standard input, or any other reader, to a temporary file. Returns an entry with the name `-`.
    ///
    /// # Errors
    ///
    /// If `input` cannot be read, or the temporary file cannot be written.
    ///
    /// ```
    /// use absolve_files::{Entry, Selection};
    /// let entry = Entry::from_reader(&b"<a href=x>"[..], &Selection::default())?;
    /// assert_eq!((entry.source.to_str(), entry.attributes.size), (Some("-"), 10));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn from_reader(mut input: impl Read, selection: &Selection) -> io::Result<Self> {
        let temporary = Temporary::with_permissions_of_new_files()?;
        io::copy(&mut input, &mut &temporary)?;
        let file = temporary.into_file();
        let kind = selection.file_type.map_or(EntryKind::Undecided(Otherwise::Finding), EntryKind::File);
        let mut entry = Self::new("-".into(), "-".into(), kind, &file.metadata()?);
        (entry.attributes.modified, entry.storage) = (None, Storage::Temporary(Arc::new(file)));
        Ok(entry.given(selection, selection.url.clone()))
    }

    /// Returns an entry of which the user has said nothing.
    pub(crate) fn new(source: PathBuf, path: PathBuf, kind: EntryKind, metadata: &Metadata) -> Self {
        Self {
            source,
            path,
            record: String::new(),
            kind,
            attributes: Attributes {
                size: metadata.len(),
                modified: metadata.modified().ok(),
                permissions: metadata.permissions(),
            },
            provenance: Provenance::default(),
            storage: Storage::Path,
        }
    }

    /// Returns it with what the user has given for it. The messages of a Maildir were not retrieved from a URL.
    pub(crate) fn given(self, selection: &Selection, url: Option<String>) -> Self {
        let given = url.filter(|_| self.record.is_empty()).map(|url| Retrieval { source: UrlSource::Url, url });
        let known = Known { retrievals: given.into_iter().collect(), ..Known::default() };
        let discovery = selection.discovery.clone();
        Self { provenance: Provenance { known, discovery, charset: selection.charset, unpacked: None }, ..self }
    }

    /// Returns the entry of the folder `source`, with `path` in the output; `None` if it does not exist.
    pub fn folder(source: &Path, path: &Path) -> Option<Self> {
        let metadata = source.metadata().ok()?;
        Some(Self::new(source.to_owned(), path.to_owned(), EntryKind::Folder, &metadata))
    }

    /// Returns the URL it was retrieved from, as known before it is read, and the source of that URL.
    ///
    /// ```
    /// use absolve_files::{Selection, collect};
    /// use absolve_rewriter::internal::UrlSource;
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
        self.provenance.known.retrievals.first()
    }

    /// Opens its contents at the first byte.
    pub(crate) fn open(&self) -> io::Result<Contents> {
        match &self.storage {
            Storage::Path => File::open(&self.source).map(Contents::File),
            Storage::Below(root) => root.open(&self.source).map(Contents::File),
            Storage::Named(file) => {
                let open = || File::open(&self.source).map(Arc::new);
                let opened = file.get().map_or_else(open, |file| Ok(file.clone()))?;
                Ok(Contents::Part(FilePart::whole(file.get_or_init(|| opened))))
            }
            Storage::Temporary(file) => Ok(Contents::Part(FilePart::whole(file))),
            Storage::Member(bundle, index) => bundle.open_member(*index),
        }
    }

    /// Opens the folder of its file, which may be another one than that of `path` if it is a symbolic link that was named.
    pub(crate) fn folder_around(&self, path: &Path) -> io::Result<OpenFolder> {
        match &self.storage {
            Storage::Below(root) => root.folder.around(root.below(&self.source)),
            _ => OpenFolder::at(folder_of(path)),
        }
    }

    /// Returns the path of its file without symbolic links. If the input is one, that is the path of its target.
    pub(crate) fn canonical_path(&self) -> PathBuf {
        match &self.storage {
            Storage::Below(root) => root.canonical.join(root.below(&self.source)),
            _ => self.source.canonicalize().unwrap_or_else(|_| self.source.clone()),
        }
    }

    /// Returns whether it is a file, also one in a bundle.
    pub(crate) fn is_file(&self) -> bool {
        let is_no_file = matches!(self.kind, EntryKind::Folder | EntryKind::Bundle(_) | EntryKind::Symlink(_));
        !is_no_file && !matches!(self.storage, Storage::Temporary(_))
    }

    /// Returns its path if it is a file of its own.
    pub(crate) fn file(&self) -> Option<&Path> {
        matches!(self.storage, Storage::Path | Storage::Below(_) | Storage::Named(_)).then_some(&*self.source)
    }

    /// Returns its index among the members of a bundle, which is an entry before it; `None` if it is no member.
    ///
    /// ```
    /// use absolve_files::{Entry, Selection};
    /// assert_eq!(Entry::from_reader(&b"<a href=x>"[..], &Selection::default())?.member(), None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn member(&self) -> Option<usize> {
        match self.storage {
            Storage::Member(_, index) => Some(index),
            _ => None,
        }
    }

    /// Returns what kind of member it is; `None` if it is no member.
    pub(crate) fn member_kind(&self) -> Option<MemberKind> {
        match &self.storage {
            Storage::Member(bundle, index) => Some(bundle.members()[*index].kind),
            _ => None,
        }
    }

    /// Returns the same entry with its contents in a file.
    ///
    /// ```
    /// use absolve_files::{Entry, Selection};
    /// let entry = Entry::from_reader(&b"<a href=x>"[..], &Selection::default())?.stored_at("a.html".as_ref());
    /// assert_eq!((entry.source.to_str(), entry.path.to_str()), (Some("a.html"), Some("-")));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn stored_at(&self, file: &Path) -> Self {
        Self { source: file.to_owned(), storage: Storage::Path, ..self.clone() }
    }

    /// Closes its file, and lets it not stay open. Many files that were named are not open at the same time.
    pub fn close(&mut self) {
        if let Storage::Named(_) = self.storage {
            self.storage = Storage::Path;
        }
    }

    /// Gives it a type, whatever it is expected to be.
    pub fn read_as(&mut self, file_type: FileType) {
        self.kind = EntryKind::File(file_type);
    }

    /// Returns whether it is a document, a message or a container of them; opens it only if its name does not say it. What cannot be
    /// read may be one.
    pub fn may_be_document(&self) -> bool {
        self.kind.named_type().is_some() || !matches!(self.file_type(), Ok(None))
    }

    /// Returns whether its name, its place or an option says whether it is one.
    pub fn is_known_unread(&self) -> bool {
        self.kind.named_type().is_some() || !matches!(self.kind, EntryKind::Undecided(_))
    }

    /// Returns whether its name, its place or an option says that it is a document of this type.
    pub(crate) fn is_expected(&self, document_type: DocumentType) -> bool {
        self.kind.named_type() == Some(FileType::Document(document_type))
    }

    /// Returns the file type by its first bytes; `None` if that is unknown.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    ///
    /// ```
    /// use absolve_containers::FileType;
    /// use absolve_files::{Entry, Selection};
    /// let entry = Entry::from_reader(&b"Received: from x\n\n"[..], &Selection::default())?;
    /// assert_eq!(entry.type_of_content()?, Some(FileType::Message));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn type_of_content(&self) -> io::Result<Option<FileType>> {
        self.type_of(Otherwise::Finding)
    }

    /// Returns the type that its file is read as; `None` if it is copied unread. Opens it if its first bytes decide.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    ///
    /// ```
    /// use absolve_files::{Entry, Selection};
    /// assert_eq!(Entry::from_reader(&b"GIF89a"[..], &Selection::default())?.file_type()?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn file_type(&self) -> io::Result<Option<FileType>> {
        match self.kind {
            EntryKind::File(file_type) => Ok(Some(file_type)),
            EntryKind::Undecided(otherwise) => self.type_of(otherwise),
            _ => Ok(None),
        }
    }

    fn type_of(&self, otherwise: Otherwise) -> io::Result<Option<FileType>> {
        let (mut start, mut file) = (Vec::new(), self.open()?);
        (&mut file).take(START).read_to_end(&mut start)?;
        Ok(otherwise.file_type(&mut start, &mut file).ok())
    }
}

/// The entries of an input.
#[derive(Debug, Default)]
pub struct Collection {
    /// The entries in the order of their paths, each folder before its contents.
    pub entries: Vec<Entry>,
    /// Findings, each with the path of its file.
    pub findings: Vec<(PathBuf, Finding)>,
    /// Indexes that a mail server keeps of the Maildirs. Such a Maildir must not be changed in place.
    pub indexes: Vec<PathBuf>,
    /// The number of files left out that are being delivered to Maildirs.
    pub deliveries: u64,
    /// Errors of files and folders that could not be read.
    pub errors: Vec<FileError>,
}

impl Collection {
    /// Decides the type of each file of which the first bytes say it, for those who need it more than once. What cannot be read stays
    /// undecided.
    ///
    /// ```
    /// use absolve_files::{Selection, collect};
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("page"), "<!doctype html>")?;
    /// let mut collection = collect(folder.path(), &Selection::default());
    /// collection.decide_types();
    /// assert!(collection.entries[0].is_known_unread());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn decide_types(&mut self) {
        self.entries.par_iter_mut().for_each(|entry| {
            if let (EntryKind::Undecided(_), Ok(file_type)) = (&entry.kind, entry.file_type()) {
                entry.kind = file_type.map_or(EntryKind::Copied, EntryKind::File);
            }
        });
    }

    /// Returns the folders with a `cur` and a `new` in them: Maildirs, which may have no message.
    ///
    /// ```
    /// use absolve_files::{Selection, collect};
    /// let folder = tempfile::tempdir()?;
    /// std::fs::create_dir_all(folder.path().join("a/cur"))?;
    /// std::fs::create_dir_all(folder.path().join("a/new"))?;
    /// assert_eq!(collect(folder.path(), &Selection::default()).maildirs(), [folder.path().join("a")]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn maildirs(&self) -> Vec<&Path> {
        let folders = self.entries.iter().filter(|entry| entry.kind == EntryKind::Folder).map(|entry| &*entry.source);
        let folders: HashSet<&Path> = folders.collect();
        let has_new = |folder: &Path| folders.contains(&*folder.with_file_name("new"));
        let of_messages = |folder: &&Path| folder.ends_with("cur") && folders.contains(folder) && has_new(folder);
        self.entries.iter().map(|entry| &*entry.source).filter(of_messages).filter_map(Path::parent).collect()
    }

    /// Returns the patterns of `globs` that match none of the entries.
    pub fn unmatched<'g>(&self, globs: &'g Globs) -> impl Iterator<Item = &'g str> {
        let last = |entry: &Entry| if entry.kind == EntryKind::Folder { Last::Folder } else { Last::File };
        globs.unmatched(self.entries.iter().map(move |entry| (&*entry.path, last(entry))))
    }
}
