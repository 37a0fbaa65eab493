//! Messages behind each other: an mbox, plain or compressed.

use std::io::{self, BufWriter, Read, Seek, Write};

use absolve_links::Edits;
use absolve_rewriter::{
    Code, Entity, Event, Finding, Options, Report, edits_of, message_too_long, note_digests, note_left_alone, packed,
};
use flate2::write::GzEncoder;
use rayon::prelude::*;

use crate::batches::{Batch, Batches, Record};
use crate::caught::caught;
use crate::compression::members::is_gzip;
use crate::compression::{Compression, gunzipped};
use crate::framing::Content;
use crate::framing::format::Format;
use crate::framing::mbox::{brings_forth_separator, may_bring_forth_separator};
use crate::limits::MESSAGE_BYTES;
use crate::stream::{ChunkObserver, Copied, EditedChunk, StreamError, StreamReport, look_at, with_start};
use crate::temporary::Temporary;

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
/// use absolve_containers::rewrite_mbox;
/// use absolve_rewriter::Options;
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
    rewrite_observed_mbox(input, output, None, options, &mut Event::findings(tell), None)
}

/// Does the same and compresses the output as `asked`, if that is given; without, `watch` sees all bytes of a plain mbox.
pub fn rewrite_observed_mbox(
    input: impl Read,
    output: &mut dyn Write,
    asked: Option<Compression>,
    options: &Options,
    tell: &mut dyn FnMut(Event),
    watch: Option<&mut ChunkObserver<'_>>,
) -> Result<StreamReport, StreamError> {
    let (start, input) = with_start(input).map_err(StreamError::Read)?;
    if let Some(asked) = asked {
        let input: Box<dyn Read> = if is_gzip(&start) { Box::new(gunzipped(input)) } else { Box::new(input) };
        let mut encoder = asked.encoder(output).map_err(StreamError::Write)?;
        let report = rewrite_messages(input, &mut encoder, options, tell, None)?;
        encoder.finish().map_err(StreamError::Write)?;
        return Ok(report);
    }
    if !is_gzip(&start) {
        return rewrite_messages(input, output, options, tell, watch);
    }
    let original = Temporary::new().map_err(StreamError::Write)?;
    let rewritten = Temporary::new().map_err(StreamError::Write)?;
    let mut encoder = GzEncoder::new(BufWriter::new(&rewritten), flate2::Compression::default());
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
/// use absolve_containers::inspect_mbox;
/// use absolve_rewriter::Options;
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

fn rewrite_messages(
    input: impl Read,
    output: &mut dyn Write,
    options: &Options,
    tell: &mut dyn FnMut(Event),
    mut watch: Option<&mut ChunkObserver<'_>>,
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
                watch(EditedChunk { start, bytes: &bytes[record.raw.clone()], edits }).map_err(StreamError::Write)?;
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
            report.send(&record.name(), tell);
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
