//! What is known of a member of a bundle.

use std::ops::Range;

/// What a run keeps, by its name.
pub(super) type Properties = Vec<(&'static str, String)>;

/// A member of a bundle.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) name: Vec<u8>,
    pub(super) properties: Properties,
    pub(super) link: Link,
    pub(super) packing: Packing,
    /// Where its packed contents are.
    pub(super) range: Range<u64>,
    pub(super) size: u64,
    pub(super) crc: Option<u32>,
}

/// What a member leads to, as written.
#[derive(Debug, Default)]
pub(super) enum Link {
    #[default]
    None,
    /// From the folder of the member. In a ZIP, the target is in its contents.
    Symbolic(Vec<u8>),
    /// From the root of the bundle.
    Hard(Vec<u8>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Stored,
    Deflated,
    Other,
}

/// Returns bytes as text; those that are none as hexadecimal digits.
pub(super) fn words(bytes: &[u8]) -> String {
    str::from_utf8(bytes).map_or_else(|_| format!("the bytes {}", hexadecimal(bytes)), str::to_owned)
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
