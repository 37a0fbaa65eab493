//! Files of others to measure on.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Returns all files below a folder, in the order of their names.
pub(crate) fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_type()?.is_dir() {
            found.extend(files(&entry.path())?);
        } else {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// Returns the error of a table for which there is no corpus.
pub(crate) fn absent(what: &str, root: &Path) -> io::Error {
    io::Error::other(format!("{what}: none below {}", root.display()))
}
