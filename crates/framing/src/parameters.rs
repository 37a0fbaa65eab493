//! Values of header fields that consist of a word and parameters (RFC 2045, section 5.1).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem;

use mail_parser::parsers::MessageStream;
use mail_parser::{ContentType, HeaderValue};
use memchr::{memchr, memmem};

use crate::comments::without_comments;
use crate::header_fields::header_fields;

/// Length in bytes of a header field that is parsed.
pub const FIELD_BYTES: usize = 64 << 10;

/// Returns the values of the fields with this name that consist of a word and parameters.
///
/// ```
/// let header = b"Content-Type: text/html\nContent-Disposition: inline; filename=a.html\n";
/// let mut found = absolve_framing::with_parameters(header, "Content-Disposition");
/// assert_eq!(found.next().unwrap().attribute("filename"), Some("a.html"));
/// ```
pub fn with_parameters<'h>(header: &'h [u8], name: &'h str) -> impl Iterator<Item = ContentType<'static>> {
    let named = header_fields(header).filter(move |field| field.is_named(name));
    named.filter_map(|field| word_and_parameters(&header[field.value]))
}

/// Returns a value that consists of a word and parameters, and is no longer than [`FIELD_BYTES`].
///
/// ```
/// let read = absolve_framing::word_and_parameters(b" text/html (a page); charset*=us-ascii''utf-8").unwrap();
/// assert_eq!((read.subtype(), read.attribute("charset")), (Some("html"), Some("utf-8")));
/// ```
pub fn word_and_parameters(value: &[u8]) -> Option<ContentType<'static>> {
    if value.len() > FIELD_BYTES {
        return None;
    }
    let mut value = without_comments(value);
    // The parser ends a parameter where a line is folded, and the value at a line end.
    value.retain(|byte| !matches!(byte, b'\r' | b'\n'));
    // It decodes each section for itself, and keeps white space between encoded words.
    let mut value = with_joined_sections(&with_joined_words(&value)).into_owned();
    value.push(b'\n');
    match MessageStream::new(&value).parse_content_type().into_owned() {
        HeaderValue::ContentType(parsed) => Some(parsed),
        _ => None,
    }
}

/// A parsed `Content-Type`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MediaType {
    /// As in `text/html`, in lower case.
    pub name: String,
    /// The boundary of a multipart.
    pub boundary: Option<String>,
    /// The label of a charset.
    pub charset: Option<String>,
    /// The `Content-ID` of the root of a multipart/related.
    pub start: Option<String>,
    /// Whether it is malformed, so that programs disagree about it.
    pub is_malformed: bool,
}

/// Returns the media type that a `Content-Type` declares (RFC 2045, section 5.1); `None` if it declares none.
///
/// ```
/// let media_type = absolve_framing::media_type(b"text/HTML; charset=utf-8").unwrap();
/// assert_eq!((&*media_type.name, media_type.charset.as_deref()), ("text/html", Some("utf-8")));
/// ```
pub fn media_type(value: &[u8]) -> Option<MediaType> {
    let parsed = word_and_parameters(value)?;
    let attribute = |name| parsed.attribute(name).map(str::to_owned);
    let mut name = [parsed.ctype(), "/", parsed.subtype()?].concat();
    name.make_ascii_lowercase();
    let [boundary, charset, start] = ["boundary", "charset", "start"].map(attribute);
    Some(MediaType { name, boundary, charset, start, is_malformed: false })
}

/// Returns the media type that the `Content-Type` of a message or a part declares. One without the semicolon behind it, and `html` alone, are
/// read as they are meant.
///
/// ```
/// use absolve_framing::type_of_part;
/// let read = |value: &[u8]| type_of_part(value).map(|read| (read.name, read.charset.is_some(), read.is_malformed));
/// assert_eq!(read(b" text/html charset=\"utf-8\""), Some(("text/html".to_owned(), true, true)));
/// assert_eq!(read(b" HTML"), Some(("text/html".to_owned(), false, true)));
/// assert_eq!(read(b" text/html (x); charset=utf-8"), Some(("text/html".to_owned(), true, false)));
/// assert_eq!(read(b" text"), None);
/// ```
#[must_use]
pub fn type_of_part(value: &[u8]) -> Option<MediaType> {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b';' | b',' | b':' | b'(');
    let text = value.trim_ascii();
    let (name, rest) = text.split_at(text.iter().position(is_end).unwrap_or(text.len()));
    let rest = rest.trim_ascii_start();
    let is_html = name.eq_ignore_ascii_case(b"html");
    // White space may stand on both sides of the slash (RFC 2045, section 5.1; RFC 822, section 3.4.3).
    let is_whole = name.contains(&b'/') && !name.ends_with(b"/");
    if !is_html && (!is_whole || rest.first().is_none_or(|next| matches!(next, b';' | b'('))) {
        return media_type(value);
    }
    let parameters = rest.strip_prefix(b",").or_else(|| rest.strip_prefix(b":")).unwrap_or(rest);
    let repaired = [if is_html { &b"text/html"[..] } else { name }, b";", parameters].concat();
    media_type(&repaired).map(|read| MediaType { is_malformed: true, ..read })
}

/// Returns the file name that a header proposes (RFC 2183, section 2.3), decoded.
///
/// ```
/// let header = b"Content-Type: text/html; name=a.html\nContent-Disposition: inline; filename=b.html\n";
/// assert_eq!(absolve_framing::attached_name(header).as_deref(), Some("b.html"));
/// ```
#[must_use]
pub fn attached_name(header: &[u8]) -> Option<String> {
    let name_in = |parsed: ContentType<'_>, parameter| parsed.attribute(parameter).map(str::to_owned);
    let disposition = with_parameters(header, "Content-Disposition").last();
    let name = disposition.and_then(|parsed| name_in(parsed, "filename"));
    name.or_else(|| with_parameters(header, "Content-Type").find_map(|parsed| name_in(parsed, "name")))
}

/// Returns a value without the white space between encoded words (RFC 2047, section 6.2).
fn with_joined_words(value: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(value, b"=?").is_none() {
        return value.into();
    }
    let (mut joined, mut rest) = (Vec::with_capacity(value.len()), value);
    while let Some(at) = memmem::find(rest, b"=?") {
        let end = at + encoded_word(&rest[at..]).unwrap_or(2);
        joined.extend_from_slice(&rest[..end]);
        let next = rest[end..].trim_ascii_start();
        let is_between = end > at + 2 && encoded_word(next).is_some();
        rest = if is_between { next } else { &rest[end..] };
    }
    joined.extend_from_slice(rest);
    joined.into()
}

/// Returns the length of the encoded word at the beginning (RFC 2047, section 2).
fn encoded_word(text: &[u8]) -> Option<usize> {
    let mut fields = text.strip_prefix(b"=?")?.splitn(4, |byte| *byte == b'?');
    let (charset, encoding, encoded) = (fields.next()?, fields.next()?, fields.next()?);
    let is_word = fields.next()?.starts_with(b"=") && encoding.len() == 1;
    is_word.then_some(charset.len() + encoded.len() + "=??q??=".len())
}

/// A section of a parameter (RFC 2231, section 3).
struct Section<'v> {
    /// The name of the parameter, in lower case.
    name: Vec<u8>,
    number: u32,
    /// Whether the text is percent-encoded.
    is_encoded: bool,
    text: Cow<'v, [u8]>,
}

impl<'v> Section<'v> {
    fn of(parameter: &'v [u8]) -> Option<Self> {
        let equals = memchr(b'=', parameter)?;
        let mut words = parameter[..equals].trim_ascii().split(|byte| *byte == b'*');
        let (name, number) = (words.next()?.to_ascii_lowercase(), str::from_utf8(words.next()?).ok()?.parse().ok()?);
        let text = parameter[equals + 1..].trim_ascii();
        let mut is_escape = false;
        let mut is_content = |byte: &u8| {
            is_escape = *byte == b'\\' && !is_escape;
            !is_escape
        };
        let mut unescaped = |text: &[u8]| text.iter().copied().filter(&mut is_content).collect();
        let quoted = text.strip_prefix(b"\"").map(|text| unescaped(text.strip_suffix(b"\"").unwrap_or(text)));
        Some(Self { name, number, is_encoded: words.next().is_some(), text: quoted.map_or(text.into(), Cow::Owned) })
    }
}

/// Returns a value in which each parameter is one percent-encoded section, because a character may begin in one and end in the next.
fn with_joined_sections(value: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(value, b"*0").is_none() {
        return value.into();
    }
    let mut sections: BTreeMap<Vec<u8>, BTreeMap<u32, Section<'_>>> = BTreeMap::new();
    for section in parameters(value).filter_map(Section::of) {
        sections.entry(section.name.clone()).or_default().entry(section.number).or_insert(section);
    }
    sections.retain(|_, sections| sections.contains_key(&0));
    let mut joined = Vec::with_capacity(2 * value.len());
    for parameter in parameters(value) {
        let section = Section::of(parameter);
        match section.and_then(|Section { name, number, .. }| Some((sections.get_mut(&name)?, name, number))) {
            None => joined.extend_from_slice(parameter),
            Some((sections, name, 0)) => {
                joined.extend_from_slice(&name);
                mem::take(sections).values().for_each(|section| write(section, &mut joined));
            }
            Some(_) => continue,
        }
        joined.push(b';');
    }
    joined.into()
}

/// Writes a section, percent-encoded; the first with the charset in front of it.
fn write(section: &Section<'_>, joined: &mut Vec<u8>) {
    let quotes: Vec<usize> = memchr::memchr_iter(b'\'', &section.text).take(2).collect();
    let text = match quotes[..] {
        [_, last] if section.number == 0 && section.is_encoded && section.text[..last].iter().all(is_of_label) => {
            joined.extend_from_slice(b"*=");
            joined.extend_from_slice(&section.text[..=last]);
            &section.text[last + 1..]
        }
        _ if section.number == 0 => {
            joined.extend_from_slice(b"*=utf-8''");
            &section.text
        }
        _ => &*section.text,
    };
    for (at, byte) in text.iter().enumerate() {
        let is_escape = || text.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        match byte {
            b'%' if section.is_encoded && is_escape() => joined.push(b'%'),
            b'-' | b'.' | b'_' => joined.push(*byte),
            _ if byte.is_ascii_alphanumeric() => joined.push(*byte),
            _ => joined.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
}

/// Returns whether a byte may be in the label of a charset or a language.
fn is_of_label(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"'-_.:+".contains(byte)
}

/// Returns the parts of a value between the semicolons outside quotes.
///
/// ```
/// assert_eq!(absolve_framing::parameters(b"a; b=\";\"; c").nth(1), Some(&b" b=\";\""[..]));
/// ```
pub fn parameters(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    value.split(move |byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_quoted,
            b'"' => is_quoted = !is_quoted,
            b';' => return !is_quoted,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::word_and_parameters;

    fn name_in(value: &str) -> Option<String> {
        word_and_parameters(value.as_bytes())?.attribute("name").map(str::to_owned)
    }

    #[test]
    fn encoded_words_are_joined_without_a_space() {
        for (value, name) in [
            ("a/b; name=\"=?UTF-8?B?TcOkcg==?=\r\n =?UTF-8?B?ei5wZGY=?=\"", "März.pdf"),
            ("a/b; name=\"=?UTF-8?Q?M=C3=A4r?=\n\t=?utf-8?q?=7A=2E?= \t =?US-ASCII*en?Q?pdf?=\"", "März.pdf"),
            ("a/b; name==?UTF-8?Q?M=C3=A4r?= =?UTF-8?Q?z.pdf?=", "März.pdf"),
            ("a/b; name=\"=?UTF-8?Q?M=C3=A4r_?= z =?UTF-8?Q?.pdf?=\"", "Mär  z .pdf"),
            ("a/b; name=\"a?= =?b\"", "a?= =?b"),
        ] {
            assert_eq!(name_in(value).as_deref(), Some(name), "{value}");
        }
    }

    #[test]
    fn reads_characters_that_two_sections_share() {
        for (value, name) in [
            ("a/b; name*0*=UTF-8''%e4%b8;\r\n name*1*=%ad%e6%96%87;\r\n name*2=\".txt\"", "中文.txt"),
            ("a/b; NAME*1*=%96%87; name*2=\"; 50% '\\\"'.txt\"; name*0*=utf-8'en'%E6; x=y", "文; 50% '\"'.txt"),
            ("a/b; name*0*=iso-8859-1''%E4; name*1*=%F6.txt", "äö.txt"),
            ("a/b; name*0*=shift_jis''%93%fa%96; name*1*=%7b", "日本"),
            ("a/b; name*0=a; name*1=\"b c\"; name*3=d", "ab cd"),
            ("a/b; name*0*=utf-8''50%; name*1*=%c3%a4.pdf", "50%ä.pdf"),
            ("a/b; name*0*=\"x;name=y''z\"", "x;name=y''z"),
            ("a/b; name*0=a; name*1*=%C3; name*2*=%A4", "aä"),
            ("a/b; name*=utf-8''%c3%a4; name*0=b", "ä"),
        ] {
            assert_eq!(name_in(value).as_deref(), Some(name), "{value}");
        }
    }
}
