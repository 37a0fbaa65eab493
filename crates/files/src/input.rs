//! Finds and selects the files of an input.

pub(crate) mod entry;
pub(crate) mod foreign;
pub(crate) mod globs;
pub(crate) mod kind;
pub(crate) mod maildir;
pub(crate) mod members;
pub(crate) mod names;
pub(crate) mod no_document;
pub(crate) mod selection;
pub(crate) mod symlinks;
pub(crate) mod unpacked;
pub(crate) mod walk;
