//! The formats of web archives: WARC (ISO 28500) and ARC, which WARC replaced.

use std::io::{self, Read};

use crate::compression::decompressed::Decompressed;
use crate::compression::members::is_of_archive;
use crate::compression::{BeginsRecord, Compression};
use crate::storage::Stored;

/// A format of web archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Warc,
    Arc,
}

impl Format {
    /// Returns the format of the content of a file.
    pub(super) fn of_file(file: Stored<'_>) -> io::Result<Self> {
        let mut start = Vec::new();
        match Decompressed::of_file(file)?.take(11).read_to_end(&mut start) {
            Err(error) if !is_of_archive(&error) => Err(error),
            _ => Ok(if start == b"filedesc://" { Self::Arc } else { Self::Warc }),
        }
    }

    /// Reports whether this line begins a record.
    pub(super) fn begins_record(self, line: &[u8]) -> bool {
        self.record_test()(line)
    }

    fn record_test(self) -> BeginsRecord {
        match self {
            Self::Warc => |line| line.starts_with(b"WARC/"),
            Self::Arc => |line| length_in_line(line).is_some(),
        }
    }

    /// Decompresses an archive of this format; behind a damaged gzip member it continues.
    pub(super) fn decompressed(self, file: Stored<'_>) -> io::Result<Decompressed<'_>> {
        match compression_of(file)? {
            Compression::Gzip => Ok(Decompressed::of_members(file, self.record_test())),
            _ => Decompressed::of_file(file),
        }
    }
}

/// Returns the compression of an archive, the beginning of which may be damaged.
pub(super) fn compression_of(file: Stored<'_>) -> io::Result<Compression> {
    Compression::of_archive(file, |line| [Format::Warc, Format::Arc].iter().any(|format| format.begins_record(line)))
}

/// Returns the length in the line that begins a record of an ARC, behind URL, address, date and type.
pub(super) fn length_in_line(line: &[u8]) -> Option<u64> {
    let mut words = line.trim_ascii_end().rsplitn(5, |byte| *byte == b' ');
    let (length, date, url) = (words.next()?, words.nth(1)?, words.nth(1)?);
    let is_date = date.len() >= 8 && date.iter().all(u8::is_ascii_digit);
    str::from_utf8(length).ok()?.parse().ok().filter(|_| is_date && url.contains(&b':'))
}
