//! Compares the members of two ZIP or tar files.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

use absolve_files::{Column, Entry, EntryKind, OpenFolder};
use absolve_verifier::{Bundle, Rule, Verdict, verify_bundle};
use tempfile::{TempDir, TempPath};

use crate::commands::verify::tree::{Trees, differs, verify_written};

/// A bundle before and after a run.
#[derive(Debug)]
pub(crate) struct Bundles {
    original: Bundle,
    rewritten: Bundle,
    /// The members that are compared by themselves.
    entries: BTreeSet<usize>,
    /// The members that are being compared: those of both in a folder of its own.
    copies: TempDir,
}

const ORIGINAL: &str = "original";
const REWRITTEN: &str = "rewritten";

impl Bundles {
    /// Lists the members of both, if the first entry of the original is a bundle.
    pub(crate) fn of(original: &Path, rewritten: &Path, entries: &[Entry]) -> Option<io::Result<Self>> {
        let is_bundle = entries.first().is_some_and(|entry| matches!(entry.kind, EntryKind::Bundle(_)));
        (is_bundle && rewritten.exists()).then(|| Self::open(original, rewritten, entries))
    }

    fn open(original: &Path, rewritten: &Path, entries: &[Entry]) -> io::Result<Self> {
        let open = |path: &Path| Bundle::open(&File::open(path)?);
        let entries =
            entries.iter().filter(|entry| !matches!(entry.file_type(), Ok(None))).filter_map(Entry::member).collect();
        let copies = tempfile::tempdir()?;
        Ok(Self { original: open(original)?, rewritten: open(rewritten)?, entries, copies })
    }

    /// Verifies all but the contents of members that are entries.
    pub(crate) fn verify(&self) -> io::Result<Verdict> {
        verify_bundle(&self.original, &self.rewritten, &self.entries)
    }

    /// Verifies the contents of the member with this index: both are copied to a temporary folder, and compared as files.
    pub(crate) fn verify_member(&self, entry: &Entry, index: usize, trees: &Trees<'_>) -> io::Result<Verdict> {
        if !self.entries.contains(&index) {
            // What is not read is compared as it is packed, with the list of the members.
            return Ok(Verdict::default());
        }
        let copy = |folder: &str, bundle: &Bundle| {
            let below = Path::new(folder).join(name_of(entry, index, bundle.name(index)));
            let mut copy = OpenFolder::at(self.copies.path())?.create_anew(&below)?;
            let path = TempPath::try_from_path(self.copies.path().join(below))?;
            let is_there = bundle.copy_member(index, &mut copy)?;
            Ok::<_, io::Error>(is_there.then_some(path))
        };
        let (Some(original), Some(rewritten)) = (copy(ORIGINAL, &self.original)?, copy(REWRITTEN, &self.rewritten)?)
        else {
            return Ok(differs(Rule::File, "it is missing"));
        };
        verify_written(&entry.stored_at(&original), &rewritten, &Trees { column: Column::Member, ..*trees })
    }
}

/// Returns the name of the copy of a member. That of a message of a Maildir has its sizes; any other text could be unfit for a file.
fn name_of(entry: &Entry, index: usize, name: Option<&[u8]>) -> String {
    let name = String::from_utf8_lossy(name.filter(|_| !entry.record.is_empty()).unwrap_or_default());
    let message = name.rsplit('/').next().unwrap_or_default();
    let fields = message.find(',').map_or("", |comma| &message[comma..]);
    format!("{index}{fields}")
}
