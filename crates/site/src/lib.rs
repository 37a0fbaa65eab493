#![doc = include_str!("../README.md")]

mod content;
mod entry;
mod index;
mod limits;
mod list;
mod looks;
mod names;
mod page;
mod sheets;
mod site;
mod snapshot_row;
mod start;
mod table;
mod urls;

pub use content::{IsThere, SiteFile, Write, Written, each_file, each_sheet, unpack, unpack_sheets};
pub use index::{Indexing, index};
pub use list::{Host, Hosts, URLS, write_more_urls, write_urls};
pub use page::{INDEX, PageOf, write_page};
pub use site::{Site, Skipped};
pub use start::{Starts, starts};
