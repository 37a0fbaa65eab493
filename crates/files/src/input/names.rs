//! The names of messages in Maildirs, which change with their sizes.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::input::entry::{Entry, Storage};
use crate::input::kind::EntryKind;
use crate::input::maildir;

/// The names that decide whether a message may get another one.
#[derive(Debug)]
pub(crate) struct Names<'e> {
    /// The messages whose names differ in their sizes only.
    of_any_size: HashMap<PathBuf, Vec<&'e Path>>,
    /// The targets of links that stay.
    targets: HashSet<&'e Path>,
}

impl<'e> Names<'e> {
    pub(crate) fn of(entries: &'e [Entry]) -> Self {
        let mut of_any_size = HashMap::<_, Vec<_>>::new();
        for entry in entries.iter().filter(|entry| !entry.record.is_empty()) {
            of_any_size.entry(maildir::path_of_any_size(&entry.source)).or_default().push(&*entry.source);
        }
        let target = |entry: &'e Entry| match &entry.kind {
            EntryKind::Symlink(target) => target.as_deref(),
            _ => None,
        };
        Self { of_any_size, targets: entries.iter().filter_map(target).collect() }
    }

    /// Returns why a message keeps its name, which does not depend on what becomes of others; `None` if its new name may be `new`.
    pub(crate) fn reason_to_keep(&self, message: &Entry, new: &Path) -> Option<&'static str> {
        if self.targets.contains(&*message.source) {
            return Some("a link leads to it");
        }
        let may_be_it = |other: &&Path| match message.storage {
            Storage::Member(..) => false,
            // A killed run has left the same message with its new name.
            _ => **other == *new,
        };
        let others = self.of_any_size.get(&maildir::path_of_any_size(&message.source)).into_iter().flatten();
        if others.filter(|other| **other != message.source).any(|other| !may_be_it(other)) {
            return Some("the name of another message differs in its size only");
        }
        let Storage::Member(bundle, index) = &message.storage else { return None };
        let segment = |path: &Path| path.file_name().unwrap_or_default().as_encoded_bytes().to_owned();
        // Not all systems have names that are not UTF-8.
        if !bundle.members()[*index].name.ends_with(&segment(&message.source)) {
            return Some("its name cannot be written with another size");
        }
        (!bundle.has_room_for(*index, &segment(new))).then_some("its header has no room for a longer name")
    }
}
