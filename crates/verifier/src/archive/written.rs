//! The records that a run has written.

use std::io;
use std::mem;

use absolve_framing::{ArchiveFormat, Compression, Content, content_length};

use super::record::Record;
use super::records::{Piece, Records};
use crate::storage::Stored;
use crate::verdict::{Difference, Rule};

/// The records that a run has written, with what is wrong between them.
pub(super) struct Written<'f> {
    file: Stored<'f>,
    records: Records<'f>,
    ahead: Option<Record>,
    /// The byte of the file at which the next record has to begin, if known.
    at: Option<u64>,
    pub(super) found: Vec<Difference>,
}

impl<'f> Written<'f> {
    /// Reads the records that begin at a byte of a file, and have to be compressed so.
    pub(super) fn behind(start: u64, file: Stored<'f>, compression: Compression) -> io::Result<Self> {
        let records = Records::behind(start, file, ArchiveFormat::Warc)?;
        let is_other = records.compression != compression && start < file.length()?;
        let message = "it is compressed neither like the original nor as its name says";
        let found = is_other.then(|| Difference::new(Rule::Record, message)).into_iter().collect();
        Ok(Self { file, records, ahead: None, at: Some(start), found })
    }

    /// Returns the next record.
    pub(super) fn next(&mut self) -> io::Result<Option<Record>> {
        if let Some(record) = self.ahead.take() {
            return Ok(Some(record));
        }
        loop {
            let difference = match self.records.next()? {
                None => {
                    self.check_end()?;
                    return Ok(None);
                }
                Some(Piece::Record(record)) => {
                    self.check_place(&record);
                    return Ok(Some(record));
                }
                Some(Piece::Other(Content::CutOff, bytes)) => cut_off(&bytes),
                Some(Piece::Other(Content::Damaged(why), _)) => {
                    Difference::new(Rule::Unread, format!("the written archive: {why}"))
                }
                Some(Piece::Other(_, bytes)) => stray(&bytes),
            };
            self.found.push(difference);
        }
    }

    /// Puts a record back that was not the one looked for.
    pub(super) fn put_back(&mut self, record: Option<Record>) {
        self.ahead = record;
    }

    fn report(&mut self, message: String) {
        self.found.push(Difference::new(Rule::Record, message));
    }

    /// Verifies that the next record has gzip members of its own, directly behind those of the previous one.
    fn check_place(&mut self, record: &Record) {
        if self.records.compression != Compression::Gzip {
            return;
        }
        let raw = record.raw();
        let expected = mem::replace(&mut self.at, record.place.end);
        match (raw, expected) {
            (None, _) => self.report(format!("{} has no gzip member of its own", described(record))),
            (Some(raw), Some(expected)) if raw.start != expected => {
                let between = raw.start.saturating_sub(expected);
                self.report(format!("{between} bytes precede {}", described(record)));
            }
            _ => {}
        }
    }

    /// Verifies that nothing follows the last record.
    fn check_end(&mut self) -> io::Result<()> {
        let end = self.file.length()?;
        if let Some(why) = self.records.ending.unread.take() {
            self.found.push(Difference::new(Rule::Unread, format!("the written archive: {why}")));
        } else if self.records.compression == Compression::Gzip && self.at.take().is_some_and(|at| at != end) {
            self.report("bytes follow the last record".to_owned());
        }
        Ok(())
    }

    /// Verifies that a record of the run is one gzip member.
    pub(super) fn check_member(&mut self, record: &Record) -> io::Result<()> {
        let Some(raw) = record.raw().filter(|_| self.records.compression == Compression::Gzip) else { return Ok(()) };
        if record.place.members != 1 || !self.file.has_minimal_gzip_header(raw.start)? {
            self.report(format!("{} is not compressed as a run compresses records", described(record)));
        }
        Ok(())
    }

    /// Verifies that a copied record has the same gzip members as in the original, if it has members of its own there. Returns whether its
    /// bytes are the same.
    pub(super) fn check_copy(
        &mut self,
        copy: &Record,
        record: &Record,
        original: Stored<'_>,
        compression: Compression,
    ) -> io::Result<bool> {
        // A record that is compressed otherwise, or too long to be held, is compressed again.
        let is_copied = record.long.is_none() && compression == self.records.compression;
        match record.raw().zip(copy.raw()).filter(|_| is_copied) {
            Some((old, new)) => {
                let is_same = old.end - old.start == new.end - new.start
                    && original.first_difference(old, self.file, new.start)?.is_none();
                if !is_same && self.records.compression == Compression::Gzip {
                    self.report(format!("{} is compressed differently from the original", described(copy)));
                }
                Ok(is_same)
            }
            None => self.check_member(copy).map(|()| false),
        }
    }
}

fn stray(bytes: &[u8]) -> Difference {
    const SHOWN: usize = 64;
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
    Difference::new(Rule::Record, format!("{} written bytes are not a record: {shown:?}", bytes.len()))
}

/// Returns the difference of a record whose length leads to no other record.
fn cut_off(bytes: &[u8]) -> Difference {
    let header = memchr::memmem::find(bytes, b"\r\n\r\n").map(|end| end + 4);
    let declared = header.and_then(|end| Some((content_length(&bytes[..end])?, bytes.len() - end)));
    match declared {
        Some((declared, length)) if declared <= length => {
            Difference::new(Rule::Digest, "a written record does not end where its Content-Length says")
        }
        _ => Difference::new(Rule::Unread, "a written record is cut off"),
    }
}

/// Describes a written record in the message of a difference.
pub(super) fn described(record: &Record) -> String {
    match &*record.kind() {
        "" => format!("written record {}", record.number),
        kind => format!("written record {} ({kind})", record.number),
    }
}
