//! The directory of a ZIP file (APPNOTE 4.3), which lists its members.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use flate2::bufread::DeflateDecoder;

use crate::bundle::checked::{Checked, Packed, damaged};
use crate::bundle::fields::{ELSEWHERE, number};
use crate::bundle::header_form::HeaderForm;
use crate::bundle::member::{Member, MemberKind};
use crate::bundle::part::{FilePart, bytes_at};
use crate::limits::{INDEX_BYTES, MEMBERS};

/// The directory of a ZIP file, and all that follows it.
#[derive(Debug)]
pub struct Directory {
    /// The bytes from its first record to the end of the file.
    pub bytes: Vec<u8>,
    /// Where they begin in the file.
    pub start: u64,
    /// The length of what stands before the archive, such as the program that unpacks it. Offsets do not count it.
    pub before: u64,
    /// What it records of each member, in its order.
    pub records: Vec<DirectoryRecord>,
    /// Where the last record ends in `bytes`.
    pub records_end: usize,
    /// Where the long end record is in `bytes`, if there is one.
    pub long_end: Option<usize>,
    /// Where the end record is in `bytes`.
    pub end: usize,
}

/// What the directory records of a member.
#[derive(Clone, Debug)]
pub struct DirectoryRecord {
    /// Where it is in the bytes of the directory.
    pub range: Range<usize>,
    /// Where its name is in the bytes of the directory.
    pub name: Range<usize>,
    /// How it is packed.
    pub method: u64,
    /// The checksum of its contents.
    pub crc: u32,
    /// The number of its bytes, packed.
    pub packed: u64,
    /// The number of its bytes, unpacked.
    pub size: u64,
    /// Where its local header is in the file.
    pub offset: u64,
    /// What it is.
    pub kind: MemberKind,
}

pub(crate) const RECORD: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
const END: &[u8] = b"PK\x05\x06";
const LONG_END: &[u8] = b"PK\x06\x06";
const LOCATOR: &[u8] = b"PK\x06\x07";

/// The length of a local header without its name and extra field.
pub const LOCAL_LENGTH: u64 = 30;
/// The length of the end record without its comment.
pub const END_LENGTH: usize = 22;
/// The least length of a long end record.
pub const LONG_END_LENGTH: usize = 56;
/// The length of the locator of a long end record.
pub const LOCATOR_LENGTH: usize = 20;

const STORED: u64 = 0;
/// The method of packing by DEFLATE (RFC 1951).
pub const DEFLATED: u64 = 8;
/// The flag of a member whose sizes follow it.
pub const HAS_DESCRIPTOR: u64 = 1 << 3;
const IS_ENCRYPTED: u64 = 1 | 1 << 6 | 1 << 13;
const IS_PATCH: u64 = 1 << 5;

/// Returns whether a file begins with a member, or ends with the end record of a ZIP file.
pub fn is_zip(file: &File) -> io::Result<bool> {
    let length = file.metadata()?.len();
    if length < END_LENGTH as u64 {
        return Ok(false);
    }
    Ok(bytes_at(file, 0..4)? == LOCAL || end_record(file, length)?.is_some())
}

/// Returns where the end record is: the last one whose comment fits into the file.
fn end_record(file: &File, length: u64) -> io::Result<Option<u64>> {
    const COMMENT: u64 = u16::MAX as u64;
    let start = length.saturating_sub(END_LENGTH as u64 + COMMENT);
    let tail = bytes_at(file, start..length)?;
    let fits = |at: &usize| {
        let comment = number::<2>(&tail, at + 20).unwrap_or(u64::MAX);
        comment <= (tail.len() - at).saturating_sub(END_LENGTH) as u64
    };
    Ok(memchr::memmem::rfind_iter(&tail, END).find(fits).map(|at| start + at as u64))
}

impl Directory {
    /// Reads the directory of a ZIP file. The number of members is read first, and refused if it is too large.
    pub fn read(file: &File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let end = end_record(file, length)?.ok_or_else(|| damaged("its directory is missing: the end is cut off"))?;
        let end_bytes = bytes_at(file, end..end + END_LENGTH as u64)?;
        let long_end = long_end_record(file, end)?;
        let (count, size, offset) = match &long_end {
            Some((_, bytes)) => (number::<8>(bytes, 32)?, number::<8>(bytes, 40)?, number::<8>(bytes, 48)?),
            None => (number::<2>(&end_bytes, 10)?, number::<4>(&end_bytes, 12)?, number::<4>(&end_bytes, 16)?),
        };
        if long_end.is_none() && (number::<2>(&end_bytes, 4)? != 0 || number::<2>(&end_bytes, 6)? != 0) {
            return Err(damaged("it is one of several parts; join them first, as with zip -s 0"));
        }
        refuse_many(count)?;
        if size > INDEX_BYTES as u64 {
            return Err(damaged(&format!("its directory is longer than {} MiB", INDEX_BYTES >> 20)));
        }
        let directory_end = long_end.as_ref().map_or(end, |(at, _)| *at);
        let begins = |at: u64| count == 0 || bytes_at(file, at..at + 4).is_ok_and(|bytes| bytes == RECORD);
        let before_end = directory_end.checked_sub(size).filter(|at| *at >= offset && begins(*at));
        let start = before_end.or(Some(offset).filter(|at| *at < directory_end && begins(*at)));
        let start = start.ok_or_else(|| damaged("its directory is not where it says"))?;
        let mut directory = Self {
            bytes: bytes_at(file, start..length)?,
            start,
            before: start - offset,
            records: Vec::new(),
            records_end: 0,
            long_end: long_end.map(|(at, _)| (at - start) as usize),
            end: (end - start) as usize,
        };
        directory.add_records()?;
        // A number of 16 bits may have overflowed.
        let is_right = directory.records.len() as u64 & ELSEWHERE == count & ELSEWHERE
            || (directory.long_end.is_none() && directory.records.len() as u64 & 0xffff == count);
        if !is_right {
            return Err(damaged(&format!("its directory lists {} members of {count}", directory.records.len())));
        }
        directory.refuse_overlap()?;
        Ok(directory)
    }

    fn add_records(&mut self) -> io::Result<()> {
        let limit = self.long_end.unwrap_or(self.end);
        let bytes = &self.bytes[..limit];
        let mut at = 0;
        while bytes[at..].starts_with(RECORD) {
            let record = DirectoryRecord::read(bytes, at, self.before)?;
            at = record.range.end;
            self.records.push(record);
            refuse_many(self.records.len() as u64)?;
        }
        self.records_end = at;
        Ok(())
    }

    /// Returns an error if two members share bytes, as in bombs.
    fn refuse_overlap(&self) -> io::Result<()> {
        let least = |record: &DirectoryRecord| {
            record.offset.checked_add(LOCAL_LENGTH + record.name.len() as u64)?.checked_add(record.packed)
        };
        let mut end = 0;
        for index in self.order() {
            let record = &self.records[index];
            let overlaps = record.offset < end;
            end = least(record).filter(|end| *end <= self.start && !overlaps).ok_or_else(overlap)?;
        }
        Ok(())
    }

    /// Returns the indexes of the records in the order of their members in the file.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.records.len()).collect();
        order.sort_by_key(|index| self.records[*index].offset);
        order
    }

    /// Returns the members that it lists.
    pub fn members(&self, file: &Arc<File>) -> Vec<Member> {
        let member = |record: &DirectoryRecord| {
            Member::new(&self.bytes[record.name.clone()], record.size, record.kind).with_target(|| record.target(file))
        };
        self.records.iter().map(member).collect()
    }
}

/// Returns the error of an archive whose members share bytes.
pub fn overlap() -> io::Error {
    damaged("its members overlap, or lie beyond its directory; it is damaged, or made to fill disks")
}

fn refuse_many(count: u64) -> io::Result<()> {
    if count > MEMBERS {
        return Err(damaged(&format!("it has {count} members; archives of more than {MEMBERS} are not read")));
    }
    Ok(())
}

/// Returns where the long end record is, and its bytes, if there is one before the end record.
fn long_end_record(file: &File, end: u64) -> io::Result<Option<(u64, Vec<u8>)>> {
    let Some(locator) = end.checked_sub(LOCATOR_LENGTH as u64) else { return Ok(None) };
    let bytes = bytes_at(file, locator..end)?;
    if !bytes.starts_with(LOCATOR) {
        return Ok(None);
    }
    // What stands before the archive may not be counted.
    let places = [Some(number::<8>(&bytes, 8)?), locator.checked_sub(LONG_END_LENGTH as u64)];
    for at in places.into_iter().flatten().filter(|at| *at < locator) {
        let bytes = bytes_at(file, at..at + LONG_END_LENGTH as u64)?;
        if bytes.starts_with(LONG_END) {
            return Ok(Some((at, bytes)));
        }
    }
    Err(damaged("its directory is not where it says"))
}

impl DirectoryRecord {
    fn read(bytes: &[u8], at: usize, before: u64) -> io::Result<Self> {
        let form = HeaderForm::RECORD;
        let field = |offset: usize| number::<2>(bytes, at + offset);
        let long_field = |offset: usize| number::<4>(bytes, at + offset);
        let [name, extra, rest] = form.parts(&bytes[at..])?;
        let name = at + form.length..at + form.length + name.len();
        let range = at..name.end + extra.len() + field(32)? as usize;
        if field(32)? as usize > rest.len() {
            return Err(damaged("its directory is cut off"));
        }
        let (numbers, _) = form.numbers(&bytes[range.clone()])?;
        let value = |index: usize| numbers[index].ok_or_else(|| damaged("a header is cut off"));
        let (size, packed) = (value(0)?, value(1)?);
        let offset = value(2)?.checked_add(before).ok_or_else(|| damaged("an offset is too large"))?;
        let (flags, method, crc) = (field(8)?, field(10)?, long_field(16)? as u32);
        let mode = if field(4)? >> 8 == MADE_BY_UNIX { long_field(38)? >> 16 } else { 0 };
        let is_folder = bytes[name.clone()].ends_with(b"/");
        let kind = match mode & FILE_TYPE {
            _ if is_folder => MemberKind::Folder,
            SYMBOLIC_LINK => MemberKind::SymbolicLink,
            0 | REGULAR_FILE if flags & IS_ENCRYPTED != 0 => MemberKind::Unread("it is encrypted"),
            0 | REGULAR_FILE if flags & IS_PATCH == 0 && [STORED, DEFLATED].contains(&method) => MemberKind::File,
            0 | REGULAR_FILE => MemberKind::Unread("it is compressed by a method that is not read"),
            _ => MemberKind::Odd("it is neither a file, a folder nor a link"),
        };
        Ok(Self { range, name, method, crc, packed, size, offset, kind })
    }

    /// Opens the member.
    pub fn open(&self, file: &Arc<File>) -> io::Result<Checked> {
        let start = self.data_start(file)?;
        let part = FilePart::new(file, start..start + self.packed);
        let packed = match self.method {
            DEFLATED => Packed::Deflated(DeflateDecoder::new(io::BufReader::with_capacity(1 << 16, part))),
            _ => Packed::Stored(part),
        };
        Ok(Checked::new(packed, (self.size, self.crc)))
    }

    /// Returns the target of a symbolic link, which is its content.
    fn target(&self, file: &Arc<File>) -> Option<Vec<u8>> {
        const LONGEST: u64 = 4096;
        let mut target = Vec::new();
        self.open(file).ok()?.take(LONGEST).read_to_end(&mut target).ok()?;
        Some(target)
    }

    /// Returns where the contents of the member begin, behind its local header. An error if the file ends before they do.
    pub fn data_start(&self, file: &File) -> io::Result<u64> {
        let header = bytes_at(file, self.offset..self.offset + LOCAL_LENGTH)?;
        if !header.starts_with(LOCAL) {
            return Err(damaged("a member is not where the directory says"));
        }
        let start = self.offset + LOCAL_LENGTH + number::<2>(&header, 26)? + number::<2>(&header, 28)?;
        if start + self.packed <= file.metadata()?.len() { Ok(start) } else { Err(overlap()) }
    }

    /// Returns the local header of the member with its name and extra field; its contents follow it.
    pub fn whole_local_header(&self, file: &File) -> io::Result<Vec<u8>> {
        let end = self.data_start(file)?;
        bytes_at(file, self.offset..end)
    }
}

const MADE_BY_UNIX: u64 = 3;
/// The bits of a mode that are the type of a file, and their values.
const FILE_TYPE: u64 = 0o170_000;
const REGULAR_FILE: u64 = 0o100_000;
const SYMBOLIC_LINK: u64 = 0o120_000;
