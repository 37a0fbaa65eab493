#![doc = include_str!("../README.md")]
// What only messages need of other modules is small.
#![cfg_attr(not(feature = "mail"), allow(dead_code))]

mod document;
mod entity;
mod finding;
mod findings;
#[cfg(feature = "mail")]
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

pub use absolve_base::{Layer, Profile};
pub use absolve_links::{DocumentType, Group};
pub use absolve_resolver::{BaseUrl, Standard};

pub use finding::{Code, Finding};
pub use list::{ListedLink, Listing};
pub use options::{BaseElement, FeedBase, HeaderFields, Options, Purpose, SameDocument, Signatures, Spelling};
pub use provenance::retrieval_url::BaseError;
pub use report::{Cause, Counts, DocumentReport, Status};
pub use rewriter::{Page, Rewriter, Rewritten, RewrittenBytes};

/// Types of options that few programs set.
pub mod settings {
    pub use absolve_base::Rules;
    pub use absolve_links::{InvalidPattern, Patterns, Row, Table};

    pub use crate::options::charset::{UnknownCharset, charset};
    pub use crate::options::given_bases::FolderUrl;
    pub use crate::options::url_map::{MapError, UrlMap};
    pub use crate::options::{Annotations, Detail, RelativeLinks};
    pub use crate::provenance::local_files::LocalFiles;
    pub use crate::provenance::message_url::MessageUrl;
    pub use crate::provenance::retrieval_url::RetrievedFrom;
}

/// What the fields of results are made of.
pub mod results {
    pub use absolve_links::Edits;

    pub use crate::finding::{Conflict, Done, KeptPlaceholder, Remedy, Values};
    pub use crate::list::unsearched::Unsearched;
    pub use crate::position::Position;
    pub use crate::report::shown::{HostLinks, Shown, ShownLink};
    pub use crate::report::{OutOfReach, Unclear};
}

/// What the other crates of the program take from this one. It changes with any version.
#[doc(hidden)]
pub mod internal {
    pub use absolve_base::{Base, Declaration, Field, Place, Retrieval, UrlSource};
    pub use absolve_links::declares_base;

    // An entity that was put together by a caller who knows more of its origin than one URL.
    pub use crate::entity::Entity;
    pub use crate::entity::capture::Capture;
    pub use crate::entity::part::Part;
    pub use crate::entity::siblings::content_ids::{cid_keys, cid_url, id_keys};
    pub use crate::entity::siblings::{MESSAGE_BASE, part_key};
    pub use crate::list::row::LinkRow;
    pub use crate::list::{VisitLink, links_of, visit_links};
    pub use crate::options::named::{InvalidOption, OPTIONS, OptionValue, Shape, named, named_options};
    pub use crate::plan::{Plan, base_of, edits_of, plan, plan_and_list, rewrite};
    pub use crate::position::Positions;
    pub use crate::reasons::Reasons;
    pub use crate::report::{PinnedLink, Report};

    // Messages, and the headers of responses.
    #[cfg(feature = "mail")]
    pub use crate::{
        entity::contents::{Content, Contents},
        entity::header::Disposition,
        entity::leaves::{Child, Composite, Leaf},
        list::response::links_of_response,
        rewriter::Kind,
    };

    // Where a document comes from: for those who read files.
    pub use crate::provenance::copy_names::page_of_copies;
    pub use crate::provenance::local_copies::{LocalCopies, LocalPaths};
    pub use crate::provenance::marks::{BYTES_OF_MARKS, CommentedBase, SavedBase, saved_by_firefox};
    pub use crate::provenance::origin::{Origin, origin};
    pub use crate::provenance::retrieval::{Discover, Discovery, Known, Links, Originals, Saver, Scheme, WaybackLinks};
    pub use crate::provenance::retrieval_url::retrieval_url;
    pub use crate::provenance::teleport::is_of_teleport;
    pub use crate::provenance::urls::{decode_percent, escaped, is_page_url, slashed, url_below, without_login};
    pub use crate::provenance::wayback::{ArchivePrefix, ReplayedCopy};

    // What containers share with the messages and documents in them.
    pub use crate::findings::{charset_does_not_fit, document_too_long, foreign_mailbox, message_too_long, packed};
    pub use crate::report::Event;

    // How a reference or target is spelled: for those who write documents of their own.
    pub use crate::document::ascii::{ascii, away_from};
    pub use crate::document::placeholder_resolution::target_of;
}
