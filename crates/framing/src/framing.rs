//! Framing: where each record of a stream begins and ends.

pub(crate) mod arc;
pub(crate) mod archive;
pub(crate) mod babyl;
pub(crate) mod emlx;
pub(crate) mod mailbox;
pub(crate) mod mbox;
pub(crate) mod mmdf;
pub(crate) mod warc;

use std::error::Error;
use std::fmt;
use std::ops::Range;

/// How the records of a stream are delimited.
pub trait Framing: Copy {
    /// Returns the first record of `bytes`, which begin at a record; `None` if its end is not in `bytes`.
    fn first_record(self, bytes: &[u8], extent: Extent) -> Option<Framed>;

    /// Returns the offset of the next record after `from`, or of the end of the stream; `None` if it is not in `bytes`.
    fn next_record(self, bytes: &[u8], from: usize, extent: Extent) -> Option<usize>;
}

/// Whether a buffer contains all of the rest of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The buffer ends where the stream ends.
    Complete,
    /// The stream continues after the buffer.
    Partial,
}

/// A record with its framing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framed {
    /// Bytes of the record and its framing. They may extend past the end of the buffer.
    pub length: usize,
    /// What it holds.
    pub content: Content,
}

impl Framed {
    /// Returns a record that is too long to be read, with its end in `bytes` or behind them. At the end of a stream it is cut off, and nothing
    /// within its length is another record, as where the stream goes on.
    fn too_long(end: usize, bytes: &[u8], extent: Extent) -> Self {
        match extent == Extent::Partial || end <= bytes.len() {
            true => Self { length: end, content: Content::TooLong },
            false => Self { length: bytes.len(), content: Content::CutOff },
        }
    }
}

/// The content of a record, or the reason why it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The record without its framing.
    Record(Range<usize>),
    /// The header of a message, and its body with the empty line before it: between them stands another header.
    TwoPieces(Range<usize>, Range<usize>),
    /// Bytes at the start of the file that describe it.
    FileHeader,
    /// A message that may contain the separator line of another one.
    Ambiguous,
    /// An incomplete record.
    CutOff,
    /// Bytes between records that do not form a record.
    NoRecord,
    /// The start of a record that exceeds the limit.
    TooLong,
    /// A later piece of such a record.
    TooLongContinued,
    /// A gap without bytes: the file is damaged here.
    Damaged(Damage),
}

impl Content {
    /// Returns the content with its range moved by `offset` bytes.
    pub fn shifted(self, offset: usize) -> Self {
        match self {
            Self::Record(range) => Self::Record(range.start + offset..range.end + offset),
            Self::TwoPieces(header, body) => {
                Self::TwoPieces(header.start + offset..header.end + offset, body.start + offset..body.end + offset)
            }
            other => other,
        }
    }

    /// Returns whether it is bytes that are not a record, other than empty lines. `raw` are its bytes.
    pub fn is_stray(&self, raw: &[u8]) -> bool {
        *self == Self::NoRecord && !raw.trim_ascii().is_empty()
    }

    /// Returns whether a new record begins here.
    pub const fn is_new(&self) -> bool {
        !matches!(self, Self::FileHeader | Self::NoRecord | Self::TooLongContinued | Self::Damaged(_))
    }
}

/// Unreadable bytes of a compressed file that are followed by readable ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The bytes of the file.
    pub bytes: Range<u64>,
    /// The reason, as the decoder gives it.
    pub why: String,
    /// Whether decoded bytes of the gzip member were returned before the damage was detected.
    pub is_returned: bool,
    /// Whether the damage cuts off a record whose start was returned.
    pub breaks_record: bool,
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes: Range { start, end }, why, is_returned, .. } = self;
        match is_returned {
            true => write!(
                formatter,
                "a gzip member is damaged at byte {start} of the file ({why}); it was read up to there"
            )?,
            false => write!(formatter, "bytes {start} to {end} of the file are damaged ({why})")?,
        }
        write!(formatter, "; reading continues at byte {end}")
    }
}

impl Error for Damage {}
