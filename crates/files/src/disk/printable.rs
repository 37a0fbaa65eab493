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
