//! The headers of a ZIP file with other sizes, checksums and offsets.

use std::io;

use absolve_framing::bundle::{
    Directory, DirectoryRecord, ELSEWHERE, HAS_DESCRIPTOR, HeaderForm, LOCATOR_LENGTH, LONG_END_LENGTH, damaged, number,
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

/// The version that readers of long numbers have.
const VERSION_OF_LONG_NUMBERS: u64 = 45;

/// Returns a header with another name.
fn renamed(form: &HeaderForm, header: &[u8], name: Option<&[u8]>) -> io::Result<Vec<u8>> {
    let Some(name) = name else { return Ok(header.to_vec()) };
    let [old, extra, _] = form.parts(header)?;
    joined(form, &header[..form.length], name, &with_unicode_path(extra, old, name))
}

/// Returns a header of its fields, the name and the extra field.
fn joined(form: &HeaderForm, fields: &[u8], name: &[u8], extra: &[u8]) -> io::Result<Vec<u8>> {
    let mut fields = fields.to_vec();
    for (at, length) in [(form.name_length, name.len()), (form.name_length + 2, extra.len())] {
        let length = u16::try_from(length).map_err(|_| damaged("a name or an extra field is too long"))?;
        set::<2>(&mut fields, at, length.into());
    }
    Ok([&fields[..], name, extra].concat())
}

/// Returns a header with these numbers, which `are_long` if they are in the extra field.
fn with_numbers(form: &HeaderForm, header: &[u8], numbers: &[u64], are_long: &[bool]) -> io::Result<Vec<u8>> {
    let [name, extra, _] = form.parts(header)?;
    let long: Vec<u64> =
        numbers.iter().zip(are_long).filter(|(_, is_long)| **is_long).map(|(value, _)| *value).collect();
    let extra = if long.is_empty() { extra.to_vec() } else { with_long_numbers(extra, &long) };
    let mut new = header[..form.length].to_vec();
    for ((at, value), is_long) in form.numbers.iter().zip(numbers).zip(are_long) {
        set::<4>(&mut new, *at, if *is_long { ELSEWHERE } else { *value });
    }
    let was_long = form.numbers.iter().any(|at| number::<4>(header, *at).is_ok_and(|old| old == ELSEWHERE));
    if !long.is_empty() && !was_long && number::<2>(&new, form.version)? < VERSION_OF_LONG_NUMBERS {
        set::<2>(&mut new, form.version, VERSION_OF_LONG_NUMBERS);
    }
    joined(form, &new, name, &extra)
}

/// Returns the local header of a member with its new sizes. Where it leaves them to the descriptor, they stay there.
pub(super) fn local_header(header: &[u8], record: &DirectoryRecord, new: New<'_>) -> io::Result<Vec<u8>> {
    let form = HeaderForm::LOCAL;
    let old = [number::<4>(header, form.numbers[0])?, number::<4>(header, form.numbers[1])?];
    let is_elsewhere = number::<4>(header, form.crc)? != u64::from(record.crc) || old == [0, 0];
    let is_later = number::<2>(header, 6)? & HAS_DESCRIPTOR != 0 && is_elsewhere;
    let mut header = renamed(&form, header, new.name)?;
    if is_later {
        return Ok(header);
    }
    set::<4>(&mut header, form.crc, new.crc.into());
    let is_long = old.contains(&ELSEWHERE) || new.size.max(new.packed) >= ELSEWHERE;
    with_numbers(&form, &header, &[new.size, new.packed], &[is_long; 2])
}

/// Returns the bytes of a record with what changes of the member, and its new offset.
pub(super) fn directory_record(
    record: &DirectoryRecord,
    bytes: &[u8],
    new: Option<New<'_>>,
    offset: u64,
) -> io::Result<Vec<u8>> {
    let form = HeaderForm::RECORD;
    let same = New { name: None, crc: record.crc, size: record.size, packed: record.packed };
    let New { name, crc, size, packed } = new.unwrap_or(same);
    let comment = bytes.len() - number::<2>(bytes, 32)? as usize;
    let mut header = renamed(&form, &bytes[..comment], name)?;
    set::<4>(&mut header, form.crc, crc.into());
    let numbers = [size, packed, offset];
    let was_long = |at: usize| number::<4>(bytes, at).is_ok_and(|old| old == ELSEWHERE);
    let are_long = [0, 1, 2].map(|index| was_long(form.numbers[index]) || numbers[index] >= ELSEWHERE);
    let mut new = with_numbers(&form, &header, &numbers, &are_long)?;
    new.extend_from_slice(&bytes[comment..]);
    Ok(new)
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
