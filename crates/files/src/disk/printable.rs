//! Text that is safe to show in a terminal.

use std::borrow::Cow;
use std::io::{self, Write};

/// Escapes the characters of a line that control a terminal: file names and references may contain line breaks, escape
/// sequences and bidirectional controls.
///
/// ```
/// use absolve_files::shown;
/// assert_eq!(shown("a\n\u{1b}[31m\u{202e}é"), "a\\n\\u{1b}[31m\\u{202e}é");
/// ```
pub fn shown(line: &str) -> Cow<'_, str> {
    escaped(line, |character| character.escape_default().to_string())
}

/// Escapes the same characters in JSON text, where they are within strings.
///
/// ```
/// use absolve_files::shown_json;
/// assert_eq!(shown_json("{\"reference\":\"a\u{9b}\u{202e}é\"}"), "{\"reference\":\"a\\u009b\\u202eé\"}");
/// ```
pub fn shown_json(text: &str) -> Cow<'_, str> {
    escaped(text, |character| format!("\\u{:04x}", character as u32))
}

fn escaped(text: &str, escape: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_unsafe(character) {
            escaped.push_str(&escape(character));
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// Returns whether a character controls a terminal instead of being shown.
pub(crate) fn is_unsafe(character: char) -> bool {
    let is_line_break = matches!(character, '\u{2028}' | '\u{2029}');
    let is_bidirectional_control = matches!(
        character,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || is_line_break || is_bidirectional_control
}

/// A writer of text to a terminal, which escapes the characters of each line that control it.
#[derive(Debug)]
pub struct ShownLines<W: Write> {
    output: W,
    line: Vec<u8>,
}

impl<W: Write> ShownLines<W> {
    /// Returns a writer to `output`, which has to be flushed.
    ///
    /// ```
    /// use std::io::Write;
    /// let mut output = Vec::new();
    /// write!(absolve_files::ShownLines::to(&mut output), "a,\x1b[31m\x07\r\nb\n")?;
    /// assert_eq!(output, b"a,\\u{1b}[31m\\u{7}\nb\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn to(output: W) -> Self {
        Self { output, line: Vec::new() }
    }
}

impl<W: Write> Write for ShownLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend(piece);
            if piece.ends_with(b"\n") {
                let line = String::from_utf8_lossy(&self.line);
                writeln!(self.output, "{}", shown(line.trim_end_matches(['\r', '\n'])))?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.line);
        self.output.write_all(shown(&line).as_bytes())?;
        self.line.clear();
        self.output.flush()
    }
}
