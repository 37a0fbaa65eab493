//! Blobs that wait in a temporary file.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use crate::temporary::Temporary;

/// Blobs in a temporary file, which are read again in any order. Memory holds none of them.
#[derive(Debug)]
pub struct BlobSpool {
    file: Temporary,
    end: u64,
}

impl BlobSpool {
    /// Returns an empty one.
    ///
    /// # Errors
    ///
    /// When there can be no temporary file.
    pub fn new() -> io::Result<Self> {
        Ok(Self { file: Temporary::new()?, end: 0 })
    }

    /// Adds a blob. Returns where it stands in the file.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add(&mut self, blob: &[u8]) -> io::Result<Range<u64>> {
        (&self.file).seek(SeekFrom::Start(self.end))?;
        (&self.file).write_all(blob)?;
        let start = self.end;
        self.end += blob.len() as u64;
        Ok(start..self.end)
    }

    /// Copies what stands at a place to `output`. Returns how many bytes that are.
    ///
    /// # Errors
    ///
    /// When it cannot be read or written.
    pub fn copy_to(&self, place: Range<u64>, output: &mut (impl Write + ?Sized)) -> io::Result<u64> {
        (&self.file).seek(SeekFrom::Start(place.start))?;
        io::copy(&mut (&self.file).take(place.end - place.start), output)
    }
}
