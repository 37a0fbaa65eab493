//! The headers of a ZIP file with other sizes, checksums and offsets.

use std::fs::File;
use std::io;
use std::ops::Range;

use absolve_framing::bundle::{
    Directory, DirectoryRecord, ELSEWHERE, HAS_DESCRIPTOR, LOCAL_LENGTH, LOCATOR_LENGTH, LONG_END_LENGTH,
    RECORD_LENGTH, bytes_at, damaged, number,
};

use crate::bundle::fields::{set, with_long_numbers, with_unicode_path};

/// What changes of a member.
#[derive(Clone, Copy)]
pub(super) struct New<'r> {
    pub(super) name: Option<&'r [u8]>,
    pub(super) crc: u32,
    pub(super) size: u64,
    pub(super) packed: u64,
}

/// The fields of a header with sizes.
struct Form<const FIELDS: usize> {
    length: usize,
    /// Where the length of the name is; that of the extra field follows it.
    name_length: usize,
    version: usize,
    crc: usize,
    /// Where the numbers are that may be long, in their order in the extra field.
    numbers: [usize; FIELDS],
}

const LOCAL_FORM: Form<2> =
    Form { length: LOCAL_LENGTH as usize, name_length: 26, version: 4, crc: 14, numbers: [22, 18] };
const RECORD_FORM: Form<3> =
    Form { length: RECORD_LENGTH, name_length: 28, version: 6, crc: 16, numbers: [24, 20, 42] };

/// The version that readers of long numbers have.
const VERSION_OF_LONG_NUMBERS: u64 = 45;

impl<const FIELDS: usize> Form<FIELDS> {
    /// Returns a header with another name.
    fn renamed(&self, header: &[u8], name: Option<&[u8]>) -> io::Result<Vec<u8>> {
        let Some(name) = name else { return Ok(header.to_vec()) };
        let (old, extra) = self.name_and_extra(header)?;
        self.joined(&header[..self.length], name, &with_unicode_path(extra, old, name))
    }

    fn name_and_extra<'h>(&self, header: &'h [u8]) -> io::Result<(&'h [u8], &'h [u8])> {
        let name_length = number::<2>(header, self.name_length)? as usize;
        Ok(header[self.length..].split_at(name_length))
    }

    /// Returns a header of its fields, the name and the extra field.
    fn joined(&self, fields: &[u8], name: &[u8], extra: &[u8]) -> io::Result<Vec<u8>> {
        let mut fields = fields.to_vec();
        for (at, length) in [(self.name_length, name.len()), (self.name_length + 2, extra.len())] {
            let length = u16::try_from(length).map_err(|_| damaged("a name or an extra field is too long"))?;
            set::<2>(&mut fields, at, length.into());
        }
        Ok([&fields[..], name, extra].concat())
    }

    /// Returns a header with these numbers, which `are_long` if they are in the extra field.
    fn with(&self, header: &[u8], numbers: [u64; FIELDS], are_long: [bool; FIELDS]) -> io::Result<Vec<u8>> {
        let (name, extra) = self.name_and_extra(header)?;
        let long: Vec<u64> =
            numbers.iter().zip(are_long).filter(|(_, is_long)| *is_long).map(|(value, _)| *value).collect();
        let extra = if long.is_empty() { extra.to_vec() } else { with_long_numbers(extra, &long) };
        let mut new = header[..self.length].to_vec();
        for ((at, value), is_long) in self.numbers.into_iter().zip(numbers).zip(are_long) {
            set::<4>(&mut new, at, if is_long { ELSEWHERE } else { value });
        }
        let was_long = self.numbers.iter().any(|at| number::<4>(header, *at).is_ok_and(|old| old == ELSEWHERE));
        if !long.is_empty() && !was_long && number::<2>(&new, self.version)? < VERSION_OF_LONG_NUMBERS {
            set::<2>(&mut new, self.version, VERSION_OF_LONG_NUMBERS);
        }
        self.joined(&new, name, &extra)
    }
}

/// Returns the local header of a member with its new sizes. Where it leaves them to the descriptor, they stay there.
pub(super) fn local_header(header: &[u8], record: &DirectoryRecord, new: New<'_>) -> io::Result<Vec<u8>> {
    let form = LOCAL_FORM;
    let old = form.numbers.map(|at| number::<4>(header, at).unwrap_or_default());
    let is_elsewhere = number::<4>(header, form.crc)? != u64::from(record.crc) || old == [0, 0];
    let is_later = number::<2>(header, 6)? & HAS_DESCRIPTOR != 0 && is_elsewhere;
    let mut header = form.renamed(header, new.name)?;
    if is_later {
        return Ok(header);
    }
    set::<4>(&mut header, form.crc, new.crc.into());
    let is_long = old.contains(&ELSEWHERE) || new.size.max(new.packed) >= ELSEWHERE;
    form.with(&header, [new.size, new.packed], [is_long; 2])
}

/// Returns the bytes of a record with what changes of the member, and its new offset.
pub(super) fn directory_record(
    record: &DirectoryRecord,
    bytes: &[u8],
    new: Option<New<'_>>,
    offset: u64,
) -> io::Result<Vec<u8>> {
    let form = RECORD_FORM;
    let same = New { name: None, crc: record.crc, size: record.size, packed: record.packed };
    let New { name, crc, size, packed } = new.unwrap_or(same);
    let comment = bytes.len() - number::<2>(bytes, 32)? as usize;
    let mut header = form.renamed(&bytes[..comment], name)?;
    set::<4>(&mut header, form.crc, crc.into());
    let numbers = [size, packed, offset];
    let old = form.numbers.map(|at| number::<4>(bytes, at).unwrap_or_default());
    let are_long = [0, 1, 2].map(|index| old[index] == ELSEWHERE || numbers[index] >= ELSEWHERE);
    let mut new = form.with(&header, numbers, are_long)?;
    new.extend_from_slice(&bytes[comment..]);
    Ok(new)
}

/// The sizes that follow a member (APPNOTE 4.3.9).
#[derive(Clone, Copy, Debug)]
pub(super) struct Descriptor {
    has_signature: bool,
    is_long: bool,
}

const DESCRIPTOR: &[u8] = b"PK\x07\x08";

impl Descriptor {
    /// Returns the form in which the sizes and the checksum of a member stand at the start of `place`.
    pub(super) fn find(file: &File, place: Range<u64>, record: &DirectoryRecord) -> io::Result<Self> {
        let old = New { name: None, crc: record.crc, size: record.size, packed: record.packed };
        let forms = [(true, false), (true, true), (false, false), (false, true)];
        let mut forms = forms.into_iter().map(|(has_signature, is_long)| Self { has_signature, is_long });
        let stands = |form: &Self| {
            let end = place.start + form.length();
            let bytes = if end <= place.end { bytes_at(file, place.start..end).ok() } else { None };
            bytes.is_some_and(|bytes| form.bytes(old).is_ok_and(|old| old == bytes))
        };
        forms.find(stands).ok_or_else(|| damaged("the sizes after a member are not those of the directory"))
    }

    pub(super) const fn length(self) -> u64 {
        let numbers = if self.is_long { 16 } else { 8 };
        numbers + if self.has_signature { 8 } else { 4 }
    }

    pub(super) fn bytes(self, New { crc, size, packed, .. }: New<'_>) -> io::Result<Vec<u8>> {
        let mut bytes = if self.has_signature { DESCRIPTOR.to_vec() } else { Vec::new() };
        bytes.extend(crc.to_le_bytes());
        for value in [packed, size] {
            match (self.is_long, u32::try_from(value)) {
                (true, _) => bytes.extend(value.to_le_bytes()),
                (false, Ok(value)) => bytes.extend(value.to_le_bytes()),
                (false, Err(_)) => return Err(damaged("a member would be longer than its 4 GiB of room for sizes")),
            }
        }
        Ok(bytes)
    }
}

/// Returns all that follows the records, which begin at `start` in the output and have this length.
pub(super) fn end(directory: &Directory, start: u64, length: usize) -> Vec<u8> {
    let Directory { bytes, before, records_end, long_end, end, .. } = directory;
    let (records_end, offset) = (*records_end, start - before);
    let between = long_end.unwrap_or(*end) - records_end;
    let size = (length + between) as u64;
    let mut rest = bytes[records_end..].to_vec();
    // Where the rest begins in the archive.
    let rest_start = offset + length as u64;
    let end_at = end - records_end;
    let is_long = size >= ELSEWHERE || offset >= ELSEWHERE;
    if let Some(long_end) = long_end {
        let at = long_end - records_end;
        set::<8>(&mut rest, at + 40, size);
        set::<8>(&mut rest, at + 48, offset);
        set::<8>(&mut rest, end_at - LOCATOR_LENGTH + 8, rest_start + at as u64);
    }
    for (at, value) in [(12, size), (16, offset)] {
        let was_long = number::<4>(&rest, end_at + at).is_ok_and(|old| old == ELSEWHERE) && long_end.is_some();
        set::<4>(&mut rest, end_at + at, if was_long { ELSEWHERE } else { value.min(ELSEWHERE) });
    }
    if is_long && long_end.is_none() {
        let long = long_end_record(directory.records.len() as u64, size, offset, rest_start + end_at as u64);
        rest.splice(end_at..end_at, long);
    }
    rest
}

/// Returns a long end record for an archive that has grown beyond 4 GiB, and its locator. It stands at `at` in the archive.
fn long_end_record(count: u64, size: u64, offset: u64, at: u64) -> Vec<u8> {
    let mut bytes = vec![0; LONG_END_LENGTH + LOCATOR_LENGTH];
    bytes[..4].copy_from_slice(b"PK\x06\x06");
    set::<8>(&mut bytes, 4, LONG_END_LENGTH as u64 - 12);
    [12, 14].into_iter().for_each(|field| set::<2>(&mut bytes, field, VERSION_OF_LONG_NUMBERS));
    for (field, value) in [(24, count), (32, count), (40, size), (48, offset)] {
        set::<8>(&mut bytes, field, value);
    }
    let locator = &mut bytes[LONG_END_LENGTH..];
    locator[..4].copy_from_slice(b"PK\x06\x07");
    set::<8>(locator, 8, at);
    set::<4>(locator, 16, 1);
    bytes
}
