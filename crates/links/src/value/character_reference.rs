//! Character references (WHATWG HTML, section 13.2.5.72 and following).

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// The context of a character reference. `&lt=` and `&ltx` are no references in an attribute value of HTML, and XML
/// requires the semicolon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The value of an attribute of HTML.
    Attribute,
    /// Text of HTML.
    Text,
    /// XML.
    Xml,
}

/// The characters of a character reference: one, or two for some names.
pub(crate) type Characters = (char, Option<char>);

/// Decodes the character reference at the start of `text`. Returns its characters and its length.
///
/// ```
/// use absolve_links::{ReferenceContext, character_reference};
/// assert_eq!(character_reference("&amp;x", ReferenceContext::Xml), Some((('&', None), 5)));
/// ```
pub fn decode(text: &str, context: Context) -> Option<(Characters, usize)> {
    let after = text.strip_prefix('&')?;
    match after.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(digits) => numeric(digits, 16, 3, context),
            None => numeric(digits, 10, 2, context),
        },
        None => named(after, context),
    }
}

/// Decodes all character references of an attribute value.
pub(crate) fn decode_all(value: &str) -> String {
    let mut decoded = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        let ((first, second), length) = decode(&rest[at..], Context::Attribute).unwrap_or((('&', None), 1));
        decoded.push(first);
        decoded.extend(second);
        rest = &rest[at + length..];
    }
    decoded + rest
}

fn numeric(digits: &str, radix: u32, prefix: usize, context: Context) -> Option<(Characters, usize)> {
    let length = digits.find(|digit: char| !digit.is_digit(radix)).unwrap_or(digits.len());
    if length == 0 {
        return None;
    }
    // A number too large to parse is out of range as well.
    let number = u32::from_str_radix(&digits[..length], radix).unwrap_or(u32::MAX);
    let character = match number {
        0x80..=0x9F if context != Context::Xml => C1_REPLACEMENTS[number as usize - 0x80].or(char::from_u32(number)),
        0 => None,
        _ => char::from_u32(number),
    };
    let semicolon = usize::from(digits[length..].starts_with(';'));
    if context == Context::Xml && semicolon == 0 {
        return None;
    }
    Some(((character.unwrap_or('\u{FFFD}'), None), prefix + length + semicolon))
}

fn named(name: &str, context: Context) -> Option<(Characters, usize)> {
    let end = name.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(name.len());
    let behind = name.as_bytes().get(end);
    let whole = (behind == Some(&b';') && end < LONGEST_NAME).then_some(end + 1);
    // In most URLs, `&` begins no reference.
    let without_semicolon = match context {
        Context::Xml => 0..0,
        Context::Attribute if behind == Some(&b'=') || end > LONGEST_WITHOUT_SEMICOLON => 0..0,
        Context::Attribute => end.max(1)..end + 1,
        Context::Text => 1..end.min(LONGEST_WITHOUT_SEMICOLON) + 1,
    };
    let (length, characters) = whole.into_iter().chain(without_semicolon.rev()).find_map(|length| {
        let characters = NAMED_ENTITIES.get(&name[..length]);
        characters.filter(|characters| characters.0 != 0).map(|characters| (length, characters))
    })?;
    let second = char::from_u32(characters.1).filter(|second| *second != '\0');
    Some(((char::from_u32(characters.0)?, second), 1 + length))
}

/// `CounterClockwiseContourIntegral;`
const LONGEST_NAME: usize = 32;

/// `Aacute`
const LONGEST_WITHOUT_SEMICOLON: usize = 6;

#[cfg(test)]
mod tests {
    use html5ever::parse_document;
    use html5ever::tendril::TendrilSink;
    use markup5ever_rcdom::{Handle, NodeData, RcDom};

    use super::{Context, LONGEST_WITHOUT_SEMICOLON, NAMED_ENTITIES, decode, decode_all};

    /// Returns the titles of all elements, in their order.
    fn titles(node: &Handle, found: &mut Vec<String>) {
        if let NodeData::Element { attrs, .. } = &node.data {
            let attributes = attrs.borrow();
            found.extend(attributes.iter().filter(|one| &*one.name.local == "title").map(|one| one.value.to_string()));
        }
        node.children.borrow().iter().for_each(|child| titles(child, found));
    }

    /// Checks that these values are those that html5ever reads.
    #[track_caller]
    fn agree(all: &[String]) {
        let html: String = all.iter().map(|value| format!("<p title=\"{value}\">")).collect();
        let (mut expected, tree) = (Vec::new(), parse_document(RcDom::default(), Default::default()).one(&*html));
        titles(&tree.document, &mut expected);
        assert_eq!(all.iter().map(|value| decode_all(value)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn reads_names_as_html5ever_does() {
        let names = NAMED_ENTITIES.keys().filter(|name| !name.is_empty());
        agree(&names.flat_map(|name| ["", "=", "x", "y;", " "].map(|end| format!("&{name}{end}"))).collect::<Vec<_>>());
    }

    #[test]
    fn names_without_a_semicolon_are_short() {
        let whole = NAMED_ENTITIES.entries().filter(|(_, characters)| characters.0 != 0).map(|(name, _)| name);
        let longest = whole.filter(|name| !name.ends_with(';')).map(|name| name.len()).max();
        assert_eq!(longest, Some(LONGEST_WITHOUT_SEMICOLON));
        let text = |text: &str| decode(text, Context::Text).map(|((first, _), length)| (first, length));
        assert_eq!((text("&notit;"), text("&notin;")), (Some(('¬', 4)), Some(('∉', 7))));
    }

    #[test]
    fn reads_numbers_as_html5ever_does() {
        let edges = [0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFDD0, 0xFFFE, 0xFFFF, 0x1_0000, 0x10_FFFF, 0x11_0000, u32::MAX];
        let numbers: Vec<u32> = (0..0x180).chain(edges).collect();
        let written = |number: &u32| [format!("&#{number};"), format!("&#x{number:X};"), format!("&#{number}x")];
        agree(&numbers.iter().flat_map(written).collect::<Vec<_>>());
    }
}
