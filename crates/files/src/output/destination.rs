//! The destination of the files of a run.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use absolve_containers::Compression;

use crate::disk::atomic_file::{Rename, folder_of, set_time, write_in};
use crate::disk::open_folder::OpenFolder;
use crate::disk::permissions::{FullMode, mode_of, narrow_folder};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::output::file::{JobError, OutputFile, Sink, Written};
use crate::output::in_place;
use crate::output::in_place::InPlace;
use crate::output::table::Column;

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

    /// Returns where files are written, as the table names it: in a dry run as if it was one file.
    pub(crate) const fn column(&self) -> Column {
        match self {
            Self::NewFolder(_) | Self::Resumed(_) | Self::Folder(_) => Column::Folder,
            Self::File(_) | Self::Nowhere => Column::File,
            Self::StandardOutput => Column::StandardOutput,
            Self::InPlace => Column::InPlace,
            Self::Bundle => Column::Member,
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
            Self::InPlace if !entry.record.is_empty() => {
                Some(entry.canonical_path().with_file_name(entry.path.file_name()?))
            }
            Self::InPlace => Some(entry.canonical_path()),
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
        state: &OutputState,
        write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
    ) -> Result<(), JobError> {
        let Some(path) = self.path_of(entry) else { return Ok(()) };
        match self {
            Self::InPlace => in_place::change(entry, &path, in_place, write),
            Self::Folder(root) => {
                let root = state.root(root)?;
                root.make_folders_around(&entry.path)?;
                write_beside(&root.around(&entry.path)?, &path, entry, write)
            }
            Self::NewFolder(_) | Self::Resumed(_) => self.write_directly(entry, state, write),
            Self::StandardOutput => write(plain(&mut standard_output()?)).map(drop),
            // A device or a FIFO is written to, not replaced.
            Self::File(_) if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) => {
                write(plain(&mut OpenOptions::new().write(true).open(path)?)).map(drop)
            }
            _ => write_beside(&OpenFolder::at(folder_of(&path))?, &path, entry, write),
        }
    }

    /// Writes a file of a folder that is renamed once complete. It has at most the permissions of its source.
    fn write_directly(
        &self,
        entry: &Entry,
        state: &OutputState,
        write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
    ) -> Result<(), JobError> {
        let Some(root) = self.open_root(state)? else { return Ok(()) };
        let create = || root.create(&entry.path, mode_of(&entry.permissions));
        let mut file = match create() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && matches!(self, Self::Resumed(_)) => {
                // It is left from an interrupted run, and may be read-only.
                root.remove(&entry.path)?;
                create()?
            }
            Err(_) => {
                root.make_folders_around(&entry.path)?;
                create()?
            }
            Ok(created) => created,
        };
        let outcome = write(plain(&mut file))
            .and_then(|written| Ok(finish(&file, entry, written, &state.full_mode).map(|()| written)?));
        if !matches!(outcome, Ok(Written::Whole | Written::Partly)) {
            let _ = root.remove(&entry.path);
        }
        outcome.map(drop)
    }

    fn open_root<'s>(&self, state: &'s OutputState) -> io::Result<Option<&'s OpenFolder>> {
        self.root().map(|root| state.root(root)).transpose()
    }

    /// Creates the folder of an entry. Until [`Destination::finish_folder`] its owner may write into it, and others
    /// have at most the permissions of the source.
    ///
    /// Replaces a symbolic link or a file at that path: nothing is written through a link.
    pub(crate) fn make_folder(&self, entry: &Entry, state: &OutputState) -> io::Result<()> {
        let Some(root) = self.open_root(state)? else { return Ok(()) };
        root.make_folders_around(&entry.path)?;
        root.make_folder(&entry.path)?;
        root.change(&entry.path, |folder| narrow_folder(folder, &entry.permissions))
    }

    /// Sets the modification time and the permissions of a folder, if it was created, to those of its source.
    pub(crate) fn finish_folder(&self, entry: &Entry, state: &OutputState) -> io::Result<()> {
        let Some(root) = self.open_root(state)? else { return Ok(()) };
        let finished = root.change(&entry.path, |folder| {
            // Other systems cannot open folders.
            if cfg!(unix) {
                set_time(folder, entry.modified)?;
            }
            folder.set_permissions(entry.permissions.clone())
        });
        finished.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
    }

    /// Copies the symbolic link of an entry.
    pub(crate) fn link(&self, entry: &Entry, state: &OutputState) -> io::Result<()> {
        let Some(root) = self.open_root(state)? else { return Ok(()) };
        root.make_folders_around(&entry.path)?;
        root.link_to(&fs::read_link(&entry.source)?, &entry.path)
    }
}

/// What the files of a run share.
#[derive(Debug, Default)]
pub(crate) struct OutputState {
    /// What is known of the permissions of new files.
    full_mode: FullMode,
    /// The output folder, opened once.
    root: OnceLock<OpenFolder>,
}

impl OutputState {
    /// Returns the output folder, which is created if it does not exist.
    fn root(&self, path: &Path) -> io::Result<&OpenFolder> {
        if let Some(root) = self.root.get() {
            return Ok(root);
        }
        fs::create_dir_all(path)?;
        let root = OpenFolder::at(path)?;
        Ok(self.root.get_or_init(|| root))
    }
}

/// Writes a file under a temporary name beside its path, and renames it once complete.
fn write_beside(
    folder: &OpenFolder,
    path: &Path,
    entry: &Entry,
    write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
) -> Result<(), JobError> {
    let written = write_in(folder, path.file_name().unwrap_or_default(), |file| match write(plain(file))? {
        Written::Discarded => Ok(Rename::Discard),
        written => Ok(finish(file, entry, written, &FullMode::default()).map(|()| Rename::Replace)?),
    });
    written.map(drop)
}

/// Returns an output file without a journal entry.
fn plain(file: &mut File) -> OutputFile<'_> {
    OutputFile { sink: Sink::File(file), changes: None }
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
