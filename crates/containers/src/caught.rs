//! Panics and errors of the system, told apart from damaged data.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `work` gives; `None` after a panic, which is a bug. Data that cause one must not keep other data from being done.
pub fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Whether an error is of the system, not of the data that was read: decoders give these kinds without a number of the
/// system.
pub fn is_of_system(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof, Unsupported};
    let is_of_data = matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof | Unsupported);
    error.raw_os_error().is_some() || !is_of_data
}
