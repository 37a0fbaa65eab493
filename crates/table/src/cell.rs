//! Columns of tables and cells of rows.

use std::borrow::Cow;
use std::io;

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name, which is stable.
    pub name: &'static str,
    /// What its cells are.
    pub kind: Kind,
    /// Whether each row has a value.
    pub presence: Presence,
}

impl Column {
    /// Returns a column in which each row has a value.
    pub const fn always(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, presence: Presence::Always }
    }

    /// Returns a column of texts that can be null.
    pub const fn nullable(name: &'static str) -> Self {
        Self { name, kind: Kind::Text, presence: Presence::Nullable }
    }
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind {
    Text,
    Number,
    Flag,
}

/// Whether each row has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// No cell is null.
    Always,
    /// A cell may be null.
    Nullable,
    /// As before, and objects of JSON have a field for it only if it is not null or false.
    Rare,
}

/// A cell of a row.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Cell<'c> {
    Text(Cow<'c, str>),
    Number(u64),
    Flag(bool),
    Null,
}

impl<'c> Cell<'c> {
    /// Returns a cell with a text.
    pub fn text(text: &'c str) -> Self {
        Self::Text(text.into())
    }

    /// Returns a cell with a text, or null.
    pub fn optional(text: Option<&'c str>) -> Self {
        text.map_or(Self::Null, Self::text)
    }
}

/// Writes the rows of a table in one format.
pub trait TableWriter {
    /// Writes a row, with a cell for each column.
    fn write(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// Writes what follows the last row.
    fn finish(&mut self) -> io::Result<()>;
}
