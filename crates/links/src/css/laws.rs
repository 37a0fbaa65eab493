//! The scanner finds what a whole tokenizer finds.

use super::{find, oracle};
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

#[cfg(test)]
mod tests;

/// The law on any bytes, as a stylesheet in UTF-8. Answers the number of references.
pub fn finds_what_cssparser_finds(bytes: &[u8]) -> usize {
    check(&String::from_utf8_lossy(bytes))
}

fn check(css: &str) -> usize {
    if is_known_difference(css) {
        return 0;
    }
    let (mut seen, mut expected) = (Vec::new(), Vec::new());
    find(css, &mut |mut found| {
        // The white space that ends an escape is a part of it, and left out by the other.
        if found.wrappings == Wrappings::of(Wrapping::CssUrl) {
            found.range.end = found.range.start + css[found.range.clone()].trim_ascii_end().len();
        }
        seen.push(found);
    });
    oracle::find(css, &mut |found| expected.push(found));
    assert_eq!(seen, expected, "{css:?}");
    seen.len()
}

/// In a bad URL, cssparser takes a backslash right behind white space for itself, and what follows for unescaped; and it
/// follows no more than 75 blocks in blocks.
fn is_known_difference(css: &str) -> bool {
    const BLOCKS: usize = 70;
    let ends_in_space = |before: &str| before.ends_with(|last: char| last.is_ascii_whitespace());
    css.split('\\').rev().skip(1).any(ends_in_space) || depth(css) > BLOCKS
}

/// How deep blocks may nest, strings and comments not told apart.
fn depth(css: &str) -> usize {
    let step = |(depth, deepest): (usize, usize), byte| match byte {
        b'(' | b'[' | b'{' => (depth + 1, deepest.max(depth + 1)),
        b')' | b']' | b'}' => (depth.saturating_sub(1), deepest),
        _ => (depth, deepest),
    };
    css.bytes().fold((0, 0), step).1
}
