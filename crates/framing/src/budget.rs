//! The limit that all records of a batch have in common.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::DECODED_AT_ONCE;

/// The number of bytes left for the decoded contents of a batch of records.
#[derive(Debug)]
pub struct Budget(AtomicUsize);

impl Default for Budget {
    fn default() -> Self {
        Self(AtomicUsize::new(DECODED_AT_ONCE))
    }
}

impl Budget {
    /// Returns whether no bytes are left.
    pub fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// Takes bytes from those that are left.
    pub fn spend(&self, bytes: usize) {
        let rest = |left: usize| Some(left.saturating_sub(bytes));
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
    }
}
