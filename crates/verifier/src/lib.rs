#![doc = include_str!("../README.md")]

mod archive;
mod base;
mod bundle;
mod document;
mod mail;
mod map;
mod references;
mod resolution;
mod settings;
mod storage;
mod text;
mod values;
mod verdict;

pub use absolve_framing::FieldUrl;
pub use absolve_framing::bundle::without_sizes;
pub use archive::derived::revisits::Revisits;
pub use archive::wacz::verify_wacz;
pub use archive::{WarcOutput, verify_archive, verify_archive_of_run, verify_unconverted};
pub use base::{Declared, Lent, Retrieved, Siblings, Surroundings};
pub use bundle::{Bundle, verify_bundle};
pub use document::packed::unpacks_itself;
pub use document::unpacked::{UnpackedLinks, verify_unpacked};
pub use document::verify_document;
pub use mail::mbox::verify_mbox;
pub use mail::message::verify_message;
pub use mail::message_file::{decompressed, verify_compression, verify_message_file};
pub use settings::{
    BaseElement, Digests, FeedBase, HeaderFields, HttpHeaders, LocalUrls, Map, MessageUrl, Profile, Purpose,
    RelativeLinks, SameDocument, Settings, Signatures, Spelling, Standard,
};
pub use storage::Stored;
pub use verdict::{Counts, Difference, Rule, Verdict};
