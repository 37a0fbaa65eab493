//! Files of a message, and the links to them.

use std::path::PathBuf;

/// A link to a file of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EmbeddedLink {
    /// Its first byte in its document.
    pub(crate) start: usize,
    /// The part of the reference after the path of the file, from its `#`.
    pub(crate) fragment: String,
    /// The index of the file.
    pub(crate) file: usize,
}

/// A file of the message: gathered, and then rewritten.
#[derive(Debug, Default)]
pub(crate) struct Resource {
    /// Below the folder.
    pub(crate) path: PathBuf,
    /// Its URL without a fragment, in ASCII, if it is known.
    pub(crate) location: Option<String>,
    pub(crate) content_id: String,
    pub(crate) media_type: &'static str,
    /// Those of the file, until it is rewritten.
    pub(crate) bytes: Vec<u8>,
    /// Of a style, the bytes as they are put into the page, if its links that stay relative are written otherwise there.
    pub(crate) within_page: Option<Vec<u8>>,
    /// Whether its bytes differ from those of the file.
    pub(crate) is_changed: bool,
    /// Whether it has links that stay relative, because their original targets are not known.
    pub(crate) leaves_links: bool,
    /// Its own links to files of the message.
    pub(crate) embedded_links: Vec<EmbeddedLink>,
    /// The number of links to it.
    pub(crate) links: usize,
}
