//! Bags (BagIt, RFC 8493) whose files change, so that their check sums no longer match.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use absolve_rewriter::{Code, Finding};

use crate::input::entry::Entry;

/// The file that makes a folder a bag (section 2.1.1).
const DECLARATION: &str = "bagit.txt";

/// The manifests of the input, and those of which a file has changed.
#[derive(Debug, Default)]
pub(crate) struct Bags<'e> {
    manifests: Vec<&'e Entry>,
}

impl<'e> Bags<'e> {
    /// Returns the manifests among the files: `manifest-sha256.txt` next to the declaration of a bag.
    pub(crate) fn of(files: &[&'e Entry]) -> Self {
        let is_declaration = |path: &Path| {
            // The last bytes exclude most paths, without a look at their parts.
            path.as_os_str().as_encoded_bytes().ends_with(DECLARATION.as_bytes()) && path.ends_with(DECLARATION)
        };
        let declarations = files.iter().filter(|entry| is_declaration(&entry.path));
        let bags: HashSet<&Path> = declarations.filter_map(|entry| entry.path.parent()).collect();
        if bags.is_empty() {
            return Self::default();
        }
        let is_manifest = |entry: &&&Entry| {
            let name = entry.path.file_name().and_then(|name| name.to_str());
            let algorithm = name.and_then(|name| name.strip_prefix("manifest-")?.strip_suffix(".txt"));
            let is_in_bag = || entry.path.parent().is_some_and(|folder| bags.contains(folder));
            is_in_bag()
                && algorithm
                    .is_some_and(|algorithm| algorithm.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'))
        };
        Self { manifests: files.iter().filter(is_manifest).copied().collect() }
    }

    /// Adds the manifests of a file that changes to `stale`.
    pub(crate) fn note(&self, changed: &Path, stale: &mut BTreeSet<usize>) {
        let is_around = |manifest: &Entry| manifest.path.parent().is_some_and(|bag| changed.starts_with(bag));
        let found = self.manifests.iter().enumerate().filter(|(_, manifest)| is_around(manifest));
        stale.extend(found.map(|(index, _)| index));
    }

    /// Returns the findings about manifests that are stale, each with the name of its file.
    pub(crate) fn findings(&self, stale: &BTreeSet<usize>) -> impl Iterator<Item = (&'e Path, Finding)> {
        let message = "files of its folder change in this run, and their check sums in it are those of before; \
                       make it again, as with `bagit.py`";
        stale.iter().map(move |index| (&*self.manifests[*index].source, Finding::new(Code::Integrity, message)))
    }
}
