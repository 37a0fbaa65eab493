//! Files without names, in the folder for temporary files.

use std::env;
use std::fs::File;
use std::io::{self, Write};

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

/// Adds to an error which folder it is about.
fn in_folder(error: io::Error) -> io::Error {
    let folder = env::temp_dir();
    let message = format!("in the folder for temporary files, {}: {error}; TMPDIR names another", folder.display());
    io::Error::new(error.kind(), message)
}
