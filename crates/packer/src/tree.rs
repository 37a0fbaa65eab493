//! The folder of a document: nothing outside it is ever read.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use absolve_files::{Entry, folder_of, inspect_one};
use absolve_links::DocumentType;
use absolve_rewriter::internal::{Entity, Retrieval};

use crate::resource::Resource;

/// The folder whose files may be embedded.
///
/// ```
/// use absolve_packer::Tree;
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "")?;
/// let tree = Tree::new(folder.path())?;
/// assert_eq!(tree.path_of(&folder.path().join("a.html"))?, Some("a.html".into()));
/// assert_eq!(tree.path_of(&std::env::temp_dir())?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    /// Without symbolic links.
    root: PathBuf,
    /// Its files, with their origins.
    entries: Vec<Entry>,
}

/// Why a file cannot be embedded.
#[derive(Debug)]
pub(crate) enum Unavailable {
    /// There is no file of this name.
    Missing,
    /// It is outside the folder, or a symbolic link leads there.
    Outside,
    /// It cannot be read.
    Unreadable(io::Error),
    /// It is longer than the limit.
    TooLong(u64),
}

impl Tree {
    /// Opens the folder at `root`.
    ///
    /// # Errors
    ///
    /// If there is none.
    ///
    /// ```
    /// assert!(absolve_packer::Tree::new("no such folder".as_ref()).is_err());
    /// ```
    pub fn new(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        let entries = Vec::new();
        if root.is_dir() { Ok(Self { root, entries }) } else { Err(ErrorKind::NotADirectory.into()) }
    }

    /// Returns the folder with the origins of its files: links of saved documents may lead to local copies.
    ///
    /// ```
    /// use absolve_files::{Selection, collect};
    /// let folder = tempfile::tempdir()?;
    /// let entries = collect(folder.path(), &Selection::default()).entries;
    /// let tree = absolve_packer::Tree::new(folder.path())?.with_entries(entries);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_entries(self, entries: Vec<Entry>) -> Self {
        Self { entries, ..self }
    }

    /// Returns the path of a file below the folder; `None` if it is elsewhere. A symbolic link is where it is, not
    /// where it leads.
    ///
    /// # Errors
    ///
    /// If there is no such file.
    ///
    /// ```
    /// let tree = absolve_packer::Tree::new(".".as_ref())?;
    /// assert!(tree.path_of("no such file".as_ref()).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn path_of(&self, file: &Path) -> io::Result<Option<PathBuf>> {
        file.metadata()?;
        let Some(name) = file.file_name() else { return Ok(None) };
        Ok(folder_of(file).canonicalize()?.join(name).strip_prefix(&self.root).ok().map(Path::to_owned))
    }

    /// Returns the first of these paths that is a file, and its bytes, at most `room`.
    pub(crate) fn read(&self, paths: &[PathBuf], room: u64) -> Result<(PathBuf, Vec<u8>), Unavailable> {
        for path in paths {
            match self.read_file(path, room) {
                Err(Unavailable::Missing) => {}
                other => return other.map(|bytes| (path.clone(), bytes)),
            }
        }
        Err(Unavailable::Missing)
    }

    /// Passes a file to `look` as a document, if it is one: as saved by a program, else at its location.
    pub(crate) fn look<T>(&self, file: &Resource, look: &mut dyn FnMut(&Entity<'_>) -> T) -> Option<T> {
        let document_type = DocumentType::of_media_type(file.media_type)?;
        let look = RefCell::new(look);
        let look_at_saved = |document: &Entity<'_>| document.is_saved().then(|| look.borrow_mut()(document));
        let entry = self.entries.iter().find(|entry| entry.path == file.path);
        let seen = entry.and_then(|entry| inspect_one(entry, &self.entries, &look_at_saved).ok().flatten().flatten());
        seen.or_else(|| {
            let document = Entity::bare_file(&file.bytes, document_type);
            let document = match &file.location {
                Some(url) => document.retrieved_from(Retrieval::given(url)),
                None => document,
            };
            Some(look.borrow_mut()(&document))
        })
    }

    fn read_file(&self, path: &Path, room: u64) -> Result<Vec<u8>, Unavailable> {
        let real = self.root.join(path).canonicalize().map_err(unavailable)?;
        if !real.starts_with(&self.root) {
            return Err(Unavailable::Outside);
        }
        // Reading a device or pipe may never end.
        let metadata = fs::metadata(&real).map_err(unavailable)?;
        if !metadata.is_file() {
            return Err(Unavailable::Missing);
        }
        if metadata.len() > room {
            return Err(Unavailable::TooLong(metadata.len()));
        }
        let mut bytes = Vec::new();
        File::open(&real).and_then(|file| file.take(room + 1).read_to_end(&mut bytes)).map_err(unavailable)?;
        if bytes.len() as u64 > room { Err(Unavailable::TooLong(bytes.len() as u64)) } else { Ok(bytes) }
    }
}

fn unavailable(error: io::Error) -> Unavailable {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput | ErrorKind::InvalidFilename => {
            Unavailable::Missing
        }
        _ => Unavailable::Unreadable(error),
    }
}
