//! Header fields that depend on the body: finding their values, and digests.

use std::borrow::Cow;
use std::ops::Range;

use absolve_framing::{HeaderField, without_comments};
use absolve_links::Edits;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use md5::{Digest, Md5};

use crate::entity::body_fields::{BodyField, BodyFieldKind, trimmed, unescaped};

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
            (BodyFieldKind::Digest(corrected), trimmed(&plain, 0..plain.len()))
        } else if is("Content-Disposition") {
            (BodyFieldKind::DecodedSize, size_parameter(&plain)?)
        } else {
            return None;
        };
        Some(Self { kind, value: offset + within.start..offset + within.end })
    }
}

/// Returns the digest of a body with these edits (RFC 1864), written as the old one, if that was correct. Its lines may end as in CRLF, or
/// as they do in the body.
fn corrected(written: &[u8], body: &[u8], edits: &Edits) -> Option<Vec<u8>> {
    let forms = [None, Some(&b"\r\n"[..]), Some(&b"\n"[..])];
    let form = forms.into_iter().find(|form| with_digest(written, body, *form) == written)?;
    Some(with_digest(written, &edits.splice(body), form))
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
