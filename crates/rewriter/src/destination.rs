//! Where files are written.

use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::Entry;
use crate::in_place::{self, InPlace, temporary_beside};
use crate::note::Note;

/// Where the files of a run go.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination {
    /// A folder that nobody else looks at yet; files are written directly.
    NewFolder(PathBuf),
    /// The same with work of an earlier run in it, which is not done again.
    BegunFolder(PathBuf),
    /// A folder in use; each file is written beside its place and then renamed.
    Folder(PathBuf),
    /// One file; written beside its place and then renamed.
    File(PathBuf),
    /// Standard output; for one file.
    StandardOutput,
    /// The input itself; only changed files are written, beside their place and then renamed.
    InPlace,
    /// Nothing is written.
    Nowhere,
}

impl Destination {
    /// The folder for the whole input, if it is one.
    pub(crate) fn root(&self) -> Option<&Path> {
        match self {
            Self::NewFolder(root) | Self::BegunFolder(root) | Self::Folder(root) => Some(root),
            _ => None,
        }
    }

    /// Where an entry goes; `None` when it is not written anywhere.
    pub(crate) fn path_of(&self, entry: &Entry) -> Option<PathBuf> {
        match self {
            Self::NewFolder(root) | Self::BegunFolder(root) | Self::Folder(root) => Some(root.join(&entry.path)),
            Self::File(path) => Some(path.clone()),
            Self::StandardOutput => Some("-".into()),
            // A message of a Maildir may get another name.
            Self::InPlace if !entry.record.is_empty() => Some(entry.source.with_file_name(entry.path.file_name()?)),
            // A link that was named itself stays a link.
            Self::InPlace => Some(entry.source.canonicalize().unwrap_or_else(|_| entry.source.clone())),
            Self::Nowhere => None,
        }
    }

    /// Whether an earlier run has written this entry completely: the time of the source is set last.
    pub(crate) fn is_done(&self, entry: &Entry) -> bool {
        let Self::BegunFolder(root) = self else { return false };
        let Ok(metadata) = fs::symlink_metadata(root.join(&entry.path)) else { return false };
        metadata.is_symlink() || (metadata.modified().ok() == entry.modified && entry.modified.is_some())
    }

    /// Writes an entry with what `write` puts into its file, unless that says that it is not to be.
    pub(crate) fn write_with(
        &self,
        entry: &Entry,
        in_place: &InPlace,
        write: impl FnOnce(&mut File) -> io::Result<Written>,
    ) -> io::Result<()> {
        let Some(path) = self.path_of(entry) else { return Ok(()) };
        match self {
            Self::InPlace => in_place::change(entry, &path, in_place, write),
            Self::Folder(root) => make_parents(root, &path).and_then(|()| write_beside(&path, entry, write)),
            Self::BegunFolder(root) => {
                make_parents(root, &path).and_then(|()| write_directly(&path, entry, self, write))
            }
            Self::NewFolder(_) => write_directly(&path, entry, self, write),
            Self::StandardOutput => write(&mut standard_output()?).map(drop),
            // A device or a pipe is written into, not replaced.
            Self::File(_) if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) => {
                write(&mut OpenOptions::new().write(true).open(path)?).map(drop)
            }
            _ => write_beside(&path, entry, write),
        }
    }

    /// Makes the folder of an entry; it stays writable for the owner until [`Destination::finish_folder`].
    ///
    /// A link or a file in its place goes: nothing is written through a link.
    pub(crate) fn make_folder(&self, entry: &Entry) -> io::Result<()> {
        let Some(root) = self.root() else { return Ok(()) };
        let path = root.join(&entry.path);
        fs::create_dir_all(root)?;
        make_parents(root, &path)?;
        make_one_folder(&path)?;
        make_writable(&path, fs::symlink_metadata(&path)?.permissions())
    }

    /// Gives a folder the permissions of its source.
    pub(crate) fn finish_folder(&self, entry: &Entry) -> io::Result<()> {
        let Some(root) = self.root() else { return Ok(()) };
        fs::set_permissions(root.join(&entry.path), entry.permissions.clone())
    }

    /// Makes a symbolic link like that of an entry.
    pub(crate) fn link(&self, entry: &Entry) -> io::Result<()> {
        let Some(root) = self.root() else { return Ok(()) };
        let path = root.join(&entry.path);
        make_parents(root, &path)?;
        if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_dir()) {
            fs::remove_file(&path)?;
        }
        symlink(&fs::read_link(&entry.source)?, &path)
    }
}

/// What became of a file that was to be written.
#[derive(Debug)]
pub(crate) enum Written {
    /// All is in it; what changed, if a journal is to tell.
    Whole(Option<Box<Note>>),
    /// It is not needed.
    Discarded,
}

fn write_directly(
    path: &Path,
    entry: &Entry,
    destination: &Destination,
    write: impl FnOnce(&mut File) -> io::Result<Written>,
) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    set_mode(&mut options, &entry.permissions);
    let mut file = match options.open(path) {
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists && matches!(destination, Destination::BegunFolder(_)) =>
        {
            // Left over from an interrupted run, and perhaps not writable.
            fs::remove_file(path)?;
            options.open(path)?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            options.open(path)?
        }
        opened => opened?,
    };
    let outcome = write(&mut file).and_then(|written| finish(&file, entry).map(|()| written));
    if !matches!(outcome, Ok(Written::Whole(_))) {
        let _ = fs::remove_file(path);
    }
    outcome.map(drop)
}

fn write_beside(path: &Path, entry: &Entry, write: impl FnOnce(&mut File) -> io::Result<Written>) -> io::Result<()> {
    let mut file = temporary_beside(path)?;
    if matches!(write(file.as_file_mut())?, Written::Discarded) {
        return Ok(());
    }
    file.as_file().set_permissions(entry.permissions.clone())?;
    set_time(file.as_file(), entry.modified)?;
    file.persist(path)?;
    Ok(())
}

/// The folders that `path` is in, below `root`. What is there already may be links that lead elsewhere.
fn make_parents(root: &Path, path: &Path) -> io::Result<()> {
    let below = path.parent().and_then(|parent| parent.strip_prefix(root).ok());
    let mut folder = root.to_owned();
    for name in below.into_iter().flatten() {
        folder.push(name);
        make_one_folder(&folder)?;
    }
    Ok(())
}

/// A folder, in the place of a link or a file; another thread may be making it.
fn make_one_folder(path: &Path) -> io::Result<()> {
    let is_folder = || fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    if is_folder() {
        return Ok(());
    }
    let _ = fs::remove_file(path);
    fs::create_dir(path).or_else(|error| if is_folder() { Ok(()) } else { Err(error) })
}

/// Last of all the time of the source: a file that has it is complete.
fn finish(file: &File, entry: &Entry) -> io::Result<()> {
    if file.metadata()?.permissions() != entry.permissions {
        file.set_permissions(entry.permissions.clone())?;
    }
    set_time(file, entry.modified)
}

pub(crate) fn set_time(file: &File, modified: Option<SystemTime>) -> io::Result<()> {
    match modified {
        Some(modified) => file.set_times(FileTimes::new().set_modified(modified)),
        None => Ok(()),
    }
}

#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

#[cfg(unix)]
fn set_mode(options: &mut OpenOptions, permissions: &Permissions) {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    options.mode(permissions.mode() & 0o7777);
}

#[cfg(not(unix))]
fn set_mode(_options: &mut OpenOptions, _permissions: &Permissions) {}

#[cfg(unix)]
fn make_writable(folder: &Path, mut permissions: Permissions) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if permissions.mode() & 0o700 == 0o700 {
        return Ok(());
    }
    permissions.set_mode(permissions.mode() | 0o700);
    fs::set_permissions(folder, permissions)
}

#[cfg(not(unix))]
fn make_writable(_folder: &Path, _permissions: Permissions) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn symlink(_target: &Path, _path: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "symbolic links are not copied on this system"))
}
