//! The mark of AMP.

use std::borrow::Cow;

use super::attributes::attributes;
use super::tag::name_length;

/// The attributes of the `html` element that mark a document of AMP (AMP HTML, "Required markup"), one of its advertisements or of AMP for
/// Email.
const MARKS: [&str; 7] = ["amp", "amp4ads", "amp4email", "⚡", "⚡\u{fe0f}", "⚡4ads", "⚡4email"];

/// Returns whether the first tag of a document is that of an `html` element with a mark of AMP; `decode` reads a name in its encoding.
pub(crate) fn is_amp<'d>(document: &'d [u8], decode: impl Fn(&'d [u8]) -> Cow<'d, str>) -> bool {
    let Some(tag) = first_tag(document) else { return false };
    let name = &document[tag..tag + name_length(&document[tag..])];
    let mut is_marked = false;
    attributes(document, tag + name.len(), |attribute| {
        let name = decode(&document[attribute.name_range]);
        is_marked |= MARKS.iter().any(|mark| mark.eq_ignore_ascii_case(&name));
    });
    name.eq_ignore_ascii_case(b"html") && is_marked
}

/// Returns where the name of the first start tag begins.
fn first_tag(document: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'<', &document[at..])? + 1;
        let rest = &document[at..];
        match rest.first()? {
            b'!' if rest.starts_with(b"!--") => at += 3 + memchr::memmem::find(&rest[3..], b"-->")?,
            b'!' | b'?' | b'/' => at += memchr::memchr(b'>', rest)?,
            first if first.is_ascii_alphabetic() => return Some(at),
            _ => {}
        }
    }
}
