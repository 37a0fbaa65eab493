//! Output settings of a run.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::disk::ordered_spool::{OrderedSpool, SpoolWriter};
use crate::error::refusal::Refusal;
use crate::output::destination::Destination;
use crate::output::diff::{Colour, Diff};
use crate::output::in_place::{InPlace, Sync};
use crate::output::table::{Column, Content};

/// Output settings of a run.
///
/// ```
/// use absolve_files::{Destination, Output, Unchanged};
/// let output = Output::to(&Destination::StandardOutput);
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
    /// let nowhere = Destination::Nowhere(Vec::new());
    /// let mut output = Output::to(&nowhere);
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

    /// Returns the diff to write for the file at this place in the order of the entries.
    pub(crate) fn diff(&self, path: &Path, place: usize) -> Diff<SpoolWriter<'_>> {
        Diff::new(path, self.colour, self.spool.writer(place))
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
        Self { destination, unchanged: Unchanged::default(), in_place: &NO_RECORD, diffs: None, stop: &NEVER }
    }

    /// Refuses what the table does where the run writes, or would if it was not dry.
    pub(crate) fn allow(self, content: Content, column: Column) -> Result<(), Refusal> {
        let in_place = *self.destination == Destination::InPlace;
        let is_written = match (self.destination, column) {
            (Destination::Nowhere(columns), _) => columns.contains(&column),
            (_, Column::Journal) => in_place && self.in_place.journal.is_some(),
            (_, Column::Backup) => in_place && self.in_place.backup.is_some(),
            (_, column) => column == self.destination.column(),
        };
        if is_written { content.to(column).map(drop) } else { Ok(()) }
    }
}

/// In place without backup and journal.
static NO_RECORD: InPlace = InPlace { backup: None, sync: Sync::Later, journal: None };
