//! A new output folder: filled under another name, and renamed once everything is in it.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{error, fmt, fs, io};

use crate::Destination;

/// A folder that is being filled.
#[derive(Debug)]
pub struct NewFolder {
    target: PathBuf,
    partial: PathBuf,
    /// What the run was asked to do, so that no other run is continued by mistake.
    marker: PathBuf,
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
    /// The file system refuses.
    Io(PathBuf, io::Error),
}

impl NewFolder {
    /// Begins the folder `target`, under the name `target.partial`; `request` says what the run is asked to do, and
    /// begins with `absolve `.
    ///
    /// # Errors
    ///
    /// [`OutputError`] when the target exists, or an interrupted run is in the way.
    ///
    /// ```
    /// use absolve_rewriter::{NewFolder, Resume};
    /// let outer = tempfile::tempdir()?;
    /// let folder = NewFolder::begin(&outer.path().join("out"), "absolve: all", Resume::No)?;
    /// std::fs::write(folder.path().join("a"), "a")?;
    /// folder.finish()?;
    /// assert!(outer.path().join("out/a").exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin(target: &Path, request: &str, resume: Resume) -> Result<Self, OutputError> {
        let folder = Self {
            target: target.to_owned(),
            partial: Self::partial_of(target),
            marker: with_suffix(target, ".partial.request"),
            begun: Self::partial_of(target).exists(),
        };
        let fail = |error| OutputError::Io(folder.partial.clone(), error);
        if fs::symlink_metadata(target).is_ok() {
            return Err(OutputError::Exists(target.to_owned()));
        }
        if folder.begun {
            if resume == Resume::No {
                return Err(OutputError::Interrupted(folder.partial));
            }
            if fs::read_to_string(&folder.marker).ok().as_deref() != Some(request) {
                return Err(OutputError::OtherRequest(folder.partial));
            }
        } else {
            fs::create_dir(&folder.partial).map_err(fail)?;
            if let Err(error) = note(&folder.marker, request) {
                let _ = fs::remove_dir(&folder.partial);
                return Err(OutputError::Io(folder.marker.clone(), error));
            }
        }
        Ok(folder)
    }

    /// The name under which the folder `target` is filled.
    ///
    /// ```
    /// use absolve_rewriter::NewFolder;
    /// assert_eq!(NewFolder::partial_of("out/".as_ref()), std::path::Path::new("out.partial"));
    /// ```
    pub fn partial_of(target: &Path) -> PathBuf {
        with_suffix(target, ".partial")
    }

    /// The folder as a destination.
    ///
    /// ```no_run
    /// # use absolve_rewriter::{Destination, NewFolder, Resume};
    /// let folder = NewFolder::begin("out".as_ref(), "request", Resume::No)?;
    /// assert_eq!(folder.destination(), Destination::NewFolder("out.partial".into()));
    /// # Ok::<(), absolve_rewriter::OutputError>(())
    /// ```
    pub fn destination(&self) -> Destination {
        if self.begun {
            Destination::BegunFolder(self.partial.clone())
        } else {
            Destination::NewFolder(self.partial.clone())
        }
    }

    /// The folder to write into.
    ///
    /// ```no_run
    /// # use absolve_rewriter::{NewFolder, Resume};
    /// let folder = NewFolder::begin("out".as_ref(), "request", Resume::No)?;
    /// assert_eq!(folder.path(), "out.partial");
    /// # Ok::<(), absolve_rewriter::OutputError>(())
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
    /// use absolve_rewriter::{NewFolder, Resume};
    /// let outer = tempfile::tempdir()?;
    /// let target = outer.path().join("out");
    /// NewFolder::begin(&target, "absolve: all", Resume::No)?.finish()?;
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

/// Notes the request, in the place of an older note but of no other file.
fn note(path: &Path, request: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|older| older.starts_with("absolve ")) {
        fs::remove_file(path)?;
    }
    fs::File::create_new(path)?.write_all(request.as_bytes())
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    // A trailing slash would put the suffix inside the folder.
    let path: PathBuf = path.components().collect();
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
