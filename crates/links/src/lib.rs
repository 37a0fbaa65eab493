#![doc = include_str!("../README.md")]

mod charset;
mod css;
mod document;
mod document_type;
mod html;
mod limits;
mod table;
mod value;

pub use document::{Document, Link, Place, Refusal, Scan, Scope};
pub use document_type::{DocumentType, UnknownDocumentType};
pub use html::Quote;
pub use table::{Grammar, Group, ResolvesIn, Row, SameDocument, Table, UnknownRow, When};
pub use value::decoded::Decoded;
pub use value::edits::Edits;
pub use value::reference::Reference;
pub use value::wrapping::Wrapping;
