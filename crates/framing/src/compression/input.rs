//! The file that streams are read from.

use std::io::{self, BufRead, BufReader, Read};

use crate::limits::READ_BUFFER;

/// A file that counts the bytes consumed, and keeps its own error apart from those of a decoder.
pub(super) struct Input<'i> {
    pub(super) input: BufReader<Box<dyn Read + 'i>>,
    pub(super) position: u64,
    /// Whether the end of the file is an error, because a stream has begun. A decoder could take it for the end of the stream.
    pub(super) must_continue: bool,
    /// Whether a decoder has asked for bytes after the end of the file.
    pub(super) is_at_end: bool,
    pub(super) failure: Option<io::Error>,
}

impl<'i> Input<'i> {
    pub(super) fn new(input: Box<dyn Read + 'i>) -> Self {
        let input = BufReader::with_capacity(READ_BUFFER, input);
        Self { input, position: 0, must_continue: false, is_at_end: false, failure: None }
    }

    /// Skips zeros. Returns whether a stream follows.
    pub(super) fn skip_zeros(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.fill_buf()?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            match bytes {
                [] => return Ok(false),
                _ if zeros == 0 => return Ok(true),
                _ => self.consume(zeros),
            }
        }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.input.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    self.failure = Some(error);
                    return Err(kind.into());
                }
            }
        }
        self.is_at_end = self.must_continue && self.input.buffer().is_empty();
        match self.input.buffer() {
            [] if self.is_at_end => Err(io::Error::other("the file ends")),
            bytes => Ok(bytes),
        }
    }

    fn consume(&mut self, amount: usize) {
        self.position += amount as u64;
        self.input.consume(amount);
    }
}
