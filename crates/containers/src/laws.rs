//! Records, concatenated with their framing, are the file; however it is read, the same ones are found (law 7). For tests and
//! for fuzzing.

use crate::batches::{Batches, Record, Sizes};
use crate::framing::format::Format;

/// The law on any bytes as an mbox. Answers how many records there are.
pub fn records_are_the_mbox(bytes: &[u8]) -> usize {
    records_are_found(bytes, Format::Mbox, 1 << 20)
}

/// The law on any bytes as a WARC.
pub fn records_are_the_warc(bytes: &[u8]) -> usize {
    records_are_found(bytes, Format::Warc, 1 << 20)
}

/// The law on any bytes as an ARC.
pub fn records_are_the_arc(bytes: &[u8]) -> usize {
    records_are_found(bytes, Format::Arc, 1 << 20)
}

/// The law with records of at most `message` bytes.
pub(crate) fn records_are_found(bytes: &[u8], format: Format, message: usize) -> usize {
    let whole = records_of(bytes, format, Sizes { batch: 1 << 20, message });
    let told = |records: &[Record]| -> Vec<(usize, usize, u64)> {
        let begun = records.iter().filter(|record| format == Format::Mbox || record.content.is_new());
        // What is cut off is handed out in pieces.
        let end = |record: &Record| if format == Format::Mbox { record.raw.end } else { 0 };
        begun.map(|record| (record.raw.start, end(record), record.number)).collect()
    };
    for batch in [1, 7, 64, 300] {
        let records = records_of(bytes, format, Sizes { batch, message });
        let raws: Vec<u8> = records.iter().flat_map(|record| &bytes[record.raw.clone()]).copied().collect();
        assert!(raws == bytes, "{batch}: records leave something out");
        assert_eq!(told(&records), told(&whole), "{batch}: {:?}", String::from_utf8_lossy(bytes));
    }
    whole.len()
}

/// The records of a stream; their places are counted from its start.
pub(crate) fn records_of(bytes: &[u8], format: Format, sizes: Sizes) -> Vec<Record> {
    let mut batches = Batches::with_sizes(bytes, format, sizes);
    let (mut found, mut start) = (Vec::new(), 0);
    while let Ok(Some(batch)) = batches.next(Vec::new()) {
        let end = start + batch.bytes.len();
        let moved = |record: Record| Record { raw: record.raw.start + start..record.raw.end + start, ..record };
        found.extend(batch.records.into_iter().map(moved));
        start = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use absolve_testing::fixtures;

    /// What fuzzing has found.
    #[test]
    fn found_by_fuzzing() -> io::Result<()> {
        type Law = fn(&[u8]) -> usize;
        let bodies: [(&str, Law); 3] = [
            ("mbox", super::records_are_the_mbox),
            ("warc", super::records_are_the_warc),
            ("warc", super::records_are_the_arc),
        ];
        for (name, check) in bodies {
            let folder = fixtures().join("fuzz").join(name);
            for file in folder.exists().then(|| fs::read_dir(&folder)).into_iter().flatten().flatten() {
                check(&fs::read(file?.path())?);
            }
        }
        Ok(())
    }
}
