//! The formats of tables that `--format` names.

use std::io::Write;

use absolve_table::{Column, TableWriter, TextFormat, TextTable};

use crate::args::list::LinksFormat;
use crate::outcome::{Stop, usage_error};

/// Why a table in Parquet cannot be written without its library.
const WITHOUT_PARQUET: &str = "this absolve was built without the feature `parquet`; build it with cargo build --release \
                               --features parquet, or choose --format csv or json";

impl LinksFormat {
    /// Returns a writer of a table with these columns.
    ///
    /// # Errors
    ///
    /// A usage error if the program was built without this format.
    pub(crate) fn table<'o>(
        self,
        columns: &[Column],
        output: &'o mut dyn Write,
    ) -> Result<Box<dyn TableWriter + 'o>, Stop> {
        Ok(match self.text() {
            Some(format) => Box::new(TextTable::new(format, columns, output)?),
            #[cfg(feature = "parquet")]
            None => Box::new(absolve_table::ParquetTable::new(columns, output)?),
            #[cfg(not(feature = "parquet"))]
            None => return usage_error(WITHOUT_PARQUET),
        })
    }

    /// Returns the format, unless it is that of columns.
    pub(crate) const fn text(self) -> Option<TextFormat> {
        match self {
            Self::Text => Some(TextFormat::Tabs),
            Self::Json => Some(TextFormat::Json),
            Self::Csv => Some(TextFormat::Csv),
            Self::Parquet | Self::Webgraph | Self::Graphml => None,
        }
    }

    /// Refuses a format that the program was built without.
    pub(crate) fn check(self) -> Result<(), Stop> {
        match self {
            Self::Parquet if cfg!(not(feature = "parquet")) => usage_error(WITHOUT_PARQUET),
            _ => Ok(()),
        }
    }
}
