//! Tables as CSV (RFC 4180), with the names of the columns in the first row. A null is an empty cell.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::commands::table::cell::{Cell, Column, TableWriter};
use crate::spreadsheet::as_text;

/// Writes rows as CSV.
pub(crate) struct CsvTable<'o> {
    writer: csv::Writer<&'o mut dyn Write>,
}

impl<'o> CsvTable<'o> {
    pub(crate) fn new(columns: &[Column], output: &'o mut dyn Write) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(columns.iter().map(|column| column.name)).map_err(cause)?;
        Ok(Self { writer })
    }
}

impl TableWriter for CsvTable<'_> {
    fn write(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        for cell in cells {
            let written = match cell {
                Cell::Text(text) => self.writer.write_field(as_text(&readable(text))),
                Cell::Number(number) => self.writer.write_field(number.to_string()),
                Cell::Flag(flag) => self.writer.write_field(flag.to_string()),
                Cell::Null => self.writer.write_field(""),
            };
            written.map_err(cause)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(cause)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Returns the error of the output, so that a closed pipe is one.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Replaces NUL, at which some readers of CSV end a cell or the file.
fn readable(text: &str) -> Cow<'_, [u8]> {
    if text.contains('\0') { text.replace('\0', "\u{FFFD}").into_bytes().into() } else { text.as_bytes().into() }
}
