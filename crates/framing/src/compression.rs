//! Compression by gzip (RFC 1952), Zstandard (RFC 8878), bzip2, xz or LZ4, in one or many members, frames or streams.

mod input;
pub(crate) mod members;
pub(crate) mod rewindable;
pub(crate) mod skimming;
mod streams;

use std::ffi::OsStr;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use crate::packing::Packing;
use bzip2::write::BzEncoder;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};
use lzma_rust2::{XzOptions, XzWriter};

use crate::compression::members::Members;
use crate::compression::rewindable::GZIP_MAGIC;
use crate::compression::skimming::LengthByHead;
use crate::compression::streams::{Streams, is_single};
use crate::framing::archive::ArchiveFormat;
use crate::limits::{DICTIONARY_BYTES, MEMBER_BYTES};

/// Returns whether a gzip member with a record of a web archive begins anywhere in `bytes`.
fn contains_archive_member(bytes: &[u8]) -> bool {
    /// Enough bytes to recognize a record.
    const START_OF_RECORD: u64 = 4 << 10;
    let members = memchr::memmem::find_iter(bytes, &GZIP_MAGIC);
    members.map(|at| MultiGzDecoder::new(&bytes[at..])).any(|member| {
        let mut start = Vec::new();
        // The member may be cut off.
        let _ = member.take(START_OF_RECORD).read_to_end(&mut start);
        ArchiveFormat::ALL.iter().any(|format| format.begins_record(&start))
    })
}

/// Returns whether `bytes` begin like a gzip member of whose first bytes one is damaged.
fn resembles_member(bytes: &[u8]) -> bool {
    let same = bytes.iter().zip(GZIP_MAGIC).filter(|(byte, magic)| *byte == magic);
    same.count() + 1 >= GZIP_MAGIC.len()
}

/// The compression of a file.
///
/// ```
/// use absolve_framing::Compression;
/// assert_eq!(Compression::of(b"WARC/1.1\r\n"), Compression::None);
/// assert_eq!(Compression::of_name("crawl.warc.gz".as_ref()), Some(Compression::Gzip));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not compressed.
    None,
    /// Members of gzip (RFC 1952).
    Gzip,
    /// Frames of Zstandard (RFC 8878), perhaps after a frame with a dictionary.
    Zstandard,
    /// Streams of bzip2.
    Bzip2,
    /// Streams of xz.
    Xz,
    /// Frames of LZ4.
    Lz4,
}

impl Compression {
    /// Returns the compression of a file by its first bytes.
    pub fn of(bytes: &[u8]) -> Self {
        match bytes {
            // A skippable frame, such as that of a dictionary.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstandard,
            // A frame of the legacy format.
            [0x02, 0x21, 0x4c, 0x18, ..] => Self::Lz4,
            // Neither the first block of bzip2 follows, nor the end of an empty stream.
            [b'B', b'Z', b'h', rest @ ..] if !matches!(rest, [b'1'..=b'9', 0x31 | 0x17, 0x41 | 0x72, ..]) => Self::None,
            _ => Packing::of(bytes).and_then(Self::of_packing).unwrap_or(Self::None),
        }
    }

    /// Returns the compression that is read of this format, if it is one.
    fn of_packing(packing: Packing) -> Option<Self> {
        const READ: [Compression; 5] =
            [Compression::Gzip, Compression::Zstandard, Compression::Bzip2, Compression::Xz, Compression::Lz4];
        READ.into_iter().find(|known| known.extension().strip_prefix('.') == Some(packing.extension))
    }

    /// Returns the compression of a web archive by its first bytes. The first member may be damaged.
    pub fn of_archive(start: &[u8]) -> Self {
        match Self::of(start) {
            Self::None
                if ArchiveFormat::of(start).is_none()
                    && (resembles_member(start) || contains_archive_member(start)) =>
            {
                Self::Gzip
            }
            compression => compression,
        }
    }

    /// Returns the compression of a file by the extension of its name, if that is a known one.
    pub fn of_name(path: &Path) -> Option<Self> {
        const PLAIN: [&str; 6] = ["mbox", "mbx", "eml", "emlx", "mht", "mhtml"];
        let extension = path.extension()?.to_str()?;
        let is_plain = PLAIN.iter().any(|plain| extension.eq_ignore_ascii_case(plain));
        match is_plain || ArchiveFormat::of_extension(extension).is_some() {
            true => Some(Self::None),
            false => Packing::of_extension(extension).and_then(Self::of_packing),
        }
    }

    /// Returns the compression that the name of an output asks for: that of its extension; none for text, or if the name of the input has a
    /// further one (`m.mail.gz`, `m.mail`).
    ///
    /// ```
    /// use absolve_framing::Compression;
    /// let asked = |input: &str, output: &str| Compression::asked(input.as_ref(), output.as_ref());
    /// assert_eq!(asked("m.mail.gz", "m.mail"), Some(Compression::None));
    /// assert_eq!((asked("-", "m.txt"), asked("m.gz", "m")), (Some(Compression::None), None));
    /// ```
    pub fn asked(input: &Path, output: &Path) -> Option<Self> {
        let inner = || Path::new(input.file_stem()?).extension().filter(|_| Self::of_name(input).is_some());
        let is_plain = |extension: &OsStr| extension.eq_ignore_ascii_case("txt") || inner() == Some(extension);
        Self::of_name(output).or_else(|| output.extension().is_some_and(is_plain).then_some(Self::None))
    }

    /// Returns what names of files so compressed end in.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Gzip => ".gz",
            Self::Zstandard => ".zst",
            Self::Bzip2 => ".bz2",
            Self::Xz => ".xz",
            Self::Lz4 => ".lz4",
        }
    }

    /// Returns the name of the format.
    pub fn name(self) -> &'static str {
        let packing = self.extension().strip_prefix('.').and_then(Packing::of_extension);
        packing.map_or("no compression", |packing| packing.name)
    }

    /// Returns a reader of the decompressed bytes of all members, frames or streams of a file. Its errors name the byte of the file.
    ///
    /// ```
    /// use std::io::{Read, Write};
    /// use absolve_framing::Compression;
    /// let mut encoder = Compression::Xz.encoder(Vec::new())?;
    /// encoder.write_all(b"a message")?;
    /// let (file, mut text) = (encoder.finish()?, String::new());
    /// assert_eq!(Compression::of(&file), Compression::Xz);
    /// Compression::Xz.decoder(&file[..]).read_to_string(&mut text)?;
    /// assert_eq!(text, "a message");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn decoder<'i>(self, input: impl Read + 'i) -> Box<dyn Read + 'i> {
        match self {
            Self::None => Box::new(input),
            _ => Box::new(Streams::new(Box::new(input), self)),
        }
    }

    /// Returns whether a file is one member, frame or stream, which nothing follows, or the error of reading it.
    pub fn is_single(self, mut input: impl Read) -> io::Result<bool> {
        is_single(&mut input, self)
    }

    /// Returns whether a file begins with a dictionary frame, which only web archives contain.
    pub fn has_dictionary(self, bytes: &[u8]) -> bool {
        self == Self::Zstandard && bytes.starts_with(&DICTIONARY_FRAME)
    }

    /// Returns a record compressed as one member, frame or stream.
    pub fn compressed(self, record: Vec<u8>) -> io::Result<Vec<u8>> {
        match self {
            Self::None => Ok(record),
            Self::Zstandard => {
                let mut compressor = zstd::bulk::Compressor::new(zstd::DEFAULT_COMPRESSION_LEVEL)?;
                compressor.include_checksum(true)?;
                compressor.include_contentsize(true)?;
                compressor.compress(&record)
            }
            Self::Gzip | Self::Bzip2 | Self::Xz | Self::Lz4 => {
                let mut encoder = self.encoder(Vec::new())?;
                encoder.write_all(&record)?;
                encoder.finish()
            }
        }
    }

    /// Returns a writer that compresses all bytes written as one member, frame or stream, with a checksum.
    ///
    /// # Errors
    ///
    /// If the start of it cannot be written.
    pub fn encoder<W: Write>(self, output: W) -> io::Result<Encoder<W>> {
        Ok(Encoder { encoder: Inner::new(self)?, output })
    }

    /// Returns a reader of the decompressed archive. `member_end` receives the end of each gzip member, as an offset in the
    /// decompressed bytes and an offset in the file. A damaged member is an error; after it, reading can continue.
    pub fn decompressed<'i>(
        self,
        input: Box<dyn Read + 'i>,
        format: ArchiveFormat,
        member_end: impl FnMut(u64, u64) + 'i,
    ) -> io::Result<Box<dyn Read + 'i>> {
        Ok(match self {
            Self::None => input,
            Self::Gzip => Box::new(Members::new(input, MEMBER_BYTES, format, Box::new(member_end))),
            _ => self.decoder(input),
        })
    }

    /// Returns a reader of the decompressed archive in which the records whose length is given by their heads have zeros for bodies. Whether
    /// these are damaged is not seen.
    pub fn skimmed<'i>(
        self,
        input: Box<dyn Read + 'i>,
        format: ArchiveFormat,
        length_by_head: LengthByHead,
    ) -> io::Result<Box<dyn Read + 'i>> {
        match self {
            Self::Gzip => {
                let members = Members::new(input, MEMBER_BYTES, format, Box::new(|_, _| {}));
                Ok(Box::new(members.skimming(length_by_head)))
            }
            _ => self.decompressed(input, format, |_, _| {}),
        }
    }

    /// Returns a reader of the first decompressed bytes of a file. It searches nothing behind damage.
    pub fn decompressed_start<'i>(self, input: impl Read + 'i) -> Box<dyn Read + 'i> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(input)),
            _ => self.decoder(input),
        }
    }
}

/// The level at which DEFLATE (RFC 1951) compresses. At the default level 6, records are 6 % smaller, and a run over an archive that
/// changes takes a fifth longer.
pub const DEFLATE_LEVEL: u32 = 3;

/// At the default preset 6, mail is 7 % smaller, and takes ten times as long.
const XZ_PRESET: u32 = 2;

/// A writer of one member, frame or stream.
#[allow(missing_debug_implementations, reason = "not all encoders have it")]
pub struct Encoder<W: Write> {
    /// What it has compressed and not yet written is in its vector.
    encoder: Inner,
    output: W,
}

enum Inner {
    None(Vec<u8>),
    Gzip(GzEncoder<Vec<u8>>),
    Zstandard(zstd::Encoder<'static, Vec<u8>>),
    Bzip2(BzEncoder<Vec<u8>>),
    Xz(Box<XzWriter<Vec<u8>>>),
    Lz4(Box<FrameEncoder<Vec<u8>>>),
}

impl Inner {
    fn new(compression: Compression) -> io::Result<Self> {
        let output = Vec::new();
        Ok(match compression {
            Compression::None => Self::None(output),
            Compression::Gzip => Self::Gzip(GzEncoder::new(output, flate2::Compression::new(DEFLATE_LEVEL))),
            Compression::Zstandard => {
                let mut encoder = zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstandard(encoder)
            }
            Compression::Bzip2 => Self::Bzip2(BzEncoder::new(output, bzip2::Compression::best())),
            Compression::Xz => Self::Xz(Box::new(XzWriter::new(output, XzOptions::with_preset(XZ_PRESET))?)),
            Compression::Lz4 => {
                let frame = FrameInfo::new().block_size(BlockSize::Max1MB).content_checksum(true);
                Self::Lz4(Box::new(FrameEncoder::with_frame_info(frame, output)))
            }
        })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::None(output) => output,
            Self::Gzip(encoder) => encoder,
            Self::Zstandard(encoder) => encoder,
            Self::Bzip2(encoder) => encoder,
            Self::Xz(encoder) => encoder,
            Self::Lz4(encoder) => encoder,
        }
    }

    fn compressed(&mut self) -> &mut Vec<u8> {
        match self {
            Self::None(output) => output,
            Self::Gzip(encoder) => encoder.get_mut(),
            Self::Zstandard(encoder) => encoder.get_mut(),
            Self::Bzip2(encoder) => encoder.get_mut(),
            Self::Xz(encoder) => encoder.inner_mut(),
            Self::Lz4(encoder) => encoder.get_mut(),
        }
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::None(output) => Ok(output),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstandard(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
            Self::Lz4(encoder) => Ok(encoder.finish()?),
        }
    }

    /// Writes what is compressed so far.
    fn drain_to(&mut self, output: &mut dyn Write) -> io::Result<()> {
        let compressed = self.compressed();
        output.write_all(compressed)?;
        compressed.clear();
        Ok(())
    }
}

impl<W: Write> Encoder<W> {
    /// Ends the member, frame or stream and returns the inner writer.
    ///
    /// # Errors
    ///
    /// If the rest cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.write_all(&self.encoder.finish()?)?;
        Ok(self.output)
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.encoder.writer().write(bytes)?;
        self.encoder.drain_to(&mut self.output).map(|()| written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.writer().flush()?;
        self.encoder.drain_to(&mut self.output)?;
        self.output.flush()
    }
}

/// Start of the skippable frame that contains the dictionary of a WARC.
const DICTIONARY_FRAME: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// Reads the dictionary before the first frame, which may itself be compressed. Returns an empty one if there is none.
fn dictionary(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    if !input.fill_buf()?.starts_with(&DICTIONARY_FRAME) {
        return Ok(Vec::new());
    }
    let mut header = [0; 8];
    input.read_exact(&mut header)?;
    let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    if length > DICTIONARY_BYTES {
        return Err(io::Error::other(format!("its dictionary is longer than {} MiB", DICTIONARY_BYTES >> 20)));
    }
    let mut dictionary = vec![0; length as usize];
    input.read_exact(&mut dictionary)?;
    match Compression::of(&dictionary) {
        Compression::Zstandard => zstd::bulk::decompress(&dictionary, DICTIONARY_BYTES as usize),
        _ => Ok(dictionary),
    }
}
