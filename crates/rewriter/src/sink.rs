//! Where what becomes of the files of a run goes.

use std::fs::File;
use std::io;

use crate::destination::Written;
use crate::failure::{Action, FileError};
use crate::in_place::other_names;
use crate::{Destination, Entry, Finding, InPlace};

/// Where the files of a run go, and what is left behind besides.
///
/// ```
/// use absolve_rewriter::{Destination, Sink, Unchanged};
/// let sink = Sink::to(&Destination::Nowhere);
/// assert_eq!(sink.unchanged, Unchanged::Copy);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sink<'s> {
    /// Where files go.
    pub destination: &'s Destination,
    /// What becomes of those that do not change.
    pub unchanged: Unchanged,
    /// How files are changed in place, where that is the destination.
    pub in_place: &'s InPlace,
}

/// What becomes of files that a run does not change, where it writes elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unchanged {
    /// They are copied, so that the output is whole.
    #[default]
    Copy,
    /// They are left out.
    LeaveOut,
}

impl<'s> Sink<'s> {
    /// All files go to `destination`, and nothing else is left behind.
    ///
    /// ```
    /// use absolve_rewriter::{Destination, Sink};
    /// assert!(Sink::to(&Destination::InPlace).in_place.journal.is_none());
    /// ```
    pub fn to(destination: &'s Destination) -> Self {
        Self { destination, unchanged: Unchanged::default(), in_place: &PLAIN }
    }

    /// Whether files that do not change are written as well.
    pub(crate) fn copies(self) -> bool {
        let is_elsewhere = !matches!(self.destination, Destination::InPlace | Destination::Nowhere);
        self.unchanged == Unchanged::Copy && is_elsewhere
    }

    /// Whether a journal is to tell what changes in files.
    pub(crate) fn notes(self) -> bool {
        *self.destination == Destination::InPlace && self.in_place.journal.is_some()
    }

    /// Writes an entry with what `write` puts into its file.
    pub(crate) fn write(
        self,
        entry: &Entry,
        write: impl FnOnce(&mut File) -> io::Result<Written>,
    ) -> Option<FileError> {
        unwritten(entry, self.destination, self.destination.write_with(entry, self.in_place, write))
    }

    /// Makes a symbolic link like that of an entry.
    pub(crate) fn link(self, entry: &Entry) -> Option<FileError> {
        unwritten(entry, self.destination, self.destination.link(entry))
    }

    /// What is told of an entry that is changed in place and has other names.
    pub(crate) fn other_names(self, entry: &Entry) -> Option<Finding> {
        let is_in_place = *self.destination == Destination::InPlace;
        is_in_place.then(|| other_names(entry, self.in_place)).flatten()
    }

    /// Copies an entry as it is, where copies are made.
    pub(crate) fn copy(self, entry: &Entry) -> Option<FileError> {
        if !self.copies() {
            return None;
        }
        match entry.open() {
            Ok(mut source) => self.write(entry, |file| io::copy(&mut source, file).map(|_| Written::Whole(None))),
            Err(error) => Some(FileError::new(&entry.source, Action::Read, error)),
        }
    }
}

/// Files are changed in place and nothing is kept for taking that back.
static PLAIN: InPlace = InPlace { backup: None, sync: crate::Sync::Later, journal: None };

/// The error of writing an entry, with the file that was to be written.
pub(crate) fn unwritten(entry: &Entry, destination: &Destination, outcome: io::Result<()>) -> Option<FileError> {
    let error = outcome.err()?;
    let path = destination.path_of(entry).unwrap_or_else(|| entry.source.clone());
    Some(FileError::new(&path, Action::Write, error))
}
