//! Reads the lines of a table one by one.

use std::io::{self, BufRead, Read};

use crate::discover::wget_log::Log;
use crate::limits::TABLE_ROW;

/// A reader of lines in any encoding. As [`Read`], it returns the rest of the current line and the following lines, up
/// to the first line of a log.
pub(crate) struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
    /// The current line with its line end.
    line: String,
    /// The number of bytes of the line that [`Read`] has returned.
    read: usize,
    number: u64,
    /// The number of the first line of the row, and the bytes of its lines so far.
    row: (u64, usize),
    /// All lines so far, read as a log.
    pub(crate) log: Log,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, bytes: Vec::new(), line: String::new(), read: 0, number: 0, row: (1, 0), log: Log::default() }
    }

    /// Returns the current line without its line end.
    pub(crate) fn line(&self) -> &str {
        let line = self.line.strip_suffix('\n').unwrap_or(&self.line);
        line.strip_suffix('\r').filter(|_| self.line.ends_with('\n')).unwrap_or(line)
    }

    /// Reads the next line, which begins a row. Returns whether there is one.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        self.row = (self.number + 1, 0);
        self.advance_in_row()
    }

    /// Begins a row at the rest of the current line.
    pub(crate) fn begin_row(&mut self) {
        let left = self.line.len() - self.read;
        self.row = (self.number + u64::from(left == 0), left);
    }

    /// Lets [`Read`] return the current line from its start.
    pub(crate) fn rewind_line(&mut self) {
        self.read = 0;
    }

    fn advance_in_row(&mut self) -> io::Result<bool> {
        self.bytes.clear();
        (&mut self.input).take(TABLE_ROW as u64 + 1).read_until(b'\n', &mut self.bytes)?;
        self.number += 1;
        self.row.1 += self.bytes.len();
        if self.row.1 > TABLE_ROW {
            let message = format!("line {} begins a row of more than {TABLE_ROW} bytes", self.row.0);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        // wget writes names and URLs in any encoding.
        let text = String::from_utf8_lossy(&self.bytes);
        // Spreadsheets write a byte order mark.
        let line = text.strip_prefix('\u{FEFF}').filter(|_| self.number == 1).unwrap_or(&text);
        self.line.clear();
        self.line.push_str(line);
        self.read = 0;
        let mut log = std::mem::take(&mut self.log);
        log.add_line(self.line());
        self.log = log;
        Ok(!self.bytes.is_empty())
    }
}

impl<R: BufRead> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.line.len() && (self.log.is_log() || !self.advance_in_row()?) {
            return Ok(0);
        }
        let count = (&self.line.as_bytes()[self.read..]).read(buffer)?;
        self.read += count;
        Ok(count)
    }
}
