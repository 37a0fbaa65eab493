//! What archives hold that are compressed by gzip (RFC 1952) or Zstandard (RFC 8878), and where their members begin.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;

use super::members::Members;
use super::reader::Format;
use crate::stored::Stored;

/// How an archive is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstandard,
}

impl Packing {
    /// How a file is compressed that begins so.
    pub(crate) fn of(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstandard,
            _ => Self::Plain,
        }
    }

    /// How an archive is compressed, though its first member may be damaged: another one with a record is found behind.
    pub(super) fn of_archive(file: Stored<'_>) -> io::Result<Self> {
        const FIRST: u64 = 16 << 10;
        let start = file.bytes(0..FIRST)?;
        let is_archive = |bytes: &[u8]| bytes.starts_with(b"WARC/") || bytes.starts_with(b"filedesc://");
        let is_member = |at: usize| {
            let mut held = Vec::new();
            let _ = GzDecoder::new(&start[at..]).take(16).read_to_end(&mut held);
            start[at..].starts_with(&[0x1f, 0x8b, 8]) && is_archive(&held)
        };
        Ok(match Self::of(&start) {
            Self::Plain if !is_archive(&start) && memchr::memchr_iter(0x1f, &start).any(is_member) => Self::Gzip,
            packing => packing,
        })
    }

    /// How a file should be compressed that is called so, if its name tells.
    pub(super) fn of_name(name: &Path) -> Option<Self> {
        match &*name.extension().and_then(OsStr::to_str)?.to_ascii_lowercase() {
            "gz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstandard),
            "warc" => Some(Self::Plain),
            _ => None,
        }
    }

    pub(crate) fn of_file(file: Stored<'_>) -> io::Result<Self> {
        Ok(Self::of(&file.bytes(0..4)?))
    }
}

/// What an archive holds.
pub(crate) struct Unpacked<'f> {
    source: Source<'f>,
    places: Places,
}

/// Where members begin.
#[derive(Default)]
pub(super) struct Places {
    /// How many bytes of what they hold were given.
    pub(super) given: u64,
    /// Bytes of what is held, bytes of the file.
    members: VecDeque<(u64, u64)>,
    /// Where members end.
    ends: VecDeque<(u64, u64)>,
}

impl Places {
    /// A member begins here in the file.
    pub(super) fn begin(&mut self, place: u64) {
        // Of members that hold nothing the last one counts.
        self.members.pop_back_if(|(begin, _)| *begin == self.given);
        self.members.push_back((self.given, place));
    }

    /// Where in the file the member begins that begins behind `held` bytes. Asked for ever greater ones.
    fn of(&mut self, held: u64) -> Option<u64> {
        while self.members.front().is_some_and(|(begin, _)| *begin < held) {
            self.members.pop_front();
        }
        self.members.front().filter(|(begin, _)| *begin == held).map(|(_, place)| *place)
    }

    /// A member ends here in the file, behind `held` bytes of what members hold.
    pub(super) fn end(&mut self, held: u64, place: u64) {
        self.ends.push_back((held, place));
    }

    /// See [`Unpacked::end`].
    fn end_of(&mut self, held: u64) -> (Option<u64>, usize) {
        let mut count = 0;
        while let Some((end, place)) = self.ends.pop_front_if(|(end, _)| *end <= held) {
            count += 1;
            if end == held {
                return (Some(place), count);
            }
        }
        (None, count)
    }
}

enum Source<'f> {
    Plain(Input<'f>),
    Gzip(Box<GzDecoder<Counted<'f>>>),
    /// Of an archive, which may be damaged.
    Members(Box<Members<'f>>),
    Zstandard(zstd::Decoder<'static, Input<'f>>),
    End,
}

pub(super) type Input<'f> = BufReader<Box<dyn Read + 'f>>;

impl<'f> Unpacked<'f> {
    /// What is held by `input`, which is compressed so. Frames of Zstandard may need this dictionary.
    pub(crate) fn new(input: impl Read + 'f, packing: Packing, dictionary: &[u8]) -> io::Result<Self> {
        let input: Input<'f> = BufReader::with_capacity(1 << 16, Box::new(input));
        let mut places = Places::default();
        let source = match packing {
            Packing::Plain => Source::Plain(input),
            Packing::Gzip => {
                places.begin(0);
                Source::Gzip(Box::new(GzDecoder::new(Counted { input, count: 0 })))
            }
            Packing::Zstandard => Source::Zstandard(zstd::Decoder::with_dictionary(input, dictionary)?),
        };
        Ok(Self { source, places })
    }

    /// What an archive in this format holds. Behind damage in members of gzip it goes on.
    pub(super) fn of_archive(file: Stored<'f>, format: Format) -> io::Result<Self> {
        match Packing::of_archive(file)? {
            Packing::Gzip => {
                let source = Source::Members(Box::new(Members::new(file, format)));
                Ok(Self { source, places: Places::default() })
            }
            _ => Self::of_file(file),
        }
    }

    /// What a file holds.
    pub(super) fn of_file(file: Stored<'f>) -> io::Result<Self> {
        let (packing, dictionary) = (Packing::of_file(file)?, dictionary(file)?);
        Self::new(file.reader_at(0), packing, &dictionary)
    }

    /// Where in the file that begins which begins behind `held` bytes of what it holds; `None` if no member does there. Asked
    /// for ever greater ones.
    pub(super) fn place(&mut self, held: u64) -> Option<u64> {
        match &mut self.source {
            Source::Plain(_) => Some(held),
            Source::Members(members) => members.places.of(held),
            _ => self.places.of(held),
        }
    }
}

impl Unpacked<'_> {
    /// Where in the file that ends which ends behind `held` bytes of what it holds, and how many members have ended since this
    /// was asked before; no place if no member ends there. Asked for ever greater ones, which were read.
    pub(super) fn end(&mut self, held: u64) -> (Option<u64>, usize) {
        match &mut self.source {
            Source::Plain(_) => (Some(held), 1),
            Source::Members(members) => members.places.end_of(held),
            _ => self.places.end_of(held),
        }
    }
}

impl Read for Unpacked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match &mut self.source {
                Source::Plain(input) => input.read(buffer)?,
                Source::Gzip(member) => member.read(buffer)?,
                Source::Members(members) => return members.read(buffer),
                Source::Zstandard(frames) => frames.read(buffer)?,
                Source::End => 0,
            };
            self.places.given += read as u64;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            // What Zstandard and plain files hold has ended here.
            let Source::Gzip(member) = std::mem::replace(&mut self.source, Source::End) else { return Ok(0) };
            let mut rest = member.into_inner();
            self.places.end(self.places.given, rest.count);
            if rest.pass_zeros()? {
                self.places.begin(rest.count);
                self.source = Source::Gzip(Box::new(GzDecoder::new(rest)));
            }
        }
    }
}

/// A reader that counts what was taken from it.
pub(super) struct Counted<'f> {
    pub(super) input: Input<'f>,
    pub(super) count: u64,
}

impl Counted<'_> {
    /// Goes to what stands behind zeros, which tapes leave; answers whether there is something.
    pub(super) fn pass_zeros(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.input.fill_buf()?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let (is_end, is_other) = (bytes.is_empty(), zeros < bytes.len());
            self.consume(zeros);
            if is_end || is_other {
                return Ok(is_other);
            }
        }
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.count += read as u64;
        Ok(read)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.count += amount as u64;
        self.input.consume(amount);
    }
}

/// The dictionary that stands before the first frame of Zstandard, perhaps compressed itself; empty if there is none.
pub(super) fn dictionary(file: Stored<'_>) -> io::Result<Vec<u8>> {
    const MARK: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
    const LONGEST: u32 = 16 << 20;
    let start = file.bytes(0..8)?;
    let Some((MARK, &[a, b, c, d])) = start.first_chunk().copied().zip(start.last_chunk()) else {
        return Ok(Vec::new());
    };
    let length = u32::from_le_bytes([a, b, c, d]);
    let dictionary = file.bytes(8..8 + u64::from(length.min(LONGEST)))?;
    match Packing::of(&dictionary) {
        Packing::Zstandard => zstd::bulk::decompress(&dictionary, LONGEST as usize),
        _ => Ok(dictionary),
    }
}
