//! Atomic writes, permissions and temporary files.

pub(crate) mod atomic_file;
pub(crate) mod lock;
pub(crate) mod open_folder;
pub(crate) mod ordered_spool;
pub(crate) mod permissions;
pub(crate) mod printable;
