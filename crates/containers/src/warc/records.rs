//! The records of an archive, one behind the other: what each comes to, found in parallel and handed on in order.

use std::io::{self, Read};

use absolve_links::Edits;
use absolve_rewriter::{Code, Event, Finding, Report, edits_of, message_too_long, note_contents, note_left_alone};
use rayon::prelude::*;

use crate::batches::{Batch, Batches, Record};
use crate::caught::{caught, is_of_system};
use crate::compression::Compression;
use crate::framing::format::Format;
use crate::framing::{Content, arc};
use crate::limits::RECORD_BYTES;
use crate::stream::{StreamError, StreamReport};
use crate::warc::fixity::mismatch;
use crate::warc::header;
use crate::warc::header::Source;
use crate::warc::http::Budget;
use crate::warc::options::{ArchiveOptions, Digests};
use crate::warc::payload::{Payload, PayloadKind};

/// A document whose links change.
pub(crate) struct Change<'b> {
    pub(crate) source: Source,
    pub(crate) page: Payload<'b>,
    /// It with absolute links.
    pub(crate) content: Vec<u8>,
}

/// A record at its place.
pub(crate) struct Placed<'b> {
    pub(crate) record: &'b Record,
    /// All bytes of the record.
    pub(crate) raw: &'b [u8],
    /// Where they begin in what the archive holds.
    pub(crate) start: u64,
    /// The bytes without framing, if it is whole and of a WARC.
    pub(crate) content: Option<&'b [u8]>,
}

/// What an archive turned out to be.
pub(crate) struct Walked {
    pub(crate) total: StreamReport,
    /// The version of the standard that its last record names.
    pub(crate) version: String,
    pub(crate) end: End,
    /// Whether a record that is too long ends before its end.
    pub(crate) lacks_bytes: bool,
}

/// How an archive ends, as far as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Right,
    /// The last record lacks the line ends behind it.
    NoLineEnds,
    /// What stands there is no record.
    Garbage,
    /// It cannot be read to its end.
    Unreadable,
}

/// What becomes of a record and what was made of it; it may tell something.
type Take<'t, T> = dyn FnMut(Placed<'_>, Option<T>, &mut dyn FnMut(Event)) -> io::Result<()> + 't;

/// Reads an archive. Of each change something is made by `make`, in parallel; an error is what is to be told instead.
/// `take` gets the records in order, each with what was made of it.
pub(crate) fn walk<T: Send>(
    batches: Batches<impl Read>,
    format: Format,
    options: &ArchiveOptions,
    make: &(dyn Fn(Change<'_>) -> Result<T, Finding> + Sync),
    tell: &mut dyn FnMut(Event),
    take: &mut Take<'_, T>,
) -> Result<Walked, StreamError> {
    let (version, end) = ("WARC/1.1".to_owned(), End::Right);
    let mut walked = Walked { total: StreamReport::default(), version, end, lacks_bytes: false };
    let work = |Batch { bytes, records }: &Batch| -> Vec<Option<Done<T>>> {
        let work = Work { format, bytes, options, room: Budget::new() };
        records.par_iter().map(|record| caught(|| work.done(record, make))).collect()
    };
    let ended = batches.each(&work, &mut |batch, done| {
        for (record, done) in batch.records.iter().zip(done) {
            let made = walked.note(batch, record, done, tell);
            let start = walked.total.bytes_in + record.raw.start as u64;
            take(Placed::new(format, &batch.bytes, record, start), made, tell).map_err(StreamError::Write)?;
        }
        walked.total.bytes_in += batch.bytes.len() as u64;
        if let Some(version) = last_version(format, batch) {
            walked.version = version;
        }
        Ok(())
    })?;
    walked.lacks_bytes = ended.lacks_bytes;
    let total = &mut walked.total;
    if ended.lacks_bytes {
        total.broken.cut_off.get_or_insert(total.records);
    }
    if let Some(error) = ended.failure {
        let error = of_archive(error)?;
        walked.end = End::Unreadable;
        let record = *total.broken.cut_off.get_or_insert(total.records + 1);
        let held = total.bytes_in;
        let message =
            format!("{error}, behind byte {held} of what the archive holds; what stands from there on is not read");
        tell(Finding { record: record.to_string(), ..Finding::new(Code::RecordCutOff, message) }.into());
    }
    Ok(walked)
}

impl Walked {
    /// Notes what came of a record; answers what was made of it.
    fn note<T>(
        &mut self,
        batch: &Batch,
        record: &Record,
        done: Option<Done<T>>,
        tell: &mut dyn FnMut(Event),
    ) -> Option<T> {
        self.total.records = self.total.records.max(record.number);
        self.total.broken.note(record);
        self.end = End::of(&batch.bytes, record).unwrap_or(self.end);
        let Some(Done { report, is_other_response, made }) = done else {
            self.total.failed.push(record.number);
            return None;
        };
        self.total.counts += report.counts;
        self.total.other_responses += u64::from(is_other_response);
        let byte = self.total.bytes_in + record.raw.start as u64;
        for finding in report.findings {
            let message = match finding.code {
                Code::RecordCutOff => {
                    format!("{}; it begins at byte {byte} of what the archive holds", finding.message)
                }
                _ => finding.message,
            };
            tell(Finding { record: record.name(), message, ..finding }.into());
        }
        let documents = Report { documents: report.documents, ..Report::default() };
        documents.send(&record.name(), tell);
        made
    }
}

/// The record and what it holds; an error is what is to be told.
pub(crate) fn held_by<'b>(
    format: Format,
    bytes: &'b [u8],
    record: &Record,
    room: &Budget,
) -> Result<(Source, PayloadKind<'b>), Finding> {
    let nothing = Ok((Source::default(), PayloadKind::Nothing));
    match &record.content {
        Content::Record(range) if format == Format::Arc => {
            let Some(record) = arc::Record::new(&bytes[range.clone()]) else { return nothing };
            let source = Source { version: "WARC/1.1".to_owned(), target: record.url.clone(), ..Source::default() };
            Ok((source, Payload::of_block(record.url, record.block, room)?))
        }
        Content::Record(range) => {
            let record = header::Record::new(&bytes[range.clone()]);
            let held = Payload::of_record(&record, room)?;
            Ok((if matches!(held, PayloadKind::Payload(_)) { record.source() } else { Source::default() }, held))
        }
        Content::NoRecord if bytes[record.raw.clone()].trim_ascii().is_empty() => nothing,
        Content::NoRecord => Err(Finding::new(Code::NotItsType, "no record of a web archive; left as it is")),
        Content::CutOff => Err(Finding::new(Code::RecordCutOff, "the record breaks off; left as it is")),
        Content::Damaged(damage) => Err(Finding::new(Code::RecordDamaged, damage.to_string())),
        Content::TooLong => Err(message_too_long(RECORD_BYTES as u64)),
        Content::Doubtful | Content::MoreOfTooLong => nothing,
    }
}

impl<'b> Placed<'b> {
    fn new(format: Format, bytes: &'b [u8], record: &'b Record, start: u64) -> Self {
        let content = match &record.content {
            Content::Record(range) if format == Format::Warc => Some(&bytes[range.clone()]),
            _ => None,
        };
        Self { record, raw: &bytes[record.raw.clone()], start, content }
    }
}

impl End {
    /// `None` if the record tells nothing of it.
    fn of(bytes: &[u8], record: &Record) -> Option<Self> {
        let raw = &bytes[record.raw.clone()];
        match record.content {
            Content::Record(_) if raw.ends_with(b"\n\n") || raw.ends_with(b"\n\r\n") => Some(Self::Right),
            Content::Record(_) => Some(Self::NoLineEnds),
            Content::NoRecord if !raw.trim_ascii().is_empty() => Some(Self::Garbage),
            Content::Damaged(_) => Some(Self::Right),
            _ => None,
        }
    }
}

/// What is the same for the records that are done together.
struct Work<'w> {
    format: Format,
    bytes: &'w [u8],
    options: &'w ArchiveOptions,
    room: Budget,
}

/// What a record comes to.
struct Done<T> {
    report: Report,
    is_other_response: bool,
    made: Option<T>,
}

impl Work<'_> {
    fn done<T>(&self, record: &Record, make: &(dyn Fn(Change<'_>) -> Result<T, Finding> + Sync)) -> Done<T> {
        let mut done = Done { report: Report::default(), is_other_response: false, made: None };
        match held_by(self.format, self.bytes, record, &self.room) {
            Ok((_, PayloadKind::Nothing)) => {}
            Ok((_, PayloadKind::OtherResponse)) => done.is_other_response = true,
            Err(why) => done.report.findings.push(why),
            Ok((source, PayloadKind::Payload(page))) => {
                let mismatch = || match &record.content {
                    Content::Record(range) if self.format == Format::Warc => {
                        mismatch(&header::Record::new(&self.bytes[range.clone()]), &page)
                    }
                    _ => None,
                };
                if let Some(content) = rewritten(&page, self.options, &mut done.report, mismatch) {
                    match make(Change { source, page, content }) {
                        Ok(made) => done.made = Some(made),
                        Err(why) => done.report.keep_all(why),
                    }
                }
            }
        }
        note_left_alone(&mut done.report, &self.options.documents);
        done
    }
}

/// The content of a page with absolute links; `None` if nothing changes. Where something would, `mismatch` may tell that the
/// record is not what it says of itself.
pub(crate) fn rewritten(
    page: &Payload<'_>,
    options: &ArchiveOptions,
    report: &mut Report,
    mismatch: impl FnOnce() -> Option<String>,
) -> Option<Vec<u8>> {
    let mut edits = edits_of(&page.entity(options), &options.documents, report);
    if let Some(why) = if edits.is_empty() { None } else { mismatch() } {
        let finding = |what_then| Finding::new(Code::RecordDigest, format!("{why}; {what_then}"));
        match options.digests {
            Digests::Heed => {
                edits = Edits::default();
                report.keep_all(finding("left as it is (--ignore-digests changes it)"));
            }
            Digests::Ignore => report.findings.push(finding("changed all the same")),
        }
    }
    let content = (!edits.is_empty()).then(|| page.edited(&edits));
    note_contents(report, &options.documents, page.content(), content.as_deref());
    content
}

/// What is told of a document whose URL no heading can hold.
pub(crate) fn heading_too_long() -> Finding {
    Finding::new(Code::OutputTooLarge, "its URL is longer than a heading may be; it is left as it is")
}

/// The version of the standard that the last record of a batch names.
fn last_version(format: Format, Batch { bytes, records }: &Batch) -> Option<String> {
    records.iter().rev().find_map(|record| match &record.content {
        Content::Record(range) if format == Format::Warc => {
            Some(header::Record::new(&bytes[range.clone()]).version().to_owned())
        }
        _ => None,
    })
}

/// An error about the archive itself: what stands before is good. When the system fails, nothing is.
fn of_archive(error: io::Error) -> Result<io::Error, StreamError> {
    match StreamError::reading(error) {
        StreamError::Read(error) if !is_of_system(&error) => Ok(error),
        error => Err(error),
    }
}

/// An archive that is read.
pub(crate) struct Archive<'a, R> {
    /// Its first bytes, which `input` gives as well.
    pub(crate) start: Vec<u8>,
    pub(crate) input: R,
    pub(crate) compression: Compression,
    /// How what is written of it is compressed.
    pub(crate) written: Compression,
    pub(crate) format: Format,
    pub(crate) name: &'a str,
}
