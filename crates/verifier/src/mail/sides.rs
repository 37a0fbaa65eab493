//! Both versions of a stretch of a message.

use crate::verdict::{Difference, Rule, Verdict};

/// A stretch of the original, and of the rewritten message.
#[derive(Clone, Copy)]
pub(super) struct Sides<'s> {
    pub(super) old: &'s [u8],
    pub(super) new: &'s [u8],
}

impl Sides<'_> {
    /// Verifies that they are the same.
    pub(super) fn require_same(self, rule: Rule) -> Verdict {
        let message = "a body without links to change differs";
        let differs = (self.old != self.new).then(|| Difference::new(rule, message).at(self.common()));
        Verdict::of(differs)
    }

    /// Returns the length of what both begin with.
    pub(super) fn common(self) -> usize {
        self.old.iter().zip(self.new).take_while(|(old, new)| old == new).count()
    }

    /// Returns the length of what both end with, behind what they begin with.
    pub(super) fn common_end(self) -> usize {
        let most = self.old.len().min(self.new.len()) - self.common();
        let ends = self.old.iter().rev().zip(self.new.iter().rev());
        ends.take(most).take_while(|(old, new)| old == new).count()
    }
}
