//! One file that is made of nothing but bytes.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

use crate::in_place::{TEMPORARY, folder_of};

/// What becomes of a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Existing {
    /// It stays, and nothing is written.
    Refuse,
    /// It is replaced.
    Replace,
}

/// Writes a file beside its place and gives it its name when it is complete, so that it is never half there.
///
/// # Errors
///
/// When it cannot be written, or exists and is to stay ([`io::ErrorKind::AlreadyExists`]).
///
/// ```
/// use absolve_rewriter::{Existing, write_file};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.eml");
/// write_file(&path, b"one", Existing::Refuse)?;
/// assert!(write_file(&path, b"two", Existing::Refuse).is_err());
/// assert_eq!(std::fs::read(path)?, b"one");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_file(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    // A device or a pipe is written into, not replaced.
    if existing == Existing::Replace && fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    // Those of a new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    match existing {
        Existing::Refuse => file.persist_noclobber(path)?,
        Existing::Replace => file.persist(path)?,
    };
    Ok(())
}
