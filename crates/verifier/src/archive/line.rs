//! The first line in which a text differs from what it has to be.

use std::iter;

use crate::verdict::{Difference, Rule};

/// A line that differs from the expected one.
pub(super) struct Line {
    /// Counted from 1.
    number: usize,
    pub(super) expected: String,
    pub(super) found: String,
}

impl Line {
    /// Returns the first line of a text that differs; `None` if the text is the expected one.
    pub(super) fn different(expected: &[u8], found: &[u8]) -> Option<Self> {
        if expected == found {
            return None;
        }
        let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n');
        let (mut expected, mut found) = (lines(expected), lines(found));
        let mut pairs = iter::from_fn(|| Some((expected.next(), found.next()))).zip(1..);
        let ((expected, found), number) = pairs.find(|((expected, found), _)| expected != found)?;
        let text = |line: Option<&[u8]>| String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
        Some(Self { number, expected: text(expected), found: text(found) })
    }

    /// Returns the difference of this line; `name` is what it is called.
    pub(super) fn difference(self, rule: Rule, name: &str) -> Difference {
        let Self { number, expected, found } = self;
        let message = format!("{name} {number} is {found:?} instead of {expected:?}");
        Difference { rewritten: found, expected, ..Difference::new(rule, message) }
    }
}
