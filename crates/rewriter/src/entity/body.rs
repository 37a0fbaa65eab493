//! Bodies in a transfer encoding, and edits made inside it (RFC 2045, section 6).

use std::sync::Arc;

use absolve_links::Edits;

use crate::entity::encoded::Encoded;
use crate::entity::lines::{edited_lines, line_end};
use crate::entity::quoted_printable;

/// A decoded body, and how it is encoded.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Bytes as they are.
    Binary,
    /// Bytes as they are, in lines of limited length.
    Lines,
    /// Bytes in quoted-printable or base64.
    Encoded(Arc<dyn Encoded>),
}

/// The longest line of a message in bytes, without its end (RFC 5322, section 2.1.1).
const LONGEST_LINE: usize = 998;

impl Body {
    /// Returns whether its encoding is slightly malformed.
    pub(crate) fn is_irregular(&self) -> bool {
        matches!(self, Self::Encoded(encoded) if encoded.is_irregular())
    }

    /// Returns the bytes of the document in it.
    pub(crate) fn bytes<'b>(&'b self, raw: &'b [u8]) -> &'b [u8] {
        match self {
            Self::Binary | Self::Lines => raw,
            Self::Encoded(encoded) => encoded.bytes(),
        }
    }

    /// Returns where a byte of the document stands in the raw bytes; in base64, their beginning.
    pub(crate) fn raw_byte(&self, byte: usize) -> usize {
        match self {
            Self::Binary | Self::Lines => byte,
            Self::Encoded(encoded) => encoded.raw_byte(byte),
        }
    }

    /// Converts edits of the document to edits of the raw bytes. Without a line end in those, that of `around` is used.
    pub(crate) fn lift(&self, raw: &[u8], around: &[u8], edits: Edits) -> Lifted {
        let end = line_end(raw, around);
        Lifted::Edits(match self {
            _ if edits.is_empty() => edits,
            Self::Lines if makes_line_too_long(raw, &edits) => {
                let new = quoted_printable::encode_lines(&edits.splice(raw), end);
                return Lifted::InQuotedPrintable(Edits::from([(0..raw.len(), new)]));
            }
            Self::Binary | Self::Lines => edits,
            Self::Encoded(encoded) => encoded.lift(raw, &edits, end),
        })
    }
}

/// Edits of an encoded body.
#[derive(Debug)]
pub(crate) enum Lifted {
    /// In the transfer encoding it has.
    Edits(Edits),
    /// In quoted-printable, because a line would become too long otherwise.
    InQuotedPrintable(Edits),
}

/// Returns whether a line becomes longer than is allowed, although none of the lines in it was.
fn makes_line_too_long(raw: &[u8], edits: &Edits) -> bool {
    let is_long = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).len() > LONGEST_LINE;
    let holds_long = |lines: &[u8]| {
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', lines).chain([lines.len()]);
        lines.len() > LONGEST_LINE
            && ends.into_iter().any(|end| is_long(&lines[std::mem::replace(&mut start, end + 1)..end]))
    };
    edited_lines(raw, edits).any(|(lines, new)| holds_long(&new) && !holds_long(&raw[lines]))
}
