//! Looking up rows by the names of their elements and attributes.

use super::Row;
use crate::html::Name;

/// Rows by attribute and element.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    attributes: Vec<AttributeRows>,
    /// Open addressing by [`Name::bucket`]: an index into `attributes` plus one, or zero.
    slots: Vec<u16>,
    /// The rows with a name that is too long to be a [`Name`] of its own.
    long: Vec<LongRow>,
}

/// The rows of one attribute name.
#[derive(Clone, Debug)]
struct AttributeRows {
    name: Name,
    of_element: Vec<(Name, u16)>,
    of_any: Option<u16>,
}

/// A row with a long name.
#[derive(Clone, Debug)]
struct LongRow {
    element: String,
    attribute: String,
    row: u16,
}

impl Index {
    /// An index of those `rows` that `are_meant`.
    pub(super) fn new(rows: &[Row], are_meant: impl Fn(&Row) -> bool) -> Self {
        let mut attributes: Vec<AttributeRows> = Vec::new();
        let mut long = Vec::new();
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| are_meant(row)) {
            let (name, index) = (Name::of(&row.attribute), index as u16);
            if name == Name::LONG || Name::of(&row.element) == Name::LONG {
                let (element, attribute) = (row.element.to_string(), row.attribute.to_string());
                long.push(LongRow { element, attribute, row: index });
                continue;
            }
            let position = attributes.iter().position(|known| known.name == name);
            let position = position.unwrap_or_else(|| {
                attributes.push(AttributeRows { name, of_element: Vec::new(), of_any: None });
                attributes.len() - 1
            });
            let known = &mut attributes[position];
            if row.element == "*" {
                known.of_any.get_or_insert(index);
            } else {
                known.of_element.push((Name::of(&row.element), index));
            }
        }
        // A power of two, of which three quarters stay empty: what is not there is found out soon.
        let mut slots = vec![0; (4 * attributes.len()).next_power_of_two().max(512)];
        for (index, known) in attributes.iter().enumerate() {
            let mut slot = known.name.bucket();
            while slots[slot] != 0 {
                slot = (slot + 1) & (slots.len() - 1);
            }
            slots[slot] = index as u16 + 1;
        }
        Self { attributes, slots, long }
    }

    /// The row of an attribute of an element, as an index; if there are several, the first. Long names have none here.
    #[inline(always)]
    pub(crate) fn row_of(&self, element: Name, attribute: Name) -> Option<u16> {
        self.rows_of_attribute(attribute)?.row_of(element)
    }

    /// The same of an attribute of an element one of which has a long name.
    #[cold]
    pub(crate) fn row_of_long(&self, element: &[u8], attribute: &[u8]) -> Option<u16> {
        let is_of = |row: &&LongRow| {
            row.attribute.as_bytes().eq_ignore_ascii_case(attribute)
                && (row.element == "*" || row.element.as_bytes().eq_ignore_ascii_case(element))
        };
        self.long.iter().find(is_of).map(|row| row.row)
    }

    /// The same of any names.
    pub(crate) fn row_of_names(&self, element: &[u8], attribute: &[u8]) -> Option<u16> {
        let row = self.row_of(Name::of_bytes(element), Name::of_bytes(attribute));
        row.or_else(|| self.row_of_long(element, attribute))
    }

    /// The row of an attribute of any element.
    pub(crate) fn row_of_any(&self, attribute: Name) -> Option<u16> {
        self.rows_of_attribute(attribute)?.of_any
    }

    /// All rows of an attribute of an element.
    pub(crate) fn rows_of(&self, element: Name, attribute: Name) -> impl Iterator<Item = u16> {
        let of_element = self.rows_of_attribute(attribute).map_or(&[][..], |known| &known.of_element);
        of_element.iter().filter(move |(name, _)| *name == element).map(|(_, row)| *row)
    }

    #[inline(always)]
    fn rows_of_attribute(&self, attribute: Name) -> Option<&AttributeRows> {
        let mut slot = attribute.bucket();
        loop {
            let known = match self.slots[slot] {
                0 => return None,
                index => &self.attributes[usize::from(index) - 1],
            };
            if known.name == attribute {
                return Some(known);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }
}

impl AttributeRows {
    #[inline]
    fn row_of(&self, element: Name) -> Option<u16> {
        self.of_element.iter().find(|(name, _)| *name == element).map(|(_, row)| *row).or(self.of_any)
    }
}
