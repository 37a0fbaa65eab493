//! Files below an open folder by their paths.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};

/// An open folder. The paths of its functions are relative to it, without `..`.
#[derive(Debug)]
pub struct OpenFolder(PathBuf);

impl OpenFolder {
    /// Opens the folder at a path that the user has named, through symbolic links.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn at(path: &Path) -> io::Result<Self> {
        if path.is_dir() { Ok(Self(path.to_owned())) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    /// Returns the folder once more.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self(self.0.clone()))
    }

    /// Opens a file to read it.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn open(&self, below: &Path) -> io::Result<File> {
        File::open(self.0.join(below))
    }

    pub(crate) fn create(&self, below: &Path, _mode: u32) -> io::Result<File> {
        File::options().read(true).write(true).create_new(true).open(self.0.join(below))
    }

    /// Gives a file in this folder another name, with what has that name already.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        fs::rename(self.0.join(old), self.0.join(new))
    }

    pub(crate) fn create_nameless(&self, _mode: u32) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn open_to_change(&self, name: &OsStr) -> io::Result<File> {
        File::options().read(true).write(true).open(self.0.join(name))
    }

    pub(crate) fn open_private(&self, name: &OsStr) -> io::Result<File> {
        File::options().read(true).write(true).create(true).open(self.0.join(name))
    }

    pub(crate) fn permissions_of(&self, name: &OsStr) -> io::Result<Option<Permissions>> {
        match fs::symlink_metadata(self.0.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Ok(found) if found.is_file() => Ok(Some(found.permissions())),
            Ok(_) => Err(io::Error::other("it exists and is not a file")),
            Err(error) => Err(error),
        }
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

    pub(crate) fn folder(&self, below: &Path) -> io::Result<Self> {
        let path = self.0.join(below);
        let is_folder = fs::symlink_metadata(&path)?.is_dir();
        if is_folder { Ok(Self(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    pub(crate) fn file_of(&self, below: &Path) -> io::Result<File> {
        File::open(self.0.join(below))
    }

    pub(crate) fn make(&self, name: &OsStr, _mode: u32) -> io::Result<()> {
        fs::create_dir(self.0.join(name))
    }

    pub(crate) fn unlink(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    pub(crate) fn symlink(&self, _target: &Path, _name: &OsStr) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "symbolic links are not copied on this system"))
    }
}
