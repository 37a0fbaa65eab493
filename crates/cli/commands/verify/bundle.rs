//! Compares the members of two ZIP or tar files.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use absolve_files::{Entry, EntryKind, os_path};
use absolve_verifier::{Bundle, Difference, Rule, Settings, Verdict, verify_bundle};

use crate::commands::verify::tree::{Trees, verify_written};

/// A bundle before and after a run.
#[derive(Debug)]
pub(crate) struct Bundles {
    original: Bundle,
    rewritten: Bundle,
    /// The members that are compared by themselves.
    entries: BTreeSet<usize>,
}

impl Bundles {
    /// Lists the members of both; `entries` are those of the original.
    pub(crate) fn open(original: &Path, rewritten: &Path, entries: &[Entry]) -> io::Result<Self> {
        let open = |path: &Path| Bundle::open(&File::open(path)?);
        let is_read = |entry: &&Entry| !matches!(entry.kind, EntryKind::Symlink | EntryKind::Other);
        let entries = entries.iter().filter(is_read).filter_map(Entry::member).collect();
        Ok(Self { original: open(original)?, rewritten: open(rewritten)?, entries })
    }

    /// Verifies all but the contents of members that are entries.
    pub(crate) fn verify(&self) -> io::Result<Verdict> {
        verify_bundle(&self.original, &self.rewritten, &self.entries)
    }

    /// Verifies the contents of the member with this index: both are copied to a temporary folder, and compared as files.
    pub(crate) fn verify_member(
        &self,
        entry: &Entry,
        index: usize,
        trees: &Trees<'_>,
        settings: &Settings,
    ) -> io::Result<Verdict> {
        if !self.entries.contains(&index) {
            // What is not read is compared as it is packed, with the list of the members.
            return Ok(Verdict::default());
        }
        let folder = tempfile::tempdir()?;
        let mut files = Vec::new();
        for (name, bundle) in [("original", &self.original), ("rewritten", &self.rewritten)] {
            let below = folder.path().join(name);
            fs::create_dir(&below)?;
            let file = below.join(name_of(entry, bundle.name(index)));
            if !bundle.copy_member(index, &mut File::create(&file)?)? {
                let mut verdict = Verdict::default();
                verdict.differences.push(Difference::new(Rule::File, "it is missing"));
                return Ok(verdict);
            }
            files.push(file);
        }
        verify_written(&entry.stored_at(&files[0]), &files[1], &Trees { is_folder: true, ..*trees }, settings)
    }
}

/// Returns the name of the copy of a member: that of a message of a Maildir has its size, any other could be unfit for a file. So could
/// be bytes that are not UTF-8.
fn name_of(entry: &Entry, name: Option<&[u8]>) -> String {
    let name = os_path(name.filter(|_| !entry.record.is_empty()).unwrap_or_default());
    let bytes = name.file_name().map_or(&b"member"[..], OsStr::as_encoded_bytes);
    let character = |byte: &u8| if byte.is_ascii() { char::from(*byte) } else { '_' };
    str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(character).collect(), str::to_owned)
}
