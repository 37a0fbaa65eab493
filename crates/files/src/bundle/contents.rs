//! The contents of an entry: of a file, or of a member of a bundle.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use absolve_containers::Temporary;
use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use crate::bundle::part::FilePart;

/// The contents of an entry.
#[derive(Debug)]
pub(crate) enum Contents {
    /// A file.
    File(File),
    /// A part of a file.
    Part(FilePart),
    /// A member of a ZIP file.
    Checked(Box<Checked>),
}

impl Contents {
    /// Returns the same contents from their first byte on, such that they can be read in any order. `read` are the bytes that were read.
    pub(crate) fn seekable(mut self, read: &[u8]) -> io::Result<Self> {
        let Self::Checked(member) = self else {
            self.rewind()?;
            return Ok(self);
        };
        let mut temporary = Temporary::new()?;
        io::copy(&mut read.chain(member), &mut temporary)?;
        let mut file = temporary.into_file();
        file.rewind()?;
        Ok(Self::File(file))
    }

    /// Copies the contents to a file; the system may do that itself.
    pub(crate) fn copy_to(&mut self, output: &mut File) -> io::Result<u64> {
        match self {
            Self::File(file) => io::copy(file, output),
            other => io::copy(other, output),
        }
    }
}

impl Read for Contents {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Part(part) => part.read(buffer),
            Self::Checked(member) => member.read(buffer),
        }
    }
}

impl Seek for Contents {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Part(part) => part.seek(to),
            Self::Checked(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

/// The contents of a member of a ZIP file. If they do not have its size and checksum, that is an error when they end.
#[derive(Debug)]
pub(crate) struct Checked {
    packed: Packed,
    crc: Crc,
    read: u64,
    expected: (u64, u32),
}

/// How a member is packed.
#[derive(Debug)]
pub(super) enum Packed {
    Stored(FilePart),
    Deflated(DeflateDecoder<BufReader<FilePart>>),
}

impl Checked {
    /// Returns the contents of a member that is expected to have this size and this checksum.
    pub(super) fn new(packed: Packed, expected: (u64, u32)) -> Self {
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
pub(super) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
