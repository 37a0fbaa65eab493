//! Files without names, in the folder for temporary files.

use std::env;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::{SpooledTempFile, spooled_tempfile};

/// A temporary file.
pub(crate) fn file() -> io::Result<File> {
    tempfile::tempfile().map_err(in_folder)
}

/// Writes to a temporary file.
pub(crate) struct Writing<'f>(pub(crate) &'f File);

impl Write for Writing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(in_folder)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes in memory, or in a temporary file if they are many.
pub(crate) struct Spooled(SpooledTempFile);

/// Nothing in memory.
pub(crate) fn spooled() -> Spooled {
    const IN_MEMORY: usize = 1 << 20;
    Spooled(spooled_tempfile(IN_MEMORY))
}

impl Write for Spooled {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(in_folder)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Spooled {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for Spooled {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// Adds to an error which folder it is about.
fn in_folder(error: io::Error) -> io::Error {
    let folder = env::temp_dir();
    let message = format!("in the folder for temporary files, {}: {error}; TMPDIR names another", folder.display());
    io::Error::new(error.kind(), message)
}
