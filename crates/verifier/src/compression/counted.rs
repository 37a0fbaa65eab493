//! A reader that counts the bytes read from it.

use std::io::{self, BufRead, BufReader, Read};

use crate::storage::Stored;

pub(super) type Input<'f> = BufReader<Box<dyn Read + 'f>>;

/// Returns a buffered reader.
pub(super) fn buffered<'f>(input: impl Read + 'f) -> Input<'f> {
    BufReader::with_capacity(1 << 16, Box::new(input))
}

/// A reader that counts the bytes read from it.
pub(super) struct Counted<'f> {
    input: Input<'f>,
    /// The number of bytes read, or the place in the file.
    pub(super) count: u64,
    /// Whether the end of the file is an error.
    pub(super) is_within: bool,
}

impl<'f> Counted<'f> {
    pub(super) const fn new(input: Input<'f>) -> Self {
        Self { input, count: 0, is_within: false }
    }

    /// Reads a file from this byte on; the count is the place in the file.
    pub(super) fn of_file(file: Stored<'f>, place: u64) -> Self {
        Self { input: buffered(file.reader_at(place)), count: place, is_within: false }
    }

    /// Skips zeros, which padding to the blocks of a tape leaves behind; returns whether other bytes follow.
    pub(super) fn skip_zeros(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.input.fill_buf()?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let (is_end, is_other) = (bytes.is_empty(), zeros < bytes.len());
            self.consume(zeros);
            if is_end || is_other {
                return Ok(is_other);
            }
        }
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.input.consume(read);
        self.count += read as u64;
        Ok(read)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.input.fill_buf()?;
        match bytes.is_empty() && self.is_within {
            true => Err(io::Error::new(io::ErrorKind::InvalidData, "the compression is cut off")),
            false => Ok(bytes),
        }
    }

    fn consume(&mut self, amount: usize) {
        self.count += amount as u64;
        self.input.consume(amount);
    }
}
