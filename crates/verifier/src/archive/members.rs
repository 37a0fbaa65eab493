//! Members of gzip, each inflated and checked before it counts; damaged ones are passed over.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::mem;

use flate2::bufread::GzDecoder;

use super::packing::{Counted, Packing, Places};
use super::reader::{Format, is_of_archive};
use crate::stored::Stored;

/// What holds more is not checked before it is given.
const LONGEST: u64 = 33 << 20;

/// What the members of an archive hold. A [`Gap`] is the error where some of it cannot be read; reading may go on.
pub(super) struct Members<'f> {
    file: Stored<'f>,
    format: Format,
    /// The file behind the last member; its count is the place in the file.
    rest: Option<Counted<'f>>,
    /// A member that holds too much.
    long: Option<Box<GzDecoder<Counted<'f>>>>,
    /// A member of several records of which only the beginning was read: its place, where it failed, and why.
    broken: Option<(u64, u64, io::Error)>,
    checked: Vec<u8>,
    given: usize,
    pub(super) places: Places,
    /// Why nothing more can be read.
    failed: Option<(io::ErrorKind, String)>,
}

/// Something is damaged, and what stands behind it is not.
#[derive(Debug)]
pub(super) struct Gap {
    /// Whether what the damaged member holds was given.
    pub(super) is_given: bool,
}

impl fmt::Display for Gap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a member of gzip is damaged")
    }
}

impl Error for Gap {}

impl<'f> Members<'f> {
    pub(super) fn new(file: Stored<'f>, format: Format) -> Self {
        let places = Places::default();
        let rest = Some(counted(file, 0));
        Self { file, format, rest, long: None, broken: None, checked: Vec::new(), given: 0, places, failed: None }
    }

    fn begin(&mut self, mut rest: Counted<'f>) -> io::Result<()> {
        if !rest.pass_zeros()? {
            return Ok(());
        }
        let place = rest.count;
        let mut member = GzDecoder::new(rest);
        let mut checked = mem::take(&mut self.checked);
        checked.clear();
        self.given = 0;
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
            self.places.end(self.places.given + checked.len() as u64, end);
        }
        self.checked = checked;
        Ok(())
    }

    fn holds_several(&self, content: &[u8]) -> bool {
        let mut lines = content.split_inclusive(|byte| *byte == b'\n').skip(1);
        lines.any(|line| self.format.begins_record(line))
    }

    /// Goes to the member behind one that failed at `here`; it begins at `place`, unless it is a long one.
    fn gap(&mut self, place: Option<u64>, here: u64, error: io::Error) -> io::Error {
        let found = match is_of_archive(&error) {
            true => self.next_member(place.map_or(here, |place| place + 1), here),
            false => return error,
        };
        let is_whole = error.kind() != io::ErrorKind::UnexpectedEof;
        let resumed = match found {
            Err(error) => return error,
            Ok(Some(next)) => next,
            Ok(None) if is_whole && place.is_none_or(|place| self.is_member(place)) => u64::MAX,
            Ok(None) => return error,
        };
        self.places.begin(resumed);
        self.rest = (resumed != u64::MAX).then(|| counted(self.file, resumed));
        io::Error::new(io::ErrorKind::InvalidData, Gap { is_given: place.is_none() || self.given > 0 })
    }

    fn is_member(&self, place: u64) -> bool {
        let mut magic = Vec::new();
        let read = self.file.reader_at(place).take(4).read_to_end(&mut magic);
        read.is_ok() && Packing::of(&magic) == Packing::Gzip
    }

    /// Where a member begins that holds a record: `here`, or else from `start` on.
    fn next_member(&self, start: u64, here: u64) -> io::Result<Option<u64>> {
        if self.holds_record(here) {
            return Ok(Some(here));
        }
        let mut input = counted(self.file, start);
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                return Ok(None);
            }
            let passed = memchr::memchr(0x1f, bytes);
            let length = bytes.len();
            input.consume(passed.unwrap_or(length));
            if passed.is_some() {
                if self.holds_record(input.count) {
                    return Ok(Some(input.count));
                }
                input.consume(1);
            }
        }
    }

    fn holds_record(&self, place: u64) -> bool {
        const ENOUGH: u64 = 16 << 10;
        let mut start = Vec::new();
        if self.is_member(place) {
            let input = BufReader::new(self.file.reader_at(place));
            // What it holds behind that is seen when it is read.
            let _ = GzDecoder::new(input).take(ENOUGH).read_to_end(&mut start);
        }
        self.format.begins_record(start.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default())
    }
}

impl Members<'_> {
    /// Gives some of what was checked, or of a long member; else begins the next one and gives nothing of it yet.
    fn step(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let read = (&self.checked[self.given..]).read(buffer)?;
        self.given += read;
        if read > 0 || buffer.is_empty() {
            return Ok(Some(read));
        }
        if let Some(mut member) = self.long.take() {
            return match member.read(buffer) {
                Ok(0) => {
                    let rest = member.into_inner();
                    self.places.end(self.places.given, rest.count);
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
                    self.places.given += read as u64;
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

fn counted(file: Stored<'_>, place: u64) -> Counted<'_> {
    Counted { input: BufReader::with_capacity(1 << 16, Box::new(file.reader_at(place))), count: place }
}
