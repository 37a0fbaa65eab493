#![doc = include_str!("../README.md")]

mod bases;
mod entity;
mod finding;
mod judge;
mod local;
mod options;
mod placeholder;
mod rewrite;

pub use entity::{Entity, Part};
pub use finding::{Code, Finding};
pub use judge::{Cause, Status};
pub use local::LocalFiles;
pub use options::{BaseElement, Options, SameDocument};
pub use rewrite::{Counts, Report, base_of, edits_of, rewrite};
