//! Splitting a multipart body at its boundary (RFC 2046, section 5.1).

use std::iter;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memchr_iter;
use memchr::memmem::Finder;

use crate::entity::transfer::Transfer;
use crate::header_extent::HeaderExtent;
use crate::parameters::type_of_part;

/// The beginning of a line that may be a delimiter.
static DASHES: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\n--"));

/// The parts of a multipart body.
#[derive(Debug, PartialEq, Eq)]
pub struct Division {
    /// Their ranges.
    pub parts: Vec<Range<usize>>,
    /// Whether the closing delimiter line exists; without it, the last part ends with the body.
    pub is_closed: bool,
}

/// Splits a body at its delimiter lines, up to the closing one (RFC 2046, section 5.1.1). `None` if it has none.
///
/// ```
/// let body = b"--b\r\nx\r\n--b--\r\n";
/// assert_eq!(absolve_framing::divide(body, b"b", 0..body.len()).map(|division| division.parts), Some(vec![5..6]));
/// ```
pub fn divide(message: &[u8], boundary: &[u8], within: Range<usize>) -> Option<Division> {
    let mut parts = Vec::new();
    let mut begun = None;
    let lines = DASHES.find_iter(&message[within.clone()]).map(|line_end| within.start + line_end + 1);
    for at in iter::once(within.start).chain(lines) {
        let end = memchr::memchr(b'\n', &message[at..within.end]).map_or(within.end, |length| at + length + 1);
        if let Some(delimiter) = delimiter(&message[at..end], boundary) {
            // The line end before a delimiter is part of the delimiter.
            parts.extend(begun.map(|start| start..before_line_end(message, at).max(start)));
            begun = Some(end);
            if delimiter == Delimiter::Closing {
                return Some(Division { parts, is_closed: true });
            }
        }
    }
    parts.push(begun?..within.end);
    Some(Division { parts, is_closed: false })
}

/// Reports whether parts may be encoded as a whole, because their multipart declares quoted-printable (against RFC 2045, section 6.4): there are
/// escapes where none of its own declares that.
///
/// ```
/// let part = b"Content-Type: text/html\n\n<a href=3D\"x\">";
/// assert!(absolve_framing::may_be_encoded(part, &[0..part.len()]));
/// ```
#[must_use]
pub fn may_be_encoded(message: &[u8], parts: &[Range<usize>]) -> bool {
    parts.iter().any(|part| have_escapes(message, part.clone(), LEVELS))
}

/// The levels of parts within each other that are examined. What is deeper counts as text.
const LEVELS: usize = 8;

/// Reports whether a part has escapes where nothing in it declares quoted-printable.
fn have_escapes(message: &[u8], part: Range<usize>, levels: usize) -> bool {
    let (mut encoding, mut declared) = (String::new(), None);
    let extent = HeaderExtent::of(message, part.clone(), &mut |field| {
        let value = &message[part.clone()][field.value.clone()];
        if field.is_named("Content-Transfer-Encoding") {
            encoding = Transfer::name_in(value);
        } else if field.is_named("Content-Type") {
            declared = type_of_part(value);
        }
    });
    let body = extent.body..part.end;
    let has_none = matches!(Transfer::named(&encoding), Some(Transfer::Lines | Transfer::Binary));
    let (name, boundary) = declared.map(|declared| (declared.name, declared.boundary)).unwrap_or_default();
    let inner = match boundary {
        _ if levels == 0 || !has_none => None,
        Some(boundary) if name.starts_with("multipart/") => {
            divide(message, boundary.as_bytes(), body.clone()).map(|division| division.parts)
        }
        _ if name.starts_with("message/") => Some(vec![body.clone()]),
        _ => None,
    };
    let is_composite = name.starts_with("multipart/") || name.starts_with("message/");
    let is_text = inner.is_none() && (has_none || is_composite);
    let text = &message[part.start..if is_text { part.end } else { body.start }];
    let is_escape = |at: usize| match &text[at + 1..] {
        [b'3', b'D' | b'd', ..] => true,
        // A row of them is a line in plain text.
        [b'\n', ..] | [b'\r', b'\n', ..] => at > 0 && text[at - 1] != b'=',
        _ => false,
    };
    memchr_iter(b'=', text).any(is_escape)
        || inner.into_iter().flatten().any(|inner| have_escapes(message, inner, levels - 1))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Delimiter {
    Opening,
    Closing,
}

fn delimiter(line: &[u8], boundary: &[u8]) -> Option<Delimiter> {
    let after = line.strip_prefix(b"--")?.strip_prefix(boundary)?;
    match after.strip_prefix(b"--") {
        Some(padding) if padding.trim_ascii().is_empty() => Some(Delimiter::Closing),
        _ => after.trim_ascii().is_empty().then_some(Delimiter::Opening),
    }
}

fn before_line_end(message: &[u8], at: usize) -> usize {
    match &message[..at] {
        [.., b'\r', b'\n'] => at - 2,
        [.., b'\n'] => at - 1,
        _ => at,
    }
}
