//! Errors of files.

use std::io;
use std::path::{Path, PathBuf};

use absolve_containers::{Broken, BrokenRecord, WarcOutput, is_system_error};
use thiserror::Error;

/// A file could not be read or written.
#[derive(Debug, Error)]
#[error("cannot {} {path}{}: {source}", .action.verb(), .action.excuse())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The number of the record, counted from 1, if one of a container is meant.
    pub record: Option<u64>,
    /// Where the record breaks, in bytes of the decompressed archive.
    pub byte: Option<u64>,
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

impl Action {
    const fn verb(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Rewrite => "rewrite",
            Self::Revert => "revert",
        }
    }

    const fn excuse(self) -> &'static str {
        match self {
            Self::Rewrite => ", which is a bug",
            Self::Read | Self::Write | Self::Revert => "",
        }
    }
}

impl FileError {
    /// Returns the error for a bug found in a file, or in a record of it.
    pub(crate) fn bug(path: &Path, record: Option<u64>) -> Self {
        let what = record.map_or_else(|| "it".to_owned(), |record| format!("record {record}"));
        let error = io::Error::other(format!("{what} is left unchanged"));
        Self { record, ..Self::new(path, Action::Rewrite, error) }
    }

    /// Returns the errors of the records of a container: those on which the program failed, and those that are incomplete or
    /// damaged. `output` is what was written for a web archive.
    pub fn of_records(path: &Path, failed: &[u64], broken: Broken, output: Option<WarcOutput>) -> Vec<Self> {
        let consequence = match output {
            Some(WarcOutput::Append) => {
                "no conversions are appended, because readers would not find them after it; --warc sidecar writes them"
            }
            _ => "the records before it are processed",
        };
        let after = "the records after it are processed";
        let broken = [
            (broken.damaged, "damaged and left unchanged", after),
            (broken.cut_off, "truncated or malformed", consequence),
        ];
        let broken = broken.into_iter().filter_map(|(record, state, consequence)| {
            let BrokenRecord { number, byte } = record?;
            let what = match number {
                0 => format!("what precedes byte {byte} of the decompressed archive is not a record"),
                _ => format!("record {number} is {state}"),
            };
            let error = io::Error::other(format!("{what}; {consequence}"));
            let record = Some(number).filter(|number| *number > 0);
            Some(Self { record, byte: Some(byte), ..Self::new(path, Action::Read, error) })
        });
        failed.iter().map(|record| Self::bug(path, Some(*record))).chain(broken).collect()
    }

    /// Creates an error.
    pub fn new(path: &Path, action: Action, source: io::Error) -> Self {
        Self { path: path.to_owned(), record: None, byte: None, action, source }
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
