//! Text that is safe to show in a terminal.

use std::borrow::Cow;

/// Escapes the characters of a line that control a terminal: file names and references may contain line breaks, escape
/// sequences and bidirectional controls.
///
/// ```
/// use absolve_files::shown;
/// assert_eq!(shown("a\n\u{1b}[31m\u{202e}é"), "a\\n\\u{1b}[31m\\u{202e}é");
/// ```
pub fn shown(line: &str) -> Cow<'_, str> {
    if !line.contains(is_unsafe) {
        return Cow::Borrowed(line);
    }
    let mut escaped = String::with_capacity(line.len() + 16);
    for character in line.chars() {
        if is_unsafe(character) {
            escaped.extend(character.escape_default());
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
