//! The encodings of a reference by the languages around it.

use std::ops::Range;

use super::character_reference::{self, Context};
use crate::markup::attributes::Quote;
use crate::markup::space::SPACES;

/// One layer of encoding around a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wrapping {
    /// Nothing is escaped.
    Plain,
    /// An HTML attribute value, with character references.
    Attribute(Quote),
    /// HTML text, with character references.
    Text,
    /// A quoted XML attribute value, with character references. White space is normalised to spaces.
    XmlAttribute(Quote),
    /// XML text, with character references.
    XmlText,
    /// A quoted value in a processing instruction, with character references.
    Instruction(Quote),
    /// The inside of an unquoted `url(...)`.
    CssUrl,
    /// The inside of a CSS string in this quote.
    CssString(u8),
    /// Text between delimiters that have no escape. A delimiter within a URL is percent-encoded.
    Quoted(u8),
    /// Text between `<URL:` and `>`. White space in it is ignored, and percent-encoded in new text.
    Spaced,
    /// The destination of a link in Markdown, with backslashes and character references.
    MarkdownUrl,
    /// The same in angle brackets.
    MarkdownBracketed,
    /// A string of JSON.
    JsonString,
    /// A header field. Line breaks and the white space after each are ignored (RFC 2557, section 4.4.2).
    Folded,
}

/// A piece of text that differs from its encoded form. It is cut only at its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Bytes of the decoded text.
    pub(crate) text: Range<usize>,
    /// Bytes of the encoded form.
    pub(crate) raw: Range<usize>,
}

impl Wrapping {
    /// Decodes `raw`. Returns the text, and the pieces where it differs from `raw`.
    pub(crate) fn decode(self, raw: &str) -> (String, Vec<Unit>) {
        match self {
            Self::Plain | Self::Quoted(_) => (raw.to_owned(), Vec::new()),
            Self::Attribute(_) => decode(raw, &['&', '\0'], |rest| nul(rest).or(character(rest, Context::Attribute))),
            Self::Text => decode(raw, &['&'], |rest| character(rest, Context::Text)),
            Self::XmlText | Self::Instruction(_) => decode(raw, &['&'], |rest| character(rest, Context::Xml)),
            Self::XmlAttribute(_) => decode(raw, &['&', '\t', '\n', '\r'], |rest| match rest.as_bytes() {
                [b'&', ..] => character(rest, Context::Xml),
                [b'\r', b'\n', ..] => Some(((Some(' '), None), 2)),
                _ => Some(((Some(' '), None), 1)),
            }),
            Self::Spaced => decode(raw, &SPACES.map(char::from), |_| Some(((None, None), 1))),
            Self::MarkdownUrl | Self::MarkdownBracketed => decode(raw, &['&', '\\'], |rest| match rest.as_bytes() {
                [b'&', ..] => character(rest, Context::Xml),
                [_, next, ..] if next.is_ascii_punctuation() => Some(((Some(char::from(*next)), None), 2)),
                _ => None,
            }),
            Self::JsonString => decode(raw, &['\\'], json_escape),
            Self::Folded => decode(raw, &['\r', '\n'], |rest| {
                let length = rest.len() - rest.trim_ascii_start().len();
                Some(((None, None), length))
            }),
            Self::CssUrl | Self::CssString(_) => decode(raw, &['\\', '\0'], |rest| {
                if let Some(read) = nul(rest) {
                    return Some(read);
                }
                // At the end of the input, a backslash is U+FFFD in a URL, and ignored in a string.
                let at_end = || Some(((self == Self::CssUrl).then_some('\u{FFFD}'), 1));
                let escape = if rest == "\\" { at_end() } else { css_escape(rest) };
                escape.map(|(character, length)| ((character, None), length))
            }),
        }
    }

    /// Returns whether [`Wrapping::decode`] would change nothing.
    #[inline]
    pub(crate) fn is_plain(self, raw: &[u8]) -> bool {
        match self {
            Self::Plain | Self::Quoted(_) => true,
            Self::Attribute(_) => memchr::memchr2(b'&', 0, raw).is_none(),
            Self::Text | Self::XmlText | Self::Instruction(_) => memchr::memchr(b'&', raw).is_none(),
            Self::XmlAttribute(_) => !raw.iter().any(|byte| matches!(byte, b'&' | b'\t' | b'\n' | b'\r')),
            Self::CssUrl | Self::CssString(_) => memchr::memchr2(b'\\', 0, raw).is_none(),
            Self::MarkdownUrl | Self::MarkdownBracketed => memchr::memchr2(b'\\', b'&', raw).is_none(),
            Self::JsonString => memchr::memchr(b'\\', raw).is_none(),
            Self::Spaced => !raw.iter().any(u8::is_ascii_whitespace),
            Self::Folded => memchr::memchr2(b'\r', b'\n', raw).is_none(),
        }
    }

    /// Encodes `text`, with as few escapes as possible.
    pub(crate) fn escape(self, text: &str) -> String {
        self.escape_where(text, |_| false)
    }

    /// Encodes `text`, and also escapes the characters that `must_be_escaped`.
    pub(crate) fn escape_where(self, text: &str, must_be_escaped: impl Fn(char) -> bool) -> String {
        let mut escaped = String::with_capacity(text.len() + 8);
        let is_absent = self == Self::Attribute(Quote::Absent);
        escaped.push_str(if is_absent { "=\"" } else { "" });
        for character in text.chars() {
            if self.needs_escape(character) || must_be_escaped(character) {
                self.push_escape(character, &mut escaped);
            } else {
                escaped.push(character);
            }
        }
        escaped.push_str(if is_absent { "\"" } else { "" });
        escaped
    }

    #[inline]
    pub(crate) fn needs_escape(self, character: char) -> bool {
        match self {
            Self::Plain => false,
            Self::Text => matches!(character, '&' | '<'),
            Self::XmlText => matches!(character, '&' | '<' | '>'),
            Self::Instruction(quote) => {
                matches!(character, '<' | '>') || Self::Attribute(quote).needs_escape(character)
            }
            Self::XmlAttribute(quote) => {
                matches!(character, '&' | '<' | '\t' | '\n' | '\r') || Self::Attribute(quote).needs_escape(character)
            }
            Self::Attribute(Quote::Double | Quote::Absent) => matches!(character, '&' | '"'),
            Self::Attribute(Quote::Single) => matches!(character, '&' | '\''),
            Self::Attribute(Quote::Unquoted) => {
                matches!(character, '&' | '"' | '\'' | '`' | '<' | '>' | ' ' | '\t' | '\n' | '\r' | '\x0c')
            }
            Self::CssUrl => character <= ' ' || matches!(character, '"' | '\'' | '(' | ')' | '\\' | '\x7f'),
            Self::CssString(quote) => {
                matches!(character, '\\' | '\n' | '\r' | '\x0c') || character == char::from(quote)
            }
            Self::Quoted(quote) => character == char::from(quote),
            // The last two could be those of a cell of a table, or of code.
            Self::MarkdownUrl => character <= ' ' || "&\\<>()\x7f|`".contains(character),
            Self::MarkdownBracketed => character < ' ' || "&\\<>|`".contains(character),
            Self::JsonString => character < ' ' || matches!(character, '"' | '\\'),
            Self::Spaced | Self::Folded => character <= ' ' || matches!(character, '<' | '>'),
        }
    }

    /// Appends the escape of any character to `out`.
    pub(crate) fn push_escape(self, character: char, out: &mut String) {
        match (self, character) {
            // HTML has no reference to a control character: `&#145;` is a quotation mark. A layer around it has an escape.
            (Self::Plain, _) | (Self::Attribute(_) | Self::Text, '\u{80}'..='\u{9f}') => out.push(character),
            (Self::Attribute(_) | Self::Text | Self::XmlAttribute(_) | Self::XmlText | Self::Instruction(_), _) => {
                match character {
                    '&' => out.push_str("&amp;"),
                    '"' => out.push_str("&quot;"),
                    _ => out.push_str(&format!("&#{};", character as u32)),
                }
            }
            (Self::MarkdownUrl | Self::MarkdownBracketed, '&') => out.push_str("&amp;"),
            (
                Self::CssUrl | Self::CssString(_) | Self::MarkdownUrl | Self::MarkdownBracketed | Self::JsonString,
                '!'..='/' | ':'..='@' | '['..='`' | '{'..='~',
            ) => {
                out.push('\\');
                out.push(character);
            }
            (Self::JsonString, _) => out.push_str(&format!("\\u{:04x}", character as u32)),
            (Self::CssUrl | Self::CssString(_), _) => out.push_str(&format!("\\{:x} ", character as u32)),
            _ => {
                let mut bytes = [0; 4];
                character.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
            }
        }
    }
}

/// Decodes a NUL at the start of `rest` as U+FFFD, as attributes of HTML and CSS do.
fn nul(rest: &str) -> Option<(Reading, usize)> {
    rest.starts_with('\0').then_some(((Some('\u{FFFD}'), None), 1))
}

/// Decodes the character reference at the start of `rest`. Returns its characters and its length.
fn character(rest: &str, context: Context) -> Option<(Reading, usize)> {
    character_reference::decode(rest, context).map(|((first, second), length)| ((Some(first), second), length))
}

/// The characters of an escape: at most two.
type Reading = (Option<char>, Option<char>);

/// Decodes an escape with `reference` at each of the `marks`.
fn decode(raw: &str, marks: &[char], reference: impl Fn(&str) -> Option<(Reading, usize)>) -> (String, Vec<Unit>) {
    let mut text = String::with_capacity(raw.len());
    let mut units = Vec::new();
    let mut at = 0;
    while let Some(offset) = raw[at..].find(marks) {
        let start = at + offset;
        text.push_str(&raw[at..start]);
        let text_start = text.len();
        let length = match reference(&raw[start..]) {
            Some((decoded, length)) => {
                text.extend(decoded.0);
                text.extend(decoded.1);
                units.push(Unit { text: text_start..text.len(), raw: start..start + length });
                length
            }
            None => {
                // All marks are ASCII.
                text.push_str(&raw[start..=start]);
                1
            }
        };
        at = start + length;
    }
    text.push_str(&raw[at..]);
    (text, units)
}

/// Decodes an escape of JSON (RFC 8259, section 7) at the start of `rest`: half a pair of surrogates is U+FFFD, as in a URL.
fn json_escape(rest: &str) -> Option<(Reading, usize)> {
    let unit = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    if let Some(first) = unit(rest) {
        let second = rest.get(6..).and_then(unit);
        let mut characters = char::decode_utf16([first].into_iter().chain(second));
        let character = characters.next()?.unwrap_or('\u{FFFD}');
        return Some(((Some(character), None), if character.len_utf16() == 2 { 12 } else { 6 }));
    }
    let character = match rest.as_bytes().get(1)? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        same @ (b'"' | b'\\' | b'/') => char::from(*same),
        _ => return None,
    };
    Some(((Some(character), None), 2))
}

/// Decodes a CSS escape, or an escaped line end, which is ignored (CSS Syntax Level 3, sections 4.3.5 and 4.3.7), at the start
/// of `text`. Returns its character and its length.
///
/// ```
/// assert_eq!(absolve_links::css_escape("\\29 x"), Some((Some(')'), 4)));
/// ```
pub fn css_escape(text: &str) -> Option<(Option<char>, usize)> {
    let after = text.strip_prefix('\\')?;
    let newline = |text: &str| match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r' | b'\x0c', ..] => 1,
        _ => 0,
    };
    let digits = after.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    if digits > 0 {
        let number = u32::from_str_radix(&after[..digits], 16).ok()?;
        let character = char::from_u32(number).filter(|character| *character != '\0').unwrap_or('\u{FFFD}');
        let rest = &after[digits..];
        let space = newline(rest).max(usize::from(rest.starts_with([' ', '\t'])));
        return Some((Some(character), 1 + digits + space));
    }
    match newline(after) {
        0 if after.starts_with('\0') => Some((Some('\u{FFFD}'), 2)),
        0 => after.chars().next().map(|character| (Some(character), 1 + character.len_utf8())),
        length => Some((None, 1 + length)),
    }
}
