//! Reasons for not making a message.

use std::path::{Path, PathBuf};

use absolve_rewriter::Finding;
use thiserror::Error;

/// The reason for not making a message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PackError {
    /// The input is not a single page of HTML or XHTML.
    #[error("a message is made of one page of HTML or XHTML")]
    NotAPage,
    /// It is left unread, for this reason.
    #[error("{0}")]
    Unread(Finding),
    /// `Content-Base` was requested, but the URL of the document is not known.
    #[error("to declare a base, the URL of the document has to be known")]
    NoUrl,
    /// The message would be too long.
    #[error("the message would have at least {bytes} bytes{}, and the limit is {limit}", with(path.as_deref()))]
    TooLong {
        /// Its length in bytes, at least.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
        /// The file that exceeds the limit.
        path: Option<PathBuf>,
    },
}

fn with(path: Option<&Path>) -> String {
    path.map(|path| format!(" with {}", path.display())).unwrap_or_default()
}
