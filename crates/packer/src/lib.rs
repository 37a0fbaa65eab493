#![doc = include_str!("../README.md")]

mod error;
mod gather;
mod header;
mod id;
mod limits;
mod message;
mod pack;
mod request;
mod resource;
mod rewriting;
mod text;
mod tree;

pub use error::PackError;
pub use header::{Header, HeaderError};
pub use pack::{Embedded, Packed, pack};
pub use request::{ContentBase, Embed, Format, PlainText, Request};
pub use tree::Tree;
