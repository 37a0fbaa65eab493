//! The entities that a document declares.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::limits::ENTITY_BYTES;
use crate::value::character_reference;

/// The general entities of the internal subset, with their replacement text.
///
/// ```
/// let mut entities = absolve_links::Entities::default();
/// entities.declare("<!DOCTYPE a [<!ENTITY own 'x'>]>");
/// assert_eq!(entities.expand(b"&own;/&#97;"), "x/a");
/// assert_eq!(entities.places(b"&own;/&amp;").collect::<Vec<_>>(), [0..5]);
/// ```
#[derive(Debug, Default)]
pub struct Entities(HashMap<Vec<u8>, Vec<u8>>);

impl Entities {
    /// Reads the declarations in a document type declaration (XML 1.0, section 4.2).
    pub fn declare(&mut self, doctype: &str) {
        for (at, keyword) in doctype.match_indices("<!ENTITY") {
            let declaration = doctype[at + keyword.len()..].trim_start();
            let Some((name, value)) = within(declaration, ENTITY_BYTES).split_once(char::is_whitespace) else {
                continue;
            };
            // External and long entities count as empty.
            let value = value.trim_start();
            let literal = ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.split_once(quote));
            let text = literal.map_or("", |(text, _)| text);
            // The first declaration counts.
            self.0.entry(name.as_bytes().to_vec()).or_insert_with(|| text.as_bytes().to_vec());
        }
    }

    /// Returns whether a value refers to an entity that the document declares, or to an undeclared one.
    pub fn are_in(&self, value: &[u8]) -> bool {
        self.places(value).next().is_some()
    }

    /// Returns where a value refers to such entities.
    pub fn places(&self, value: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let own =
            references(value).filter(|(_, name)| !is_of_xml(name) && (self.0.contains_key(*name) || !is_known(name)));
        own.map(|(at, name)| at..at + name.len() + 2)
    }

    /// Returns the name of a namespace with its declared entities and its character references expanded.
    pub fn expand<'v>(&self, value: &'v [u8]) -> Cow<'v, str> {
        if !value.contains(&b'&') {
            return String::from_utf8_lossy(value);
        }
        let mut expanded = Vec::new();
        let mut end = 0;
        for (at, name) in references(value) {
            if let Some(text) = self.0.get(name).filter(|_| expanded.len() < ENTITY_BYTES) {
                expanded.extend_from_slice(&value[end..at]);
                expanded.extend_from_slice(text);
                end = at + name.len() + 2;
            }
        }
        expanded.extend_from_slice(&value[end..]);
        Cow::Owned(character_reference::decode_all(&String::from_utf8_lossy(&expanded)))
    }
}

/// Returns the start of a text, of at most `bytes` bytes.
fn within(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Finds the entity references of a value. Returns the position and the name of each.
fn references(value: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    memchr::memchr_iter(b'&', value).filter_map(|at| {
        let rest = &value[at + 1..];
        let length = rest.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"._-:".contains(byte)))?;
        (length > 0 && rest[length] == b';').then(|| (at, &rest[..length]))
    })
}

/// Returns whether this is a predefined entity, whose meaning no declaration changes (XML 1.0, section 4.6).
fn is_of_xml(name: &[u8]) -> bool {
    matches!(name, b"amp" | b"lt" | b"gt" | b"quot" | b"apos")
}

/// Returns whether this is an entity of XML, or of HTML: many feeds use those without a declaration.
fn is_known(name: &[u8]) -> bool {
    let reference = format!("&{};", String::from_utf8_lossy(name));
    character_reference::decode(&reference, character_reference::Context::Attribute)
        .is_some_and(|(_, length)| length == reference.len())
}

#[cfg(test)]
mod tests {
    use super::Entities;

    #[test]
    fn a_text_ends_at_its_quote() {
        let mut entities = Entities::default();
        entities.declare("<!DOCTYPE a [<!ENTITY own 'y<!ENTITY '><!ENTITY other 'z'>]>");
        assert_eq!(entities.expand(b"&own;&other;"), "y<!ENTITY z");
    }

    #[test]
    fn an_escaped_ampersand_is_not_an_entity() {
        let mut entities = Entities::default();
        entities.declare("<!DOCTYPE a [<!ENTITY copy 'x'>\n<!ENTITY\n own 'y'>]>");
        assert_eq!(entities.expand(b"&copy;/&own;&amp;&#97;"), "x/y&a");
        for composed in ["&own;", "x&copy;y", "&unknown;", "&&unknown;"] {
            assert!(entities.are_in(composed.as_bytes()), "{composed}");
        }
        for plain in ["&amp;amp;", "x&amp;own;", "&&amp;amp;", "&eacute;", "&#46;", "&amp", "a&b c;", "&notit"] {
            assert!(!entities.are_in(plain.as_bytes()), "{plain}");
        }
        assert!(entities.are_in(b"&notit;"));
    }
}
