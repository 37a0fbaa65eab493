//! The table of places where references stand, and looking things up in it.

mod rows;

use crate::html::Name;

/// What the value of an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// One URL, perhaps between white space.
    Url,
    /// URLs between white space.
    SpaceList,
    /// URLs between commas.
    CommaList,
    /// Image candidates: URLs with descriptors.
    Srcset,
    /// CSS declarations.
    Css,
    /// A time and perhaps a URL; only in `<meta http-equiv=refresh>`.
    Refresh,
}

/// What the URLs of an attribute resolve against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolvesIn {
    /// The document.
    Document,
    /// What stands outside the document, for the BASE itself.
    Outside,
    /// The `codebase` of the same element, if it has one.
    Codebase,
}

/// What becomes of an empty or fragment-only value when same-document references are made absolute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// It is made absolute with the others.
    Asked,
    /// It means something else than a URL and always stays, as `usemap="#m"` and `action=""` do.
    Never,
}

/// A group of rows that is switched on or off together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Group {
    /// Defined by the standards in force and by HTML 4.
    Core,
    /// Of browsers and drafts past.
    Legacy,
}

/// A place where references stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The element, in lower case, or `*` for any.
    pub element: &'static str,
    /// The attribute, in lower case.
    pub attribute: &'static str,
    /// What its value holds.
    pub grammar: Grammar,
    /// What its URLs resolve against.
    pub resolves_in: ResolvesIn,
    /// What becomes of same-document references.
    pub same_document: SameDocument,
    /// The group it belongs to.
    pub group: Group,
    /// The text that defines it.
    pub source: &'static str,
}

/// Rows, made ready for looking up.
///
/// ```
/// use absolve_links::Table;
/// let table = Table::default();
/// assert!(table.rows().iter().any(|row| row.element == "a" && row.attribute == "href"));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Row>,
    attributes: Vec<AttributeRows>,
    /// Open addressing by [`Name::bucket`]: an index into `attributes` plus one, or zero.
    slots: [u8; 256],
}

/// The rows of one attribute name.
#[derive(Clone, Debug)]
pub(crate) struct AttributeRows {
    name: Name,
    of_element: Vec<(Name, u16)>,
    of_any: Option<u16>,
}

impl Table {
    /// A table of these rows. Of two rows for the same place the first counts.
    ///
    /// ```
    /// use absolve_links::Table;
    /// let all = Table::default();
    /// let images = all.rows().iter().filter(|row| row.element == "img").cloned().collect();
    /// assert!(Table::new(images).rows().len() < all.rows().len());
    /// ```
    pub fn new(rows: Vec<Row>) -> Self {
        let mut attributes: Vec<AttributeRows> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let name = Name::of(row.attribute);
            let position = attributes.iter().position(|known| known.name == name);
            let position = position.unwrap_or_else(|| {
                attributes.push(AttributeRows { name, of_element: Vec::new(), of_any: None });
                attributes.len() - 1
            });
            let (known, index) = (&mut attributes[position], index as u16);
            if row.element == "*" {
                known.of_any.get_or_insert(index);
            } else {
                known.of_element.push((Name::of(row.element), index));
            }
        }
        assert!(attributes.len() < 200, "the slots hold at most 200 attribute names");
        let mut slots = [0; 256];
        for (index, known) in attributes.iter().enumerate() {
            let mut slot = known.name.bucket();
            while slots[slot] != 0 {
                slot = (slot + 1) % 256;
            }
            slots[slot] = index as u8 + 1;
        }
        Self { rows, attributes, slots }
    }

    /// The rows, in the order of their indexes.
    ///
    /// ```
    /// assert!(absolve_links::Table::default().rows().len() > 80);
    /// ```
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of an attribute of an element, as an index.
    #[inline]
    pub(crate) fn row_of(&self, element: Name, attribute: Name) -> Option<u16> {
        let mut slot = attribute.bucket();
        loop {
            let known = match self.slots[slot] {
                0 => return None,
                index => &self.attributes[usize::from(index) - 1],
            };
            if known.name == attribute {
                return known.row_of(element);
            }
            slot = (slot + 1) % 256;
        }
    }
}

impl AttributeRows {
    #[inline]
    fn row_of(&self, element: Name) -> Option<u16> {
        self.of_element.iter().find(|(name, _)| *name == element).map(|(_, row)| *row).or(self.of_any)
    }
}

impl Default for Table {
    /// All rows of the groups that are on by default.
    fn default() -> Self {
        Self::new(rows::ROWS.to_vec())
    }
}

impl Grammar {
    /// The name used in documentation.
    ///
    /// ```
    /// assert_eq!(absolve_links::Grammar::Srcset.name(), "srcset");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::SpaceList => "space-list",
            Self::CommaList => "comma-list",
            Self::Srcset => "srcset",
            Self::Css => "css",
            Self::Refresh => "refresh",
        }
    }
}

impl Group {
    /// The name used on the command line.
    ///
    /// ```
    /// assert_eq!(absolve_links::Group::Core.name(), "core");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Legacy => "legacy",
        }
    }
}
