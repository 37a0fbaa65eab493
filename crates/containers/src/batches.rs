//! Work on the records of a stream, by all threads.

mod in_order;

use std::io;

use absolve_framing::{Batch, Batches, Framing, Record};

use crate::batches::in_order::in_order;
use crate::broken::Broken;
use crate::stream::{StreamError, StreamReport};

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
    /// Whether what follows can be read from there. Nothing follows, unless it is a piece.
    pub(crate) is_before_a_record: bool,
}

/// Applies `work` to each record on the current rayon pool, while the next batches are read, and passes the records with the
/// results to `take`, in order, `at_once` or fewer of a batch. Returns the counts of records and bytes, with what `take` added.
pub(crate) fn each<F: Framing, T: Send>(
    mut batches: Batches<'_, F>,
    at_once: usize,
    work: &(dyn Fn(&Batch, &Record) -> T + Sync),
    take: &mut Take<'_, T>,
) -> Result<(StreamReport, StreamEnd), StreamError> {
    let (mut report, mut broken, mut failure) = (StreamReport::default(), Broken::default(), None);
    let mut next = |spent: Option<Batch>| match batches.next(spent.map(|batch| batch.bytes).unwrap_or_default()) {
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
    let (is_truncated, is_before_a_record) = (batches.is_truncated(), batches.end_before_a_record());
    Ok((report, StreamEnd { broken, failure, is_truncated, is_before_a_record }))
}

/// Applies `look` to each record, and passes what it returns to `found`, as [`each`] does. A read error is an error
/// after all records before it, and so is the end of a piece within a record.
pub(crate) fn list<F: Framing, T: Send>(
    batches: Batches<'_, F>,
    at_once: usize,
    look: &(dyn Fn(&Batch, &Record) -> Option<T> + Sync),
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<(StreamReport, Broken), StreamError> {
    let (report, end) = each(batches, at_once, look, &mut |_, _, results| {
        results.into_iter().flatten().flatten().try_for_each(&mut *found).map_err(StreamError::Write)
    })?;
    let within = || io::Error::other("the piece of the file does not end where a record begins");
    let failure = end.failure.or_else(|| (!end.is_before_a_record).then(within));
    failure.map_or(Ok((report, end.broken)), |error| Err(StreamError::Read(error)))
}

#[cfg(test)]
mod tests {
    use absolve_framing::{ArchiveFormat, Batches, Content, MailboxFraming, RECORDS, Sizes};
    use absolve_testing::rounds;

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
