//! Permissions of output while it is written: never more than those of its source.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Creates a folder and those around it, where they do not exist.
///
/// # Errors
///
/// Of what exists and is no folder, [`io::ErrorKind::NotADirectory`].
///
/// ```
/// let folder = tempfile::tempdir()?;
/// absolve_files::make_folders(&folder.path().join("new/deep"))?;
/// assert!(folder.path().join("new/deep").is_dir());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn make_folders(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
        _ => error,
    })
}

/// Removes the permissions of a folder that are not in `like`; its owner has mode 0700.
pub(crate) fn narrow_folder(folder: &File, like: &Permissions) -> io::Result<()> {
    let found = folder.metadata()?.permissions();
    let mode = mode_of(&found) & mode_of(like) | OWNER;
    if mode == mode_of(&found) { Ok(()) } else { folder.set_permissions(with_mode(found, mode)) }
}

/// Opens a file that the user has named to change it. A new one has mode 0600.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    with_mode_of_file(File::options().read(true).write(true).create(true).truncate(false), 0o600).open(path)
}

/// A mode that new files of a run get in full, so that none of them is asked again. What takes bits away, the umask and what
/// folders hand down, is the same all over an output folder.
#[derive(Debug, Default)]
pub(crate) struct FullMode(AtomicU32);

impl FullMode {
    /// Sets the permissions of a new file, which was created with them, unless it got them.
    pub(crate) fn complete(&self, file: &File, like: &Permissions) -> io::Result<()> {
        let mode = mode_of(like);
        if self.0.load(Ordering::Relaxed) == mode {
            return Ok(());
        }
        if file.metadata()?.permissions() != *like {
            return file.set_permissions(like.clone());
        }
        // Writing may clear the others. Elsewhere permissions are no mode.
        if cfg!(unix) && mode <= 0o777 {
            self.0.store(mode, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Returns the permissions that all of these have in common; `None` if there are none.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let private = folder.path().metadata()?.permissions();
/// assert_eq!(absolve_files::common_permissions([private.clone(), private.clone()]), Some(private));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn common_permissions(all: impl IntoIterator<Item = Permissions>) -> Option<Permissions> {
    all.into_iter().reduce(|one, other| {
        let mode = mode_of(&one) & mode_of(&other);
        with_mode(one, mode)
    })
}

/// The mode that lets the owner write into a folder.
pub(crate) const OWNER: u32 = 0o700;

#[cfg(unix)]
pub(crate) fn mode_of(permissions: &Permissions) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    permissions.mode() & 0o7777
}

#[cfg(not(unix))]
pub(crate) fn mode_of(_permissions: &Permissions) -> u32 {
    OWNER
}

#[cfg(unix)]
fn with_mode(mut permissions: Permissions, mode: u32) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    // The mode contains the file type, too.
    permissions.set_mode(permissions.mode() & !0o7777 | mode);
    permissions
}

#[cfg(not(unix))]
fn with_mode(permissions: Permissions, _mode: u32) -> Permissions {
    permissions
}

#[cfg(unix)]
fn with_mode_of_file(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(mode)
}

#[cfg(not(unix))]
fn with_mode_of_file(options: &mut OpenOptions, _mode: u32) -> &mut OpenOptions {
    options
}

#[cfg(all(test, unix))]
mod tests {
    use std::io;

    use super::*;

    /// What the umask takes from one mode it may leave to the next.
    #[test]
    fn new_files_get_the_whole_mode_of_their_sources() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let full_mode = FullMode::default();
        for (number, mode) in [0o600, 0o666, 0o600, 0o666, 0o644, 0o777, 0o444, 0o4755, 0o4755].into_iter().enumerate()
        {
            let path = folder.path().join(number.to_string());
            let file = with_mode_of_file(OpenOptions::new().write(true).create_new(true), mode).open(&path)?;
            let wanted = with_mode(file.metadata()?.permissions(), mode);
            full_mode.complete(&file, &wanted)?;
            assert_eq!(path.metadata()?.permissions(), wanted, "{mode:o}");
        }
        Ok(())
    }

    /// A file that had such bits says nothing of the next: writing clears them.
    #[cfg(unix)]
    #[test]
    fn bits_that_writing_clears_are_set_on_each_file() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (full_mode, modes) = (FullMode::default(), [0o4755, 0o755]);
        let files = [0, 1].map(|number| folder.path().join(number.to_string()));
        for (path, mode) in files.iter().zip(modes) {
            let file = File::create(path)?;
            file.set_permissions(with_mode(file.metadata()?.permissions(), mode))?;
            full_mode.complete(&file, &with_mode(file.metadata()?.permissions(), 0o4755))?;
            assert_eq!(mode_of(&file.metadata()?.permissions()) & 0o7777, 0o4755);
        }
        Ok(())
    }
}
