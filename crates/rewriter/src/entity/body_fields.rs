//! Header fields that depend on the body: a value that is correct before the edits is correct after them.

use std::borrow::Cow;
use std::ops::Range;

use absolve_base::{HeaderField, without_comments};
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
    /// Parses a field whose value begins at `offset`. Comments may stand around and in the value.
    pub(crate) fn of_field(field: &HeaderField<'_>, value: &[u8], offset: usize) -> Option<Self> {
        let is = |name: &str| field.is_named(name);
        let plain = without_comments(value);
        let (kind, within) = if is("Content-Length") {
            (BodyFieldKind::Length, number_in(&plain, 0..plain.len())?)
        } else if is("Lines") {
            (BodyFieldKind::Lines, number_in(&plain, 0..plain.len())?)
        } else if is("Content-MD5") {
            (BodyFieldKind::Md5, trimmed(&plain, 0..plain.len()))
        } else if is("Content-Disposition") {
            (BodyFieldKind::DecodedSize, size_parameter(&plain)?)
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
            BodyFieldKind::Md5 => {
                let forms = [None, Some(&b"\r\n"[..]), Some(&b"\n"[..])];
                let form = forms.into_iter().find(|form| with_digest(written, body, *form) == written)?;
                with_digest(written, &edits.splice(body), form)
            }
        };
        (new != written).then_some(new)
    }
}

/// Returns the growth by the edits: the weight of what is inserted less that of what is removed.
fn growth(edits: &Edits, weight: fn(u8) -> usize, body: &[u8]) -> isize {
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| weight(*byte)).sum::<usize>() as isize;
    edits.iter().map(|(range, text)| sum(text) - sum(&body[range])).sum()
}

fn number(written: &[u8], right: usize, growth: isize) -> Option<Vec<u8>> {
    let is_right = String::from_utf8(unescaped(written)).ok()?.parse() == Ok(right);
    is_right.then(|| right.saturating_add_signed(growth).to_string().into_bytes())
}

/// Returns a value with the digest of a body in place of its own, whose characters comments and line breaks may separate.
/// `line_end` is that of all lines, or they are as they are.
fn with_digest(written: &[u8], body: &[u8], line_end: Option<&[u8]>) -> Vec<u8> {
    let body = line_end.map_or(Cow::Borrowed(body), |end| Cow::Owned(with_line_ends(body, end)));
    let digest = BASE64_STANDARD.encode(Md5::digest(&body));
    let plain = without_comments(written);
    let places = (0..plain.len()).filter(|at| !plain[*at].is_ascii_whitespace());
    let mut new = written.to_vec();
    if places.clone().count() == digest.len() {
        places.zip(digest.bytes()).for_each(|(at, byte)| new[at] = byte);
    }
    new
}

fn with_line_ends(bytes: &[u8], end: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 32);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(text) => {
                out.extend_from_slice(text.strip_suffix(b"\r").unwrap_or(text));
                out.extend_from_slice(end);
            }
            None => out.extend_from_slice(line),
        }
    }
    out
}

/// Returns the digits of the `size` parameter of a value without comments.
fn size_parameter(value: &[u8]) -> Option<Range<usize>> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut start = 0;
    for (at, byte) in value.iter().copied().chain([b';']).enumerate() {
        is_quoted ^= byte == b'"' && !is_escaped;
        is_escaped = is_quoted && byte == b'\\' && !is_escaped;
        if byte != b';' || (is_quoted && at < value.len()) {
            continue;
        }
        let equals = value[start..at].iter().position(|byte| *byte == b'=').map(|length| start + length);
        if let Some(equals) = equals.filter(|equals| value[start..*equals].trim_ascii().eq_ignore_ascii_case(b"size")) {
            let written = trimmed(value, equals + 1..at);
            let Some(quoted) = value[written.clone()].strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""))
            else {
                return number_in(value, written);
            };
            return is_number(&unescaped(quoted)).then_some(written.start + 1..written.end - 1);
        }
        start = at + 1;
    }
    None
}

/// Returns the number in a range that holds nothing else.
fn number_in(value: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let number = trimmed(value, range);
    is_number(&value[number.clone()]).then_some(number)
}

fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

pub(crate) fn trimmed(value: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &value[range.clone()];
    let start = range.start + text.len() - text.trim_ascii_start().len();
    start..start + text.trim_ascii().len()
}

/// Returns a quoted text without the backslashes that escape its characters.
fn unescaped(quoted: &[u8]) -> Vec<u8> {
    let mut is_escape = false;
    let mut is_kept = |byte: u8| {
        is_escape = byte == b'\\' && !is_escape;
        !is_escape
    };
    quoted.iter().copied().filter(|byte| is_kept(*byte)).collect()
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
            (b" inline; size=1\\2", None),
            (b" inline; size=\"1\\2\"", Some(b"1\\2")),
            (b" inline; size=\"1\\\\2\"", None),
            (b" inline; filename=\"a\\\\\"; size=12", Some(b"12")),
            (b" inline; filename=\"a\\\\\\\"; size=12\"", None),
            (b"size=12", Some(b"12")),
        ] {
            let found = size_parameter(value).map(|digits| &value[digits]);
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(value));
        }
    }
}
