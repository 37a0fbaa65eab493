//! Files below an open folder by the system calls of Unix.

use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

/// An open folder. The paths of its functions are relative to it, without `..`.
#[derive(Debug)]
pub struct OpenFolder(OwnedFd);

/// To reach what is in a folder, the right to list it is not needed.
#[cfg(any(target_os = "linux", target_os = "android"))]
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);
const FILE: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC);
const CHANGED: OFlags = OFlags::RDWR.union(OFlags::CLOEXEC);
#[cfg(target_os = "linux")]
const NAMELESS: OFlags = OFlags::TMPFILE.union(OFlags::RDWR).union(OFlags::CLOEXEC);
const NEW: OFlags = CHANGED.union(OFlags::CREATE).union(OFlags::EXCL);

impl OpenFolder {
    /// Opens the folder at a path that the user has named, through symbolic links.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(CWD, path, FOLDER, Mode::empty())?))
    }

    /// Returns the folder once more.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// Opens a file to read it.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn open(&self, below: &Path) -> io::Result<File> {
        Ok(open_below(self, below, FILE, Mode::empty())?.into())
    }

    /// Creates a file, which must not exist, with this mode as far as the umask permits it.
    pub(crate) fn create(&self, below: &Path, mode: u32) -> io::Result<File> {
        Ok(open_below(self, below, NEW, Mode::from_raw_mode(mode as _))?.into())
    }

    /// Creates a file without a name, which may get one. Only Linux can, and not on every file system.
    pub(crate) fn create_nameless(&self, mode: u32) -> io::Result<File> {
        #[cfg(target_os = "linux")]
        return Ok(open_below(self, Path::new(""), NAMELESS, Mode::from_raw_mode(mode))?.into());
        #[cfg(not(target_os = "linux"))]
        return Err(io::Error::new(io::ErrorKind::Unsupported, format!("mode {mode:o}")));
    }

    /// Opens a file to change it.
    pub(crate) fn open_to_change(&self, name: &OsStr) -> io::Result<File> {
        Ok(open_below(self, Path::new(name), CHANGED, Mode::empty())?.into())
    }

    /// Opens a file to change it, or creates it for its owner alone.
    pub(crate) fn open_private(&self, name: &OsStr) -> io::Result<File> {
        Ok(open_below(self, Path::new(name), CHANGED.union(OFlags::CREATE), Mode::RUSR | Mode::WUSR)?.into())
    }

    /// Returns the permissions of a file; `None` if there is none. What is no file is an error.
    pub(crate) fn permissions_of(&self, name: &OsStr) -> io::Result<Option<Permissions>> {
        match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => Ok(None),
            Ok(found) if FileType::from_raw_mode(found.st_mode) == FileType::RegularFile => {
                Ok(Some(Permissions::from_mode(found.st_mode as _)))
            }
            Ok(_) => Err(io::Error::other("it exists and is not a file")),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives a file in this folder another name, with what has that name already.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
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

    pub(crate) fn folder(&self, below: &Path) -> io::Result<Self> {
        open_below(self, below, FOLDER, Mode::empty()).map(Self).map_err(io::Error::from)
    }

    pub(crate) fn file_of(&self, below: &Path) -> io::Result<File> {
        Ok(open_below(self, below, FILE.union(OFlags::DIRECTORY), Mode::empty())?.into())
    }

    pub(crate) fn make(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.0, name, Mode::from_raw_mode(mode as _))?)
    }

    pub(crate) fn unlink(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    pub(crate) fn symlink(&self, target: &Path, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(target, &self.0, name)?)
    }
}

/// Linux has one system call for it, since 5.6 and not in every container.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn open_below(root: &OpenFolder, below: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    let path = if below.as_os_str().is_empty() { Path::new(".") } else { below };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    match rustix::fs::openat2(&root.0, path, flags, mode, resolve) {
        Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => open_each(root, below, flags, mode),
        opened => opened,
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn open_below(root: &OpenFolder, below: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    open_each(root, below, flags, mode)
}

/// Opens one folder after the other.
pub(crate) fn open_each(root: &OpenFolder, below: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    let mut names = below.iter().peekable();
    let mut folder = None;
    while let Some(name) = names.next() {
        if name == ".." {
            return Err(Errno::XDEV);
        }
        let (flags, mode) = if names.peek().is_some() { (FOLDER, Mode::empty()) } else { (flags, mode) };
        folder = Some(rustix::fs::openat(folder.as_ref().unwrap_or(&root.0), name, flags | OFlags::NOFOLLOW, mode)?);
    }
    // The path is empty.
    folder.map_or_else(|| rustix::fs::openat(&root.0, ".", flags, mode), Ok)
}
