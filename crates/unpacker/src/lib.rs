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
mod site_path;

pub use charset::{DeclaredCharset, declare};
pub use error::UnpackError;
pub use file::File;
pub use plan::{Plan, plan};
pub use single::Single;
pub use site_path::{folded_path, numbered, relative_reference, site_path};
