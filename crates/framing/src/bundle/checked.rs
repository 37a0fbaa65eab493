//! The contents of a member of a ZIP file, with their checksum.

use std::io::{self, BufReader, Read};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use crate::bundle::part::FilePart;

/// The contents of a member of a ZIP file. If they do not have its size and checksum, that is an error when they end.
#[derive(Debug)]
pub struct Checked {
    packed: Packed,
    crc: Crc,
    read: u64,
    expected: (u64, u32),
}

/// How a member is packed.
#[derive(Debug)]
pub enum Packed {
    Stored(FilePart),
    Deflated(DeflateDecoder<BufReader<FilePart>>),
}

impl Checked {
    /// Returns the contents of a member that is expected to have this size and this checksum.
    pub fn new(packed: Packed, expected: (u64, u32)) -> Self {
        Self { packed, crc: Crc::new(), read: 0, expected }
    }
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.packed {
            Packed::Stored(part) => part.read(buffer),
            Packed::Deflated(decoder) => decoder.read(buffer),
        };
        let read = read.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => damaged("its packed bytes are damaged"),
            _ => error,
        })?;
        self.crc.update(&buffer[..read]);
        self.read += read as u64;
        let (size, checksum) = self.expected;
        let has_ended = read == 0 && !buffer.is_empty();
        match self.read {
            longer if longer > size => Err(damaged("it is longer than its size says")),
            shorter if shorter < size && has_ended => Err(damaged("it is shorter than its size says")),
            whole if whole == size && self.crc.sum() != checksum => Err(damaged("its checksum is wrong")),
            _ => Ok(read),
        }
    }
}

/// Returns the error of a damaged bundle.
pub fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
