#![doc = include_str!("../README.md")]

mod charset;
mod css;
mod document;
mod document_type;
mod field;
mod gather;
mod grammar;
mod html;
#[cfg(any(test, fuzzing))]
pub mod laws;
mod limits;
mod scan;
mod table;
mod text;
mod value;
mod xml;

pub use document::{Document, Refusal};
pub use document_type::{DocumentType, UnknownDocumentType};
pub use html::{Budgeted, Quote};
pub use scan::{Link, Place, Remark, RemarkKind, Scan, Scope};
pub use table::{Grammar, Group, ResolvesIn, Row, SameDocument, Syntax, Table, UnknownRow, When};
pub use value::decoded::Decoded;
pub use value::edits::Edits;
pub use value::reference::Reference;
pub use value::wrapping::Wrapping;
pub use value::wrappings::Wrappings;
