//! Mbox files, and those of MMDF and Babyl, plain or compressed.

mod message;

use std::io::{self, BufWriter, Read, Seek, Write};

use absolve_links::Edits;
use absolve_rewriter::{Code, Entity, Event, Finding, Options, Report, plan};

use crate::batches::{Batch, Batches, Record, Sizes};
use crate::compression::Compression;
use crate::framing::format::Framing;
use crate::limits::MESSAGE_BYTES;
use crate::mbox::message::message_of;
use crate::stream::{ChunkObserver, EditedChunk, StreamError, StreamReport, Tee, inspect_records, with_start};
use crate::temporary::Temporary;

/// Batches that stay in the cache of a processor until they are written.
const SIZES: Sizes = Sizes { batch: 1 << 20, message: MESSAGE_BYTES };

/// Makes the links of all messages of an mbox (RFC 4155) absolute, and writes the mbox to `output`.
///
/// A compressed `input` is written compressed in the same way. It is buffered in temporary files first, and written byte
/// for byte if no message changes. Messages are processed in parallel on the current rayon pool, in batches of a
/// megabyte, and written in order. The record of a finding is the number of the message, counted from 1.
///
/// Returns the counts of links, messages and bytes.
///
/// # Errors
///
/// [`StreamError`], with an incomplete `output`.
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
    findings: &mut dyn FnMut(Finding),
) -> Result<StreamReport, StreamError> {
    rewrite_observed_mbox(input, output, None, options, &mut Event::findings(findings), None)
}

/// Rewrites an mbox as [`rewrite_mbox`] does, and compresses the output as `asked`, if that is given; what holds no message is written
/// byte for byte. Otherwise `observe` receives each message of an mbox that is not compressed, and its edits, before it is written.
///
/// # Errors
///
/// As [`rewrite_mbox`]; an error of `observe` is a [`StreamError::Write`].
pub fn rewrite_observed_mbox(
    mut input: impl Read,
    output: &mut dyn Write,
    asked: Option<Compression>,
    options: &Options,
    events: &mut dyn FnMut(Event),
    observe: Option<&mut ChunkObserver<'_>>,
) -> Result<StreamReport, StreamError> {
    rewrite_compressed(&mut input, output, asked, options, events, observe)
}

fn rewrite_compressed(
    input: &mut dyn Read,
    output: &mut dyn Write,
    asked: Option<Compression>,
    options: &Options,
    events: &mut dyn FnMut(Event),
    observe: Option<&mut ChunkObserver<'_>>,
) -> Result<StreamReport, StreamError> {
    let (start, input) = with_start(input).map_err(StreamError::Read)?;
    let compression = Compression::of(&start);
    if (compression, asked) == (Compression::None, None) {
        return rewrite_messages(input, output, options, events, observe);
    }
    let original = Temporary::new().map_err(StreamError::Write)?;
    let rewritten = Temporary::new().map_err(StreamError::Write)?;
    let written = asked.unwrap_or(compression);
    let mut encoder = written.encoder(BufWriter::new(&rewritten)).map_err(StreamError::Write)?;
    let input = compression.decoder(Tee { input, copy: &original });
    let mut is_unread = false;
    let mut events = |event: Event| {
        is_unread |= matches!(event, Event::Finding(_));
        events(event);
    };
    let report = rewrite_messages(input, &mut encoder, options, &mut events, None)?;
    is_unread &= report.records == 0;
    encoder.finish().and_then(|mut file| file.flush()).map_err(StreamError::Write)?;
    let is_rewritten = report.changed > 0 || (written != compression && !is_unread);
    let mut result = if is_rewritten { &rewritten } else { &original };
    result.rewind().and_then(|()| io::copy(&mut result, output)).map_err(StreamError::Write)?;
    Ok(report)
}

/// Applies `inspect` to the messages of an mbox in parallel, and passes the results to `found`, in order. The arguments of
/// `inspect` are the number of the message, counted from 1, and the message. A message that [`rewrite_mbox`] with these
/// `options` would leave unchanged has a finding with the reason.
///
/// Returns the numbers of the messages on which `inspect` panicked.
///
/// # Errors
///
/// [`StreamError::Read`], or [`StreamError::Write`] for an error of `found`.
///
/// ```
/// use absolve_containers::inspect_mbox;
/// use absolve_rewriter::{Entity, Options};
/// let mbox = b"From a@b Thu Jan  1 00:00:00 1998\nSubject: x\n\nFrom a@b Thu Jan  1 00:00:00 1998\nSubject: y\n\n";
/// let number_and_size = |number: &str, message: &Entity<'_>| (number.to_owned(), message.bytes.len());
/// let mut messages = Vec::new();
/// inspect_mbox(&mbox[..], &number_and_size, &Options::default(), &mut |found| Ok(messages.push(found))).unwrap();
/// assert_eq!(messages, [("1".to_owned(), 11), ("2".to_owned(), 11)]);
/// ```
pub fn inspect_mbox<T: Send>(
    mut input: impl Read,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &Options,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Vec<u64>, StreamError> {
    let (framing, mut batches) = messages_of(&mut input).map_err(StreamError::Read)?;
    let mut failed = Vec::new();
    let mut spent = Vec::new();
    while let Some(Batch { bytes, records, .. }) = batches.next(spent).map_err(StreamError::Read)? {
        let inspect_record = |record: &Record| match message_of(&bytes, record) {
            Ok(message) => {
                let mut entity = Entity::message(&message.text).with_message_url(options.message_url.as_ref());
                if framing.may_create_end(&message.text) {
                    let creates_end = framing.creates_end(&message.text, plan(&entity, options).edits());
                    entity.findings.extend(creates_end.then(separator_created));
                }
                Some(inspect(&record.name(), &entity))
            }
            Err(finding) => Some(inspect(&record.name(), &Entity::unread(finding?))),
        };
        failed.extend(inspect_records(&records, &inspect_record, found)?);
        spent = bytes;
    }
    Ok(failed)
}

fn messages_of(input: &mut dyn Read) -> io::Result<(Framing, Batches<'_>)> {
    let (start, input) = with_start(input)?;
    let (start, input) = with_start(Compression::of(&start).decoder(input))?;
    let framing = Framing::of_messages(&start);
    Ok((framing, Batches::with_sizes(input, framing, SIZES)))
}

fn rewrite_messages<'i>(
    input: Box<dyn Read + 'i>,
    output: &mut dyn Write,
    options: &Options,
    events: &mut dyn FnMut(Event),
    mut observe: Option<&mut ChunkObserver<'_>>,
) -> Result<StreamReport, StreamError> {
    let mut total = StreamReport::default();
    let mut changed = Vec::new();
    let (start, input) = with_start(input).map_err(StreamError::reading)?;
    let framing = Framing::of_messages(&start);
    let edits_of_record = |batch: &Batch, record: &Record| edits_of_record(&batch.bytes, record, framing, options);
    let mut write_batch = |Batch { bytes, records, .. }: &Batch, results: Vec<Option<(Edits, Report)>>| {
        let mut copied = 0;
        let mut write = |bytes: &[u8]| {
            total.bytes_out += bytes.len() as u64;
            output.write_all(bytes).map_err(StreamError::Write)
        };
        for (record, result) in records.iter().zip(results) {
            total.records += u64::from(record.content.is_new());
            if let Some(observe) = &mut observe {
                let none = Edits::default();
                let edits = result.as_ref().map_or(&none, |(edits, _)| edits);
                let start = total.bytes_in + record.raw.start as u64;
                observe(EditedChunk { start, bytes: &bytes[record.raw.clone()], edits }).map_err(StreamError::Write)?;
            }
            let Some((edits, report)) = result else {
                total.failed.push(record.number);
                continue;
            };
            total.counts += report.counts;
            total.changed += u64::from(!edits.is_empty());
            if !edits.is_empty() {
                changed.clear();
                edits.splice_into(&bytes[record.raw.clone()], &mut changed);
                write(&bytes[copied..record.raw.start])?;
                write(&changed)?;
                copied = record.raw.end;
            }
            report.send(&record.name(), events);
        }
        write(&bytes[copied..])?;
        total.bytes_in += bytes.len() as u64;
        Ok(())
    };
    match Batches::with_sizes(input, framing, SIZES).each(&edits_of_record, &mut write_batch)?.failure {
        Some(error) => Err(StreamError::reading(error)),
        None => Ok(total),
    }
}

/// Returns the edits of a record, as ranges of its bytes, and its report.
fn edits_of_record(bytes: &[u8], record: &Record, framing: Framing, options: &Options) -> (Edits, Report) {
    let message = match message_of(bytes, record) {
        Ok(message) => message,
        Err(why) => return why.map(|why| plan(&Entity::unread(why), options).finish()).unwrap_or_default(),
    };
    let entity = Entity::message(&message.text).with_message_url(options.message_url.as_ref());
    let mut plan = plan(&entity, options);
    if framing.creates_end(&message.text, plan.edits()) {
        plan.veto(separator_created());
    }
    plan.digest(&message.text, 0);
    let (edits, report) = plan.finish();
    (message.edits_of_record(edits, record), report)
}

fn separator_created() -> Finding {
    let message = "an absolute link would make a line look like a separator line; left unchanged";
    Finding::new(Code::MessageSeparator, message)
}
