//! Rewriting and inspection of web archives.

use std::io::{self, Read, Write};
use std::ops::AddAssign;

use absolve_framing::{ArchiveFormat, Batch, Batches, Compression, PieceEnd, Record};
use absolve_rewriter::internal::{Entity, Event};
use absolve_rewriter::settings::Annotations;

use crate::batches::list;
use crate::limits::LISTED_AT_ONCE;
use crate::stream::{ChunkObserver, StreamError, StreamReport, with_start};
use crate::warc::append::add_conversions;
use crate::warc::derive::derive;
use crate::warc::options::{ArchiveOptions, WarcOutput};
use crate::warc::originals::Originals;
use crate::warc::payload::{Payload, PayloadKind};
use crate::warc::record::{ArchiveRecord, capture_of_metadata, payload_of};
use crate::warc::records::Archive;

/// What rewriting one container needs beside its bytes and the options.
#[derive(Default)]
#[allow(missing_debug_implementations, reason = "an observer needs none")]
pub struct Rewriting<'r, 'o> {
    /// The file name that the `warcinfo` of a web archive declares.
    pub name: &'r str,
    /// Compression of a mailbox, a sidecar or a derived archive. `None` means that of the input. What holds no message is written byte
    /// for byte.
    pub compression: Option<Compression>,
    /// The records of the archives of a run that revisits can refer to; [`Originals::missing`] reports the others in the end. `None`
    /// for one archive alone.
    pub originals: Option<&'r mut Originals<'o>>,
    /// Receives each message of a mailbox that is not compressed, and its edits, before it is written. An error is a
    /// [`StreamError::Write`].
    pub observe: Option<&'r mut ChunkObserver<'r>>,
}

/// Counts of records written to web archives.
///
/// ```
/// use absolve_containers::{ArchiveCounts, StreamReport, WarcOutput};
/// let report = StreamReport { changed: 2, ..StreamReport::default() };
/// assert_eq!(ArchiveCounts::of(WarcOutput::Resource, &report).resources, 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveCounts {
    /// Conversions, appended or in a sidecar.
    pub conversions: u64,
    /// Resources that replace responses.
    pub resources: u64,
    /// Responses with a status other than 2xx, which are left unchanged.
    pub other_responses: u64,
}

impl ArchiveCounts {
    /// Returns the counts of an archive that was rewritten in this form.
    pub fn of(output: WarcOutput, report: &StreamReport) -> Self {
        let is_derived = output == WarcOutput::Resource;
        let (conversions, resources) = if is_derived { (0, report.changed) } else { (report.changed, 0) };
        Self { conversions, resources, other_responses: report.other_responses }
    }
}

impl AddAssign for ArchiveCounts {
    fn add_assign(&mut self, other: Self) {
        self.conversions += other.conversions;
        self.resources += other.resources;
        self.other_responses += other.other_responses;
    }
}

/// Makes the links of all documents of a WARC (ISO 28500) absolute, and writes the form that `options.output` selects; of an ARC only a
/// sidecar. Each record written is compressed like the input, on its own. Conversions that the input already contains are not written
/// again. Besides the records of a batch, the id of each conversion is in memory.
pub(crate) fn rewrite(
    format: ArchiveFormat,
    input: Box<dyn Read + '_>,
    rewriting: Rewriting<'_, '_>,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    let (start, input) = with_start(input)?;
    let compression = Compression::of_archive(&start);
    let form = output_of(format, options);
    let output_compression = match form {
        WarcOutput::Append => compression,
        WarcOutput::Sidecar | WarcOutput::Resource => rewriting.compression.unwrap_or(compression),
    };
    let archive = Archive { start, input, compression, output_compression, format, name: rewriting.name };
    match (form, rewriting.originals) {
        (WarcOutput::Append | WarcOutput::Sidecar, _) => add_conversions(archive, form, output, options, events),
        (WarcOutput::Resource, Some(originals)) => derive(archive, originals, output, options, events, &mut |_| {}),
        (WarcOutput::Resource, None) => {
            let mut originals = Originals::default();
            let report = derive(archive, &mut originals, output, options, events, &mut |_| {})?;
            originals.missing().into_iter().for_each(|(_, finding)| events(finding.into()));
            Ok(report)
        }
    }
}

/// Returns the form of the output for an archive in this format. An ARC cannot contain conversions or resources.
pub fn output_of(format: ArchiveFormat, options: &ArchiveOptions) -> WarcOutput {
    if format == ArchiveFormat::Warc { options.output } else { WarcOutput::Sidecar }
}

/// Applies `inspect` to the documents of an archive.
pub(crate) fn inspect<T: Send>(
    format: ArchiveFormat,
    input: Box<dyn Read + '_>,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    let (start, input) = with_start(input)?;
    let decompressed = Compression::of_archive(&start).decompressed(input, format, |_, _| {});
    inspect_records(format, Batches::new(decompressed.map_err(StreamError::Read)?, format), inspect, options, found)
}

/// Applies `inspect` to the documents of a piece of an archive.
pub(crate) fn inspect_piece<T: Send>(
    format: ArchiveFormat,
    (input, end): (Box<dyn Read + '_>, PieceEnd),
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    inspect_records(format, Batches::new(input, format).until(end), inspect, options, found)
}

fn inspect_records<T: Send>(
    format: ArchiveFormat,
    batches: Batches<'_, ArchiveFormat>,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    let look = |batch: &Batch, record: &Record| {
        let parsed = ArchiveRecord::new(format, &batch.bytes, record);
        let capture = match options.documents.annotations {
            Annotations::Skip => None,
            Annotations::Captures | Annotations::List => parsed.as_ref().and_then(ArchiveRecord::capture),
        };
        let metadata = capture.as_ref().zip(parsed.as_ref()).map_or(Ok(None), |(_, parsed)| parsed.metadata());
        let (payload, capture) = match &metadata {
            Ok(Some(page)) => (Ok(PayloadKind::Payload(Payload::of_metadata(page))), Some(capture_of_metadata(page))),
            Ok(None) => (payload_of(parsed.as_ref(), batch, record), capture),
            Err(finding) => (Err(finding.clone()), capture),
        };
        let entity = match &payload {
            Ok(PayloadKind::Payload(payload)) => payload.entity(options).with_capture(capture),
            // No document, but its header may contain links.
            Ok(_) => Entity::of_capture(capture.filter(|capture| !capture.head.is_empty())?),
            Err(finding) => Entity::unread(finding.clone()).with_capture(capture),
        };
        Some(inspect(&record.name(), &entity))
    };
    // The list of a document's links can be longer than the document.
    let (report, broken) = list(batches, LISTED_AT_ONCE, &look, found)?;
    Ok(StreamReport { broken: broken.of_archive(report.records), ..report })
}
