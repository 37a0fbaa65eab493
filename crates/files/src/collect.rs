//! Finds the entries of an input.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use absolve_rewriter::{Code, Finding};

use crate::discover::known::note_retrievals;
use crate::error::{Action, FileError};
use crate::input::entry::{Collection, Entry, entry};
use crate::input::kind::{EntryKind, kind_of_file};
use crate::input::selection::Selection;
use crate::input::{maildir, walk};

/// Finds the entries of `input`, a file or a folder.
///
/// What cannot be read is told in [`Collection::errors`], and the rest goes on. A symbolic link is followed
/// when it is `input` itself; elsewhere by [`Selection::symlinks`].
///
/// ```
/// use absolve_files::{Selection, collect};
/// let missing = collect("no such file".as_ref(), &Selection::default());
/// assert_eq!((missing.entries.len(), missing.errors.len()), (0, 1));
/// ```
pub fn collect(input: &Path, selection: &Selection) -> Collection {
    let mut collection = Collection::default();
    match fs::metadata(input) {
        Ok(metadata) if metadata.is_dir() => walk::walk(input, selection, &mut collection),
        Ok(metadata) => {
            let path = PathBuf::from(input.file_name().unwrap_or(input.as_os_str()));
            let role = maildir::role_of(input);
            let kind = match (kind_of_file(role, &path, selection), selection.file_type) {
                (_, Some(file_type)) => EntryKind::Document(file_type),
                (EntryKind::Other | EntryKind::Unknown, None) => EntryKind::Explicit,
                (kind, None) => kind,
            };
            let record = maildir::record_of(input, role);
            let entry = entry(input.to_owned(), path, kind, record, selection.url.clone(), &metadata);
            let (discovery, charset) = (selection.discovery, selection.charset);
            collection.entries.push(Entry { discovery, charset, ..entry });
        }
        Err(source) => collection.errors.push(FileError::new(input, Action::Read, source)),
    }
    collection.findings.extend(note_retrievals(&mut collection.entries, selection));
    note_maildirs(&mut collection, selection);
    collection
}

/// Notes what is to be known of the Maildirs that messages were found in.
fn note_maildirs(collection: &mut Collection, selection: &Selection) {
    let mut known = HashSet::new();
    for entry in collection.entries.iter().filter(|entry| !entry.record.is_empty()) {
        let Some(maildir) = maildir::maildir_of(&entry.source).filter(|maildir| known.insert(maildir.clone())) else {
            continue;
        };
        collection.indexes.extend(maildir::indexes_in(&maildir));
        if selection.url.is_some() {
            let message = "the messages of a Maildir were not retrieved from a URL; --url does not count for them";
            collection.findings.push((entry.name.clone(), Finding::new(Code::UrlNotUsed, message)));
        }
    }
}
