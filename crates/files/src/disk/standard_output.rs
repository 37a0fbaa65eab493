//! Standard output, and whether it was closed when the process began.
//!
//! Where a process begins with a closed standard stream, the standard library opens `/dev/null` in its place, for reading and writing, so
//! that no file gets its number. What is written there would be lost without an error.

use std::fs::File;
use std::io;
use std::path::Path;

/// Returns standard output as a file.
///
/// # Errors
///
/// If it was closed when the process began.
#[cfg(unix)]
pub(crate) fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    refuse_null(io::stdout().as_fd(), "standard output")?;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(not(unix))]
pub(crate) fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

/// Opens a device or a FIFO to write to it.
///
/// # Errors
///
/// Those of the file system; also if it is another name of a standard stream that was closed when the process began.
pub(crate) fn open_device(path: &Path) -> io::Result<File> {
    refuse_closed(path)?;
    File::options().write(true).open(path)
}

/// Returns an error if a path is another name of a standard stream that was closed when the process began.
#[cfg(unix)]
pub(crate) fn refuse_closed(path: &Path) -> io::Result<()> {
    use std::os::fd::AsFd;
    match path.to_str() {
        Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => refuse_null(io::stdout().as_fd(), "standard output"),
        Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => refuse_null(io::stderr().as_fd(), "standard error"),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
pub(crate) fn refuse_closed(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn refuse_null(stream: std::os::fd::BorrowedFd<'_>, name: &str) -> io::Result<()> {
    use rustix::fs::{FileType, OFlags, fcntl_getfl, fstat, stat};
    let (found, null) = (fstat(stream)?, stat("/dev/null")?);
    let is_null = FileType::from_raw_mode(found.st_mode) == FileType::CharacterDevice && found.st_rdev == null.st_rdev;
    match is_null && fcntl_getfl(stream)? & OFlags::ACCMODE == OFlags::RDWR {
        true => Err(io::Error::other(format!("{name} is closed, or is /dev/null"))),
        false => Ok(()),
    }
}
