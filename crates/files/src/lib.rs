#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod bundle;
mod collect;
mod discover;
mod disk;
mod error;
mod input;
mod inspect;
mod journal;
#[cfg(any(test, fuzzing))]
pub mod laws;
mod limits;
mod message_file;
mod open;
mod output;
mod run;

pub use absolve_framing::bundle::os_path;
pub use bundle::format::BundleFormat;
pub use collect::{collect, collect_reader};
pub use discover::url_table::{UNPACKED, UrlTable, read_urls};
pub use disk::atomic_file::{folder_of, have_same_bytes, is_temporary};
pub use disk::lock::lock;
pub use disk::new_file::{Existing, NewFile, replace_in};
pub use disk::open_folder::OpenFolder;
pub use disk::ordered_spool::OrderedSpool;
pub use disk::permissions::{common_permissions, make_folders};
pub use disk::printable::{ShownLines, shown, shown_json};
pub use error::refusal::Refusal;
pub use error::{Action, FileError};
pub use input::entry::{Attributes, Collection, Entry, Provenance};
pub use input::globs::Globs;
pub use input::kind::{EntryKind, compression_refusal, is_bundle_name, type_of_named};
pub use input::selection::{Layout, Selection, UrlList};
pub use input::symlinks::Symlinks;
pub use input::walk::folder_url;
pub use inspect::{Inspection, inspect_all, inspect_one, start_pages, visit_archives};
pub use journal::revert::{RevertReport, Reverting, revert};
pub use journal::write::{Journal, JournalError};
pub use limits::{MESSAGE_FILE_BYTES, longest};
pub use open::{PageOrigin, origin_of, retrieval_of_message};
pub use output::destination::Destination;
pub use output::diff::Colour;
pub use output::in_place::{InPlace, Sync};
pub use output::settings::{Diffs, Output, Unchanged};
pub use output::staged_folder::{NewFolder, OutputError, Resume};
pub use output::table::{Cell, Column, Content, Given, Way};
pub use run::container_job::path_beside_arc;
pub use run::{Listener, RunEvent, RunReport, rewrite_all};
