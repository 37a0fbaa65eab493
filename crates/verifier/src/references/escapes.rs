//! Character references and other escapes: the text of each, and its place.

use std::iter;
use std::ops::Range;

use absolve_links::{ReferenceContext, character_reference};
use memchr::memmem;

use crate::text::{Text, Unwrapping};

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
    /// A destination in Markdown (CommonMark 0.31, sections 2.4 and 2.5).
    Markdown,
    /// A string of JSON.
    JsonString,
}

use Around::{HtmlAttribute, HtmlText, JsonString, Markdown, XmlAttribute, XmlText};

/// Decodes the character references in a range of `text`.
pub(crate) fn without_references<'t>(text: &'t Text<'_>, range: Range<usize>, around: Around) -> Text<'t> {
    if !text.text[range.clone()].contains(|character| is_special(character, around)) {
        return text.within(range);
    }
    let mut decoded = text.unwrap_from(range.start);
    decode(&mut decoded, &text.text, range, around);
    decoded.finish()
}

/// Appends a range of `text`, with its character references decoded.
pub(crate) fn decode(decoded: &mut Unwrapping<'_>, text: &str, range: Range<usize>, around: Around) {
    // XML knows the names of HTML, as many feeds use them without a declaration.
    let context = match around {
        HtmlAttribute => ReferenceContext::Attribute,
        HtmlText => ReferenceContext::Text,
        XmlAttribute | XmlText | Markdown | JsonString => ReferenceContext::Xml,
    };
    let mut at = range.start;
    while let Some(length) = text[at..range.end].find(|character| is_special(character, around)) {
        decoded.copy(at..at + length);
        at += length;
        let rest = &text[at..range.end];
        let read = match (rest.as_bytes()[0], around) {
            (b'&', _) => character_reference(rest, context),
            (b'<', _) if rest.starts_with("</>") => {
                at += "</>".len();
                continue;
            }
            (b'<', _) => None,
            (b'\\', JsonString) => Some(json_escape(rest)),
            (b'\\', _) => {
                let next = rest[1..].chars().next().filter(char::is_ascii_punctuation);
                next.map(|next| ((next, None), 2))
            }
            (0, _) => Some((('\u{FFFD}', None), 1)),
            _ => Some(((' ', None), 1 + usize::from(rest.starts_with("\r\n")))),
        };
        match read {
            Some(((first, second), length)) => {
                decoded.replace(at..at + length, [first].into_iter().chain(second));
                at += length;
            }
            None => {
                decoded.copy(at..at + 1);
                at += 1;
            }
        }
    }
    decoded.copy(at..range.end);
}

/// Decodes an escape of JSON: as serde_json does, and half a pair of surrogates as U+FFFD.
fn json_escape(text: &str) -> ((char, Option<char>), usize) {
    // A whole one is a character, a character beyond the first plane, or a half.
    let read = |length| Some((serde_json::from_str::<char>(&format!("\"{}\"", text.get(..length)?)).ok()?, length));
    let (character, length) = [2, 6, 12].into_iter().find_map(read).unwrap_or(('\u{FFFD}', 6));
    ((character, None), length)
}

/// A stretch of the content of an element.
#[derive(Clone, Debug)]
pub(crate) enum Stretch {
    /// Text with character references.
    Text(Range<usize>),
    /// The text of a CDATA section.
    Section(Range<usize>),
}

impl Stretch {
    pub(super) const fn range(&self) -> &Range<usize> {
        match self {
            Self::Text(range) | Self::Section(range) => range,
        }
    }
}

/// Splits a range of a text without child elements into stretches around the `asides`: comments and instructions.
pub(crate) fn stretches(text: &str, range: Range<usize>, asides: &[Range<usize>]) -> Vec<Stretch> {
    const SECTION: &str = "<![CDATA[";
    let (mut found, mut at) = (Vec::new(), range.start);
    for aside in asides.iter().cloned().chain(iter::once(range.end..range.end)) {
        let end = aside.start.clamp(at, range.end);
        while let Some(open) = memmem::find(&text.as_bytes()[at..end], SECTION.as_bytes()) {
            let inside = at + open + SECTION.len();
            let close = text[inside..end].find("]]>").map_or(end, |length| inside + length);
            found.extend([Stretch::Text(at..at + open), Stretch::Section(inside..close)]);
            at = end.min(close + "]]>".len());
        }
        found.push(Stretch::Text(at..end));
        at = end.max(aside.end);
    }
    found
}

/// Returns the text of such stretches.
pub(crate) fn content<'t>(text: &'t Text<'_>, stretches: &[Stretch], around: Around) -> Text<'t> {
    if let [Stretch::Text(range)] = stretches {
        return without_references(text, range.clone(), around);
    }
    let mut read = text.unwrap_from(stretches[0].range().start);
    for stretch in stretches {
        match stretch {
            Stretch::Text(range) => decode(&mut read, &text.text, range.clone(), around),
            Stretch::Section(range) => read.copy(range.clone()),
        }
    }
    read.finish()
}

fn is_special(character: char, around: Around) -> bool {
    match character {
        '&' => around != JsonString,
        // `</>` is nothing.
        '<' => around == HtmlText,
        '\\' => matches!(around, Markdown | JsonString),
        '\0' => matches!(around, HtmlAttribute | HtmlText),
        '\t' | '\n' | '\r' => around == XmlAttribute,
        _ => false,
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
