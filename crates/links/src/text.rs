//! References in plain text (draft-fielding-uri-url-00e, appendix B), and in other texts without markup of their own.

pub(crate) mod field;
pub(crate) mod json_feed;
pub(crate) mod speculation_rules;

use memchr::{memchr_iter, memchr2};

use crate::document::Document;
use crate::markup::space::trim;
use crate::scan::{Link, Place, RemarkKind, Scan, Scope};
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

/// Finds the references between `<URL:` and `>`. Text between `<` and `>` without `URL:` can only be an absolute URL.
pub(crate) fn scan(document: &Document<'_>) -> Scan {
    let bytes = document.bytes();
    let mut scan = Scan { scopes: vec![Scope::Document], ..Scan::default() };
    for open in memchr_iter(b'<', bytes) {
        const MARK: &[u8] = b"URL:";
        let start = open + 1 + MARK.len();
        if !bytes.get(open + 1..start).is_some_and(|mark| mark.eq_ignore_ascii_case(MARK)) {
            continue;
        }
        let Some(length) = memchr2(b'<', b'>', &bytes[start..]) else { break };
        let range = trim(bytes, start..start + length);
        if range.is_empty() || bytes[start + length] == b'<' {
            continue;
        }
        if let Some(hyphen) = broken_after_hyphen(&bytes[range.clone()]) {
            scan.remark(RemarkKind::Hyphen, range.start + hyphen);
        }
        let wrappings = Wrappings::of(Wrapping::Spaced);
        scan.links.push(Link { range, wrappings, place: Place::Text, scope: 0 });
    }
    scan
}

/// Finds a hyphen before a line break, which may come from typesetting and be no part of the reference.
fn broken_after_hyphen(written: &[u8]) -> Option<usize> {
    memchr_iter(b'-', written).find(|hyphen| matches!(written.get(hyphen + 1), Some(b'\r' | b'\n')))
}
