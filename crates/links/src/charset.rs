//! Which encoding the bytes of a document are in.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memchr;

use crate::html::{is_space, name_eq};
use crate::limits::PRESCAN_BYTES;

/// The encoding that a byte order mark at the start declares (Encoding Standard, section 6.1).
pub(crate) fn of_byte_order_mark(document: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(document).map(|(encoding, _)| encoding)
}

/// The encoding of an HTML document without a byte order mark: the label it came with, else its own
/// `<meta>`, else UTF-8 if it is valid, else windows-1252 (WHATWG HTML, section 13.2.3.2).
///
/// A `<meta>` behind the first kilobyte counts as well: there a browser meets it while parsing, and begins anew.
pub(crate) fn of_html(document: &[u8], label: Option<&str>) -> &'static Encoding {
    let start = &document[..document.len().min(PRESCAN_BYTES)];
    let declared = label.and_then(for_label).or_else(|| prescan(start)).or_else(|| prescan(document));
    declared.unwrap_or_else(|| guess(document))
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
        if rest.starts_with(b"<!--") {
            // The dashes of `<!-->` close as well.
            at += 2 + memchr::memmem::find(&rest[2..], b"-->")? + 3;
        } else if is_tag(rest, b"<meta") {
            let (encoding, end) = meta(start, at + 5)?;
            if encoding.is_some() {
                return encoding;
            }
            at = end;
        } else if let [b'<', b'/', byte, ..] | [b'<', byte, ..] = rest
            && byte.is_ascii_alphabetic()
        {
            at += rest.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
            while let Some((_, _, end)) = attribute(start, at)? {
                at = end;
            }
            at += 1;
        } else if rest.starts_with(b"<!") || rest.starts_with(b"</") || rest.starts_with(b"<?") {
            at += memchr(b'>', rest)? + 1;
        } else {
            at += 1;
        }
    }
}

fn is_tag(text: &[u8], name: &[u8]) -> bool {
    text.len() > name.len()
        && name_eq(&text[..name.len()], name)
        && (is_space(text[name.len()]) || text[name.len()] == b'/')
}

/// The encoding that a `<meta>` declares, and where its tag ends; `None` when the bytes end first.
fn meta(document: &[u8], mut at: usize) -> Option<(Option<&'static Encoding>, usize)> {
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let (mut got_pragma, mut need_pragma, mut charset) = (false, None, None);
    while let Some((name, value, end)) = attribute(document, at)? {
        at = end;
        if seen.contains(&name) {
            continue;
        }
        match &*name {
            b"http-equiv" => got_pragma |= value == b"content-type",
            b"content" if charset.is_none() => {
                if let Some(encoding) = charset_of_content(&value) {
                    charset = Some(encoding);
                    need_pragma = Some(true);
                }
            }
            b"charset" => {
                charset = Encoding::for_label(&value);
                need_pragma = Some(false);
            }
            _ => {}
        }
        seen.push(name);
    }
    let charset = match need_pragma {
        Some(true) if !got_pragma => None,
        Some(_) => charset,
        None => None,
    };
    let charset = charset.map(not_utf_16);
    Some((charset.map(|encoding| if encoding == X_USER_DEFINED { WINDOWS_1252 } else { encoding }), at))
}

/// "Get an attribute": name and value in lower case and where reading goes on. The outer `None` means that
/// the bytes ended, the inner that the tag did.
#[allow(clippy::type_complexity)]
fn attribute(document: &[u8], mut at: usize) -> Option<Option<(Vec<u8>, Vec<u8>, usize)>> {
    while is_space(*document.get(at)?) || document[at] == b'/' {
        at += 1;
    }
    if document[at] == b'>' {
        return Some(None);
    }
    let name_start = at;
    at += 1;
    while !(is_space(*document.get(at)?) || matches!(document[at], b'/' | b'>' | b'=')) {
        at += 1;
    }
    let name = document[name_start..at].to_ascii_lowercase();
    while is_space(*document.get(at)?) {
        at += 1;
    }
    if document[at] != b'=' {
        return Some(Some((name, Vec::new(), at)));
    }
    at += 1;
    while is_space(*document.get(at)?) {
        at += 1;
    }
    let quote = document[at];
    let (start, end, next) = if matches!(quote, b'"' | b'\'') {
        let end = at + 1 + memchr(quote, &document[at + 1..])?;
        (at + 1, end, end + 1)
    } else {
        let length = document[at..].iter().position(|byte| is_space(*byte) || *byte == b'>')?;
        (at, at + length, at + length)
    };
    Some(Some((name, document[start..end].to_ascii_lowercase(), next)))
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
