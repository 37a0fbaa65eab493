//! Records that are needed again later.

use std::io;
use std::ops::Range;

use absolve_framing::ArchiveFormat;

use super::record::{Place, Record};
use crate::storage::temporary::Spool;

/// Records, which are in a temporary file if they are many.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    spool: Spool,
    records: Vec<Shelved>,
}

#[derive(Debug)]
struct Shelved {
    format: ArchiveFormat,
    number: u64,
    bytes: Range<u64>,
    line_ends: Vec<u8>,
}

impl Shelf {
    /// Adds a record, and returns its place on the shelf: they are counted from 0.
    pub(super) fn add(&mut self, record: &Record) -> io::Result<usize> {
        let bytes = self.spool.append(&[record.header(), record.block()].concat())?;
        let Record { format, number, line_ends, .. } = record;
        self.records.push(Shelved { format: *format, number: *number, bytes, line_ends: line_ends.clone() });
        Ok(self.records.len() - 1)
    }

    /// Returns a record; its place in the file is not known any more.
    pub(super) fn get(&mut self, index: usize) -> io::Result<Record> {
        let Shelved { format, number, bytes, line_ends } = &self.records[index];
        let bytes = self.spool.read(bytes.clone())?;
        Ok(Record::new(*format, *number, bytes, line_ends.clone(), Place::default()))
    }
}
