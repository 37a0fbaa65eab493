//! Finds the entries of an input.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use absolve_containers::FileType;

use crate::bundle::Bundle;
use crate::bundle::format::BundleFormat;
use crate::discover::known_urls::add_known_urls;
use crate::error::{Action, FileError};
use crate::input::entry::{Collection, Entry, Storage};
use crate::input::kind::{EntryKind, Otherwise};
use crate::input::selection::Selection;
use crate::input::{maildir, members, walk};
use crate::limits::longest;
use crate::open::url_of_messages;

/// Finds the entries of `input`, a file or a folder.
///
/// Files and folders that cannot be read are in [`Collection::errors`]. If `input` is a symbolic link, it is followed;
/// for all others [`Selection::symlinks`] decides. A pipe or a device is read to its end, or up to the limit of its type, into a temporary
/// file. Uses the threads of the current rayon pool.
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
        Ok(metadata) if !metadata.is_file() => {
            let added = File::open(input).and_then(|pipe| add_pipe(pipe, input, selection, &mut collection));
            collection.errors.extend(added.err().map(|error| FileError::new(input, Action::Read, error)));
        }
        Ok(metadata) => add_named(input, &metadata, selection, &mut collection),
        Err(source) => collection.errors.push(FileError::new(input, Action::Read, source)),
    }
    collection.findings.extend(add_known_urls(&mut collection.entries, selection));
    add_maildirs(&mut collection, selection);
    collection
}

/// Adds the entries of a file that was named itself.
fn add_named(input: &Path, metadata: &Metadata, selection: &Selection, collection: &mut Collection) {
    let path = PathBuf::from(input.file_name().unwrap_or(input.as_os_str()));
    let role = maildir::role_of(input);
    let named = |kind, record| {
        let entry = Entry { record, ..Entry::new(input.to_owned(), path.clone(), kind, metadata) };
        entry.given(selection, selection.url.clone())
    };
    let kind = EntryKind::of_named(role, &path, selection);
    let may_be_bundle = selection.file_type.is_none() && kind.named_type().is_none() && members::may_be_bundle(input);
    // An error of opening it is reported where it is read.
    let file = if may_be_bundle { File::open(input).ok() } else { None };
    let opened = |file: &File| Bundle::open(file.try_clone()?, BundleFormat::of_name(input));
    match file.as_ref().map_or(Ok(None), opened) {
        Ok(Some(bundle)) => {
            members::add(named(EntryKind::Copied, String::new()), bundle, selection, collection);
        }
        Ok(None) => {
            let storage = match kind {
                EntryKind::File(_) => Storage::Path,
                _ => Storage::Named(file.map(|file| OnceLock::from(Arc::new(file))).unwrap_or_default()),
            };
            let entry = named(kind, maildir::record_of(input, role));
            collection.entries.push(Entry { storage, ..entry });
        }
        Err(error) => {
            let error = FileError::new(input, Action::Read, error);
            let is_damaged = !error.is_of_system();
            collection.entries.extend(is_damaged.then(|| named(EntryKind::Damaged, String::new())));
            collection.errors.push(error);
        }
    }
}

/// Returns the entries of standard input, or of any other reader, which is copied to a temporary file: one with the name `-`, and its
/// members if it is a ZIP or tar file.
///
/// # Errors
///
/// If `input` cannot be read, the temporary file cannot be written, or the list of the members cannot be read.
///
/// ```
/// use absolve_files::{Selection, collect_reader};
/// assert_eq!(collect_reader(&b"<a href=x>"[..], &Selection::default())?.entries.len(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn collect_reader(input: impl Read, selection: &Selection) -> io::Result<Collection> {
    let mut collection = Collection::default();
    add_reader(input, "-".as_ref(), selection, &mut collection)?;
    collection.findings.extend(add_known_urls(&mut collection.entries, selection));
    Ok(collection)
}

/// Adds the entries of a pipe or a device. It may be endless: what is no container is read up to its limit.
fn add_pipe(pipe: File, source: &Path, selection: &Selection, collection: &mut Collection) -> io::Result<()> {
    let limit = selection.file_type.or_else(|| FileType::of_name(source)).map_or(u64::MAX, longest);
    let mut limited = pipe.take(limit.saturating_add(1));
    add_reader(&mut limited, source, selection, collection)?;
    if limited.limit() > 0 {
        return Ok(());
    }
    collection.entries.pop();
    Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is longer than {} MiB", limit >> 20)))
}

/// Adds the entries of a reader with this path.
fn add_reader(input: impl Read, source: &Path, selection: &Selection, collection: &mut Collection) -> io::Result<()> {
    let mut entry = Entry::from_reader(input, selection)?;
    entry.source = source.to_owned();
    entry.path = PathBuf::from(source.file_name().unwrap_or(source.as_os_str()));
    let is_unknown = |entry: &Entry| entry.kind == EntryKind::Undecided(Otherwise::Finding);
    if let Some(file_type) = FileType::of_name(source).filter(|_| is_unknown(&entry)) {
        entry.read_as(file_type);
    }
    let bundle = match &entry.storage {
        Storage::Temporary(file) if is_unknown(&entry) => {
            Bundle::open(file.try_clone()?, BundleFormat::of_name(source))?
        }
        _ => None,
    };
    match bundle {
        Some(bundle) => members::add(entry, bundle, selection, collection),
        None => collection.entries.push(entry),
    }
    Ok(())
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
            collection.findings.push((entry.source.clone(), url_of_messages("the messages of a Maildir were")));
        }
    }
}
