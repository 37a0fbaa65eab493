//! Tables, and the formats that they are written in.

mod csv_table;
mod json_table;
#[cfg(feature = "parquet")]
mod parquet_table;

use std::borrow::Cow;
use std::io::{self, Write};

use crate::outcome::{Stop, usage_error};

/// Why a table in Parquet cannot be written without its library.
const WITHOUT_PARQUET: &str = "this absolve was built without the feature `parquet`; build it with cargo build --release \
                               --features parquet, or choose --format csv or json";

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

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableFormat {
    /// JSON Lines.
    Json,
    Csv,
    Parquet,
}

impl TableFormat {
    /// Returns a writer of a table with these columns.
    ///
    /// # Errors
    ///
    /// A usage error if the program was built without this format.
    pub(crate) fn writer<'o>(
        self,
        columns: &'static [Column],
        output: &'o mut dyn Write,
    ) -> Result<Box<dyn TableWriter + 'o>, Stop> {
        Ok(match self {
            Self::Json => Box::new(json_table::JsonTable::new(columns, output)),
            Self::Csv => Box::new(csv_table::CsvTable::new(columns, output)?),
            #[cfg(feature = "parquet")]
            Self::Parquet => Box::new(parquet_table::ParquetTable::new(columns, output)?),
            #[cfg(not(feature = "parquet"))]
            Self::Parquet => return usage_error(WITHOUT_PARQUET),
        })
    }

    /// Refuses a format that the program was built without.
    pub(crate) fn check(self) -> Result<(), Stop> {
        match self {
            Self::Parquet if cfg!(not(feature = "parquet")) => usage_error(WITHOUT_PARQUET),
            _ => Ok(()),
        }
    }
}
