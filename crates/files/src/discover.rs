//! Discovers the URLs that files were retrieved from.

mod converted;
pub(crate) mod copies;
pub(crate) mod file_names;
pub(crate) mod httrack;
pub(crate) mod known_urls;
mod manifests;
mod mirror;
pub(crate) mod mirror_layout;
pub(crate) mod property_list;
mod site;
pub(crate) mod twins;
pub(crate) mod url_table;
pub(crate) mod url_table_lines;
pub(crate) mod wget_log;
pub(crate) mod xattr;
