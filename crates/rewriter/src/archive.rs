//! Web archives: documents of their records made absolute, in records that are added.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
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
use crate::limits::RECORD_BYTES;
use crate::page::Page;
use crate::rewrite::{Report, edits_of};
use crate::stream::{StreamError, StreamReport, with_start};
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
}

/// Conversions that wait in a temporary file until the end of the archive.
struct Spool {
    file: BufWriter<File>,
    /// The id and the length of each.
    conversions: Vec<(Uuid, u64)>,
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
    let mut digest = Sha256::new();
    let is_wanted = appends(format, options);
    let copied = Copied { input: &mut input, digest: &mut digest, output: &mut *output, is_wanted };
    let mut batches = Batches::new(compression.decompressed(copied).map_err(StreamError::Read)?, format);
    let mut failure = None;
    loop {
        let Batch { bytes, records } = match batches.next() {
            Ok(Some(batch)) => batch,
            Ok(None) => break,
            Err(error) => {
                failure = Some(readable(error)?);
                break;
            }
        };
        let done: Vec<_> = records
            .par_iter()
            .map(|record| caught(|| done(format, bytes, record, &run, compression, options)))
            .collect();
        for (record, done) in records.iter().zip(done) {
            total.records += u64::from(record.content.is_new());
            total.cut_off = total.cut_off.or((record.content == Content::CutOff).then_some(record.number));
            if let (Content::Record(range), Format::Warc) = (&record.content, format) {
                Record::new(&bytes[range.clone()]).version().clone_into(&mut version);
            }
            let Some(done) = done else {
                total.failed.push(record.number);
                continue;
            };
            total.counts += done.report.counts;
            known.extend(done.known);
            if let Some((id, conversion)) = done.conversion {
                spool.add(id, &conversion).map_err(StreamError::Write)?;
            }
            done.report.findings.into_iter().for_each(|finding| tell(Finding { record: record.name(), ..finding }));
        }
        total.bytes_in += bytes.len() as u64;
    }
    drop(batches);
    if let Some(error) = failure {
        let record = *total.cut_off.get_or_insert(total.records + 1);
        let finding = Finding::new(Code::RecordCutOff, format!("{error}; what stands from there on is left as it is"));
        tell(Finding { record: record.to_string(), ..finding });
        let mut rest = Copied { input: &mut input, digest: &mut digest, output: &mut *output, is_wanted };
        io::copy(&mut rest, &mut io::sink()).map_err(StreamError::Read)?;
    }
    let warcinfo = run.warcinfo(&version, name, &digest.finalize(), options);
    let warcinfo = compression.compressed(warcinfo).map_err(StreamError::Write)?;
    // Behind a record that breaks off nobody would find them.
    if total.cut_off.is_none() || !is_wanted {
        total.changed = spool.write(&known, &warcinfo, output).map_err(StreamError::Write)?;
    }
    total.bytes_out = total.bytes_in;
    Ok(total)
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
) -> Result<Vec<u64>, StreamError> {
    let (start, input) = with_start(input).map_err(StreamError::Read)?;
    let input = Compression::of(&start).decompressed(input).map_err(StreamError::Read)?;
    let mut batches = Batches::new(input, format);
    let mut failed = Vec::new();
    while let Some(Batch { bytes, records }) = batches.next().map_err(StreamError::Read)? {
        let look = |record: &batches::Record| match page_of(format, bytes, record) {
            Ok(page) => page.map(|(_, page)| inspect(&record.name(), &page.entity(options))),
            Err(why) => Some(inspect(&record.name(), &Entity::unread(why))),
        };
        let found: Vec<Option<Option<T>>> = records.par_iter().map(|record| caught(|| look(record))).collect();
        for (record, found) in records.iter().zip(found) {
            match found {
                Some(found) => found.map_or(Ok(()), &mut *tell).map_err(StreamError::Write)?,
                None => failed.push(record.number),
            }
        }
    }
    Ok(failed)
}

fn done(
    format: Format,
    bytes: &[u8],
    record: &batches::Record,
    run: &Run,
    compression: Compression,
    options: &Options,
) -> Done {
    let mut done = Done::default();
    if let (Content::Record(range), Format::Warc) = (&record.content, format) {
        done.known = Record::new(&bytes[range.clone()]).id_of_conversion();
    }
    match page_of(format, bytes, record) {
        Ok(None) => {}
        Err(why) => done.report.findings.push(why),
        Ok(Some((source, page))) => {
            let edits = edits_of(&page.entity(options), options, &mut done.report);
            if !edits.is_empty() {
                let converted = run.conversion(source, &page, &edits.splice(&page.content));
                done.conversion = compression.compressed(converted).ok().map(|bytes| (run.id_of(source), bytes));
            }
        }
    }
    done
}

/// The record and the document in it; an error is what is to be told.
fn page_of<'b>(
    format: Format,
    bytes: &'b [u8],
    record: &batches::Record,
) -> Result<Option<(Source<'b>, Page<'b>)>, Finding> {
    match &record.content {
        Content::Record(range) if format == Format::Arc => {
            let Some(record) = arc::Record::new(&bytes[range.clone()]) else { return Ok(None) };
            let source =
                Source { version: "WARC/1.1", id: None, target: record.url, date: record.date, truncated: None };
            Ok(Page::of_arc(&record)?.map(|page| (source, page)))
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

impl Spool {
    fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(tempfile::tempfile()?), conversions: Vec::new() })
    }

    fn add(&mut self, id: Uuid, conversion: &[u8]) -> io::Result<()> {
        self.conversions.push((id, conversion.len() as u64));
        self.file.write_all(conversion)
    }

    /// Writes those that are not known, behind a warcinfo; answers how many they are.
    fn write(self, known: &HashSet<Uuid>, warcinfo: &[u8], output: &mut dyn Write) -> io::Result<u64> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let (mut at, mut written) = (0, 0);
        for (id, length) in self.conversions {
            if !known.contains(&id) {
                if written == 0 {
                    output.write_all(warcinfo)?;
                }
                written += 1;
                file.seek(SeekFrom::Start(at))?;
                io::copy(&mut (&mut file).take(length), output)?;
            }
            at += length;
        }
        Ok(written)
    }
}

/// A reader all of whose bytes are digested, and written if that is wanted.
struct Copied<'c, R> {
    input: &'c mut R,
    digest: &'c mut Sha256,
    output: &'c mut dyn Write,
    is_wanted: bool,
}

impl<R: Read> Read for Copied<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.digest.update(&buffer[..read]);
        if self.is_wanted {
            self.output.write_all(&buffer[..read])?;
        }
        Ok(read)
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
