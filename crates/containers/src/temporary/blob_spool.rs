//! Blobs buffered in a temporary file.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use crate::temporary::Temporary;

/// Blobs in a temporary file, which can be read back in any order. None of them stays in memory.
#[derive(Debug)]
pub struct BlobSpool {
    file: Temporary,
    end: u64,
}

impl BlobSpool {
    /// Returns an empty spool, or the error of creating its temporary file.
    pub fn new() -> io::Result<Self> {
        Ok(Self { file: Temporary::new()?, end: 0 })
    }

    /// Adds a blob. Returns its byte range in the spool, or the error of writing it.
    pub fn add(&mut self, blob: &[u8]) -> io::Result<Range<u64>> {
        (&self.file).seek(SeekFrom::Start(self.end))?;
        (&self.file).write_all(blob)?;
        let start = self.end;
        self.end += blob.len() as u64;
        Ok(start..self.end)
    }

    /// Copies a range of the spool to `output`. Returns the number of bytes copied, or the error of reading or writing them.
    pub fn copy_to(&self, range: Range<u64>, output: &mut (impl Write + ?Sized)) -> io::Result<u64> {
        (&self.file).seek(SeekFrom::Start(range.start))?;
        io::copy(&mut (&self.file).take(range.end - range.start), output)
    }
}
