//! A stream of records, read in batches.

mod record;

use std::io::{self, Read};
use std::mem;

pub use crate::batches::record::Record;
use crate::budget::Budget;
use crate::compression::members::EndsEarly;
use crate::framing::{Content, Damage, Extent, Framed, Framing};
use crate::limits::MESSAGE_BYTES;
use crate::pieces::PieceEnd;

/// Maximum number of records of a batch: what is reported of each waits until all are processed.
pub const RECORDS: usize = 1 << 10;

/// The records of a stream, in batches of some megabytes, of [`RECORDS`], or of one longer record.
#[allow(missing_debug_implementations, reason = "a reader has none")]
pub struct Batches<'i, F> {
    input: Box<dyn Read + 'i>,
    framing: F,
    /// Bytes read and not yet returned.
    buffer: Vec<u8>,
    extent: Extent,
    /// The read error, returned after all records before it.
    failure: Option<io::Error>,
    /// Number of records returned.
    count: u64,
    /// Whether the last record is cut off.
    is_cut_off: bool,
    remaining: Remaining,
    sizes: Sizes,
    /// Bytes that the buffer is filled up to: few, where records are short and many would be left over.
    wanted: usize,
    /// Number of bytes returned.
    returned: u64,
    /// Where the stream ends for these batches, if that is not at its own end.
    end: Option<PieceEnd>,
}

/// The rest of a too-long record of which a piece was returned.
#[derive(Clone, Copy, Debug)]
enum Remaining {
    Nothing,
    /// A number of bytes.
    Bytes(usize),
    /// All bytes before the next record.
    ToNextRecord,
}

/// Sizes in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Bytes to read at once.
    pub batch: usize,
    /// Maximum bytes of a message.
    pub message: usize,
}

impl Sizes {
    const DEFAULT: Self = Self { batch: 8 << 20, message: MESSAGE_BYTES };
}

/// Consecutive records of a stream, which cover `bytes` without gaps.
#[derive(Debug, Default)]
pub struct Batch {
    /// The bytes of all records.
    pub bytes: Vec<u8>,
    /// The records, in order.
    pub records: Vec<Record>,
    /// The limit that their decoded contents have in common.
    pub budget: Budget,
}

impl<'i, F: Framing> Batches<'i, F> {
    /// Returns the records of a stream, in batches for work by several threads.
    pub fn new(input: impl Read + 'i, framing: F) -> Self {
        Self::with_sizes(input, framing, Sizes::DEFAULT)
    }

    /// Returns the records of a stream, in batches of this size.
    pub fn with_sizes(input: impl Read + 'i, framing: F, sizes: Sizes) -> Self {
        let input = Box::new(input);
        let (buffer, extent, remaining) = (Vec::new(), Extent::Partial, Remaining::Nothing);
        let (count, wanted, returned) = (0, sizes.batch, 0);
        let (failure, is_cut_off, end) = (None, false, None);
        Self { input, framing, buffer, extent, failure, count, is_cut_off, remaining, sizes, wanted, returned, end }
    }

    /// Ends before the first record that begins at this place of the stream or behind it. What follows is read as far as it shows where the
    /// record before it ends.
    pub fn until(self, end: PieceEnd) -> Self {
        Self { end: Some(end), ..self }
    }

    /// Returns whether a record begins right where the batches were to end, so that what is behind can be read from there.
    pub fn end_before_a_record(&self) -> bool {
        let is_there = |end: &PieceEnd| end.get() == Some(self.returned);
        self.end.as_ref().is_none_or(|end| is_there(end) && matches!(self.remaining, Remaining::Nothing))
    }

    /// Returns the next batch, or `None` at the end of the stream. Reuses the memory of a `spent` batch.
    pub fn next(&mut self, mut spent: Vec<u8>) -> io::Result<Option<Batch>> {
        let mut wanted = self.wanted;
        loop {
            self.fill(wanted);
            let mut records: Vec<Record> = Vec::new();
            let mut at = 0;
            while records.len() < RECORDS
                && !self.is_at_end(at)
                && let Some(record) = self.record(at)
            {
                at = record.raw.end;
                match records.last_mut() {
                    // Adjacent bytes that are not a record make one entry.
                    Some(Record { content: Content::NoRecord, raw, .. }) if record.content == Content::NoRecord => {
                        raw.end = at;
                    }
                    _ => records.push(record),
                }
            }
            if self.is_at_end(at) && records.is_empty() {
                return Ok(None);
            }
            if at == self.buffer.len() && self.extent == Extent::Complete && !self.is_at_end(at) {
                if self.ends_early() && records.is_empty() {
                    continue;
                }
                records.extend(self.damaged(at));
            }
            if at == self.buffer.len() && self.extent == Extent::Complete && records.is_empty() {
                return self.failure.take().map_or(Ok(None), Err);
            }
            if at > 0 || !records.is_empty() {
                if spent.len() > self.sizes.batch {
                    // A longer record leaves no longer buffer behind.
                    spent = Vec::new();
                }
                spent.clear();
                spent.extend_from_slice(&self.buffer[at..]);
                let mut bytes = mem::replace(&mut self.buffer, spent);
                bytes.truncate(at);
                self.returned += at as u64;
                self.wanted = if records.len() < RECORDS { self.sizes.batch } else { at * 2 };
                return Ok(Some(Batch { bytes, records, budget: Budget::default() }));
            }
            wanted = (self.buffer.len() * 2).min(self.sizes.message);
        }
    }

    /// Returns whether the stream ends within a too-long record.
    pub fn is_truncated(&self) -> bool {
        self.extent == Extent::Complete && matches!(self.remaining, Remaining::Bytes(_))
    }

    /// Returns whether the batches end at this offset of the buffer, or before it.
    fn is_at_end(&self, at: usize) -> bool {
        let end = self.end.as_ref().and_then(PieceEnd::get);
        end.is_some_and(|end| self.returned + at as u64 >= end)
    }

    /// Reads until the buffer contains the `wanted` number of bytes, or to the end. Memory that nothing is read into is not
    /// touched: clearing some megabytes costs more than all else that is done to a short file.
    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.buffer.len());
        if self.extent == Extent::Partial && missing > 0 {
            self.buffer.reserve_exact(missing);
            self.failure = self.input.by_ref().take(missing as u64).read_to_end(&mut self.buffer).err();
            if self.failure.is_some() || self.buffer.len() < wanted {
                self.extent = Extent::Complete;
            }
        }
    }

    /// Returns whether the input ends before its last record should, and continues behind it.
    fn ends_early(&mut self) -> bool {
        let is_early = |error: &io::Error| error.get_ref().is_some_and(|inner| inner.is::<EndsEarly>());
        let ends = self.failure.take_if(|error| is_early(error)).is_some();
        if ends {
            (self.remaining, self.is_cut_off, self.extent) = (Remaining::Nothing, false, Extent::Partial);
        }
        ends
    }

    /// Returns the gap at a damaged place of the file, if the input ends there and reading can continue.
    fn damaged(&mut self, at: usize) -> Option<Record> {
        let mut damage = match self.failure.take()?.downcast::<Damage>() {
            Ok(damage) => damage,
            Err(error) => {
                self.failure = Some(error);
                return None;
            }
        };
        let is_truncated = matches!(mem::replace(&mut self.remaining, Remaining::Nothing), Remaining::Bytes(_));
        damage.breaks_record = mem::take(&mut self.is_cut_off) || is_truncated;
        self.extent = Extent::Partial;
        // A record that is cut off here, or returned in part, was already counted.
        self.count += u64::from(!damage.breaks_record && !damage.is_returned);
        Some(Record { number: self.count, raw: at..at, content: Content::Damaged(damage) })
    }

    /// Returns the record that begins at `at`; `None` if more bytes must be read first, or none are left.
    fn record(&mut self, at: usize) -> Option<Record> {
        let bytes = &self.buffer[at..];
        if bytes.is_empty() {
            return None;
        }
        match self.remaining {
            Remaining::Nothing => {}
            Remaining::Bytes(length) => return Some(self.available_part(at, length, Content::TooLongContinued)),
            Remaining::ToNextRecord => return self.continuation(at),
        }
        match self.framing.first_record(bytes, self.extent) {
            Some(Framed { length, content }) => {
                self.count += u64::from(content.is_new());
                self.is_cut_off = content == Content::CutOff;
                let number = if matches!(content, Content::NoRecord | Content::FileHeader) { 0 } else { self.count };
                let record = self.available_part(at, length, content.shifted(at));
                Some(Record { number, ..record })
            }
            None if bytes.len() >= self.sizes.message => {
                self.remaining = Remaining::ToNextRecord;
                self.count += 1;
                let record = self.continuation(at)?;
                Some(Record { content: Content::TooLong, ..record })
            }
            None => None,
        }
    }

    /// Returns the part that is in the buffer of a record of `length` bytes.
    fn available_part(&mut self, at: usize, length: usize, content: Content) -> Record {
        let available = length.min(self.buffer.len() - at);
        self.remaining = if available < length { Remaining::Bytes(length - available) } else { Remaining::Nothing };
        Record { number: self.count, raw: at..at + available, content }
    }

    /// Returns the next piece of a too-long record of unknown length. It ends early enough for the next record to be
    /// recognized.
    fn continuation(&mut self, at: usize) -> Option<Record> {
        /// Maximum bytes by which the start of a record is recognized.
        const START_OF_RECORD: usize = 128 << 10;
        let kept = START_OF_RECORD.min(self.sizes.message / 2);
        let end = match self.framing.next_record(&self.buffer, at, self.extent) {
            Some(end) => {
                self.remaining = Remaining::Nothing;
                end
            }
            None => self.buffer.len().saturating_sub(kept).max(at),
        };
        (end > at).then_some(Record { number: self.count, raw: at..end, content: Content::TooLongContinued })
    }
}
