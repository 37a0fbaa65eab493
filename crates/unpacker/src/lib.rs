#![doc = include_str!("../README.md")]

mod address;
mod charset;
mod error;
mod file;
mod limits;
mod names;
mod part_links;
mod plan;
mod root;
mod safe_name;
mod single;

pub use error::UnpackError;
pub use file::File;
pub use plan::{Plan, plan};
pub use single::Single;
