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

/// A file to embed.
#[derive(Debug, Default)]
pub(crate) struct File {
    /// Below the folder.
    pub(crate) path: PathBuf,
    /// Its URL without a fragment, in ASCII, if it is known.
    pub(crate) location: Option<String>,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// Whether it has links that stay relative, because their original targets are not known.
    pub(crate) leaves_links: bool,
    /// Its own links to files of the message.
    pub(crate) embedded_links: Vec<EmbeddedLink>,
}

/// An embedded file.
#[derive(Debug)]
pub(crate) struct Resource {
    /// Below the folder.
    pub(crate) path: PathBuf,
    /// Its URL without a fragment, in ASCII, if it is known.
    pub(crate) location: Option<String>,
    pub(crate) content_id: String,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// Of a style, the bytes as they are put into the page, if its links that stay relative are written otherwise there.
    pub(crate) within_page: Option<Vec<u8>>,
    /// Whether they differ from those of the file.
    pub(crate) is_changed: bool,
    /// As in [`File`].
    pub(crate) leaves_links: bool,
    /// The number of links to it.
    pub(crate) links: usize,
}
