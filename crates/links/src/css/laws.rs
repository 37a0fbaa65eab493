//! The scanner finds what a whole tokenizer finds.

use super::{find, oracle};
use crate::{Wrapping, Wrappings};

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

/// In a bad URL, cssparser takes a backslash right behind white space for itself, and what follows for unescaped.
fn is_known_difference(css: &str) -> bool {
    css.split('\\').rev().skip(1).any(|before| before.ends_with(|last: char| last.is_ascii_whitespace()))
}
