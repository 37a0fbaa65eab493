//! The content of an archive, up to its end or to damage.

use std::io::{self, BufRead, BufReader, Read};

use crate::compression::decompressed::Decompressed;
use crate::compression::members::Gap;

/// A reader that ends at a gap until the gap is passed. Bytes that were read can be put back.
pub(super) struct Input<'f> {
    back: io::Cursor<Vec<u8>>,
    unpacked: BufReader<Stretch<'f>>,
}

struct Stretch<'f> {
    unpacked: Decompressed<'f>,
    gap: Option<Gap>,
}

impl<'f> Input<'f> {
    pub(super) fn new(unpacked: Decompressed<'f>) -> Self {
        let stretch = Stretch { unpacked, gap: None };
        Self { back: io::Cursor::default(), unpacked: BufReader::with_capacity(1 << 16, stretch) }
    }

    /// Returns the byte of the file at which the member begins that begins at this byte of the content.
    pub(super) fn place(&mut self, held: u64) -> Option<u64> {
        self.unpacked.get_mut().unpacked.place(held)
    }

    /// See [`Decompressed::end`].
    pub(super) fn end(&mut self, held: u64) -> (Option<u64>, usize) {
        self.unpacked.get_mut().unpacked.end(held)
    }

    /// Passes the gap at which the content ends, if there is one.
    pub(super) fn pass_gap(&mut self) -> Option<Gap> {
        self.unpacked.get_mut().gap.take()
    }

    /// Puts bytes back.
    pub(super) fn put_back(&mut self, mut bytes: Vec<u8>) {
        bytes.extend_from_slice(&self.back.get_ref()[self.back.position() as usize..]);
        self.back = io::Cursor::new(bytes);
    }
}

impl Read for Stretch<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.gap.is_some() {
            return Ok(0);
        }
        match self.unpacked.read(buffer) {
            Err(error) => {
                self.gap = Some(error.downcast::<Gap>()?);
                Ok(0)
            }
            read => read,
        }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.back.read(buffer)? {
            0 => self.unpacked.read(buffer),
            read => Ok(read),
        }
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.back.fill_buf()?.is_empty() {
            true => self.unpacked.fill_buf(),
            false => self.back.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        match self.back.position() < self.back.get_ref().len() as u64 {
            true => self.back.consume(amount),
            false => self.unpacked.consume(amount),
        }
    }
}
