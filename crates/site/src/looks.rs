//! What was seen of the records of archives, so that two passes can be compared.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use absolve_containers::Snapshot;
use absolve_rewriter::Finding;

/// For each archive, a sum over all that was seen of it, in any order.
#[derive(Debug)]
pub(crate) struct Looks(Vec<AtomicU64>);

impl Looks {
    pub(crate) fn of(archives: usize) -> Self {
        Self((0..archives).map(|_| AtomicU64::default()).collect())
    }

    /// Adds the snapshot that a record of an archive has, or why it cannot be read.
    pub(crate) fn add(&self, archive: usize, seen: &Result<Snapshot<'_>, Finding>) {
        let mut hasher = DefaultHasher::new();
        match seen {
            Ok(snapshot) => (snapshot.place, &snapshot.url).hash(&mut hasher),
            Err(finding) => (&finding.record, finding.code.name()).hash(&mut hasher),
        }
        self.0[archive].fetch_add(hasher.finish(), Ordering::Relaxed);
    }

    pub(crate) fn sums(&self) -> Vec<u64> {
        self.0.iter().map(|sum| sum.load(Ordering::Relaxed)).collect()
    }
}
