//! The records of an archive, processed in parallel and passed on in order.

use std::io::{self, Read};

use absolve_links::Edits;
use absolve_rewriter::{
    Capture, Code, Event, Finding, Remedy, Report, edits_of, message_too_long, note_contents, note_left_alone,
};
use uuid::Uuid;

use crate::batches::budget::Budget;
use crate::batches::{Batch, Batches, Record};
use crate::caught::is_system_error;
use crate::compression::Compression;
use crate::framing::format::Format;
use crate::framing::{Content, arc};
use crate::limits::RECORD_BYTES;
use crate::stream::{StreamError, StreamReport};
use crate::warc::fixity::mismatch;
use crate::warc::header;
use crate::warc::header::Source;
use crate::warc::http::Response;
use crate::warc::options::{ArchiveOptions, Digests};
use crate::warc::payload::{Payload, PayloadKind};

/// A document whose links change.
pub(crate) struct Change<'b> {
    pub(crate) source: Source,
    pub(crate) payload: Payload<'b>,
    /// The content with absolute links.
    pub(crate) content: Vec<u8>,
}

/// A record and its place in the archive.
pub(crate) struct Placed<'b> {
    pub(crate) record: &'b Record,
    /// All bytes of the record.
    pub(crate) raw: &'b [u8],
    /// Offset in the decompressed archive.
    pub(crate) start: u64,
    /// The bytes without framing, if it is a complete WARC record.
    pub(crate) content: Option<&'b [u8]>,
    /// Its id, if it is a conversion.
    pub(crate) conversion: Option<Uuid>,
    /// The number of its links that become absolute.
    pub(crate) rewritten: u64,
}

/// The result of reading an archive.
pub(crate) struct WalkResult {
    pub(crate) total: StreamReport,
    /// The version of the last record, such as `WARC/1.1`.
    pub(crate) version: String,
    pub(crate) end: End,
    /// Whether the archive ends within a too-long record.
    pub(crate) is_truncated: bool,
}

/// The end of an archive, as far as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Complete,
    /// The line ends after the last record are missing.
    NoLineEnds,
    /// A read error.
    Unreadable,
}

/// Makes a value from a change. Its error is a finding, and the record is left unchanged.
type Make<'m, T> = dyn Fn(Change<'_>) -> Result<T, Finding> + Sync + 'm;

/// Receives each record with the value made from it, and may report events.
type Take<'t, T> = dyn FnMut(Placed<'_>, Option<T>, &mut dyn FnMut(Event)) -> io::Result<()> + 't;

/// Reads an archive. Applies `make` to each change in parallel. Passes all records to `take`, in order, with the value that was
/// made.
pub(crate) fn walk<T: Send>(
    batches: Batches<'_>,
    format: Format,
    options: &ArchiveOptions,
    make: &Make<'_, T>,
    events: &mut dyn FnMut(Event),
    take: &mut Take<'_, T>,
) -> Result<WalkResult, StreamError> {
    let (version, end) = (DEFAULT_VERSION.to_owned(), End::Complete);
    let mut result = WalkResult { total: StreamReport::default(), version, end, is_truncated: false };
    let process = |batch: &Batch, record: &Record| Context { format, batch, options }.process(record, make);
    let stream_end = batches.each(&process, &mut |batch, processed| {
        for (record, processed) in batch.records.iter().zip(processed) {
            let conversion = processed.as_ref().and_then(|processed| processed.conversion);
            let (raw, start) = (&batch.bytes[record.raw.clone()], result.total.bytes_in + record.raw.start as u64);
            result.total.broken.add(record, raw, start);
            let rewritten = processed.as_ref().map_or(0, |processed| processed.report.counts.rewritten);
            let made = result.add(record, processed, events);
            let content = warc_record(format, &batch.bytes, record);
            take(Placed { record, raw, start, content, conversion, rewritten }, made, events)
                .map_err(StreamError::Write)?;
        }
        result.total.bytes_in += batch.bytes.len() as u64;
        result.end =
            batch.records.iter().rev().find_map(|record| End::after(&batch.bytes, record)).unwrap_or(result.end);
        if let Some(version) = last_version(format, batch) {
            result.version = version;
        }
        Ok(())
    })?;
    result.is_truncated = stream_end.is_truncated;
    let total = &mut result.total;
    total.broken = total.broken.of_archive(total.records);
    if stream_end.is_truncated {
        total.broken.end_in(total.records, total.bytes_in);
    }
    if let Some(error) = stream_end.failure {
        let error = archive_error(error)?;
        result.end = End::Unreadable;
        let record = total.broken.end_in(total.records + 1, total.bytes_in);
        let message = format!("{error}; nothing after byte {} of the decompressed archive is read", total.bytes_in);
        events(Finding { record: record.to_string(), ..Finding::new(Code::RecordCutOff, message) }.into());
    }
    Ok(result)
}

impl WalkResult {
    /// Adds a processed record. Returns the value made from it.
    fn add<T>(&mut self, record: &Record, processed: Option<Processed<T>>, events: &mut dyn FnMut(Event)) -> Option<T> {
        self.total.records = self.total.records.max(record.number);
        let byte = self.total.bytes_in + record.raw.start as u64;
        let Some(Processed { report, is_other_response, made, .. }) = processed else {
            self.total.failed.push(record.number);
            return None;
        };
        self.total.counts += report.counts;
        self.total.other_responses += u64::from(is_other_response);
        for finding in report.findings {
            let message = match finding.code {
                Code::RecordCutOff => {
                    format!("{}; it begins at byte {byte} of the decompressed archive", finding.message)
                }
                _ => finding.message,
            };
            events(Finding { record: record.name(), message, ..finding }.into());
        }
        let documents = Report { documents: report.documents, ..Report::default() };
        documents.send(&record.name(), events);
        made
    }
}

/// Version of the records that are written for an ARC, or for a WARC without records.
pub(crate) const DEFAULT_VERSION: &str = "WARC/1.1";

/// Returns the payload of a record, or the finding about an unreadable one. `warc` is the record itself if it is of a WARC.
pub(crate) fn payload_of<'b>(
    format: Format,
    bytes: &'b [u8],
    record: &Record,
    warc: Option<&header::Record<'b>>,
    budget: &Budget,
) -> Result<PayloadKind<'b>, Finding> {
    let nothing = Ok(PayloadKind::Nothing);
    match &record.content {
        Content::Record(range) if format == Format::Arc => match arc::Record::new(&bytes[range.clone()]) {
            Some(record) => Payload::of_response(record.url, record.block, budget),
            None => nothing,
        },
        Content::Record(_) => warc.map_or(nothing, |record| Payload::of_record(record, budget)),
        Content::NoRecord if record.is_stray(&bytes[record.raw.clone()]) => {
            Err(Finding::new(Code::NotItsType, "not a record of a web archive; left unchanged"))
        }
        Content::CutOff => Err(Finding::new(Code::RecordCutOff, "the record is cut off; left unchanged")),
        Content::Damaged(damage) => Err(Finding::new(Code::RecordDamaged, damage.to_string())),
        Content::TooLong => Err(message_too_long(RECORD_BYTES as u64)),
        Content::NoRecord | Content::Ambiguous | Content::TwoPieces(..) => nothing,
        Content::FileHeader | Content::TooLongContinued => nothing,
    }
}

/// Returns the header fields of a record with a payload.
fn source_of(bytes: &[u8], record: &Record, warc: Option<&header::Record<'_>>) -> Source {
    match (&record.content, warc) {
        (_, Some(record)) => record.source(),
        (Content::Record(range), None) => {
            let target = arc::Record::new(&bytes[range.clone()]).map(|record| record.url).unwrap_or_default();
            Source { version: DEFAULT_VERSION.to_owned(), target, ..Source::default() }
        }
        _ => Source::default(),
    }
}

/// Returns what a record says of its entity, with the header of its response, if it is complete.
pub(crate) fn capture_of<'b>(format: Format, bytes: &'b [u8], record: &Record) -> Option<Capture<'b>> {
    let Content::Record(range) = &record.content else { return None };
    let bytes = &bytes[range.clone()];
    let head = |block: &'b [u8]| Response::read(block).map_or(&b""[..], |response| response.head);
    if format == Format::Arc {
        let record = arc::Record::new(bytes)?;
        return Some(Capture::new(record.url).with_record(record.date, None).with_head(head(record.block)));
    }
    let record = header::Record::new(bytes);
    if record.field("WARC-Segment-Number").is_some() {
        return None;
    }
    // What is no URL of a document is no base either.
    let capture = Capture::new(record.target().or_else(|| record.url()).unwrap_or_default());
    let capture = capture.with_record(record.field("WARC-Date"), record.field("WARC-Record-ID"));
    let is_response = record.is("WARC-Type", "response");
    Some(if is_response { capture.with_head(head(record.block)) } else { capture })
}

/// Returns the bytes of a record without framing, if it is a complete WARC record.
pub(crate) fn warc_record<'b>(format: Format, bytes: &'b [u8], record: &Record) -> Option<&'b [u8]> {
    match &record.content {
        Content::Record(range) if format == Format::Warc => Some(&bytes[range.clone()]),
        _ => None,
    }
}

impl End {
    /// Returns the end of an archive that ends with this record; `None` if an earlier record decides.
    fn after(bytes: &[u8], record: &Record) -> Option<Self> {
        let raw = &bytes[record.raw.clone()];
        match record.content {
            Content::Record(_) if raw.ends_with(b"\n\n") || raw.ends_with(b"\n\r\n") => Some(Self::Complete),
            Content::Record(_) => Some(Self::NoLineEnds),
            Content::Damaged(_) => Some(Self::Complete),
            _ => None,
        }
    }
}

/// The values that the records of a batch share.
struct Context<'w> {
    format: Format,
    batch: &'w Batch,
    options: &'w ArchiveOptions,
}

/// A processed record.
struct Processed<T> {
    report: Report,
    is_other_response: bool,
    /// The value made from the record, if its links change.
    made: Option<T>,
    /// Its id, if it is a conversion.
    conversion: Option<Uuid>,
}

impl Context<'_> {
    fn process<T>(&self, record: &Record, make: &Make<'_, T>) -> Processed<T> {
        let Self { format, batch: Batch { bytes, budget, .. }, options } = *self;
        let warc = warc_record(format, bytes, record).map(header::Record::new);
        let conversion = warc.as_ref().and_then(header::Record::conversion_id);
        let mut processed = Processed { report: Report::default(), is_other_response: false, made: None, conversion };
        match payload_of(format, bytes, record, warc.as_ref(), budget) {
            Ok(PayloadKind::Nothing) => {}
            Ok(PayloadKind::OtherResponse) => processed.is_other_response = true,
            Err(finding) => processed.report.findings.push(finding),
            Ok(PayloadKind::Payload(payload)) => {
                let mismatch = || mismatch(warc.as_ref()?, &payload);
                if let Some(content) = rewritten_content(&payload, options, &mut processed.report, mismatch) {
                    let source = source_of(bytes, record, warc.as_ref());
                    match make(Change { source, payload, content }) {
                        Ok(made) => processed.made = Some(made),
                        Err(finding) => processed.report.keep_all(finding),
                    }
                }
            }
        }
        note_left_alone(&mut processed.report, &options.documents);
        processed
    }
}

/// Returns the content of a payload with absolute links, or `None` if nothing changes. Where links would change, `mismatch`
/// returns a description of a wrong digest of the record.
pub(crate) fn rewritten_content(
    payload: &Payload<'_>,
    options: &ArchiveOptions,
    report: &mut Report,
    mismatch: impl FnOnce() -> Option<String>,
) -> Option<Vec<u8>> {
    let mut edits = edits_of(&payload.entity(options), &options.documents, report);
    if let Some(why) = if edits.is_empty() { None } else { mismatch() } {
        match options.digests {
            Digests::Heed => {
                edits = Edits::default();
                let finding = Finding::left_unchanged(Code::RecordDigest, why);
                report.keep_all(finding.with_remedy(Remedy::IgnoreDigests));
            }
            Digests::Ignore => {
                report.findings.push(Finding::new(Code::RecordDigest, format!("{why}; changed nevertheless")));
            }
        }
    }
    let content = (!edits.is_empty()).then(|| payload.edited(&edits));
    note_contents(report, &options.documents, payload.content(), content.as_deref());
    content
}

/// Returns the finding about a record whose URL is too long for a header.
pub(crate) fn header_too_long() -> Finding {
    Finding::new(Code::OutputTooLarge, "its URL is too long for a WARC header; left unchanged")
}

/// Returns the version of the last record of a batch.
fn last_version(format: Format, Batch { bytes, records, .. }: &Batch) -> Option<String> {
    let last = records.iter().rev().find_map(|record| warc_record(format, bytes, record))?;
    Some(header::Record::new(last).version().to_owned())
}

/// Returns an error in the data of the archive: the records before it are good. Any other error fails the archive.
fn archive_error(error: io::Error) -> Result<io::Error, StreamError> {
    match StreamError::reading(error) {
        StreamError::Read(error) if !is_system_error(&error) => Ok(error),
        error => Err(error),
    }
}

/// An open archive.
pub(crate) struct Archive<'a> {
    /// The first bytes of `input`.
    pub(crate) start: Vec<u8>,
    pub(crate) input: Box<dyn Read + 'a>,
    pub(crate) compression: Compression,
    /// Compression of the records written.
    pub(crate) output_compression: Compression,
    pub(crate) format: Format,
    pub(crate) name: &'a str,
}
