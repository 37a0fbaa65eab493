//! One document: its bases, and what becomes of each of its links.

pub(crate) mod ascii;
pub(crate) mod base_element;
pub(crate) mod bases;
pub(crate) mod charset;
pub(crate) mod classify;
pub(crate) mod context;
pub(crate) mod edits;
pub(crate) mod local_only;
pub(crate) mod placeholder;
pub(crate) mod saved_links;
