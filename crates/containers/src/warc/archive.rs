//! Web archives: documents of their records made absolute, in records that are added or stand in their place.

use std::io::{self, Read, Write};
use std::ops::AddAssign;

use absolve_rewriter::{Entity, Event, Finding};

use crate::batches::{Batch, Batches, Record};
use crate::broken::Broken;
use crate::compression::Compression;
use crate::framing::format::Format;
use crate::limits::LISTED_AT_ONCE;
use crate::stream::{StreamError, StreamReport, look_at, with_start};
use crate::warc::append::{Place, add_conversions};
use crate::warc::derive::derive;
use crate::warc::http::Budget;
use crate::warc::options::{ArchiveOptions, WarcOutput};
use crate::warc::payload::PayloadKind;
use crate::warc::records::{Archive, held_by};

/// What was written of web archives.
///
/// ```
/// assert_eq!(absolve_files::RunReport::default().archives.conversions, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveCounts {
    /// Conversions, behind archives or beside them.
    pub conversions: u64,
    /// Resources in the place of responses.
    pub resources: u64,
    /// Responses of another status than 2xx, which stay as they are.
    pub other_responses: u64,
}

impl ArchiveCounts {
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

/// Makes the links of the documents of a WARC absolute.
///
/// Reads `input`, plain or compressed, called `name`, and writes to `output` what `options` ask for, compressed like the
/// input, each record for itself. Conversions that the input holds already are not made again. Records are done in
/// parallel on the current rayon pool; memory holds some megabytes of them, and the id of each conversion.
///
/// # Errors
///
/// [`StreamError`], which says on which side; what was written until then is not all.
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
    tell: &mut dyn FnMut(Finding),
) -> Result<StreamReport, StreamError> {
    rewrite_archive(input, Format::Warc, name, output, None, options, &mut Event::findings(tell))
}

/// The same of a web archive in any format; of one that is no WARC the conversions only are written. What is no archive with
/// something behind it may be compressed in another way than the input, if that is `asked` for.
pub fn rewrite_archive(
    input: impl Read,
    format: Format,
    name: &str,
    output: &mut dyn Write,
    asked: Option<Compression>,
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    let (start, input) = with_start(input).map_err(StreamError::Read)?;
    let compression = Compression::of_archive(&start);
    let archive = Archive { compression, written: asked.unwrap_or(compression), start, input, format, name };
    match output_of(format, options) {
        WarcOutput::Append => add_conversions(archive, Place::Behind, output, options, tell),
        WarcOutput::Sidecar => add_conversions(archive, Place::Beside, output, options, tell),
        WarcOutput::Resource => derive(archive, output, options, tell, &mut |_| {}),
    }
}

/// What is written of an archive in this format: an ARC holds neither conversions nor resources.
pub fn output_of(format: Format, options: &ArchiveOptions) -> WarcOutput {
    if format == Format::Warc { options.output } else { WarcOutput::Sidecar }
}

/// Lets `inspect` look at the documents of a WARC, plain or compressed, as [`crate::mbox::inspect_mbox`] does at messages, under the
/// names of their records. Returns the records on which it failed.
///
/// # Errors
///
/// [`StreamError`], which says on which side.
///
/// ```
/// use absolve_containers::{ArchiveOptions, inspect_warc};
/// let record = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/\r\nContent-Type: text/html\r\n\
///               Content-Length: 10\r\n\r\n<a href=x>\r\n\r\n";
/// let mut seen = Vec::new();
/// let look = |name: &str, _: &absolve_rewriter::Entity<'_>| name.to_owned();
/// inspect_warc(record.as_bytes(), &look, &ArchiveOptions::default(), &mut |name| Ok(seen.push(name))).unwrap();
/// assert_eq!(seen, ["1"]);
/// ```
pub fn inspect_warc<T: Send>(
    input: impl Read,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Vec<u64>, StreamError> {
    inspect_archive(input, Format::Warc, inspect, options, tell).map(|inspected| inspected.failed)
}

/// Lets `inspect` look at the documents of a web archive, as `inspect_mbox` does at messages.
pub fn inspect_archive<T: Send>(
    input: impl Read,
    format: Format,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Inspected, StreamError> {
    let (start, input) = with_start(input).map_err(StreamError::Read)?;
    let input = Compression::of_archive(&start).decompressed(input, format, |_, _| {}).map_err(StreamError::Read)?;
    let mut batches = Batches::new(input, format);
    let mut inspected = Inspected::default();
    let mut spent = Vec::new();
    while let Some(Batch { bytes, records }) = batches.next(spent).map_err(StreamError::Read)? {
        let room = Budget::new();
        let look = |record: &Record| match held_by(format, &bytes, record, &room) {
            Ok((_, PayloadKind::Payload(page))) => Some(inspect(&record.name(), &page.entity(options))),
            Ok(_) => None,
            Err(why) => Some(inspect(&record.name(), &Entity::unread(why))),
        };
        // Lists are longer than conversions.
        for records in records.chunks(LISTED_AT_ONCE) {
            inspected.failed.extend(look_at(records, &look, tell)?);
        }
        records.iter().for_each(|record| inspected.broken.note(record));
        spent = bytes;
    }
    Ok(inspected)
}

/// What could not be looked at.
#[derive(Debug, Default)]
pub struct Inspected {
    /// Records on which the program failed.
    pub failed: Vec<u64>,
    /// Records that are not whole.
    pub broken: Broken,
}
