//! Tables as text: CSV (RFC 4180), JSON Lines, and cells between tabs.

use std::io::{self, Write};

use absolve_files::{shown, shown_json};

use crate::cell::{Cell, Column, Presence, TableWriter};
use crate::spreadsheet::as_text;

/// A format of a table as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// The first row has the names of the columns; a null is an empty cell, and a cell that could be a formula begins with an apostrophe.
    Csv,
    /// An object a row.
    Json,
    /// Cells for people to see, with a tab between two.
    Tabs,
}

impl TextFormat {
    /// Returns the row of the names.
    pub fn header(self, columns: &[Column]) -> Vec<u8> {
        let mut header = Vec::new();
        if self == Self::Csv {
            columns.iter().for_each(|column| self.add(column, &Cell::text(column.name), &mut header));
            self.end(&mut header, 0);
        }
        header
    }

    /// Adds a cell and a separator to a row.
    pub(crate) fn add(self, column: &Column, cell: &Cell<'_>, row: &mut Vec<u8>) {
        match self {
            Self::Csv => {
                match cell {
                    Cell::Text(text) => add_csv(text, row),
                    other => add_plain(other, "", row),
                }
                row.push(b',');
            }
            Self::Json if column.presence == Presence::Rare && matches!(cell, Cell::Null | Cell::Flag(false)) => {}
            Self::Json => {
                row.push(b'"');
                row.extend_from_slice(column.name.as_bytes());
                row.extend_from_slice(b"\":");
                match cell {
                    Cell::Text(text) => add_json(text, row),
                    other => add_plain(other, "null", row),
                }
                row.push(b',');
            }
            Self::Tabs => {
                match cell {
                    Cell::Text(text) if text.is_empty() => row.extend_from_slice(b"(no host)"),
                    Cell::Text(text) => row.extend_from_slice(shown(text).as_bytes()),
                    other => add_plain(other, "", row),
                }
                row.push(b'\t');
            }
        }
    }

    /// Ends a row that begins at byte `start` of `rows`.
    pub(crate) fn end(self, rows: &mut Vec<u8>, start: usize) {
        let has_cells = rows.len() > start;
        rows.truncate(rows.len() - usize::from(has_cells));
        match self {
            // A row of one empty cell is no empty line.
            Self::Csv if rows.len() == start => rows.extend_from_slice(b"\"\"\n"),
            Self::Json => rows.extend_from_slice(b"}\n"),
            Self::Csv | Self::Tabs => rows.push(b'\n'),
        }
    }

    /// Begins a row.
    pub(crate) fn begin(self, rows: &mut Vec<u8>) {
        rows.extend_from_slice(if self == Self::Json { b"{" } else { b"" });
    }
}

fn add_plain(cell: &Cell<'_>, null: &str, row: &mut Vec<u8>) {
    match cell {
        Cell::Number(number) => serde_json::to_writer(row, number).expect("memory takes all"),
        Cell::Flag(flag) => row.extend_from_slice(if *flag { b"true" } else { b"false" }),
        Cell::Null | Cell::Text(_) => row.extend_from_slice(null.as_bytes()),
    }
}

/// Returns whether bytes of a text are special. Without an early end, many are compared at once.
#[inline(always)]
fn holds(text: &str, is_special: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |any, byte| any | is_special(byte))
}

/// Adds a cell of CSV. A few bytes ask for more than a copy: for quotes around it, or the sign that replaces NUL, at which some readers
/// end a cell or the file.
fn add_csv(text: &str, row: &mut Vec<u8>) {
    let cell = as_text(text.as_bytes());
    if !holds(text, |byte| (byte == b',') | (byte == b'"') | (byte < b' ')) {
        return row.extend_from_slice(&cell);
    }
    let text = String::from_utf8_lossy(&cell).replace('\0', "\u{FFFD}");
    let needs_quotes = text.contains([',', '"', '\r', '\n']);
    row.extend_from_slice(if needs_quotes { b"\"" } else { b"" });
    row.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    row.extend_from_slice(if needs_quotes { b"\"" } else { b"" });
}

/// Adds a string of JSON. Most bytes need no escape, neither for JSON nor for a terminal.
fn add_json(text: &str, row: &mut Vec<u8>) {
    if holds(text, |byte| (byte == b'"') | (byte == b'\\') | !(b' '..0x7F).contains(&byte)) {
        let quoted = serde_json::Value::from(text).to_string();
        return row.extend_from_slice(shown_json(&quoted).as_bytes());
    }
    row.push(b'"');
    row.extend_from_slice(text.as_bytes());
    row.push(b'"');
}

/// Writes a table as text.
#[allow(missing_debug_implementations, reason = "an output has none")]
pub struct TextTable<'o> {
    format: TextFormat,
    columns: Vec<Column>,
    row: Vec<u8>,
    output: &'o mut dyn Write,
}

impl<'o> TextTable<'o> {
    /// Returns a table, whose names are written.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn new(format: TextFormat, columns: &[Column], output: &'o mut dyn Write) -> io::Result<Self> {
        output.write_all(&format.header(columns))?;
        Ok(Self { format, columns: columns.to_vec(), row: Vec::new(), output })
    }
}

impl TableWriter for TextTable<'_> {
    fn write(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.row.clear();
        self.format.begin(&mut self.row);
        let start = self.row.len();
        self.columns.iter().zip(cells).for_each(|(column, cell)| self.format.add(column, cell, &mut self.row));
        self.format.end(&mut self.row, start);
        self.output.write_all(&self.row)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
