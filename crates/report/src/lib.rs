#![doc = include_str!("../README.md")]

mod collector;
mod document;
mod explanation;
mod facts;
mod hosts;
mod page;
mod prefix;
mod state;
mod text;
mod totals;

pub use collector::Collector;
pub use document::Document;
pub use explanation::{Explanation, explanation};
pub use facts::{Facts, Kind, Verdict};
pub use state::PAGE_BYTES;
pub use text::{count, number};
