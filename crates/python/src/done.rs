//! What was done with a file.

use absolve_files::FileError;
use absolve_rewriter::Counts;

/// What was done.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) counts: Counts,
    pub(crate) records: u64,
    pub(crate) changed: u64,
    /// The length of the input.
    pub(crate) bytes_in: u64,
    /// Whether the output is a sidecar without conversions, which as a file would be no archive.
    pub(crate) is_empty_sidecar: bool,
    /// Records that could not be read.
    pub(crate) errors: Vec<FileError>,
}
