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
    let bracketed = bracketed(bytes);
    let (references, wrapping) = match bracketed.is_empty() {
        true => (vec![unbracketed(bytes)], Wrapping::Folded),
        false => (bracketed, Wrapping::Spaced),
    };
    for range in references {
        let range = trim(bytes, range);
        let range = match bytes[range.clone()].get(..4) {
            Some(mark) if mark.eq_ignore_ascii_case(b"URL:") => trim(bytes, range.start + 4..range.end),
            _ => range,
        };
        if !range.is_empty() {
            let wrappings = Wrappings::of(wrapping);
            scan.links.push(Link { range, wrappings, place: Place::Text, scope: 0 });
        }
    }
    scan
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
