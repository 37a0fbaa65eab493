//! Which encoding the bytes of a document are in.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memchr;

use crate::html::{attributes, ends_tag_name, is_space};
use crate::limits::PRESCAN_BYTES;

/// The encoding that a byte order mark at the start declares (Encoding Standard, section 6.1).
pub(crate) fn of_byte_order_mark(document: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(document).map(|(encoding, _)| encoding)
}

/// The encoding of an HTML document without a byte order mark: the label it came with, else its own `<meta>`, else
/// UTF-8 if it is valid, else windows-1252 (WHATWG HTML, section 13.2.3.2).
///
/// A `<meta>` behind the first kilobyte counts only where the bytes are no UTF-8. There a browser meets it while
/// parsing, and begins anew.
pub(crate) fn of_html(document: &[u8], label: Option<&str>) -> &'static Encoding {
    let start = &document[..document.len().min(PRESCAN_BYTES)];
    let declared = label.and_then(for_label).or_else(|| prescan(start));
    declared.unwrap_or_else(|| match guess(document) {
        encoding if encoding == UTF_8 => encoding,
        encoding => prescan(document).unwrap_or(encoding),
    })
}

/// The encoding of a stylesheet without a byte order mark: the label it came with, else its own `@charset`,
/// else UTF-8 if it is valid, else windows-1252 (CSS Syntax Level 3, section 3.2).
pub(crate) fn of_css(document: &[u8], label: Option<&str>) -> &'static Encoding {
    label.and_then(for_label).or_else(|| charset_rule(document)).unwrap_or_else(|| guess(document))
}

fn for_label(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.as_bytes())
}

fn guess(document: &[u8]) -> &'static Encoding {
    if str::from_utf8(document).is_ok() { UTF_8 } else { WINDOWS_1252 }
}

fn charset_rule(document: &[u8]) -> Option<&'static Encoding> {
    let rest = document.strip_prefix(b"@charset \"")?;
    let end = memchr(b'"', &rest[..rest.len().min(PRESCAN_BYTES)])?;
    (rest.get(end + 1) == Some(&b';')).then(|| Encoding::for_label(&rest[..end]).map(not_utf_16))?
}

/// A document whose declaration can be read as ASCII is not in UTF-16.
fn not_utf_16(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding }
}

/// "Prescan a byte stream to determine its encoding" (WHATWG HTML, section 13.2.3.2).
fn prescan(start: &[u8]) -> Option<&'static Encoding> {
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
                    return Some(encoding);
                }
            }
            [b'<', b'!' | b'/' | b'?', ..] => at += memchr(b'>', rest)? + 1,
            _ => at += 1,
        }
    }
}

/// What the attributes of a `<meta>` say of the encoding.
#[derive(Default)]
struct Meta {
    is_content_type: bool,
    content: Option<&'static Encoding>,
    charset: Option<Option<&'static Encoding>>,
    seen: Vec<Vec<u8>>,
}

impl Meta {
    fn attribute(&mut self, name: &[u8], value: &[u8]) {
        let name = name.to_ascii_lowercase();
        if self.seen.contains(&name) {
            return;
        }
        match &*name {
            b"http-equiv" => self.is_content_type = value.eq_ignore_ascii_case(b"content-type"),
            b"content" => self.content = charset_of_content(&value.to_ascii_lowercase()),
            b"charset" => self.charset = Some(Encoding::for_label(value)),
            _ => {}
        }
        self.seen.push(name);
    }

    fn encoding(&self) -> Option<&'static Encoding> {
        let declared = match self.charset {
            Some(charset) => charset,
            None => self.content.filter(|_| self.is_content_type),
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
            return Encoding::for_label(label);
        }
    }
}
