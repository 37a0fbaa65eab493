//! Errors of files.

pub(crate) mod refusal;

use std::io;
use std::path::{Path, PathBuf};

use absolve_containers::{Broken, BrokenRecord, WarcOutput, is_system_error};
use thiserror::Error;

use crate::error::refusal::Refusal;

/// A file could not be read or written.
#[derive(Debug, Error)]
#[error("cannot {} {path}{}: {source}", .action.words().0, .action.words().1)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The number of the record, counted from 1, if one of a container is meant.
    pub record: Option<u64>,
    /// The index of the member, if one of a ZIP or tar file is meant.
    pub member: Option<usize>,
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
    /// Returns its verb, and an excuse.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Read => ("read", ""),
            Self::Write => ("write", ""),
            Self::Rewrite => ("rewrite", ", which is a bug"),
            Self::Revert => ("revert", ""),
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
        let broken = [
            (broken.damaged, "damaged and left unchanged", Some("after")),
            (broken.cut_off, "truncated or malformed", (output != Some(WarcOutput::Append)).then_some("before")),
        ];
        let broken = broken.into_iter().filter_map(|(record, state, processed)| {
            let BrokenRecord { number, byte } = record?;
            let what = match number {
                0 => format!("what precedes byte {byte} of the decompressed archive is not a record"),
                _ => format!("record {number} is {state}"),
            };
            let error = match processed {
                Some(side) => io::Error::other(format!("{what}; the records {side} it are processed")),
                None => Refusal::AppendAfterBroken(what).into(),
            };
            let record = Some(number).filter(|number| *number > 0);
            Some(Self { record, byte: Some(byte), ..Self::new(path, Action::Read, error) })
        });
        failed.iter().map(|record| Self::bug(path, Some(*record))).chain(broken).collect()
    }

    /// Returns the error of a file that is not the same at the end of a run as at its beginning.
    pub fn changed(path: &Path) -> Self {
        Self::new(path, Action::Read, io::Error::other("another program changed it during the run"))
    }

    /// Creates an error.
    pub fn new(path: &Path, action: Action, source: io::Error) -> Self {
        Self { path: path.to_owned(), record: None, member: None, byte: None, action, source }
    }

    /// Returns the error of a file, or a member, that cannot be written as the options or the name of the output require.
    pub(crate) fn refusal(path: &Path, member: Option<usize>, why: Refusal) -> Self {
        Self { member, ..Self::new(path, Action::Write, why.into()) }
    }

    /// Returns whether the file cannot be written as the options or the name of the output require. Of an archive, the other
    /// members are written.
    pub fn is_refusal(&self) -> bool {
        self.action == Action::Write && self.source.kind() == io::ErrorKind::Unsupported && self.member.is_none()
    }

    /// Returns the message, with what `word` makes of a refusal: a program adds its options that help.
    ///
    /// ```
    /// use absolve_files::{Action, FileError, Refusal};
    /// let error = FileError::new("a.arc".as_ref(), Action::Write, Refusal::ArcResources.into());
    /// assert_eq!(error.worded(|refusal| format!("{refusal}!")), "cannot write a.arc: an ARC holds no resources!");
    /// ```
    pub fn worded(&self, word: impl FnOnce(&Refusal) -> String) -> String {
        match Refusal::of(&self.source) {
            Some(refusal) => Self::new(&self.path, self.action, io::Error::other(word(refusal))).to_string(),
            None => self.to_string(),
        }
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
