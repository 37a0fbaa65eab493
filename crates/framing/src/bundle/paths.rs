//! File paths.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// Returns the path with these bytes. Except on Unix, invalid UTF-8 is replaced.
///
/// ```
/// assert_eq!(absolve_framing::bundle::os_path(b"a b.png"), std::path::Path::new("a b.png"));
/// ```
#[cfg(unix)]
pub fn os_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(bytes).into()
}

/// Returns the path with these bytes. Except on Unix, invalid UTF-8 is replaced.
#[cfg(not(unix))]
pub fn os_path(bytes: &[u8]) -> PathBuf {
    OsStr::new(&*String::from_utf8_lossy(bytes)).into()
}

/// Removes `.` and `..` from a path, except `..` at its beginning.
pub fn normal(path: &Path) -> PathBuf {
    let mut names = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if names.file_name().is_some() => {
                names.pop();
            }
            other => names.push(other),
        }
    }
    names
}
