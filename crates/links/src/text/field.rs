//! References in header fields.

use std::ops::Range;

use memchr::memmem;

use crate::document::Document;
use crate::markup::space::trim;
use crate::scan::{Link, Place, RemarkKind, Scan, Scope};
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

/// Finds the references of a field value. Each stands between `<` and `>`, where white space is ignored. Without
/// brackets, the value up to a comment is one reference, where only the folding of lines is ignored (RFC 2557, section
/// 4.4.2).
pub(crate) fn scan(document: &Document<'_>) -> Scan {
    let bytes = document.bytes();
    let mut scan = Scan { scopes: vec![Scope::Document], ..Scan::default() };
    if memmem::find(bytes, b"=?").is_some() {
        // Encoded words (RFC 2047) may begin and end within a reference.
        scan.remark(RemarkKind::Composed, 0);
        return scan;
    }
    for range in field_references(bytes) {
        let is_bracketed = memchr::memchr(b'<', &bytes[..range.start]).is_some();
        let wrappings = Wrappings::of(if is_bracketed { Wrapping::Spaced } else { Wrapping::Folded });
        scan.links.push(Link { range, wrappings, place: Place::Text, scope: 0 });
    }
    scan
}

/// Returns the bytes of the references in the value of a header field: those in angle brackets, or else the value up to a comment.
///
/// ```
/// assert_eq!(absolve_links::field_references(b" <URL:a>, <b>"), [6..7, 11..12]);
/// ```
pub fn field_references(value: &[u8]) -> Vec<Range<usize>> {
    let mut references = bracketed(value);
    if references.is_empty() {
        references.push(unbracketed(value));
    }
    let unmarked = |range: Range<usize>| {
        let range = trim(value, range);
        match value[range.clone()].get(..4) {
            Some(mark) if mark.eq_ignore_ascii_case(b"URL:") => trim(value, range.start + 4..range.end),
            _ => range,
        }
    };
    references.into_iter().map(unmarked).filter(|range| !range.is_empty()).collect()
}

fn unbracketed(bytes: &[u8]) -> Range<usize> {
    let comment = [&b" ("[..], b"\t("].into_iter().filter_map(|start| memmem::find(bytes, start)).min();
    let value = trim(bytes, 0..comment.unwrap_or(bytes.len()));
    match &bytes[value.clone()] {
        [b'"', .., b'"'] => value.start + 1..value.end - 1,
        [b'(', ..] => value.end..value.end,
        _ => value,
    }
}

fn bracketed(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    for at in memchr::memchr2_iter(b'<', b'>', bytes) {
        match (bytes[at], open) {
            // A reference contains no bracket.
            (b'<', _) => open = Some(at + 1),
            (_, Some(start)) => {
                found.push(start..at);
                open = None;
            }
            _ => {}
        }
    }
    found
}
