#![doc = include_str!("../README.md")]

mod document;
mod edits;
mod entity;
mod finding;
mod findings;
#[cfg(any(test, fuzzing))]
pub mod laws;
mod limits;
mod list;
mod local_files;
mod options;
mod position;
mod provenance;
mod reasons;
mod report;

pub use document::ascii::ascii;
pub use document::local_only::is_out_of_reach;
pub use document::placeholder::{begins_with_placeholder, holds_placeholder};
pub use edits::{base_of, edits_of, rewrite};
pub use entity::Entity;
pub use entity::header::{MediaType, body_start, declarations, media_type};
pub use entity::header_chain::HeaderChain;
pub use entity::part::Part;
pub use finding::{Code, Finding};
pub use findings::{document_too_long, message_too_long, packed};
pub use list::{ListedLink, Listing, links_of};
pub use local_files::{LocalFiles, decode_percent};
pub use options::{BaseElement, Detail, HeaderFields, Options, Purpose, SameDocument, Signatures, Spelling};
pub use position::{Position, Positions};
pub use provenance::local_copies::LocalCopies;
pub use provenance::marks::BYTES_OF_MARKS;
pub use provenance::marks::CommentedBase;
pub use provenance::origin::{Origin, origin};
pub use provenance::retrieval::{Discover, Discovery, Known, Links, Retrieval, Saver, Scheme, UrlSource, WaybackLinks};
pub use provenance::urls::{escaped, is_page_url, slashed, url_below};
pub use reasons::Reasons;
pub use report::{
    Cause, Counts, DocumentReport, Event, PinnedLink, Report, Status, note_contents, note_digests, note_left_alone,
};
