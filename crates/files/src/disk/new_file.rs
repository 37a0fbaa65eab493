//! Single files that a run writes. The run checks at its beginning that it can write them, and writes them atomically at its end.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata, Permissions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::disk::atomic_file::{folder_of, try_new, write_new};
use crate::disk::open_folder::OpenFolder;
use crate::disk::printable::ShownLines;
use crate::disk::standard_output::{open_device, refuse_closed, standard_output};

/// What to do if a file exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Existing {
    /// Fail with [`io::ErrorKind::AlreadyExists`].
    Refuse,
    /// Replace it.
    Replace,
}

/// A file that will be written atomically, into the folder that its path names when the run begins.
///
/// ```
/// use absolve_files::{Existing, NewFile};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.json");
/// NewFile::begin(&path, Existing::Refuse)?.write(|output| output.write_all(b"{}"))?;
/// assert_eq!(std::fs::read(path)?, b"{}");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    place: Place,
}

impl NewFile {
    /// Checks that the file `path` can be written, and writes nothing yet.
    ///
    /// If it is a symbolic link, its target will be replaced. `-` is standard output.
    ///
    /// # Errors
    ///
    /// If its folder is not writable, if it is a folder or a closed standard stream, or if it exists and `existing` is [`Existing::Refuse`].
    ///
    /// ```
    /// use absolve_files::{Existing, NewFile};
    /// let folder = tempfile::tempdir()?;
    /// assert!(NewFile::begin(&folder.path().join("a.json"), Existing::Refuse).is_ok());
    /// assert!(NewFile::begin(&folder.path().join("no folder/a.json"), Existing::Refuse).is_err());
    /// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn begin(path: &Path, existing: Existing) -> io::Result<Self> {
        if path == Path::new("-") {
            return standard_output().map(|_| Self { place: Place::StandardOutput });
        }
        let found = fs::metadata(path);
        let (path, replaced) = match (found, existing) {
            (Ok(found), _) if is_device(&found) => {
                refuse_closed(path)?;
                return Ok(Self { place: Place::Device(path.to_owned()) });
            }
            (Ok(found), _) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            (Ok(_), Existing::Refuse) => return Err(io::ErrorKind::AlreadyExists.into()),
            (Ok(found), Existing::Replace) => (path.canonicalize()?, Some(found.permissions())),
            (Err(_), Existing::Refuse) if path.is_symlink() => return Err(io::ErrorKind::AlreadyExists.into()),
            (Err(_), Existing::Replace) if path.is_symlink() => {
                return Err(io::Error::other("it is a dangling symbolic link"));
            }
            (Err(_), _) => (path.to_owned(), None),
        };
        let (folder, name) = (OpenFolder::at(folder_of(&path))?, path.file_name().unwrap_or_default().to_owned());
        try_new(&folder, &name, replaced.as_ref())?;
        Ok(Self { place: Place::File(folder, name, replaced) })
    }

    /// Checks the same of a file of an open folder, so that several are written into one folder. A symbolic link is an error.
    ///
    /// # Errors
    ///
    /// If the folder is not writable, or if something has the name, and `existing` is [`Existing::Refuse`] or it is not a file.
    ///
    /// ```
    /// use absolve_files::{Existing, NewFile, OpenFolder};
    /// let outer = tempfile::tempdir()?;
    /// let folder = OpenFolder::at(outer.path())?;
    /// NewFile::begin_in(folder, "a".as_ref(), Existing::Refuse)?.write(|output| output.write_all(b"a"))?;
    /// assert!(outer.path().join("a").exists());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn begin_in(folder: OpenFolder, name: &OsStr, existing: Existing) -> io::Result<Self> {
        let replaced = folder.permissions_of(name)?;
        if existing == Existing::Refuse && replaced.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        try_new(&folder, name, replaced.as_ref())?;
        Ok(Self { place: Place::File(folder, name.to_owned(), replaced) })
    }

    /// Writes the file; `write` writes its contents.
    ///
    /// # Errors
    ///
    /// The error of `write`, or of the file system. If the file was to be new, also if another program has created it
    /// since. No temporary file is left.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let buffered = |file: &mut dyn Write| {
            let mut output = BufWriter::new(file);
            write(&mut output)?;
            output.flush()
        };
        match self.place {
            Place::StandardOutput if io::stdout().is_terminal() => buffered(&mut ShownLines::to(io::stdout().lock())),
            Place::StandardOutput => buffered(&mut io::stdout().lock()),
            Place::Device(path) => buffered(&mut open_device(&path)?),
            Place::File(folder, name, replaced) => write_new(&folder, &name, replaced, |file| buffered(file)),
        }
    }
}

/// Where a file is written.
#[derive(Debug)]
enum Place {
    /// In the folder that had the name when the run began, in place of a file with these permissions or of none.
    File(OpenFolder, OsString, Option<Permissions>),
    /// A device or a FIFO, which is written to and not replaced.
    Device(PathBuf),
    StandardOutput,
}

/// Writes a file in an open folder atomically. If it replaces a file, it gets the permissions of that file.
///
/// # Errors
///
/// Those of the file system; also if a folder, a symbolic link or a device has this name.
///
/// ```
/// let outer = tempfile::tempdir()?;
/// absolve_files::replace_in(&absolve_files::OpenFolder::at(outer.path())?, "a".as_ref(), b"text")?;
/// assert_eq!(std::fs::read(outer.path().join("a"))?, b"text");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replace_in(folder: &OpenFolder, name: &OsStr, bytes: &[u8]) -> io::Result<()> {
    write_new(folder, name, folder.permissions_of(name)?, |file| file.write_all(bytes))
}

fn is_device(found: &Metadata) -> bool {
    !found.is_file() && !found.is_dir()
}
