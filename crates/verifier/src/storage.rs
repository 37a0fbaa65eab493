//! Input that is read more than once, from any byte on.

pub(crate) mod digest;
pub(crate) mod temporary;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;

use absolve_framing::Compression;
use absolve_framing::bundle::read_at;

/// A file, or bytes in memory.
#[derive(Clone, Copy, Debug)]
pub enum Stored<'s> {
    /// An open file.
    File(&'s File),
    /// Bytes in memory.
    Bytes(&'s [u8]),
}

impl<'s> From<&'s File> for Stored<'s> {
    fn from(file: &'s File) -> Self {
        Self::File(file)
    }
}

impl<'s> From<&'s [u8]> for Stored<'s> {
    fn from(bytes: &'s [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'s> Stored<'s> {
    pub(crate) fn length(self) -> io::Result<u64> {
        match self {
            Self::File(file) => Ok(file.metadata()?.len()),
            Self::Bytes(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// Reads from this byte on. Several readers of one file do not disturb each other.
    pub(crate) fn reader_at(self, byte: u64) -> impl Read + 's {
        Reader { stored: self, at: byte }
    }

    /// Returns the bytes of a range, or as many of them as exist.
    pub(crate) fn bytes(self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader_at(range.start).take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns the compression of the file, by its first bytes.
    pub(crate) fn compression(self) -> io::Result<Compression> {
        Ok(Compression::of(&self.bytes(0..16)?))
    }

    /// Returns a reader of its content, decompressed.
    pub(crate) fn decompressed(self) -> io::Result<Box<dyn Read + 's>> {
        Ok(self.compression()?.decoder(BufReader::new(self.reader_at(0))))
    }

    /// Reports whether a gzip member begins at this byte with a header as a run writes it (RFC 1952, section 2.3): without flags, time and
    /// level, of an unknown system.
    pub(crate) fn has_minimal_gzip_header(self, at: u64) -> io::Result<bool> {
        Ok(self.bytes(at..at + 10)? == [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
    }

    /// Compares a range with the bytes of `other` from `at` on; returns the offset of the first difference.
    pub(crate) fn first_difference(self, range: Range<u64>, other: Stored<'_>, at: u64) -> io::Result<Option<u64>> {
        let length = range.end.saturating_sub(range.start);
        let capacity = length.min(1 << 16) as usize;
        let mut own = BufReader::with_capacity(capacity, self.reader_at(range.start).take(length));
        let mut other = BufReader::with_capacity(capacity, other.reader_at(at));
        let mut same = 0;
        loop {
            let (left, right) = (own.fill_buf()?, other.fill_buf()?);
            let length = left.len().min(right.len());
            let common = left.iter().zip(right).take_while(|(left, right)| left == right).count();
            same += common as u64;
            if left.is_empty() || common < length || length == 0 {
                return Ok((!left.is_empty()).then_some(same));
            }
            own.consume(length);
            other.consume(length);
        }
    }

    /// Returns the first byte that differs from the beginning of `original`, or is missing; `None` if all of `original`
    /// stands there.
    pub(crate) fn first_difference_from(self, original: Stored<'_>) -> io::Result<Option<u64>> {
        original.first_difference(0..original.length()?, self, 0)
    }

    /// Reports whether its bytes are those of another one.
    pub(crate) fn is_same_as(self, original: Stored<'_>) -> io::Result<bool> {
        Ok(self.length()? == original.length()? && self.first_difference_from(original)?.is_none())
    }
}

struct Reader<'s> {
    stored: Stored<'s>,
    at: u64,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self.stored {
            Stored::File(file) => read_at(file, buffer, self.at)?,
            Stored::Bytes(bytes) => {
                let rest = bytes.get(usize::try_from(self.at).unwrap_or(usize::MAX)..).unwrap_or_default();
                (&mut &*rest).read(buffer)?
            }
        };
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::Stored;

    #[test]
    fn two_readers_of_one_file_do_not_disturb_each_other() -> std::io::Result<()> {
        let mut file = tempfile::tempfile()?;
        let bytes: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        file.write_all(&bytes)?;
        for stored in [Stored::File(&file), Stored::Bytes(&bytes)] {
            let length = stored.length()?;
            assert_eq!(stored.first_difference(0..length, stored, 0)?, None);
            assert_eq!(stored.first_difference(4..length, stored, 4)?, None);
            assert_eq!(stored.first_difference(0..length, stored, 4)?, Some(0));
            assert_eq!(stored.first_difference(8..length, Stored::Bytes(&bytes[..12]), 8)?, Some(4));
            assert_eq!(stored.first_difference(8..12, stored, 8)?, None);
            assert_eq!(stored.bytes(4..8)?, [1, 0, 0, 0]);
        }
        Ok(())
    }
}
