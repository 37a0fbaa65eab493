//! Which texts become which if references are replaced by their targets.

use std::collections::{BTreeSet, HashMap, HashSet};

/// Pairs of references and what is written for them.
pub(crate) struct Replaced {
    pairs: HashSet<(String, String)>,
    /// The same by the first byte of the reference.
    by_first: HashMap<Option<u8>, BTreeSet<(String, String)>>,
}

impl Replaced {
    pub(crate) fn new<'p>(links: impl Iterator<Item = (&'p str, &'p str)>) -> Self {
        let pairs: HashSet<_> = links.map(|(reference, target)| (read(reference), read(target))).collect();
        let mut by_first: HashMap<_, BTreeSet<_>> = HashMap::new();
        for pair in &pairs {
            by_first.entry(pair.0.bytes().next()).or_default().insert(pair.clone());
        }
        Self { pairs, by_first }
    }

    /// Returns whether `old` becomes `new` if some references in it are replaced, and nothing else.
    pub(crate) fn turn(&self, old: &str, new: &str) -> bool {
        let whole = (read(old), read(new));
        if self.pairs.contains(&whole) {
            return true;
        }
        let (old, new) = (whole.0.as_bytes(), whole.1.as_bytes());
        let (mut known, mut places) = (HashSet::new(), vec![(0, 0)]);
        while let Some(place) = places.pop() {
            if !known.insert(place) {
                continue;
            }
            let (old, new) = (&old[place.0..], &new[place.1..]);
            let first = old.first().copied();
            if first.is_none() && new.is_empty() {
                return true;
            }
            for (reference, target) in [first, None].iter().filter_map(|first| self.by_first.get(first)).flatten() {
                if old.starts_with(reference.as_bytes()) && new.starts_with(target.as_bytes()) {
                    places.push((place.0 + reference.len(), place.1 + target.len()));
                }
            }
            if first.is_some() && first == new.first().copied() {
                places.push((place.0 + 1, place.1 + 1));
            }
        }
        false
    }
}

/// Returns a text as parsers read its line ends and NULs.
fn read(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}")
}
