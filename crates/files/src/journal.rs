//! What a run in place changed, and how that is undone.

pub(crate) mod entry;
pub(crate) mod read;
pub(crate) mod revert;
pub(crate) mod write;
