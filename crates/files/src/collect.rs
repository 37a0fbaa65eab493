//! Finds the entries of an input.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use absolve_rewriter::{Code, Finding};

use crate::discover::known_urls::add_known_urls;
use crate::error::{Action, FileError};
use crate::input::entry::{Collection, Entry, entry};
use crate::input::kind::{EntryKind, kind_of_file};
use crate::input::selection::Selection;
use crate::input::{maildir, walk};

/// Finds the entries of `input`, a file or a folder.
///
/// Files and folders that cannot be read are in [`Collection::errors`]. If `input` is a symbolic link, it is followed;
/// for all others [`Selection::symlinks`] decides. Uses the threads of the current rayon pool.
///
/// ```
/// use absolve_files::{Selection, collect};
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "<a href=b>")?;
/// let collection = collect(folder.path(), &Selection::default());
/// assert_eq!(collection.entries[0].path, std::path::Path::new("a.html"));
///
/// let missing = collect("no such file".as_ref(), &Selection::default());
/// assert_eq!((missing.entries.len(), missing.errors.len()), (0, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn collect(input: &Path, selection: &Selection) -> Collection {
    let mut collection = Collection::default();
    match fs::metadata(input) {
        Ok(metadata) if metadata.is_dir() => walk::walk(input, selection, &mut collection),
        Ok(metadata) => {
            let path = PathBuf::from(input.file_name().unwrap_or(input.as_os_str()));
            let role = maildir::role_of(input);
            let kind = match (kind_of_file(role, &path, selection), selection.file_type) {
                _ if selection.leaves_out(&path) => EntryKind::Other,
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
    collection.findings.extend(add_known_urls(&mut collection.entries, selection));
    add_maildirs(&mut collection, selection);
    collection
}

/// Adds the indexes of the Maildirs that contain the messages, and a finding if a URL was given for them.
fn add_maildirs(collection: &mut Collection, selection: &Selection) {
    let mut seen = HashSet::new();
    for entry in collection.entries.iter().filter(|entry| !entry.record.is_empty()) {
        let Some(maildir) = maildir::maildir_of(&entry.source).filter(|maildir| seen.insert(maildir.clone())) else {
            continue;
        };
        collection.indexes.extend(maildir::indexes_in(&maildir));
        if selection.url.is_some() {
            let message = "--url is ignored: the messages of a Maildir were not retrieved from a URL";
            collection.findings.push((entry.source.clone(), Finding::new(Code::UrlNotUsed, message)));
        }
    }
}
