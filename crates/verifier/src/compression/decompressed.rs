//! The content of a compressed file, with the places of its members.

use std::io::{self, BufRead, Read};
use std::mem;

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lz4_flex::frame::FrameDecoder;
use lzma_rust2::XzReader;

use super::counted::{Counted, Input, buffered};
use super::member_places::MemberPlaces;
use super::members::Members;
use super::{BeginsRecord, Compression, dictionary};
use crate::storage::Stored;

/// A reader of the content of a file.
pub(crate) struct Decompressed<'f> {
    source: Source<'f>,
    compression: Compression,
    places: MemberPlaces,
}

enum Source<'f> {
    Plain(Input<'f>),
    Gzip(Box<GzDecoder<Counted<'f>>>),
    /// The members of an archive, which may be damaged.
    Members(Box<Members<'f>>),
    Zstandard(zstd::Decoder<'static, Input<'f>>),
    Bzip2(BzDecoder<Counted<'f>>),
    Xz(Box<XzReader<Counted<'f>>>),
    Lz4(Box<FrameDecoder<Counted<'f>>>),
    End,
}

impl<'f> Source<'f> {
    /// Returns the next member or stream of a file.
    fn next(mut rest: Counted<'f>, compression: Compression) -> io::Result<Self> {
        /// The memory in KiB that a stream of xz may need.
        const MEMORY: u32 = 256 << 10;
        // A frame of the old kind ends with the file.
        rest.is_within = compression == Compression::Lz4 && !rest.fill_buf()?.starts_with(&[0x02, 0x21]);
        Ok(match compression {
            Compression::Bzip2 => Self::Bzip2(BzDecoder::new(rest)),
            Compression::Xz => Self::Xz(Box::new(XzReader::new_mem_limit(rest, false, MEMORY))),
            Compression::Lz4 => Self::Lz4(Box::new(FrameDecoder::new(rest))),
            _ => Self::Gzip(Box::new(GzDecoder::new(rest))),
        })
    }

    /// Returns what follows a member or stream that was read to its end.
    fn into_rest(self) -> Option<Counted<'f>> {
        let mut rest = match self {
            Self::Gzip(member) => member.into_inner(),
            Self::Bzip2(stream) => stream.into_inner(),
            Self::Xz(stream) => stream.into_inner(),
            Self::Lz4(frame) => frame.into_inner(),
            Self::Plain(_) | Self::Members(_) | Self::Zstandard(_) | Self::End => return None,
        };
        rest.is_within = false;
        Some(rest)
    }
}

impl<'f> Decompressed<'f> {
    /// Decompresses `input`. Zstandard frames may need `dictionary`.
    pub(crate) fn new(input: impl Read + 'f, compression: Compression, dictionary: &[u8]) -> io::Result<Self> {
        let input = buffered(input);
        let mut places = MemberPlaces::default();
        let source = match compression {
            Compression::None => Source::Plain(input),
            Compression::Zstandard => Source::Zstandard(zstd::Decoder::with_dictionary(input, dictionary)?),
            Compression::Gzip | Compression::Bzip2 | Compression::Xz | Compression::Lz4 => {
                places.begin(0);
                Source::next(Counted::new(input), compression)?
            }
        };
        Ok(Self { source, compression, places })
    }

    /// Decompresses a file by its first bytes.
    pub(crate) fn of_file(file: Stored<'f>) -> io::Result<Self> {
        Self::new(file.reader_at(0), Compression::of_file(file)?, &dictionary(file)?)
    }

    /// Decompresses the gzip members of an archive, and continues behind damaged ones.
    pub(crate) fn of_members(file: Stored<'f>, begins_record: BeginsRecord) -> Self {
        let source = Source::Members(Box::new(Members::new(file, begins_record)));
        Self { source, compression: Compression::Gzip, places: MemberPlaces::default() }
    }

    /// Returns the byte of the file at which this byte of the content stands; `None` if no member begins there. Calls must
    /// come in ascending order.
    pub(crate) fn place(&mut self, content: u64) -> Option<u64> {
        match &mut self.source {
            Source::Plain(_) => Some(content),
            Source::Members(members) => members.places.begin_of(content),
            _ => self.places.begin_of(content),
        }
    }

    /// Returns the byte of the file at which a member ends that ends at this byte of the content, and the number of members
    /// that have ended since the last call. Calls must come in ascending order, of bytes that were read.
    pub(crate) fn end(&mut self, content: u64) -> (Option<u64>, usize) {
        match &mut self.source {
            Source::Plain(_) => (Some(content), 1),
            Source::Members(members) => members.places.end_of(content),
            _ => self.places.end_of(content),
        }
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(input) => input.read(buffer),
            Self::Gzip(member) => member.read(buffer),
            Self::Members(members) => members.read(buffer),
            Self::Zstandard(frames) => frames.read(buffer),
            Self::Bzip2(stream) => stream.read(buffer),
            Self::Xz(stream) => stream.read(buffer),
            Self::Lz4(frame) => frame.read(buffer),
            Self::End => Ok(0),
        }
    }
}

impl Read for Decompressed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Source::Members(members) = &mut self.source {
            return members.read(buffer);
        }
        loop {
            let read = self.source.read(buffer)?;
            self.places.read += read as u64;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            // A plain file and Zstandard frames end here.
            let Some(mut rest) = mem::replace(&mut self.source, Source::End).into_rest() else { return Ok(0) };
            self.places.end(self.places.read, rest.count);
            if rest.skip_zeros()? {
                self.places.begin(rest.count);
                self.source = Source::next(rest, self.compression)?;
            }
        }
    }
}
