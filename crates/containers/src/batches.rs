//! A stream of records, read in stretches that are done together.

use std::io::{self, Read};
use std::mem;
use std::ops::Range;

use crate::framing::format::Format;
use crate::framing::{Content, Damage, Framed, Rest};
use crate::limits::MESSAGE_BYTES;

/// The records of a stream, batch by batch. A batch is some megabytes, or one record; memory holds three at most.
#[derive(Debug)]
pub(crate) struct Batches<R> {
    input: R,
    format: Format,
    /// What was read and not handed out yet.
    buffer: Vec<u8>,
    rest: Rest,
    /// Why nothing more can be read; told when all before it is done.
    failure: Option<io::Error>,
    /// How many records were handed out.
    count: u64,
    /// Whether the last record breaks off.
    is_cut: bool,
    beyond: Beyond,
    sizes: Sizes,
}

/// How far the record reaches that was handed out in part, because it is too long.
#[derive(Clone, Copy, Debug)]
enum Beyond {
    /// It is done.
    Nothing,
    /// So many bytes further.
    Bytes(usize),
    /// To where the next one begins.
    NextBeginning,
}

/// How many bytes are read at once, and how many a record may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) batch: usize,
    pub(crate) message: usize,
}

impl Sizes {
    const OF_ARCHIVES: Self = Self { batch: 8 << 20, message: MESSAGE_BYTES };
}

/// Records that stand behind each other in `bytes`, without gaps.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) bytes: Vec<u8>,
    pub(crate) records: Vec<Record>,
}

/// How a stream ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Why it could not be read to its end.
    pub(crate) failure: Option<io::Error>,
    /// Whether a record that is too long ends before its end.
    pub(crate) lacks_bytes: bool,
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

impl<R: Read> Batches<R> {
    pub(crate) fn new(input: R, format: Format) -> Self {
        Self::with_sizes(input, format, Sizes::OF_ARCHIVES)
    }

    pub(crate) fn with_sizes(input: R, format: Format, sizes: Sizes) -> Self {
        let (buffer, rest, beyond) = (Vec::new(), Rest::Begun, Beyond::Nothing);
        Self { input, format, buffer, rest, failure: None, count: 0, is_cut: false, beyond, sizes }
    }

    /// Lets `work` do each batch, on another thread while the next one is read, and `take` have what came of it, in order.
    pub(crate) fn each<D: Send, E>(
        mut self,
        work: &(dyn Fn(&Batch) -> D + Sync),
        take: &mut dyn FnMut(&Batch, D) -> Result<(), E>,
    ) -> Result<Ended, E> {
        let mut ahead = self.next(Vec::new());
        let mut waiting: Option<(Batch, D)> = None;
        let failure = loop {
            let batch = match ahead {
                Ok(Some(batch)) => batch,
                Ok(None) => break None,
                Err(error) => break Some(error),
            };
            let mut done = None;
            if rayon::current_num_threads() == 1 {
                done = Some(work(&batch));
            }
            ahead = rayon::in_place_scope(|scope| {
                if done.is_none() {
                    scope.spawn(|_| done = Some(work(&batch)));
                }
                let spent = match waiting.take() {
                    Some((batch, done)) => take(&batch, done).map(|()| batch.bytes)?,
                    None => Vec::new(),
                };
                Ok(self.next(spent))
            })?;
            waiting = done.map(|done| (batch, done));
        };
        waiting.map_or(Ok(()), |(batch, done)| take(&batch, done))?;
        let lacks_bytes = self.rest == Rest::Whole && matches!(self.beyond, Beyond::Bytes(_));
        Ok(Ended { failure, lacks_bytes })
    }

    /// The next batch; `None` at the end. The memory of one that is `spent` is used again.
    pub(crate) fn next(&mut self, mut spent: Vec<u8>) -> io::Result<Option<Batch>> {
        let mut wanted = self.sizes.batch;
        loop {
            self.fill(wanted);
            let mut records: Vec<Record> = Vec::new();
            let mut at = 0;
            while let Some(record) = self.record(at) {
                at = record.raw.end;
                match records.last_mut() {
                    // However it is told apart, what is no record is one stretch.
                    Some(Record { content: Content::NoRecord, raw, .. }) if record.content == Content::NoRecord => {
                        raw.end = at;
                    }
                    _ => records.push(record),
                }
            }
            if at == self.buffer.len() && self.rest == Rest::Whole {
                records.extend(self.damaged(at));
            }
            if at == self.buffer.len() && self.rest == Rest::Whole && records.is_empty() {
                return self.failure.take().map_or(Ok(None), Err);
            }
            if at > 0 || !records.is_empty() {
                spent.clear();
                spent.extend_from_slice(&self.buffer[at..]);
                let mut bytes = mem::replace(&mut self.buffer, spent);
                bytes.truncate(at);
                return Ok(Some(Batch { bytes, records }));
            }
            wanted = (self.buffer.len() * 2).min(self.sizes.message);
        }
    }

    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.buffer.len());
        if self.rest == Rest::Begun && missing > 0 {
            self.buffer.reserve_exact(missing);
            let length = self.buffer.len() + missing;
            self.failure = (&mut self.input).take(missing as u64).read_to_end(&mut self.buffer).err();
            if self.buffer.len() < length {
                self.rest = Rest::Whole;
            }
        }
    }

    /// What stands where the file is damaged, if that is why it ends here and reading can go on.
    fn damaged(&mut self, at: usize) -> Option<Record> {
        if self.format == Format::Mbox {
            return None;
        }
        let mut damage = match self.failure.take()?.downcast::<Damage>() {
            Ok(damage) => damage,
            Err(error) => {
                self.failure = Some(error);
                return None;
            }
        };
        let lacks_bytes = matches!(mem::replace(&mut self.beyond, Beyond::Nothing), Beyond::Bytes(_));
        damage.breaks_record = mem::take(&mut self.is_cut) || lacks_bytes;
        self.rest = Rest::Begun;
        // What breaks off here was counted, and what was given before that showed as well.
        self.count += u64::from(!damage.breaks_record && !damage.is_given);
        Some(Record { number: self.count, raw: at..at, content: Content::Damaged(damage) })
    }

    /// The record that begins at `at`; `None` when it is not read to its end, or there is none.
    fn record(&mut self, at: usize) -> Option<Record> {
        let bytes = &self.buffer[at..];
        if bytes.is_empty() {
            return None;
        }
        match self.beyond {
            Beyond::Nothing => {}
            Beyond::Bytes(length) => return Some(self.part_of_long_record(at, length, Content::MoreOfTooLong)),
            Beyond::NextBeginning => return self.more_of_long_record(at),
        }
        match self.format.first_record(bytes, self.rest) {
            Some(Framed { length, content }) => {
                self.count += u64::from(content.is_new());
                self.is_cut = content == Content::CutOff;
                let number = if content == Content::NoRecord { 0 } else { self.count };
                let record = self.part_of_long_record(at, length, content.shifted(at));
                Some(Record { number, ..record })
            }
            None if bytes.len() >= self.sizes.message => {
                self.beyond = Beyond::NextBeginning;
                self.count += 1;
                let record = self.more_of_long_record(at)?;
                Some(Record { content: Content::TooLong, ..record })
            }
            None => None,
        }
    }

    /// As much as is there of a record that is `length` bytes long.
    fn part_of_long_record(&mut self, at: usize, length: usize, content: Content) -> Record {
        let there = length.min(self.buffer.len() - at);
        self.beyond = if there < length { Beyond::Bytes(length - there) } else { Beyond::Nothing };
        Record { number: self.count, raw: at..at + there, content }
    }

    /// All but the last bytes, in which the next record may begin.
    fn more_of_long_record(&mut self, at: usize) -> Option<Record> {
        // What tells a beginning is no longer than this.
        const LONGEST: usize = 128 << 10;
        let kept = LONGEST.min(self.sizes.message / 2);
        let end = match self.format.next_beginning(&self.buffer, at, self.rest) {
            Some(end) => {
                self.beyond = Beyond::Nothing;
                end
            }
            None => self.buffer.len().saturating_sub(kept).max(at),
        };
        (end > at).then_some(Record { number: self.count, raw: at..end, content: Content::MoreOfTooLong })
    }
}

#[cfg(test)]
mod tests {
    use absolve_testing::rounds;

    use super::Sizes;
    use crate::framing::Content;
    use crate::framing::format::Format;
    use crate::laws::{records_are_found, records_of};

    /// Whatever the bytes are and however they are read, records stand behind each other without gaps, and the same ones
    /// are found.
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
            // Long messages are told by where they happen to be cut.
            let message = if round % 4 == 0 { 5_000 } else { 1 << 20 };
            messages += records_are_found(text.as_bytes(), Format::Mbox, message);
        }
        assert!(messages > rounds(20_000), "{messages}");
    }

    /// The same of a web archive, cut off anywhere.
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
            found += records_are_found(text.as_bytes(), Format::Warc, 1 << 20);
        }
        assert!(found > rounds(20_000), "{found}");
    }

    /// Each line of a heading without end was a stretch of its own, with a finding of its own.
    #[test]
    fn what_is_no_record_is_one_stretch() {
        let text = "WARC/1.0\n".repeat(100_000);
        let records = records_of(text.as_bytes(), Format::Warc, Sizes { batch: 1 << 18, message: 1 << 20 });
        assert!(records.len() <= 8, "{}", records.len());
    }

    /// A message that is too long is handed out in pieces, and the next one is found.
    #[test]
    fn long_messages_come_in_pieces() {
        let long = format!("From a Thu Jan  1 00:00:00 1998\nSubject: x\n\n{}\n\n", "text\n".repeat(20_000));
        let text = format!("{long}From b Thu Jan  1 00:00:00 1998\nSubject: y\n\nshort\n{long}");
        let records = records_of(text.as_bytes(), Format::Mbox, Sizes { batch: 1_000, message: 10_000 });
        let raws: String = records.iter().map(|record| &text[record.raw.clone()]).collect();
        assert_eq!(raws, text);
        let named: Vec<u64> = records
            .iter()
            .filter(|record| !matches!(record.content, Content::MoreOfTooLong))
            .map(|record| record.number)
            .collect();
        assert_eq!(named, [1, 2]);
        assert!(records.len() > 10 && records.iter().all(|record| record.raw.len() <= 10_000));
    }
}
