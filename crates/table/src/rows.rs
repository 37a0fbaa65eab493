//! The links of a record as rows, in the thread that found them.

use absolve_rewriter::internal::LinkRow;

use crate::cell::Column;
use crate::links::{LinkColumn, LinkColumns, Locate, Page};
use crate::text::TextFormat;
use crate::values::ColumnValues;

/// Rows of the links of a record.
pub trait LinkRows {
    /// What the links of a record become.
    type Rows;

    /// Begins the links of a page.
    fn begin(&mut self, page: &Page<'_>);

    /// Adds a link of the page.
    fn add(&mut self, link: &LinkRow<'_>, at: &mut dyn Locate);

    /// Returns the rows.
    fn finish(self) -> Self::Rows;
}

/// Bytes of rows that a record has room for at first.
const ROOM: usize = 8 << 10;

/// The rows of links as a text. What all links of a page share is written once, and copied.
#[derive(Clone, Debug)]
pub struct TextRows<'c> {
    format: TextFormat,
    columns: &'c LinkColumns,
    /// Those of a page, and each of a link.
    stretches: Vec<Stretch>,
    rows: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Stretch {
    Page(Vec<u8>),
    Link(LinkColumn, Column),
}

impl<'c> TextRows<'c> {
    /// Returns rows of these columns.
    pub fn new(format: TextFormat, columns: &'c LinkColumns) -> Self {
        Self { format, columns, stretches: Vec::new(), rows: Vec::with_capacity(ROOM) }
    }
}

impl LinkRows for TextRows<'_> {
    /// Whole rows.
    type Rows = Vec<u8>;

    fn begin(&mut self, page: &Page<'_>) {
        self.stretches.clear();
        for (column, cells) in self.columns.iter().zip(self.columns.columns()) {
            if !column.is_of_page() {
                self.stretches.push(Stretch::Link(column, cells));
                continue;
            }
            if !matches!(self.stretches.last(), Some(Stretch::Page(_))) {
                self.stretches.push(Stretch::Page(Vec::new()));
            }
            if let Some(Stretch::Page(written)) = self.stretches.last_mut() {
                self.format.add(&cells, &column.of_page(page), written);
            }
        }
    }

    fn add(&mut self, link: &LinkRow<'_>, at: &mut dyn Locate) {
        self.format.begin(&mut self.rows);
        let start = self.rows.len();
        for stretch in &self.stretches {
            match stretch {
                Stretch::Page(written) => self.rows.extend_from_slice(written),
                Stretch::Link(link_column, column) => {
                    self.format.add(column, &link_column.of_link(link, at), &mut self.rows);
                }
            }
        }
        self.format.end(&mut self.rows, start);
    }

    fn finish(self) -> Self::Rows {
        self.rows
    }
}

/// The rows of links as columns. What all links of a page share is looked at once.
#[derive(Clone, Debug)]
pub struct ColumnRows {
    columns: Vec<(LinkColumn, ColumnValues)>,
    rows: usize,
}

impl ColumnRows {
    /// Returns columns without rows.
    pub fn new(columns: &LinkColumns) -> Self {
        let values = columns.columns().into_iter().map(ColumnValues::new);
        Self { columns: columns.iter().zip(values).collect(), rows: 0 }
    }

    /// Returns how many rows there are.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Gives the columns of a page as many rows as it has links.
    fn end_page(&mut self) {
        let of_pages = self.columns.iter_mut().filter(|(column, _)| column.is_of_page());
        of_pages.for_each(|(_, values)| values.resize(self.rows));
    }
}

impl LinkRows for ColumnRows {
    /// The columns, all of as many rows.
    type Rows = Vec<ColumnValues>;

    fn begin(&mut self, page: &Page<'_>) {
        self.end_page();
        let of_pages = self.columns.iter_mut().filter(|(column, _)| column.is_of_page());
        of_pages.for_each(|(column, values)| values.push(&column.of_page(page)));
    }

    fn add(&mut self, link: &LinkRow<'_>, at: &mut dyn Locate) {
        let of_links = self.columns.iter_mut().filter(|(column, _)| !column.is_of_page());
        of_links.for_each(|(column, values)| values.push(&column.of_link(link, at)));
        self.rows += 1;
    }

    fn finish(mut self) -> Self::Rows {
        self.end_page();
        self.columns.into_iter().map(|(_, values)| values).collect()
    }
}
