//! How records stand behind each other in a stream.

pub(crate) mod arc;
pub(crate) mod format;
pub(crate) mod mbox;
pub(crate) mod warc;

use std::error::Error;
use std::fmt;
use std::ops::Range;

use absolve_base::header_fields;

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

/// The text of a header field: unfolded, without white space around it; what is no UTF-8 is Latin-1, as in HTTP.
pub(crate) fn text_of_field(value: &[u8]) -> String {
    let text = match str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::mem::decode_latin1(value).into_owned(),
    };
    match text.trim().contains('\n') {
        true => text.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned(),
        false => text.trim().to_owned(),
    }
}

/// Bytes of a compressed file that cannot be read, while those behind them can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) bytes: Range<u64>,
    pub(crate) why: String,
    /// Whether something that stands there was given before the damage showed.
    pub(crate) is_given: bool,
    /// Whether a record breaks off there that was begun to be given.
    pub(crate) breaks_record: bool,
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes: Range { start, end }, why, is_given, .. } = self;
        match is_given {
            true => write!(
                formatter,
                "the member of gzip at byte {start} of the file is damaged ({why}); what stood before was read"
            )?,
            false => write!(formatter, "bytes {start} to {end} of the file are damaged ({why})")?,
        }
        write!(formatter, "; reading goes on at byte {end}")
    }
}

impl Error for Damage {}
