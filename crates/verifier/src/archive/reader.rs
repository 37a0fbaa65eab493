//! The records of a web archive, one at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use super::ours::sha256_of_all;
use super::packing::Unpacked;
use super::record::{Block, Record, fields};

/// A format of web archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Warc,
    Arc,
}

impl Format {
    /// The format of what a file holds.
    pub(super) fn of_file(file: &File) -> io::Result<Self> {
        let mut start = Vec::new();
        match Unpacked::of_file(file)?.take(11).read_to_end(&mut start) {
            Err(error) if !is_of_archive(&error) => Err(error),
            _ => Ok(if start == b"filedesc://" { Self::Arc } else { Self::Warc }),
        }
    }
}

/// What stands in an archive.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Record(Record),
    /// Bytes that are no record, or a part of them, and how many they are.
    Stray(Vec<u8>, u64),
}

/// The records of an archive. Memory holds one of them.
pub(super) struct Records<'f> {
    input: BufReader<Unpacked<'f>>,
    format: Format,
    /// How many bytes were read.
    at: u64,
    /// How many records were begun.
    pub(super) number: u64,
    /// A line that was read already.
    ahead: Vec<u8>,
    /// Why the rest cannot be read.
    pub(super) broken: Option<String>,
}

/// Blocks that are longer are not looked into.
const LONG_BLOCK: u64 = 128 << 20;

/// Bytes of a heading; no real one is longer.
const LONGEST_HEADING: usize = 64 << 10;

impl<'f> Records<'f> {
    pub(super) fn new(input: Unpacked<'f>, format: Format) -> Self {
        let input = BufReader::with_capacity(1 << 16, input);
        Self { input, format, at: 0, number: 0, ahead: Vec::new(), broken: None }
    }

    pub(super) fn of_file(file: &'f File, format: Format) -> io::Result<Self> {
        Ok(Self::new(Unpacked::of_file(file)?, format))
    }

    /// What stands next; `None` at the end, or where nothing more can be read.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        if self.broken.is_some() {
            return Ok(None);
        }
        match self.piece() {
            Err(error) if is_of_archive(&error) => {
                self.broken = Some(error.to_string());
                Ok(None)
            }
            piece => piece,
        }
    }

    /// The next record, if it is one; strays are passed over.
    pub(super) fn next_record(&mut self) -> io::Result<Option<Record>> {
        loop {
            match self.next()? {
                Some(Piece::Record(record)) => return Ok(Some(record)),
                Some(Piece::Stray(..)) => {}
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
        let place = self.input.get_mut().place(start);
        let (heading, length) = match self.format {
            _ if !self.begins_record(&line) => return self.stray(line).map(Some),
            Format::Arc => (line.clone(), length_in_line(&line)),
            Format::Warc => {
                let Some(heading) = self.heading(line)? else {
                    return Ok(Some(Piece::Stray(b"WARC/".to_vec(), 5)));
                };
                let told = fields(&heading).into_iter().find(|(name, _)| name.eq_ignore_ascii_case("Content-Length"));
                (heading, told.and_then(|(_, value)| value.parse().ok()))
            }
        };
        let Some(length) = length else { return self.stray(heading).map(Some) };
        self.number += 1;
        let block = self.block(length)?;
        let line_ends = self.line_ends()?;
        let (format, number) = (self.format, self.number);
        Ok(Some(Piece::Record(Record { format, number, place, heading, block, line_ends })))
    }

    fn begins_record(&self, line: &[u8]) -> bool {
        match self.format {
            Format::Warc => line.starts_with(b"WARC/"),
            Format::Arc => length_in_line(line).is_some(),
        }
    }

    /// The heading that begins with this line, to its empty line; `None` if it has none, or the next record begins in it.
    fn heading(&mut self, mut heading: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        loop {
            let line = self.line()?;
            if line.is_empty() {
                self.number += 1;
                return Err(breaks_off());
            }
            if line.starts_with(b"WARC/") {
                self.ahead = line;
                return Ok(None);
            }
            heading.extend_from_slice(&line);
            if matches!(&*line, b"\n" | b"\r\n") {
                return Ok(Some(heading));
            }
            if heading.len() >= LONGEST_HEADING {
                return Ok(None);
            }
        }
    }

    fn block(&mut self, length: u64) -> io::Result<Block> {
        let mut rest = (&mut self.input).take(length);
        let block = if length > LONG_BLOCK {
            let (length, sha256) = sha256_of_all(rest)?;
            Block::Long(length, sha256)
        } else {
            let mut block = Vec::new();
            rest.read_to_end(&mut block)?;
            Block::Whole(block)
        };
        self.at += block.length();
        if block.length() < length { Err(breaks_off()) } else { Ok(block) }
    }

    fn line_ends(&mut self) -> io::Result<Vec<u8>> {
        let (most, ends) = match self.format {
            Format::Warc => (4, &b"\r\n"[..]),
            Format::Arc => (1, &b"\n"[..]),
        };
        let mut found = Vec::new();
        while found.len() < most {
            // What cannot be read behind a record does not make it any less whole.
            let next = self.input.fill_buf().ok().and_then(|bytes| bytes.first().copied());
            let Some(byte) = next.filter(|byte| ends.contains(byte)) else { break };
            found.push(byte);
            self.input.consume(1);
        }
        self.at += found.len() as u64;
        Ok(found)
    }

    /// What is no record, up to where the next one begins.
    fn stray(&mut self, first: Vec<u8>) -> io::Result<Piece> {
        const SHOWN: usize = 64;
        let mut length = first.len() as u64;
        let mut shown = first;
        shown.truncate(SHOWN);
        loop {
            let line = self.line()?;
            let is_beginning = match self.format {
                Format::Warc => matches!(line.get(..8), Some([b'W', b'A', b'R', b'C', b'/', a, b'.', b])
                    if a.is_ascii_digit() && b.is_ascii_digit()),
                Format::Arc => self.begins_record(&line),
            };
            if line.is_empty() || is_beginning {
                self.ahead = line;
                return Ok(Piece::Stray(shown, length));
            }
            length += line.len() as u64;
            shown.extend(line.into_iter().take(SHOWN - shown.len()));
        }
    }

    /// The next line, or as much as a heading may have of it; empty at the end.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        if !self.ahead.is_empty() {
            return Ok(std::mem::take(&mut self.ahead));
        }
        let mut line = Vec::new();
        (&mut self.input).take(LONGEST_HEADING as u64).read_until(b'\n', &mut line)?;
        self.at += line.len() as u64;
        Ok(line)
    }
}

/// The length that the line of an ARC tells behind URL, address, date and type.
fn length_in_line(line: &[u8]) -> Option<u64> {
    let mut words = line.trim_ascii_end().rsplitn(5, |byte| *byte == b' ');
    let (length, date, url) = (words.next()?, words.nth(1)?, words.nth(1)?);
    let is_date = date.len() >= 8 && date.iter().all(u8::is_ascii_digit);
    str::from_utf8(length).ok()?.parse().ok().filter(|_| is_date && url.contains(&b':'))
}

fn breaks_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the record breaks off")
}

/// Whether an error is about what the archive holds, and not about the file.
fn is_of_archive(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof | Other)
}
