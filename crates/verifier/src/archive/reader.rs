//! Reads the records of a web archive one at a time.

use std::io::{self, BufRead, Read};
use std::mem;

use super::format::{Format, length_in_line};
use super::input::Input;
use super::record::{Block, Record, fields};
use crate::compression::decompressed::Decompressed;
use crate::compression::members::is_of_archive;
use crate::storage::Stored;
use crate::storage::digest::length_and_sha256;

/// A part of an archive.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Record(Record),
    /// Bytes that are no record: the first of them, and how many there are.
    Stray(Vec<u8>, u64),
    /// A damaged or truncated record, behind which the archive can be read.
    Broken,
}

/// The records of an archive. Memory holds one of them.
pub(super) struct Records<'f> {
    input: Input<'f>,
    format: Format,
    /// The number of bytes read.
    at: u64,
    /// The number of records begun.
    pub(super) number: u64,
    /// A line that was read ahead.
    ahead: Vec<u8>,
    /// The error behind the last record, which is complete.
    failed: Option<io::Error>,
    /// Why the rest cannot be read.
    pub(super) broken: Option<String>,
    lengths: Lengths,
}

/// When the length of a record is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lengths {
    /// If it leads to the end of a record.
    Proven,
    /// Always.
    Believed,
}

/// Longer blocks are not held.
const LONG_BLOCK: u64 = 128 << 20;

/// The longest header in bytes.
const LONGEST_HEADER: usize = 64 << 10;

impl<'f> Records<'f> {
    /// Reads an archive that may be damaged.
    pub(super) fn of_file(file: Stored<'f>, format: Format) -> io::Result<Self> {
        let records = Self::written(format.decompressed(file)?, format);
        Ok(Self { lengths: Lengths::Proven, ..records })
    }

    /// Reads records that were written by a run, which have to be right.
    pub(super) fn written(input: Decompressed<'f>, format: Format) -> Self {
        let (input, ahead, lengths) = (Input::new(input), Vec::new(), Lengths::Believed);
        Self { input, format, at: 0, number: 0, ahead, failed: None, broken: None, lengths }
    }

    /// Returns the next part; `None` at the end, or where nothing more can be read.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        if self.broken.is_some() {
            return Ok(None);
        }
        let piece = self.piece();
        match piece {
            Ok(None) => match self.input.pass_gap() {
                Some(gap) => {
                    self.number += u64::from(!gap.is_returned);
                    Ok(Some(Piece::Broken))
                }
                None => Ok(None),
            },
            // A record was begun that is truncated there.
            Err(error) if is_of_archive(&error) && self.input.pass_gap().is_some() => Ok(Some(Piece::Broken)),
            Err(error) if is_of_archive(&error) => {
                self.broken = Some(error.to_string());
                Ok(None)
            }
            piece => piece,
        }
    }

    /// Returns the next record, and skips all else.
    pub(super) fn next_record(&mut self) -> io::Result<Option<Record>> {
        loop {
            match self.next()? {
                Some(Piece::Record(record)) => return Ok(Some(record)),
                Some(Piece::Stray(..) | Piece::Broken) => {}
                None => return Ok(None),
            }
        }
    }

    fn piece(&mut self) -> io::Result<Option<Piece>> {
        let start = self.at - self.ahead.len() as u64;
        let line = self.line()?;
        if line.is_empty() {
            return Ok(None);
        }
        let place = self.input.place(start);
        let (header, length) = match self.format {
            _ if !self.begins_record(&line) => {
                self.ahead = line;
                return self.stray(Vec::new()).map(Some);
            }
            Format::Arc => (line.clone(), length_in_line(&line)),
            Format::Warc => {
                let Some(header) = self.header(line)? else {
                    return Ok(Some(Piece::Stray(b"WARC/".to_vec(), 5)));
                };
                let length = fields(&header).into_iter().find(|(name, _)| name.eq_ignore_ascii_case("Content-Length"));
                (header, length.and_then(|(_, value)| value.parse().ok()))
            }
        };
        let Some(length) = length else { return self.stray(header).map(Some) };
        self.number += 1;
        let (block, is_whole) = self.block(length)?;
        let line_ends = self.line_ends()?;
        if let Block::Whole(block) = &block
            && self.lengths == Lengths::Proven
            && !(is_whole && (!line_ends.is_empty() || self.may_end()?))
        {
            return self.behind_broken(block).map(Some);
        }
        if !is_whole {
            return Err(truncated());
        }
        // Reading ahead shows whether a member ends here.
        self.peek();
        let (end, members) = self.input.end(self.at);
        let (format, number) = (self.format, self.number);
        Ok(Some(Piece::Record(Record { format, number, place, end, members, header, block, line_ends })))
    }

    fn begins_record(&self, line: &[u8]) -> bool {
        self.format.begins_record(line)
    }

    /// Returns the header that begins with this line, to its empty line; `None` if it is too long, or the next record
    /// begins in it.
    fn header(&mut self, mut header: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        loop {
            let line = self.line()?;
            if line.is_empty() {
                self.number += 1;
                return Err(truncated());
            }
            let next = if line.starts_with(b"WARC/") { Some(0) } else { version_at_end(&line) };
            if let Some(next) = next {
                self.ahead = line[next..].to_vec();
                return Ok(None);
            }
            header.extend_from_slice(&line);
            if matches!(&*line, b"\n" | b"\r\n") {
                return Ok(Some(header));
            }
            if header.len() >= LONGEST_HEADER {
                return Ok(None);
            }
        }
    }

    /// Returns the block, and whether it has the length of the header.
    fn block(&mut self, length: u64) -> io::Result<(Block, bool)> {
        let mut rest = (&mut self.input).take(length);
        let block = if length > LONG_BLOCK {
            let (length, sha256) = length_and_sha256(rest)?;
            Block::Long(length, sha256)
        } else {
            let mut block = Vec::new();
            rest.read_to_end(&mut block)?;
            Block::Whole(block)
        };
        self.at += block.length();
        let is_whole = block.length() == length;
        Ok((block, is_whole))
    }

    /// Reports whether a record may end here although no line end follows it.
    fn may_end(&mut self) -> io::Result<bool> {
        let line = self.line()?;
        let may_end = line.is_empty() || self.begins_record(&line);
        self.ahead = line;
        Ok(may_end)
    }

    /// Moves to the record behind one with a wrong length; it may begin within the bytes that were taken for the block.
    fn behind_broken(&mut self, block: &[u8]) -> io::Result<Piece> {
        let ahead = mem::take(&mut self.ahead);
        let text = [block, &ahead].concat();
        let mut begins = std::iter::once(0).chain(memchr::memchr_iter(b'\n', block).map(|end| end + 1));
        if let Some(begin) = begins.find_map(|begin| Some(begin + self.next_in(line_at(&text[begin..]))?)) {
            let back = text[begin..].to_vec();
            self.at -= back.len() as u64;
            self.input.put_back(back);
            return Ok(Piece::Broken);
        }
        if ahead.is_empty() {
            return Err(truncated());
        }
        self.ahead = ahead;
        self.stray(Vec::new())?;
        if self.ahead.is_empty() { Err(truncated()) } else { Ok(Piece::Broken) }
    }

    /// Returns where the next record begins in this line of an archive behind damage.
    fn next_in(&self, line: &[u8]) -> Option<usize> {
        match self.format {
            Format::Warc if is_version(line.get(..8)?) => Some(0),
            Format::Warc => version_at_end(line),
            Format::Arc => self.begins_record(line).then_some(0),
        }
    }

    fn line_ends(&mut self) -> io::Result<Vec<u8>> {
        let (most, ends) = match self.format {
            Format::Warc => (4, &b"\r\n"[..]),
            Format::Arc => (1, &b"\n"[..]),
        };
        let mut found = Vec::new();
        while found.len() < most {
            let Some(byte) = self.peek().filter(|byte| ends.contains(byte)) else { break };
            found.push(byte);
            self.input.consume(1);
        }
        self.at += found.len() as u64;
        Ok(found)
    }

    /// Returns the next byte without taking it; `None` if none can be read.
    fn peek(&mut self) -> Option<u8> {
        if self.failed.is_some() {
            return None;
        }
        match self.input.fill_buf() {
            Ok(bytes) => bytes.first().copied(),
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }

    /// Skips bytes that are no record, up to the next one; `shown` are those that were read.
    fn stray(&mut self, mut shown: Vec<u8>) -> io::Result<Piece> {
        const SHOWN: usize = 64;
        let mut length = shown.len() as u64;
        shown.truncate(SHOWN);
        loop {
            let line = self.line()?;
            let next = self.next_in(&line);
            let passed = next.unwrap_or(line.len());
            length += passed as u64;
            shown.extend(line[..passed].iter().take(SHOWN - shown.len()));
            if next.is_some() || line.is_empty() {
                self.ahead = line[passed..].to_vec();
                return Ok(Piece::Stray(shown, length));
            }
        }
    }

    /// Returns the next line, cut at the longest length of a header; empty at the end.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        if !self.ahead.is_empty() {
            return Ok(mem::take(&mut self.ahead));
        }
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut line = Vec::new();
        (&mut self.input).take(LONGEST_HEADER as u64).read_until(b'\n', &mut line)?;
        self.at += line.len() as u64;
        Ok(line)
    }
}

fn is_version(bytes: &[u8]) -> bool {
    matches!(bytes, [b'W', b'A', b'R', b'C', b'/', a, b'.', b] if a.is_ascii_digit() && b.is_ascii_digit())
}

/// Returns where the version of a record stands that ends a line with its line end.
fn version_at_end(line: &[u8]) -> Option<usize> {
    let text = line.strip_suffix(b"\n")?;
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let start = text.len().checked_sub(8)?;
    is_version(&text[start..]).then_some(start)
}

/// Returns the first line of bytes.
fn line_at(bytes: &[u8]) -> &[u8] {
    bytes.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default()
}

fn truncated() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the record is truncated")
}
