//! A new output folder: filled under another name, and renamed once everything is in it.

use std::ffi::OsString;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use crate::disk::permissions::{make_folder_like, owners_only};
use crate::output::destination::Destination;

/// A folder that is being filled.
#[derive(Debug)]
pub struct NewFolder {
    target: PathBuf,
    partial: PathBuf,
    /// Where the request is noted.
    marker: PathBuf,
    /// The note of what the run is asked to do, so that no other run is continued by mistake. It is locked, so that no two
    /// runs fill the folder; the lock ends with the run, however that ends.
    _note: File,
    /// Whether an earlier run has begun it.
    begun: bool,
}

/// Whether an interrupted run may be continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resume {
    /// The folder must not have been begun.
    No,
    /// What was begun is continued; nothing begun is fine as well.
    Yes,
}

/// Why an output folder cannot be begun.
#[derive(Debug)]
#[non_exhaustive]
pub enum OutputError {
    /// The folder is there already.
    Exists(PathBuf),
    /// An interrupted run has left its work.
    Interrupted(PathBuf),
    /// The interrupted run was asked for something else.
    OtherRequest(PathBuf),
    /// Another run is filling it.
    InUse(PathBuf),
    /// The file system refuses.
    Io(PathBuf, io::Error),
}

impl NewFolder {
    /// Begins the folder `target`, under the name `target.partial`; `request` says what the run is asked to do, and
    /// begins with `absolve `. Nobody may read in a new folder who may not by the permissions of its source, `like`, if it
    /// has one; it has these when the entry of that folder is done.
    ///
    /// # Errors
    ///
    /// [`OutputError`] when the target exists, or another run is in the way.
    ///
    /// ```
    /// use absolve_files::{NewFolder, Resume};
    /// let outer = tempfile::tempdir()?;
    /// let folder = NewFolder::begin(&outer.path().join("out"), "absolve: all", Resume::No, None)?;
    /// std::fs::write(folder.path().join("a"), "a")?;
    /// folder.finish()?;
    /// assert!(outer.path().join("out/a").exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin(
        target: &Path,
        request: &str,
        resume: Resume,
        like: Option<&Permissions>,
    ) -> Result<Self, OutputError> {
        let (partial, marker) = (Self::partial_of(target), with_suffix(target, ".partial.request"));
        let refuse_existing = || match fs::symlink_metadata(target) {
            Ok(_) => Err(OutputError::Exists(target.to_owned())),
            Err(_) => Ok(()),
        };
        refuse_existing()?;
        let begun = partial.exists();
        let note = match (open_note(&marker, begun), resume) {
            (Ok(note), _) => locked(note, &marker).ok_or_else(|| OutputError::InUse(partial.clone()))?,
            (Err(_), Resume::No) if begun => return Err(OutputError::Interrupted(partial)),
            (Err(_), Resume::Yes) if begun => return Err(OutputError::OtherRequest(partial)),
            (Err(error), _) => return Err(OutputError::Io(marker, error)),
        };
        // The run that had the lock may have ended its work, or have been killed.
        refuse_existing()?;
        let begun = partial.exists();
        match (begun, resume) {
            (true, Resume::No) => return Err(OutputError::Interrupted(partial)),
            (true, Resume::Yes) if text_of(&note).ok().as_deref() != Some(request) => {
                return Err(OutputError::OtherRequest(partial));
            }
            (true, Resume::Yes) => {}
            (false, _) => {
                refuse_other(&note, &marker)?;
                let fail = |path: &PathBuf, error| OutputError::Io(path.clone(), error);
                let noted = write_note(&note, request).map_err(|error| fail(&marker, error));
                let made = noted.and_then(|()| make_folder_like(&partial, like).map_err(|error| fail(&partial, error)));
                made.inspect_err(|_| drop(fs::remove_file(&marker)))?;
            }
        }
        Ok(Self { target: target.to_owned(), partial, marker, _note: note, begun })
    }

    /// The name under which the folder `target` is filled.
    ///
    /// ```
    /// use absolve_files::NewFolder;
    /// assert_eq!(NewFolder::partial_of("out/".as_ref()), std::path::Path::new("out.partial"));
    /// ```
    pub fn partial_of(target: &Path) -> PathBuf {
        with_suffix(target, ".partial")
    }

    /// The folder as a destination.
    ///
    /// ```no_run
    /// # use absolve_files::{Destination, NewFolder, Resume};
    /// let folder = NewFolder::begin("out".as_ref(), "request", Resume::No, None)?;
    /// assert_eq!(folder.destination(), Destination::NewFolder("out.partial".into()));
    /// # Ok::<(), absolve_files::OutputError>(())
    /// ```
    pub fn destination(&self) -> Destination {
        if self.begun {
            Destination::Resumed(self.partial.clone())
        } else {
            Destination::NewFolder(self.partial.clone())
        }
    }

    /// The folder to write into.
    ///
    /// ```no_run
    /// # use absolve_files::{NewFolder, Resume};
    /// let folder = NewFolder::begin("out".as_ref(), "request", Resume::No, None)?;
    /// assert_eq!(folder.path(), "out.partial");
    /// # Ok::<(), absolve_files::OutputError>(())
    /// ```
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    ///
    /// What the file system says; the work stays where it is.
    ///
    /// ```
    /// use absolve_files::{NewFolder, Resume};
    /// let outer = tempfile::tempdir()?;
    /// let target = outer.path().join("out");
    /// NewFolder::begin(&target, "absolve: all", Resume::No, None)?.finish()?;
    /// assert!(target.is_dir() && !NewFolder::partial_of(&target).exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish(self) -> io::Result<()> {
        fs::rename(&self.partial, &self.target)?;
        fs::remove_file(&self.marker)
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists(path) => {
                write!(formatter, "{} exists; --force writes into it, or name another output", path.display())
            }
            Self::Interrupted(path) => {
                let path = path.display();
                write!(formatter, "{path} is left from an interrupted run; --resume continues it, or remove it")
            }
            Self::OtherRequest(path) => {
                let path = path.display();
                write!(formatter, "{path} was begun with other options; give the same ones, or remove it")
            }
            Self::InUse(path) => {
                let path = path.display();
                write!(formatter, "another run is filling {path}; wait for its end, or name another output")
            }
            Self::Io(path, source) => write!(formatter, "cannot create {}: {source}", path.display()),
        }
    }
}

impl error::Error for OutputError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(_, source) => Some(source),
            _ => None,
        }
    }
}

/// The note of a run that has begun, or a new one; it may be an older one, which is of no use without its folder.
fn open_note(marker: &Path, begun: bool) -> io::Result<File> {
    owners_only(File::options().read(true).write(true).create(!begun)).open(marker)
}

/// Locks a note; `None` if another run has the lock, or has ended its work and taken the note away.
fn locked(note: File, marker: &Path) -> Option<File> {
    match note.try_lock() {
        Err(TryLockError::WouldBlock) => None,
        // Not every file system has locks.
        Ok(()) | Err(TryLockError::Error(_)) => is_file_at(&note, marker).then_some(note),
    }
}

fn text_of(mut note: &File) -> io::Result<String> {
    let mut text = String::new();
    note.rewind()?;
    note.read_to_string(&mut text).map(|_| text)
}

/// Refuses to write over a file that is no note.
fn refuse_other(note: &File, marker: &Path) -> Result<(), OutputError> {
    match text_of(note) {
        Ok(text) if text.is_empty() || text.starts_with("absolve ") => Ok(()),
        _ => Err(OutputError::Io(marker.to_owned(), io::ErrorKind::AlreadyExists.into())),
    }
}

fn write_note(mut note: &File, request: &str) -> io::Result<()> {
    note.set_len(0)?;
    note.rewind()?;
    note.write_all(request.as_bytes())
}

#[cfg(unix)]
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().ok().map(id) == fs::metadata(path).ok().map(id)
}

#[cfg(not(unix))]
fn is_file_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    // A trailing slash would put the suffix inside the folder.
    let path: PathBuf = path.components().collect();
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
