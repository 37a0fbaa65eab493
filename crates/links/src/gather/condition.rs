//! The conditions of rows, and the attributes that decide about them.

use std::cell::LazyCell;

use super::{Gatherer, Tag};
use crate::gather::values::{attributes_of, is_one_of, value_of};
use crate::markup::name::Name;
use crate::table::row::{Row, When};

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
        let all = LazyCell::new(|| attributes_of(document, tag.attributes));
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
        value_of(document, &attributes_of(document, tag.attributes), attribute).map(|value| is_one_of(value, wanted))
    }
}

/// Returns a media type without its parameters.
fn without_parameters(value: &[u8]) -> &[u8] {
    if value.contains(&b'&') { value } else { value.split(|byte| *byte == b';').next().unwrap_or(value) }
}
