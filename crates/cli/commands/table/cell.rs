//! Columns of tables and cells of rows.

use std::borrow::Cow;
use std::io;

/// A column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only Parquet has types"))]
    pub(crate) kind: Kind,
    pub(crate) presence: Presence,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Flag,
}

/// Whether each row has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Always,
    /// A cell may be null.
    Nullable,
    /// As before, and objects of JSON have a field for it only if it is not null or false.
    Rare,
}

/// A cell of a row.
#[derive(Clone, Debug)]
pub(crate) enum Cell<'c> {
    Text(Cow<'c, str>),
    Number(u64),
    Flag(bool),
    Null,
}

impl<'c> Cell<'c> {
    pub(crate) fn text(text: &'c str) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn optional(text: Option<&'c str>) -> Self {
        text.map_or(Self::Null, Self::text)
    }
}

/// Writes the rows of a table in one format.
pub(crate) trait TableWriter {
    /// Writes a row, with a cell for each column.
    fn write(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// Writes what follows the last row.
    fn finish(&mut self) -> io::Result<()>;
}
