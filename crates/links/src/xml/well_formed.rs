//! What of the rules of well-formed XML quick-xml does not check.

use std::collections::HashSet;

use memchr::memmem;

use crate::markup::attributes::{Attribute, Quote};

/// Returns where character references stand that mean no character of XML (XML 1.0, section 4.1), such as `&#0;`. Comments and CDATA
/// sections may contain them.
pub(super) fn wrong_characters(text: &str) -> Vec<usize> {
    let is_wrong = |at: &usize| {
        let rest = &text[at + 2..];
        let length = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (number, end) = rest.split_at(length);
        let code = match number.strip_prefix('x') {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        let character = code.ok().and_then(char::from_u32);
        let is_none =
            |found| matches!(found, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}');
        // Without a semicolon it is text, as any other ampersand.
        end.starts_with(';') && character.is_none_or(is_none)
    };
    memmem::find_iter(text.as_bytes(), b"&#").filter(is_wrong).collect()
}

pub(super) const fn begins_name(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '_' | ':' | '\u{80}'..)
}

/// Returns whether each attribute has a value in quotes, and a name of its own (XML 1.0, section 3.1).
pub(super) fn are_well_formed(attributes: &[Attribute], document: &[u8]) -> bool {
    /// So few are compared with each other.
    const FEW: usize = 8;
    let name = |attribute: &Attribute| &document[attribute.name_range.clone()];
    let are_different = match attributes.len() {
        0..=FEW => {
            let is_new = |at| attributes[..at].iter().all(|one| name(one) != name(&attributes[at]));
            (1..attributes.len()).all(is_new)
        }
        many => attributes.iter().map(name).collect::<HashSet<_>>().len() == many,
    };
    are_different && attributes.iter().all(is_quoted)
}

pub(super) const fn is_quoted(attribute: &Attribute) -> bool {
    matches!(attribute.quote, Quote::Double | Quote::Single)
}
