//! A record of a stream.

use std::ops::Range;

use crate::framing::Content;

/// A record of a stream.
#[derive(Clone, Debug)]
pub struct Record {
    /// Counted from 1; 0 for bytes that are not a record.
    pub number: u64,
    /// Range of all its bytes in the batch.
    pub raw: Range<usize>,
    /// The range of its content in the batch, or why it has none.
    pub content: Content,
}

impl Record {
    /// Returns the name of the record in reports: its number, or an empty text.
    pub fn name(&self) -> String {
        if self.number == 0 { String::new() } else { self.number.to_string() }
    }
}
