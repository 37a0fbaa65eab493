//! Containers that are read from their beginning to their end: mbox, plain or compressed.

use std::error;
use std::fmt;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::ops::AddAssign;

use absolve_links::Edits;
use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;

use crate::archive::Broken;
use crate::batches::{Batch, Batches, Record};
use crate::compression::{gunzipped, is_gzip};
use crate::documents::{Told, note_digests, note_left_alone};
use crate::failure::caught;
use crate::findings::{message_too_long, packed};
use crate::framing::{Content, Format};
use crate::limits::MESSAGE_BYTES;
use crate::mbox::{brings_forth_separator, may_bring_forth_separator};
use crate::note::Stretch;
use crate::rewrite::{Counts, Report, edits_of};
use crate::temporary::Temporary;
use crate::{Code, Entity, Finding, Options};

/// What came of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamReport {
    /// All links of all documents.
    pub counts: Counts,
    /// Messages that were read.
    pub records: u64,
    /// Messages that changed.
    pub changed: u64,
    /// Bytes that were read, without compression.
    pub bytes_in: u64,
    /// The same bytes rewritten.
    pub bytes_out: u64,
    /// Responses of a web archive that have another status than 2xx; they are left as they are.
    pub other_responses: u64,
    /// Records of a web archive that are not whole.
    pub broken: Broken,
    /// Messages on which the program failed, which is a bug; they are left as they are.
    pub failed: Vec<u64>,
}

impl StreamReport {
    /// Whether all of it could be done.
    pub(crate) fn is_whole(&self) -> bool {
        self.broken == Broken::default() && self.failed.is_empty()
    }
}

impl AddAssign for StreamReport {
    fn add_assign(&mut self, other: Self) {
        self.counts += other.counts;
        self.records += other.records;
        self.changed += other.changed;
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
        self.other_responses += other.other_responses;
        self.broken = self.broken.or(other.broken);
        self.failed.extend(other.failed);
    }
}

/// Why a stream could not be done.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// It could not be read.
    Read(io::Error),
    /// The result could not be written.
    Write(io::Error),
}

impl fmt::Display for StreamError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(formatter, "cannot read: {error}"),
            Self::Write(error) => write!(formatter, "cannot write: {error}"),
        }
    }
}

impl StreamError {
    /// The error of reading through [`Copied`], which may be that of its copy.
    pub(crate) fn reading(error: io::Error) -> Self {
        match error.downcast::<Uncopied>() {
            Ok(Uncopied(error)) => Self::Write(error),
            Err(error) => Self::Read(error),
        }
    }
}

impl error::Error for StreamError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) => Some(error),
        }
    }
}

/// Makes the links of the messages of an mbox absolute.
///
/// Reads `input`, gunzips it when it is compressed, and writes the same mbox to `output`, compressed when `input` is;
/// then both wait in temporary files, so that without changes it is `input` itself that is written. The messages are done
/// in parallel on the current rayon pool and written in order; memory holds some megabytes of them. What is to be told goes
/// to `tell`, with the number of the message, counted from 1, as its record.
///
/// # Errors
///
/// [`StreamError`], which says on which side; what was written until then is not all.
///
/// ```
/// use absolve_rewriter::{Options, rewrite_mbox};
/// let mbox = b"From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n\n";
/// let mut out = Vec::new();
/// let report = rewrite_mbox(&mbox[..], &mut out, &Options::default(), &mut |_| {}).unwrap();
/// assert_eq!(report.changed, 1);
/// assert!(out.ends_with(b"<a href=http://h/x>\n\n"));
/// ```
pub fn rewrite_mbox(
    input: impl Read,
    output: &mut dyn Write,
    options: &Options,
    tell: &mut dyn FnMut(Finding),
) -> Result<StreamReport, StreamError> {
    rewrite_watched_mbox(input, output, options, &mut Told::findings(tell), None)
}

/// What is to see each record and its edits, in order.
pub(crate) type Watch<'w> = dyn FnMut(Stretch<'_>) -> io::Result<()> + 'w;

/// The same; of a plain mbox, `watch` sees all bytes.
pub(crate) fn rewrite_watched_mbox(
    input: impl Read,
    output: &mut dyn Write,
    options: &Options,
    tell: &mut dyn FnMut(Told),
    watch: Option<&mut Watch<'_>>,
) -> Result<StreamReport, StreamError> {
    let (start, input) = with_start(input).map_err(StreamError::Read)?;
    if !is_gzip(&start) {
        return rewrite_messages(input, output, options, tell, watch);
    }
    let original = Temporary::new().map_err(StreamError::Write)?;
    let rewritten = Temporary::new().map_err(StreamError::Write)?;
    let mut encoder = GzEncoder::new(BufWriter::new(&rewritten), Compression::default());
    let input = gunzipped(Copied { input, copy: &original });
    let report = rewrite_messages(input, &mut encoder, options, tell, None)?;
    encoder.finish().and_then(|mut file| file.flush()).map_err(StreamError::Write)?;
    let mut result = if report.changed > 0 { &rewritten } else { &original };
    result.rewind().and_then(|()| io::copy(&mut result, output)).map_err(StreamError::Write)?;
    Ok(report)
}

/// Lets `inspect` look at the messages of an mbox, in parallel, and hands what it found to `tell`, in order. `inspect`
/// gets the number of the message, counted from 1; what `options` make of the message may be the reason that it stays. Answers on which messages the program failed, which is a bug.
///
/// # Errors
///
/// [`StreamError`], with [`StreamError::Write`] for an error of `tell`.
///
/// ```
/// use absolve_rewriter::{Options, inspect_mbox};
/// let mbox = b"From a@b Thu Jan  1 00:00:00 1998\nSubject: x\n\nFrom a@b Thu Jan  1 00:00:00 1998\nSubject: y\n\n";
/// let mut seen = Vec::new();
/// let look = |number: &str, _: &absolve_rewriter::Entity<'_>| number.to_owned();
/// inspect_mbox(&mbox[..], &look, &Options::default(), &mut |number| Ok(seen.push(number))).unwrap();
/// assert_eq!(seen, ["1", "2"]);
/// ```
pub fn inspect_mbox<T: Send>(
    input: impl Read,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &Options,
    tell: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Vec<u64>, StreamError> {
    let (start, input) = with_start(input).map_err(StreamError::Read)?;
    let input: Box<dyn Read> = if is_gzip(&start) { Box::new(gunzipped(input)) } else { Box::new(input) };
    let mut batches = Batches::new(input, Format::Mbox);
    let mut failed = Vec::new();
    let mut spent = Vec::new();
    while let Some(Batch { bytes, records }) = batches.next(spent).map_err(StreamError::Read)? {
        let look = |record: &Record| match entity_of(&bytes, record) {
            Ok((mut entity, _)) => {
                if may_bring_forth_separator(entity.bytes) {
                    let edits = edits_of(&entity, options, &mut Report::default());
                    entity.findings.extend(brings_forth_separator(entity.bytes, &edits).then(separator_made));
                }
                Some(inspect(&record.name(), &entity))
            }
            Err(why) => Some(inspect(&record.name(), &Entity::unread(why?))),
        };
        failed.extend(look_at(&records, &look, tell)?);
        spent = bytes;
    }
    Ok(failed)
}

/// Lets `look` look at records in parallel, and hands what it saw to `tell`, in order; answers on which it failed.
pub(crate) fn look_at<T: Send>(
    records: &[Record],
    look: &(dyn Fn(&Record) -> Option<T> + Sync),
    tell: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Vec<u64>, StreamError> {
    let mut failed = Vec::new();
    let found: Vec<Option<Option<T>>> = records.par_iter().map(|record| caught(|| look(record))).collect();
    for (record, found) in records.iter().zip(found) {
        match found {
            Some(found) => found.map_or(Ok(()), &mut *tell).map_err(StreamError::Write)?,
            None => failed.push(record.number),
        }
    }
    Ok(failed)
}

/// How many of the first bytes of a stream tell what it is.
pub(crate) const START: u64 = 16 << 10;

/// The first bytes of a reader, and all of it.
pub(crate) fn with_start<R: Read>(mut input: R) -> io::Result<(Vec<u8>, impl Read)> {
    let mut start = Vec::new();
    (&mut input).take(START).read_to_end(&mut start)?;
    Ok((start.clone(), io::Cursor::new(start).chain(input)))
}

/// A reader all of whose bytes are copied.
pub(crate) struct Copied<R, W> {
    pub(crate) input: R,
    pub(crate) copy: W,
}

impl<R: Read, W: Write> Read for Copied<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let copied = self.copy.write_all(&buffer[..read]);
        copied.map_err(|error| io::Error::new(error.kind(), Uncopied(error)))?;
        Ok(read)
    }
}

/// Why a copy could not be written of what was read.
#[derive(Debug)]
struct Uncopied(io::Error);

impl fmt::Display for Uncopied {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl error::Error for Uncopied {}

fn rewrite_messages(
    input: impl Read,
    output: &mut dyn Write,
    options: &Options,
    tell: &mut dyn FnMut(Told),
    mut watch: Option<&mut Watch<'_>>,
) -> Result<StreamReport, StreamError> {
    let mut total = StreamReport::default();
    let mut changed = Vec::new();
    let work = |Batch { bytes, records }: &Batch| -> Vec<_> {
        records.par_iter().map(|record| edits_of_record(bytes, record, options)).collect()
    };
    let mut take = |Batch { bytes, records }: &Batch, done: Vec<Option<(Edits, Report)>>| {
        let mut copied = 0;
        changed.clear();
        for (record, done) in records.iter().zip(done) {
            total.records += u64::from(record.content.is_new());
            if let Some(watch) = &mut watch {
                let none = Edits::default();
                let edits = done.as_ref().map_or(&none, |(edits, _)| edits);
                let start = total.bytes_in + record.raw.start as u64;
                watch(Stretch { start, bytes: &bytes[record.raw.clone()], edits }).map_err(StreamError::Write)?;
            }
            let Some((edits, report)) = done else {
                total.failed.push(record.number);
                continue;
            };
            total.counts += report.counts;
            total.changed += u64::from(!edits.is_empty());
            if !edits.is_empty() {
                changed.extend_from_slice(&bytes[copied..record.raw.start]);
                edits.splice_into(&bytes[record.raw.clone()], &mut changed);
                copied = record.raw.end;
            }
            report.tell(&record.name(), tell);
        }
        for bytes in [&*changed, &bytes[copied..]] {
            output.write_all(bytes).map_err(StreamError::Write)?;
            total.bytes_out += bytes.len() as u64;
        }
        total.bytes_in += bytes.len() as u64;
        Ok(())
    };
    match Batches::new(input, Format::Mbox).each(&work, &mut take)?.failure {
        Some(error) => Err(StreamError::reading(error)),
        None => Ok(total),
    }
}

/// The edits of a record, in its own bytes, and what is to be told of it; `None` after a panic.
fn edits_of_record(bytes: &[u8], record: &Record, options: &Options) -> Option<(Edits, Report)> {
    caught(|| {
        let mut report = Report::default();
        match entity_of(bytes, record) {
            Ok((entity, start)) => {
                let mut edits = edits_of(&entity, options, &mut report);
                if brings_forth_separator(entity.bytes, &edits) {
                    report.keep_all(separator_made());
                    edits = Edits::default();
                }
                note_digests(&mut report, options, entity.bytes, &edits);
                (edits.shifted(start - record.raw.start), report)
            }
            Err(why) => {
                report.findings.extend(why);
                note_left_alone(&mut report, options);
                (Edits::default(), report)
            }
        }
    })
}

fn separator_made() -> Finding {
    let message = "a link made absolute would make a line look like a separator; left as it is";
    Finding::new(Code::MessageSeparator, message)
}

/// The message of a record, and where it begins; else what is to be told of it.
fn entity_of<'b>(bytes: &'b [u8], record: &Record) -> Result<(Entity<'b>, usize), Option<Finding>> {
    match &record.content {
        Content::Record(content) => Ok((Entity::message(&bytes[content.clone()]), content.start)),
        Content::Doubtful => {
            let message = "another message may begin in it, with a separator line that nothing sets off; left as it is";
            Err(Some(Finding::new(Code::MessageSeparator, message)))
        }
        Content::NoRecord if bytes[record.raw.clone()].trim_ascii().is_empty() => Err(None),
        Content::NoRecord => {
            let message = "no message: it stands before the first separator line; left as it is";
            let no_message = || Finding::new(Code::NotItsType, message);
            Err(Some(packed(&bytes[record.raw.clone()]).unwrap_or_else(no_message)))
        }
        Content::TooLong => Err(Some(message_too_long(MESSAGE_BYTES as u64))),
        Content::CutOff | Content::MoreOfTooLong | Content::Damaged(_) => Err(None),
    }
}
