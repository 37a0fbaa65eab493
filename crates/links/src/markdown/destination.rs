//! Where the destination of a link stands (CommonMark 0.31, section 6.3).

use std::ops::Range;

use crate::value::decoded::Decoded;
use crate::value::wrapping::Wrapping;

/// Returns where a destination stands that begins at byte `from` of a text or behind white space there, and how it is written, if it is
/// there and means `meaning`.
pub(super) fn destination(text: &str, from: usize, meaning: &str) -> Option<(Range<usize>, Wrapping)> {
    let rest = text.get(from..)?;
    let start = from + rest.len() - behind_space(rest).len();
    let (range, wrapping) = match text[start..].strip_prefix('<') {
        Some(inside) => (start + 1..start + 1 + length_up_to(inside, |byte, _| byte == b'>'), Wrapping::MarkdownBracketed),
        None => {
            let ends = |byte: u8, depth: usize| byte <= b' ' || byte == b'\x7f' || (byte == b')' && depth == 0);
            (start..start + length_up_to(&text[start..], ends), Wrapping::MarkdownUrl)
        }
    };
    (Decoded::unwrap(&text[range.clone()], wrapping).text == meaning).then_some((range, wrapping))
}

/// Returns the end of the label of a definition: the byte behind `]:`.
pub(super) fn behind_label(definition: &str) -> Option<usize> {
    let inside = definition.strip_prefix('[')?;
    let end = 1 + length_up_to(inside, |byte, _| byte == b']');
    definition[end..].starts_with("]:").then_some(end + 2)
}

/// Skips white space, and at the beginning of a line also the marks of block quotes.
fn behind_space(text: &str) -> &str {
    let line = text.trim_start_matches([' ', '\t']);
    match line.strip_prefix("\r\n").or_else(|| line.strip_prefix(['\n', '\r'])) {
        Some(next) => next.trim_start_matches([' ', '\t', '>']),
        None => line,
    }
}

/// Returns the length of a text up to the first byte that ends it, which is given with the number of open parentheses before it. A
/// character behind a backslash does not count.
fn length_up_to(text: &str, ends: impl Fn(u8, usize) -> bool) -> usize {
    let (mut depth, mut is_escaped) = (0_usize, false);
    let end = text.bytes().position(|byte| {
        if std::mem::take(&mut is_escaped) && byte.is_ascii_punctuation() {
            return false;
        }
        if ends(byte, depth) {
            return true;
        }
        match byte {
            b'\\' => is_escaped = true,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        false
    });
    end.unwrap_or(text.len())
}
