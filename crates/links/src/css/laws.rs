//! The law that the scanner finds the same references as a complete tokenizer.

use super::{find, oracle};
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

#[cfg(test)]
mod tests;

/// Checks the law on any bytes, as a stylesheet in UTF-8. Returns the number of references.
pub fn finds_what_cssparser_finds(bytes: &[u8]) -> usize {
    check(&String::from_utf8_lossy(bytes))
}

fn check(css: &str) -> usize {
    if is_known_difference(css) {
        return 0;
    }
    let (mut seen, mut expected) = (Vec::new(), Vec::new());
    find(css.as_bytes(), &mut |mut found| {
        // The white space that ends an escape is part of the reference. cssparser omits it.
        if found.wrappings == Wrappings::of(Wrapping::CssUrl) {
            found.range.end = found.range.start + css[found.range.clone()].trim_ascii_end().len();
        }
        seen.push(found);
    });
    oracle::find(css, &mut |found| expected.push(found));
    assert_eq!(seen, expected, "{css:?}");
    seen.len()
}

/// Returns whether cssparser may differ from the standard: in a bad URL it ignores an escape right after white space,
/// and it follows at most 75 nested blocks.
fn is_known_difference(css: &str) -> bool {
    const BLOCKS: usize = 70;
    let ends_in_space = |before: &str| before.ends_with(|last: char| last.is_ascii_whitespace());
    css.split('\\').rev().skip(1).any(ends_in_space) || depth(css) > BLOCKS
}

/// Returns the greatest depth of brackets, including those in strings and comments.
fn depth(css: &str) -> usize {
    let step = |(depth, deepest): (usize, usize), byte| match byte {
        b'(' | b'[' | b'{' => (depth + 1, deepest.max(depth + 1)),
        b')' | b']' | b'}' => (depth.saturating_sub(1), deepest),
        _ => (depth, deepest),
    };
    css.bytes().fold((0, 0), step).1
}
