//! Reasons for not making a message.

use std::path::PathBuf;
use std::{error, fmt};

use absolve_rewriter::Finding;

/// The reason for not making a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackError {
    /// The input is not a single page of HTML or XHTML.
    NotAPage,
    /// It is left unread, for this reason.
    Unread(Finding),
    /// `Content-Base` was requested, but the URL of the document is not known.
    NoUrl,
    /// The message would be too long.
    TooLong {
        /// Its length in bytes, at least.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
        /// The file that exceeds the limit.
        path: Option<PathBuf>,
    },
}

impl fmt::Display for PackError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPage => formatter.write_str("a message is made of one page of HTML or XHTML"),
            Self::Unread(finding) => finding.fmt(formatter),
            Self::NoUrl => formatter.write_str("to declare a base, the URL of the document has to be known"),
            Self::TooLong { bytes, limit, path } => {
                let with = path.as_ref().map(|path| format!(" with {}", path.display())).unwrap_or_default();
                write!(formatter, "the message would have at least {bytes} bytes{with}, and the limit is {limit}")
            }
        }
    }
}

impl error::Error for PackError {}
