//! The mark of AMP.

use encoding_rs::UTF_8;

use crate::document::Document;
use crate::markup::attributes::attributes;
use crate::markup::tag::name_length;

/// The attributes of the `html` element that mark a document of AMP (AMP HTML, "Required markup"), one of its advertisements or of AMP for
/// Email.
const MARKS: [&str; 7] = ["amp", "amp4ads", "amp4email", "⚡", "⚡\u{fe0f}", "⚡4ads", "⚡4email"];

impl Document<'_> {
    /// Returns whether the first tag is that of an `html` element with a mark of AMP.
    pub(crate) fn is_amp(&self) -> bool {
        let document = self.bytes();
        let Some(tag) = first_tag(document) else { return false };
        let name = &document[tag..tag + name_length(&document[tag..])];
        let mut is_marked = false;
        attributes(document, tag + name.len(), |attribute| {
            let written = &document[attribute.name_range];
            let name = self.encoding_of(written).unwrap_or(UTF_8).decode_without_bom_handling(written).0;
            is_marked |= MARKS.iter().any(|mark| mark.eq_ignore_ascii_case(&name));
        });
        name.eq_ignore_ascii_case(b"html") && is_marked
    }
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
