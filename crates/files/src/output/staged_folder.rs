//! A new output folder: written under a temporary name, and renamed once complete.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;
use thiserror::Error;

use crate::disk::atomic_file::folder_of;
use crate::disk::lock::lock;
use crate::disk::open_folder::{NEW_FOLDER, OpenFolder};
use crate::disk::permissions::{OWNER, make_folders, mode_of};
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
    /// The folder around it.
    around: OpenFolder,
    folder: OpenFolder,
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
    /// folder.folder().create_anew("a".as_ref())?;
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
        let fail = |path: &PathBuf, error| OutputError::Io(path.clone(), error);
        let around = make_folders(folder_of(target)).and_then(|()| OpenFolder::at(folder_of(target)));
        let around = around.map_err(|error| fail(&partial, error))?;
        let exists = || partial.symlink_metadata().is_ok();
        let begun = exists();
        let refuse_left = || match resume {
            Resume::No => OutputError::Interrupted(partial.clone()),
            Resume::Yes => OutputError::OtherRequest(partial.clone()),
        };
        let request_name = request_path.file_name().unwrap_or_default();
        // An old one without its folder is reused.
        let opened = if begun { around.open_to_change(request_name) } else { around.open_private(request_name) };
        let file = match opened {
            Ok(file) => locked(file, &around, request_name).map_err(|error| fail(&request_path, error))?,
            Err(error) if begun && error.kind() == io::ErrorKind::NotFound => return Err(refuse_left()),
            Err(error) => return Err(fail(&request_path, error)),
        };
        let file = file.ok_or_else(|| OutputError::InUse(partial.clone()))?;
        // The run that had the lock may have finished, or have been killed.
        refuse_existing()?;
        let begun = exists();
        if begun && (resume == Resume::No || text_of(&file).ok().as_deref() != Some(request)) {
            return Err(refuse_left());
        }
        if !begun {
            refuse_other(&file, &request_path)?;
            let written = write_request(&file, request).map_err(|error| fail(&request_path, error));
            let made = written.and_then(|()| make(&around, &partial, like).map_err(|error| fail(&partial, error)));
            made.inspect_err(|_| drop(around.remove(Path::new(request_name))))?;
        }
        let folder = around.folder(name_of(&partial)).map_err(|error| match partial.is_symlink() {
            true => fail(&partial, io::ErrorKind::NotADirectory.into()),
            false => fail(&partial, error),
        })?;
        Ok(Self { target: target.to_owned(), partial, request_path, around, folder, _request_file: file, begun })
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

    /// Returns its temporary path.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Returns the folder to write into.
    pub const fn folder(&self) -> &OpenFolder {
        &self.folder
    }

    /// Empties the folder.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    #[expect(clippy::disallowed_methods, reason = "it follows no symbolic link")]
    pub fn empty(&mut self) -> io::Result<()> {
        fs::remove_dir_all(&self.partial)?;
        make(&self.around, &self.partial, None)?;
        self.folder = self.around.folder(name_of(&self.partial))?;
        Ok(())
    }

    /// Renames the folder to its final name.
    ///
    /// # Errors
    ///
    /// If the rename fails; the folder keeps its temporary name.
    pub fn finish(self) -> io::Result<()> {
        self.around.rename(name_of(&self.partial).as_os_str(), name_of(&self.target).as_os_str())?;
        self.around.remove(name_of(&self.request_path))
    }
}

/// Opens the folder at the path of a new one, which is created if it does not exist. A symbolic link in its place is removed.
pub(crate) fn open_new(path: &Path) -> io::Result<OpenFolder> {
    make_folders(folder_of(path))?;
    let around = OpenFolder::at(folder_of(path))?;
    around.make_folder(name_of(path), NEW_FOLDER)?;
    around.folder(name_of(path))
}

/// Creates a folder in an open one, with these permissions and mode 0700 for its owner; without any, with the default ones.
fn make(around: &OpenFolder, path: &Path, like: Option<&Permissions>) -> io::Result<()> {
    around.make(path.file_name().unwrap_or_default(), like.map_or(NEW_FOLDER, |like| mode_of(like) | OWNER))
}

fn name_of(path: &Path) -> &Path {
    Path::new(path.file_name().unwrap_or_default())
}

/// Locks the request file; `None` if another run has the lock, or has finished and removed the file.
fn locked(file: File, around: &OpenFolder, name: &OsStr) -> io::Result<Option<File>> {
    if !lock(&file) {
        return Ok(None);
    }
    match around.open(Path::new(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => Ok((Handle::from_file(found?)? == Handle::from_file(file.try_clone()?)?).then_some(file)),
    }
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

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    // A trailing slash would put the suffix inside the folder.
    let path: PathBuf = path.components().collect();
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
