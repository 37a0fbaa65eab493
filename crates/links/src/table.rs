//! The table of places where references stand, and looking things up in it.

pub(crate) mod index;
pub(crate) mod row;
mod rows;
mod xml_rows;

use index::Index;
use row::{Group, Row, Syntax};

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
    html: Index,
    xml: Index,
}

impl Table {
    /// A table of these rows. Of several rows for the same place, the first that holds for a tag counts; rows for any
    /// element come behind those for the element.
    ///
    /// ```
    /// use absolve_links::Table;
    /// let all = Table::default();
    /// let images = all.rows().iter().filter(|row| row.element == "img").cloned().collect();
    /// assert!(Table::new(images).rows().len() < all.rows().len());
    /// ```
    pub fn new(rows: Vec<Row>) -> Self {
        let html = Index::new(&rows, |row| row.syntax == Syntax::Any);
        let xml = Index::new(&rows, |_| true);
        Self { rows, html, xml }
    }

    /// A table of all rows of these groups, behind `more` rows of one's own.
    ///
    /// ```
    /// use absolve_links::{Group, Table};
    /// let with_lazy = Table::of_groups(&[Group::Core, Group::Lazy], vec!["x-card@image=url".parse()?]);
    /// assert!(with_lazy.rows().iter().any(|row| row.attribute == "data-src"));
    /// assert_eq!(with_lazy.rows()[0].element, "x-card");
    /// # Ok::<(), absolve_links::UnknownRow>(())
    /// ```
    pub fn of_groups(groups: &[Group], mut more: Vec<Row>) -> Self {
        more.extend(rows::ROWS.iter().chain(&xml_rows::ROWS).filter(|row| groups.contains(&row.group)).cloned());
        Self::new(more)
    }

    /// The rows, in the order of their indexes.
    ///
    /// ```
    /// assert!(absolve_links::Table::default().rows().len() > 80);
    /// ```
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// For finding the rows that HTML documents can have.
    #[inline]
    pub(crate) const fn html(&self) -> &Index {
        &self.html
    }

    /// For finding the rows that XML documents can have.
    pub(crate) const fn xml(&self) -> &Index {
        &self.xml
    }
}

impl Default for Table {
    /// All rows of the groups that are on by default.
    fn default() -> Self {
        Self::of_groups(&Group::DEFAULT, Vec::new())
    }
}
