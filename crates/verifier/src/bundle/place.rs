//! Where a member of a bundle is, and what a run keeps of it.

use std::io::{self, Read};
use std::ops::Range;

use data_encoding::HEXLOWER;

use crate::storage::Stored;
use crate::storage::digest::length_and_sha256;

/// Where a member of a bundle is.
#[derive(Debug)]
pub(super) struct Place {
    /// Where what precedes its contents begins.
    pub(super) start: u64,
    /// Where its packed contents are.
    pub(super) data: Range<u64>,
    /// Where what follows its contents ends.
    pub(super) end: u64,
    /// The checksum of a member of a ZIP.
    pub(super) crc: Option<u32>,
}

impl Place {
    pub(super) const fn before(&self) -> Range<u64> {
        self.start..self.data.start
    }

    pub(super) const fn after(&self) -> Range<u64> {
        self.data.end..self.end
    }
}

/// What a run keeps, by its name.
pub(super) type Properties = Vec<(&'static str, String)>;

/// The value of a property that follows from the contents of the members.
pub(super) const AS_LISTED: &str = "that of the list";

/// Returns the properties that differ, in words. They may become `right`.
pub(super) fn differing(old: &Properties, new: &Properties, right: Option<&str>) -> Vec<String> {
    let differ = old.iter().zip(new).filter(|((_, old), (_, new))| old != new && Some(&**new) != right);
    let or_none = |value: &str| if value.is_empty() { "none".to_owned() } else { value.to_owned() };
    differ
        .map(|((what, old), (_, new))| format!("has another {what}: {}, and not {}", or_none(new), or_none(old)))
        .collect()
}

/// Returns bytes as text; those that are none as hexadecimal digits.
pub(super) fn words(bytes: &[u8]) -> String {
    let text = str::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control));
    text.map_or_else(|| format!("the bytes {}", HEXLOWER.encode(bytes)), str::to_owned)
}

/// Returns bytes as text; many of them as their digest.
pub(super) fn shown(stored: Stored<'_>, range: Range<u64>) -> io::Result<String> {
    const SHOWN: u64 = 80;
    let length = range.end.saturating_sub(range.start);
    if length <= SHOWN {
        return Ok(words(&stored.bytes(range)?));
    }
    let (length, digest) = length_and_sha256(stored.reader_at(range.start).take(length))?;
    Ok(format!("{length} bytes with the SHA-256 digest {digest}"))
}
