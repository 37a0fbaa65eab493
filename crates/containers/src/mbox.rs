//! Mbox files, and those of MMDF and Babyl, plain or compressed.

mod message;

use std::io::{self, BufWriter, Read, Seek, Write};

use absolve_framing::{Batch, Batches, Compression, MESSAGE_BYTES, MailboxFraming, PieceEnd, RECORDS, Record, Sizes};
use absolve_links::Edits;
use absolve_rewriter::internal::{Entity, Event, Report, plan};
use absolve_rewriter::{Code, Finding, Options};

use crate::batches::{Stretch, each, list};
use crate::mbox::message::{Message, message_of};
use crate::stream::{ChunkObserver, EditedChunk, StreamError, StreamReport, Tee, with_start};
use crate::temporary::Temporary;

/// Batches that stay in the cache of a processor until they are written.
const SIZES: Sizes = Sizes { batch: 1 << 20, message: MESSAGE_BYTES };

/// Makes the links of all messages of a mailbox absolute. A mailbox that is compressed, or becomes so as `asked`, is buffered first; what
/// holds no message is written byte for byte. Otherwise `observe` receives each message of a mailbox that is not compressed, and its edits, before it is written.
pub(crate) fn rewrite(
    input: Box<dyn Read + '_>,
    output: &mut dyn Write,
    asked: Option<Compression>,
    options: &Options,
    events: &mut dyn FnMut(Event),
    observe: Option<&mut ChunkObserver<'_>>,
) -> Result<StreamReport, StreamError> {
    let (start, input) = with_start(input)?;
    let compression = Compression::of(&start);
    if (compression, asked) == (Compression::None, None) {
        return rewrite_messages(input, output, options, events, observe);
    }
    let original = Temporary::new()?;
    let rewritten = Temporary::new()?;
    let written = asked.unwrap_or(compression);
    let mut encoder = written.encoder(BufWriter::new(&rewritten))?;
    let input = compression.decoder(Tee { input, copy: &original });
    let mut is_unread = false;
    let mut events = |event: Event| {
        is_unread |= matches!(event, Event::Finding(_));
        events(event);
    };
    let report = rewrite_messages(input, &mut encoder, options, &mut events, None)?;
    is_unread &= report.records == 0;
    encoder.finish().and_then(|mut file| file.flush())?;
    let is_rewritten = report.changed > 0 || (written != compression && !is_unread);
    let mut result = if is_rewritten { &rewritten } else { &original };
    result.rewind().and_then(|()| io::copy(&mut result, output))?;
    Ok(report)
}

/// Applies `inspect` to the messages of a mailbox. A message that [`rewrite`] would leave unchanged has a finding with the reason.
pub(crate) fn inspect<T: Send>(
    input: Box<dyn Read + '_>,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &Options,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    let (start, input) = with_start(input)?;
    let (framing, messages) = messages_of(Compression::of(&start).decoder(input))?;
    inspect_messages(framing, messages, inspect, options, found)
}

/// Applies `inspect` to the messages of a piece of an mbox, as [`inspect()`] does.
pub(crate) fn inspect_piece<T: Send>(
    (input, end): (Box<dyn Read + '_>, PieceEnd),
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &Options,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    let messages = Batches::with_sizes(input, MailboxFraming::Mbox, SIZES).until(end);
    inspect_messages(MailboxFraming::Mbox, messages, inspect, options, found)
}

fn inspect_messages<T: Send>(
    framing: MailboxFraming,
    messages: Batches<'_, MailboxFraming>,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &Options,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    let look = |batch: &Batch, record: &Record| {
        let entity = match message_of(&batch.bytes, record) {
            Ok(message) => return Some(inspect(&record.name(), &entity_of(&message, framing, options))),
            Err(finding) => Entity::unread(finding?),
        };
        Some(inspect(&record.name(), &entity))
    };
    list(messages, RECORDS, &look, found).map(|(report, _)| report)
}

/// Returns the framing and the messages of a decompressed mailbox.
fn messages_of(input: Box<dyn Read + '_>) -> Result<(MailboxFraming, Batches<'_, MailboxFraming>), StreamError> {
    let (start, input) = with_start(input)?;
    let framing = MailboxFraming::of(&start).unwrap_or(MailboxFraming::Mbox);
    Ok((framing, Batches::with_sizes(input, framing, SIZES)))
}

/// Returns a message to inspect.
fn entity_of<'m>(message: &'m Message<'_>, framing: MailboxFraming, options: &Options) -> Entity<'m> {
    let mut entity = Entity::message(&message.text).with_message_url(options.message_url.as_ref());
    if framing.may_create_end(&message.text) {
        let creates_end = creates_end(framing, &message.text, plan(&entity, options).edits());
        entity.findings.extend(creates_end.then(separator_created));
    }
    entity
}

fn rewrite_messages(
    input: Box<dyn Read + '_>,
    output: &mut dyn Write,
    options: &Options,
    events: &mut dyn FnMut(Event),
    mut observe: Option<&mut ChunkObserver<'_>>,
) -> Result<StreamReport, StreamError> {
    let (framing, messages) = messages_of(input)?;
    let edits_of_record = |batch: &Batch, record: &Record| edits_of_record(&batch.bytes, record, framing, options);
    let mut changed = Vec::new();
    let mut write_all = |total: &mut StreamReport, stretch: Stretch<'_>, results: Vec<Option<(Edits, Report)>>| {
        let Stretch { start, bytes, records } = stretch;
        let mut write = |bytes: &[u8]| {
            total.bytes_out += bytes.len() as u64;
            output.write_all(bytes).map_err(StreamError::Write)
        };
        // Unchanged records are written together.
        let mut unwritten = records.first().map_or(0..0, |first| first.raw.start..first.raw.start);
        for (record, result) in records.iter().zip(results) {
            let (edits, report) = result.unwrap_or_default();
            let raw = &bytes[record.raw.clone()];
            if let Some(observe) = &mut observe {
                let start = start + record.raw.start as u64;
                observe(EditedChunk { start, bytes: raw, edits: &edits })?;
            }
            total.counts += report.counts;
            unwritten.end = record.raw.end;
            if !edits.is_empty() {
                total.changed += 1;
                changed.clear();
                edits.splice_into(raw, &mut changed);
                write(&bytes[unwritten.start..record.raw.start])?;
                write(&changed)?;
                unwritten.start = record.raw.end;
            }
            report.send(&record.name(), events);
        }
        write(&bytes[unwritten])
    };
    let (total, end) = each(messages, RECORDS, &edits_of_record, &mut write_all)?;
    end.failure.map_or(Ok(total), |error| Err(StreamError::reading(error)))
}

/// Returns the edits of a record, as ranges of its bytes, and its report.
fn edits_of_record(bytes: &[u8], record: &Record, framing: MailboxFraming, options: &Options) -> (Edits, Report) {
    let message = match message_of(bytes, record) {
        Ok(message) => message,
        Err(why) => return why.map(|why| plan(&Entity::unread(why), options).finish()).unwrap_or_default(),
    };
    let entity = Entity::message(&message.text).with_message_url(options.message_url.as_ref());
    let mut plan = plan(&entity, options);
    if creates_end(framing, &message.text, plan.edits()) {
        plan.veto(separator_created());
    }
    plan.digest(&message.text, 0);
    let (edits, report) = plan.finish();
    (message.edits_of_record(edits, record), report)
}

/// Returns whether edits of a message make it contain the end of a message, for example by joining two lines.
fn creates_end(framing: MailboxFraming, message: &[u8], edits: &Edits) -> bool {
    !edits.is_empty() && framing.may_create_end(message) && framing.contains_end(&edits.splice(message))
}

fn separator_created() -> Finding {
    Finding::left_unchanged(Code::MessageSeparator, "an absolute link would make a line look like a separator line")
}

#[cfg(test)]
mod tests {
    use absolve_framing::MailboxFraming;
    use absolve_links::Edits;

    use super::creates_end;

    /// Bytes that only begin like the end of a message are none, until an edit makes one of them.
    #[test]
    fn ends_that_edits_create() {
        for (framing, message) in [
            (MailboxFraming::Mmdf, &b"x\n\x01\x01\x01\x01y\n"[..]),
            (MailboxFraming::Mmdf, b"\x01\x01\x01\x01y\r\nx\n"),
            (MailboxFraming::Babyl, b"x\x1f\x0cy\nz\x1f\x0c"),
            (MailboxFraming::Babyl, b"x\x1f\x0cy\r\n"),
        ] {
            for (at, byte) in message.iter().enumerate() {
                let mut edits = Edits::default();
                edits.push(at..at + 1, if *byte == b'x' { b"http://h/x" } else { b"" });
                assert_eq!(creates_end(framing, message, &edits), *byte == b'y', "{framing:?} {at}");
            }
        }
    }
}
