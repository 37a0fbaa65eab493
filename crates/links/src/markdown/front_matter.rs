//! The URLs in front matter, which is YAML or TOML.
//!
//! Only what can be seen without a reader of these languages: keys in the first column, with their value in the same line.

use std::ops::Range;

use crate::value::wrapping::Wrapping;

/// A value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Value<'t> {
    pub(super) key: &'t str,
    /// Its bytes, without quotes.
    pub(super) range: Range<usize>,
    pub(super) wrapping: Wrapping,
}

/// Plain scalars of YAML that are no text.
const NO_TEXT: [&str; 7] = ["~", "null", "true", "false", "yes", "no", "off"];

/// Returns the end of the front matter with which a text begins, in bytes; `None` if it has none. Its first line is not empty. YAML may end
/// with three dots.
///
/// ```
/// use absolve_links::front_matter_end;
/// assert_eq!(front_matter_end("---\nimage: a.png\n---\n# b"), Some(21));
/// assert_eq!(front_matter_end("---\n\ntext\n---\n"), None);
/// ```
pub fn front_matter_end(text: &str) -> Option<usize> {
    let mut end = text.len() - text.trim_start_matches('\u{FEFF}').len();
    let mut lines = text[end..].split_inclusive('\n').map(|line| {
        end += line.len();
        (line.trim_end(), end)
    });
    let delimiter = lines.next().map(|(line, _)| line).filter(|line| matches!(*line, "---" | "+++"))?;
    let is_end = |line: &str| line == delimiter || (line == "..." && delimiter == "---");
    lines.next().filter(|(line, _)| !line.is_empty() && !is_end(line))?;
    lines.find(|(line, _)| is_end(line)).map(|(_, end)| end)
}

/// Returns the values in the front matter of a text.
pub(super) fn values(text: &str) -> Vec<Value<'_>> {
    let block = &text[..front_matter_end(text).unwrap_or(0)];
    let is_toml = block.trim_start_matches('\u{FEFF}').starts_with('+');
    let mut lines = block.split_inclusive('\n').skip(1).peekable();
    let mut values = Vec::new();
    while let Some(line) = lines.next() {
        // Keys of a table have other names, and lines of a long string none.
        if is_toml && (line.starts_with('[') || line.contains("\"\"\"") || line.contains("'''")) {
            break;
        }
        let goes_on = lines.peek().is_some_and(|next| next.starts_with([' ', '\t']) && !next.trim().is_empty());
        if is_toml || !goes_on {
            values.extend(value(text, line, is_toml));
        }
    }
    values
}

/// Returns the value of a line.
fn value<'t>(text: &'t str, line: &'t str, is_toml: bool) -> Option<Value<'t>> {
    let (key, rest) = line.split_once(if is_toml { '=' } else { ':' })?;
    let written = rest.trim();
    let start = written.as_ptr() as usize - text.as_ptr() as usize;
    let value = |inside: Range<usize>, wrapping| Value { key: key.trim_end(), range: inside, wrapping };
    if let Some((quote, inside)) = written.chars().next().filter(|first| "\"'".contains(*first)).zip(written.get(1..)) {
        let (inside, behind) = inside.split_once(quote)?;
        let has_escapes = behind.starts_with(quote) || (quote == '"' && inside.contains('\\'));
        let is_end = behind.is_empty() || behind.trim_start().starts_with('#');
        let wrapping = if quote == '"' { Wrapping::JsonString } else { Wrapping::Quoted(b'\'') };
        return (is_end && !has_escapes).then(|| value(start + 1..start + 1 + inside.len(), wrapping));
    }
    let plain = written.split(" #").next().unwrap_or_default().trim_end();
    let is_plain = rest.starts_with([' ', '\t'])
        && !plain.starts_with(|first: char| "[]{}>|*&!%@`,?-#".contains(first))
        && !plain.contains(": ")
        && !plain.ends_with(':')
        && !NO_TEXT.iter().any(|other| other.eq_ignore_ascii_case(plain));
    (!is_toml && is_plain).then(|| value(start..start + plain.len(), Wrapping::Plain))
}
