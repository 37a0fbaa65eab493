//! Locks of runs against each other.

use std::fs::{File, TryLockError};
use std::thread::sleep;
use std::time::Duration;

/// How long a lock is waited for. A process that another thread starts has the locks of this one until it executes its program.
const WAIT: Duration = Duration::from_millis(20);
const TIMES: u32 = 25;

/// Locks a file until it is closed. Returns whether no other run has the lock. Not every file system has locks; there no run has
/// one.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// let (one, other) = (file.reopen()?, file.reopen()?);
/// assert!(absolve_files::lock(&one));
/// assert!(!absolve_files::lock(&other));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn lock(file: &File) -> bool {
    (0..TIMES).any(|time| {
        if time > 0 {
            sleep(WAIT);
        }
        !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
    })
}
