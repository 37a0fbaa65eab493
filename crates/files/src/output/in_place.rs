//! Atomic replacement of changed files in place.

use std::ffi::OsString;
use std::path::Path;
use std::{fs, io};

use absolve_rewriter::{Code, Finding};

use crate::disk::atomic_file::{Rename, keep_attributes, set_time, write_in};
use crate::input::entry::Entry;
use crate::journal::entry::JournalEntry;
use crate::journal::write::Journal;
use crate::output::backup::{back_up, backup_of};
use crate::output::file::{JobError, OutputFile, Sink, Written};

/// Settings of a run in place: how it can be undone, and when files reach the disk.
///
/// ```
/// let mut in_place = absolve_files::InPlace::default();
/// in_place.backup = Some(".orig".into());
/// assert!(in_place.journal.is_none());
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct InPlace {
    /// The suffix of backups: originals are kept under their names followed by this.
    pub backup: Option<OsString>,
    /// When files are flushed to the disk.
    pub sync: Sync,
    /// The journal that records every edit.
    pub journal: Option<Journal>,
}

/// When files are flushed to the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sync {
    /// When the system does it: files survive a crash of the program, but perhaps not a loss of power.
    #[default]
    Later,
    /// Each file before its rename, and its folder after it.
    EachFile,
}

/// Replaces the file of an entry by what `write` writes; `path` is its new path. The journal is flushed first.
pub(crate) fn change(
    entry: &Entry,
    path: &Path,
    in_place: &InPlace,
    write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
) -> Result<(), JobError> {
    // The name of a message in a Maildir contains its size. If the input is a symbolic link, its target is changed.
    let original = &entry.canonical_path();
    let [name, original_name] = [path, original].map(|path| path.file_name().unwrap_or_default());
    let folder = entry.folder_around(original)?;
    let renamed = write_in(&folder, name, |file| {
        let mut changes = in_place.journal.as_ref().map(|_| JournalEntry::new());
        if write(OutputFile { sink: Sink::File(file), changes: changes.as_mut() })? == Written::Discarded {
            return Ok::<_, JobError>(Rename::Discard);
        }
        let original_file = folder.open(Path::new(original_name))?;
        keep_attributes(file, &original_file)?;
        // The modification time of a message in a Maildir is that of its delivery.
        if !entry.record.is_empty() {
            set_time(file, entry.attributes.modified)?;
        }
        if in_place.sync == Sync::EachFile {
            file.sync_all()?;
        }
        refuse_changed(entry, &original_file.metadata()?)?;
        if let Some(suffix) = &in_place.backup {
            back_up(&folder, original_name, backup_of(Path::new(original_name), suffix).as_os_str())?;
        }
        if let (Some(journal), Some(changes)) = (&in_place.journal, changes) {
            journal.add(original, path, entry.attributes.modified, changes)?;
        }
        Ok(Rename::ReplaceOriginal(original_name))
    })?;
    match in_place.sync {
        Sync::EachFile if renamed != Rename::Discard => Ok(folder.sync()?),
        _ => Ok(()),
    }
}

/// Returns the finding about a file with other hard links, which will keep the original. A backup that an interrupted run
/// has linked does not count.
pub(crate) fn hard_link_finding(entry: &Entry, in_place: &InPlace) -> Option<Finding> {
    let suffix = in_place.backup.as_deref();
    let has_backup = suffix.is_some_and(|suffix| backup_of(&entry.source, suffix).exists());
    let others = link_count(&fs::metadata(&entry.source).ok()?).checked_sub(1 + u64::from(has_backup))?;
    let message = match others {
        1 => "the file has another hard link, which keeps the original".to_owned(),
        _ => format!("the file has {others} other hard links, which keep the original"),
    };
    (others > 0).then(|| Finding::new(Code::HardLink, message))
}

impl Entry {
    /// Returns whether its file has another size or time now than when it was found.
    pub(crate) fn has_changed(&self, now: &fs::Metadata) -> bool {
        now.len() != self.attributes.size || now.modified().ok() != self.attributes.modified
    }
}

/// Returns an error if another program has changed the file during the run.
fn refuse_changed(entry: &Entry, now: &fs::Metadata) -> io::Result<()> {
    if !entry.has_changed(now) {
        return Ok(());
    }
    Err(io::Error::other("another program changed it during the run; it is left unchanged"))
}

#[cfg(unix)]
fn link_count(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn link_count(_metadata: &fs::Metadata) -> u64 {
    1
}
