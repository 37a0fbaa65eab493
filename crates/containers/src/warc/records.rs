//! The records of an archive, processed in parallel and passed on in order.

use std::io::{self, Read};

use absolve_framing::{
    ArchiveFormat, Batch, Batches, Compression, Content, DEFAULT_VERSION, RECORDS, Record, WarcRecord, wrong_digest,
};
use absolve_rewriter::internal::{Entity, Event, Plan, Report, plan};
use absolve_rewriter::results::{Done, Remedy};
use absolve_rewriter::{Code, Finding};
use uuid::Uuid;

use crate::batches::{StreamEnd, Stretch, each};
use crate::caught::is_system_error;
use crate::stream::{StreamError, StreamReport, Tee};
use crate::warc::capture::RawCapture;
use crate::warc::options::{ArchiveOptions, Digests};
use crate::warc::payload::{Payload, PayloadKind};
use crate::warc::record::{ArchiveRecord, payload_of, warc_record};
use crate::warc::source::{Source, conversion_id};

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
type TakePlaced<'t, T> = dyn FnMut(Placed<'_>, Option<T>, &mut dyn FnMut(Event)) -> io::Result<()> + 't;

/// Reads an archive, and passes its raw bytes to `capture`, even those behind what is unreadable. Applies `make` to each change in
/// parallel. Passes all records to `take`, in order, with the value that was made.
pub(crate) fn walk<T: Send>(
    Archive { mut input, compression, format, .. }: Archive<'_>,
    capture: &RawCapture<'_>,
    options: &ArchiveOptions,
    make: &Make<'_, T>,
    events: &mut dyn FnMut(Event),
    take: &mut TakePlaced<'_, T>,
) -> Result<WalkResult, StreamError> {
    let (captured, ends) = (Tee { input: &mut input, copy: capture.clone() }, capture.clone());
    let member_end = move |decoded, file| ends.add_member_end(decoded, file);
    let decompressed =
        compression.decompressed(Box::new(captured), format, member_end).map_err(StreamError::reading)?;
    let batches = Batches::new(decompressed, format);
    let (mut version, mut end) = (DEFAULT_VERSION.to_owned(), End::Complete);
    let work = |batch: &Batch, record: &Record| process(format, batch, record, options, make);
    let (mut total, stream_end) = each(batches, RECORDS, &work, &mut |total, stretch, results| {
        let Stretch { start, bytes, records } = stretch;
        for (record, result) in records.iter().zip(results) {
            let Processed { report, is_other_response, made, conversion } = result.unwrap_or_default();
            let (raw, start) = (&bytes[record.raw.clone()], start + record.raw.start as u64);
            let rewritten = report.counts.rewritten;
            total.counts += report.counts;
            total.other_responses += u64::from(is_other_response);
            send(report, record, start, events);
            let content = warc_record(format, bytes, record);
            take(Placed { record, raw, start, content, conversion, rewritten }, made, events)?;
        }
        end = records.iter().rev().find_map(|record| End::after(bytes, record)).unwrap_or(end);
        if let Some(last) = records.iter().rev().find_map(|record| warc_record(format, bytes, record)) {
            version = WarcRecord::new(last).version().to_owned();
        }
        Ok(())
    })?;
    let StreamEnd { broken, failure, is_truncated, .. } = stream_end;
    total.broken = broken.of_archive(total.records);
    if is_truncated {
        total.broken.end_in(total.records, total.bytes_in);
    }
    if let Some(error) = failure {
        let error = archive_error(error)?;
        end = End::Unreadable;
        let record = total.broken.end_in(total.records + 1, total.bytes_in);
        let message = format!("{error}; nothing after byte {} of the decompressed archive is read", total.bytes_in);
        events(Finding { record: record.to_string(), ..Finding::new(Code::RecordCutOff, message) }.into());
        capture.stop_holding();
        let mut rest = Tee { input: &mut input, copy: capture.clone() };
        io::copy(&mut rest, &mut io::sink()).map_err(StreamError::reading)?;
    }
    Ok(WalkResult { total, version, end, is_truncated })
}

/// Reports the findings and documents of a record that begins at byte `start`.
fn send(mut report: Report, record: &Record, start: u64, events: &mut dyn FnMut(Event)) {
    for finding in report.findings.iter_mut().filter(|finding| finding.code == Code::RecordCutOff) {
        finding.message = format!("{}; it begins at byte {start} of the decompressed archive", finding.sentence());
        finding.done = Done::AsSaid;
    }
    report.send(&record.name(), events);
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

/// A processed record.
struct Processed<T> {
    report: Report,
    is_other_response: bool,
    /// The value made from the record, if its links change.
    made: Option<T>,
    /// Its id, if it is a conversion.
    conversion: Option<Uuid>,
}

impl<T> Default for Processed<T> {
    fn default() -> Self {
        Self { report: Report::default(), is_other_response: false, made: None, conversion: None }
    }
}

fn process<T>(
    format: ArchiveFormat,
    batch: &Batch,
    record: &Record,
    options: &ArchiveOptions,
    make: &Make<'_, T>,
) -> Processed<T> {
    let parsed = ArchiveRecord::new(format, &batch.bytes, record);
    let warc = parsed.as_ref().and_then(ArchiveRecord::warc);
    let conversion = warc.and_then(conversion_id);
    let mut processed = Processed { conversion, ..Processed::default() };
    match payload_of(parsed.as_ref(), batch, record) {
        Ok(PayloadKind::Nothing) => {}
        Ok(PayloadKind::OtherResponse) => processed.is_other_response = true,
        Err(why) => (_, processed.report) = plan(&Entity::unread(why), &options.documents).finish(),
        Ok(PayloadKind::Payload(payload)) => {
            let (mut plan, content) = rewritten_content(&payload, options, || wrong_digest(warc?, &payload.document));
            if let Some(content) = content {
                let source = parsed.as_ref().map(ArchiveRecord::source).unwrap_or_default();
                match make(Change { source, payload, content }) {
                    Ok(made) => processed.made = Some(made),
                    Err(why) => plan.veto(why),
                }
            }
            (_, processed.report) = plan.finish();
        }
    }
    processed
}

/// Returns what becomes of the links of a payload, and its content with absolute links, or `None` if nothing changes. Where links would
/// change, `mismatch` returns a description of a wrong digest of the record.
pub(crate) fn rewritten_content(
    payload: &Payload<'_>,
    options: &ArchiveOptions,
    mismatch: impl FnOnce() -> Option<String>,
) -> (Plan, Option<Vec<u8>>) {
    let mut plan = plan(&payload.entity(options), &options.documents);
    if let Some(why) = if plan.edits().is_empty() { None } else { mismatch() } {
        match options.digests {
            Digests::Check => {
                plan.veto(Finding::left_unchanged(Code::RecordDigest, why).with_remedy(Remedy::IgnoreDigests));
            }
            Digests::Ignore => {
                plan.add_finding(Finding::new(Code::RecordDigest, format!("{why}; changed nevertheless")));
            }
        }
    }
    payload.digest(&mut plan);
    let content = (!plan.edits().is_empty()).then(|| payload.edited(plan.edits()));
    (plan, content)
}

/// Returns the finding about a record whose URL is too long for a header.
pub(crate) fn header_too_long() -> Finding {
    Finding::left_unchanged(Code::OutputTooLarge, "its URL is too long for a WARC header")
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
    pub(crate) format: ArchiveFormat,
    pub(crate) name: &'a str,
}
