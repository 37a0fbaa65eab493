//! Formats of record streams.

use crate::framing::{Extent, Framed, arc, mbox, warc};

/// A format of concatenated records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Messages, each after a separator line (RFC 4155).
    Mbox,
    /// WARC records (ISO 28500).
    Warc,
    /// ARC records, the predecessor of WARC.
    Arc,
}

impl Format {
    /// Returns the first record of `bytes`, which begin at a record; `None` if its end is not in `bytes`.
    pub(crate) fn first_record(self, bytes: &[u8], extent: Extent) -> Option<Framed> {
        match self {
            Self::Mbox => mbox::first_message(bytes, extent),
            Self::Warc => warc::first_record(bytes, extent),
            Self::Arc => arc::first_record(bytes, extent),
        }
    }

    /// Returns whether `bytes` begin with a record of a web archive.
    pub(crate) fn begins_record(self, bytes: &[u8]) -> bool {
        match self {
            Self::Mbox => false,
            Self::Warc => warc::begins_warc(bytes),
            Self::Arc => arc::begins_record(bytes),
        }
    }

    /// Returns the offset of the next record after `from`, or of the end of the stream; `None` if it is not in `bytes`.
    pub(crate) fn next_record(self, bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
        match self {
            Self::Mbox => mbox::next_separator(bytes, from, extent),
            Self::Warc => warc::next_record(bytes, from, extent),
            Self::Arc => arc::next_record(bytes, from, extent),
        }
    }
}
