//! One document: its bases, the status of its links, and its edits.

pub(crate) mod ascii;
pub(crate) mod base_element;
pub(crate) mod bases;
pub(crate) mod classify;
pub(crate) mod context;
pub(crate) mod given;
pub(crate) mod mapped;
pub(crate) mod out_of_reach;
pub(crate) mod placeholder;
pub(crate) mod placeholder_resolution;
pub(crate) mod plan;
pub(crate) mod preview;
pub(crate) mod saved_links;
pub(crate) mod tallies;
pub(crate) mod typo;
