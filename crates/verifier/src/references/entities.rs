//! XML entities that only the document itself declares.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::escapes::is_html_name;

/// The general entities that a document declares, with their replacement texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entities(HashMap<String, String>);

/// The bytes of a declaration that are read: `rewrite` reads no longer one.
const LONGEST: usize = 512;

impl Entities {
    /// Parses the entity declarations in a document type declaration (XML 1.0, section 4.2); the first of a name counts, and an
    /// external one has no text.
    pub(crate) fn declare(&mut self, doctype: &str) {
        for (at, keyword) in doctype.match_indices("<!ENTITY") {
            let declaration = doctype[at + keyword.len()..].trim_start();
            let declaration = &declaration[..declaration.floor_char_boundary(LONGEST)];
            let Some((name, value)) = declaration.split_once(char::is_whitespace) else { continue };
            let literal = |quote: char| Some(value.trim_start().strip_prefix(quote)?.split_once(quote)?.0);
            let text = literal('"').or_else(|| literal('\'')).unwrap_or_default();
            self.0.entry(name.to_owned()).or_insert_with(|| text.to_owned());
        }
    }

    /// Expands the declared entities in the name of a namespace.
    pub(crate) fn expand<'v>(&self, value: &'v str) -> Cow<'v, str> {
        let mut expanded = Cow::Borrowed(value);
        for place in self.places(value).collect::<Vec<_>>().into_iter().rev() {
            let text = self.0.get(&value[place.start + 1..place.end - 1]);
            text.into_iter().for_each(|text| expanded.to_mut().replace_range(place.clone(), text));
        }
        expanded
    }

    /// Reports whether a text refers to an entity that the document declares, or that is not declared at all.
    pub(crate) fn are_in(&self, written: &str) -> bool {
        self.places(written).next().is_some()
    }

    /// Returns the places of references to such entities. The names of HTML are decoded without a declaration, as many
    /// feeds use them; `&amp;foo;` is no reference.
    pub(crate) fn places(&self, written: &str) -> impl Iterator<Item = Range<usize>> {
        written.match_indices('&').filter_map(|(at, _)| {
            let rest = &written[at + 1..];
            let rest = rest.split('&').next().unwrap_or_default();
            let name = rest.split(';').next().filter(|name| name.len() < rest.len()).unwrap_or_default();
            let is_name = |name: &str| {
                !name.is_empty() && name.chars().all(|one| one.is_ascii_alphanumeric() || "._-:".contains(one))
            };
            let is_one = is_name(name)
                && !matches!(name, "amp" | "lt" | "gt" | "quot" | "apos")
                && (self.0.contains_key(name) || !is_html_name(name));
            is_one.then(|| at..at + name.len() + 2)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Entities;

    #[test]
    fn a_text_ends_at_its_quote() {
        let mut entities = Entities::default();
        entities.declare("<!DOCTYPE a [<!ENTITY own 'y<!ENTITY '><!ENTITY other 'z'>]>");
        assert_eq!(entities.expand("&own;&other;"), "y<!ENTITY z");
    }

    #[test]
    fn an_escaped_ampersand_is_not_an_entity() {
        let mut entities = Entities::default();
        entities.declare("<!DOCTYPE a [<!ENTITY copy 'x'>\n<!ENTITY\n own 'y'>]>");
        assert_eq!(entities.expand("&copy;/&own;&amp;"), "x/y&amp;");
        for composed in ["&own;", "x&copy;y", "&unknown;", "&&unknown;"] {
            assert!(entities.are_in(composed), "{composed}");
        }
        for plain in ["&amp;amp;", "x&amp;own;", "&&amp;amp;", "&eacute;", "&#46;", "&amp", "a&b c;", "&notit"] {
            assert!(!entities.are_in(plain), "{plain}");
        }
        assert!(entities.are_in("&notit;"));
    }
}
