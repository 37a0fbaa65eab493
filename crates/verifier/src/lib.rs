#![doc = include_str!("../README.md")]

mod archive;
mod attributes;
mod base;
mod body;
mod codebase;
mod css;
mod document;
mod entities;
mod escapes;
mod heading;
mod html;
pub mod literal;
mod markup;
mod mbox;
mod meaning;
mod message;
mod namespaces;
mod pair;
mod references;
mod settings;
mod stored;
mod temporary;
mod text;
mod tree;
mod values;
mod verdict;
mod xml;

pub use archive::{WarcOutput, verify_archive, verify_unconverted, verify_wacz};
pub use base::{Siblings, Surroundings};
pub use document::verify_document;
pub use mbox::verify_mbox;
pub use message::verify_message;
pub use settings::{
    BaseElement, Digests, HeaderFields, HttpHeaders, LocalUrls, Profile, Purpose, SameDocument, Settings, Signatures,
    Spelling, Standard, UnknownName,
};
pub use stored::Stored;
pub use verdict::{Counts, Difference, Rule, Verdict};
