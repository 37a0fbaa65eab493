//! What keeps a file from being done.

use std::path::{Path, PathBuf};
use std::{error, fmt, io};

use absolve_containers::{Broken, WarcOutput, is_of_system};

/// A file could not be read or written.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What was tried.
    pub action: Action,
    /// Why it failed.
    pub source: io::Error,
}

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// Its links are made absolute; a failure is a bug.
    Rewrite,
    /// Its original is given back.
    Revert,
}

impl FileError {
    /// A bug met in a file, or in a record of it.
    pub(crate) fn bug(path: &Path, record: &str) -> Self {
        let what = if record.is_empty() { "it".to_owned() } else { format!("record {record}") };
        Self::new(path, Action::Rewrite, io::Error::other(format!("{what} is left as it is")))
    }

    /// Returns an error for each record of an archive that is not whole; `output` is what was written of the archive.
    pub(crate) fn of_broken(path: &Path, broken: Broken, output: Option<WarcOutput>) -> impl Iterator<Item = Self> {
        let what_then = match output {
            Some(WarcOutput::Append) => {
                "no conversions are added, because no reader would find them behind it; --warc sidecar writes them"
            }
            _ => "the records before it are done",
        };
        let damaged = broken
            .damaged
            .map(|record| format!("record {record} is damaged and left as it is; those behind it are done"));
        let cut_off = broken.cut_off.map(|record| format!("record {record} breaks off, or is none; {what_then}"));
        let messages = [damaged, cut_off].into_iter().flatten();
        messages.map(|message| Self::new(path, Action::Read, io::Error::other(message)))
    }

    /// An error about a file.
    ///
    /// ```
    /// use absolve_files::{Action, FileError};
    /// let error = FileError::new("a.html".as_ref(), Action::Read, std::io::ErrorKind::NotFound.into());
    /// assert!(error.to_string().starts_with("cannot read a.html: "));
    /// ```
    pub fn new(path: &Path, action: Action, source: io::Error) -> Self {
        Self { path: path.to_owned(), action, source }
    }

    /// Whether every further file would fail alike: there is no space left.
    ///
    /// ```
    /// use absolve_files::{Action, FileError};
    /// assert!(FileError::new("a".as_ref(), Action::Write, std::io::ErrorKind::StorageFull.into()).is_fatal());
    /// ```
    pub fn is_fatal(&self) -> bool {
        matches!(self.source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }

    /// Whether the system failed and not the data, so that another run may do what this one could not.
    ///
    /// ```
    /// use absolve_files::{Action, FileError};
    /// let is_of_system = |kind: std::io::ErrorKind| FileError::new("a".as_ref(), Action::Read, kind.into()).is_of_system();
    /// assert!(is_of_system(std::io::ErrorKind::StorageFull) && !is_of_system(std::io::ErrorKind::InvalidData));
    /// ```
    pub fn is_of_system(&self) -> bool {
        is_of_system(&self.source)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.action {
            Action::Read => write!(formatter, "cannot read {path}: {}", self.source),
            Action::Write => write!(formatter, "cannot write {path}: {}", self.source),
            Action::Revert => write!(formatter, "cannot revert {path}: {}", self.source),
            Action::Rewrite => write!(formatter, "cannot rewrite {path}, which is a bug: {}", self.source),
        }
    }
}

impl error::Error for FileError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.source)
    }
}
