//! Output settings of a run.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use absolve_rewriter::Finding;

use crate::bundle::replacements::Replacements;
use crate::disk::ordered_spool::{OrderedSpool, SpoolWriter};
use crate::error::{Action, FileError};
use crate::input::entry::{Entry, Storage};
use crate::output::destination::{Destination, OutputState};
use crate::output::diff::{Colour, Diff};
use crate::output::file::{JobError, OutputFile, Sink, Written};
use crate::output::in_place::{InPlace, hard_link_finding};

/// Output settings of a run.
///
/// ```
/// use absolve_files::{Destination, Output, Unchanged};
/// let output = Output::to(&Destination::Nowhere);
/// assert_eq!(output.unchanged, Unchanged::Copy);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Output<'s> {
    /// The destination of the files.
    pub destination: &'s Destination,
    /// Whether unchanged files are copied.
    pub unchanged: Unchanged,
    /// Settings for [`Destination::InPlace`].
    pub in_place: &'s InPlace,
    /// Collects the diffs of changed files, if given. Only plain files and plain mboxes have diffs, also those in bundles.
    pub diffs: Option<&'s Diffs>,
    /// Ends the work on a container when it is set, with an error of that.
    pub stop: &'s AtomicBool,
    /// The index of the current file among the entries.
    pub(crate) place: usize,
    /// What the files of a run share.
    pub(crate) state: Option<&'s OutputState>,
    /// Receives changed members, for [`Destination::Bundle`].
    pub(crate) replacements: Option<&'s Replacements>,
}

/// The stop of a run that nobody stops.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// Unified diffs of changed files, collected in the order of the entries.
#[derive(Debug)]
pub struct Diffs {
    spool: OrderedSpool,
    colour: Colour,
}

impl Diffs {
    /// Creates an empty collection.
    ///
    /// # Errors
    ///
    /// If no temporary file can be created.
    ///
    /// ```
    /// use absolve_containers::ArchiveOptions;
    /// use absolve_files::{Colour, Destination, Diffs, Selection, Output, collect, rewrite_all};
    /// let folder = tempfile::tempdir()?;
    /// let page = folder.path().join("a.html");
    /// std::fs::write(&page, "<base href=http://h/>\n<a href=b>\n")?;
    /// let diffs = Diffs::new(Colour::Plain)?;
    /// let mut output = Output::to(&Destination::Nowhere);
    /// output.diffs = Some(&diffs);
    /// rewrite_all(collect(&page, &Selection::default()), &ArchiveOptions::default(), output, &|_| {});
    /// let mut out = Vec::new();
    /// diffs.write_to(&mut out)?;
    /// assert!(out.ends_with(b"@@ -1,2 +1,2 @@\n <base href=http://h/>\n-<a href=b>\n+<a href=http://h/b>\n"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(colour: Colour) -> io::Result<Self> {
        Ok(Self { spool: OrderedSpool::new()?, colour })
    }

    /// Writes all diffs.
    ///
    /// # Errors
    ///
    /// The first error of the temporary file, or that of `output`.
    pub fn write_to(self, output: &mut dyn Write) -> io::Result<()> {
        self.spool.write_to(output)
    }
}

/// Whether files without changes are copied to the destination. Does not apply in place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unchanged {
    /// Copied.
    #[default]
    Copy,
    /// Left out.
    LeaveOut,
}

impl<'s> Output<'s> {
    /// Returns the settings for a destination: all files, without journal, backups or diffs.
    pub fn to(destination: &'s Destination) -> Self {
        let (unchanged, in_place) = (Unchanged::default(), &NO_RECORD);
        Self { destination, unchanged, in_place, diffs: None, stop: &NEVER, place: 0, state: None, replacements: None }
    }

    /// Returns the diff to write for an entry, if diffs are collected.
    pub(crate) fn diff(self, entry: &Entry) -> Option<Diff<SpoolWriter<'s>>> {
        self.diffs.map(|diffs| Diff::new(&entry.source, diffs.colour, diffs.spool.writer(self.place)))
    }

    /// Returns whether unchanged files are copied.
    pub(crate) fn copies(self) -> bool {
        let is_elsewhere =
            !matches!(self.destination, Destination::InPlace | Destination::Bundle | Destination::Nowhere);
        self.unchanged == Unchanged::Copy && is_elsewhere
    }

    /// Writes an entry; `write` writes the contents of its file.
    pub(crate) fn write(
        self,
        entry: &Entry,
        write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
    ) -> Option<FileError> {
        if let Some(replacements) = self.replacements {
            return self.failure(entry, replace_member(replacements, entry, write));
        }
        let state = &OutputState::default();
        self.failure(entry, self.destination.write_with(entry, self.in_place, self.state.unwrap_or(state), write))
    }

    /// Returns the error of a job with the path of its input or output.
    pub(crate) fn failure(self, entry: &Entry, outcome: Result<(), JobError>) -> Option<FileError> {
        let (action, error) = match outcome.err()? {
            JobError::Read(error) => return Some(FileError::new(&entry.source, Action::Read, error)),
            JobError::Write(error) => (Action::Write, error),
        };
        let path = self.destination.path_of(entry).unwrap_or_else(|| entry.source.clone());
        Some(FileError::new(&path, action, error))
    }

    /// Copies the symbolic link of an entry.
    pub(crate) fn link(self, entry: &Entry) -> Option<FileError> {
        let state = &OutputState::default();
        self.failure(entry, self.destination.link(entry, self.state.unwrap_or(state)).map_err(JobError::Write))
    }

    /// Returns the finding about an entry with other hard links, if it is changed in place.
    pub(crate) fn hard_link_finding(self, entry: &Entry) -> Option<Finding> {
        let is_in_place = *self.destination == Destination::InPlace;
        is_in_place.then(|| hard_link_finding(entry, self.in_place)).flatten()
    }

    /// Copies an entry, if unchanged files are copied.
    pub(crate) fn copy(self, entry: &Entry) -> Option<FileError> {
        self.copy_as(entry, Written::Whole)
    }

    /// Copies an entry after `errors`. After an error in the data, an output folder gets a copy that a resumed run writes
    /// again, and a single file is not written. After an error of the system nothing is written.
    pub(crate) fn copy_after(self, entry: &Entry, errors: &[FileError]) -> Option<FileError> {
        match errors {
            [] => self.copy(entry),
            _ if errors.iter().any(FileError::is_of_system) => None,
            _ => self.copy_damaged(entry),
        }
    }

    /// Copies an entry with an error in its data into an output folder, so that a resumed run writes it again.
    pub(crate) fn copy_damaged(self, entry: &Entry) -> Option<FileError> {
        self.destination.root().and_then(|_| self.copy_as(entry, Written::Partly))
    }

    fn copy_as(self, entry: &Entry, written: Written) -> Option<FileError> {
        if !self.copies() {
            return None;
        }
        match entry.open() {
            Ok(mut source) => self.write(entry, |mut output| Ok(output.sink.copy(&mut source).map(|_| written)?)),
            Err(error) => Some(FileError::new(&entry.source, Action::Read, error)),
        }
    }
}

/// Keeps what `write` writes as the new contents of a member. A message of a Maildir may have a new name.
fn replace_member(
    replacements: &Replacements,
    entry: &Entry,
    write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
) -> Result<(), JobError> {
    let Storage::Member(bundle, index) = &entry.storage else { return Ok(()) };
    let mut member = replacements.writer(bundle.packing(*index));
    if write(OutputFile { sink: Sink::Member(&mut member), changes: None })? == Written::Discarded {
        return Ok(());
    }
    let name = entry.path.file_name().filter(|name| entry.source.file_name() != Some(*name));
    let name = name.map(|name| bundle.members()[*index].with_last_segment(name.as_encoded_bytes()));
    Ok(member.finish(*index, name)?)
}

/// In place without backup and journal.
static NO_RECORD: InPlace = InPlace { backup: None, sync: crate::output::in_place::Sync::Later, journal: None };
