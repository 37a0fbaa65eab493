//! XML entities that only the document itself declares.

use std::collections::HashSet;
use std::ops::Range;

use super::escapes::of_html_name;

/// The names of the general entities that a document declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entities(HashSet<String>);

impl Entities {
    /// Parses the entity declarations in a document type declaration (XML 1.0, section 4.2).
    pub(crate) fn declare(&mut self, doctype: &str) {
        let declarations = doctype.split("<!ENTITY").skip(1);
        let names = declarations.filter_map(|declaration| declaration.split_whitespace().next());
        self.0.extend(names.map(str::to_owned));
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
                && (self.0.contains(name) || of_html_name(&format!("&{name};")).is_none());
            is_one.then(|| at..at + name.len() + 2)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Entities;

    #[test]
    fn an_escaped_ampersand_is_not_an_entity() {
        let mut entities = Entities::default();
        entities.declare("<!DOCTYPE a [<!ENTITY copy 'x'>\n<!ENTITY\n own 'y'>]>");
        for composed in ["&own;", "x&copy;y", "&unknown;", "&&unknown;"] {
            assert!(entities.are_in(composed), "{composed}");
        }
        for plain in ["&amp;amp;", "x&amp;own;", "&&amp;amp;", "&eacute;", "&#46;", "&amp", "a&b c;", "&notit"] {
            assert!(!entities.are_in(plain), "{plain}");
        }
        assert!(entities.are_in("&notit;"));
    }
}
