#![doc = include_str!("../README.md")]

mod content;
mod gather;
mod heading;
mod limits;
mod loads;
mod message;
mod outline;
mod pack;
mod place;
mod plain_text;
mod request;
mod rewriting;
mod title;
mod tree;

pub use heading::{Heading, HeadingError};
pub use pack::{Embedded, PackError, Packed, pack};
pub use request::{ContentBase, Embed, Format, PlainText, Request};
pub use tree::Tree;
