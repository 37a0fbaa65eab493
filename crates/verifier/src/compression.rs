//! Files compressed by gzip (RFC 1952), Zstandard (RFC 8878), bzip2, xz or LZ4.

mod counted;
pub(crate) mod decompressed;
mod member_places;
pub(crate) mod members;

use std::ffi::OsStr;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;

use crate::storage::Stored;

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstandard,
    Bzip2,
    Xz,
    Lz4,
}

/// The compressions that names of files declare by their extension.
const EXTENSIONS: [(&str, Compression); 9] = [
    ("gz", Compression::Gzip),
    ("zst", Compression::Zstandard),
    ("bz2", Compression::Bzip2),
    ("xz", Compression::Xz),
    ("lz4", Compression::Lz4),
    ("warc", Compression::None),
    ("mbox", Compression::None),
    ("mbx", Compression::None),
    ("eml", Compression::None),
];

/// Reports whether a line begins a record of an archive.
pub(crate) type BeginsRecord = fn(&[u8]) -> bool;

impl Compression {
    /// Returns the compression of a file that begins with these bytes.
    pub(crate) fn of(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstandard,
            [0x42, 0x5a, 0x68, 0x31..=0x39, 0x31 | 0x17, ..] => Self::Bzip2,
            [0xfd, 0x37, 0x7a, 0x58, 0x5a, ..] => Self::Xz,
            [0x04, 0x22, 0x4d, 0x18, ..] | [0x02, 0x21, 0x4c, 0x18, ..] => Self::Lz4,
            _ => Self::None,
        }
    }

    /// Returns the compression of a file, by its first bytes.
    pub(crate) fn of_file(file: Stored<'_>) -> io::Result<Self> {
        Ok(Self::of(&file.bytes(0..6)?))
    }

    /// Returns the compression of an archive. If its first bytes are damaged, a gzip member that holds a record is looked for
    /// behind them.
    pub(crate) fn of_archive(file: Stored<'_>, begins_record: BeginsRecord) -> io::Result<Self> {
        const SEARCHED: u64 = 16 << 10;
        let start = file.bytes(0..SEARCHED)?;
        let is_member = |at: usize| member_holds_record(file, at as u64, begins_record);
        Ok(match Self::of(&start) {
            Self::None if !begins_record(first_line(&start)) && memchr::memchr_iter(0x1f, &start).any(is_member) => {
                Self::Gzip
            }
            compression => compression,
        })
    }

    /// Returns whether a file of this name may be compressed so: a name with another extension may also be that of a plain file.
    pub(crate) fn is_named(self, name: &Path) -> bool {
        Self::of_name(name).map_or(self == Self::None && name.extension().is_some(), |named| named == self)
    }

    /// Returns the compression of a file of this name; `None` if its extension declares none.
    pub(crate) fn of_name(name: &Path) -> Option<Self> {
        let extension = name.extension().and_then(OsStr::to_str)?;
        EXTENSIONS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)).map(|(_, compression)| *compression)
    }
}

/// Reports whether a gzip member begins at this byte.
fn is_member(file: Stored<'_>, place: u64) -> bool {
    file.bytes(place..place + 4).is_ok_and(|magic| Compression::of(&magic) == Compression::Gzip)
}

/// Reports whether a gzip member begins at this byte whose content begins with a record.
fn member_holds_record(file: Stored<'_>, place: u64, begins_record: BeginsRecord) -> bool {
    const LONGEST_LINE: u64 = 16 << 10;
    let mut start = Vec::new();
    if is_member(file, place) {
        let input = BufReader::new(file.reader_at(place));
        // Damage further on shows when the member is read.
        let _ = GzDecoder::new(input).take(LONGEST_LINE).read_to_end(&mut start);
    }
    begins_record(first_line(&start))
}

fn first_line(bytes: &[u8]) -> &[u8] {
    bytes.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default()
}

/// Reports whether a gzip member begins at this byte with a header as `absolve` writes it (RFC 1952, section 2.3): without
/// flags and time, of an unknown system, at any level.
pub(crate) fn has_minimal_header(written: Stored<'_>, start: u64) -> io::Result<bool> {
    let header = written.bytes(start..start + 10)?;
    Ok(matches!(&header[..], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0 | 2 | 4, 255]))
}

/// Returns the dictionary in front of the first Zstandard frame, decompressed; empty if there is none.
pub(crate) fn dictionary(file: Stored<'_>) -> io::Result<Vec<u8>> {
    const MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
    const LONGEST: u32 = 16 << 20;
    let start = file.bytes(0..8)?;
    let Some((MAGIC, &[a, b, c, d])) = start.first_chunk().copied().zip(start.last_chunk()) else {
        return Ok(Vec::new());
    };
    let length = u32::from_le_bytes([a, b, c, d]);
    if length > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the dictionary at byte 8 is longer than 16 MiB"));
    }
    let dictionary = file.bytes(8..8 + u64::from(length))?;
    match Compression::of(&dictionary) {
        Compression::Zstandard => zstd::bulk::decompress(&dictionary, LONGEST as usize),
        _ => Ok(dictionary),
    }
}
