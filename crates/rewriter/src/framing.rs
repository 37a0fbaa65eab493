//! How records stand behind each other in a stream.

use std::ops::Range;

use absolve_base::header_fields;

use crate::members::Damage;
use crate::{arc, mbox, warc};

/// A format of streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Mbox,
    Warc,
    Arc,
}

/// What holds many records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Container {
    /// Records behind each other.
    Stream(Format),
    /// Web archives in a ZIP.
    Wacz,
}

/// What is left of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// All of it.
    Whole,
    /// There is more.
    Begun,
}

/// A record with its framing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Framed {
    /// How many bytes it takes of the stream; perhaps more than are there.
    pub(crate) length: usize,
    pub(crate) content: Content,
}

/// What a record holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// The record without its framing.
    Record(Range<usize>),
    /// A message in which another one may begin.
    Doubtful,
    /// A record that breaks off.
    CutOff,
    /// What stands where a record should begin.
    NoRecord,
    /// The beginning of a record that is too long.
    TooLong,
    /// More of it.
    MoreOfTooLong,
    /// None of its bytes: the file is damaged where they stand.
    Damaged(Damage),
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

/// The length of the body that a heading tells.
pub(crate) fn content_length(heading: &[u8]) -> Option<usize> {
    let field = header_fields(heading).find(|field| field.is_named("Content-Length"))?;
    str::from_utf8(heading[field.value].trim_ascii()).ok()?.parse().ok()
}

impl Content {
    /// The same record, some bytes further on.
    pub(crate) fn shifted(self, offset: usize) -> Self {
        match self {
            Self::Record(range) => Self::Record(range.start + offset..range.end + offset),
            other => other,
        }
    }

    /// Whether a record begins with it.
    pub(crate) const fn is_new(&self) -> bool {
        !matches!(self, Self::NoRecord | Self::MoreOfTooLong | Self::Damaged(_))
    }
}
