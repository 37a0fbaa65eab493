#![doc = include_str!("../README.md")]

mod document;
mod entity;
mod finding;
mod findings;
#[doc(hidden)]
pub mod internal;
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
pub mod results;
mod rewriter;
pub mod settings;

pub use absolve_base::{Layer, Profile};
pub use absolve_links::{DocumentType, Group};
pub use absolve_resolver::{BaseUrl, Standard};

pub use finding::{Code, Finding};
pub use list::{ListedLink, Listing};
pub use options::{BaseElement, FeedBase, HeaderFields, Options, Purpose, SameDocument, Signatures, Spelling};
pub use provenance::retrieval_url::BaseError;
pub use report::{Cause, Counts, DocumentReport, Status};
pub use rewriter::{Page, Rewriter, Rewritten, RewrittenBytes};
