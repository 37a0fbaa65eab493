//! A new output folder: written under a temporary name, and renamed once complete.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;
use thiserror::Error;

use crate::disk::atomic_file::folder_of;
use crate::disk::lock::lock;
use crate::disk::permissions::{make_folder_like, make_folders, owners_only};
use crate::output::destination::Destination;

/// A new output folder that is being written, under the name `target.partial`.
///
/// The file `target.partial.request` records the options of the run, so that only a run with the same options resumes it.
/// The file is locked while the run lasts, so that no other run writes into the folder.
#[derive(Debug)]
pub struct NewFolder {
    target: PathBuf,
    partial: PathBuf,
    request_path: PathBuf,
    /// The open request file holds the lock.
    _request_file: File,
    /// Whether an interrupted run has begun the folder.
    begun: bool,
}

/// Whether an interrupted run is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resume {
    /// The output of an interrupted run is an error.
    No,
    /// The output of an interrupted run is completed, if there is one.
    Yes,
}

/// Why an output folder cannot be created.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    /// It exists.
    #[error("{0} exists")]
    Exists(PathBuf),
    /// An interrupted run has left this folder.
    #[error("{0} is left from an interrupted run")]
    Interrupted(PathBuf),
    /// An interrupted run with other options, or of other inputs, has left this folder.
    #[error("{0} was begun with other options, or its inputs have changed; give the same ones, or remove it")]
    OtherRequest(PathBuf),
    /// Another run is writing this folder.
    #[error("another run is writing {0}; wait for it, or name another output")]
    InUse(PathBuf),
    /// The file system returned an error.
    #[error("cannot create {0}: {1}")]
    Io(PathBuf, #[source] io::Error),
}

impl NewFolder {
    /// Creates the folder `target.partial` and those around it, or resumes it. `request` describes the options of the run, and begins with
    /// `absolve `. Others have at most the permissions `like`, those of the source folder, if given.
    ///
    /// # Errors
    ///
    /// [`OutputError`] if the target exists, or the folder is in use by another run or left from one.
    ///
    /// ```
    /// use absolve_files::{NewFolder, Resume};
    /// let outer = tempfile::tempdir()?;
    /// let folder = NewFolder::begin(&outer.path().join("out"), "absolve all", Resume::No, None)?;
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
        // Without a slash or a dot at its end, which would name what is in it. What ends with `..` has no name of its own.
        let target: &Path = &target.components().collect::<PathBuf>();
        if target.file_name().is_none() {
            return Err(OutputError::Io(target.to_owned(), io::ErrorKind::InvalidInput.into()));
        }
        let (partial, request_path) = (Self::partial_of(target), with_suffix(target, ".partial.request"));
        let refuse_existing = || match fs::symlink_metadata(target) {
            Ok(_) => Err(OutputError::Exists(target.to_owned())),
            Err(_) => Ok(()),
        };
        refuse_existing()?;
        make_folders(folder_of(target)).map_err(|error| OutputError::Io(partial.clone(), error))?;
        let begun = partial.exists();
        let refuse_left = || match resume {
            Resume::No => OutputError::Interrupted(partial.clone()),
            Resume::Yes => OutputError::OtherRequest(partial.clone()),
        };
        let file = match open_request(&request_path, begun) {
            Ok(file) => locked(file, &request_path).ok_or_else(|| OutputError::InUse(partial.clone()))?,
            Err(_) if begun => return Err(refuse_left()),
            Err(error) => return Err(OutputError::Io(request_path, error)),
        };
        // The run that had the lock may have finished, or have been killed.
        refuse_existing()?;
        let begun = partial.exists();
        if begun && (resume == Resume::No || text_of(&file).ok().as_deref() != Some(request)) {
            return Err(refuse_left());
        }
        if !begun {
            refuse_other(&file, &request_path)?;
            let fail = |path: &PathBuf, error| OutputError::Io(path.clone(), error);
            let written = write_request(&file, request).map_err(|error| fail(&request_path, error));
            let made = written.and_then(|()| make_folder_like(&partial, like).map_err(|error| fail(&partial, error)));
            made.inspect_err(|_| drop(fs::remove_file(&request_path)))?;
        }
        Ok(Self { target: target.to_owned(), partial, request_path, _request_file: file, begun })
    }

    /// Returns the path under which the folder `target` is written.
    ///
    /// ```
    /// use absolve_files::NewFolder;
    /// assert_eq!(NewFolder::partial_of("out/".as_ref()), std::path::Path::new("out.partial"));
    /// ```
    pub fn partial_of(target: &Path) -> PathBuf {
        with_suffix(target, ".partial")
    }

    /// Returns the folder as a destination.
    ///
    /// ```no_run
    /// # use absolve_files::{Destination, NewFolder, Resume};
    /// let folder = NewFolder::begin("out".as_ref(), "absolve all", Resume::No, None)?;
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

    /// Returns the path of the folder to write into.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Renames the folder to its final name.
    ///
    /// # Errors
    ///
    /// If the rename fails; the folder keeps its temporary name.
    pub fn finish(self) -> io::Result<()> {
        fs::rename(&self.partial, &self.target)?;
        fs::remove_file(&self.request_path)
    }
}

/// Opens the request file, and creates it for a folder that does not exist yet. An old one without its folder is reused.
fn open_request(path: &Path, begun: bool) -> io::Result<File> {
    owners_only(File::options().read(true).write(true).create(!begun)).open(path)
}

/// Locks the request file; `None` if another run has the lock, or has finished and removed the file.
fn locked(file: File, path: &Path) -> Option<File> {
    (lock(&file) && is_file_at(&file, path)).then_some(file)
}

fn text_of(mut file: &File) -> io::Result<String> {
    let mut text = String::new();
    file.rewind()?;
    file.read_to_string(&mut text).map(|_| text)
}

/// Returns an error for a file that is not a request, and must not be overwritten.
fn refuse_other(file: &File, path: &Path) -> Result<(), OutputError> {
    match text_of(file) {
        Ok(text) if text.is_empty() || text.starts_with("absolve ") => Ok(()),
        _ => Err(OutputError::Io(path.to_owned(), io::ErrorKind::AlreadyExists.into())),
    }
}

fn write_request(mut file: &File, request: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(request.as_bytes())
}

fn is_file_at(file: &File, path: &Path) -> bool {
    let opened = file.try_clone().and_then(Handle::from_file);
    opened.and_then(|opened| Ok(opened == Handle::from_path(path)?)).unwrap_or(false)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    // A trailing slash would put the suffix inside the folder.
    let path: PathBuf = path.components().collect();
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
