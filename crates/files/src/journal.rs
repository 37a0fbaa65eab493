//! The journal of runs in place: written, read and reverted.

pub(crate) mod entry;
pub(crate) mod moved;
pub(crate) mod read;
pub(crate) mod revert;
pub(crate) mod write;
