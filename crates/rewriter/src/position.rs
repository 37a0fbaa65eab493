//! Lines and columns of bytes.

use std::fmt;

/// A line and a column, both counted from 1; the column counts bytes.
///
/// ```
/// use absolve_rewriter::{Position, Positions};
/// assert_eq!(Positions::of(b"<p>\n<a href=x>").at(12), Position { line: 2, column: 9 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The byte within the line.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// Positions in a text. Each is found from the one before, so that many in ascending order take one pass.
#[derive(Clone, Debug)]
pub struct Positions<'t> {
    text: &'t [u8],
    /// Where the last position was looked up, its line, and the first byte of that line.
    byte: usize,
    line: usize,
    line_start: usize,
}

impl<'t> Positions<'t> {
    /// Returns the positions of `text`.
    pub const fn of(text: &'t [u8]) -> Self {
        Self { text, byte: 0, line: 1, line_start: 0 }
    }

    /// Returns the position of a byte.
    pub fn at(&mut self, byte: usize) -> Position {
        let byte = byte.min(self.text.len());
        let line_ends = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
        if byte < self.byte {
            self.line -= line_ends(&self.text[byte..self.byte]);
            if byte < self.line_start {
                self.line_start = memchr::memrchr(b'\n', &self.text[..byte]).map_or(0, |end| end + 1);
            }
        } else {
            let passed = &self.text[self.byte..byte];
            self.line += line_ends(passed);
            self.line_start = memchr::memrchr(b'\n', passed).map_or(self.line_start, |end| self.byte + end + 1);
        }
        self.byte = byte;
        Position { line: self.line, column: byte - self.line_start + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Position, Positions};

    #[test]
    fn in_any_order() {
        let text = b"ab\n\ncd\n";
        let mut positions = Positions::of(text);
        for byte in [0, 5, 7, 2, 3, 4, 0, 6, 99, 1] {
            let before = &text[..byte.min(text.len())];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
            assert_eq!(positions.at(byte), Position { line, column }, "{byte}");
        }
    }
}
