//! Temporary files without names.

use std::env;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use tempfile::{SpooledTempFile, spooled_tempfile};

/// Bytes in memory, or in a temporary file once they are many.
#[derive(Debug)]
pub(crate) struct Spool(SpooledTempFile);

impl Default for Spool {
    fn default() -> Self {
        const IN_MEMORY: usize = 1 << 20;
        Self(spooled_tempfile(IN_MEMORY))
    }
}

impl Spool {
    /// Appends bytes, and returns where they stand.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<Range<u64>> {
        let start = self.0.seek(SeekFrom::End(0))?;
        self.write_all(bytes)?;
        Ok(start..start + bytes.len() as u64)
    }

    /// Returns the bytes that stand there.
    pub(crate) fn read(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(range.start))?;
        (&mut self.0).take(range.end - range.start).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Copies `input` into a temporary file.
    pub(crate) fn file_of(mut input: impl Read) -> io::Result<File> {
        let mut spool = Self::default();
        io::copy(&mut input, &mut spool)?;
        spool.0.into_file().map_err(in_folder)
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(in_folder)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Adds the folder for temporary files to an error.
fn in_folder(error: io::Error) -> io::Error {
    let folder = env::temp_dir();
    let message = format!("in the folder for temporary files, {}: {error}; TMPDIR names another", folder.display());
    io::Error::new(error.kind(), message)
}
