//! Originals that stay beside what replaces them.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::atomic_file::{have_same_bytes, keep_attributes, set_time, temporary_beside};
use crate::input::entry::Collection;
use crate::input::kind::EntryKind;

impl Collection {
    /// Leaves out the files that are the backups of others: those with `suffix` behind the name of another file.
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

/// Where the original of a file stays.
pub(crate) fn backup_of(path: &Path, suffix: &OsStr) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Makes a backup, of which the first moment is that it is whole.
pub(crate) fn back_up(original: &Path, backup: &Path) -> io::Result<()> {
    let told = |error: io::Error| {
        io::Error::new(error.kind(), format!("its backup {} cannot be made: {error}", backup.display()))
    };
    match fs::hard_link(original, backup) {
        Ok(()) => Ok(()),
        // An interrupted run has got as far as that.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match have_same_bytes(original, backup)? {
            true => Ok(()),
            false => Err(io::Error::new(
                error.kind(),
                format!("{} exists; move it away, or name another --backup", backup.display()),
            )),
        },
        // Not every file system has hard links.
        Err(_) => copy(original, backup).map_err(told),
    }
}

fn copy(original: &Path, backup: &Path) -> io::Result<()> {
    let mut file = temporary_beside(backup)?;
    io::copy(&mut File::open(original)?, file.as_file_mut())?;
    keep_attributes(&file, original)?;
    set_time(file.as_file(), fs::metadata(original)?.modified().ok())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(backup)?;
    Ok(())
}
