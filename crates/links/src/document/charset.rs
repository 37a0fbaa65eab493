//! The encoding of a document.

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memchr2_iter};

use crate::document_type::DocumentType;
use crate::limits::PRESCAN_BYTES;
use crate::markup::attributes::attributes;
use crate::markup::space::is_space;
use crate::markup::tag::ends_tag_name;

/// Returns where a document in UTF-8 begins behind its byte order mark; 0 if it has none.
pub(crate) fn behind_mark(document: &[u8]) -> usize {
    const MARK: &[u8] = "\u{FEFF}".as_bytes();
    if document.starts_with(MARK) { MARK.len() } else { 0 }
}

/// The encoding of a document, and how it was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detected {
    pub(crate) encoding: &'static Encoding,
    /// The number of bytes at the start of the document that decide it, whatever follows them.
    pub(crate) decided_by: usize,
}

/// Returns the encoding of a document: that of its byte order mark (Encoding Standard, section 6.1), else of its label,
/// else of the declaration that its type allows, else UTF-8 if the bytes are valid UTF-8, else windows-1252.
pub(crate) fn of_document(document: &[u8], document_type: DocumentType, label: Option<&str>) -> Detected {
    let by_all = |encoding| Detected { encoding, decided_by: document.len() };
    if matches!(document_type, DocumentType::JsonFeed | DocumentType::SpeculationRules) {
        // JSON is in UTF-8, and its media type has no charset (RFC 8259, sections 8.1 and 11).
        return by_all(UTF_8);
    }
    let is_utf_32 = is_utf_32(document, label).then_some(REPLACEMENT);
    let marked = is_utf_32.or_else(|| Encoding::for_bom(document).map(|(encoding, _)| encoding));
    let given = marked.or_else(|| label.and_then(|label| for_label(label.as_bytes())));
    let declared = given.or_else(|| utf_16_without_mark(document)).map(by_all).or_else(|| match document_type {
        DocumentType::Html => declared_in_html(document),
        DocumentType::Css => charset_rule(document).map(by_all),
        DocumentType::Xml => xml_declaration(document).map(by_all),
        DocumentType::Text
        | DocumentType::Markdown
        | DocumentType::JsonFeed
        | DocumentType::SpeculationRules
        | DocumentType::Field => None,
    });
    declared.unwrap_or_else(|| by_all(guess(document)))
}

/// Returns whether a document is in UTF-32 by its byte order mark or its label. No browser reads that.
fn is_utf_32(document: &[u8], label: Option<&str>) -> bool {
    let is_name = |label: &str| label.get(..6).is_some_and(|name| name.eq_ignore_ascii_case("utf-32"));
    match document {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => true,
        [_, 0, 0, 0, ..] | [0, 0, 0, _, ..] => label.is_some_and(is_name),
        _ => false,
    }
}

/// Returns whether all bytes are UTF-8.
pub(crate) fn is_utf_8(document: &[u8]) -> bool {
    simdutf8::basic::from_utf8(document).is_ok()
}

/// Returns whether a label cannot be right for bytes that are UTF-8: what is written in UTF-16 contains NULs.
pub(crate) fn is_wrong(document: &[u8], label: &str) -> bool {
    let Some(encoding) = for_label(label.as_bytes()).filter(|encoding| ![UTF_8, REPLACEMENT].contains(encoding)) else {
        return false;
    };
    let is_invalid = || match encoding == UTF_16LE || encoding == UTF_16BE {
        true => !document.is_empty() && memchr(0, document).is_none(),
        false => encoding.decode_without_bom_handling_and_without_replacement(document).is_none(),
    };
    Encoding::for_bom(document).is_none() && is_utf_8(document) && is_invalid()
}

/// Returns whether readers decode a document without a label in another encoding than `before`, and to another text.
/// Browsers obey a `<meta>` even if edits have moved it out of the first kilobyte.
pub(crate) fn differs(before: &'static Encoding, document: &[u8], document_type: DocumentType) -> bool {
    let after = of_document(document, document_type, None).encoding;
    after != before
        && (is_wide(before) || is_wide(after) || !document.is_ascii())
        && !declares(before, document, document_type)
}

/// Returns whether a document, or its beginning, declares this encoding to browsers.
pub(crate) fn declares(encoding: &'static Encoding, document: &[u8], document_type: DocumentType) -> bool {
    document_type == DocumentType::Html && prescan(document).is_some_and(|found| found.encoding == encoding)
}

/// Returns whether bytes in an encoding may look like markup without being markup: UTF-16, ISO-2022-JP, and those that
/// the Encoding Standard replaces.
pub(crate) fn is_wide(encoding: &'static Encoding) -> bool {
    [UTF_16BE, UTF_16LE, ISO_2022_JP, REPLACEMENT].contains(&encoding)
}

/// Returns whether the encoding of a document without a label may be a wide one. Signs of this are a byte order mark, a
/// NUL, an escape of ISO-2022-JP, or text like `iso-2022-*`, `hz-gb-2312` or `utf-7`.
pub(crate) fn may_be_wide(document: &[u8]) -> bool {
    let start = &document[..document.len().min(PRESCAN_BYTES)];
    let is_utf_7 = |seven: usize| {
        let before = start[..seven].strip_suffix(b"-").unwrap_or(&start[..seven]);
        before.len() >= 3 && before[before.len() - 3..].eq_ignore_ascii_case(b"utf")
    };
    matches!(start, [0xFE | 0xFF | 0, ..] | [_, 0, ..])
        || memchr2_iter(b'2', b'7', start).any(|at| match start[at..] {
            [b'2', b'0', b'2', b'2', ..] | [b'2', b'3', b'1', b'2', ..] => true,
            [b'7', ..] => is_utf_7(at),
            _ => false,
        })
        // A declaration at the start outranks what comes later.
        || (memchr(ESCAPE, document).is_some() && prescan(start).is_none())
}

/// Returns the encoding that an HTML document declares (WHATWG HTML, section 13.2.3.2).
///
/// A browser that parses a `<meta>` after the first kilobyte starts again with its encoding. Such a `<meta>` counts
/// only if it can be right: a document that is invalid in UTF-8 is in no 7-bit encoding, and one in ISO-2022-JP
/// contains an escape.
fn declared_in_html(document: &[u8]) -> Option<Detected> {
    let start = &document[..document.len().min(PRESCAN_BYTES)];
    let holds_escapes = || document.is_ascii() && memchr(ESCAPE, document).is_some();
    prescan(start).or_else(|| match guess(document) == UTF_8 {
        true if holds_escapes() => prescan(document).filter(|found| found.encoding == ISO_2022_JP),
        true => None,
        false => prescan(document).filter(|found| !is_wide(found.encoding)),
    })
}

/// Switches the character set in ISO-2022-JP.
const ESCAPE: u8 = 0x1B;

/// Detects UTF-16 without a byte order mark: every other byte at the start is NUL.
fn utf_16_without_mark(document: &[u8]) -> Option<&'static Encoding> {
    const UNITS: usize = 16;
    let (units, _) = document[..document.len().min(2 * UNITS)].as_chunks::<2>();
    let all = |is_of: fn(&[u8; 2]) -> bool| units.len() >= 4 && units.iter().all(is_of);
    if all(|unit| unit[1] == 0 && unit[0].is_ascii() && unit[0] != 0) {
        Some(UTF_16LE)
    } else if all(|unit| unit[0] == 0 && unit[1].is_ascii() && unit[1] != 0) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Returns the encoding of an XML declaration (XML 1.0, section 4.3.3).
fn xml_declaration(document: &[u8]) -> Option<&'static Encoding> {
    let declaration = document.strip_prefix(b"<?xml")?;
    let end = memchr(b'>', &declaration[..declaration.len().min(PRESCAN_BYTES)])?;
    let mut declared = None;
    attributes(&declaration[..=end], 0, |attribute| {
        if declaration[attribute.name_range] == *b"encoding" {
            declared = for_label(&declaration[attribute.value]);
        }
    });
    declared.map(not_utf_16)
}

/// Returns the encoding of a label. The Encoding Standard has no label for UTF-7, whose bytes may look like markup.
pub(crate) fn for_label(label: &[u8]) -> Option<&'static Encoding> {
    const UTF_7: [&[u8]; 3] = [b"utf-7", b"unicode-1-1-utf-7", b"csunicode11utf7"];
    let is_utf_7 = UTF_7.iter().any(|name| name.eq_ignore_ascii_case(label.trim_ascii()));
    if is_utf_7 { Some(REPLACEMENT) } else { Encoding::for_label(label) }
}

fn guess(document: &[u8]) -> &'static Encoding {
    if is_utf_8(document) { UTF_8 } else { WINDOWS_1252 }
}

fn charset_rule(document: &[u8]) -> Option<&'static Encoding> {
    let rest = document.strip_prefix(b"@charset \"")?;
    let end = memchr(b'"', &rest[..rest.len().min(PRESCAN_BYTES)])?;
    (rest.get(end + 1) == Some(&b';')).then(|| for_label(&rest[..end]).map(not_utf_16))?
}

/// Replaces UTF-16 by UTF-8: a declaration that is readable as ASCII is not in UTF-16.
fn not_utf_16(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding }
}

/// "Prescan a byte stream to determine its encoding" (WHATWG HTML, section 13.2.3.2).
fn prescan(start: &[u8]) -> Option<Detected> {
    let mut at = 0;
    loop {
        at += memchr(b'<', &start[at..])?;
        let rest = &start[at..];
        match rest {
            // The dashes of `<!-->` close as well.
            [b'<', b'!', b'-', b'-', ..] => at += 2 + memchr::memmem::find(&rest[2..], b"-->")? + 3,
            [b'<', b'/', first, ..] | [b'<', first, ..] if first.is_ascii_alphabetic() => {
                let name_end = rest.iter().position(|byte| ends_tag_name(*byte))?;
                let mut meta = Meta::default();
                let is_meta = rest[1..name_end].eq_ignore_ascii_case(b"meta");
                at = attributes(start, at + name_end.max(2), |attribute| {
                    if is_meta {
                        meta.attribute(&start[attribute.name_range], &start[attribute.value]);
                    }
                })?
                .end;
                if let Some(encoding) = meta.encoding() {
                    return Some(Detected { encoding, decided_by: at });
                }
            }
            [b'<', b'!' | b'/' | b'?', ..] => at += memchr(b'>', rest)? + 1,
            _ => at += 1,
        }
    }
}

/// The attributes of a `<meta>` that declare an encoding. If one is repeated, the first counts.
#[derive(Default)]
struct Meta {
    is_content_type: Option<bool>,
    content: Option<Option<&'static Encoding>>,
    charset: Option<Option<&'static Encoding>>,
}

impl Meta {
    fn attribute(&mut self, name: &[u8], value: &[u8]) {
        if name.eq_ignore_ascii_case(b"http-equiv") {
            self.is_content_type.get_or_insert_with(|| value.eq_ignore_ascii_case(b"content-type"));
        } else if name.eq_ignore_ascii_case(b"content") {
            self.content.get_or_insert_with(|| charset_of_content(&value.to_ascii_lowercase()));
        } else if name.eq_ignore_ascii_case(b"charset") {
            self.charset.get_or_insert_with(|| for_label(value));
        }
    }

    fn encoding(&self) -> Option<&'static Encoding> {
        let declared = match self.charset {
            Some(charset) => charset,
            None => self.content.flatten().filter(|_| self.is_content_type == Some(true)),
        }?;
        Some(if declared == X_USER_DEFINED { WINDOWS_1252 } else { not_utf_16(declared) })
    }
}

/// "Extract a character encoding from a meta element".
fn charset_of_content(content: &[u8]) -> Option<&'static Encoding> {
    let mut rest = content;
    loop {
        rest = &rest[memchr::memmem::find(rest, b"charset")? + 7..];
        rest = rest.trim_ascii_start();
        if let Some(after) = rest.strip_prefix(b"=") {
            let after = after.trim_ascii_start();
            let label = match after.first() {
                Some(quote @ (b'"' | b'\'')) => &after[1..1 + memchr(*quote, &after[1..])?],
                _ => {
                    let end = after.iter().position(|byte| is_space(*byte) || *byte == b';');
                    &after[..end.unwrap_or(after.len())]
                }
            };
            return for_label(label);
        }
    }
}
