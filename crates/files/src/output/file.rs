//! A file that is being written.

use std::fs::File;
use std::io;

use absolve_containers::StreamError;

use crate::journal::entry::JournalEntry;

/// A file that is being written, and the journal entry of what changes in it, where a journal is kept.
pub(crate) struct OutputFile<'f> {
    pub(crate) file: &'f mut File,
    pub(crate) changes: Option<&'f mut JournalEntry>,
}

/// What a job has made of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// All is in it.
    Whole,
    /// Not all of it could be done: it must not look complete to a run that is resumed.
    Partly,
    /// It is not needed.
    Discarded,
}

/// Why a job has not written its file.
#[derive(Debug)]
pub(crate) enum JobError {
    /// The input could not be read.
    Read(io::Error),
    /// The output could not be written.
    Write(io::Error),
}

/// Errors of reading are wrapped where something is read.
impl From<io::Error> for JobError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<StreamError> for JobError {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::Read(error) => Self::Read(error),
            StreamError::Write(error) => Self::Write(error),
        }
    }
}
