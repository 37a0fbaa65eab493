//! The values of a column, in the form that Parquet and Arrow have: a text that follows itself is kept once.

use crate::cell::{Cell, Column};

/// The values of a column.
#[derive(Clone, Debug)]
pub struct ColumnValues {
    /// Its name and type.
    pub column: Column,
    /// For each row, whether it has a value.
    pub has_value: Vec<bool>,
    /// The texts, one behind the other, of which none equals the one before.
    pub texts: Vec<u8>,
    /// The end of each of them in `texts`.
    pub ends: Vec<usize>,
    /// For each row with a text, which one it is.
    pub keys: Vec<u32>,
    /// For each row with a number, that number.
    pub numbers: Vec<i64>,
    /// For each row with a flag, that flag.
    pub flags: Vec<bool>,
}

impl ColumnValues {
    /// Returns a column without rows.
    pub fn new(column: Column) -> Self {
        let (has_value, texts, ends, keys) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { column, has_value, texts, ends, keys, numbers: Vec::new(), flags: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, cell: &Cell<'_>) {
        self.has_value.push(!matches!(cell, Cell::Null));
        match cell {
            Cell::Text(text) => {
                let last = self.ends.len().checked_sub(2).map_or(0, |before| self.ends[before]);
                if self.ends.is_empty() || self.texts[last..] != *text.as_bytes() {
                    self.texts.extend_from_slice(text.as_bytes());
                    self.ends.push(self.texts.len());
                }
                self.keys.push((self.ends.len() - 1) as u32);
            }
            Cell::Number(number) => self.numbers.push(i64::try_from(*number).unwrap_or(i64::MAX)),
            Cell::Flag(flag) => self.flags.push(*flag),
            Cell::Null => {}
        }
    }

    /// Returns a text by its key.
    pub fn text(&self, key: usize) -> &str {
        let start = key.checked_sub(1).map_or(0, |before| self.ends[before]);
        str::from_utf8(&self.texts[start..self.ends[key]]).unwrap_or_default()
    }

    /// Adds rows with this cell until there are `rows`.
    pub fn fill(&mut self, cell: &Cell<'_>, rows: usize) {
        (self.has_value.len()..rows).for_each(|_| self.push(cell));
    }

    /// Repeats the last row until there are `rows`, or removes it if there is one too many.
    pub(crate) fn resize(&mut self, rows: usize) {
        let Some(has_value) = self.has_value.last().copied() else { return };
        let (before, keys) = (self.has_value.len(), self.keys.len());
        self.has_value.resize(rows, has_value);
        if let Some(key) = self.keys.last().copied().filter(|_| has_value) {
            self.keys.resize(keys + rows - before, key);
        }
    }

    /// Returns the bytes of its texts.
    pub fn bytes(&self) -> usize {
        self.texts.len()
    }
}
