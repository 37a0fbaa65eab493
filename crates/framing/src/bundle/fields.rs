//! Numbers in the headers of ZIP files (APPNOTE 4.3): little-endian, and beyond 4 GiB in an extra field (4.5.3).

use std::io;

use flate2::Crc;

use crate::bundle::checked::damaged;

/// Returns the number in the `LENGTH` bytes at an offset.
pub fn number<const LENGTH: usize>(bytes: &[u8], at: usize) -> io::Result<u64> {
    let field = bytes.get(at..).and_then(|rest| rest.get(..LENGTH)).ok_or_else(|| damaged("a header is cut off"))?;
    Ok(field.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

/// The value of a field of 32 bits whose number is in the extra field.
pub const ELSEWHERE: u64 = u32::MAX as u64;

/// The identifier of the extra field with long numbers.
pub const ZIP64: u64 = 1;

/// Returns the content of the extra field with long numbers; empty if there is none.
pub fn long_numbers(extra: &[u8]) -> &[u8] {
    blocks(extra).find(|(id, _)| *id == ZIP64).map_or(&[], |(_, block)| &block[4..])
}

/// The identifier of the extra field with the name in Unicode (4.6.9).
const UNICODE_PATH: u64 = 0x7075;

/// Returns what precedes the name in the extra field with a name in Unicode: the version, and the checksum of the other name.
pub fn unicode_head(name: &[u8]) -> [u8; 5] {
    const VERSION: u8 = 1;
    let mut crc = Crc::new();
    crc.update(name);
    let [one, two, three, four] = crc.sum().to_le_bytes();
    [VERSION, one, two, three, four]
}

/// Returns the name in Unicode in a block of an extra field; `None` if it has none of the member of this name.
pub fn unicode_name<'b>(block: &'b [u8], name: &[u8]) -> Option<&'b [u8]> {
    let is_one = number::<2>(block, 0).is_ok_and(|id| id == UNICODE_PATH);
    block.get(4..).filter(|_| is_one)?.strip_prefix(&unicode_head(name))
}

/// Returns the blocks of an extra field with their identifiers and headers. Bytes that are no block are left out.
pub fn blocks(extra: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &extra[at..];
        let (id, length) = (number::<2>(rest, 0).ok()?, number::<2>(rest, 2).ok()? as usize);
        let block = rest.get(..4 + length)?;
        at += block.len();
        Some((id, block))
    })
}
