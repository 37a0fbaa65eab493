//! Header fields that depend on the body: where their values stand, and how digests are written.

use std::borrow::Cow;
use std::ops::Range;

use crate::comments::without_comments;
use crate::header_fields::HeaderField;

/// What a field states of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// `Content-Length`: bytes of the encoded body.
    Length,
    /// `Lines`: line ends of the encoded body.
    Lines,
    /// `Content-Disposition`, `size` (RFC 2183, section 2.7): bytes without the transfer encoding.
    DecodedSize,
    /// `Content-MD5` (RFC 1864): of the bytes without the transfer encoding.
    Digest,
}

impl Measure {
    /// Returns what a field states of the body, and where in its value. Comments may stand around and in that.
    ///
    /// ```
    /// use absolve_framing::{Measure, header_fields};
    /// let header = b"Content-Length: 12 (bytes)\n";
    /// let field = header_fields(header).next().unwrap();
    /// assert_eq!(Measure::of_field(&field, &header[field.value.clone()]), Some((Measure::Length, 1..3)));
    /// ```
    #[must_use]
    pub fn of_field(field: &HeaderField<'_>, value: &[u8]) -> Option<(Self, Range<usize>)> {
        const NAMES: [(&str, Measure); 4] = [
            ("Content-Length", Measure::Length),
            ("Lines", Measure::Lines),
            ("Content-MD5", Measure::Digest),
            ("Content-Disposition", Measure::DecodedSize),
        ];
        let (_, measure) = NAMES.into_iter().find(|(name, _)| field.is_named(name))?;
        let plain = without_comments(value);
        let place = match measure {
            Self::Length | Self::Lines => number_in(&plain, 0..plain.len())?,
            Self::Digest => trimmed(&plain, 0..plain.len()),
            Self::DecodedSize => size_parameter(&plain)?,
        };
        Some((measure, place))
    }
}

/// Returns a written digest with another one in place of its own, whose characters comments and line breaks may separate; `None` if that has
/// another length.
///
/// ```
/// assert_eq!(absolve_framing::with_digest(b"ab (c)\n de", b"ABDE").as_deref(), Some(&b"AB (c)\n DE"[..]));
/// ```
#[must_use]
pub fn with_digest(written: &[u8], digest: &[u8]) -> Option<Vec<u8>> {
    let plain = without_comments(written);
    let places = (0..plain.len()).filter(|at| !plain[*at].is_ascii_whitespace());
    let mut new = written.to_vec();
    let is_as_long = places.clone().count() == digest.len();
    places.zip(digest).for_each(|(at, byte)| new[at] = *byte);
    is_as_long.then_some(new)
}

/// Returns the forms of a body whose digest a field may state: as it is, with lines ending in CRLF, and with lines ending in LF.
///
/// ```
/// assert_eq!(absolve_framing::digested_forms(b"a\n").map(|form| form.into_owned()), [&b"a\n"[..], b"a\r\n", b"a\n"]);
/// ```
#[must_use]
pub fn digested_forms(body: &[u8]) -> [Cow<'_, [u8]>; 3] {
    [body.into(), with_line_ends(body, b"\r\n").into(), with_line_ends(body, b"\n").into()]
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

/// Returns a range without the white space at its ends.
///
/// ```
/// assert_eq!(absolve_framing::trimmed(b"a: b \n", 2..6), 3..4);
/// ```
#[must_use]
pub fn trimmed(value: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &value[range.clone()];
    let start = range.start + text.len() - text.trim_ascii_start().len();
    start..start + text.trim_ascii().len()
}

/// Returns a quoted text without the backslashes that escape its characters.
///
/// ```
/// assert_eq!(absolve_framing::unescaped(b"1\\2"), b"12");
/// ```
#[must_use]
pub fn unescaped(quoted: &[u8]) -> Vec<u8> {
    let mut is_escape = false;
    let mut is_kept = |byte: u8| {
        is_escape = byte == b'\\' && !is_escape;
        !is_escape
    };
    quoted.iter().copied().filter(|byte| is_kept(*byte)).collect()
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
