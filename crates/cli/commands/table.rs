//! Tables, and the formats that they are written in.

mod cell;
mod csv_table;
mod json_table;
#[cfg(feature = "parquet")]
mod parquet_table;
mod text_table;

use std::io::Write;

use crate::args::list::LinksFormat;
use crate::outcome::{Stop, usage_error};

pub(crate) use cell::{Cell, Column, Kind, Presence, TableWriter};

/// Why a table in Parquet cannot be written without its library.
const WITHOUT_PARQUET: &str = "this absolve was built without the feature `parquet`; build it with cargo build --release \
                               --features parquet, or choose --format csv or json";

impl LinksFormat {
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
            Self::Text => Box::new(text_table::TextTable(output)),
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
