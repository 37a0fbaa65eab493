//! The conditions of rows, and the attributes that decide about them.

use std::cell::LazyCell;

use smallvec::SmallVec;

use super::{Gatherer, Tag};
use crate::markup::attributes::{Attribute, attributes};
use crate::markup::name::Name;
use crate::table::row::{Row, When};
use crate::value::character_reference;

impl<'c> Gatherer<'c, '_> {
    /// Returns the row for an attribute of a tag whose condition the tag meets, in whatever order its attributes are.
    pub(super) fn matching_row(&self, tag: &Tag, attribute: Name) -> Option<(u16, &'c Row)> {
        self.first_matching(tag, self.index.rows_of(tag.element, attribute).chain(self.index.row_of_any(attribute)))
    }

    /// Returns the row for the text of an element whose condition its tag meets.
    pub(crate) fn matching_row_of_text(&self, tag: &Tag, element: &[u8]) -> Option<(u16, &'c Row)> {
        self.first_matching(tag, self.index.rows_of_text(element))
    }

    fn first_matching(&self, tag: &Tag, rows: impl Iterator<Item = u16>) -> Option<(u16, &'c Row)> {
        let document = self.document.bytes();
        let all = LazyCell::new(|| attributes_of(document, tag));
        let value_of = |name: &&str| value_of(document, &all, name);
        rows.map(|row| (row, &self.table.rows()[usize::from(row)])).find(|(_, row)| match row.when {
            When::Always => true,
            When::WithoutBaseUrl => !self.is_behind_base_url(tag),
            When::Holds(names, wanted) => {
                names.iter().filter_map(value_of).any(|value| is_one_of(without_parameters(value), wanted))
            }
            When::Lists(name, wanted) => value_of(&name)
                .is_some_and(|value| value.split(u8::is_ascii_whitespace).any(|one| is_one_of(one, wanted))),
        })
    }

    /// Returns whether an attribute of a tag has one of the values, apart from case; `None` without the attribute.
    pub(crate) fn holds(&self, tag: &Tag, attribute: &str, wanted: &[&str]) -> Option<bool> {
        let document = self.document.bytes();
        value_of(document, &attributes_of(document, tag), attribute).map(|value| is_one_of(value, wanted))
    }
}

/// Returns the attributes of a tag; most tags have few.
pub(super) fn attributes_of(document: &[u8], tag: &Tag) -> SmallVec<[Attribute; 6]> {
    let mut all = SmallVec::new();
    attributes(document, tag.attributes, |attribute| all.push(attribute));
    all
}

/// Returns the raw value of an attribute. If it is repeated, the first counts.
pub(super) fn value_of<'d>(document: &'d [u8], all: &[Attribute], name: &str) -> Option<&'d [u8]> {
    let is_named = |one: &&Attribute| document[one.name_range.clone()].eq_ignore_ascii_case(name.as_bytes());
    all.iter().find(is_named).map(|one| &document[one.value.clone()])
}

/// Returns a media type without its parameters.
fn without_parameters(value: &[u8]) -> &[u8] {
    if value.contains(&b'&') { value } else { value.split(|byte| *byte == b';').next().unwrap_or(value) }
}

/// Returns whether an attribute value equals one of the `wanted`, apart from case and surrounding white space.
pub(crate) fn is_one_of(value: &[u8], wanted: &[&str]) -> bool {
    if value.contains(&b'&') {
        let decoded = character_reference::decode_all(&String::from_utf8_lossy(value));
        return wanted.iter().any(|known| known.eq_ignore_ascii_case(decoded.trim()));
    }
    let value = value.trim_ascii();
    wanted.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(value))
}
