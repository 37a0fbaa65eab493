//! Formats of streams: where records begin.

use crate::framing::{Framed, Rest, arc, mbox, warc};

/// A format of records that stand behind each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Messages behind separator lines.
    Mbox,
    /// Records of a web archive (ISO 28500).
    Warc,
    /// Records of a web archive in the format that WARC replaced.
    Arc,
}

impl Format {
    /// The first record of `bytes`, which begin where one does; `None` if they do not tell where it ends.
    pub(crate) fn first_record(self, bytes: &[u8], rest: Rest) -> Option<Framed> {
        match self {
            Self::Mbox => mbox::first_message(bytes, rest),
            Self::Warc => warc::first_record(bytes, rest),
            Self::Arc => arc::first_record(bytes, rest),
        }
    }

    /// Whether a record begins where these bytes do.
    pub(crate) fn begins_record(self, bytes: &[u8]) -> bool {
        match self {
            Self::Mbox => false,
            Self::Warc => warc::begins_warc(bytes),
            Self::Arc => arc::begins_record(bytes),
        }
    }

    /// Where the next record begins behind `from`, or the end; `None` if `bytes` do not tell.
    pub(crate) fn next_beginning(self, bytes: &[u8], from: usize, rest: Rest) -> Option<usize> {
        match self {
            Self::Mbox => mbox::next_separator(bytes, from, rest),
            Self::Warc => warc::next_beginning(bytes, from, rest),
            Self::Arc => arc::next_beginning(bytes, from, rest),
        }
    }
}
