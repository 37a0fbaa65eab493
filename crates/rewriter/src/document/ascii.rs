//! Targets in ASCII.

use std::iter;

use absolve_base::ascii_host;
use absolve_links::{Document, Grammar, Link, Place, Row, Syntax, placeholders};
use absolve_resolver::{authority_start, is_special, scheme_of_3986};
use encoding_rs::{Encoding, UTF_8};
use memchr::memmem;

use crate::document::context::row_of;
use crate::document::placeholder::texts_of_placeholders;
use crate::options::{Options, Purpose};

/// Returns a target in printable ASCII.
///
/// Other characters, spaces and controls are percent-encoded: in the query of a web URL in the `encoding` of the document, as
/// browsers do (URL Standard, section 4.4, query state), elsewhere as UTF-8. A host gets its ASCII form. Placeholders stay; in a mail those of
/// mail services too, if they are in brackets or braces.
///
/// ```
/// use absolve_rewriter::internal::ascii;
/// use absolve_rewriter::Purpose;
/// let ascii = ascii("http://bücher.example/é?{{ é }}", encoding_rs::UTF_8, Purpose::Any);
/// assert_eq!(ascii, "http://xn--bcher-kva.example/%C3%A9?{{ é }}");
/// ```
pub fn ascii(target: &str, encoding: &'static Encoding, purpose: Purpose) -> String {
    let encoding = if scheme_of_3986(target).is_none_or(has_encoded_query) { encoding } else { UTF_8 };
    let host = authority_start(target).unwrap_or(0);
    let host_end = target[host..].find(['/', '?', '#']).map_or(target.len(), |length| host + length);
    let has_own_host = placeholders(target, purpose).all(|placeholder| placeholder.start >= host_end);
    let target = if has_own_host { ascii_host(target) } else { target.into() };
    let mut ascii = String::with_capacity(target.len() + 16);
    let mut component = Component::Path;
    let mut end = 0;
    for placeholder in placeholders(&target, purpose) {
        component = component.push(&target[end..placeholder.start], encoding, &mut ascii);
        ascii.push_str(&target[placeholder.clone()]);
        end = placeholder.end;
    }
    component.push(&target[end..], encoding, &mut ascii);
    ascii
}

/// Returns whether the queries of URLs with this scheme are in the charset of the document (URL Standard, section 4.4, query state).
fn has_encoded_query(scheme: &str) -> bool {
    is_special(scheme) && !["ws", "wss"].iter().any(|name| name.eq_ignore_ascii_case(scheme))
}

/// Returns a target as it leaves its document, if that is spelled in another way.
pub(crate) fn away(document: &Document<'_>, link: &Link, target: &str, options: &Options) -> Option<String> {
    if target.is_ascii() { None } else { away_from(encoding_of(document, link, options), target, options.purpose) }
}

/// Returns the encoding in which browsers encode the query of a link. In most places it is the encoding of the document. It is UTF-8 in
/// nested documents, which are decoded already, in JSON, in CSS of attributes, and for an `@import` in a style element.
pub(crate) fn encoding_of(document: &Document<'_>, link: &Link, options: &Options) -> &'static Encoding {
    match link.place {
        Place::Attribute { nesting, .. } | Place::StyleElement { nesting, .. } if nesting > 0 => UTF_8,
        Place::StyleElement { .. } if is_imported(&document.bytes()[..link.range.start]) => UTF_8,
        _ if row_of(link, options).is_some_and(is_in_utf_8) => UTF_8,
        _ => document.encoding(),
    }
}

fn is_in_utf_8(row: &Row) -> bool {
    row.syntax == Syntax::Json || (row.grammar == Grammar::Css && !row.attribute.is_empty())
}

/// Returns whether an `@import` is the last thing before a URL.
fn is_imported(before: &[u8]) -> bool {
    let ends = |text: &[u8], word: &[u8]| {
        text.len() >= word.len() && text[text.len() - word.len()..].eq_ignore_ascii_case(word)
    };
    let mut text = behind_space(before.strip_suffix(b"\"").or(before.strip_suffix(b"'")).unwrap_or(before));
    if ends(text, b"url(") {
        text = behind_space(&text[..text.len() - b"url(".len()]);
    }
    ends(text, b"@import")
}

/// Returns a text without the white space and the comments at its end.
fn behind_space(text: &[u8]) -> &[u8] {
    let mut text = text.trim_ascii_end();
    while let Some(comment) = text.strip_suffix(b"*/") {
        let Some(start) = memmem::rfind(comment, b"/*") else { return text };
        text = text[..start].trim_ascii_end();
    }
    text
}

/// Returns a target as it leaves its document: a browser encodes the query of a web URL in the `encoding` of the document (URL Standard,
/// section 5.1), so that a query in a legacy charset means something else elsewhere. `None` if the target means the same everywhere.
///
/// ```
/// use absolve_rewriter::internal::away_from;
/// use absolve_rewriter::Purpose;
/// let away = |target| away_from(encoding_rs::GBK, target, Purpose::Any);
/// assert_eq!(away("http://h/洪?k=洪").as_deref(), Some("http://h/洪?k=%BA%E9"));
/// assert_eq!((away("http://h/洪#洪"), away("mailto:a@h?subject=洪")), (None, None));
/// ```
pub fn away_from(encoding: &'static Encoding, target: &str, purpose: Purpose) -> Option<String> {
    let end = target.find('#').unwrap_or(target.len());
    let start = target[..end].find('?')?;
    let is_web = target.split_once(':').is_some_and(|(scheme, _)| has_encoded_query(scheme));
    if target[start..end].is_ascii() || !is_web || encoding.output_encoding() == UTF_8 {
        return None;
    }
    let (mut away, mut at) = (target[..start].to_owned(), start);
    for kept in placeholders(target, purpose).chain(iter::once(end..end)).filter(|kept| kept.end > start) {
        let until = kept.start.clamp(at, end);
        push_away(&target[at..until], encoding, &mut away);
        at = kept.end.clamp(until, end);
        away.push_str(&target[until..at]);
    }
    away.push_str(&target[end..]);
    Some(away)
}

/// Appends a piece of a query, with the characters that are not ASCII encoded by stretches: some encodings change their state within one.
fn push_away(mut text: &str, encoding: &'static Encoding, away: &mut String) {
    while let Some(start) = text.find(|character: char| !character.is_ascii()) {
        let length = text[start..].find(|character: char| character.is_ascii()).unwrap_or(text.len() - start);
        away.push_str(&text[..start]);
        push_in_query(&text[start..start + length], encoding, away);
        text = &text[start + length..];
    }
    away.push_str(text);
}

/// Returns whether a target has other placeholders in ASCII, because an escape is a part of a mark: `{ x` becomes `{%20x`. Where it has
/// had none, two percent signs are no mark: `5% a, 6% b` becomes `5%%20a,%206%%20b`.
pub(crate) fn changes_placeholders(target: &str, ascii: &str, purpose: Purpose) -> bool {
    let (before, mut after) = (texts_of_placeholders(target, purpose), texts_of_placeholders(ascii, purpose));
    if before.is_empty() {
        after.retain(|text| !text.starts_with("%%"));
    }
    before != after
}

/// The component of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    /// With all before it.
    Path,
    Query,
    Fragment,
}

impl Component {
    /// Appends `text` to `ascii`; returns the component in which it ends.
    fn push(mut self, text: &str, encoding: &'static Encoding, ascii: &mut String) -> Self {
        // Characters are escaped by stretches: some encodings change their state within one.
        let mut foreign = 0..0;
        for (at, character) in text.char_indices() {
            if !character.is_ascii_graphic() {
                foreign.end = at + character.len_utf8();
                continue;
            }
            self.push_foreign(&text[foreign], encoding, ascii);
            foreign = at + 1..at + 1;
            ascii.push(character);
            self = match (self, character) {
                (_, '#') => Self::Fragment,
                (Self::Path, '?') => Self::Query,
                _ => self,
            };
        }
        self.push_foreign(&text[foreign], encoding, ascii);
        self
    }

    fn push_foreign(self, text: &str, encoding: &'static Encoding, ascii: &mut String) {
        match self {
            Self::Query => push_in_query(text, encoding, ascii),
            _ => text.bytes().for_each(|byte| push_escaped(byte, ascii)),
        }
    }
}

/// Appends characters of a query (URL Standard, "percent-encode after encoding"). What the encoding cannot represent
/// becomes a character reference, itself escaped.
fn push_in_query(text: &str, encoding: &'static Encoding, ascii: &mut String) {
    let (bytes, _, holds_references) = encoding.encode(text);
    for byte in &*bytes {
        let is_kept = match holds_references {
            true => byte.is_ascii_alphanumeric(),
            false => byte.is_ascii_graphic() && !matches!(byte, b'"' | b'#' | b'<' | b'>' | b'\''),
        };
        if is_kept {
            ascii.push(char::from(*byte));
        } else {
            push_escaped(*byte, ascii);
        }
    }
}

fn push_escaped(byte: u8, ascii: &mut String) {
    ascii.push_str(&format!("%{byte:02X}"));
}

#[cfg(test)]
mod tests {
    use encoding_rs::{ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};

    use super::{ascii, changes_placeholders};
    use crate::options::Purpose;

    #[test]
    fn an_escape_may_be_a_part_of_a_mark() {
        let changes = |target: &str| changes_placeholders(target, &ascii(target, UTF_8, Purpose::Any), Purpose::Any);
        assert!(changes("http://h/{ x") && changes("http://h/% ${x}% a") && changes("http://h/a%%%%%%% %b"));
        assert!(!changes("http://h/{{ x }} é") && !changes("http://h/5% a, 6% b"));
    }

    #[test]
    fn each_component_in_its_own_way() {
        for (target, encoding, expected) in [
            ("http://bücher.example/ü b?ü#ü", UTF_8, "http://xn--bcher-kva.example/%C3%BC%20b?%C3%BC#%C3%BC"),
            ("http://h/é?é#é", WINDOWS_1252, "http://h/%C3%A9?%E9#%C3%A9"),
            ("http://h/日?日", SHIFT_JIS, "http://h/%E6%97%A5?%93%FA"),
            ("http://h/?表", SHIFT_JIS, "http://h/?%95\\"),
            ("http://h/?表示", ISO_2022_JP, "http://h/?%1B$BI=%3C(%1B(B"),
            ("http://h/?日", WINDOWS_1252, "http://h/?%26%2326085%3B"),
            ("http://h/%7e(a)'|?a&b=c", UTF_8, "http://h/%7e(a)'|?a&b=c"),
            ("foo://h/é?é", WINDOWS_1252, "foo://h/%C3%A9?%C3%A9"),
            ("mailto:a@h?subject=é", WINDOWS_1252, "mailto:a@h?subject=%C3%A9"),
            ("WSS://h/?é", WINDOWS_1252, "WSS://h/?%C3%A9"),
            ("/d?é", WINDOWS_1252, "/d?%E9"),
            ("http://h/{{ é ? }}/é?x=*| é |*", WINDOWS_1252, "http://h/{{ é ? }}/%C3%A9?x=*| é |*"),
            ("http://[", UTF_8, "http://["),
            ("tag:a/b?http://é/", UTF_8, "tag:a/b?http://%C3%A9/"),
        ] {
            assert_eq!(ascii(target, encoding, Purpose::Any), expected);
        }
        let target = "http://h/é[A B]?n=[A B]&[é]=$[UD:A B]$";
        assert_eq!(ascii(target, UTF_8, Purpose::Mail), "http://h/%C3%A9[A B]?n=[A B]&[%C3%A9]=$[UD:A B]$");
    }
}
