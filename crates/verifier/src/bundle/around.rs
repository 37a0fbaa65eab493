//! What a ZIP file has around the contents of its members (APPNOTE 4.3).

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;

use rawzip::{FileReader, ZipArchive};

use crate::bundle::headers::{
    AS_LISTED, ELSEWHERE, LOCAL, RECORD, as_listed, descriptor, has_descriptor, lengths, number, properties_of,
};
use crate::bundle::listed::{Listed, Properties, hexadecimal, words};
use crate::storage::Stored;
use crate::storage::digest::length_and_sha256;

/// Where the headers of a member are: at it, and in the list.
pub(super) struct Places {
    pub(super) local: u64,
    pub(super) record: u64,
}

/// Adds the properties in what is around the contents of each member. Returns those of what is around all of them.
pub(super) fn add_around(
    archive: &ZipArchive<FileReader>,
    file: &File,
    members: &mut [Listed],
    places: &[Places],
) -> io::Result<Properties> {
    let (file, start) = (Stored::File(file), archive.directory_offset());
    let mut order = Vec::from_iter(0..members.len());
    order.sort_by_key(|index| places[*index].local);
    let local = |rank: usize| order.get(rank).map_or(start, |index| places[*index].local);
    let mut records_end = start;
    for (rank, index) in order.iter().enumerate() {
        let (member, places) = (&mut members[*index], &places[*index]);
        let header = file.bytes(places.local..member.range.start)?;
        let mut record = file.bytes(places.record..places.record + RECORD.length as u64)?;
        let record_end = places.record + record.len() as u64 + lengths(&record, &RECORD).iter().sum::<u64>();
        records_end = records_end.max(record_end + number::<2>(&record, RECORD.name_length + 4));
        record = file.bytes(places.record..record_end)?;
        let mut gap = member.range.end..local(rank + 1);
        let (form, length) = match has_descriptor(&header) {
            true => descriptor(member, &file.bytes(gap.start..gap.end.min(gap.start + 24))?),
            false => ("", 0),
        };
        gap.start += length;
        let around = [
            ("form of the sizes after it", form.to_owned()),
            ("place in the file", rank.to_string()),
            ("gap after it", shown(file, gap)?),
        ];
        let headers = [properties_of(&LOCAL, &header, member), properties_of(&RECORD, &record, member)];
        member.properties.extend(headers.into_iter().flatten().chain(around));
    }
    let mut around = vec![("beginning", shown(file, 0..local(0))?)];
    around.extend(end_of(file, start..records_end, archive.eocd_offset())?);
    Ok(around)
}

/// Returns the properties of all that follows the records of the list. The end record is at `end`.
fn end_of(file: Stored<'_>, records: Range<u64>, end: u64) -> io::Result<Properties> {
    let long_at = long_end(file, records.end, end)?;
    let list_end = long_at.unwrap_or(end);
    let mut bytes = file.bytes(list_end..end + END)?;
    let last = (end - list_end) as usize;
    let comment = end + END..end + END + number::<2>(&bytes, last + 20);
    let offset = if long_at.is_some() { number::<8>(&bytes, 48) } else { number::<4>(&bytes, last + 16) };
    let size = list_end - records.start;
    let is_large = size.max(offset) >= ELSEWHERE;
    let mut properties = vec![
        ("beginning of offsets", (records.start.wrapping_sub(offset) as i64).to_string()),
        ("size of the list", as_listed(number::<4>(&bytes, last + 12), size.min(ELSEWHERE))),
        ("offset of the list", as_listed(number::<4>(&bytes, last + 16), offset.min(ELSEWHERE))),
        ("gap after the list", shown(file, records.end..list_end)?),
        ("comment", shown(file, comment.clone())?),
        ("rest after its end", shown(file, comment.end..file.length()?)?),
    ];
    bytes[last + 12..last + 20].fill(0);
    properties.push(("end record", hexadecimal(&bytes[last..])));
    if last > 0 {
        let place = last - LOCATOR as usize + 8;
        properties.push(("long size of the list", as_listed(number::<8>(&bytes, 40), size)));
        properties.push(("offset of the long end", as_listed(number::<8>(&bytes, place), list_end)));
        bytes[40..56].fill(0);
        bytes[place..place + 8].fill(0);
    }
    let long = if is_large { AS_LISTED.to_owned() } else { hexadecimal(&bytes[..last]) };
    properties.push(("long end record", long));
    Ok(properties)
}

/// Returns where the long end record is that is not before `list_end`, if there is one (4.3.14).
fn long_end(file: Stored<'_>, list_end: u64, end: u64) -> io::Result<Option<u64>> {
    const LENGTHS: Range<u64> = 76..1 << 16;
    let Some(at) = end.checked_sub(LOCATOR) else { return Ok(None) };
    let locator = file.bytes(at..end)?;
    let at = number::<8>(&locator, 8);
    let is_there = locator.starts_with(b"PK\x06\x07") && at >= list_end && LENGTHS.contains(&end.wrapping_sub(at));
    Ok(Some(at).filter(|_| is_there))
}

const END: u64 = 22;
const LOCATOR: u64 = 20;

/// Returns bytes as text; many of them as their digest.
fn shown(file: Stored<'_>, range: Range<u64>) -> io::Result<String> {
    const SHOWN: u64 = 80;
    let length = range.end.saturating_sub(range.start);
    if length <= SHOWN {
        return Ok(words(&file.bytes(range)?));
    }
    let (length, digest) = length_and_sha256(file.reader_at(range.start).take(length))?;
    Ok(format!("{length} bytes with the SHA-256 digest {digest}"))
}
