//! Files of gzip members, of Zstandard or LZ4 frames, or of bzip2 or xz streams, one after the other.

use std::io::{self, BufRead, BufReader, Read};
use std::mem;

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lz4_flex::frame::FrameDecoder;
use lzma_rust2::XzReader;

use crate::compression::rewindable::GZIP_MAGIC;
use crate::compression::{Compression, dictionary};
use crate::limits::{READ_BUFFER, WINDOW_BYTES};

/// A reader of the decompressed streams of a file, perhaps with zeros between and after them. The checksum of a stream is verified
/// where it ends. Errors name the byte of the file.
pub(crate) struct Streams<'i> {
    compression: Compression,
    decoder: Decoder<'i>,
}

enum Decoder<'i> {
    Between(Input<'i>),
    Gzip(Box<GzDecoder<Input<'i>>>),
    Bzip2(BzDecoder<Input<'i>>),
    Xz(Box<XzReader<Input<'i>>>),
    Lz4(Box<FrameDecoder<Input<'i>>>),
    /// It reads all frames.
    Zstandard(zstd::Decoder<'static, Input<'i>>),
    End,
}

impl<'i> Streams<'i> {
    pub(crate) fn new(input: Box<dyn Read + 'i>, compression: Compression) -> Self {
        let input = BufReader::with_capacity(READ_BUFFER, input);
        let input = Input { input, position: 0, must_continue: false, is_at_end: false, failure: None };
        Self { compression, decoder: Decoder::Between(input) }
    }

    /// Returns the decoder of the next stream.
    fn next(&self, mut input: Input<'i>) -> io::Result<Decoder<'i>> {
        input.must_continue = false;
        match input.skip_zeros() {
            Ok(true) => {}
            Ok(false) => return Ok(Decoder::End),
            Err(error) => return Err(self.error(error, Some(&mut input))),
        }
        if input.position > 0 && !self.may_begin(input.input.buffer()) {
            let error = io::Error::other(format!("what follows there is not {}", self.compression.name()));
            return Err(self.error(error, Some(&mut input)));
        }
        input.must_continue = !is_legacy_lz4(input.input.buffer());
        Ok(match self.compression {
            Compression::None => Decoder::End,
            Compression::Gzip => Decoder::Gzip(Box::new(GzDecoder::new(input))),
            Compression::Bzip2 => Decoder::Bzip2(BzDecoder::new(input)),
            Compression::Xz => Decoder::Xz(Box::new(XzReader::new_mem_limit(input, false, XZ_KIB))),
            Compression::Lz4 => Decoder::Lz4(Box::new(FrameDecoder::new(input))),
            Compression::Zstandard => {
                // Its decoder finds the end of the file.
                input.must_continue = false;
                let dictionary = match dictionary(&mut input) {
                    Ok(dictionary) => dictionary,
                    Err(error) => return Err(self.error(error, Some(&mut input))),
                };
                let mut decoder = zstd::Decoder::with_dictionary(input, &dictionary)?;
                decoder.window_log_max(WINDOW_BYTES.ilog2())?;
                Decoder::Zstandard(decoder)
            }
        })
    }

    /// Returns whether a stream may begin with these bytes, the first ones. Decoders read a whole header before they look at it, and
    /// call anything shorter a stream that is cut off.
    fn may_begin(&self, bytes: &[u8]) -> bool {
        let is_start_of = |magic: &[u8]| bytes.iter().zip(magic).all(|(byte, expected)| byte == expected);
        match self.compression {
            Compression::Gzip => is_start_of(&GZIP_MAGIC),
            Compression::Bzip2 => is_start_of(b"BZh"),
            Compression::Xz => is_start_of(b"\xfd7zXZ\0"),
            // Frames, also those of the legacy format and skippable ones.
            Compression::Lz4 => matches!(bytes, [0x02 | 0x04 | 0x50..=0x5f, ..]),
            Compression::Zstandard | Compression::None => true,
        }
    }

    /// Returns the error with the byte of the file; that of the file itself as it is.
    fn error(&self, error: io::Error, input: Option<&mut Input<'i>>) -> io::Error {
        let Some(input) = input else { return error };
        if let Some(failure) = input.failure.take() {
            return failure;
        }
        let (name, position) = (self.compression.name(), input.position);
        if error.kind() == io::ErrorKind::OutOfMemory || error.to_string().contains("too much memory") {
            let message = format!("{name} that needs more than {} MiB of memory is not read", WINDOW_BYTES >> 20);
            return io::Error::new(io::ErrorKind::InvalidData, message);
        }
        let is_end_of_zstandard =
            self.compression == Compression::Zstandard && error.kind() == io::ErrorKind::UnexpectedEof;
        match input.is_at_end || is_end_of_zstandard {
            true => io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!("its compression ({name}) is cut off at byte {position}, the end of the file"),
            ),
            false => io::Error::new(
                io::ErrorKind::InvalidData,
                format!("its compression ({name}) is damaged at byte {position} of the file: {error}"),
            ),
        }
    }
}

/// Memory of a decoder of xz in KiB, with room for what it needs beside its dictionary.
const XZ_KIB: u32 = (WINDOW_BYTES >> 10) + 1024;

fn is_legacy_lz4(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x02, 0x21, 0x4c, 0x18])
}

impl<'i> Decoder<'i> {
    fn input(&mut self) -> Option<&mut Input<'i>> {
        match self {
            Self::Between(input) => Some(input),
            Self::Gzip(decoder) => Some(decoder.get_mut()),
            Self::Bzip2(decoder) => Some(decoder.get_mut()),
            Self::Xz(decoder) => Some(decoder.inner_mut()),
            Self::Lz4(decoder) => Some(decoder.get_mut()),
            Self::Zstandard(decoder) => Some(decoder.get_mut()),
            Self::End => None,
        }
    }

    fn into_input(self) -> Option<Input<'i>> {
        match self {
            Self::Between(input) => Some(input),
            Self::Gzip(decoder) => Some(decoder.into_inner()),
            Self::Bzip2(decoder) => Some(decoder.into_inner()),
            Self::Xz(decoder) => Some(decoder.into_inner()),
            Self::Lz4(decoder) => Some(decoder.into_inner()),
            Self::Zstandard(_) | Self::End => None,
        }
    }
}

impl Read for Decoder<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Between(_) | Self::End => Ok(0),
            Self::Gzip(decoder) => decoder.read(buffer),
            Self::Bzip2(decoder) => decoder.read(buffer),
            Self::Xz(decoder) => decoder.read(buffer),
            Self::Lz4(decoder) => decoder.read(buffer),
            Self::Zstandard(decoder) => decoder.read(buffer),
        }
    }
}

/// Reads the first stream of a file to its end. Returns whether it is all of the file.
pub(crate) fn is_single(input: &mut dyn Read, compression: Compression) -> io::Result<bool> {
    let mut streams = Streams::new(Box::new(input), compression);
    let Decoder::Between(input) = mem::replace(&mut streams.decoder, Decoder::End) else { return Ok(false) };
    let mut rest = match streams.next(input)? {
        Decoder::Zstandard(frames) => {
            let mut frame = frames.single_frame();
            io::copy(&mut frame, &mut io::sink())?;
            frame.finish()
        }
        mut stream => {
            io::copy(&mut stream, &mut io::sink())?;
            let Some(rest) = stream.into_input() else { return Ok(true) };
            rest
        }
    };
    rest.must_continue = false;
    Ok(rest.fill_buf()?.is_empty())
}

impl Read for Streams<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match self.decoder.read(buffer) {
                Ok(0) => {}
                Ok(read) => return Ok(read),
                Err(error) => {
                    let mut decoder = mem::replace(&mut self.decoder, Decoder::End);
                    return Err(self.error(error, decoder.input()));
                }
            }
            let Some(input) = mem::replace(&mut self.decoder, Decoder::End).into_input() else { return Ok(0) };
            self.decoder = self.next(input)?;
        }
    }
}

/// A file that counts the bytes consumed, and keeps its own error apart from those of a decoder.
struct Input<'i> {
    input: BufReader<Box<dyn Read + 'i>>,
    position: u64,
    /// Whether the end of the file is an error, because a stream has begun. A decoder could take it for the end of the stream.
    must_continue: bool,
    /// Whether a decoder has asked for bytes after the end of the file.
    is_at_end: bool,
    failure: Option<io::Error>,
}

impl Input<'_> {
    /// Skips zeros. Returns whether a stream follows.
    fn skip_zeros(&mut self) -> io::Result<bool> {
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

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};

    use super::Compression;

    const ALL: [Compression; 5] =
        [Compression::Gzip, Compression::Zstandard, Compression::Bzip2, Compression::Xz, Compression::Lz4];

    fn stream(compression: Compression, text: &[u8]) -> io::Result<Vec<u8>> {
        let mut encoder = compression.encoder(Vec::new())?;
        encoder.write_all(text)?;
        encoder.finish()
    }

    fn read(compression: Compression, file: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        compression.decoder(file).read_to_end(&mut text)?;
        Ok(text)
    }

    fn text() -> Vec<u8> {
        (0..20_000_u32).flat_map(|number| format!("{} ", number.wrapping_mul(7919) % 104_729).into_bytes()).collect()
    }

    #[test]
    fn a_single_stream_is_all_of_its_file() -> io::Result<()> {
        for compression in ALL {
            let one = stream(compression, &text())?;
            assert!(compression.is_single(&one[..])? && !compression.is_single(&[&one[..], &one].concat()[..])?);
            assert!(!compression.is_single(&[&one[..], b"\0"].concat()[..])?, "{compression:?}");
        }
        Ok(())
    }

    #[test]
    fn streams_one_after_the_other() -> io::Result<()> {
        let text = text();
        for compression in ALL {
            let file = [stream(compression, &text)?, stream(compression, b"")?, stream(compression, b"end")?].concat();
            assert_eq!(Compression::of(&file), compression);
            assert_eq!(Compression::of(&stream(compression, b"")?), compression);
            assert!(read(compression, &file)? == [&text[..], b"end"].concat(), "{compression:?}");
            if compression != Compression::Zstandard {
                let padded = [&file[..], &[0; 1024]].concat();
                assert!(read(compression, &padded)? == [&text[..], b"end"].concat(), "{compression:?}");
            }
        }
        Ok(())
    }

    /// A frame of LZ4 that is cut off between two blocks does not look like a whole one.
    #[test]
    fn a_file_that_is_cut_off_is_an_error_with_the_byte() -> io::Result<()> {
        let text = text();
        for compression in ALL {
            let file = stream(compression, &text)?;
            for length in (6..file.len()).step_by(file.len() / 50).chain(file.len() - 20..file.len()) {
                let Err(error) = read(compression, &file[..length]) else { panic!("{compression:?} {length}") };
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{compression:?} {length}: {error}");
                let has_byte = error.to_string().contains(&format!("byte {length}"));
                assert!(has_byte, "{compression:?} {length}: {error}");
            }
        }
        Ok(())
    }

    /// Nor where it is in the last bytes that are read: the file is not cut off.
    #[test]
    fn damage_is_not_called_the_end_of_the_file() -> io::Result<()> {
        for compression in ALL {
            let whole = stream(compression, b"a message")?;
            let mut flipped = whole.clone();
            let last = flipped.len() - 1;
            // The checksum, or the end of a stream of xz.
            flipped[last] ^= 0x10;
            let followed_by = |rest: &[u8]| [&whole[..], rest].concat();
            for damaged in [flipped, followed_by(b"more text!"), followed_by(b"rubbish\n"), followed_by(b"\0x")] {
                let error = read(compression, &damaged).expect_err("it is damaged");
                assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{compression:?}: {error}");
                assert!(error.to_string().contains("is damaged at byte "), "{compression:?}: {error}");
            }
            let error = read(compression, &followed_by(b"\0x")).expect_err("more follows").to_string();
            let (name, byte) = (compression.name(), whole.len() + 1);
            let expected = format!("damaged at byte {byte} of the file: what follows there is not {name}");
            // Zstandard reads the zero as the start of a frame.
            assert!(error.ends_with(&expected) || compression == Compression::Zstandard, "{error}");
        }
        Ok(())
    }

    #[test]
    fn damage_is_an_error_with_the_byte() -> io::Result<()> {
        let text = text();
        for compression in ALL {
            let file = stream(compression, &text)?;
            for at in (20..file.len() - 4).step_by(file.len() / 40) {
                let mut damaged = file.clone();
                damaged[at] ^= 0x10;
                match read(compression, &damaged) {
                    Ok(read) => assert!(read == text, "{compression:?} {at}"),
                    Err(error) => assert!(error.to_string().contains("byte"), "{compression:?} {at}: {error}"),
                }
            }
        }
        Ok(())
    }

    /// First bytes that cannot be read, or not be copied, are not passed over.
    #[test]
    fn an_error_of_the_file_stays_itself() {
        struct Failing(bool);
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                if std::mem::replace(&mut self.0, false) { Err(io::Error::other("no space")) } else { Ok(0) }
            }
        }
        for compression in ALL {
            let start = stream(compression, &text()).expect("it is in memory");
            for length in [0, 3, 10, start.len() / 2] {
                let mut decoder = compression.decoder(start[..length].chain(Failing(true)));
                let error = decoder.read_to_end(&mut Vec::new()).expect_err("the file fails");
                assert_eq!(error.to_string(), "no space", "{compression:?} {length}");
            }
        }
    }

    /// A file of a few bytes could ask for gigabytes of memory.
    #[test]
    fn a_large_window_is_refused_with_the_number() -> io::Result<()> {
        let mut zstandard = zstd::Encoder::new(Vec::new(), 1)?;
        zstandard.window_log(30)?;
        zstandard.write_all(&vec![b'x'; 1 << 20])?;
        let mut options = lzma_rust2::XzOptions::with_preset(0);
        options.lzma_options.dict_size = 1 << 29;
        let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options)?;
        xz.write_all(b"x")?;
        for (compression, file) in [(Compression::Zstandard, zstandard.finish()?), (Compression::Xz, xz.finish()?)] {
            let refused = read(compression, &file).expect_err("its window is large").to_string();
            assert!(refused.ends_with("that needs more than 128 MiB of memory is not read"), "{refused}");
        }
        Ok(())
    }
}
