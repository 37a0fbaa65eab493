//! Where the fields of a member's headers are in a ZIP file (APPNOTE 4.3.7 and 4.3.12).

use std::io;

use crate::bundle::checked::damaged;
use crate::bundle::fields::{ELSEWHERE, long_numbers, number};

/// A header of a member: fields of a fixed length, its name, an extra field, and what follows that.
#[derive(Debug)]
pub struct HeaderForm {
    /// The length of the fields before the name.
    pub length: usize,
    /// Where the length of the name is; that of the extra field follows it.
    pub name_length: usize,
    /// Where the version is that a reader needs.
    pub version: usize,
    /// Where the checksum is.
    pub crc: usize,
    /// Where the numbers are that may be long, in their order in the extra field: the size, the packed size, the offset.
    pub numbers: &'static [usize],
}

impl HeaderForm {
    /// The header before the contents of a member.
    pub const LOCAL: Self = Self { length: 30, name_length: 26, version: 4, crc: 14, numbers: &[22, 18] };
    /// The record of the directory.
    pub const RECORD: Self = Self { length: 46, name_length: 28, version: 6, crc: 16, numbers: &[24, 20, 42] };

    /// Returns the name, the extra field, and what follows that.
    pub fn parts<'h>(&self, header: &'h [u8]) -> io::Result<[&'h [u8]; 3]> {
        let lengths = [number::<2>(header, self.name_length)?, number::<2>(header, self.name_length + 2)?];
        let [name_length, extra_length] = lengths.map(|length| length as usize);
        let parts = || {
            let (name, rest) = header.get(self.length..)?.split_at_checked(name_length)?;
            let (extra, rest) = rest.split_at_checked(extra_length)?;
            Some([name, extra, rest])
        };
        parts().ok_or_else(|| damaged("a header is cut off"))
    }

    /// Returns its numbers, `None` for a long one that is not in the extra field, and what is there behind the long ones.
    pub fn numbers<'h>(&self, header: &'h [u8]) -> io::Result<(Vec<Option<u64>>, &'h [u8])> {
        let [_, extra, _] = self.parts(header)?;
        let mut long = long_numbers(extra);
        let mut values = Vec::new();
        for at in self.numbers {
            let short = number::<4>(header, *at)?;
            values.push(match long.split_first_chunk::<8>() {
                _ if short != ELSEWHERE => Some(short),
                None => None,
                Some((value, rest)) => {
                    long = rest;
                    Some(u64::from_le_bytes(*value))
                }
            });
        }
        Ok((values, long))
    }
}
