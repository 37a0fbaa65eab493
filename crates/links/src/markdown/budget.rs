//! What the tree of a document in Markdown would cost. Readers of others build it at the cost that is estimated here.

use crate::limits::{MOST_CELLS, MOST_NODES};

/// Returns whether the tree of a document in Markdown would be too large.
///
/// ```
/// use absolve_links::is_markdown_too_large;
/// let table = |rows: usize| format!("{}\n{}\n{}", "|a".repeat(4_000), "|-".repeat(4_000), "a\n".repeat(rows));
/// assert!(!is_markdown_too_large(&table(60)) && is_markdown_too_large(&table(4_000)));
/// assert!(is_markdown_too_large(&"a\n".repeat(600_000)) && !is_markdown_too_large(&"a\n\n".repeat(600_000)));
/// ```
pub fn is_markdown_too_large(text: &str) -> bool {
    let (mut nodes, mut missing, mut columns, mut before) = (0, 0, 0, "");
    for line in text.split_inclusive('\n') {
        nodes = if begins_piece(before, line) { 0 } else { nodes };
        nodes += 4 + 2 * line.bytes().filter(|byte| b"*_[]`$<&\\!|~".contains(byte)).count();
        let bars = || memchr::memchr_iter(b'|', line.as_bytes()).count();
        columns = match columns {
            _ if line.trim_end().is_empty() => 0,
            0 if line.contains('|') && line.bytes().all(|byte| b"|:- \t\r\n>".contains(&byte)) => bars(),
            columns => {
                missing += columns.saturating_sub(if columns > 0 { bars() + 1 } else { 0 });
                columns
            }
        };
        if nodes > MOST_NODES || missing > MOST_CELLS {
            return true;
        }
        before = line;
    }
    false
}

/// Returns whether a line ends all lists, quotes and tables before it, unless it stands in a block of code or HTML: a paragraph or a heading
/// behind an empty line, and an item of a list or a definition behind another one of a line.
fn begins_piece(before: &str, line: &str) -> bool {
    let is_item = |line: &str| {
        let inside = line.strip_prefix(['-', '*', '+']).and_then(|rest| rest.strip_prefix(' '));
        inside
            .is_some_and(|text| text.starts_with(|first: char| first.is_ascii_alphanumeric() || "[`!<".contains(first)))
    };
    let is_block = |line: &str| line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '#');
    let is_definition = |line: &str| line.starts_with('[') && !line.starts_with("[^") && line.contains("]: ");
    (before.trim_end().is_empty() && is_block(line))
        || (is_item(before) && is_item(line))
        || (is_definition(before) && is_definition(line))
}

/// Returns where the tree of a text may be cut, at the first such byte behind the line at one. A block of code or HTML may go on there.
pub fn markdown_cut(text: &str, from: usize) -> usize {
    let mut at = text.ceil_char_boundary(from);
    let mut before = "x";
    for line in text[at..].split_inclusive('\n') {
        if begins_piece(before, line) {
            return at;
        }
        at += line.len();
        before = line;
    }
    text.len()
}
