//! Formats of record streams.

use absolve_links::Edits;

use crate::framing::{Extent, Framed, arc, babyl, mbox, mmdf, warc};

/// A format of concatenated records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Messages in one file: after separator lines (mbox, RFC 4155), or as in MMDF or Babyl, by the first bytes.
    Mbox,
    /// WARC records (ISO 28500).
    Warc,
    /// ARC records, the predecessor of WARC.
    Arc,
}

impl Format {
    /// Returns whether `bytes` begin with a record of a web archive.
    pub(crate) fn begins_record(self, bytes: &[u8]) -> bool {
        match self {
            Self::Mbox => false,
            Self::Warc => warc::begins_warc(bytes),
            Self::Arc => arc::begins_record(bytes),
        }
    }
}

/// How the records of a stream are delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    Mbox,
    Mmdf,
    Babyl,
    Warc,
    Arc,
}

impl From<Format> for Framing {
    fn from(format: Format) -> Self {
        match format {
            Format::Mbox => Self::Mbox,
            Format::Warc => Self::Warc,
            Format::Arc => Self::Arc,
        }
    }
}

impl Framing {
    /// Returns the framing of a file of messages that begins with these bytes.
    pub(crate) fn of_messages(start: &[u8]) -> Self {
        match start {
            _ if mmdf::begins_mmdf(start) => Self::Mmdf,
            _ if babyl::begins_babyl(start) => Self::Babyl,
            _ => Self::Mbox,
        }
    }

    /// Returns whether the records are messages.
    pub(crate) const fn is_of_messages(self) -> bool {
        matches!(self, Self::Mbox | Self::Mmdf | Self::Babyl)
    }

    /// Returns whether edits of a message make it contain the end of a message, for example by joining two lines.
    pub(crate) fn creates_end(self, message: &[u8], edits: &Edits) -> bool {
        match self {
            Self::Mbox => mbox::creates_separator(message, edits),
            _ if edits.is_empty() || !self.may_create_end(message) => false,
            Self::Mmdf => mmdf::contains_mark(&edits.splice(message)),
            Self::Babyl => babyl::contains_end(&edits.splice(message)),
            Self::Warc | Self::Arc => false,
        }
    }

    /// Returns whether edits of a message may do that.
    pub(crate) fn may_create_end(self, message: &[u8]) -> bool {
        match self {
            Self::Mbox => mbox::may_create_separator(message),
            Self::Mmdf => memchr::memchr(1, message).is_some(),
            Self::Babyl => memchr::memchr(0x1f, message).is_some(),
            Self::Warc | Self::Arc => false,
        }
    }

    /// Returns the first record of `bytes`, which begin at a record; `None` if its end is not in `bytes`.
    pub(crate) fn first_record(self, bytes: &[u8], extent: Extent) -> Option<Framed> {
        match self {
            Self::Mbox => mbox::first_message(bytes, extent),
            Self::Mmdf => mmdf::first_message(bytes, extent),
            Self::Babyl => babyl::first_message(bytes, extent),
            Self::Warc => warc::first_record(bytes, extent),
            Self::Arc => arc::first_record(bytes, extent),
        }
    }

    /// Returns the offset of the next record after `from`, or of the end of the stream; `None` if it is not in `bytes`.
    pub(crate) fn next_record(self, bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
        match self {
            Self::Mbox => mbox::next_separator(bytes, from, extent),
            Self::Mmdf => mmdf::next_message(bytes, from, extent),
            Self::Babyl => babyl::next_message(bytes, from, extent),
            Self::Warc => warc::next_record(bytes, from, extent),
            Self::Arc => arc::next_record(bytes, from, extent),
        }
    }
}

#[cfg(test)]
mod tests {
    use absolve_links::Edits;

    use super::Framing;

    /// Bytes that only begin like the end of a message are none, until an edit makes one of them.
    #[test]
    fn ends_that_edits_create() {
        for (framing, message) in [
            (Framing::Mmdf, &b"x\n\x01\x01\x01\x01y\n"[..]),
            (Framing::Mmdf, b"\x01\x01\x01\x01y\r\nx\n"),
            (Framing::Babyl, b"x\x1f\x0cy\nz\x1f\x0c"),
            (Framing::Babyl, b"x\x1f\x0cy\r\n"),
        ] {
            for (at, byte) in message.iter().enumerate() {
                let mut edits = Edits::default();
                edits.push(at..at + 1, if *byte == b'x' { b"http://h/x" } else { b"" });
                assert_eq!(framing.creates_end(message, &edits), *byte == b'y', "{framing:?} {at}");
            }
        }
    }
}
