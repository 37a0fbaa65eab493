//! A charset that only a header declares: the file has to declare it itself.

use std::borrow::Cow;
use std::ops::Range;

use absolve_links::{Document, DocumentType};
use absolve_rewriter::{Code, Finding};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use crate::limits::PRESCAN_BYTES;

/// A charset that only a header declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredCharset {
    name: &'static str,
    /// What was added to the document; `None` if it has no place for a declaration.
    added: Option<&'static str>,
}

impl DeclaredCharset {
    /// Returns whether the document has no place for a declaration.
    pub const fn is_missing(self) -> bool {
        self.added.is_none()
    }

    /// Returns what was done about it; `header` is what declares the charset.
    pub fn finding(self, header: &str) -> Finding {
        let Self { name, added } = self;
        let done = match added {
            Some(added) => format!("{added} was added"),
            None => "readers of the file have to be given it".to_owned(),
        };
        Finding::new(Code::CharsetOutside, format!("only {header} declares its charset, {name}; {done}"))
    }
}

/// Adds a declaration of the charset to a document that was read by that of its header and would be read by another
/// without it. Returns what was done about it.
///
/// ```
/// use absolve_links::DocumentType;
/// let mut page = "<p>é".as_bytes().into();
/// absolve_unpacker::declare(&mut page, DocumentType::Html, encoding_rs::UTF_8);
/// assert_eq!(&*page, "<meta charset=\"utf-8\"><p>é".as_bytes());
/// ```
pub fn declare(
    bytes: &mut Cow<'_, [u8]>,
    document_type: DocumentType,
    encoding: &'static Encoding,
) -> Option<DeclaredCharset> {
    // What no browser reads is reported anyway.
    if encoding == REPLACEMENT || !is_needed(bytes, document_type, encoding) {
        return None;
    }
    let added = declaration(bytes, document_type, encoding).map(|(place, declaration, what)| {
        bytes.to_mut().splice(place, declaration);
        what
    });
    Some(DeclaredCharset { name: encoding.name(), added })
}

fn is_needed(bytes: &[u8], document_type: DocumentType, encoding: &'static Encoding) -> bool {
    // Programs that show plain text take UTF-8 for granted.
    let is_plain = document_type == DocumentType::Text && encoding == UTF_8;
    let is_alike = encoding.is_ascii_compatible() && bytes.is_ascii();
    !is_plain && !is_alike && declared(bytes, document_type) != Some(encoding)
}

/// Returns the encoding that a document declares; `None` if readers have to guess.
fn declared(bytes: &[u8], document_type: DocumentType) -> Option<&'static Encoding> {
    if let Some((marked, _)) = Encoding::for_bom(bytes) {
        return Some(marked);
    }
    // A guess depends on the bytes that are not ASCII.
    let in_ascii = |byte: &u8| if byte.is_ascii() { *byte } else { b'?' };
    // Declarations stand at the beginning.
    let mut probe: Vec<u8> = bytes.iter().take(4 * PRESCAN_BYTES).map(in_ascii).collect();
    let found = Document::new(&probe, document_type).encoding();
    probe.push(0xFF);
    let is_declared = found == Document::new(&probe, document_type).encoding();
    let by_default = (document_type == DocumentType::Xml).then_some(UTF_8);
    // Browsers look for a mark only.
    Some(found).filter(|found| is_declared && ![UTF_16LE, UTF_16BE].contains(found)).or(by_default)
}

type Declaration = (Range<usize>, Vec<u8>, &'static str);

/// Returns what declares an encoding, and which bytes it replaces.
fn declaration(bytes: &[u8], document_type: DocumentType, encoding: &'static Encoding) -> Option<Declaration> {
    let name = encoding.name().to_ascii_lowercase();
    if encoding == UTF_16LE || encoding == UTF_16BE {
        let mark = if encoding == UTF_16LE { [0xFF, 0xFE] } else { [0xFE, 0xFF] };
        return Some((0..0, mark.to_vec(), "a byte order mark"));
    }
    match document_type {
        DocumentType::Html => {
            let meta = format!("<meta charset=\"{name}\">");
            let at = behind_doctype(bytes);
            (at + meta.len() <= PRESCAN_BYTES).then(|| (at..at, meta.into_bytes(), "a meta element"))
        }
        DocumentType::Css => Some((0..0, format!("@charset \"{name}\";").into_bytes(), "a @charset rule")),
        DocumentType::Xml if !begins_with_declaration(bytes) => {
            let declared = format!("<?xml version=\"1.0\" encoding=\"{name}\"?>");
            Some((0..0, declared.into_bytes(), "an XML declaration"))
        }
        DocumentType::Xml => {
            let declared = format!(" encoding=\"{name}\"");
            Some((encoding_in(bytes)?, declared.into_bytes(), "its encoding in the XML declaration"))
        }
        _ => None,
    }
}

/// Returns whether a document begins with an XML declaration, and not with another instruction such as `<?xml-stylesheet?>`.
fn begins_with_declaration(bytes: &[u8]) -> bool {
    bytes.strip_prefix(b"<?xml").and_then(<[u8]>::first).is_some_and(u8::is_ascii_whitespace)
}

/// Returns where an XML declaration names an encoding, or may name one: behind the version.
fn encoding_in(bytes: &[u8]) -> Option<Range<usize>> {
    let end = bytes.windows(2).position(|pair| pair == b"?>")?;
    let text = str::from_utf8(&bytes[..end]).ok().filter(|text| text[5..].trim_start().starts_with("version"))?;
    let value_end = |from: usize| {
        let open = from + text[from..].find(['"', '\''])?;
        Some(open + 2 + text[open + 1..].find(&text[open..=open])?)
    };
    let version = value_end(0)?;
    let is_named = text[version..].trim_start().starts_with("encoding");
    Some(version..if is_named { value_end(version)? } else { version })
}

/// Returns the end of the doctype: an element before it would put the page into quirks mode.
fn behind_doctype(bytes: &[u8]) -> usize {
    let mut at = 0;
    let mut end = 0;
    loop {
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &bytes[at..];
        let length = |closing: &[u8]| {
            rest.windows(closing.len()).position(|bytes| bytes == closing).map(|at| at + closing.len())
        };
        let is_doctype = rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case(b"<!doctype"));
        let found = match rest {
            _ if is_doctype => length(b">"),
            [b'<', b'!', b'-', b'-', b'>', ..] => Some(5),
            [b'<', b'!', b'-', b'-', b'-', b'>', ..] => Some(6),
            [b'<', b'!', b'-', b'-', ..] => [&b"-->"[..], b"--!>"].iter().filter_map(|end| length(end)).min(),
            // An XML declaration is a comment in HTML, as other declarations are.
            [b'<', b'?' | b'!', ..] => length(b">"),
            _ => None,
        };
        match found {
            Some(length) => at += length,
            None => return end,
        }
        if is_doctype {
            end = at;
        }
    }
}

#[cfg(test)]
mod tests {
    use absolve_links::DocumentType::{Css, Html, Text, Xml};
    use encoding_rs::{SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};

    use std::borrow::Cow;

    use super::declare;

    #[test]
    fn a_file_declares_what_its_header_declared() {
        let japanese = SHIFT_JIS.encode("<!-- x -->\n<!DOCTYPE html>\n<p>灯台").0.into_owned();
        for (bytes, document_type, encoding, expected) in [
            ("<p>é".as_bytes(), Html, UTF_8, "<meta charset=\"utf-8\"><p>é".as_bytes().to_vec()),
            (b"<p>e", Html, WINDOWS_1252, b"<p>e".to_vec()),
            (b"<p>\xE9", Html, WINDOWS_1252, b"<meta charset=\"windows-1252\"><p>\xE9".to_vec()),
            ("<meta charset=utf-8>é".as_bytes(), Html, UTF_8, "<meta charset=utf-8>é".as_bytes().to_vec()),
            ("\u{feff}é".as_bytes(), Html, UTF_8, "\u{feff}é".as_bytes().to_vec()),
            ("b{content:'é'}".as_bytes(), Css, UTF_8, "@charset \"utf-8\";b{content:'é'}".as_bytes().to_vec()),
            ("<svg>é</svg>".as_bytes(), Xml, UTF_8, "<svg>é</svg>".as_bytes().to_vec()),
            (
                b"<svg>\xE9</svg>",
                Xml,
                WINDOWS_1252,
                b"<?xml version=\"1.0\" encoding=\"windows-1252\"?><svg>\xE9</svg>".to_vec(),
            ),
            (
                b"<?xml version='1.0' standalone='yes'?><svg>\xE9</svg>",
                Xml,
                WINDOWS_1252,
                b"<?xml version='1.0' encoding=\"windows-1252\" standalone='yes'?><svg>\xE9</svg>".to_vec(),
            ),
            (
                b"<?xml version=\"1.0\"\n encoding = 'utf-8' ?><svg>\xE9</svg>",
                Xml,
                WINDOWS_1252,
                b"<?xml version=\"1.0\" encoding=\"windows-1252\" ?><svg>\xE9</svg>".to_vec(),
            ),
            (b"<\0p\0>\0", Html, UTF_16LE, b"\xFF\xFE<\0p\0>\0".to_vec()),
            (b"\xE9", Text, WINDOWS_1252, b"\xE9".to_vec()),
            (
                b"<?xml version='1.0'?><!x><!-->\n<!-- -- --!><!DOCTYPE html><p>\xE9",
                Html,
                WINDOWS_1252,
                b"<?xml version='1.0'?><!x><!-->\n<!-- -- --!><!DOCTYPE html><meta charset=\"windows-1252\"><p>\xE9"
                    .to_vec(),
            ),
            (b"<?xml?><p>\xE9", Html, WINDOWS_1252, b"<meta charset=\"windows-1252\"><?xml?><p>\xE9".to_vec()),
        ] {
            let mut declared = Cow::Borrowed(bytes);
            declare(&mut declared, document_type, encoding);
            assert_eq!(declared, expected);
        }
        let mut declared = Cow::Borrowed(&*japanese);
        declare(&mut declared, Html, SHIFT_JIS);
        let expected = [&japanese[..26], b"<meta charset=\"shift_jis\">", &japanese[26..]].concat();
        assert_eq!(String::from_utf8_lossy(&declared), String::from_utf8_lossy(&expected));
        assert_eq!(declare(&mut declared, Html, SHIFT_JIS), None);
    }
}
