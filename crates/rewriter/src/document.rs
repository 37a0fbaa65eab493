//! One document: its bases, the status of its links, and its edits.

pub(crate) mod around;
pub(crate) mod ascii;
pub(crate) mod base_element;
pub(crate) mod bases;
pub(crate) mod classify;
pub(crate) mod context;
pub(crate) mod out_of_reach;
pub(crate) mod placeholder;
pub(crate) mod plan;
pub(crate) mod saved_links;
pub(crate) mod sight;
pub(crate) mod slip;
pub(crate) mod tallies;
