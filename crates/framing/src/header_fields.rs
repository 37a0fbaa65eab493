//! The fields of a header (RFC 5322, section 2.2), and where it ends.

use std::ops::Range;

/// A header field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderField<'h> {
    /// The raw name.
    pub name: &'h [u8],
    /// The position of its first byte in the header.
    pub start: usize,
    /// The range of the value in the header, from after the colon up to and including the line end.
    pub value: Range<usize>,
}

impl<'h> HeaderField<'h> {
    /// Returns the field in a line of a header and the continuation lines after it; `None` if they have no colon.
    ///
    /// ```
    /// use absolve_framing::HeaderField;
    /// let field = HeaderField::in_lines(b"A: b\nSubject: x\n y\n", 5..19).unwrap();
    /// assert_eq!((field.name, field.value), (&b"Subject"[..], 13..19));
    /// ```
    pub fn in_lines(header: &'h [u8], lines: Range<usize>) -> Option<Self> {
        let colon = lines.start + memchr::memchr(b':', &header[lines.clone()])?;
        let name = header[lines.start..colon].trim_ascii_end();
        Some(Self { name, start: lines.start, value: colon + 1..lines.end })
    }

    /// Returns whether it has this name, ignoring case.
    ///
    /// ```
    /// let field = absolve_framing::header_fields(b"SUBJECT : x\n").next();
    /// assert!(field.is_some_and(|field| field.is_named("Subject")));
    /// ```
    pub const fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }
}

/// Returns the fields of a header in order (RFC 5322, section 2.2). Malformed lines are skipped.
///
/// ```
/// use absolve_framing::header_fields;
/// let header = b"Subject: a\n b\nnonsense\nBase : c\n";
/// let names: Vec<_> = header_fields(header).map(|field| field.name).collect();
/// assert_eq!(names, [&b"Subject"[..], b"Base"]);
/// ```
pub fn header_fields(header: &[u8]) -> impl Iterator<Item = HeaderField<'_>> {
    folded_lines(header).filter_map(|lines| HeaderField::in_lines(header, lines))
}

/// Returns the lines of a header, each with its continuation lines.
fn folded_lines(header: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        while at < header.len() {
            at += memchr::memchr(b'\n', &header[at..]).map_or(header.len() - at, |end| end + 1);
            if !matches!(header.get(at), Some(b' ' | b'\t')) {
                break;
            }
        }
        (at > start).then_some(start..at)
    })
}

/// Returns the end of the header at the start of `within`, and the beginning of the body after the first empty line.
pub fn body_start(message: &[u8], within: Range<usize>) -> (usize, usize) {
    let mut at = within.start;
    while at < within.end {
        let end = memchr::memchr(b'\n', &message[at..within.end]).map_or(within.end, |length| at + length + 1);
        if matches!(message[at..end], [b'\n'] | [b'\r', b'\n']) {
            return (at, end);
        }
        at = end;
    }
    (within.end, within.end)
}

/// Returns the value of `Content-Length` in a header.
pub fn content_length(header: &[u8]) -> Option<usize> {
    let field = header_fields(header).find(|field| field.is_named("Content-Length"))?;
    str::from_utf8(header[field.value].trim_ascii()).ok()?.parse().ok()
}

/// Returns the text of a header field, unfolded and trimmed. A value that is not UTF-8 is decoded as ISO-8859-1, as in HTTP.
pub fn text_of_field(value: &[u8]) -> String {
    let text = match str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => value.iter().copied().map(char::from).collect(),
    };
    match text.trim().contains('\n') {
        true => text.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned(),
        false => text.trim().to_owned(),
    }
}
