//! Web archives: documents of their records made absolute, in records that are added.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::time::SystemTime;

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::batches::{Batch, Batches};
use crate::compression::Compression;
use crate::conversion::{Run, Source};
use crate::failure::caught;
use crate::findings::message_too_long;
use crate::framing::{Content, Format};
use crate::limits::{RECORD_BYTES, coded_bytes};
use crate::page::Page;
use crate::rewrite::{Report, edits_of};
use crate::spool::Spool;
use crate::stream::{Copied, StreamError, StreamReport, look_at, with_start};
use crate::warc::Record;
use crate::{Code, Entity, Finding, Options, arc, batches};

/// What is written of a web archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WarcOutput {
    /// The archive byte for byte, and behind it conversions of the records whose links change.
    #[default]
    Append,
    /// The conversions only, as an archive of their own.
    Sidecar,
}

/// What a record comes to.
#[derive(Default)]
struct Done {
    report: Report,
    /// Its id, if it is a conversion already.
    known: Option<Uuid>,
    /// A conversion of it, with its id.
    conversion: Option<(Uuid, Vec<u8>)>,
    /// Bytes of its content, if a coding was taken off.
    coded: u64,
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
/// use absolve_rewriter::{Options, rewrite_warc};
/// let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>";
/// let record = format!(
///     "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\n\
///      Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len());
/// let mut out = Vec::new();
/// let report = rewrite_warc(record.as_bytes(), "a.warc", &mut out, &Options::default(), &mut |_| {}).unwrap();
/// assert_eq!(report.changed, 1);
/// let out = String::from_utf8(out).unwrap();
/// assert!(out.starts_with(&record) && out.ends_with("\r\n\r\n<a href=http://h/d/x>\r\n\r\n"));
/// ```
pub fn rewrite_warc(
    input: impl Read,
    name: &str,
    output: &mut dyn Write,
    options: &Options,
    tell: &mut dyn FnMut(Finding),
) -> Result<StreamReport, StreamError> {
    rewrite_archive(input, Format::Warc, name, output, options, tell)
}

/// The same of a web archive in any format; of one that is no WARC the conversions only are written.
pub(crate) fn rewrite_archive(
    input: impl Read,
    format: Format,
    name: &str,
    output: &mut dyn Write,
    options: &Options,
    tell: &mut dyn FnMut(Finding),
) -> Result<StreamReport, StreamError> {
    let (start, mut input) = with_start(input).map_err(StreamError::Read)?;
    let compression = Compression::of(&start);
    let run = Run::new(options, options.warc_date.unwrap_or_else(SystemTime::now));
    let mut spool = Spool::new().map_err(StreamError::Write)?;
    let mut known = HashSet::new();
    let mut version = "WARC/1.1".to_owned();
    let mut total = StreamReport::default();
    let is_wanted = appends(format, options);
    let mut original = Original { digest: Sha256::new(), zeros: 0, output: is_wanted.then_some(&mut *output) };
    let copied = Copied { input: &mut input, copy: &mut original };
    let mut batches = Batches::new(compression.decompressed(copied).map_err(StreamError::Read)?, format);
    let (mut failure, mut coded, mut end) = (None, 0, End::Right);
    loop {
        let Batch { bytes, records } = match batches.next() {
            Ok(Some(batch)) => batch,
            Ok(None) => break,
            Err(error) => {
                failure = Some(readable(error)?);
                break;
            }
        };
        for records in records.chunks(RECORDS_AT_ONCE) {
            let is_room_left = coded <= coded_bytes(total.bytes_in);
            let work = Work { format, bytes, run: &run, compression, options, is_room_left };
            let done: Vec<_> = records.par_iter().map(|record| caught(|| work.done(record))).collect();
            for (record, done) in records.iter().zip(done) {
                total.records += u64::from(record.content.is_new());
                end = End::of(bytes, record).unwrap_or(end);
                let Some(done) = done else {
                    total.failed.push(record.number);
                    continue;
                };
                total.counts += done.report.counts;
                known.extend(done.known);
                coded += done.coded;
                if let Some((id, conversion)) = done.conversion {
                    spool.add(id, &conversion).map_err(StreamError::Write)?;
                }
                done.report.findings.into_iter().for_each(|finding| tell(Finding { record: record.name(), ..finding }));
            }
        }
        total.cut_off = total.cut_off.or(cut_off(&records));
        version = last_version(format, bytes, &records).unwrap_or(version);
        total.bytes_in += bytes.len() as u64;
    }
    if batches.lacks_bytes() {
        total.cut_off.get_or_insert(total.records);
    }
    drop(batches);
    if let Some(error) = failure {
        let record = *total.cut_off.get_or_insert(total.records + 1);
        let finding = Finding::new(Code::RecordCutOff, format!("{error}; what stands from there on is left as it is"));
        tell(Finding { record: record.to_string(), ..finding });
        io::copy(&mut input, &mut original).map_err(StreamError::Read)?;
    }
    let Original { digest, zeros, .. } = original;
    let warcinfo = run.warcinfo(&version, name, &digest.finalize(), options);
    let warcinfo = compression.compressed(warcinfo).map_err(StreamError::Write)?;
    total.bytes_out = if is_wanted { total.bytes_in } else { 0 };
    let is_padded = compression == Compression::Gzip && zeros >= ZEROS_OF_PADDING;
    if is_wanted && (end == End::Garbage || is_padded) {
        total.cut_off.get_or_insert(total.records);
    }
    // Behind a record that breaks off nobody would find them.
    if total.cut_off.is_none() || !is_wanted {
        let before: &[u8] = match (is_wanted, compression, end) {
            (true, Compression::None, End::NoLineEnds) => b"\r\n\r\n",
            _ => b"",
        };
        let written = spool.write(known, before, &warcinfo, output).map_err(StreamError::Write)?;
        (total.changed, total.bytes_out) = (written.conversions, total.bytes_out + written.bytes);
    }
    Ok(total)
}

/// The first record of a batch that breaks off.
fn cut_off(records: &[batches::Record]) -> Option<u64> {
    records.iter().find(|record| record.content == Content::CutOff).map(|record| record.number)
}

/// The version of the standard that the last record of a batch names.
fn last_version(format: Format, bytes: &[u8], records: &[batches::Record]) -> Option<String> {
    records.iter().rev().find_map(|record| match &record.content {
        Content::Record(range) if format == Format::Warc => {
            Some(Record::new(&bytes[range.clone()]).version().to_owned())
        }
        _ => None,
    })
}

/// So many zeros end no member of gzip; tapes are padded with them.
const ZEROS_OF_PADDING: usize = 10;

/// How many records are done together; what they come to is in memory.
const RECORDS_AT_ONCE: usize = 32;

/// How an archive ends, as far as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Right,
    /// The last record lacks the line ends behind it.
    NoLineEnds,
    /// What stands there is no record.
    Garbage,
}

impl End {
    /// `None` if the record tells nothing of it.
    fn of(bytes: &[u8], record: &batches::Record) -> Option<Self> {
        let raw = &bytes[record.raw.clone()];
        match record.content {
            Content::Record(_) if raw.ends_with(b"\n\n") || raw.ends_with(b"\n\r\n") => Some(Self::Right),
            Content::Record(_) => Some(Self::NoLineEnds),
            Content::NoRecord if !raw.trim_ascii().is_empty() => Some(Self::Garbage),
            _ => None,
        }
    }
}

/// Whether the archive itself is written, with conversions behind it.
pub(crate) fn appends(format: Format, options: &Options) -> bool {
    format == Format::Warc && options.warc_output == WarcOutput::Append
}

/// Lets `inspect` look at the documents of a web archive, as `inspect_mbox` does at messages.
pub(crate) fn inspect_archive<T: Send>(
    input: impl Read,
    format: Format,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &Options,
    tell: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Inspected, StreamError> {
    let (start, input) = with_start(input).map_err(StreamError::Read)?;
    let input = Compression::of(&start).decompressed(input).map_err(StreamError::Read)?;
    let mut batches = Batches::new(input, format);
    let mut inspected = Inspected::default();
    while let Some(Batch { bytes, records }) = batches.next().map_err(StreamError::Read)? {
        let look = |record: &batches::Record| match page_of(format, bytes, record) {
            Ok(page) => page.map(|(_, page)| inspect(&record.name(), &page.entity(options))),
            Err(why) => Some(inspect(&record.name(), &Entity::unread(why))),
        };
        // Lists are longer than conversions.
        for records in records.chunks(RECORDS_AT_ONCE / 4) {
            inspected.failed.extend(look_at(records, &look, tell)?);
        }
        inspected.cut_off = inspected.cut_off.or(cut_off(&records));
    }
    Ok(inspected)
}

/// What could not be looked at.
#[derive(Debug, Default)]
pub(crate) struct Inspected {
    /// Records on which the program failed.
    pub(crate) failed: Vec<u64>,
    /// The record that breaks off.
    pub(crate) cut_off: Option<u64>,
}

/// What is the same for the records that are done together.
#[derive(Clone, Copy)]
struct Work<'w> {
    format: Format,
    bytes: &'w [u8],
    run: &'w Run,
    compression: Compression,
    options: &'w Options,
    /// Whether contents may still be decoded.
    is_room_left: bool,
}

impl Work<'_> {
    fn done(&self, record: &batches::Record) -> Done {
        let mut done = Done::default();
        if let (Content::Record(range), Format::Warc) = (&record.content, self.format) {
            done.known = Record::new(&self.bytes[range.clone()]).id_of_conversion();
        }
        match page_of(self.format, self.bytes, record) {
            Ok(None) => {}
            Ok(Some((_, page))) if page.was_coded && !self.is_room_left => done.report.findings.push(too_much_coded()),
            Err(why) => done.report.findings.push(why),
            Ok(Some((source, page))) => {
                done.coded = if page.was_coded { page.content.len() as u64 } else { 0 };
                let edits = edits_of(&page.entity(self.options), self.options, &mut done.report);
                if !edits.is_empty() {
                    match self.run.conversion(&source, &page, &edits.splice(&page.content)) {
                        Some((id, record)) => {
                            done.conversion = self.compression.compressed(record).ok().map(|record| (id, record));
                        }
                        None => done.report.findings.push(heading_too_long()),
                    }
                }
            }
        }
        done
    }
}

fn too_much_coded() -> Finding {
    let message = "the contents of the archive are many times its size without their codings; left as it is";
    Finding::new(Code::ContentCoding, message)
}

fn heading_too_long() -> Finding {
    Finding::new(Code::OutputTooLarge, "its URL is longer than a heading may be; it has no conversion")
}

/// The record and the document in it; an error is what is to be told.
fn page_of<'b>(
    format: Format,
    bytes: &'b [u8],
    record: &batches::Record,
) -> Result<Option<(Source, Page<'b>)>, Finding> {
    match &record.content {
        Content::Record(range) if format == Format::Arc => {
            let Some(record) = arc::Record::new(&bytes[range.clone()]) else { return Ok(None) };
            let (version, target) = ("WARC/1.1".to_owned(), record.url.clone());
            let source = Source { version, id: None, target, truncated: None };
            Ok(Page::of_arc(record)?.map(|page| (source, page)))
        }
        Content::Record(range) => {
            let record = Record::new(&bytes[range.clone()]);
            Ok(Page::of_record(&record)?.map(|page| (record.source(), page)))
        }
        Content::NoRecord if bytes[record.raw.clone()].trim_ascii().is_empty() => Ok(None),
        Content::NoRecord => Err(Finding::new(Code::NotItsType, "no record of a web archive; left as it is")),
        Content::CutOff => Err(Finding::new(Code::RecordCutOff, "the record breaks off; left as it is")),
        Content::TooLong => Err(message_too_long(RECORD_BYTES as u64)),
        Content::Doubtful | Content::MoreOfTooLong => Ok(None),
    }
}

/// The archive as it is read: its digest, how many zeros stand at its end, and where it is written, if that is wanted.
struct Original<'o> {
    digest: Sha256,
    zeros: usize,
    output: Option<&'o mut dyn Write>,
}

impl Write for Original<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.digest.update(bytes);
        let zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
        self.zeros = if zeros == bytes.len() { self.zeros + zeros } else { zeros };
        self.output.as_mut().map_or(Ok(()), |output| output.write_all(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.as_mut().map_or(Ok(()), |output| output.flush())
    }
}

/// An error about the archive itself: what stands before is good. When no space is left for the copy, or nobody listens,
/// nothing is.
fn readable(error: io::Error) -> Result<io::Error, StreamError> {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::BrokenPipe => {
            Err(StreamError::Write(error))
        }
        _ => Ok(error),
    }
}
