//! What a tar file has around the contents of its members.

use std::fs::File;
use std::io;
use std::ops::Range;

use absolve_framing::bundle::{
    BLOCK, Extension, ExtensionKind, TarMember, bytes_at, padded, pax_records, without_sizes,
};
use data_encoding::HEXLOWER;

use crate::bundle::place::{AS_LISTED, Place, Properties, shown, words};
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

/// Returns where the members with these headers are.
pub(super) fn places(headers: &[TarMember]) -> Vec<Place> {
    let mut start = 0;
    let place = |TarMember { data, .. }: &TarMember| {
        let end = padded(data.end);
        Place { start: std::mem::replace(&mut start, end), data: data.clone(), end, crc: None }
    };
    headers.iter().map(place).collect()
}

/// Returns the properties in all headers of a member, and that of its padding.
pub(super) fn properties(file: &File, headers: &TarMember, place: &Place) -> io::Result<Properties> {
    let (mut properties, mut at) = (Vec::new(), place.start);
    let between = |range: Range<u64>| Ok::<_, io::Error>(("header before it", shown(Stored::File(file), range)?));
    for Extension { kind, header, data } in &headers.extensions {
        properties.push(between(at..*header)?);
        at = padded(data.end);
        properties.extend(fields(&bytes_at(file, *header..header + BLOCK)?, data));
        let bytes = bytes_at(file, data.clone())?;
        properties.push(match kind {
            ExtensionKind::Records => ("record", records(&bytes)?),
            ExtensionKind::LongName => ("long name", words(&without_sizes(&bytes))),
            ExtensionKind::LongLink => ("long target", words(&bytes)),
        });
        properties.push(("padding of a record", padding(file, data.end..at)?));
    }
    properties.push(between(at..headers.header)?);
    properties.extend(fields(&bytes_at(file, headers.header..headers.header + BLOCK)?, &place.data));
    properties.push(between(headers.header + BLOCK..place.data.start)?);
    properties.push(("padding", padding(file, place.after())?));
    Ok(properties)
}

/// Returns the properties in a header of contents that are there.
fn fields(header: &[u8], data: &Range<u64>) -> Properties {
    let trimmed = |range: &Range<usize>| {
        let field = &header[range.clone()];
        &field[..field.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)]
    };
    let is_listed = tar::Header::from_byte_slice(header).entry_size().is_ok_and(|size| size == data.end - data.start);
    let size = if is_listed { AS_LISTED.to_owned() } else { words(trimmed(&(124..136))) };
    let name = words(&without_sizes(trimmed(&(0..100))));
    let kept = FIELDS.iter().map(|(what, range)| (*what, words(trimmed(range))));
    kept.chain([("size", size), ("name in its header", name)]).collect()
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

fn padding(file: &File, range: Range<u64>) -> io::Result<String> {
    let bytes = bytes_at(file, range)?;
    Ok(if bytes.iter().all(|byte| *byte == 0) { AS_LISTED.to_owned() } else { HEXLOWER.encode(&bytes) })
}
