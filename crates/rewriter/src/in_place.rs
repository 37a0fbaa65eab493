//! How a changed file takes the place of the original, so that nothing is lost at any moment.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::backup::{back_up, backup_of, have_same_bytes};
use crate::destination::{Written, set_time};
use crate::journal::Journal;
use crate::{Code, Entry, Finding};

/// What is done for the day on which a run in place is to be taken back.
///
/// ```
/// let mut in_place = absolve_rewriter::InPlace::default();
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

/// Puts what `write` writes, unless that says that it is not to be, into the place of an entry; `path` is its new name.
pub(crate) fn change(
    entry: &Entry,
    path: &Path,
    in_place: &InPlace,
    write: impl FnOnce(&mut File) -> io::Result<Written>,
) -> io::Result<()> {
    // A message of a Maildir may get another name; a link that was named itself stays a link.
    let original = if entry.record.is_empty() { path } else { &entry.source };
    if in_place.backup.is_some() && !entry.record.is_empty() {
        return Err(io::Error::other(
            "a backup beside a message of a Maildir would be one more message; give --journal instead of --backup",
        ));
    }
    let mut file = temporary_beside(path)?;
    let note = match write(file.as_file_mut())? {
        Written::Discarded => return Ok(()),
        Written::Whole(note) | Written::Partly(note) => note,
    };
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
    if let (Some(journal), Some(note)) = (&in_place.journal, note) {
        journal.add(original, path, entry.modified, *note)?;
    }
    put(file, original, path)?;
    match in_place.sync {
        Sync::EachFile => sync_folder(path),
        Sync::Later => Ok(()),
    }
}

/// Gives a file the name `path`, in the place of `original`.
pub(crate) fn put(file: NamedTempFile, original: &Path, path: &Path) -> io::Result<()> {
    if original == path {
        file.persist(path)?;
        return Ok(());
    }
    // Under its new name a message must not take the place of another one; a killed run may have left it there.
    match file.persist_noclobber(path) {
        Err(refused) if !have_same_bytes(refused.file.path(), path)? => Err(refused.error),
        _ => fs::remove_file(original),
    }
}

/// A file that is to get the name `path`, and the permissions of what it replaces; until then it is the owner's alone.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(TEMPORARY.0).suffix(TEMPORARY.1).tempfile_in(folder_of(path))
}

/// Whether a killed run has left this file; it is nobody's document.
pub(crate) fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(TEMPORARY.0.as_bytes()) && name.ends_with(TEMPORARY.1.as_bytes())
}

/// How the names of files begin and end that are being written.
pub(crate) const TEMPORARY: (&str, &str) = (".absolve-", ".tmp");

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

/// Gives a file the permissions, the owner and the extended attributes of the one that it replaces, as far as may be.
pub(crate) fn keep_attributes(file: &NamedTempFile, original: &Path) -> io::Result<()> {
    let metadata = fs::metadata(original)?;
    // A change of the owner takes special permissions away.
    keep_owner(file.as_file(), &metadata)?;
    file.as_file().set_permissions(metadata.permissions())?;
    // They may tell where a file comes from.
    for name in xattr::list(original).into_iter().flatten() {
        if let Ok(Some(value)) = xattr::get(original, &name) {
            let _ = xattr::set(file.path(), &name, &value);
        }
    }
    Ok(())
}

/// Lets the names in the folder of `path` reach the disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

/// The folder that a path stands in; `.` if it names none.
///
/// ```
/// assert_eq!(absolve_rewriter::folder_of("a.html".as_ref()), std::path::Path::new("."));
/// ```
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Who may give files away keeps the owner; who may not has become the owner.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn names_of(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names_of(_metadata: &fs::Metadata) -> u64 {
    1
}
