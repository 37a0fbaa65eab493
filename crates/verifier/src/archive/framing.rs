//! Gzip members of the records that a run has written.

use std::io;

use super::format::compression_of;
use super::record::{Block, Record};
use super::written_records::described;
use crate::compression::{Compression, has_minimal_header};
use crate::storage::Stored;
use crate::verdict::{Difference, Rule};

/// The gzip members of written records; other compressions are not checked.
pub(super) struct Framing<'f> {
    written: Stored<'f>,
    /// The byte of the file at which the first record begins.
    start: u64,
    compression: Compression,
    /// The byte behind `start` at which the next record has to begin, if known.
    at: Option<u64>,
}

impl<'f> Framing<'f> {
    pub(super) const fn new(written: Stored<'f>, start: u64, compression: Compression) -> Self {
        Self { written, start, compression, at: Some(0) }
    }

    /// Verifies that the next record has gzip members of its own, directly behind those of the previous record.
    pub(super) fn check_next(&mut self, record: &Record) -> Option<Difference> {
        if self.compression != Compression::Gzip {
            return None;
        }
        let raw = record.raw();
        let expected = std::mem::replace(&mut self.at, raw.as_ref().map(|raw| raw.end));
        match (raw, expected) {
            (None, _) => Some(difference(format!("{} has no gzip member of its own", described(record)))),
            (Some(raw), Some(expected)) if raw.start != expected => {
                let between = raw.start.saturating_sub(expected);
                Some(difference(format!("{between} bytes precede {}", described(record))))
            }
            _ => None,
        }
    }

    /// Verifies that a record of the run is one gzip member with a minimal header.
    pub(super) fn check_written(&self, record: &Record) -> io::Result<Option<Difference>> {
        let Some(raw) = record.raw().filter(|_| self.compression == Compression::Gzip) else { return Ok(None) };
        let start = self.start + raw.start;
        let is_ours = record.members == 1 && has_minimal_header(self.written, start)?;
        Ok((!is_ours)
            .then(|| difference(format!("{} is not compressed as a run compresses records", described(record)))))
    }

    /// Verifies that a copied record has the same gzip members as in the original, if it has members of its own there.
    pub(super) fn check_copied(
        &self,
        copy: &Record,
        original: Stored<'_>,
        record: &Record,
    ) -> io::Result<Option<Difference>> {
        // A record that is compressed otherwise, or too long to be held, is compressed again.
        let is_copy = !matches!(record.block, Block::Long(..)) && compression_of(original)? == self.compression;
        let raw = record.raw().zip(copy.raw()).filter(|_| is_copy && self.compression == Compression::Gzip);
        let Some((old, new)) = raw else { return self.check_written(copy) };
        let is_same = old.end - old.start == new.end - new.start
            && original.first_difference(old, self.written, self.start + new.start)?.is_none();
        Ok((!is_same).then(|| difference(format!("{} is compressed differently from the original", described(copy)))))
    }

    /// Verifies that nothing follows the last record.
    pub(super) fn check_end(&self) -> io::Result<Option<Difference>> {
        let end = self.written.length()?;
        let is_end = |at: u64| self.compression != Compression::Gzip || self.start + at == end;
        Ok(self.at.filter(|at| !is_end(*at)).map(|_| difference("bytes follow the last record".to_owned())))
    }
}

fn difference(message: String) -> Difference {
    Difference::new(Rule::Record, message)
}
