//! Files below an open folder, reached without following a symbolic link: another program that exchanges a folder of a tree for a link
//! leads nowhere else. Only Unix has the system calls; elsewhere paths are used.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::disk::permissions::OWNER;

/// An open folder. The paths of its functions are relative to it, without `..`.
#[derive(Debug)]
pub(crate) struct OpenFolder(system::Folder);

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

    /// Creates the folders around `below` that do not exist. What is in their place and no folder is removed.
    pub(crate) fn make_folders_around(&self, below: &Path) -> io::Result<()> {
        let mut made = Path::new("").to_owned();
        for name in parent(below) {
            made.push(name);
            self.make_folder(&made)?;
        }
        Ok(())
    }

    /// Creates a folder with mode 0700, unless there is one. What is in its place and no folder is removed.
    pub(crate) fn make_folder(&self, below: &Path) -> io::Result<()> {
        let exists = || self.folder(below).is_ok();
        if exists() {
            return Ok(());
        }
        let _ = self.remove(below);
        let made = self.around(below)?.make(name(below), OWNER);
        made.or_else(|error| if exists() { Ok(()) } else { Err(error) })
    }

    /// Changes the permissions of a folder by what they are, and perhaps its time of last modification.
    pub(crate) fn change(&self, below: &Path, change: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
        change(&self.file_of(below)?)
    }

    /// Removes a file or a symbolic link.
    pub(crate) fn remove(&self, below: &Path) -> io::Result<()> {
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

#[cfg(unix)]
mod system {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags};
    use rustix::io::Errno;

    use super::OpenFolder;

    pub(super) type Folder = OwnedFd;

    /// To reach what is in a folder, the right to list it is not needed.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);
    const FILE: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC);
    const NEW: OFlags = OFlags::RDWR.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::CLOEXEC);

    impl OpenFolder {
        /// Opens the folder at a path that the user has named, through symbolic links.
        pub(crate) fn at(path: &Path) -> io::Result<Self> {
            Ok(Self(rustix::fs::openat(CWD, path, FOLDER, Mode::empty())?))
        }

        /// Opens a file to read it.
        pub(crate) fn open(&self, below: &Path) -> io::Result<File> {
            Ok(open_below(&self.0, below, FILE, Mode::empty())?.into())
        }

        /// Creates a file, which must not exist, with this mode as far as the umask permits it.
        pub(crate) fn create(&self, below: &Path, mode: u32) -> io::Result<File> {
            Ok(open_below(&self.0, below, NEW, Mode::from_raw_mode(mode as _))?.into())
        }

        /// Gives a file in this folder another name, with what has that name already.
        pub(crate) fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::renameat(&self.0, old, &self.0, new)?)
        }

        /// Gives a file in this folder another name, which must be free.
        pub(crate) fn rename_to_new(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            // Not every file system can do it at once, and not every one has hard links.
            #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
            match rustix::fs::renameat_with(&self.0, old, &self.0, new, rustix::fs::RenameFlags::NOREPLACE) {
                Err(Errno::NOSYS | Errno::INVAL | Errno::PERM) => {}
                renamed => return Ok(renamed?),
            }
            self.hard_link(old, new)?;
            self.unlink(old)
        }

        /// Gives a file in this folder a second name, which must be free.
        pub(crate) fn hard_link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::linkat(&self.0, old, &self.0, new, AtFlags::empty())?)
        }

        /// Gives an open file without a name a new one in this folder. Only Linux can, and not on every file system.
        pub(crate) fn link_nameless(&self, file: &File, name: &OsStr) -> io::Result<()> {
            if cfg!(not(target_os = "linux")) {
                return Err(io::ErrorKind::Unsupported.into());
            }
            let open = format!("/proc/self/fd/{}", file.as_raw_fd());
            Ok(rustix::fs::linkat(CWD, &*open, &self.0, name, AtFlags::SYMLINK_FOLLOW)?)
        }

        pub(super) fn folder(&self, below: &Path) -> io::Result<Self> {
            Ok(Self(open_below(&self.0, below, FOLDER, Mode::empty())?))
        }

        pub(super) fn file_of(&self, below: &Path) -> io::Result<File> {
            Ok(open_below(&self.0, below, FILE.union(OFlags::DIRECTORY), Mode::empty())?.into())
        }

        pub(super) fn make(&self, name: &OsStr, mode: u32) -> io::Result<()> {
            Ok(rustix::fs::mkdirat(&self.0, name, Mode::from_raw_mode(mode as _))?)
        }

        pub(super) fn unlink(&self, name: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
        }

        pub(super) fn symlink(&self, target: &Path, name: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::symlinkat(target, &self.0, name)?)
        }
    }

    /// Linux has one system call for it, since 5.6 and not in every container.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn open_below(root: &Folder, below: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
        use rustix::fs::ResolveFlags;
        let path = if below.as_os_str().is_empty() { Path::new(".") } else { below };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match rustix::fs::openat2(root, path, flags, mode, resolve) {
            Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => open_each(root, below, flags, mode),
            opened => opened,
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn open_below(root: &Folder, below: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
        open_each(root, below, flags, mode)
    }

    /// Opens one folder after the other.
    pub(super) fn open_each(root: &Folder, below: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
        let mut names = below.iter().peekable();
        let mut folder = None;
        while let Some(name) = names.next() {
            if name == ".." {
                return Err(Errno::XDEV);
            }
            let (flags, mode) = if names.peek().is_some() { (FOLDER, Mode::empty()) } else { (flags, mode) };
            folder = Some(rustix::fs::openat(folder.as_ref().unwrap_or(root), name, flags | OFlags::NOFOLLOW, mode)?);
        }
        // The path is empty.
        folder.map_or_else(|| rustix::fs::openat(root, ".", flags, mode), Ok)
    }
}

#[cfg(not(unix))]
mod system {
    use std::ffi::OsStr;
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};

    use super::OpenFolder;

    pub(super) type Folder = PathBuf;

    impl OpenFolder {
        pub(crate) fn at(path: &Path) -> io::Result<Self> {
            if path.is_dir() { Ok(Self(path.to_owned())) } else { Err(io::ErrorKind::NotFound.into()) }
        }

        pub(crate) fn open(&self, below: &Path) -> io::Result<File> {
            File::open(self.0.join(below))
        }

        pub(crate) fn create(&self, below: &Path, _mode: u32) -> io::Result<File> {
            File::options().read(true).write(true).create_new(true).open(self.0.join(below))
        }

        pub(crate) fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            fs::rename(self.0.join(old), self.0.join(new))
        }

        pub(crate) fn rename_to_new(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            self.hard_link(old, new)?;
            self.unlink(old)
        }

        pub(crate) fn hard_link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            fs::hard_link(self.0.join(old), self.0.join(new))
        }

        pub(crate) fn link_nameless(&self, _file: &File, _name: &OsStr) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(super) fn folder(&self, below: &Path) -> io::Result<Self> {
            let path = self.0.join(below);
            let is_folder = fs::symlink_metadata(&path)?.is_dir();
            if is_folder { Ok(Self(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
        }

        pub(super) fn file_of(&self, below: &Path) -> io::Result<File> {
            File::open(self.0.join(below))
        }

        pub(super) fn make(&self, name: &OsStr, _mode: u32) -> io::Result<()> {
            fs::create_dir(self.0.join(name))
        }

        pub(super) fn unlink(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.0.join(name))
        }

        pub(super) fn symlink(&self, _target: &Path, _name: &OsStr) -> io::Result<()> {
            Err(io::Error::new(io::ErrorKind::Unsupported, "symbolic links are not copied on this system"))
        }
    }
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
            let each = system::open_each(&folder.0, Path::new(below), OFlags::RDONLY, Mode::empty());
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
        folder.make_folders_around(Path::new("link/e/c"))?;
        drop(folder.create(Path::new("link/e/c"), 0o600)?);
        assert!(at("in/link/e/c").exists() && !at("in/link").is_symlink());
        assert_eq!(fs::read_dir(at("out"))?.count(), 1);
        Ok(())
    }
}
