//! Web archives: what their records hold, and the syntax of what is written to them.

#[cfg(feature = "archives")]
mod digest;
#[cfg(feature = "archives")]
pub(crate) mod document;
#[cfg(feature = "archives")]
pub(crate) mod fixity;
#[cfg(feature = "archives")]
pub(crate) mod index_row;
#[cfg(feature = "archives")]
mod names;
#[cfg(feature = "archives")]
pub(crate) mod package;
pub(crate) mod response;
pub(crate) mod warc_record;
#[cfg(feature = "archives")]
pub(crate) mod wat;
#[cfg(feature = "archives")]
pub(crate) mod writing;
