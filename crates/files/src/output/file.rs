//! An output file and its result.

use std::fs::File;
use std::io::{self, Write};

pub(crate) use absolve_containers::StreamError as JobError;

use crate::bundle::contents::Contents;
use crate::journal::entry::JournalEntry;

/// A file that is being written.
pub(crate) struct OutputFile<'f> {
    pub(crate) sink: Sink<'f>,
    /// Its journal entry, if a journal is written.
    pub(crate) changes: Option<&'f mut JournalEntry>,
}

/// Where the bytes of an output file go.
pub(crate) enum Sink<'f> {
    /// To a file.
    File(&'f mut File),
    /// To a member of a bundle, until that is written.
    Member(&'f mut dyn Write),
}

impl Sink<'_> {
    /// Copies the contents of an entry.
    pub(crate) fn copy(&mut self, contents: &mut Contents) -> io::Result<u64> {
        match self {
            Self::File(file) => contents.copy_to(file),
            Self::Member(member) => io::copy(contents, *member),
        }
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Member(member) => member.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Member(member) => member.flush(),
        }
    }
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
