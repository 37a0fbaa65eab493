//! The checksum and the sizes behind a member of a ZIP file (APPNOTE 4.3.9).

use std::fs::File;
use std::io;
use std::ops::Range;

use crate::bundle::checked::damaged;
use crate::bundle::part::bytes_at;
use crate::bundle::zip_directory::DirectoryRecord;

/// The form of the checksum and the sizes that follow a member.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    has_signature: bool,
    is_long: bool,
}

const DESCRIPTOR: &[u8] = b"PK\x07\x08";

impl Descriptor {
    /// Returns the form in which the sizes and the checksum of a member stand at the start of `place`.
    pub fn find(file: &File, place: Range<u64>, record: &DirectoryRecord) -> io::Result<Self> {
        let forms = [(true, false), (true, true), (false, false), (false, true)];
        let mut forms = forms.into_iter().map(|(has_signature, is_long)| Self { has_signature, is_long });
        let stands = |form: &Self| {
            let end = place.start + form.length();
            let bytes = if end <= place.end { bytes_at(file, place.start..end).ok() } else { None };
            let right = || form.bytes(record.crc, [record.packed, record.size]);
            bytes.is_some_and(|bytes| right().is_ok_and(|right| right == bytes))
        };
        forms.find(stands).ok_or_else(|| damaged("the sizes after a member are not those of the directory"))
    }

    /// Returns the number of its bytes, which no other form has.
    pub const fn length(self) -> u64 {
        let numbers = if self.is_long { 16 } else { 8 };
        numbers + if self.has_signature { 8 } else { 4 }
    }

    /// Returns the bytes for a member with this checksum and these sizes, packed and unpacked.
    pub fn bytes(self, crc: u32, sizes: [u64; 2]) -> io::Result<Vec<u8>> {
        let mut bytes = if self.has_signature { DESCRIPTOR.to_vec() } else { Vec::new() };
        bytes.extend(crc.to_le_bytes());
        for value in sizes {
            match (self.is_long, u32::try_from(value)) {
                (true, _) => bytes.extend(value.to_le_bytes()),
                (false, Ok(value)) => bytes.extend(value.to_le_bytes()),
                (false, Err(_)) => return Err(damaged("a member would be longer than its 4 GiB of room for sizes")),
            }
        }
        Ok(bytes)
    }
}
