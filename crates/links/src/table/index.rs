//! Finds rows by the names of their elements and attributes.

use super::row::Row;
use crate::markup::name::{Name, Shapes};

/// Rows by attribute and element.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    attributes: Vec<AttributeRows>,
    /// The shapes of all names of attributes.
    pub(crate) shapes: Shapes,
    /// A hash table with open addressing by [`Name::bucket`]: an index into `attributes` plus one, or zero.
    slots: [u16; SLOTS],
    /// The rows that are found by the text of their names: those with long names, and those for which no slot was left.
    by_text: Vec<TextRow>,
    /// Whether no slot was left for some rows.
    is_crowded: bool,
}

const SLOTS: usize = 512;

/// The most attribute names in the hash table. The built-in rows have half as many.
const FAST_NAMES: usize = 256;

/// The rows of one attribute name.
#[derive(Clone, Debug)]
struct AttributeRows {
    name: Name,
    of_element: Vec<(Name, u16)>,
    of_any: Option<u16>,
}

/// A row by its names.
#[derive(Clone, Debug)]
struct TextRow {
    element: String,
    attribute: String,
    row: u16,
}

impl Index {
    /// Creates an index of those `rows` that `are_indexed`.
    pub(super) fn new(rows: &[Row], are_indexed: impl Fn(&Row) -> bool) -> Self {
        let mut attributes: Vec<AttributeRows> = Vec::new();
        let mut slots = [0; SLOTS];
        let mut by_text = Vec::new();
        let mut is_crowded = false;
        let mut shapes = Shapes::new();
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| are_indexed(row)) {
            let (name, element, index) = (Name::of(&row.attribute), Name::of(&row.element), index as u16);
            if !row.attribute.is_empty() {
                shapes.add(&row.attribute);
            }
            let mut slot = name.bucket();
            while slots[slot] != 0 && attributes[usize::from(slots[slot]) - 1].name != name {
                slot = (slot + 1) % SLOTS;
            }
            let is_long = name == Name::LONG || element == Name::LONG;
            if is_long || (slots[slot] == 0 && attributes.len() == FAST_NAMES) {
                let (element, attribute) = (row.element.to_string(), row.attribute.to_string());
                by_text.push(TextRow { element, attribute, row: index });
                is_crowded |= !is_long;
                continue;
            }
            if slots[slot] == 0 {
                attributes.push(AttributeRows { name, of_element: Vec::new(), of_any: None });
                slots[slot] = attributes.len() as u16;
            }
            let known = &mut attributes[usize::from(slots[slot]) - 1];
            if row.element == "*" {
                known.of_any.get_or_insert(index);
            } else {
                known.of_element.push((element, index));
            }
        }
        Self { attributes, shapes, slots, by_text, is_crowded }
    }

    /// Returns the index of the first row for an attribute of an element. Does not find all rows, see
    /// [`Index::needs_text`].
    #[inline(always)]
    pub(crate) fn row_of(&self, element: Name, attribute: Name) -> Option<u16> {
        self.rows_of_attribute(attribute)?.row_of(element)
    }

    /// Returns whether rows for this element may be found only by the text of their names. Rows for an attribute with a
    /// long name always are.
    #[inline]
    pub(crate) fn needs_text(&self, element: Name) -> bool {
        element == Name::LONG || self.is_crowded
    }

    /// Returns whether all rows for names of at most 16 bytes are found by these names.
    #[inline]
    pub(crate) fn knows_by_name(&self) -> bool {
        !self.is_crowded
    }

    /// Finds a row by the text of its names.
    #[cold]
    pub(crate) fn row_of_texts(&self, element: &[u8], attribute: &[u8]) -> Option<u16> {
        let is_of = |row: &&TextRow| {
            row.attribute.as_bytes().eq_ignore_ascii_case(attribute)
                && (row.element == "*" || row.element.as_bytes().eq_ignore_ascii_case(element))
        };
        self.by_text.iter().find(is_of).map(|row| row.row)
    }

    /// Finds a row by its names, however it is indexed.
    pub(crate) fn row_of_names(&self, element: &[u8], attribute: &[u8]) -> Option<u16> {
        let names = (Name::of_bytes(element), Name::of_bytes(attribute));
        let row = self.row_of(names.0, names.1);
        match self.needs_text(names.0) || names.1 == Name::LONG {
            true => self.row_of_texts(element, attribute).or(row),
            false => row,
        }
    }

    /// Returns all rows for the text of an element.
    pub(crate) fn rows_of_text<'i>(&'i self, element: &'i [u8]) -> impl Iterator<Item = u16> + 'i {
        let is_of = |row: &&TextRow| row.attribute.is_empty() && row.element.as_bytes().eq_ignore_ascii_case(element);
        let name = Name::of_bytes(element);
        let by_text = if self.needs_text(name) { &self.by_text[..] } else { &[] };
        by_text.iter().filter(is_of).map(|row| row.row).chain(self.rows_of(name, Name::of("")))
    }

    /// Returns the row for an attribute of any element.
    pub(crate) fn row_of_any(&self, attribute: Name) -> Option<u16> {
        self.rows_of_attribute(attribute)?.of_any
    }

    /// Returns all rows for an attribute of an element.
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
            slot = (slot + 1) % SLOTS;
        }
    }
}

impl AttributeRows {
    #[inline]
    fn row_of(&self, element: Name) -> Option<u16> {
        self.of_element.iter().find(|(name, _)| *name == element).map(|(_, row)| *row).or(self.of_any)
    }
}
