//! Tables as JSON Lines: an object a row.

use std::io::{self, Write};

use absolve_files::shown_json;

use crate::commands::table::cell::{Cell, Column, Presence, TableWriter};

/// Writes rows as JSON.
pub(crate) struct JsonTable<'o> {
    columns: &'static [Column],
    output: &'o mut dyn Write,
    line: Vec<u8>,
}

impl<'o> JsonTable<'o> {
    pub(crate) fn new(columns: &'static [Column], output: &'o mut dyn Write) -> Self {
        Self { columns, output, line: Vec::new() }
    }
}

impl TableWriter for JsonTable<'_> {
    fn write(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.line.clear();
        for (column, cell) in self.columns.iter().zip(cells) {
            if column.presence == Presence::Rare && matches!(cell, Cell::Null | Cell::Flag(false)) {
                continue;
            }
            self.line.push(if self.line.is_empty() { b'{' } else { b',' });
            serde_json::to_writer(&mut self.line, column.name)?;
            self.line.push(b':');
            match cell {
                Cell::Text(text) => {
                    let text = serde_json::to_string(&**text)?;
                    self.line.extend_from_slice(shown_json(&text).as_bytes());
                }
                Cell::Number(number) => serde_json::to_writer(&mut self.line, number)?,
                Cell::Flag(flag) => serde_json::to_writer(&mut self.line, flag)?,
                Cell::Null => self.line.extend_from_slice(b"null"),
            }
        }
        self.line.extend_from_slice(b"}\n");
        self.output.write_all(&self.line)
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
