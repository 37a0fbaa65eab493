//! In which members of gzip the records stand that a run has written.

use std::io;

use super::format::compression_of;
use super::record::{Block, Record};
use super::written_records::named;
use crate::compression::{Compression, has_minimal_header};
use crate::storage::Stored;
use crate::verdict::{Difference, Rule};

/// Records in members of gzip, one behind the other; what is packed otherwise has no framing.
pub(super) struct Framing<'f> {
    written: Stored<'f>,
    /// Where in the file the first of them begins.
    start: u64,
    packing: Compression,
    /// Where the next one has to begin behind that, if it is known.
    at: Option<u64>,
}

impl<'f> Framing<'f> {
    pub(super) const fn new(written: Stored<'f>, start: u64, packing: Compression) -> Self {
        Self { written, start, packing, at: Some(0) }
    }

    /// What is wrong with where the next record stands: in members of its own, with nothing between it and the one before.
    pub(super) fn next(&mut self, record: &Record) -> Option<Difference> {
        if self.packing != Compression::Gzip {
            return None;
        }
        let raw = record.raw();
        let expected = std::mem::replace(&mut self.at, raw.as_ref().map(|raw| raw.end));
        match (raw, expected) {
            (None, _) => Some(difference(format!("{} is in no member of its own", named(record)))),
            (Some(raw), Some(expected)) if raw.start != expected => {
                let between = raw.start.saturating_sub(expected);
                Some(difference(format!("{between} bytes stand before {}", named(record))))
            }
            _ => None,
        }
    }

    /// What is wrong with how a record is packed that is none of the original: it is one member, with a header that tells
    /// nothing.
    pub(super) fn of_ours(&self, record: &Record) -> io::Result<Option<Difference>> {
        let Some(raw) = record.raw().filter(|_| self.packing == Compression::Gzip) else { return Ok(None) };
        let start = self.start + raw.start;
        let is_ours = record.members == 1 && has_minimal_header(self.written, start)?;
        Ok((!is_ours).then(|| difference(format!("{} is not packed as a run does it", named(record)))))
    }

    /// What is wrong with how a record is packed that is one of the original: where it has members of its own there, these are
    /// they.
    pub(super) fn of_copy(
        &self,
        copy: &Record,
        original: Stored<'_>,
        record: &Record,
    ) -> io::Result<Option<Difference>> {
        // What was packed otherwise, or is too long to be held, is packed anew.
        let is_anew = matches!(record.block, Block::Long(..)) || compression_of(original)? != self.packing;
        let (Some(old), Some(new), Compression::Gzip, false) = (record.raw(), copy.raw(), self.packing, is_anew) else {
            return self.of_ours(copy);
        };
        let is_same = old.end - old.start == new.end - new.start
            && original.first_difference(old, self.written, self.start + new.start)?.is_none();
        Ok((!is_same).then(|| difference(format!("{} is packed otherwise than in the original", named(copy)))))
    }

    /// What stands behind the last record.
    pub(super) fn end(&self) -> io::Result<Option<Difference>> {
        let end = self.written.length()?;
        let is_end = |at: u64| self.packing != Compression::Gzip || self.start + at == end;
        Ok(self.at.filter(|at| !is_end(*at)).map(|_| difference("bytes stand behind the last record".to_owned())))
    }
}

fn difference(message: String) -> Difference {
    Difference::new(Rule::Record, message)
}
