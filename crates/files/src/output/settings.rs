//! Where what becomes of the files of a run goes.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use absolve_rewriter::{DocumentReport, Finding};

use crate::disk::ordered_spool::{OrderedSpool, SpoolWriter};
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::output::destination::Destination;
use crate::output::diff::{Colour, Diff};
use crate::output::in_place::{InPlace, Written, other_names};

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
    /// Who hears of each document, if the options ask for that detail.
    pub documents: Option<Documents<'s>>,
    /// The place of the file in the order of the entries.
    pub(crate) place: usize,
}

/// Diffs of files, in the order of the entries, whatever the order in which they are done.
#[derive(Debug)]
pub struct Diffs {
    shelf: OrderedSpool,
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
    /// use absolve_files::{Colour, Destination, Diffs, Selection, Output, collect, rewrite_all_to};
    /// let folder = tempfile::tempdir()?;
    /// let page = folder.path().join("a.html");
    /// std::fs::write(&page, "<base href=http://h/>\n<a href=b>\n")?;
    /// let diffs = Diffs::new(Colour::Plain)?;
    /// let mut sink = Output::to(&Destination::Nowhere);
    /// sink.diffs = Some(&diffs);
    /// rewrite_all_to(&collect(&page, &Selection::default()).entries, &ArchiveOptions::default(), sink, &|_| {}, &mut |_, _| {});
    /// let mut out = Vec::new();
    /// diffs.write_to(&mut out)?;
    /// assert!(out.ends_with(b"@@ -1,2 +1,2 @@\n <base href=http://h/>\n-<a href=b>\n+<a href=http://h/b>\n"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(colour: Colour) -> io::Result<Self> {
        Ok(Self { shelf: OrderedSpool::new()?, colour })
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
        self.shelf.write_to(output)
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
        Self { destination, unchanged: Unchanged::default(), in_place: &PLAIN, diffs: None, documents: None, place: 0 }
    }

    /// The diff of an entry, if diffs are wanted.
    pub(crate) fn diff(self, entry: &Entry) -> Option<Diff<SpoolWriter<'s>>> {
        self.diffs.map(|diffs| Diff::new(&entry.source, diffs.colour, diffs.shelf.pen(self.place)))
    }

    /// Tells the documents of a file.
    pub(crate) fn tell(self, entry: &Entry, documents: &[DocumentReport]) {
        if let Some(hearing) = self.documents {
            documents.iter().for_each(|document| hearing.tell(self.place, &entry.name, document));
        }
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
        self.copy_as(entry, Written::Whole(None))
    }

    /// The same behind what may have failed. Where data failed, the copy keeps a tree whole but does not look complete, and
    /// a single file has none; where the system failed, there is none, so that a run that is resumed does it again.
    pub(crate) fn copy_after(self, entry: &Entry, errors: &[FileError]) -> Option<FileError> {
        match errors {
            [] => self.copy(entry),
            _ if self.destination.root().is_none() || errors.iter().any(FileError::is_of_system) => None,
            _ => self.copy_as(entry, Written::Partly(None)),
        }
    }

    fn copy_as(self, entry: &Entry, written: Written) -> Option<FileError> {
        if !self.copies() {
            return None;
        }
        match entry.open() {
            Ok(mut source) => self.write(entry, |file| io::copy(&mut source, file).map(|_| written)),
            Err(error) => Some(FileError::new(&entry.source, Action::Read, error)),
        }
    }
}

/// Files are changed in place and nothing is kept for taking that back.
static PLAIN: InPlace = InPlace { backup: None, sync: crate::output::in_place::Sync::Later, journal: None };

/// The error of writing an entry, with the file that was to be written.
pub(crate) fn unwritten(entry: &Entry, destination: &Destination, outcome: io::Result<()>) -> Option<FileError> {
    let error = outcome.err()?;
    let path = destination.path_of(entry).unwrap_or_else(|| entry.source.clone());
    Some(FileError::new(&path, Action::Write, error))
}

/// Who hears of each document.
#[derive(Clone, Copy)]
pub struct Documents<'d> {
    hear: Hear<'d>,
}

impl<'d> Documents<'d> {
    /// `hear` is called on any thread with the place of the file in the order of the entries, its name, and the document.
    /// Documents of one file come in their order.
    ///
    /// ```
    /// let documents = absolve_files::Documents::new(&|place, path, document| {
    ///     println!("{place} {} {}", path.display(), document.counts.rewritten);
    /// });
    /// ```
    pub fn new(hear: &'d (dyn Fn(usize, &Path, &DocumentReport) + Sync)) -> Self {
        Self { hear }
    }

    pub(crate) fn tell(&self, place: usize, name: &Path, document: &DocumentReport) {
        (self.hear)(place, name, document);
    }
}

impl fmt::Debug for Documents<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Documents")
    }
}

/// Gets the place of the file in the order of the entries, its name, and the document.
type Hear<'d> = &'d (dyn Fn(usize, &Path, &DocumentReport) + Sync);
