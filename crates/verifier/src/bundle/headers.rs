//! The headers of a member of a ZIP file (APPNOTE 4.3): before it, and in the list.

use std::ops::Range;

use crate::bundle::listed::{AS_LISTED, Listed, Properties, hexadecimal, words};
use crate::bundle::sizes::without_sizes;

/// The value of a field of 32 bits whose number is in the extra field.
pub(super) const ELSEWHERE: u64 = u32::MAX as u64;

/// A header of a member, and its properties besides those that the list of members shows.
pub(super) struct Form {
    pub(super) length: usize,
    pub(super) name_length: usize,
    /// The numbers that stay.
    kept: &'static [(&'static str, Range<usize>)],
    version: usize,
    crc: usize,
    /// Its size, packed size and offset.
    numbers: &'static [usize],
    /// The names of: the version, the name, the checksum, the sizes, the long numbers, the extra field.
    names: [&'static str; 6],
}

pub(super) const LOCAL: Form = Form {
    length: 30,
    name_length: 26,
    kept: &[("mark of its local header", 0..4), ("local flags", 6..8), ("local method", 8..10), ("local time", 10..14)],
    version: 4,
    crc: 14,
    numbers: &[22, 18],
    names: ["local version", "local name", "local checksum", "local size", "field of local sizes", "local extra field"],
};
pub(super) const RECORD: Form = Form {
    length: 46,
    name_length: 28,
    kept: &[("program", 4..6), ("flags", 8..10), ("method", 10..12), ("time", 12..16), ("attributes", 34..42)],
    version: 6,
    crc: 16,
    numbers: &[24, 20, 42],
    names: ["version", "name", "checksum", "size", "field of sizes", "extra field"],
};

/// Returns the properties of a member in one of its headers.
pub(super) fn properties_of(form: &Form, header: &[u8], member: &Listed) -> Properties {
    // A length that is damaged may reach beyond the end of the file.
    let rest = header.get(form.length..).unwrap_or_default();
    let (name, extra) = rest.split_at_checked(lengths(header, form)[0] as usize).unwrap_or_default();
    let (extra, comment) = extra.split_at_checked(lengths(header, form)[1] as usize).unwrap_or((extra, &[]));
    let (extra, long) = extra_field(extra, name);
    let is_later = form.length == LOCAL.length && has_descriptor(header);
    // Where sizes follow the contents, wrong ones before them stay.
    let as_listed = |value: u64, listed: u64| match is_later && value == listed {
        true => "that of its contents".to_owned(),
        false => as_listed(value, listed),
    };
    let crc = member.crc.unwrap_or_default();
    let mut properties = vec![(form.names[2], as_listed(number::<4>(header, form.crc), crc.into()))];
    let listed = [Some(member.size), Some(member.range.end - member.range.start), None];
    let (mut rest, mut long_numbers, mut is_large) = (long, 0, false);
    for (at, listed) in form.numbers.iter().zip(listed) {
        let mut value = number::<4>(header, *at);
        if value == ELSEWHERE {
            long_numbers += 1;
            if let Some((long, after)) = rest.and_then(|rest| rest.split_first_chunk::<8>()) {
                (value, rest) = (u64::from_le_bytes(*long), Some(after));
            }
        }
        is_large |= value >= ELSEWHERE;
        // The offset has led to the local header.
        properties.extend(listed.map(|listed| (form.names[3], as_listed(value, listed))));
    }
    let has_only_numbers = rest.is_some_and(<[u8]>::is_empty) && rest != long;
    let or_as_listed = |is_so: bool, value: String| if is_so { AS_LISTED.to_owned() } else { value };
    let version = format!("{}, with {long_numbers} long numbers", number::<2>(header, form.version));
    properties.extend(form.kept.iter().map(|(what, range)| {
        let value = number::<8>(header.get(range.clone()).unwrap_or_default(), 0);
        (*what, if what.ends_with("time") { time(value) } else { value.to_string() })
    }));
    properties.extend([
        (form.names[0], or_as_listed(is_large, version)),
        (form.names[1], or_as_listed(name == member.name, words(name))),
        (form.names[4], or_as_listed(has_only_numbers, rest.map_or("none".to_owned(), hexadecimal))),
        (form.names[5], extra),
        ("comment", words(comment)),
    ]);
    properties
}

/// Returns a time of MS-DOS in words (4.4.6).
fn time(value: u64) -> String {
    let bits = |at: u32, count: u32| value >> at & ((1 << count) - 1);
    let (year, month, day) = (1980 + bits(25, 7), bits(21, 4), bits(16, 5));
    format!("{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}", bits(11, 5), bits(5, 6), bits(0, 5) * 2)
}

/// Returns the blocks of an extra field as text, and the content of that with long numbers.
fn extra_field<'e>(mut extra: &'e [u8], name: &[u8]) -> (String, Option<&'e [u8]>) {
    const ZIP64: u64 = 1;
    const UNICODE_PATH: u64 = 0x7075;
    let (mut blocks, mut long) = (Vec::new(), None);
    while let Some((head, rest)) = extra.split_at_checked(4)
        && let Some((block, rest)) = rest.split_at_checked(number::<2>(head, 2) as usize)
    {
        match number::<2>(head, 0) {
            ZIP64 if long.is_none() => long = Some(block),
            UNICODE_PATH => blocks.push(unicode_path(block, name)),
            id => blocks.push(format!("{id:04x}: {}", hexadecimal(block))),
        }
        extra = rest;
    }
    if !extra.is_empty() {
        blocks.push(hexadecimal(extra));
    }
    (blocks.join(", "), long)
}

/// Returns a second name of a member, which may contain a size, and whether the checksum in it is that of the first.
fn unicode_path(field: &[u8], name: &[u8]) -> String {
    let Some((head, path)) = field.split_at_checked(5) else { return hexadecimal(field) };
    let mut crc = flate2::Crc::new();
    crc.update(name);
    let is_of_name = head[1..] == crc.sum().to_le_bytes();
    let whose = if is_of_name { "its name" } else { "another name" };
    format!("7075: version {}, {} for {whose}", head[0], words(&without_sizes(path)))
}

/// Returns the lengths of the name and of the extra field of a header.
pub(super) fn lengths(header: &[u8], form: &Form) -> [u64; 2] {
    [0, 2].map(|at| number::<2>(header, form.name_length + at))
}

pub(super) fn has_descriptor(local_header: &[u8]) -> bool {
    number::<2>(local_header, 6) & 1 << 3 != 0
}

/// Returns the form of the checksum and the sizes that these bytes begin with, and its length (4.3.9).
pub(super) fn descriptor(member: &Listed, bytes: &[u8]) -> (&'static str, u64) {
    let numbers = [member.range.end - member.range.start, member.size];
    for (form, signature, width) in [
        ("short, marked", &b"PK\x07\x08"[..], 4),
        ("long, marked", b"PK\x07\x08", 8),
        ("short", b"", 4),
        ("long", b"", 8),
    ] {
        let mut expected = [signature, &member.crc.unwrap_or_default().to_le_bytes()].concat();
        expected.extend(numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)));
        if bytes.starts_with(&expected) {
            return (form, expected.len() as u64);
        }
    }
    ("none", 0)
}

pub(super) fn as_listed(value: u64, listed: u64) -> String {
    if value == listed { AS_LISTED.to_owned() } else { value.to_string() }
}

/// Returns a number of this many bytes.
pub(super) fn number<const LENGTH: usize>(bytes: &[u8], at: usize) -> u64 {
    bytes.iter().skip(at).take(LENGTH).rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
