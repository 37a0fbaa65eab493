//! A stream of messages, read in stretches that are done together.

use std::io::{self, Read};
use std::ops::Range;

use crate::limits::MESSAGE_BYTES;
use crate::mbox::{End, Framed, Rest, begins_mbox, first_message, next_separator};

/// The messages of an mbox, batch by batch. Memory holds one batch: some megabytes, or one message.
#[derive(Debug)]
pub(crate) struct Batches<R> {
    input: R,
    /// What was read; up to `done` it was handed out.
    buffer: Vec<u8>,
    done: usize,
    rest: Rest,
    /// How many messages were handed out.
    count: u64,
    /// Whether the message that is read is too long to be done.
    is_within_long_message: bool,
}

/// Records that stand behind each other in `bytes`, without gaps.
#[derive(Debug)]
pub(crate) struct Batch<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) records: Vec<Record>,
}

/// A record of a stream.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// Counted from 1; 0 for what is none.
    pub(crate) number: u64,
    /// All its bytes.
    pub(crate) raw: Range<usize>,
    pub(crate) content: Content,
}

impl Record {
    /// How it is called in reports.
    pub(crate) fn name(&self) -> String {
        if self.number == 0 { String::new() } else { self.number.to_string() }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A message without its framing, and how its end is known.
    Message(Range<usize>, End),
    /// What stands before the first separator line.
    NoMessage,
    /// The beginning of a message that is too long.
    LongMessage,
    /// More of it.
    MoreOfLongMessage,
}

impl<R: Read> Batches<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), done: 0, rest: Rest::Begun, count: 0, is_within_long_message: false }
    }

    /// The next batch; `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Batch<'_>>> {
        const BYTES_A_BATCH: usize = 8 << 20;
        self.buffer.drain(..self.done);
        self.done = 0;
        let mut wanted = BYTES_A_BATCH;
        loop {
            self.fill(wanted)?;
            let mut records = Vec::new();
            let mut at = 0;
            while let Some(record) = self.record(at) {
                at = record.raw.end;
                records.push(record);
            }
            if at == self.buffer.len() && self.rest == Rest::Whole && records.is_empty() {
                return Ok(None);
            }
            if at > 0 {
                self.done = at;
                return Ok(Some(Batch { bytes: &self.buffer[..at], records }));
            }
            wanted = (self.buffer.len() * 2).min(MESSAGE_BYTES);
        }
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(self.buffer.len());
        if self.rest == Rest::Begun && missing > 0 {
            self.buffer.reserve_exact(missing);
            let read = (&mut self.input).take(missing as u64).read_to_end(&mut self.buffer)?;
            if read < missing {
                self.rest = Rest::Whole;
            }
        }
        Ok(())
    }

    /// The record that begins at `at`; `None` when it is not read to its end, or there is none.
    fn record(&mut self, at: usize) -> Option<Record> {
        let bytes = &self.buffer[at..];
        if bytes.is_empty() {
            return None;
        }
        if self.is_within_long_message {
            return self.more_of_long_message(at);
        }
        match first_message(bytes, self.rest) {
            Some(Framed { length, content, end }) => {
                let raw = at..at + length;
                if !begins_mbox(bytes) {
                    return Some(Record { number: 0, raw, content: Content::NoMessage });
                }
                self.count += 1;
                let content = Content::Message(at + content.start..at + content.end, end);
                Some(Record { number: self.count, raw, content })
            }
            None if bytes.len() >= MESSAGE_BYTES => {
                self.is_within_long_message = true;
                self.count += 1;
                let record = self.more_of_long_message(at)?;
                Some(Record { content: Content::LongMessage, ..record })
            }
            None => None,
        }
    }

    /// All but the last bytes, which the next separator line may begin in.
    fn more_of_long_message(&mut self, at: usize) -> Option<Record> {
        const KEPT: usize = 4096;
        let end = match next_separator(&self.buffer, at, self.rest) {
            Some(end) => {
                self.is_within_long_message = false;
                end
            }
            None => self.buffer.len().saturating_sub(KEPT).max(at),
        };
        (end > at).then_some(Record { number: self.count, raw: at..end, content: Content::MoreOfLongMessage })
    }
}
