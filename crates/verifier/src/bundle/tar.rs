//! What a tar file has around the contents of its members.

use std::fs::File;
use std::io;
use std::ops::Range;

use absolve_framing::bundle::{BLOCK, Extension, ExtensionKind, Headers, TarMember, bytes_at, padded, pax_records};

use crate::bundle::around::shown;
use crate::bundle::listed::{AS_LISTED, Link, Listed, Properties, hexadecimal, words};
use crate::bundle::sizes::without_sizes;
use crate::storage::Stored;

/// The fields of a header that a run keeps; the rest are the name, the size and the checksum.
const FIELDS: [(&str, Range<usize>); 11] = [
    ("octal mode", 100..108),
    ("octal owner", 108..116),
    ("octal group", 116..124),
    ("octal time", 136..148),
    ("type", 156..157),
    ("target", 157..257),
    ("format", 257..265),
    ("name of the owner", 265..297),
    ("name of the group", 297..329),
    ("device", 329..345),
    ("end of its header", 345..512),
];
const NAME: Range<usize> = 0..100;
const SIZE: Range<usize> = 124..136;

/// Returns the members of a tar file with the properties in their headers.
pub(super) fn listed(file: &File, Headers { members, places, .. }: Headers) -> io::Result<Vec<Listed>> {
    let mut start = 0;
    let each = members.into_iter().zip(places).map(|(member, place)| {
        let properties = properties_of(file, start, &place)?;
        let from = std::mem::replace(&mut start, padded(place.data.end));
        let (link, range, size) = (Link::of(&member), place.data, member.size);
        Ok(Listed { name: member.name, properties, link, start: from, range, size, crc: None })
    });
    each.collect()
}

/// Returns the properties in all headers of a member, of which the first bytes are at `at`.
fn properties_of(file: &File, mut at: u64, place: &TarMember) -> io::Result<Properties> {
    let mut properties = Vec::new();
    let between = |range: Range<u64>| Ok::<_, io::Error>(("header before it", shown(Stored::File(file), range)?));
    for Extension { kind, header, data } in &place.extensions {
        properties.push(between(at..*header)?);
        at = padded(data.end);
        properties.extend(fields(&bytes_at(file, *header..header + BLOCK)?, data));
        let bytes = bytes_at(file, data.clone())?;
        properties.push(match kind {
            ExtensionKind::Records => ("record", records(&bytes)?),
            ExtensionKind::LongName => ("long name", words(&without_sizes(&bytes))),
            ExtensionKind::LongLink => ("long target", words(&bytes)),
        });
        properties.push(("padding of a record", blank(&bytes_at(file, data.end..at)?)));
    }
    properties.push(between(at..place.header)?);
    properties.extend(fields(&bytes_at(file, place.header..place.header + BLOCK)?, &place.data));
    properties.push(between(place.header + BLOCK..place.data.start)?);
    Ok(properties)
}

/// Returns the properties in a header of contents that are there.
fn fields(header: &[u8], data: &Range<u64>) -> Properties {
    let field = |range: &Range<usize>| words(trimmed(&header[range.clone()]));
    let is_listed = tar::Header::from_byte_slice(header).entry_size().is_ok_and(|size| size == data.end - data.start);
    let size = if is_listed { AS_LISTED.to_owned() } else { field(&SIZE) };
    let name = words(&without_sizes(trimmed(&header[NAME])));
    FIELDS
        .iter()
        .map(|(what, range)| (*what, field(range)))
        .chain([("size", size), ("name in its header", name)])
        .collect()
}

fn trimmed(field: &[u8]) -> &[u8] {
    let end = field.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &field[..end]
}

/// Returns records of pax without what a new size or name changes.
fn records(bytes: &[u8]) -> io::Result<String> {
    let record = |(key, value): (&[u8], &[u8])| match key {
        b"size" => "size".to_owned(),
        b"path" => format!("path: {}", words(&without_sizes(value))),
        _ => format!("{}: {}", words(key), words(value)),
    };
    Ok(pax_records(bytes)?.into_iter().map(record).collect::<Vec<_>>().join(", "))
}

fn blank(padding: &[u8]) -> String {
    if padding.iter().all(|byte| *byte == 0) { AS_LISTED.to_owned() } else { hexadecimal(padding) }
}

/// Returns the padding behind the contents of a member.
pub(super) fn padding(file: &File, member: &Listed) -> io::Result<Vec<u8>> {
    bytes_at(file, member.range.end..padded(member.range.end))
}
