//! Header fields that depend on the body: a value that is correct before the edits is correct after them.

use std::ops::Range;

use absolve_base::HeaderField;
use absolve_links::Edits;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use md5::{Digest, Md5};

/// A value in a header that depends on the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BodyField {
    pub(crate) kind: BodyFieldKind,
    /// The bytes of the value.
    pub(crate) value: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyFieldKind {
    /// `Content-Length`: bytes of the encoded body.
    Length,
    /// `Lines`: line ends of the encoded body.
    Lines,
    /// `Content-Disposition`, `size` (RFC 2183, section 2.7): bytes without the transfer encoding.
    DecodedSize,
    /// `Content-MD5` (RFC 1864): of the bytes without the transfer encoding, lines ending in CRLF.
    Md5,
}

impl BodyFieldKind {
    /// Returns whether it depends on the encoded body.
    pub(crate) const fn depends_on_encoding(self) -> bool {
        matches!(self, Self::Length | Self::Lines)
    }
}

impl BodyField {
    /// Parses a field whose value begins at `offset`.
    pub(crate) fn of_field(field: &HeaderField<'_>, value: &[u8], offset: usize) -> Option<Self> {
        let is = |name: &str| field.is_named(name);
        let trimmed = value.trim_ascii();
        let start = value.len() - value.trim_ascii_start().len();
        let (kind, within) = if is("Content-Length") {
            (BodyFieldKind::Length, start..start + trimmed.len())
        } else if is("Lines") {
            (BodyFieldKind::Lines, start..start + trimmed.len())
        } else if is("Content-MD5") {
            (BodyFieldKind::Md5, start..start + trimmed.len())
        } else if is("Content-Disposition") {
            (BodyFieldKind::DecodedSize, size_parameter(value)?)
        } else {
            return None;
        };
        Some(Self { kind, value: offset + within.start..offset + within.end })
    }

    /// Returns the new value, if the old one was correct and is not after the edits. `body` is encoded or decoded, as
    /// [`BodyFieldKind::depends_on_encoding`] requires.
    pub(crate) fn corrected(&self, text: &[u8], body: &[u8], edits: &Edits) -> Option<Vec<u8>> {
        let written = &text[self.value.clone()];
        let new = match self.kind {
            BodyFieldKind::Length | BodyFieldKind::DecodedSize => {
                number(written, body.len(), growth(edits, |_| 1, body))?
            }
            BodyFieldKind::Lines => {
                let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
                number(written, lines(body), growth(edits, |byte| usize::from(byte == b'\n'), body))?
            }
            BodyFieldKind::Md5 => [AS_IT_IS, IN_CANONICAL_LINES]
                .into_iter()
                .find_map(|form| (md5(&form(body)) == written).then(|| md5(&form(&edits.splice(body)))))?,
        };
        (new != written).then_some(new)
    }
}

const AS_IT_IS: fn(&[u8]) -> Vec<u8> = <[u8]>::to_vec;

const IN_CANONICAL_LINES: fn(&[u8]) -> Vec<u8> = with_canonical_lines;

/// Returns the growth by the edits: the weight of what is inserted less that of what is removed.
fn growth(edits: &Edits, weight: fn(u8) -> usize, body: &[u8]) -> isize {
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| weight(*byte)).sum::<usize>() as isize;
    edits.iter().map(|(range, text)| sum(text) - sum(&body[range])).sum()
}

fn number(written: &[u8], right: usize, growth: isize) -> Option<Vec<u8>> {
    let is_right = str::from_utf8(written).ok()?.parse() == Ok(right);
    is_right.then(|| right.saturating_add_signed(growth).to_string().into_bytes())
}

fn md5(bytes: &[u8]) -> Vec<u8> {
    BASE64_STANDARD.encode(Md5::digest(bytes)).into_bytes()
}

fn with_canonical_lines(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 32);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(text) => {
                out.extend_from_slice(text.strip_suffix(b"\r").unwrap_or(text));
                out.extend_from_slice(b"\r\n");
            }
            None => out.extend_from_slice(line),
        }
    }
    out
}

/// Returns the digits of the `size` parameter.
fn size_parameter(value: &[u8]) -> Option<Range<usize>> {
    let mut is_quoted = false;
    let mut start = 0;
    for (at, byte) in value.iter().copied().chain([b';']).enumerate() {
        is_quoted ^= byte == b'"' && !value[..at].ends_with(b"\\");
        if byte != b';' || (is_quoted && at < value.len()) {
            continue;
        }
        let parameter = &value[start..at];
        let digits = parameter
            .iter()
            .position(|byte| *byte == b'=')
            .filter(|equals| parameter[..*equals].trim_ascii().eq_ignore_ascii_case(b"size"));
        if let Some(equals) = digits {
            return digits_of(value, start + equals + 1..at);
        }
        start = at + 1;
    }

    None
}

/// Returns the digits in a stretch that holds nothing else, except for quotes.
fn digits_of(value: &[u8], stretch: Range<usize>) -> Option<Range<usize>> {
    let text = &value[stretch.clone()];

    let start = stretch.start + (text.len() - text.trim_ascii_start().len());

    let trimmed = text.trim_ascii();

    let (quote, digits) = match trimmed {
        [b'"', digits @ .., b'"'] => (1, digits),
        digits => (0, digits),
    };

    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);

    is_number.then_some(start + quote..start + quote + digits.len())
}

#[cfg(test)]
mod tests {
    use super::size_parameter;

    #[test]
    fn sizes() {
        for (value, expected) in [
            (&b" inline; size=12"[..], Some(&b"12"[..])),
            (b" inline; size = \"12\" ; x=y\n", Some(b"12")),
            (b" inline; filename=\"a; size=11\"; SIZE=12", Some(b"12")),
            (b" inline; filename=\"a\\\"; size=11\"", None),
            (b" inline; size=\"", None),
            (b" inline; size=\"12", None),
            (b" inline; size=", None),
            (b" inline; size=1 2", None),
            (b"size=12", Some(b"12")),
        ] {
            let found = size_parameter(value).map(|digits| &value[digits]);
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(value));
        }
    }
}
