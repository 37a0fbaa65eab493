//! The content of a compressed file, with the places of its members.

use std::io::{self, Read};

use flate2::bufread::GzDecoder;

use super::counted::{Counted, Input, buffered};
use super::member_places::MemberPlaces;
use super::members::Members;
use super::{BeginsRecord, Compression, dictionary};
use crate::storage::Stored;

/// A reader of the content of a file.
pub(crate) struct Decompressed<'f> {
    source: Source<'f>,
    places: MemberPlaces,
}

enum Source<'f> {
    Plain(Input<'f>),
    Gzip(Box<GzDecoder<Counted<'f>>>),
    /// The members of an archive, which may be damaged.
    Members(Box<Members<'f>>),
    Zstandard(zstd::Decoder<'static, Input<'f>>),
    End,
}

impl<'f> Decompressed<'f> {
    /// Decompresses `input`. Zstandard frames may need `dictionary`.
    pub(crate) fn new(input: impl Read + 'f, compression: Compression, dictionary: &[u8]) -> io::Result<Self> {
        let input = buffered(input);
        let mut places = MemberPlaces::default();
        let source = match compression {
            Compression::None => Source::Plain(input),
            Compression::Gzip => {
                places.begin(0);
                Source::Gzip(Box::new(GzDecoder::new(Counted::new(input))))
            }
            Compression::Zstandard => Source::Zstandard(zstd::Decoder::with_dictionary(input, dictionary)?),
        };
        Ok(Self { source, places })
    }

    /// Decompresses a file by its first bytes.
    pub(crate) fn of_file(file: Stored<'f>) -> io::Result<Self> {
        Self::new(file.reader_at(0), Compression::of_file(file)?, &dictionary(file)?)
    }

    /// Decompresses the gzip members of an archive, and continues behind damaged ones.
    pub(crate) fn of_members(file: Stored<'f>, begins_record: BeginsRecord) -> Self {
        let source = Source::Members(Box::new(Members::new(file, begins_record)));
        Self { source, places: MemberPlaces::default() }
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

impl Read for Decompressed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match &mut self.source {
                Source::Plain(input) => input.read(buffer)?,
                Source::Gzip(member) => member.read(buffer)?,
                Source::Members(members) => return members.read(buffer),
                Source::Zstandard(frames) => frames.read(buffer)?,
                Source::End => 0,
            };
            self.places.read += read as u64;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            // A plain file and Zstandard frames end here.
            let Source::Gzip(member) = std::mem::replace(&mut self.source, Source::End) else { return Ok(0) };
            let mut rest = member.into_inner();
            self.places.end(self.places.read, rest.count);
            if rest.skip_zeros()? {
                self.places.begin(rest.count);
                self.source = Source::Gzip(Box::new(GzDecoder::new(rest)));
            }
        }
    }
}
