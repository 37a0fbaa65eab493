//! What was seen of the records of archives, so that two passes can be compared.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use absolve_containers::Snapshot;
use absolve_rewriter::Finding;

/// A sum over all that was seen, in any order.
#[derive(Debug, Default)]
pub(crate) struct Looks(AtomicU64);

impl Looks {
    /// Adds the snapshot that a record of an archive has, or why it cannot be read.
    pub(crate) fn add(&self, archive: usize, seen: &Result<Snapshot<'_>, Finding>) {
        let mut hasher = DefaultHasher::new();
        match seen {
            Ok(snapshot) => (archive, snapshot.place, &snapshot.url).hash(&mut hasher),
            Err(finding) => (archive, &finding.record, finding.code.name()).hash(&mut hasher),
        }
        self.0.fetch_add(hasher.finish(), Ordering::Relaxed);
    }

    pub(crate) fn sum(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
