//! The gzip members of an archive: each is decompressed and checked before its content is returned, damaged ones are skipped.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::mem;

use flate2::bufread::GzDecoder;

use super::counted::Counted;
use super::member_places::MemberPlaces;
use super::{BeginsRecord, is_member, member_holds_record};
use crate::storage::Stored;

/// The most content that is checked before it is returned.
const LONGEST: u64 = 33 << 20;

/// A reader of the content of the members of an archive. Where some of it cannot be read, a read fails with a [`Gap`], and
/// the next one continues behind it.
pub(super) struct Members<'f> {
    file: Stored<'f>,
    begins_record: BeginsRecord,
    /// The file behind the last member; its count is the place in the file.
    rest: Option<Counted<'f>>,
    /// A member with more content than is checked at once.
    long: Option<Box<GzDecoder<Counted<'f>>>>,
    /// A member of several records that is damaged behind its beginning: its place, where it failed, and why.
    broken: Option<(u64, u64, io::Error)>,
    checked: Vec<u8>,
    /// How much of `checked` was returned.
    returned: usize,
    pub(super) places: MemberPlaces,
    /// Why nothing more can be read.
    failed: Option<(io::ErrorKind, String)>,
}

/// A damaged place behind which the archive continues.
#[derive(Debug)]
pub(crate) struct Gap {
    /// Whether content of the damaged member was returned.
    pub(crate) is_returned: bool,
}

impl fmt::Display for Gap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a gzip member is damaged")
    }
}

impl Error for Gap {}

/// Reports whether an error comes from the content of an archive, and not from reading the file.
pub(crate) fn is_of_archive(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof | Other)
}

impl<'f> Members<'f> {
    pub(super) fn new(file: Stored<'f>, begins_record: BeginsRecord) -> Self {
        Self {
            file,
            begins_record,
            rest: Some(Counted::of_file(file, 0)),
            long: None,
            broken: None,
            checked: Vec::new(),
            returned: 0,
            places: MemberPlaces::default(),
            failed: None,
        }
    }

    fn begin(&mut self, mut rest: Counted<'f>) -> io::Result<()> {
        if !rest.skip_zeros()? {
            return Ok(());
        }
        let place = rest.count;
        let mut member = GzDecoder::new(rest);
        let mut checked = mem::take(&mut self.checked);
        checked.clear();
        self.returned = 0;
        let mut end = None;
        match (&mut member).take(LONGEST).read_to_end(&mut checked) {
            Err(error) if self.holds_several(&checked) && !error.to_string().contains("checksum") => {
                self.broken = Some((place, member.into_inner().count, error));
            }
            Err(error) => return Err(self.gap(Some(place), member.into_inner().count, error)),
            Ok(read) if read as u64 == LONGEST => self.long = Some(Box::new(member)),
            Ok(_) => {
                let rest = member.into_inner();
                end = Some(rest.count);
                self.rest = Some(rest);
            }
        }
        self.places.begin(place);
        if let Some(end) = end {
            self.places.end(self.places.read + checked.len() as u64, end);
        }
        self.checked = checked;
        Ok(())
    }

    fn holds_several(&self, content: &[u8]) -> bool {
        content.split_inclusive(|byte| *byte == b'\n').skip(1).any(self.begins_record)
    }

    /// Moves behind a member that failed at byte `here`; it begins at `place`, unless it is a long one.
    fn gap(&mut self, place: Option<u64>, here: u64, error: io::Error) -> io::Error {
        let found = match is_of_archive(&error) {
            true => self.next_member(place.map_or(here, |place| place + 1), here),
            false => return error,
        };
        let is_whole = error.kind() != io::ErrorKind::UnexpectedEof;
        let resumed = match found {
            Err(error) => return error,
            Ok(Some(next)) => next,
            Ok(None) if is_whole && place.is_none_or(|place| is_member(self.file, place)) => u64::MAX,
            Ok(None) => return error,
        };
        self.places.begin(resumed);
        self.rest = (resumed != u64::MAX).then(|| Counted::of_file(self.file, resumed));
        io::Error::new(io::ErrorKind::InvalidData, Gap { is_returned: place.is_none() || self.returned > 0 })
    }

    /// Returns where the next member begins that holds a record: at `here`, or else the first one from `start` on.
    fn next_member(&self, start: u64, here: u64) -> io::Result<Option<u64>> {
        let holds_record = |place| member_holds_record(self.file, place, self.begins_record);
        if holds_record(here) {
            return Ok(Some(here));
        }
        let mut input = Counted::of_file(self.file, start);
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                return Ok(None);
            }
            let found = memchr::memchr(0x1f, bytes);
            let length = bytes.len();
            input.consume(found.unwrap_or(length));
            if found.is_some() {
                if holds_record(input.count) {
                    return Ok(Some(input.count));
                }
                input.consume(1);
            }
        }
    }

    /// Returns checked content, or some of a long member; `None` when the next member was begun.
    fn step(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let read = (&self.checked[self.returned..]).read(buffer)?;
        self.returned += read;
        if read > 0 || buffer.is_empty() {
            return Ok(Some(read));
        }
        if let Some(mut member) = self.long.take() {
            return match member.read(buffer) {
                Ok(0) => {
                    let rest = member.into_inner();
                    self.places.end(self.places.read, rest.count);
                    self.rest = Some(rest);
                    Ok(None)
                }
                Ok(read) => {
                    self.long = Some(member);
                    Ok(Some(read))
                }
                Err(error) => {
                    let here = member.into_inner().count;
                    Err(self.gap(None, here, error))
                }
            };
        }
        if let Some((place, here, error)) = self.broken.take() {
            return Err(self.gap(Some(place), here, error));
        }
        match self.rest.take() {
            Some(rest) => self.begin(rest).map(|()| None),
            None => Ok(Some(0)),
        }
    }
}

impl Read for Members<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some((kind, why)) = &self.failed {
                return Err(io::Error::new(*kind, why.clone()));
            }
            match self.step(buffer) {
                Ok(Some(read)) => {
                    self.places.read += read as u64;
                    return Ok(read);
                }
                Ok(None) => {}
                Err(error) => {
                    let is_gap = error.get_ref().is_some_and(|error| error.is::<Gap>());
                    self.failed = (!is_gap).then(|| (error.kind(), error.to_string()));
                    return Err(error);
                }
            }
        }
    }
}
