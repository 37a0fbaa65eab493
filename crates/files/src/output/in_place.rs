//! How a changed file takes the place of the original, so that nothing is lost at any moment.

use std::ffi::OsString;
use std::path::Path;
use std::{fs, io};

use absolve_rewriter::{Code, Finding};

use crate::disk::atomic_file::{keep_attributes, put, set_time, sync_folder, temporary_beside};
use crate::input::entry::Entry;
use crate::journal::entry::JournalEntry;
use crate::journal::write::Journal;
use crate::output::backup::{back_up, backup_of};
use crate::output::file::{JobError, OutputFile, Written};

/// What is done for the day on which a run in place is to be taken back.
///
/// ```
/// let mut in_place = absolve_files::InPlace::default();
/// in_place.backup = Some(".orig".into());
/// assert!(in_place.journal.is_none());
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct InPlace {
    /// Originals stay beside what replaces them, with this behind their names.
    pub backup: Option<OsString>,
    /// When files reach the disk.
    pub sync: Sync,
    /// What tells every edit.
    pub journal: Option<Journal>,
}

/// When files reach the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sync {
    /// When the system sees fit: files outlive the program, but perhaps not a loss of power.
    #[default]
    Later,
    /// Before each gets its name, and its folder behind it.
    EachFile,
}

/// Replaces the file of an entry by what `write` writes; `path` is its new name. What changes is on the disk in the journal
/// before.
pub(crate) fn change(
    entry: &Entry,
    path: &Path,
    in_place: &InPlace,
    write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
) -> Result<(), JobError> {
    // A message of a Maildir may get another name; a link that was named itself stays a link.
    let original = if entry.record.is_empty() { path } else { &entry.source };
    if in_place.backup.is_some() && !entry.record.is_empty() {
        let why =
            "a backup beside a message of a Maildir would be one more message; give --journal instead of --backup";
        return Err(io::Error::other(why).into());
    }
    let mut file = temporary_beside(path)?;
    let mut changes = in_place.journal.as_ref().map(|_| JournalEntry::new());
    if write(OutputFile { file: file.as_file_mut(), changes: changes.as_mut() })? == Written::Discarded {
        return Ok(());
    }
    keep_attributes(&file, original)?;
    // The time of a message in a Maildir is when it was delivered.
    if !entry.record.is_empty() {
        set_time(file.as_file(), entry.modified)?;
    }
    if in_place.sync == Sync::EachFile {
        file.as_file().sync_all()?;
    }
    refuse_changed(entry)?;
    if let Some(suffix) = &in_place.backup {
        back_up(original, &backup_of(original, suffix))?;
    }
    if let (Some(journal), Some(changes)) = (&in_place.journal, changes) {
        journal.add(original, path, entry.modified, changes)?;
    }
    put(file, original, path)?;
    match in_place.sync {
        Sync::EachFile => Ok(sync_folder(path)?),
        Sync::Later => Ok(()),
    }
}

/// What is told of a file with several names, of which only one leads to the changed file. A name that an interrupted
/// run has given it for its backup is none of them.
pub(crate) fn other_names(entry: &Entry, in_place: &InPlace) -> Option<Finding> {
    let suffix = in_place.backup.as_deref();
    let has_backup = suffix.is_some_and(|suffix| backup_of(&entry.source, suffix).exists());
    let others = names_of(&fs::metadata(&entry.source).ok()?).checked_sub(1 + u64::from(has_backup))?;
    let what =
        if others == 1 { "another name that leads".to_owned() } else { format!("{others} other names that lead") };
    let message = format!("the file has {what} to it (hard links); what stands there stays the original");
    (others > 0).then(|| Finding::new(Code::HardLink, message))
}

/// Refuses to replace what another program has changed since it was found.
fn refuse_changed(entry: &Entry) -> io::Result<()> {
    let now = fs::metadata(&entry.source)?;
    if now.len() == entry.size && now.modified().ok() == entry.modified {
        return Ok(());
    }
    Err(io::Error::other("another program has changed it meanwhile; it is left as that left it"))
}

#[cfg(unix)]
fn names_of(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names_of(_metadata: &fs::Metadata) -> u64 {
    1
}
