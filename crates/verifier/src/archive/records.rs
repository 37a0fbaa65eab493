//! The records of an archive, one after the other. Memory holds a few of them.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use absolve_framing::{ArchiveFormat, Batch, Batches, Compression, Content, RECORD_HEADER};
use sha2::{Digest, Sha256};

use super::record::{Place, Record};
use crate::storage::Stored;

/// Bytes at the start of a file by which its format is known.
pub(super) const START: u64 = 16 << 10;

/// A part of an archive.
#[derive(Debug)]
pub(super) enum Piece {
    Record(Record),
    /// Bytes that are not a record, and why.
    Other(Content, Vec<u8>),
}

/// The records of an archive, as the framing finds them.
pub(super) struct Records<'f> {
    file: Stored<'f>,
    format: ArchiveFormat,
    pub(super) compression: Compression,
    /// The byte of the file at which the archive begins.
    start: u64,
    batches: Batches<'f, ArchiveFormat>,
    batch: Batch,
    /// The number of records of the batch that were returned.
    taken: usize,
    /// The number of bytes in front of the batch, without compression.
    before: u64,
    ends: MemberEnds,
    long: Option<Long>,
    pub(super) ending: Ending,
}

/// A record that is too long to be held, as far as it was read.
struct Long {
    number: u64,
    header: Vec<u8>,
    digest: Sha256,
    line_ends: Vec<u8>,
    /// Its bytes without compression.
    range: Range<u64>,
}

/// The ends of gzip members, as offsets without compression and in the file.
type MemberEnds = Rc<RefCell<VecDeque<(u64, u64)>>>;

/// The end of an archive, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Ending {
    /// The number of records.
    pub(super) records: u64,
    /// The version of the last record, if there is one.
    pub(super) version: Option<String>,
    /// Whether the line ends behind the last record are missing.
    pub(super) lacks_line_ends: bool,
    /// Why no record can follow it.
    pub(super) unread: Option<String>,
}

impl<'f> Records<'f> {
    /// Reads a whole file.
    pub(super) fn of(file: Stored<'f>, format: ArchiveFormat) -> io::Result<Self> {
        Self::behind(0, file, format)
    }

    /// Reads the archive that begins at a byte of a file.
    pub(super) fn behind(start: u64, file: Stored<'f>, format: ArchiveFormat) -> io::Result<Self> {
        let compression = Compression::of_archive(&file.bytes(start..start + START)?);
        let ends = MemberEnds::new(VecDeque::from([(0, start)]).into());
        let added = Rc::clone(&ends);
        let add = move |decoded, file: u64| added.borrow_mut().push_back((decoded, start + file));
        let input = compression.decompressed(Box::new(file.reader_at(start)), format, add)?;
        let (batches, batch, ending) = (Batches::new(input, format), Batch::default(), Ending::default());
        let (taken, before, long) = (0, 0, None);
        Ok(Self { file, format, compression, start, batches, batch, taken, before, ends, long, ending })
    }

    /// Returns the next record, and skips all else.
    pub(super) fn next_record(&mut self) -> io::Result<Option<Record>> {
        loop {
            match self.next()? {
                Some(Piece::Record(record)) => return Ok(Some(record)),
                Some(_) => {}
                None => return Ok(None),
            }
        }
    }

    /// Returns the next part; `None` at the end, or where nothing more can be read.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        loop {
            let Some(framed) = self.batch.records.get(self.taken) else {
                match (self.read_batch()?, self.long.take()) {
                    (true, long) => self.long = long,
                    (false, Some(long)) => return self.finished(long).map(Some),
                    (false, None) => return Ok(None),
                }
                continue;
            };
            let (number, content, raw) = (framed.number, framed.content.clone(), framed.raw.clone());
            let bytes = &self.batch.bytes[raw.clone()];
            let range = self.before + raw.start as u64..self.before + raw.end as u64;
            if let Some(long) = &mut self.long
                && long.continues(&content, bytes)
            {
                long.range.end = range.end;
                self.taken += 1;
                continue;
            }
            let breaks_record = matches!(&content, Content::Damaged(damage) if damage.breaks_record);
            if let Some(long) = self.long.take()
                && !breaks_record
            {
                return self.finished(long).map(Some);
            }
            self.taken += 1;
            self.ending.records = self.ending.records.max(number);
            self.ending.pass(&content, bytes);
            let piece = match content {
                Content::Record(content) => {
                    let (bytes, line_ends) = bytes.split_at(content.len());
                    let (bytes, line_ends) = (bytes.to_vec(), line_ends.to_vec());
                    let record = Record::new(self.format, number, bytes, line_ends, self.place(range)?);
                    self.ending.version = Some(record.version());
                    Piece::Record(record)
                }
                Content::TooLong => {
                    let header = bytes[..bytes.len().min(RECORD_HEADER)].to_vec();
                    let digest = Sha256::new_with_prefix(bytes);
                    self.long = Some(Long { number, header, digest, line_ends: Vec::new(), range });
                    continue;
                }
                other => Piece::Other(other, bytes.to_vec()),
            };
            return Ok(Some(piece));
        }
    }

    /// Reads the next batch. Returns whether there is one.
    fn read_batch(&mut self) -> io::Result<bool> {
        let spent = mem::take(&mut self.batch);
        self.before += spent.bytes.len() as u64;
        self.taken = 0;
        match self.batches.next(spent.bytes) {
            Ok(Some(batch)) => {
                self.batch = batch;
                return Ok(true);
            }
            Ok(None) if self.batches.is_truncated() => {
                self.long = None;
                self.ending.unread = Some("it ends within its last record".to_owned());
            }
            Ok(None) => {}
            Err(error) if is_of_data(&error) => {
                self.ending.unread = Some(format!("it cannot be read to its end: {error}"));
            }
            Err(error) => return Err(error),
        }
        Ok(false)
    }

    fn finished(&self, Long { number, header, digest, line_ends, range }: Long) -> io::Result<Piece> {
        let record = Record::new(self.format, number, header, line_ends, self.place(range)?);
        Ok(Piece::Record(record.without_block(digest)))
    }

    /// Returns the place of these bytes, counted without compression.
    fn place(&self, Range { start, end }: Range<u64>) -> io::Result<Place> {
        match self.compression {
            Compression::None => Ok(Place { start: Some(self.start + start), end: Some(self.start + end), members: 0 }),
            _ => self.place_of_members(start, end),
        }
    }

    fn place_of_members(&self, start: u64, end: u64) -> io::Result<Place> {
        let mut ends = self.ends.borrow_mut();
        while ends.get(1).is_some_and(|(decoded, _)| *decoded <= start) {
            ends.pop_front();
        }
        let members = ends.iter().take_while(|(decoded, _)| *decoded < end).count();
        let file_end = ends.get(members).filter(|(decoded, _)| *decoded == end).map(|(_, file)| *file);
        let file_start = match ends.front() {
            Some((decoded, file)) if *decoded == start => Some(behind_zeros(self.file, *file)?),
            _ => None,
        };
        Ok(Place { start: file_start, end: file_end, members })
    }
}

/// Returns the first byte of a file that is not zero, from this one on: tapes are padded.
fn behind_zeros(file: Stored<'_>, mut at: u64) -> io::Result<u64> {
    let mut length = 1;
    loop {
        let bytes = file.bytes(at..at + length)?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        at += zeros as u64;
        if zeros < bytes.len() || bytes.is_empty() {
            return Ok(at);
        }
        length = START;
    }
}

impl Long {
    /// Adds these bytes, and reports whether they are of it: a piece, or the line ends behind it.
    fn continues(&mut self, content: &Content, bytes: &[u8]) -> bool {
        match content {
            Content::TooLongContinued => self.digest.update(bytes),
            Content::NoRecord if bytes.iter().all(|byte| matches!(byte, b'\r' | b'\n')) => {
                self.line_ends.extend_from_slice(bytes);
            }
            _ => return false,
        }
        true
    }
}

/// Reports whether an error comes from the content of a file, and not from reading it.
pub(super) fn is_of_data(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof, Unsupported};
    error.raw_os_error().is_none()
        && matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof | Unsupported)
}

impl Ending {
    /// Adds the next part of the archive.
    fn pass(&mut self, content: &Content, bytes: &[u8]) {
        let is_damaged = matches!(content, Content::Damaged(_));
        self.unread.take_if(|_| is_damaged || content.is_new());
        match content {
            Content::Record(_) => self.lacks_line_ends = !(bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n")),
            Content::CutOff => self.unread = Some("its last record is cut off".to_owned()),
            _ if is_damaged => self.lacks_line_ends = false,
            _ if content.is_stray(bytes) => {
                self.unread.get_or_insert_with(|| "the bytes at its end are not a record".to_owned());
            }
            _ => {}
        }
    }
}
