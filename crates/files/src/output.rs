//! Output: files, folders, backups and diffs.

pub(crate) mod backup;
pub(crate) mod destination;
pub(crate) mod diff;
pub(crate) mod file;
pub(crate) mod in_place;
pub(crate) mod settings;
pub(crate) mod slot;
pub(crate) mod staged_folder;
pub(crate) mod table;
