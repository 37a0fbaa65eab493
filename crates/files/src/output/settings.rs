//! Where what becomes of the files of a run goes.

use std::io::{self, Write};

use absolve_rewriter::Finding;

use crate::disk::ordered_spool::{OrderedSpool, SpoolWriter};
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::output::destination::Destination;
use crate::output::diff::{Colour, Diff};
use crate::output::file::{JobError, OutputFile, Written};
use crate::output::in_place::{InPlace, other_names};

/// Where the files of a run go, and what is left behind besides.
///
/// ```
/// use absolve_files::{Destination, Output, Unchanged};
/// let sink = Output::to(&Destination::Nowhere);
/// assert_eq!(sink.unchanged, Unchanged::Copy);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Output<'s> {
    /// Where files go.
    pub destination: &'s Destination,
    /// What becomes of those that do not change.
    pub unchanged: Unchanged,
    /// How files are changed in place, where that is the destination.
    pub in_place: &'s InPlace,
    /// Where the diffs of plain files go.
    pub diffs: Option<&'s Diffs>,
    /// The place of the file in the order of the entries.
    pub(crate) place: usize,
}

/// Diffs of files, in the order of the entries, whatever the order in which they are done.
#[derive(Debug)]
pub struct Diffs {
    spool: OrderedSpool,
    colour: Colour,
}

impl Diffs {
    /// None yet.
    ///
    /// # Errors
    ///
    /// When there can be no temporary file for them.
    ///
    /// ```
    /// use absolve_containers::ArchiveOptions;
    /// use absolve_files::{Colour, Destination, Diffs, Selection, Output, collect, rewrite_all};
    /// let folder = tempfile::tempdir()?;
    /// let page = folder.path().join("a.html");
    /// std::fs::write(&page, "<base href=http://h/>\n<a href=b>\n")?;
    /// let diffs = Diffs::new(Colour::Plain)?;
    /// let mut sink = Output::to(&Destination::Nowhere);
    /// sink.diffs = Some(&diffs);
    /// rewrite_all(collect(&page, &Selection::default()), &ArchiveOptions::default(), sink, &|_| {});
    /// let mut out = Vec::new();
    /// diffs.write_to(&mut out)?;
    /// assert!(out.ends_with(b"@@ -1,2 +1,2 @@\n <base href=http://h/>\n-<a href=b>\n+<a href=http://h/b>\n"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(colour: Colour) -> io::Result<Self> {
        Ok(Self { spool: OrderedSpool::new()?, colour })
    }

    /// Writes all of them.
    ///
    /// # Errors
    ///
    /// When one could not be kept, or not be written now.
    ///
    /// ```
    /// let mut out = Vec::new();
    /// absolve_files::Diffs::new(absolve_files::Colour::Plain)?.write_to(&mut out)?;
    /// assert!(out.is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_to(self, output: &mut dyn Write) -> io::Result<()> {
        self.spool.write_to(output)
    }
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

impl<'s> Output<'s> {
    /// All files go to `destination`, and nothing else is left behind.
    ///
    /// ```
    /// use absolve_files::{Destination, Output};
    /// assert!(Output::to(&Destination::InPlace).in_place.journal.is_none());
    /// ```
    pub fn to(destination: &'s Destination) -> Self {
        Self { destination, unchanged: Unchanged::default(), in_place: &PLAIN, diffs: None, place: 0 }
    }

    /// The diff of an entry, if diffs are wanted.
    pub(crate) fn diff(self, entry: &Entry) -> Option<Diff<SpoolWriter<'s>>> {
        self.diffs.map(|diffs| Diff::new(&entry.source, diffs.colour, diffs.spool.writer(self.place)))
    }

    /// Whether files that do not change are written as well.
    pub(crate) fn copies(self) -> bool {
        let is_elsewhere = !matches!(self.destination, Destination::InPlace | Destination::Nowhere);
        self.unchanged == Unchanged::Copy && is_elsewhere
    }

    /// Writes an entry with what `write` puts into its file.
    pub(crate) fn write(
        self,
        entry: &Entry,
        write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
    ) -> Option<FileError> {
        self.failure(entry, self.destination.write_with(entry, self.in_place, write))
    }

    /// Returns the error of a job, with the file that it could not read or write.
    pub(crate) fn failure(self, entry: &Entry, outcome: Result<(), JobError>) -> Option<FileError> {
        let (action, error) = match outcome.err()? {
            JobError::Read(error) => return Some(FileError::new(&entry.source, Action::Read, error)),
            JobError::Write(error) => (Action::Write, error),
        };
        let path = self.destination.path_of(entry).unwrap_or_else(|| entry.source.clone());
        Some(FileError::new(&path, action, error))
    }

    /// Makes a symbolic link like that of an entry.
    pub(crate) fn link(self, entry: &Entry) -> Option<FileError> {
        self.failure(entry, self.destination.link(entry).map_err(JobError::Write))
    }

    /// What is told of an entry that is changed in place and has other names.
    pub(crate) fn other_names(self, entry: &Entry) -> Option<Finding> {
        let is_in_place = *self.destination == Destination::InPlace;
        is_in_place.then(|| other_names(entry, self.in_place)).flatten()
    }

    /// Copies an entry as it is, where copies are made.
    pub(crate) fn copy(self, entry: &Entry) -> Option<FileError> {
        self.copy_as(entry, Written::Whole)
    }

    /// The same behind what may have failed. Where data failed, the copy keeps a tree whole but does not look complete, and
    /// a single file has none; where the system failed, there is none, so that a run that is resumed does it again.
    pub(crate) fn copy_after(self, entry: &Entry, errors: &[FileError]) -> Option<FileError> {
        match errors {
            [] => self.copy(entry),
            _ if self.destination.root().is_none() || errors.iter().any(FileError::is_of_system) => None,
            _ => self.copy_as(entry, Written::Partly),
        }
    }

    fn copy_as(self, entry: &Entry, written: Written) -> Option<FileError> {
        if !self.copies() {
            return None;
        }
        match entry.open() {
            Ok(mut source) => self.write(entry, |output| Ok(io::copy(&mut source, output.file).map(|_| written)?)),
            Err(error) => Some(FileError::new(&entry.source, Action::Read, error)),
        }
    }
}

/// Files are changed in place and nothing is kept for taking that back.
static PLAIN: InPlace = InPlace { backup: None, sync: crate::output::in_place::Sync::Later, journal: None };
