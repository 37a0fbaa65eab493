//! How a command ends.

use std::io;

use absolve_files::FileError;
use thiserror::Error;

/// How a command ended, unless an error ended it early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything was done.
    Done,
    /// A document could not be read or written, or the check that was requested failed.
    Failed,
    /// An input is missing, or a folder without documents; the others were done.
    MissingInput,
}

/// Why a command could not go on.
#[derive(Debug, Error)]
pub(crate) enum Stop {
    /// The arguments make no sense together, or for these files.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read or written, or nothing can be made of it.
    #[error("{0}")]
    Failed(String),
    /// Standard input or output failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl From<FileError> for Stop {
    fn from(error: FileError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Returns a usage error.
pub(crate) fn usage_error<T>(message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Usage(message.into()))
}
