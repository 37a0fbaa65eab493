#![doc = include_str!("../README.md")]

mod charset;
mod css;
mod document;
mod html;
mod limits;
mod table;
mod value;

pub use document::{Document, DocumentType, Link, Place, Refusal, Scan, Scope, UnknownDocumentType};
pub use html::Quote;
pub use table::{Grammar, Group, ResolvesIn, Row, SameDocument, Table};
pub use value::decoded::Decoded;
pub use value::edits::Edits;
pub use value::reference::Reference;
pub use value::wrapping::Wrapping;
