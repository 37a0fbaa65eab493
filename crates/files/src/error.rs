//! Errors of files.

use std::path::{Path, PathBuf};
use std::{error, fmt, io};

use absolve_containers::{Broken, WarcOutput, is_system_error};

/// A file could not be read or written.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The action that failed.
    pub action: Action,
    /// The cause.
    pub source: io::Error,
}

/// An action on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Reading it.
    Read,
    /// Writing it.
    Write,
    /// Rewriting its links; an error is a bug of this program.
    Rewrite,
    /// Restoring its original.
    Revert,
}

impl FileError {
    /// Returns the error for a bug found in a file, or in a record of it.
    pub(crate) fn bug(path: &Path, record: &str) -> Self {
        let what = if record.is_empty() { "it".to_owned() } else { format!("record {record}") };
        Self::new(path, Action::Rewrite, io::Error::other(format!("{what} is left unchanged")))
    }

    /// Returns an error for each broken record of an archive; `output` is what was written for the archive.
    pub(crate) fn of_broken(path: &Path, broken: Broken, output: Option<WarcOutput>) -> impl Iterator<Item = Self> {
        let consequence = match output {
            Some(WarcOutput::Append) => {
                "no conversions are appended, because readers would not find them after it; --warc sidecar writes them"
            }
            _ => "the records before it are processed",
        };
        let damaged = broken
            .damaged
            .map(|record| format!("record {record} is damaged and left unchanged; the records after it are processed"));
        let cut_off = broken.cut_off.map(|record| format!("record {record} is truncated or malformed; {consequence}"));
        let messages = [damaged, cut_off].into_iter().flatten();
        messages.map(|message| Self::new(path, Action::Read, io::Error::other(message)))
    }

    /// Creates an error.
    pub fn new(path: &Path, action: Action, source: io::Error) -> Self {
        Self { path: path.to_owned(), action, source }
    }

    /// Returns the error of a file that cannot be written as the options or the name of the output ask.
    pub(crate) fn refusal(path: &Path, why: &str) -> Self {
        Self::new(path, Action::Write, io::Error::new(io::ErrorKind::Unsupported, why))
    }

    /// Returns whether the file cannot be written as the options or the name of the output ask.
    pub fn is_refusal(&self) -> bool {
        self.action == Action::Write && self.source.kind() == io::ErrorKind::Unsupported
    }

    /// Returns whether every further file would fail too: no space is left.
    pub fn is_fatal(&self) -> bool {
        matches!(self.source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }

    /// Returns whether the system failed and not the data, so that another run may succeed.
    ///
    /// ```
    /// use absolve_files::{Action, FileError};
    /// let is_of_system = |kind: std::io::ErrorKind| FileError::new("a".as_ref(), Action::Read, kind.into()).is_of_system();
    /// assert!(is_of_system(std::io::ErrorKind::StorageFull) && !is_of_system(std::io::ErrorKind::InvalidData));
    /// ```
    pub fn is_of_system(&self) -> bool {
        is_system_error(&self.source)
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
