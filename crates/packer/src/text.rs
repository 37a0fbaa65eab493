//! What is extracted from the page: its title, and its text for readers without HTML.

mod blocks;
mod outline;
pub(crate) mod plain_text;
pub(crate) mod title;
