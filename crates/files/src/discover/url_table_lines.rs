//! The lines of a table, one by one in memory.

use std::io::{self, BufRead, Read};

use crate::discover::wget_log::Log;
use crate::limits::TABLE_ROW;

/// Lines as text, whatever their encoding. Reading it as bytes gives what is left of the line, and the lines behind it until
/// one shows that all is a log.
pub(crate) struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
    /// With its end.
    line: String,
    /// How much of the line was read as bytes.
    read: usize,
    number: u64,
    /// The number of the line that the row begins in, and the bytes of its lines so far.
    row: (u64, usize),
    /// What all lines so far say if they are a log.
    pub(crate) log: Log,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, bytes: Vec::new(), line: String::new(), read: 0, number: 0, row: (1, 0), log: Log::default() }
    }

    /// The line without its end.
    pub(crate) fn line(&self) -> &str {
        let line = self.line.strip_suffix('\n').unwrap_or(&self.line);
        line.strip_suffix('\r').filter(|_| self.line.ends_with('\n')).unwrap_or(line)
    }

    /// Goes on to the next line, which begins a row; answers whether there is one.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        self.row = (self.number + 1, 0);
        self.advance_in_row()
    }

    /// Begins a row with what is left of the line.
    pub(crate) fn begin_row(&mut self) {
        let left = self.line.len() - self.read;
        self.row = (self.number + u64::from(left == 0), left);
    }

    /// Lets all of the line be read as bytes.
    pub(crate) fn begin_again(&mut self) {
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
        // wget writes names and URLs in whatever encoding.
        let text = String::from_utf8_lossy(&self.bytes);
        // Programs that make tables put a mark before them.
        let line = text.strip_prefix('\u{FEFF}').filter(|_| self.number == 1).unwrap_or(&text);
        self.line.clear();
        self.line.push_str(line);
        self.read = 0;
        let mut log = std::mem::take(&mut self.log);
        log.note(self.line());
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
