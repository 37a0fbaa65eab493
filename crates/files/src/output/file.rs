//! An output file and its result.

use std::fs::File;
use std::io;

use absolve_containers::StreamError;

use crate::journal::entry::JournalEntry;

/// A file that is being written.
pub(crate) struct OutputFile<'f> {
    pub(crate) file: &'f mut File,
    /// Its journal entry, if a journal is written.
    pub(crate) changes: Option<&'f mut JournalEntry>,
}

/// Whether an output file is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// It is complete.
    Whole,
    /// Part of the input failed: a resumed run must write the file again.
    Partly,
    /// It is not needed, and will be removed.
    Discarded,
}

/// The error of an input or an output file.
#[derive(Debug)]
pub(crate) enum JobError {
    /// The input could not be read.
    Read(io::Error),
    /// The output could not be written.
    Write(io::Error),
}

/// `?` makes write errors: read errors are mapped explicitly.
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
