#![doc = include_str!("../README.md")]

mod document;
mod entity;
mod finding;
mod findings;
#[cfg(any(test, fuzzing))]
pub mod laws;
mod limits;
mod list;
mod options;
mod plan;
mod position;
mod provenance;
mod reasons;
mod report;
mod rewriter;

// The entrance, and what it takes and returns.
pub use finding::{Code, Conflict, Done, Finding, KeptPlaceholder, Remedy, Values};
pub use list::{ListedLink, Listing};
pub use options::{
    Annotations, BaseElement, Detail, FeedBase, HeaderFields, Options, Purpose, SameDocument, Signatures, Spelling,
};
pub use provenance::message_url::MessageUrl;
pub use provenance::retrieval_url::{BaseError, RetrievedFrom, retrieval_url};
pub use report::shown::{HostLinks, Shown, ShownLink};
pub use report::{Cause, Counts, DocumentReport, OutOfReach, Status, Unclear};
pub use rewriter::{Page, Rewriter, Rewritten, RewrittenBytes, UnknownCharset, charset};

// What these are made of elsewhere, so that a caller needs this crate only.
pub use absolve_base::{Base, Declaration, Field, Layer, Place, Profile, Retrieval, Rules, UrlSource};
pub use absolve_links::{DocumentType, Edits, Group, InvalidPattern, Patterns, Row, Table};
pub use absolve_resolver::{BaseUrl, Standard};

// One step below it: an entity that was put together by a caller who knows more of its origin than one URL.
pub use entity::Entity;
pub use entity::capture::Capture;
pub use entity::contents::{Content, Contents};
pub use entity::header::Disposition;
pub use entity::leaves::{Child, Composite, Leaf};
pub use entity::part::Part;
pub use entity::siblings::{MESSAGE_BASE, part_key};
pub use list::links_of;
pub use list::response::links_of_response;
pub use list::unsearched::Unsearched;
pub use plan::{Plan, base_of, edits_of, plan, rewrite};
pub use position::{Position, Positions};
pub use provenance::local_files::LocalFiles;
pub use reasons::Reasons;
pub use report::{PinnedLink, Report};

// Where a document comes from: for those who read files.
pub use provenance::local_copies::LocalCopies;
pub use provenance::marks::{BYTES_OF_MARKS, CommentedBase};
pub use provenance::origin::{Origin, origin};
pub use provenance::retrieval::{Discover, Discovery, Known, Links, Originals, Saver, Scheme, WaybackLinks};
pub use provenance::urls::{decode_percent, escaped, is_page_url, slashed, url_below, without_login};
pub use provenance::wayback::ArchivePrefix;

// What containers share with the messages and documents in them.
pub use entity::header::{MediaType, body_start, media_type};
pub use finding::packing::Packing;
pub use findings::{charset_does_not_fit, document_too_long, message_too_long, packed};
pub use report::Event;

// How a reference or target is spelled: for those who write documents of their own.
pub use document::ascii::ascii;
pub use document::placeholder::{begins_with_placeholder, first_placeholder, holds_placeholder};
