//! The destination of the files of a run.

use std::fs;
use std::path::{Path, PathBuf};

use absolve_framing::Compression;

use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
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
    /// Nothing is written of what would go to these places: a dry run.
    Nowhere(Vec<Column>),
}

impl Destination {
    /// Returns the output folder, if the destination is a folder.
    pub(crate) fn root(&self) -> Option<&Path> {
        match self {
            Self::NewFolder(root) | Self::Resumed(root) | Self::Folder(root) => Some(root),
            _ => None,
        }
    }

    /// Returns where files are written, as the table names it: in a dry run as if it was one file, or in place.
    pub(crate) fn column(&self) -> Column {
        match self {
            Self::NewFolder(_) | Self::Resumed(_) | Self::Folder(_) => Column::Folder,
            Self::Nowhere(columns) if columns.contains(&Column::InPlace) => Column::InPlace,
            Self::File(_) | Self::Nowhere(_) => Column::File,
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
            Self::StandardOutput | Self::Bundle | Self::Nowhere(_) => false,
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
            Self::Bundle | Self::Nowhere(_) => None,
        }
    }

    /// Returns whether an interrupted run has written this entry completely: the modification time is set last.
    pub(crate) fn is_done(&self, entry: &Entry) -> bool {
        let Self::Resumed(root) = self else { return false };
        let path = root.join(&entry.path);
        let (Ok(metadata), modified) = (fs::symlink_metadata(&path), entry.attributes.modified) else { return false };
        match entry.kind {
            EntryKind::Symlink(_) => {
                metadata.is_symlink() && fs::read_link(&path).ok() == fs::read_link(&entry.source).ok()
            }
            _ => metadata.is_file() && metadata.modified().ok() == modified && modified.is_some(),
        }
    }
}
