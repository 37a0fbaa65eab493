//! A stream of records, read in batches.

mod in_order;
mod record;

use std::io::{self, Read};
use std::mem;

use absolve_framing::{Budget, Content, Damage, Extent, Framed, Framing, MESSAGE_BYTES};

use crate::batches::in_order::in_order;
pub(crate) use crate::batches::record::Record;
use crate::broken::Broken;
use crate::stream::{StreamError, StreamReport};

/// The most records of a batch: what is reported of each waits until it is done.
pub(crate) const RECORDS: usize = 1 << 10;

/// The records of a stream, in batches of some megabytes, of [`RECORDS`], or of one longer record.
pub(crate) struct Batches<'i, F> {
    input: Box<dyn Read + 'i>,
    framing: F,
    /// Bytes read and not yet returned, and memory for more.
    buffer: Vec<u8>,
    /// Number of bytes read in `buffer`.
    length: usize,
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
pub(crate) struct Sizes {
    /// Bytes to read at once.
    pub(crate) batch: usize,
    /// Maximum bytes of a message.
    pub(crate) message: usize,
}

impl Sizes {
    const DEFAULT: Self = Self { batch: 8 << 20, message: MESSAGE_BYTES };
}

/// Consecutive records of a stream, which cover `bytes` without gaps.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) bytes: Vec<u8>,
    pub(crate) records: Vec<Record>,
    pub(crate) budget: Budget,
}

/// Consecutive records of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch<'b> {
    /// Offset of the batch in the stream.
    pub(crate) start: u64,
    /// The bytes of the batch.
    pub(crate) bytes: &'b [u8],
    pub(crate) records: &'b [Record],
}

/// Receives records and the results of the work on them, which it may count. A result is `None` if the work panicked.
pub(crate) type Take<'t, T> = dyn FnMut(&mut StreamReport, Stretch<'_>, Vec<Option<T>>) -> Result<(), StreamError> + 't;

/// The end of a stream.
#[derive(Debug)]
pub(crate) struct StreamEnd {
    /// The incomplete and damaged records, if it is an archive.
    pub(crate) broken: Broken,
    /// The read error, if the stream could not be read to its end.
    pub(crate) failure: Option<io::Error>,
    /// Whether the stream ends within a too-long record.
    pub(crate) is_truncated: bool,
}

impl<'i, F: Framing> Batches<'i, F> {
    pub(crate) fn new(input: impl Read + 'i, framing: F) -> Self {
        Self::with_sizes(input, framing, Sizes::DEFAULT)
    }

    pub(crate) fn with_sizes(input: impl Read + 'i, framing: F, sizes: Sizes) -> Self {
        let input = Box::new(input);
        let (buffer, extent, remaining) = (Vec::new(), Extent::Partial, Remaining::Nothing);
        let wanted = sizes.batch;
        let (length, failure) = (0, None);
        Self { input, framing, buffer, length, extent, failure, count: 0, is_cut_off: false, remaining, sizes, wanted }
    }

    /// Applies `work` to each record on the current rayon pool, while the next batches are read, and passes the records with the
    /// results to `take`, in order, `at_once` or fewer of a batch. Returns the counts of records and bytes, with what `take` added.
    pub(crate) fn each<T: Send>(
        mut self,
        at_once: usize,
        work: &(dyn Fn(&Batch, &Record) -> T + Sync),
        take: &mut Take<'_, T>,
    ) -> Result<(StreamReport, StreamEnd), StreamError> {
        let (mut report, mut broken, mut failure) = (StreamReport::default(), Broken::default(), None);
        let mut next = |spent: Option<Batch>| match self.next(spent.map(|batch| batch.bytes).unwrap_or_default()) {
            Ok(next) => next,
            Err(error) => {
                failure = Some(error);
                None
            }
        };
        in_order::<T, StreamError>(&mut next, at_once, work, &mut |batch, range, results| {
            let (start, bytes, records) = (report.bytes_in, &batch.bytes[..], &batch.records[range.clone()]);
            for (record, result) in records.iter().zip(&results) {
                report.records = report.records.max(record.number);
                report.failed.extend(result.is_none().then_some(record.number));
                broken.add(record.number, &record.content, &bytes[record.raw.clone()], start + record.raw.start as u64);
            }
            take(&mut report, Stretch { start, bytes, records }, results)?;
            if range.end == batch.records.len() {
                report.bytes_in += bytes.len() as u64;
            }
            Ok(())
        })?;
        let is_truncated = self.extent == Extent::Complete && matches!(self.remaining, Remaining::Bytes(_));
        Ok((report, StreamEnd { broken, failure, is_truncated }))
    }

    /// Applies `look` to each record, and passes what it returns to `found`, as [`each`](Self::each) does. A read error is an error
    /// after all records before it.
    pub(crate) fn list<T: Send>(
        self,
        at_once: usize,
        look: &(dyn Fn(&Batch, &Record) -> Option<T> + Sync),
        found: &mut dyn FnMut(T) -> io::Result<()>,
    ) -> Result<(StreamReport, Broken), StreamError> {
        let (report, end) = self.each(at_once, look, &mut |_, _, results| {
            results.into_iter().flatten().flatten().try_for_each(&mut *found).map_err(StreamError::Write)
        })?;
        end.failure.map_or(Ok((report, end.broken)), |error| Err(StreamError::Read(error)))
    }

    /// Returns the next batch, or `None` at the end of the stream. Reuses the memory of a `spent` batch.
    pub(crate) fn next(&mut self, mut spent: Vec<u8>) -> io::Result<Option<Batch>> {
        let mut wanted = self.wanted;
        loop {
            self.fill(wanted);
            let mut records: Vec<Record> = Vec::new();
            let mut at = 0;
            while records.len() < RECORDS
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
            if at == self.length && self.extent == Extent::Complete {
                records.extend(self.damaged(at));
            }
            if at == self.length && self.extent == Extent::Complete && records.is_empty() {
                return self.failure.take().map_or(Ok(None), Err);
            }
            if at > 0 || !records.is_empty() {
                let rest = &self.buffer[at..self.length];
                if spent.len() > self.sizes.batch {
                    // A longer record leaves no longer buffer behind.
                    spent = Vec::new();
                }
                spent.resize(spent.len().max(rest.len()), 0);
                spent[..rest.len()].copy_from_slice(rest);
                self.length = rest.len();
                let mut bytes = mem::replace(&mut self.buffer, spent);
                bytes.truncate(at);
                self.wanted = if records.len() < RECORDS { self.sizes.batch } else { at * 2 };
                return Ok(Some(Batch { bytes, records, budget: Budget::default() }));
            }
            wanted = (self.length * 2).min(self.sizes.message);
        }
    }

    /// Reads until the buffer contains the `wanted` number of bytes, or to the end. Memory that was read into before is not
    /// cleared again.
    fn fill(&mut self, wanted: usize) {
        if self.extent == Extent::Partial && self.buffer.len() < wanted {
            if self.buffer.is_empty() {
                // The operating system clears it, as far as it is used.
                self.buffer = vec![0; wanted];
            } else {
                self.buffer.reserve_exact(wanted - self.buffer.len());
                self.buffer.resize(wanted, 0);
            }
        }
        while self.extent == Extent::Partial && self.length < wanted {
            match self.input.read(&mut self.buffer[self.length..wanted]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(read) if read > 0 => self.length += read,
                end => {
                    self.failure = end.err();
                    self.extent = Extent::Complete;
                }
            }
        }
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
        let bytes = &self.buffer[at..self.length];
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
        let available = length.min(self.length - at);
        self.remaining = if available < length { Remaining::Bytes(length - available) } else { Remaining::Nothing };
        Record { number: self.count, raw: at..at + available, content }
    }

    /// Returns the next piece of a too-long record of unknown length. It ends early enough for the next record to be
    /// recognized.
    fn continuation(&mut self, at: usize) -> Option<Record> {
        /// Maximum bytes by which the start of a record is recognized.
        const START_OF_RECORD: usize = 128 << 10;
        let kept = START_OF_RECORD.min(self.sizes.message / 2);
        let end = match self.framing.next_record(&self.buffer[..self.length], at, self.extent) {
            Some(end) => {
                self.remaining = Remaining::Nothing;
                end
            }
            None => self.length.saturating_sub(kept).max(at),
        };
        (end > at).then_some(Record { number: self.count, raw: at..end, content: Content::TooLongContinued })
    }
}

#[cfg(test)]
mod tests {
    use absolve_framing::{ArchiveFormat, Content, MailboxFraming};
    use absolve_testing::rounds;

    use super::{Batches, RECORDS, Sizes};
    use crate::laws::{archive_records_are_found, messages_are_found, records_of};

    /// The records cover any bytes without gaps, and do not depend on the batch size.
    #[test]
    fn records_are_the_file() {
        const PIECES: [&str; 16] = [
            "From a@b Thu Jan  1 00:00:00 1998\n",
            "From a at b  Thu Jan  1 00:00:00 1998\r\n",
            "From me 10:30 1998\n",
            "From here on\n",
            ">From there\n",
            "\n",
            "\r\n",
            "\n\n",
            "Content-Length: 7\n",
            "Content-Length: 40\n",
            "Content-Length: 99999999999\n",
            "Subject: x\n",
            "1234567",
            "text\n",
            "From ",
            "\0",
        ];
        let mut random = fastrand::Rng::with_seed(70);
        let mut messages = 0;
        for round in 0..rounds(20_000) {
            let text: String = (0..random.usize(..40)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
            // Some rounds exceed the maximum length of a message.
            let message = if round % 4 == 0 { 5_000 } else { 1 << 20 };
            messages += messages_are_found(text.as_bytes(), MailboxFraming::Mbox, message);
        }
        assert!(messages > rounds(20_000), "{messages}");
    }

    /// The same for a web archive, cut off anywhere.
    #[test]
    fn records_are_the_web_archive() {
        const PIECES: [&str; 10] = [
            "WARC/1.0\r\nContent-Length: 5\r\n\r\n12345\r\n\r\n",
            "WARC/1.1\r\nWARC-Type: x\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
            "WARC/1.0\nContent-Length: 300\n\n",
            "WARC/1.0\r\n\r\n",
            "WARC/1.0\r\nContent-Length: 99999999999999\r\n\r\n",
            "WARC/1.0\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            "\r\n",
            "garbage\r\n",
            "WARC/",
            "12345",
        ];
        let mut random = fastrand::Rng::with_seed(71);
        let mut found = 0;
        for _ in 0..rounds(20_000) {
            let text: String = (0..random.usize(..20)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
            let text = &text[..random.usize(..=text.len())];
            found += archive_records_are_found(text.as_bytes(), ArchiveFormat::Warc);
        }
        assert!(found > rounds(20_000), "{found}");
    }

    /// Each line of an unended header used to be an entry of its own, with its own finding.
    #[test]
    fn what_is_no_record_is_one_stretch() {
        let text = "WARC/1.0\n".repeat(100_000);
        let records = records_of(text.as_bytes(), ArchiveFormat::Warc, Sizes { batch: 1 << 18, message: 1 << 20 });
        assert!(records.len() <= 8, "{}", records.len());
    }

    /// The rows of 16 MiB of short messages waited together.
    #[test]
    fn short_messages_come_in_small_batches() {
        let text = "From a Thu Jan  1 00:00:00 1998\nSubject: x\n\n\n".repeat(5 * RECORDS);
        let mut batches = Batches::new(text.as_bytes(), MailboxFraming::Mbox);
        let mut lengths = Vec::new();
        while let Some(batch) = batches.next(Vec::new()).expect("bytes in memory are read") {
            lengths.push((batch.records.len(), batch.bytes.len()));
        }
        assert_eq!(lengths, [(RECORDS, text.len() / 5); 5]);
    }

    /// A too-long message is returned in pieces, and the next message is found.
    #[test]
    fn long_messages_come_in_pieces() {
        let long = format!("From a Thu Jan  1 00:00:00 1998\nSubject: x\n\n{}\n\n", "text\n".repeat(20_000));
        let text = format!("{long}From b Thu Jan  1 00:00:00 1998\nSubject: y\n\nshort\n{long}");
        let records = records_of(text.as_bytes(), MailboxFraming::Mbox, Sizes { batch: 1_000, message: 10_000 });
        let raws: String = records.iter().map(|record| &text[record.raw.clone()]).collect();
        assert_eq!(raws, text);
        let named: Vec<u64> = records
            .iter()
            .filter(|record| !matches!(record.content, Content::TooLongContinued))
            .map(|record| record.number)
            .collect();
        assert_eq!(named, [1, 2]);
        assert!(records.len() > 10 && records.iter().all(|record| record.raw.len() <= 10_000));
    }
}
