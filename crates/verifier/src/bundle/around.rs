//! What a ZIP file has around the contents of its members (APPNOTE 4.3).

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use absolve_framing::bundle::{Directory, END_LENGTH, LOCATOR_LENGTH};

use crate::bundle::headers::{ELSEWHERE, LOCAL, RECORD, as_listed, descriptor, has_descriptor, number, properties_of};
use crate::bundle::listed::{AS_LISTED, Link, Listed, Properties, hexadecimal, words};
use crate::storage::Stored;
use crate::storage::digest::length_and_sha256;

/// Returns the members of a ZIP file with the properties in their headers, and the properties of what is around all of them.
pub(super) fn listed(file: &Arc<File>, directory: &Directory) -> io::Result<(Vec<Listed>, Properties)> {
    let list = directory.records.iter().zip(directory.members(file)).map(|(record, member)| {
        let start = record.data_start(file)?;
        let (link, range, crc) = (Link::of(&member), start..start + record.packed, Some(record.crc));
        let name = directory.bytes[record.name.clone()].to_vec();
        Ok(Listed { name, properties: Vec::new(), link, start: record.offset, range, size: record.size, crc })
    });
    let mut members = list.collect::<io::Result<Vec<_>>>()?;
    let (stored, order) = (Stored::File(file), directory.order());
    let local = |rank: usize| order.get(rank).map_or(directory.start, |index| directory.records[*index].offset);
    for (rank, index) in order.iter().enumerate() {
        let member = &mut members[*index];
        let header = stored.bytes(member.start..member.range.start)?;
        let record = &directory.bytes[directory.records[*index].range.clone()];
        let mut gap = member.range.end..local(rank + 1);
        let (form, length) = match has_descriptor(&header) {
            true => descriptor(member, &stored.bytes(gap.start..gap.end.min(gap.start + 24))?),
            false => ("", 0),
        };
        gap.start += length;
        let around = [
            ("form of the sizes after it", form.to_owned()),
            ("place in the file", rank.to_string()),
            ("gap after it", shown(stored, gap)?),
        ];
        let headers = [properties_of(&LOCAL, &header, member), properties_of(&RECORD, record, member)];
        member.properties.extend(headers.into_iter().flatten().chain(around));
    }
    let mut around = vec![("beginning", shown(stored, 0..local(0))?)];
    around.extend(end_of(stored, directory)?);
    Ok((members, around))
}

/// Returns the properties of all that follows the records of the list.
fn end_of(file: Stored<'_>, directory: &Directory) -> io::Result<Properties> {
    let place = |at: usize| directory.start + at as u64;
    let (records, end) = (directory.start..place(directory.records_end), place(directory.end));
    let long_at = directory.long_end.map(place);
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
        let place = last - LOCATOR_LENGTH + 8;
        properties.push(("long size of the list", as_listed(number::<8>(&bytes, 40), size)));
        properties.push(("offset of the long end", as_listed(number::<8>(&bytes, place), list_end)));
        bytes[40..56].fill(0);
        bytes[place..place + 8].fill(0);
    }
    let long = if is_large { AS_LISTED.to_owned() } else { hexadecimal(&bytes[..last]) };
    properties.push(("long end record", long));
    Ok(properties)
}

const END: u64 = END_LENGTH as u64;

/// Returns bytes as text; many of them as their digest.
pub(super) fn shown(file: Stored<'_>, range: Range<u64>) -> io::Result<String> {
    const SHOWN: u64 = 80;
    let length = range.end.saturating_sub(range.start);
    if length <= SHOWN {
        return Ok(words(&file.bytes(range)?));
    }
    let (length, digest) = length_and_sha256(file.reader_at(range.start).take(length))?;
    Ok(format!("{length} bytes with the SHA-256 digest {digest}"))
}
