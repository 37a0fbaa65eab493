//! Panics, and errors of the operating system as opposed to damaged data.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work` and returns its result, or `None` if it panicked. A panic is a bug; it must not stop the work on other data.
pub fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Returns whether an error comes from the operating system, not from the data read. Decoders report errors of a few kinds,
/// without an OS error number.
///
/// ```
/// use std::io::ErrorKind::{InvalidData, StorageFull};
/// use absolve_containers::is_system_error;
/// assert!(is_system_error(&StorageFull.into()) && !is_system_error(&InvalidData.into()));
/// ```
pub fn is_system_error(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof, Unsupported};
    let is_data_error = matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof | Unsupported);
    error.raw_os_error().is_some() || !is_data_error
}
