#![doc = include_str!("../README.md")]

mod bundle;
mod error;
mod gather;
mod header;
mod id;
mod inline;
mod limits;
mod message;
mod pack;
mod request;
mod resource;
mod rewriting;
mod text;
mod tree;

pub use bundle::{digest, write_to_mbox};
pub use error::PackError;
pub use header::{Header, HeaderError};
pub use pack::{Embedded, Packed, Within, pack};
pub use request::{ContentBase, CssImages, Embed, Format, PlainText, Request};
pub use tree::Tree;
