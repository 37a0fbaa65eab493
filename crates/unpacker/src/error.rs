//! Reasons for not making a page.

use thiserror::Error;

use crate::limits::SINGLE_BYTES;

/// The reason for not making one page of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// The message has no page of HTML or XHTML.
    #[error("it has no page of HTML or XHTML; unpack it into a folder with -o")]
    NoPage,
    /// The page would be too long.
    #[error(
        "the page would be longer than {} MiB with all that it shows; unpack the message into a folder with -o",
        SINGLE_BYTES >> 20
    )]
    TooLong,
}
