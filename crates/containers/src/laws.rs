//! Law 7, for tests and fuzzing: the records of a stream concatenate to the stream, and are the same for any batch size.

use std::ops::Range;

use absolve_framing::{ArchiveFormat, Batches, Framing, MailboxFraming, Record, Sizes};

/// Checks the law on any bytes read as an mbox. Returns the number of records.
pub fn records_are_the_mbox(bytes: &[u8]) -> usize {
    messages_are_found(bytes, MailboxFraming::Mbox, 1 << 20)
}

/// Checks the law on any bytes read as an mbox of MMDF. Returns the number of records.
pub fn records_are_those_of_mmdf(bytes: &[u8]) -> usize {
    messages_are_found(bytes, MailboxFraming::Mmdf, 1 << 20)
}

/// Checks the law on any bytes read as a Babyl file. Returns the number of records.
pub fn records_are_those_of_babyl(bytes: &[u8]) -> usize {
    messages_are_found(bytes, MailboxFraming::Babyl, 1 << 20)
}

/// Checks the law on any bytes read as a WARC. Returns the number of records.
pub fn records_are_the_warc(bytes: &[u8]) -> usize {
    archive_records_are_found(bytes, ArchiveFormat::Warc)
}

/// Checks the law on any bytes read as an ARC. Returns the number of records.
pub fn records_are_the_arc(bytes: &[u8]) -> usize {
    archive_records_are_found(bytes, ArchiveFormat::Arc)
}

/// Checks the law with messages of at most `message` bytes.
pub(crate) fn messages_are_found(bytes: &[u8], framing: MailboxFraming, message: usize) -> usize {
    records_are_found(bytes, framing, message, |record| Some((record.raw.clone(), record.number)))
}

/// Checks the law on an archive. The end of a cut-off record depends on the batch size.
pub(crate) fn archive_records_are_found(bytes: &[u8], format: ArchiveFormat) -> usize {
    let new = |record: &Record| record.content.is_new().then_some((record.raw.start..0, record.number));
    records_are_found(bytes, format, 1 << 20, new)
}

/// Checks the law. What `key` returns of each record does not depend on the batch size.
fn records_are_found(
    bytes: &[u8],
    framing: impl Framing,
    message: usize,
    key: impl Fn(&Record) -> Option<(Range<usize>, u64)>,
) -> usize {
    let whole = records_of(bytes, framing, Sizes { batch: 1 << 20, message });
    let summary = |records: &[Record]| records.iter().filter_map(&key).collect::<Vec<_>>();
    for batch in [1, 7, 64, 300] {
        let records = records_of(bytes, framing, Sizes { batch, message });
        let raws: Vec<u8> = records.iter().flat_map(|record| &bytes[record.raw.clone()]).copied().collect();
        assert!(raws == bytes, "{batch}: records omit bytes");
        assert_eq!(summary(&records), summary(&whole), "{batch}: {:?}", String::from_utf8_lossy(bytes));
    }
    whole.len()
}

/// Returns the records of a stream, with offsets from its start.
pub(crate) fn records_of(bytes: &[u8], framing: impl Framing, sizes: Sizes) -> Vec<Record> {
    let mut batches = Batches::with_sizes(bytes, framing, sizes);
    let (mut found, mut start) = (Vec::new(), 0);
    while let Ok(Some(batch)) = batches.next(Vec::new()) {
        let end = start + batch.bytes.len();
        let shifted = |record: Record| Record { raw: record.raw.start + start..record.raw.end + start, ..record };
        found.extend(batch.records.into_iter().map(shifted));
        start = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use absolve_framing::MailboxFraming;
    use absolve_testing::{fixtures, rounds};

    use super::messages_are_found;

    /// Inputs that failed under fuzzing.
    #[test]
    fn found_by_fuzzing() -> io::Result<()> {
        type Law = fn(&[u8]) -> usize;
        let laws: [(&str, Law); 5] = [
            ("mbox", super::records_are_the_mbox),
            ("mbox", super::records_are_those_of_mmdf),
            ("mbox", super::records_are_those_of_babyl),
            ("warc", super::records_are_the_warc),
            ("warc", super::records_are_the_arc),
        ];
        for (name, check) in laws {
            let folder = fixtures().join("fuzz").join(name);
            for file in folder.exists().then(|| fs::read_dir(&folder)).into_iter().flatten().flatten() {
                check(&fs::read(file?.path())?);
            }
        }
        Ok(())
    }

    /// The records cover any bytes without gaps, and do not depend on the batch size.
    #[test]
    fn records_are_the_mailbox_of_mmdf() {
        const PIECES: [&str; 11] = [
            "\x01\x01\x01\x01\n",
            "\n\x01\x01\x01\x01\n",
            "\x01\x01\x01\x01\r\n",
            "\x01\x01\x01\x01",
            "\x01",
            "From a Thu Jan  1 00:00:00 1998\n",
            "Subject: x\n",
            "\n",
            "\r\n",
            "text\n",
            "long text without an end, as it seems, at least ",
        ];
        let mut random = fastrand::Rng::with_seed(72);
        let mut messages = 0;
        for _ in 0..rounds(5_000) {
            let text: String = (0..random.usize(..30)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
            messages += messages_are_found(text.as_bytes(), MailboxFraming::Mmdf, 1 << 20);
        }
        assert!(messages > rounds(5_000), "{messages}");
    }

    /// The same for Babyl.
    #[test]
    fn records_are_the_babyl_file() {
        const PIECES: [&str; 14] = [
            "BABYL OPTIONS:\n",
            "Version: 5\n",
            "\x1f",
            "\x0c\n",
            "\x0c\r\n",
            "\n\x1f\x0c\n",
            "1,,\n",
            "0, unseen,,\n",
            "*** EOOH ***\n",
            "Subject: x\n",
            "\n",
            "\r\n",
            "text\n",
            "long text without an end, as it seems, at least ",
        ];
        let mut random = fastrand::Rng::with_seed(73);
        let mut messages = 0;
        for _ in 0..rounds(5_000) {
            let text: String = (0..random.usize(..30)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
            messages += messages_are_found(text.as_bytes(), MailboxFraming::Babyl, 1 << 20);
        }
        assert!(messages > rounds(5_000), "{messages}");
    }
}
