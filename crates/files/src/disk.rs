//! Atomic writes, permissions and temporary files.

#![expect(clippy::disallowed_methods, reason = "all other code writes through this module")]

pub(crate) mod atomic_file;
pub(crate) mod lock;
pub(crate) mod new_file;
pub(crate) mod open_folder;
pub(crate) mod ordered_spool;
pub(crate) mod permissions;
pub(crate) mod printable;
pub(crate) mod standard_output;
