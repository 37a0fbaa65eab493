//! Lines and columns of bytes.

use std::fmt;
use std::ops::Range;

use absolve_links::Document;
use encoding_rs::{Encoding, UTF_16LE};

/// A line and a column, both counted from 1; the column counts bytes.
///
/// ```
/// use absolve_rewriter::internal::Positions;
/// use absolve_rewriter::results::Position;
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
    /// Its encoding, if that is UTF-16: a line end has two bytes.
    utf_16: Option<&'static Encoding>,
    /// Where the last position was looked up, its line, and the first byte of that line.
    byte: usize,
    line: usize,
    line_start: usize,
    /// The last byte whose column was counted in characters, and that column, if its line is text.
    counted: (usize, Option<usize>),
}

impl<'t> Positions<'t> {
    /// Returns the positions of `text`, which is not in UTF-16.
    pub const fn of(text: &'t [u8]) -> Self {
        Self { text, utf_16: None, byte: 0, line: 1, line_start: 0, counted: (0, Some(1)) }
    }

    /// Returns the positions in a document.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType};
    /// use absolve_rewriter::internal::Positions;
    /// use absolve_rewriter::results::Position;
    /// let document = Document::new(b"\xFF\xFE\n\0<\0", DocumentType::Html);
    /// assert_eq!(Positions::of_document(&document).at(4), Position { line: 2, column: 1 });
    /// ```
    pub fn of_document(document: &Document<'t>) -> Self {
        Self { utf_16: document.utf_16(), ..Self::of(document.bytes()) }
    }

    /// Returns the position of a byte.
    pub fn at(&mut self, byte: usize) -> Position {
        let byte = byte.min(self.text.len());
        // No line begins within a character.
        let byte = if self.utf_16.is_some() { byte - byte % 2 } else { byte };
        if byte < self.byte {
            self.line -= self.line_ends(byte..self.byte);
            if byte < self.line_start {
                self.line_start = self.last_line(0..byte).unwrap_or(0);
            }
        } else {
            self.line += self.line_ends(self.byte..byte);
            self.line_start = self.last_line(self.byte..byte).unwrap_or(self.line_start);
        }
        self.byte = byte;
        Position { line: self.line, column: byte - self.line_start + 1 }
    }

    /// Returns the column of a byte in code units of UTF-16, from 1, as editors and SARIF count them; a byte order mark does not count.
    /// There is none if the line up to there is neither UTF-8 nor UTF-16: another reader may decode it to another text.
    ///
    /// ```
    /// use absolve_rewriter::internal::Positions;
    /// let mut positions = Positions::of("<p>\n\u{1F98A}é<a>\n\u{FEFF}".as_bytes());
    /// assert_eq!((positions.at(10).column, positions.utf_16_column(10)), (7, Some(4)));
    /// assert_eq!(Positions::of(b"caf\xE9 <a>").utf_16_column(5), None);
    /// ```
    pub fn utf_16_column(&mut self, byte: usize) -> Option<usize> {
        self.at(byte);
        let (counted, column) = match self.counted {
            (counted, column) if (self.line_start..=self.byte).contains(&counted) => (counted, column),
            _ => (self.line_start, Some(1)),
        };
        let passed = self.text.get(counted..self.byte).unwrap_or_default();
        let column = column.and_then(|column| Some(column + self.units(counted, passed)?));
        self.counted = (self.byte, column);
        column
    }

    /// Returns how many code units of UTF-16 a part of a line is.
    fn units(&self, start: usize, part: &[u8]) -> Option<usize> {
        const ESCAPE: u8 = 0x1B;
        match self.utf_16 {
            Some(_) => Some(part.len() / 2 - usize::from(start == 0 && Encoding::for_bom(part).is_some())),
            None if memchr::memchr(ESCAPE, part).is_some() => None,
            None if part.is_ascii() => Some(part.len()),
            None => {
                let text = str::from_utf8(part).ok()?;
                Some(text.encode_utf16().count() - usize::from(start == 0 && text.starts_with('\u{FEFF}')))
            }
        }
    }

    /// Counts the line ends in a range.
    fn line_ends(&self, range: Range<usize>) -> usize {
        match self.utf_16 {
            None => memchr::memchr_iter(b'\n', &self.text[range]).count(),
            Some(encoding) => self.wide_lines(range, encoding).count(),
        }
    }

    /// Returns the start of the last line that begins in a range, or behind it.
    fn last_line(&self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        match self.utf_16 {
            None => memchr::memrchr(b'\n', &self.text[range]).map(|end| start + end + 1),
            Some(encoding) => self.wide_lines(range, encoding).next_back(),
        }
    }

    /// Returns the starts of the lines that a range of UTF-16 ends with line ends in it.
    fn wide_lines(&self, range: Range<usize>, encoding: &'static Encoding) -> impl DoubleEndedIterator<Item = usize> {
        let (start, line_end) = (range.start, if encoding == UTF_16LE { [b'\n', 0] } else { [0, b'\n'] });
        let (units, _) = self.text[range].as_chunks::<2>();
        units
            .iter()
            .enumerate()
            .filter(move |(_, unit)| **unit == line_end)
            .map(move |(index, _)| start + 2 * index + 2)
    }
}

#[cfg(test)]
mod tests {
    use absolve_links::{Document, DocumentType};

    use super::{Position, Positions};

    /// No column begins at the zero byte of a line end, and half of another character is not a line end.
    #[test]
    fn a_line_of_utf_16_begins_with_a_whole_character() {
        let text = "\u{FEFF}a\u{10A}\u{A0A}\n\u{1F98A}b\n\nc";
        for (to_bytes, name) in [(u16::to_le_bytes as fn(u16) -> [u8; 2], "LE"), (u16::to_be_bytes, "BE")] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(to_bytes).collect();
            let document = Document::new(&bytes, DocumentType::Html);
            let mut positions = Positions::of_document(&document);
            for unit in [0, 3, 5, 7, 9, 10, 5, 10, 1, 11, 8] {
                let before = String::from_utf16_lossy(&text.encode_utf16().take(unit).collect::<Vec<_>>());
                let line = before.split('\n').next_back().unwrap_or_default().encode_utf16().count();
                let position = Position { line: before.matches('\n').count() + 1, column: 2 * line + 1 };
                assert_eq!(positions.at(2 * unit), position, "{name} {unit}");
                let mark = usize::from(position.line == 1 && unit > 0);
                assert_eq!(positions.utf_16_column(2 * unit), Some(line + 1 - mark), "{name} {unit}");
                assert_eq!(positions.at(2 * unit + 1), position, "{name} {unit}");
            }
        }
    }

    #[test]
    fn columns_in_characters_in_any_order() {
        let text = "\u{FEFF}é<a>\u{1F98A}\n<b>é<c>\n";
        let mut positions = Positions::of(text.as_bytes());
        for byte in [5, 3, 8, 12, 13, 18, 21, 18, 16, 5, 0] {
            let line = text[..byte].split('\n').next_back().unwrap_or_default().trim_start_matches('\u{FEFF}');
            assert_eq!(positions.utf_16_column(byte), Some(line.encode_utf16().count() + 1), "{byte}");
        }
        for unsure in [&b"<p>caf\xE9<a>"[..], b"\x1B$B%3\x1B(B<a>", b"\xC3"] {
            assert_eq!(Positions::of(unsure).utf_16_column(unsure.len()), None, "{unsure:?}");
        }
    }

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
