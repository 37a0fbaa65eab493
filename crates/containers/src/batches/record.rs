//! A record of a stream.

use std::ops::Range;

use absolve_framing::Content;

/// A record of a stream.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// Counted from 1; 0 for bytes that are not a record.
    pub(crate) number: u64,
    /// Range of all its bytes in the batch.
    pub(crate) raw: Range<usize>,
    pub(crate) content: Content,
}

impl Record {
    /// Returns the name of the record in reports: its number, or an empty text.
    pub(crate) fn name(&self) -> String {
        if self.number == 0 { String::new() } else { self.number.to_string() }
    }
}
