//! What of a document may use custom properties: its styles, its attributes and its scripts.

use memchr::{memchr, memmem};

use crate::css::token;
use crate::markup::attributes::attributes;
use crate::markup::tag::name_length;

/// Returns the attributes, styles and scripts of markup, without its comments and those of CSS.
pub(super) fn of_markup(page: &[u8]) -> Vec<u8> {
    let (mut code, mut at) = (Vec::new(), 0);
    while let Some(length) = memchr(b'<', &page[at..]) {
        let open = at + length;
        at = open + 1;
        if page[at..].starts_with(b"!--") {
            at = memmem::find(&page[at + 1..], b"-->").map_or(page.len(), |length| at + 1 + length + 3);
        } else if page.get(at).is_some_and(u8::is_ascii_alphabetic) {
            let (name, before) = (&page[at..at + name_length(&page[at..])], code.len());
            let tag = attributes(page, at + name.len(), |attribute| {
                push_without_comments(&page[attribute.value], &mut code);
                code.push(b'\n');
            });
            // Without its end, this is not a tag, and no tag follows.
            let Some(tag) = tag else {
                code.truncate(before);
                return code;
            };
            at = tag.end;
            let name = name.to_ascii_lowercase();
            if [&b"style"[..], b"script"].iter().any(|raw| name.ends_with(raw)) {
                let text = &page[at..at + text_length(&page[at..], &name)];
                match name.ends_with(b"style") {
                    true => push_without_comments(text, &mut code),
                    false => code.extend_from_slice(text),
                }
                code.push(b'\n');
                at += text.len();
            }
        }
    }
    code
}

/// Returns the length of the text before the end tag of this name, or of all of it.
fn text_length(text: &[u8], name: &[u8]) -> usize {
    let is_end = |at: &usize| text[at + 2..].get(..name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name));
    memmem::find_iter(text, b"</").find(is_end).unwrap_or(text.len())
}

/// Appends CSS without its comments.
pub(super) fn push_without_comments(css: &[u8], code: &mut Vec<u8>) {
    let mut at = 0;
    while at < css.len() {
        let end = token::end(css, at);
        if !css[at..].starts_with(b"/*") {
            code.extend_from_slice(&css[at..end]);
        }
        at = end;
    }
}
