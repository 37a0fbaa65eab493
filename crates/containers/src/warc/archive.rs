//! Rewriting and inspection of web archives.

use std::io::{self, Read, Write};
use std::ops::AddAssign;

use absolve_rewriter::{Annotations, Entity, Event, Finding};

use crate::batches::{Batch, Batches, Record};
use crate::broken::Broken;
use crate::compression::Compression;
use crate::framing::format::Format;
use crate::limits::LISTED_AT_ONCE;
use crate::stream::{StreamError, StreamReport, inspect_records, with_start};
use crate::warc::append::{Place, add_conversions};
use crate::warc::derive::derive;
use crate::warc::header;
use crate::warc::options::{ArchiveOptions, WarcOutput};
use crate::warc::originals::Originals;
use crate::warc::payload::PayloadKind;
use crate::warc::records::{Archive, capture_of, payload_of, warc_record};

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

/// Makes the links of all documents of a WARC (ISO 28500) absolute, and writes the form that `options.output` selects.
///
/// `input` may be plain or compressed. Each record written is compressed like the input, on its own. `name` is the file name
/// that the new `warcinfo` declares. Conversions that the input already contains are not written again. Records are processed in
/// parallel on the current rayon pool, in batches of some megabytes; besides, the id of each conversion is in memory.
///
/// Returns the counts of links, records and bytes.
///
/// # Errors
///
/// [`StreamError`], with an incomplete `output`.
///
/// ```
/// use absolve_containers::{ArchiveOptions, rewrite_warc};
/// let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>";
/// let record = format!(
///     "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\n\
///      Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len());
/// let mut out = Vec::new();
/// let report = rewrite_warc(record.as_bytes(), "a.warc", &mut out, &ArchiveOptions::default(), &mut |_| {}).unwrap();
/// assert_eq!(report.changed, 1);
/// let out = String::from_utf8(out).unwrap();
/// assert!(out.starts_with(&record) && out.ends_with("\r\n\r\n<a href=http://h/d/x>\r\n\r\n"));
/// ```
pub fn rewrite_warc(
    input: impl Read,
    name: &str,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    findings: &mut dyn FnMut(Finding),
) -> Result<StreamReport, StreamError> {
    let archive = ArchiveInput { input, format: Format::Warc, name, output_compression: None };
    rewrite_archive(archive, output, options, &mut Event::findings(findings))
}

/// A web archive to rewrite.
#[derive(Debug)]
pub struct ArchiveInput<'a, R> {
    /// The bytes of the archive, plain or compressed.
    pub input: R,
    /// WARC or ARC.
    pub format: Format,
    /// The file name that the new `warcinfo` declares.
    pub name: &'a str,
    /// Compression of a sidecar or a derived archive. `None` means that of the input.
    pub output_compression: Option<Compression>,
}

/// Rewrites a WARC or an ARC as [`rewrite_warc`] does, with the same errors, and passes all events to `events`. For an ARC only
/// a sidecar is written.
pub fn rewrite_archive(
    archive: ArchiveInput<'_, impl Read>,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    let mut originals = Originals::default();
    let report = rewrite_archive_of_run(archive, &mut originals, output, options, events)?;
    originals.missing().into_iter().for_each(|(_, finding)| events(finding.into()));
    Ok(report)
}

/// Rewrites one archive of several as [`rewrite_archive`] does, with the same errors. Its revisits may refer to records in those before
/// it, which `originals` contains; [`Originals::missing`] reports the others in the end.
pub fn rewrite_archive_of_run(
    archive: ArchiveInput<'_, impl Read>,
    originals: &mut Originals<'_>,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    let ArchiveInput { mut input, format, name, output_compression } = archive;
    let archive = ArchiveInput { input: &mut input as &mut dyn Read, format, name, output_compression };
    rewrite_as_asked(archive, originals, output, options, events)
}

fn rewrite_as_asked(
    archive: ArchiveInput<'_, &mut dyn Read>,
    originals: &mut Originals<'_>,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    let ArchiveInput { input, format, name, output_compression } = archive;
    let (start, input) = with_start(input).map_err(StreamError::Read)?;
    let compression = Compression::of_archive(&start);
    let output_compression = match output_of(format, options) {
        WarcOutput::Append => compression,
        WarcOutput::Sidecar | WarcOutput::Resource => output_compression.unwrap_or(compression),
    };
    let archive = Archive { start, input, compression, output_compression, format, name };
    match output_of(format, options) {
        WarcOutput::Append => add_conversions(archive, Place::SameFile, output, options, events),
        WarcOutput::Sidecar => add_conversions(archive, Place::Sidecar, output, options, events),
        WarcOutput::Resource => derive(archive, originals, output, options, events, &mut |_| {}),
    }
}

/// Returns the form of the output for an archive in this format. An ARC cannot contain conversions or resources.
pub fn output_of(format: Format, options: &ArchiveOptions) -> WarcOutput {
    if format == Format::Warc { options.output } else { WarcOutput::Sidecar }
}

/// Applies `inspect` to the documents of a WARC, plain or compressed, in parallel, and passes the results to `found`, in order.
/// The arguments of `inspect` are the number of the record, counted from 1, and the document.
///
/// Returns the numbers of the records on which `inspect` panicked.
///
/// # Errors
///
/// [`StreamError::Read`], or [`StreamError::Write`] for an error of `found`.
///
/// ```
/// use absolve_containers::{ArchiveOptions, inspect_warc};
/// use absolve_rewriter::Entity;
/// let record = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/\r\nContent-Type: text/html\r\n\
///               Content-Length: 10\r\n\r\n<a href=x>\r\n\r\n";
/// let number_and_size = |number: &str, document: &Entity<'_>| (number.to_owned(), document.bytes.len());
/// let (options, mut documents) = (ArchiveOptions::default(), Vec::new());
/// inspect_warc(record.as_bytes(), &number_and_size, &options, &mut |found| Ok(documents.push(found))).unwrap();
/// assert_eq!(documents, [("1".to_owned(), 10)]);
/// ```
pub fn inspect_warc<T: Send>(
    input: impl Read,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Vec<u64>, StreamError> {
    inspect_archive(input, Format::Warc, inspect, options, found).map(|inspected| inspected.failed)
}

/// Inspects a WARC or an ARC as [`inspect_warc`] does, with the same errors. Returns incomplete and damaged records as well.
pub fn inspect_archive<T: Send>(
    mut input: impl Read,
    format: Format,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Inspected, StreamError> {
    let mut batches = records_of(&mut input, format).map_err(StreamError::Read)?;
    let mut inspected = Inspected::default();
    let (mut spent, mut start, mut count) = (Vec::new(), 0, 0);
    while let Some(Batch { bytes, records, budget }) = batches.next(spent).map_err(StreamError::Read)? {
        let inspect_record = |record: &Record| {
            let capture = match options.documents.annotations {
                Annotations::Skip => None,
                Annotations::List => capture_of(format, &bytes, record),
            };
            let warc = warc_record(format, &bytes, record).map(header::Record::new);
            let payload = payload_of(format, &bytes, record, warc.as_ref(), &budget);
            let entity = match &payload {
                Ok(PayloadKind::Payload(payload)) => payload.entity(options).with_capture(capture),
                // No document, but its header may contain links.
                Ok(_) => Entity::of_capture(capture.filter(|capture| !capture.head.is_empty())?),
                Err(finding) => Entity::unread(finding.clone()).with_capture(capture),
            };
            Some(inspect(&record.name(), &entity))
        };
        // The list of a document's links can be longer than the document.
        for records in records.chunks(LISTED_AT_ONCE) {
            inspected.failed.extend(inspect_records(records, &inspect_record, found)?);
        }
        for record in &records {
            count = record.number.max(count);
            inspected.broken.add(record, &bytes[record.raw.clone()], start + record.raw.start as u64);
        }
        start += bytes.len() as u64;
        spent = bytes;
    }
    inspected.broken = inspected.broken.of_archive(count);
    Ok(inspected)
}

fn records_of(input: &mut dyn Read, format: Format) -> io::Result<Batches<'_>> {
    let (start, input) = with_start(input)?;
    Ok(Batches::new(Compression::of_archive(&start).decompressed(input, format, |_, _| {})?, format))
}

/// Records of a web archive that could not be inspected.
#[derive(Debug, Default)]
pub struct Inspected {
    /// Numbers of the records on which the program failed, which is a bug.
    pub failed: Vec<u64>,
    /// Incomplete and damaged records.
    pub broken: Broken,
}
