//! Files below an open folder, reached without following a symbolic link: another program that exchanges a folder of a tree for a link
//! leads nowhere else. Only Unix has the system calls; elsewhere paths are used.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use other::OpenFolder;
#[cfg(unix)]
pub use unix::OpenFolder;

/// The modes of new files and folders, from which the umask takes bits.
const NEW_FILE: u32 = 0o666;
pub(crate) const NEW_FOLDER: u32 = 0o777;

impl OpenFolder {
    /// Opens the folder around an absolute path, through no symbolic link.
    pub(crate) fn around_path(path: &Path) -> io::Result<Self> {
        let root = path.ancestors().last().unwrap_or(path);
        Self::at(root)?.around(path.strip_prefix(root).unwrap_or(path))
    }

    /// Opens the folder that contains what is at `below`.
    pub(crate) fn around(&self, below: &Path) -> io::Result<Self> {
        self.folder(parent(below))
    }

    /// Creates a file with the permissions of new ones, and the folders around it. A file or symbolic link in the place of one of them is
    /// removed.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    ///
    /// ```
    /// let outer = tempfile::tempdir()?;
    /// absolve_files::OpenFolder::at(outer.path())?.create_anew("a/b".as_ref())?;
    /// assert!(outer.path().join("a/b").exists());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn create_anew(&self, below: &Path) -> io::Result<File> {
        match self.create(below, NEW_FILE) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.remove(below)?,
            Err(_) => self.make_folders_around(below, NEW_FOLDER)?,
            created => return created,
        }
        self.create(below, NEW_FILE)
    }

    /// Creates the folders around `below` that do not exist. What is in their place and no folder is removed.
    pub(crate) fn make_folders_around(&self, below: &Path, mode: u32) -> io::Result<()> {
        let mut made = Path::new("").to_owned();
        for name in parent(below) {
            made.push(name);
            self.make_folder(&made, mode)?;
        }
        Ok(())
    }

    /// Creates a folder, unless there is one. What is in its place and no folder is removed.
    pub(crate) fn make_folder(&self, below: &Path, mode: u32) -> io::Result<()> {
        let exists = || self.folder(below).is_ok();
        if exists() {
            return Ok(());
        }
        let _ = self.remove(below);
        let made = self.around(below)?.make(name(below), mode);
        made.or_else(|error| if exists() { Ok(()) } else { Err(error) })
    }

    /// Changes the permissions of a folder by what they are, and perhaps its time of last modification.
    pub(crate) fn change(&self, below: &Path, change: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
        change(&self.file_of(below)?)
    }

    /// Removes a file or a symbolic link.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn remove(&self, below: &Path) -> io::Result<()> {
        self.around(below)?.unlink(name(below))
    }

    /// Creates a symbolic link. One in its place, or a file, is removed.
    pub(crate) fn link_to(&self, target: &Path, below: &Path) -> io::Result<()> {
        let (around, name) = (self.around(below)?, name(below));
        match around.symlink(target, name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                around.unlink(name)?;
                around.symlink(target, name)
            }
            made => made,
        }
    }

    /// Flushes it to the disk, so that renames in it survive a loss of power.
    pub(crate) fn sync(&self) -> io::Result<()> {
        if cfg!(unix) { self.file_of(Path::new(""))?.sync_all() } else { Ok(()) }
    }
}

fn parent(below: &Path) -> &Path {
    below.parent().unwrap_or(Path::new(""))
}

fn name(below: &Path) -> &OsStr {
    below.file_name().unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::{fs, io};

    use rustix::fs::{Mode, OFlags};

    use super::*;

    #[test]
    fn no_link_below_is_followed() -> io::Result<()> {
        let outer = tempfile::tempdir()?;
        let at = |path: &str| outer.path().join(path);
        fs::create_dir_all(at("in/d"))?;
        fs::create_dir(at("out"))?;
        fs::write(at("out/a"), "outside")?;
        symlink(at("out"), at("in/link"))?;
        symlink("../out/a", at("in/a"))?;
        let folder = OpenFolder::at(&at("in"))?;
        fs::write(at("in/d/b"), "inside")?;
        for below in ["a", "d/b", "link/a", "../out/a", "d/../../out/a", "d", "", "x/y"] {
            let each = unix::open_each(&folder, Path::new(below), OFlags::RDONLY, Mode::empty());
            assert_eq!(each.is_ok(), ["d/b", "d", ""].contains(&below), "{below}");
            assert_eq!(each.is_ok(), folder.open(Path::new(below)).is_ok(), "{below}");
        }
        for below in ["a", "link/a", "../out/a", "d/../../out/a"] {
            let below = Path::new(below);
            assert!(folder.open(below).is_err() && folder.create(below, 0o600).is_err(), "{}", below.display());
        }
        for below in ["link/b", "../out/b"] {
            let below = Path::new(below);
            assert!(folder.create(below, 0o600).is_err() && folder.around(below).is_err(), "{}", below.display());
            assert!(folder.link_to(Path::new("x"), below).is_err() && folder.remove(below).is_err());
        }
        assert!(folder.change(Path::new("link"), |_| Ok(())).is_err());
        folder.make_folders_around(Path::new("link/e/c"), 0o700)?;
        drop(folder.create(Path::new("link/e/c"), 0o600)?);
        assert!(at("in/link/e/c").exists() && !at("in/link").is_symlink());
        assert_eq!(fs::read_dir(at("out"))?.count(), 1);
        Ok(())
    }
}
