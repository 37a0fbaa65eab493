//! How a command ends.

use std::io;

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
#[derive(Debug)]
pub(crate) enum Stop {
    /// The arguments make no sense together, or for these files.
    Usage(String),
    /// Standard input or output failed.
    Io(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Returns a usage error.
pub(crate) fn usage_error<T>(message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Usage(message.into()))
}
