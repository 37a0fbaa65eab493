//! What a ZIP file has around the contents of its members (APPNOTE 4.3).

use std::fs::File;
use std::io;
use std::ops::Range;

use absolve_framing::bundle::{
    Descriptor, Directory, DirectoryRecord, ELSEWHERE, HAS_DESCRIPTOR, HeaderForm, LOCATOR_LENGTH, LONG_END_LENGTH,
    ZIP64, blocks, long_numbers, number, unicode_name, without_sizes,
};
use data_encoding::HEXLOWER;

use crate::bundle::place::{AS_LISTED, Place, Properties, shown, words};
use crate::storage::Stored;

/// Returns where the members of a ZIP file are.
pub(super) fn places(file: &File, directory: &Directory) -> io::Result<Vec<Place>> {
    let place = |record: &DirectoryRecord| {
        let start = record.data_start(file)?;
        let data = start..start + record.packed;
        Ok(Place { start: record.offset, data, end: directory.start, crc: Some(record.crc) })
    };
    let mut places = directory.records.iter().map(place).collect::<io::Result<Vec<_>>>()?;
    let mut end = directory.start;
    for index in directory.order().into_iter().rev() {
        places[index].end = std::mem::replace(&mut end, places[index].start);
    }
    Ok(places)
}

/// The fields of a header that stay, and the names of its version, its long numbers and its extra field.
type Kept = (&'static [(&'static str, Range<usize>)], [&'static str; 3]);

const IN_LOCAL: Kept = (
    &[("local flags", 6..8), ("local method", 8..10), ("local time", 10..14)],
    ["local version", "field of local sizes", "local extra field"],
);
const IN_RECORD: Kept = (
    &[("program", 4..6), ("flags", 8..10), ("method", 10..12), ("time", 12..16), ("attributes", 34..42)],
    ["version", "field of sizes", "extra field"],
);

/// Returns the properties of the member with this index.
pub(super) fn properties(file: &File, directory: &Directory, index: usize, place: &Place) -> io::Result<Properties> {
    let (stored, record) = (Stored::File(file), &directory.records[index]);
    let header = stored.bytes(place.before())?;
    let mut properties = properties_in(&header, &HeaderForm::LOCAL, IN_LOCAL)?;
    let has_descriptor = number::<2>(&header, 6)? & HAS_DESCRIPTOR != 0;
    let mut gap = place.after();
    if has_descriptor {
        gap.start += Descriptor::find(file, place.after(), record).map_or(0, Descriptor::length);
    }
    // Where sizes follow the contents, wrong ones before them stay.
    let right = if has_descriptor { "that of its contents" } else { AS_LISTED };
    let [name, ..] = HeaderForm::LOCAL.parts(&header)?;
    let has_listed_name = *name == directory.bytes[record.name.clone()];
    let crc = number::<4>(&header, HeaderForm::LOCAL.crc)?;
    let (sizes, _) = HeaderForm::LOCAL.numbers(&header)?;
    let [size, packed] = [0, 1].map(|index| sizes[index].unwrap_or(ELSEWHERE));
    properties.extend([
        ("local name", if has_listed_name { AS_LISTED.to_owned() } else { words(name) }),
        ("local checksum", or_right(crc, record.crc.into(), right)),
        ("local size", or_right(size, record.size, right)),
        ("local packed size", or_right(packed, record.packed, right)),
        ("length of the sizes after it", (gap.start - place.data.end).to_string()),
        ("gap after it", shown(stored, gap)?),
    ]);
    // Its other numbers are those by which it has been found.
    let header = &directory.bytes[record.range.clone()];
    properties.extend(properties_in(header, &HeaderForm::RECORD, IN_RECORD)?);
    Ok(properties)
}

/// Returns what a ZIP file has that does not follow from its list, each with the name of the member: local headers that say something
/// else, extra fields, and bytes around the members.
pub(crate) fn unlisted(file: &File) -> io::Result<Vec<(String, String)>> {
    let directory = Directory::read(file)?;
    let (mut found, mut start) = (Vec::new(), directory.start);
    for (index, place) in places(file, &directory)?.iter().enumerate() {
        start = start.min(place.start);
        let properties = properties(file, &directory, index, place)?;
        let value_of = |name: &str| properties.iter().find(|(what, _)| *what == name).map(|(_, value)| &**value);
        for (what, value) in &properties {
            let right = match *what {
                "local name" | "local checksum" | "local size" | "local packed size" => Some(AS_LISTED),
                "gap after it" | "extra field" | "local extra field" => Some(""),
                "length of the sizes after it" => Some("0"),
                _ => what.strip_prefix("local ").and_then(value_of),
            };
            if right.is_some_and(|right| right != value) {
                let name =
                    String::from_utf8_lossy(&directory.bytes[directory.records[index].name.clone()]).into_owned();
                found.push((name, format!("its {what} is {value}")));
            }
        }
    }
    let end = directory.long_end.map_or(directory.records_end, |long| long + LONG_END_LENGTH + LOCATOR_LENGTH);
    let count = (directory.records.len().min(0xffff) as u16).to_le_bytes();
    let [size, offset] =
        [directory.records_end as u64, directory.start].map(|number| (number.min(ELSEWHERE) as u32).to_le_bytes());
    let right = [b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &offset, b"\0\0"].concat();
    if start != 0 || directory.bytes[end..] != right {
        found.push((
            String::new(),
            "bytes stand before its first member, or its end is not that of its list".to_owned(),
        ));
    }
    Ok(found)
}

fn or_right(value: u64, listed: u64, right: &str) -> String {
    if value == listed { right.to_owned() } else { value.to_string() }
}

/// Returns the properties of a member in one of its headers.
fn properties_in(header: &[u8], form: &HeaderForm, (fields, names): Kept) -> io::Result<Properties> {
    let [name, extra, comment] = form.parts(header)?;
    let (numbers, rest) = form.numbers(header)?;
    let long = long_numbers(extra);
    let version = match numbers.iter().any(|value| value.is_none_or(|value| value >= ELSEWHERE)) {
        true => AS_LISTED.to_owned(),
        false => format!("{}, with {} bytes of sizes", number::<2>(header, form.version)?, long.len() - rest.len()),
    };
    let field = if long.is_empty() || !rest.is_empty() { HEXLOWER.encode(rest) } else { AS_LISTED.to_owned() };
    let kept = fields.iter().map(|(what, range)| {
        let value = header[range.clone()].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        (*what, if what.ends_with("time") { time(value) } else { value.to_string() })
    });
    let derived = names.into_iter().zip([version, field, extra_field(extra, name)]);
    Ok(kept.chain(derived).chain([("comment", words(comment))]).collect())
}

/// Returns a time of MS-DOS in words (4.4.6).
fn time(value: u64) -> String {
    let bits = |at: u32, count: u32| value >> at & ((1 << count) - 1);
    let (year, month, day) = (1980 + bits(25, 7), bits(21, 4), bits(16, 5));
    format!("{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}", bits(11, 5), bits(5, 6), bits(0, 5) * 2)
}

/// Returns an extra field in words: a second name of a message without its sizes, and all else but the long numbers.
fn extra_field(extra: &[u8], name: &[u8]) -> String {
    let numbers = blocks(extra).position(|(id, _)| id == ZIP64).filter(|_| !long_numbers(extra).is_empty());
    let rest = blocks(extra).map(|(_, block)| block.len()).sum();
    let parts = blocks(extra).enumerate().filter(|(index, _)| numbers != Some(*index)).map(|(_, (_, block))| block);
    let words_of = |part| match unicode_name(part, name) {
        Some(path) => format!("the name {}", words(&without_sizes(path))),
        None => HEXLOWER.encode(part),
    };
    parts.chain(Some(&extra[rest..]).filter(|rest| !rest.is_empty())).map(words_of).collect::<Vec<_>>().join(", ")
}

/// Reports whether the members have the order of the original, and what follows their records is as there, with the numbers of this list.
pub(super) fn is_right(new: &Directory, old: &Directory) -> bool {
    let (original, written) = (&old.bytes[old.records_end..], &new.bytes[new.records_end..]);
    let mut end = original.to_vec();
    let (at, offset) = (old.end - old.records_end, new.start - new.before);
    let long_at = old.long_end.map(|long_end| long_end - old.records_end);
    let size = (new.records_end + long_at.unwrap_or(at)) as u64;
    let mut set = |at: usize, value: &[u8]| end[at..at + value.len()].copy_from_slice(value);
    for (at, value) in [(at + 12, size), (at + 16, offset)] {
        if long_at.is_none() || original[at..at + 4] != [0xff; 4] {
            set(at, &(value.min(ELSEWHERE) as u32).to_le_bytes());
        }
    }
    if let Some(long_at) = long_at {
        set(long_at + 40, &size.to_le_bytes());
        set(long_at + 48, &offset.to_le_bytes());
        set(at - LOCATOR_LENGTH + 8, &(offset + size).to_le_bytes());
    } else if let Some(long_end) = new.long_end.filter(|_| size.max(offset) >= ELSEWHERE) {
        end.splice(at..at, new.bytes[long_end..new.end].iter().copied());
    }
    new.order() == old.order() && new.before == old.before && (written == original || written == end)
}
