#![doc = include_str!("../README.md")]

mod base_element;
mod bases;
mod destination;
mod entity;
mod failure;
mod file;
mod file_type;
mod finding;
mod findings;
mod inspect;
mod judge;
#[cfg(test)]
mod laws;
mod lift;
mod limits;
mod listing;
mod local;
mod message;
mod options;
mod output;
mod placeholder;
mod reading;
mod retrieval;
mod rewrite;
mod run;
mod siblings;
mod source;
mod spelling;
mod transfer;

pub use destination::Destination;
pub use entity::{Entity, Part};
pub use failure::{Action, FileError};
pub use file_type::{FileType, UnknownFileType};
pub use finding::{Code, Finding};
pub use inspect::{Inspection, inspect_all};
pub use judge::{Cause, Status};
pub use lift::Signatures;
pub use listing::{ListedLink, Listing, links_of};
pub use local::LocalFiles;
pub use options::{BaseElement, Options, SameDocument, Spelling};
pub use output::{NewFolder, OutputError, Resume};
pub use retrieval::url_below;
pub use rewrite::{Counts, Pin, Report, base_of, edits_of, rewrite};
pub use run::{RunReport, Unchanged, rewrite_all};
pub use source::{Collection, Entry, EntryKind, Selection, collect, globs};
