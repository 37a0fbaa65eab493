//! The destination of the files of a run.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use absolve_containers::Compression;

use crate::disk::atomic_file::{Rename, set_time};
use crate::disk::permissions::{FullMode, make_private_folder, narrow_folder};
use crate::disk::{atomic_file, permissions};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::output::file::{JobError, OutputFile, Sink, Written};
use crate::output::in_place;
use crate::output::in_place::InPlace;

/// The destination of the files of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination {
    /// A new folder, which no other program uses yet: files are written directly.
    NewFolder(PathBuf),
    /// A folder with the output of an interrupted run: complete files are not written again.
    Resumed(PathBuf),
    /// A folder in use: each file is replaced atomically.
    Folder(PathBuf),
    /// One file, which is replaced atomically.
    File(PathBuf),
    /// Standard output, for one file.
    StandardOutput,
    /// The input itself: only changed files are replaced, atomically.
    InPlace,
    /// The bundle that the entries are members of, which is written later: only changed members are kept for it.
    Bundle,
    /// Nothing is written.
    Nowhere,
}

impl Destination {
    /// Returns the output folder, if the destination is a folder.
    pub(crate) fn root(&self) -> Option<&Path> {
        match self {
            Self::NewFolder(root) | Self::Resumed(root) | Self::Folder(root) => Some(root),
            _ => None,
        }
    }

    /// Returns the compression that the name of the output asks for, if it is one file.
    pub(crate) fn compression(&self, source: &Path) -> Option<Compression> {
        let Self::File(path) = self else { return None };
        Compression::asked(source, path)
    }

    /// Returns whether an entry is written to a file, and neither to standard output nor to a device.
    pub(crate) fn is_file(&self) -> bool {
        match self {
            Self::StandardOutput | Self::Bundle | Self::Nowhere => false,
            Self::File(path) => fs::metadata(path).is_ok_and(|found| found.is_file()) || !path.exists(),
            Self::NewFolder(_) | Self::Resumed(_) | Self::Folder(_) | Self::InPlace => true,
        }
    }

    /// Returns the output path of an entry; `None` if nothing is written.
    pub(crate) fn path_of(&self, entry: &Entry) -> Option<PathBuf> {
        match self {
            Self::NewFolder(root) | Self::Resumed(root) | Self::Folder(root) => Some(root.join(&entry.path)),
            Self::File(path) => Some(path.clone()),
            Self::StandardOutput => Some("-".into()),
            // The name of a message in a Maildir contains its size.
            Self::InPlace if !entry.record.is_empty() => Some(entry.source.with_file_name(entry.path.file_name()?)),
            // If the input is a symbolic link, its target is changed.
            Self::InPlace => Some(entry.source.canonicalize().unwrap_or_else(|_| entry.source.clone())),
            Self::Bundle | Self::Nowhere => None,
        }
    }

    /// Returns whether an interrupted run has written this entry completely: the modification time is set last.
    pub(crate) fn is_done(&self, entry: &Entry) -> bool {
        let Self::Resumed(root) = self else { return false };
        let path = root.join(&entry.path);
        let Ok(metadata) = fs::symlink_metadata(&path) else { return false };
        match entry.kind {
            EntryKind::Symlink => {
                metadata.is_symlink() && fs::read_link(&path).ok() == fs::read_link(&entry.source).ok()
            }
            _ => metadata.is_file() && metadata.modified().ok() == entry.modified && entry.modified.is_some(),
        }
    }

    /// Writes an entry; `write` writes the contents of its file.
    pub(crate) fn write_with(
        &self,
        entry: &Entry,
        in_place: &InPlace,
        full_mode: &FullMode,
        write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
    ) -> Result<(), JobError> {
        let Some(path) = self.path_of(entry) else { return Ok(()) };
        match self {
            Self::InPlace => in_place::change(entry, &path, in_place, write),
            Self::Folder(root) => {
                make_parents(root, &path)?;
                write_beside(&path, entry, write)
            }
            Self::Resumed(root) => {
                make_parents(root, &path)?;
                write_directly(&path, entry, (self, full_mode), write)
            }
            Self::NewFolder(_) => write_directly(&path, entry, (self, full_mode), write),
            Self::StandardOutput => write(plain(&mut standard_output()?)).map(drop),
            // A device or a FIFO is written to, not replaced.
            Self::File(_) if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) => {
                write(plain(&mut OpenOptions::new().write(true).open(path)?)).map(drop)
            }
            _ => write_beside(&path, entry, write),
        }
    }

    /// Creates the folder of an entry. Until [`Destination::finish_folder`] its owner may write into it, and others
    /// have at most the permissions of the source.
    ///
    /// Replaces a symbolic link or a file at that path: nothing is written through a link.
    pub(crate) fn make_folder(&self, entry: &Entry) -> io::Result<()> {
        let Some(root) = self.root() else { return Ok(()) };
        let path = root.join(&entry.path);
        fs::create_dir_all(root)?;
        make_parents(root, &path)?;
        make_one_folder(&path)?;
        narrow_folder(&path, &entry.permissions)
    }

    /// Sets the modification time and the permissions of a folder, if it was created, to those of its source.
    pub(crate) fn finish_folder(&self, entry: &Entry) -> io::Result<()> {
        let Some(path) = self.root().map(|root| root.join(&entry.path)).filter(|path| is_folder(path)) else {
            return Ok(());
        };
        // Other systems cannot open folders.
        if cfg!(unix) {
            set_time(&File::open(&path)?, entry.modified)?;
        }
        fs::set_permissions(path, entry.permissions.clone())
    }

    /// Copies the symbolic link of an entry.
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

fn write_directly(
    path: &Path,
    entry: &Entry,
    (destination, full_mode): (&Destination, &FullMode),
    write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
) -> Result<(), JobError> {
    let mut options = OpenOptions::new();
    permissions::like(options.write(true).create_new(true), &entry.permissions);
    let mut file = match options.open(path) {
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists && matches!(destination, Destination::Resumed(_)) =>
        {
            // It is left from an interrupted run, and may be read-only.
            fs::remove_file(path)?;
            options.open(path)?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            destination.root().map_or(Ok(()), |root| make_parents(root, path))?;
            options.open(path)?
        }
        opened => opened?,
    };
    let outcome =
        write(plain(&mut file)).and_then(|written| Ok(finish(&file, entry, written, full_mode).map(|()| written)?));
    if !matches!(outcome, Ok(Written::Whole | Written::Partly)) {
        let _ = fs::remove_file(path);
    }
    outcome.map(drop)
}

fn write_beside(
    path: &Path,
    entry: &Entry,
    write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
) -> Result<(), JobError> {
    let written = atomic_file::write_beside(path, |file| match write(plain(file.as_file_mut()))? {
        Written::Discarded => Ok(Rename::Discard),
        written => Ok(finish(file.as_file(), entry, written, &FullMode::default()).map(|()| Rename::Replace)?),
    });
    written.map(drop)
}

/// Returns an output file without a journal entry.
fn plain(file: &mut File) -> OutputFile<'_> {
    OutputFile { sink: Sink::File(file), changes: None }
}

/// Creates the parent folders of `path` below `root`. Symbolic links in their places are replaced.
fn make_parents(root: &Path, path: &Path) -> io::Result<()> {
    let below = path.parent().and_then(|parent| parent.strip_prefix(root).ok());
    let mut folder = root.to_owned();
    for name in below.into_iter().flatten() {
        folder.push(name);
        make_one_folder(&folder)?;
    }
    Ok(())
}

/// Creates a folder, unless another thread does. Replaces a symbolic link or a file.
fn make_one_folder(path: &Path) -> io::Result<()> {
    if is_folder(path) {
        return Ok(());
    }
    let _ = fs::remove_file(path);
    make_private_folder(path).or_else(|error| if is_folder(path) { Ok(()) } else { Err(error) })
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// Sets the permissions of the source and, if the file is complete, its modification time last: `is_done` relies on it.
fn finish(file: &File, entry: &Entry, written: Written, full_mode: &FullMode) -> io::Result<()> {
    full_mode.complete(file, &entry.permissions)?;
    match written {
        Written::Whole => set_time(file, entry.modified),
        Written::Partly | Written::Discarded => Ok(()),
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
fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn symlink(_target: &Path, _path: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "symbolic links are not copied on this system"))
}
