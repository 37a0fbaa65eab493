//! Trees of files, with all that is to be the same again.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use absolve_testing::files;

/// A file as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub(crate) bytes: Vec<u8>,
    pub(crate) modified: SystemTime,
    pub(crate) mode: u32,
}

/// All files below a folder by their names, but for what killed runs leave.
pub(crate) fn snapshot(folder: &Path) -> io::Result<BTreeMap<PathBuf, Snapshot>> {
    let mut found = BTreeMap::new();
    for path in files(folder)? {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
        if name.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".absolve-")) {
            continue;
        }
        let metadata = fs::symlink_metadata(&path)?;
        let bytes = if metadata.is_symlink() {
            fs::read_link(&path)?.into_os_string().into_encoded_bytes()
        } else {
            fs::read(&path)?
        };
        let (modified, mode) = (metadata.modified()?, metadata.permissions().mode());
        found.insert(name, Snapshot { bytes, modified, mode });
    }
    Ok(found)
}

/// The bytes only, by the names.
pub(crate) fn bytes_of(tree: &BTreeMap<PathBuf, Snapshot>) -> BTreeMap<&Path, &[u8]> {
    tree.iter().map(|(name, file)| (&**name, &*file.bytes)).collect()
}

/// Copies the files that are wanted; each gets a time of its own.
pub(crate) fn copy(from: &Path, to: &Path, is_wanted: impl Fn(usize) -> bool) -> io::Result<()> {
    for (index, path) in files(from)?.iter().enumerate().filter(|(index, _)| is_wanted(*index)) {
        if path.is_symlink() {
            continue;
        }
        let target = to.join(path.strip_prefix(from).unwrap_or(path));
        target.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&target, fs::read(path)?)?;
        let time = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000 + index as u64 * 1_000, 123_456_789);
        fs::File::open(&target)?.set_modified(time)?;
    }
    Ok(())
}
