//! Files on the disk: written as a whole or not at all, with the right permissions.

pub(crate) mod atomic_file;
pub(crate) mod ordered_spool;
pub(crate) mod permissions;
pub(crate) mod printable;
