//! Character references: the text of each, and its place.

use std::ops::Range;

use html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use crate::text::Text;

/// The context of a character reference, which decides how it is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    /// The value of an attribute of HTML.
    HtmlAttribute,
    /// Text of HTML.
    HtmlText,
    /// The value of an attribute of XML, in which white space is normalized to spaces (XML 1.0, section 3.3.3).
    XmlAttribute,
    /// Text of XML.
    XmlText,
}

/// Decodes the character references in a range of `text`.
pub(crate) fn without_references<'t>(text: &'t Text<'_>, range: Range<usize>, around: Around) -> Text<'t> {
    let is_changed = |character: char| {
        matches!(character, '&' | '\0') || (around == Around::XmlAttribute && matches!(character, '\t' | '\n' | '\r'))
    };
    match text.text[range.clone()].contains(is_changed) {
        true => text.unwrapped(units_of(text, range, around)),
        false => text.within(range),
    }
}

/// Decodes each unit of a range, a character or a reference, and yields its place and its text.
pub(crate) fn units_of<'t>(
    text: &'t Text<'_>,
    range: Range<usize>,
    around: Around,
) -> impl Iterator<Item = (Range<usize>, String)> + 't {
    let raw = &text.text[range.clone()];
    let mut at = 0;
    std::iter::from_fn(move || {
        let character = raw[at..].chars().next()?;
        let length = match character {
            '&' => reference_length(&raw[at..]),
            '\r' if around == Around::XmlAttribute && raw[at..].starts_with("\r\n") => 2,
            _ => character.len_utf8(),
        };
        let start = at;
        at += length;
        let reads = match character {
            '&' => {
                let mut reads = reads(&raw[start..at], raw[at..].chars().next(), around);
                // In text, letters behind a name without a semicolon are text.
                let unit = &raw[start..at];
                let same = unit.bytes().rev().zip(reads.bytes().rev()).take_while(|(one, other)| one == other).count();
                if around == Around::HtmlText && same < unit.len() {
                    at -= same;
                    reads.truncate(reads.len() - same);
                }
                reads
            }
            '\0' if matches!(around, Around::HtmlAttribute | Around::HtmlText) => "\u{FFFD}".to_owned(),
            '\t' | '\n' | '\r' if around == Around::XmlAttribute => " ".to_owned(),
            _ => character.to_string(),
        };
        Some((range.start + start..range.start + at, reads))
    })
}

/// Yields each character of a range with its place, without decoding anything.
pub(crate) fn characters<'t>(
    text: &'t Text<'_>,
    range: Range<usize>,
) -> impl Iterator<Item = (Range<usize>, String)> + 't {
    text.text[range.clone()].char_indices().map(move |(at, character)| {
        let start = range.start + at;
        (start..start + character.len_utf8(), character.to_string())
    })
}

/// Returns the length of the possible character reference that `text` begins with.
fn reference_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    // A number ends where its digits do.
    let (body, is_of_it): (usize, fn(&u8) -> bool) = match bytes.get(1..3) {
        Some([b'#', b'x' | b'X']) => (3, u8::is_ascii_hexdigit),
        Some([b'#', _]) => (2, u8::is_ascii_digit),
        _ => (1, u8::is_ascii_alphanumeric),
    };
    let name = bytes[body..].iter().take_while(|byte| is_of_it(byte)).count();
    body + name + usize::from(name > 0 && bytes.get(body + name) == Some(&b';'))
}

/// Decodes a unit in front of `next`.
fn reads(unit: &str, next: Option<char>, around: Around) -> String {
    let known = match unit {
        "&amp;" => "&",
        "&lt;" => "<",
        "&gt;" => ">",
        "&quot;" => "\"",
        "&apos;" => "'",
        "&" => "&",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    match around {
        Around::XmlAttribute | Around::XmlText => {
            of_xml(unit).or_else(|| of_html_name(unit)).unwrap_or_else(|| unit.to_owned())
        }
        Around::HtmlText => tokenized(unit, next, ""),
        Around::HtmlAttribute => tokenized(unit, next, "<a b=\""),
    }
}

fn of_xml(unit: &str) -> Option<String> {
    let number = unit.strip_prefix("&#")?.strip_suffix(';')?;
    let number = match number.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    Some(char::from_u32(number.ok()?)?.to_string())
}

/// Decodes a reference with a name of HTML, if all of it is one.
pub(crate) fn of_html_name(unit: &str) -> Option<String> {
    let is_name = unit.ends_with(';') && !unit.starts_with("&#");
    // If only a prefix is a name, the rest stays; and no name is decoded to more than two characters.
    Some(tokenized(unit, None, "")).filter(|reads| is_name && reads.chars().count() <= 2)
}

/// Decodes a unit behind `before` by html5ever's tokenizer.
fn tokenized(unit: &str, next: Option<char>, before: &str) -> String {
    // All other characters have the same effect as this one.
    let next = next.filter(|next| *next == '=' || next.is_ascii_alphanumeric()).unwrap_or('-');
    let queue = BufferQueue::default();
    queue.push_back(format!("{before}{unit}{next}{}", if before.is_empty() { "" } else { "\">" }).as_str().into());
    let tokenizer = Tokenizer::new(Reading::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    let mut text = tokenizer.sink.text.take();
    text.pop();
    text
}

/// Collects the text of tokens, in or outside a tag.
#[derive(Default)]
struct Reading {
    text: std::cell::RefCell<String>,
}

impl TokenSink for Reading {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => tag.attrs.iter().for_each(|one| self.text.borrow_mut().push_str(&one.value)),
            Token::CharacterTokens(text) => self.text.borrow_mut().push_str(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::{Around, without_references};
    use crate::text::Text;

    #[test]
    fn each_reference_where_it_stands() {
        let text = Text::plain("x&amp;y&eacute=1&notit;&#x2F;&copy &#0;&", 10);
        let all = 0..text.text.len();
        let value = without_references(&text, all.clone(), Around::HtmlAttribute);
        assert_eq!(value.text, "x&y&eacute=1&notit;/\u{a9} \u{fffd}&");
        assert_eq!(value.raw(1..2), 11..16);
        let slash = value.text.find('/').unwrap_or_default();
        assert_eq!(&text.text[value.raw(slash..slash + 1).start - 10..value.raw(slash..slash + 1).end - 10], "&#x2F;");
        assert_eq!(without_references(&text, all, Around::HtmlText).text, "x&y\u{e9}=1\u{ac}it;/\u{a9} \u{fffd}&");
    }

    #[test]
    fn a_line_end_in_an_attribute_of_xml_is_a_space() {
        let text = Text::plain("./\r\n\\\n\tx&#10;y", 0);
        let all = 0..text.text.len();
        let value = without_references(&text, all.clone(), Around::XmlAttribute);
        assert_eq!((&*value.text, value.raw(2..3)), ("./ \\  x\ny", 2..4));
        assert_eq!(without_references(&text, all, Around::XmlText).text, "./\r\n\\\n\tx\ny");
    }

    #[test]
    fn a_name_of_html_in_xml_is_its_character() {
        let text = Text::plain("&eacute;&notit;&NotEqualTilde;&unknown;", 0);
        let value = without_references(&text, 0..text.text.len(), Around::XmlText);
        assert_eq!(value.text, "\u{e9}&notit;\u{2242}\u{338}&unknown;");
    }
}
