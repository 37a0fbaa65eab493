//! The commands, one module each.

pub(crate) mod base;
pub(crate) mod check;
mod html_report;
mod inspect;
pub(crate) mod links;
mod listing;
pub(crate) mod pack;
pub(crate) mod resolve;
pub(crate) mod revert;
pub(crate) mod rewrite;
mod table;
pub(crate) mod unpack;
pub(crate) mod verify;
