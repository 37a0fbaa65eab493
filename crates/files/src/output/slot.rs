//! The slot of one file in the output of a run: writes it where it goes.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use absolve_rewriter::Finding;

use crate::bundle::replacements::Replacements;
use crate::disk::atomic_file::{Rename, folder_of, set_time, write_in};
use crate::disk::open_folder::OpenFolder;
use crate::disk::ordered_spool::SpoolWriter;
use crate::disk::permissions::{FullMode, OWNER, make_folders, mode_of, narrow_folder};
use crate::disk::standard_output::{open_device, standard_output};
use crate::error::{Action, FileError};
use crate::input::entry::{Entry, Storage};
use crate::output::destination::Destination;
use crate::output::diff::Diff;
use crate::output::file::{JobError, OutputFile, Sink, Written};
use crate::output::in_place::{change, hard_link_finding};
use crate::output::settings::{Output, Unchanged};
use crate::output::staged_folder::open_new;
use crate::output::table::{Cell, Column, Content};

/// The slot of one file in the output of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<'s> {
    pub(crate) settings: Output<'s>,
    /// The destination of the file: that of the run, or the bundle that it is a member of.
    pub(crate) destination: &'s Destination,
    /// Receives it if it is a member that changes.
    pub(crate) replacements: Option<&'s Replacements>,
    shared: &'s Shared,
    /// The index of the file among the entries.
    place: usize,
}

/// What the files of a run share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// What is known of the permissions of new files.
    full_mode: FullMode,
    /// The output folder, opened once.
    root: OnceLock<OpenFolder>,
}

impl<'s> Slot<'s> {
    /// Returns the first slot of a run.
    pub(crate) fn first(settings: Output<'s>, shared: &'s Shared) -> Self {
        Self { settings, destination: settings.destination, replacements: None, shared, place: 0 }
    }

    /// Returns the slot of the file at this place.
    pub(crate) fn at(self, place: usize) -> Self {
        Self { place, ..self }
    }

    /// Returns the slot of a member of this bundle. `replacements` receives it, or it is written when it is its turn.
    pub(crate) fn of_member(self, replacements: Option<&'s Replacements>) -> Self {
        Self { destination: &Destination::Bundle, replacements, ..self }
    }

    /// Returns the diff to write for an entry, if diffs are collected.
    pub(crate) fn diff(self, entry: &Entry) -> Option<Diff<SpoolWriter<'s>>> {
        self.settings.diffs.map(|diffs| diffs.diff(&entry.source, self.place))
    }

    /// Returns whether unchanged files are copied.
    pub(crate) fn copies(self) -> bool {
        let is_elsewhere =
            !matches!(self.destination, Destination::InPlace | Destination::Bundle | Destination::Nowhere(_));
        self.settings.unchanged == Unchanged::Copy && is_elsewhere
    }

    /// Returns how an entry is written, or why not. What is in a ZIP or tar file changes in place with it.
    pub(crate) fn cell(self, entry: &Entry, content: Content) -> Cell {
        let way = content.to(entry.member().map_or(self.settings.destination.column(), |_| Column::Member))?;
        self.settings.allow(content, Column::InPlace).map(|()| way)
    }

    /// Writes an entry; `write` writes the contents of its file.
    pub(crate) fn write(
        self,
        entry: &Entry,
        write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
    ) -> Option<FileError> {
        let is_maildir_message = !entry.record.is_empty() && entry.member().is_none();
        let written = match self.settings.allow(Content::MaildirMessage, Column::Backup) {
            Err(why) if is_maildir_message => Err(JobError::Write(why.into())),
            _ => match self.replacements {
                Some(replacements) => replace_member(replacements, entry, write),
                None => self.write_file(entry, write),
            },
        };
        self.failure(entry, written)
    }

    /// Returns the error of a job with the path of its input or output.
    pub(crate) fn failure(self, entry: &Entry, outcome: Result<(), JobError>) -> Option<FileError> {
        let (action, error) = match outcome.err()? {
            JobError::Read(error) => return Some(FileError::new(&entry.source, Action::Read, error)),
            JobError::Write(error) => (Action::Write, error),
        };
        let path = self.destination.path_of(entry).unwrap_or_else(|| entry.source.clone());
        Some(FileError::new(&path, action, error))
    }

    /// Copies the symbolic link of an entry.
    pub(crate) fn link(self, entry: &Entry) -> Option<FileError> {
        self.in_root(entry, |root| {
            root.make_folders_around(&entry.path, OWNER)?;
            root.link_to(&fs::read_link(&entry.source)?, &entry.path)
        })
    }

    /// Creates the folder of an entry. Until [`Slot::finish_folder`] its owner may write into it, and others have at most the
    /// permissions of the source.
    ///
    /// Replaces a symbolic link or a file at that path: nothing is written through a link.
    pub(crate) fn make_folder(self, entry: &Entry) -> Option<FileError> {
        self.in_root(entry, |root| {
            root.make_folders_around(&entry.path, OWNER)?;
            root.make_folder(&entry.path, OWNER)?;
            root.change(&entry.path, |folder| narrow_folder(folder, &entry.attributes.permissions))
        })
    }

    /// Sets the modification time and the permissions of a folder, if it was created, to those of its source.
    pub(crate) fn finish_folder(self, entry: &Entry) -> Option<FileError> {
        self.in_root(entry, |root| {
            let finished = root.change(&entry.path, |folder| {
                // Other systems cannot open folders.
                if cfg!(unix) {
                    set_time(folder, entry.attributes.modified)?;
                }
                folder.set_permissions(entry.attributes.permissions.clone())
            });
            finished.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
        })
    }

    /// Returns the finding about an entry with other hard links, if it is changed in place.
    pub(crate) fn hard_link_finding(self, entry: &Entry) -> Option<Finding> {
        let is_in_place = *self.destination == Destination::InPlace;
        is_in_place.then(|| hard_link_finding(entry, self.settings.in_place)).flatten()
    }

    /// Copies an entry, if unchanged files are copied.
    pub(crate) fn copy(self, entry: &Entry) -> Option<FileError> {
        self.copy_as(entry, Written::Whole)
    }

    /// Copies an entry after `errors`. After an error in the data, an output folder gets a copy that a resumed run writes
    /// again, and a single file is not written. After an error of the system nothing is written.
    pub(crate) fn copy_after(self, entry: &Entry, errors: &[FileError]) -> Option<FileError> {
        match errors {
            [] => self.copy(entry),
            _ if errors.iter().any(FileError::is_of_system) => None,
            _ => self.copy_damaged(entry),
        }
    }

    /// Copies an entry with an error in its data into an output folder, so that a resumed run writes it again.
    pub(crate) fn copy_damaged(self, entry: &Entry) -> Option<FileError> {
        self.destination.root().and_then(|_| self.copy_as(entry, Written::Partly))
    }

    fn copy_as(self, entry: &Entry, written: Written) -> Option<FileError> {
        if !self.copies() {
            return None;
        }
        match entry.open() {
            Ok(mut source) => self.write(entry, |mut output| Ok(output.sink.copy(&mut source).map(|_| written)?)),
            Err(error) => Some(FileError::new(&entry.source, Action::Read, error)),
        }
    }

    fn write_file(
        self,
        entry: &Entry,
        write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
    ) -> Result<(), JobError> {
        let Some(path) = self.destination.path_of(entry) else { return Ok(()) };
        match self.destination {
            Destination::InPlace => change(entry, &path, self.settings.in_place, write),
            Destination::Folder(_) => {
                let root = self.shared.root(self.destination)?;
                root.make_folders_around(&entry.path, OWNER)?;
                write_beside(&root.around(&entry.path)?, &path, entry, write)
            }
            Destination::NewFolder(_) | Destination::Resumed(_) => self.write_directly(entry, write),
            Destination::StandardOutput => write(plain(&mut standard_output()?)).map(drop),
            // A device or a FIFO is written to, not replaced.
            Destination::File(_) if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) => {
                write(plain(&mut open_device(&path)?)).map(drop)
            }
            _ => write_beside(&OpenFolder::at(folder_of(&path))?, &path, entry, write),
        }
    }

    /// Writes a file of a folder that is renamed once complete. It has at most the permissions of its source.
    fn write_directly(
        self,
        entry: &Entry,
        write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
    ) -> Result<(), JobError> {
        let root = self.shared.root(self.destination)?;
        let create = || root.create(&entry.path, mode_of(&entry.attributes.permissions));
        let is_resumed = matches!(self.destination, Destination::Resumed(_));
        let mut file = match create() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_resumed => {
                // It is left from an interrupted run, and may be read-only.
                root.remove(&entry.path)?;
                create()?
            }
            Err(_) => {
                root.make_folders_around(&entry.path, OWNER)?;
                create()?
            }
            Ok(created) => created,
        };
        let outcome = write(plain(&mut file))
            .and_then(|written| Ok(finish(&file, entry, written, &self.shared.full_mode).map(|()| written)?));
        if !matches!(outcome, Ok(Written::Whole | Written::Partly)) {
            let _ = root.remove(&entry.path);
        }
        outcome.map(drop)
    }

    /// Does something in the output folder, if there is one.
    fn in_root(self, entry: &Entry, work: impl FnOnce(&OpenFolder) -> io::Result<()>) -> Option<FileError> {
        self.destination.root()?;
        let done = self.shared.root(self.destination).and_then(work);
        self.failure(entry, done.map_err(JobError::Write))
    }
}

impl Shared {
    /// Returns the output folder, which is created if it does not exist.
    fn root(&self, destination: &Destination) -> io::Result<&OpenFolder> {
        if let Some(root) = self.root.get() {
            return Ok(root);
        }
        let path = destination.root().unwrap_or(Path::new("."));
        let root = match destination {
            Destination::Folder(_) => make_folders(path).and_then(|()| OpenFolder::at(path))?,
            // Only runs use this name, so a symbolic link there was put by another program.
            _ => open_new(path)?,
        };
        Ok(self.root.get_or_init(|| root))
    }
}

/// Keeps what `write` writes as the new contents of a member. A message of a Maildir may have a new name.
fn replace_member(
    replacements: &Replacements,
    entry: &Entry,
    write: impl FnOnce(OutputFile<'_>) -> Result<Written, JobError>,
) -> Result<(), JobError> {
    let Storage::Member(bundle, index) = &entry.storage else { return Ok(()) };
    let mut member = replacements.writer(bundle.packing(*index));
    if write(OutputFile { sink: Sink::Member(&mut member), changes: None })? == Written::Discarded {
        return Ok(());
    }
    let name = entry.path.file_name().filter(|name| entry.source.file_name() != Some(*name));
    let name = name.map(|name| bundle.members()[*index].with_last_segment(name.as_encoded_bytes()));
    Ok(member.finish(*index, name)?)
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
    full_mode.complete(file, &entry.attributes.permissions)?;
    match written {
        Written::Whole => set_time(file, entry.attributes.modified),
        Written::Partly | Written::Discarded => Ok(()),
    }
}
