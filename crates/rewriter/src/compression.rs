//! Files compressed by gzip (RFC 1952) or Zstandard (RFC 8878): one member or frame, or many.

use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use crate::limits::DICTIONARY_BYTES;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstandard,
}

impl Compression {
    /// How a file is compressed that begins so.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstandard,
            // A frame to be skipped, as that of a dictionary is.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstandard,
            _ => Self::None,
        }
    }

    /// Whether a file begins with a dictionary, which only web archives do.
    pub(crate) fn has_dictionary(self, bytes: &[u8]) -> bool {
        self == Self::Zstandard && bytes.starts_with(&DICTIONARY_FRAME)
    }

    /// A record as a member or frame of its own.
    pub(crate) fn compressed(self, record: Vec<u8>) -> io::Result<Vec<u8>> {
        match self {
            Self::None => Ok(record),
            Self::Gzip => {
                let mut encoder = self.encoder(Vec::new())?;
                encoder.write_all(&record)?;
                encoder.finish()
            }
            Self::Zstandard => {
                let mut compressor = zstd::bulk::Compressor::new(zstd::DEFAULT_COMPRESSION_LEVEL)?;
                compressor.include_checksum(true)?;
                compressor.include_contentsize(true)?;
                compressor.compress(&record)
            }
        }
    }

    /// Makes one member or frame of all that is written.
    pub(crate) fn encoder<W: Write>(self, output: W) -> io::Result<Encoder<W>> {
        Ok(match self {
            Self::None => Encoder::None(output),
            Self::Gzip => Encoder::Gzip(GzEncoder::new(output, flate2::Compression::new(LEVEL))),
            Self::Zstandard => {
                let mut encoder = zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Encoder::Zstandard(encoder)
            }
        })
    }

    /// What a file holds that is compressed so.
    pub(crate) fn decompressed<'i>(self, input: impl Read + 'i) -> io::Result<Box<dyn Read + 'i>> {
        self.decompressed_with(input, |_, _| {})
    }

    /// The same; `member_ends` hears where members of gzip end: bytes of what they hold, bytes of the file.
    pub(crate) fn decompressed_with<'i>(
        self,
        input: impl Read + 'i,
        member_ends: impl FnMut(u64, u64) + 'i,
    ) -> io::Result<Box<dyn Read + 'i>> {
        Ok(match self {
            Self::None => Box::new(input),
            Self::Gzip => Box::new(Members::new(input, member_ends)),
            Self::Zstandard => {
                let mut input = BufReader::with_capacity(1 << 16, input);
                let dictionary = dictionary(&mut input)?;
                Box::new(zstd::Decoder::with_dictionary(input, &dictionary)?)
            }
        })
    }
}

/// At the usual level records would be 6 % smaller, and a run over an archive that changes takes a fifth longer.
const LEVEL: u32 = 3;

/// One member or frame that is being written.
pub(crate) enum Encoder<W: Write> {
    None(W),
    Gzip(GzEncoder<W>),
    Zstandard(zstd::Encoder<'static, W>),
}

impl<W: Write> Encoder<W> {
    /// Ends it, and gives back what it is written to.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::None(output) => Ok(output),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstandard(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::None(output) => output.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstandard(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::None(output) => output.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstandard(encoder) => encoder.flush(),
        }
    }
}

/// How a frame begins that holds the dictionary of a WARC.
const DICTIONARY_FRAME: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// The dictionary that stands before the first frame, perhaps compressed itself; empty if there is none.
fn dictionary(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    if !input.fill_buf()?.starts_with(&DICTIONARY_FRAME) {
        return Ok(Vec::new());
    }
    let mut heading = [0; 8];
    input.read_exact(&mut heading)?;
    let length = u32::from_le_bytes([heading[4], heading[5], heading[6], heading[7]]);
    if length > DICTIONARY_BYTES {
        return Err(io::Error::other("its dictionary is longer than any real one"));
    }
    let mut dictionary = vec![0; length as usize];
    input.read_exact(&mut dictionary)?;
    match Compression::of(&dictionary) {
        Compression::Zstandard => zstd::bulk::decompress(&dictionary, DICTIONARY_BYTES as usize),
        _ => Ok(dictionary),
    }
}

/// Whether the bytes begin like a member of gzip.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    Compression::of(bytes) == Compression::Gzip
}

/// How a file that begins so is compressed or packed, in any way that is known, and the command that takes it out.
pub(crate) fn packing(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const PACKINGS: [(&[u8], &str, &str); 9] = [
        (b"\x1F\x8B\x08", "gzip", "gunzip"),
        (b"\x28\xB5\x2F\xFD", "Zstandard", "unzstd"),
        (b"BZh", "bzip2", "bunzip2"),
        (b"\xFD7zXZ\0", "xz", "unxz"),
        (b"LZIP", "lzip", "lzip -d"),
        (b"\x04\x22\x4D\x18", "LZ4", "unlz4"),
        (b"\x1F\x9D", "compress", "uncompress"),
        (b"PK\x03\x04", "ZIP", "unzip"),
        (b"7z\xBC\xAF\x27\x1C", "7-Zip", "7z x"),
    ];
    PACKINGS.into_iter().find(|(start, ..)| bytes.starts_with(start)).map(|(_, name, command)| (name, command))
}

/// What a file holds that consists of members, perhaps with zeros behind the last one, as tapes leave them.
pub(crate) fn gunzipped<R: Read>(input: R) -> impl Read {
    Members::new(input, |_, _| {})
}

/// So many bytes of a file may be read that belong to members behind the one that is being read.
pub(crate) const READ_AHEAD: usize = 1 << 16;

struct Members<R: Read, E> {
    member: Option<GzDecoder<Consumed<R>>>,
    /// How many bytes they held so far.
    held: u64,
    ends: E,
}

impl<R: Read, E> Members<R, E> {
    fn new(input: R, ends: E) -> Self {
        let input = Consumed { input: BufReader::with_capacity(READ_AHEAD, input), count: 0 };
        Self { member: Some(GzDecoder::new(input)), held: 0, ends }
    }
}

impl<R: Read, E: FnMut(u64, u64)> Read for Members<R, E> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                self.held += read as u64;
                return Ok(read);
            }
            let Some(input) = self.member.take().map(GzDecoder::into_inner) else { break };
            (self.ends)(self.held, input.count);
            self.member = next_member(input)?;
        }
        Ok(0)
    }
}

/// A reader that knows how many of its bytes were taken.
struct Consumed<R> {
    input: BufReader<R>,
    count: u64,
}

impl<R: Read> Read for Consumed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.count += read as u64;
        Ok(read)
    }
}

impl<R: Read> BufRead for Consumed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.count += amount as u64;
        self.input.consume(amount);
    }
}

/// The member behind another one; `None` when only zeros are left.
fn next_member<R: BufRead>(mut input: R) -> io::Result<Option<GzDecoder<R>>> {
    loop {
        let bytes = input.fill_buf()?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        if bytes.is_empty() {
            return Ok(None);
        }
        if zeros < bytes.len() {
            input.consume(zeros);
            return Ok(Some(GzDecoder::new(input)));
        }
        input.consume(zeros);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    #[test]
    fn members_and_zeros() -> std::io::Result<()> {
        let mut file = Vec::new();
        for text in ["one ", "", "two "] {
            let mut encoder = GzEncoder::new(&mut file, Compression::fast());
            encoder.write_all(text.as_bytes())?;
            encoder.finish()?;
        }
        for zeros in [0, 1, 100_000] {
            let padded = [&file[..], &vec![0; zeros]].concat();
            let mut text = String::new();
            super::gunzipped(&padded[..]).read_to_string(&mut text)?;
            assert_eq!(text, "one two ", "{zeros} zeros");
        }
        let cut = &file[..file.len() - 3];
        assert!(super::gunzipped(cut).read_to_string(&mut String::new()).is_err());
        let garbage = [&file[..], b"x"].concat();
        assert!(super::gunzipped(&garbage[..]).read_to_string(&mut String::new()).is_err());
        Ok(())
    }
}
