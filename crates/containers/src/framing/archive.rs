//! The framings of web archives.

use crate::framing::{Extent, Framed, Framing, arc, warc};

/// A format of web archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArchiveFormat {
    /// WARC records (ISO 28500).
    Warc,
    /// ARC records, the predecessor of WARC.
    Arc,
}

impl Framing for ArchiveFormat {
    fn first_record(self, bytes: &[u8], extent: Extent) -> Option<Framed> {
        match self {
            Self::Warc => warc::first_record(bytes, extent),
            Self::Arc => arc::first_record(bytes, extent),
        }
    }

    fn next_record(self, bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
        match self {
            Self::Warc => warc::next_record(bytes, from, extent),
            Self::Arc => arc::next_record(bytes, from, extent),
        }
    }
}

impl ArchiveFormat {
    /// Returns whether `bytes` begin with a record.
    pub(crate) fn begins_record(self, bytes: &[u8]) -> bool {
        match self {
            Self::Warc => warc::begins_warc(bytes),
            Self::Arc => arc::begins_record(bytes),
        }
    }
}
