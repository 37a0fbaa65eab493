//! The contents of an entry: of a file, or of a member of a bundle.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use absolve_containers::Temporary;
use absolve_framing::bundle::{Checked, FilePart};

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
