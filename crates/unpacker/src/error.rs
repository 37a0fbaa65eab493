//! Reasons for not making a page.

use std::{error, fmt};

use crate::limits::SINGLE_BYTES;

/// The reason for not making one page of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnpackError {
    /// The message has no page of HTML or XHTML.
    NoPage,
    /// The page would be too long.
    TooLong,
}

impl fmt::Display for UnpackError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPage => formatter.write_str("it has no page of HTML or XHTML; unpack it into a folder with -o"),
            Self::TooLong => write!(
                formatter,
                "the page would be longer than {} MiB with all that it shows; unpack the message into a folder with -o",
                SINGLE_BYTES >> 20
            ),
        }
    }
}

impl error::Error for UnpackError {}
