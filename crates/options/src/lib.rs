#![doc = include_str!("../README.md")]

mod archives;
mod documents;
mod messages;
mod profile;

pub use archives::{Digests, HttpHeaders, WarcOutput};
pub use documents::{BaseElement, FeedBase, Purpose, RelativeLinks, SameDocument, Spelling};
pub use messages::{HeaderFields, Signatures};
pub use profile::Profile;
