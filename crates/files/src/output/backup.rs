//! Backups: originals kept beside the files that replace them.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::atomic_file::{Rename, have_same_bytes, keep_attributes, set_time, write_in};
use crate::disk::open_folder::OpenFolder;
use crate::error::refusal::Refusal;
use crate::input::entry::Collection;
use crate::input::kind::EntryKind;

impl Collection {
    /// Removes the backups: the files whose name is that of another file followed by `suffix`.
    ///
    /// ```
    /// use absolve_files::{Selection, collect};
    /// let folder = tempfile::tempdir()?;
    /// ["a.html", "a.html.old.html", "b.old.html"].iter().try_for_each(|name| std::fs::write(folder.path().join(name), ""))?;
    /// let mut collection = collect(folder.path(), &Selection::default());
    /// collection.leave_out_backups(".old.html".as_ref());
    /// assert_eq!(collection.entries.len(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn leave_out_backups(&mut self, suffix: &OsStr) {
        let files = self.entries.iter().filter(|entry| entry.kind != EntryKind::Folder);
        let backups: HashSet<PathBuf> = files.map(|entry| backup_of(&entry.source, suffix)).collect();
        self.entries.retain(|entry| entry.kind == EntryKind::Folder || !backups.contains(&entry.source));
    }
}

/// Returns the path of the backup of a file.
pub(crate) fn backup_of(path: &Path, suffix: &OsStr) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Creates the backup atomically: as a hard link, or as a copy where hard links are not supported.
pub(crate) fn back_up(folder: &OpenFolder, original: &OsStr, backup: &OsStr) -> io::Result<()> {
    let fail = |error: io::Error| {
        io::Error::new(error.kind(), format!("cannot create its backup {}: {error}", backup.display()))
    };
    let open = |name: &OsStr| folder.open(Path::new(name));
    match folder.hard_link(original, backup) {
        Ok(()) => Ok(()),
        // It may be left from an interrupted run.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            match have_same_bytes(&open(original)?, &open(backup)?)? {
                true => Ok(()),
                false => Err(Refusal::BackupExists(backup.display().to_string()).into()),
            }
        }
        // Not every file system supports hard links.
        Err(_) => open(original).and_then(|original| copy(folder, original, backup)).map_err(fail),
    }
}

fn copy(folder: &OpenFolder, mut original: File, backup: &OsStr) -> io::Result<()> {
    let written = write_in(folder, backup, |file| {
        io::copy(&mut original, file)?;
        keep_attributes(file, &original)?;
        set_time(file, original.metadata()?.modified().ok())?;
        file.sync_all().map(|()| Rename::NoReplace)
    });
    written.map(drop)
}
