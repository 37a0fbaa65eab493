//! What people may be shown.

use std::borrow::Cow;

/// Returns a line as a terminal may show it. Names and references may hold line ends, escape sequences, and marks that
/// turn the direction of text; these are written as escapes.
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

/// Whether a terminal does something at a character besides showing it.
pub(crate) fn is_unsafe(character: char) -> bool {
    let is_line_end = matches!(character, '\u{2028}' | '\u{2029}');
    let turns_direction = matches!(
        character,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || is_line_end || turns_direction
}
