//! What is known of a member of a bundle.

use std::ops::Range;

use absolve_framing::bundle::{Member, MemberKind};

/// What a run keeps, by its name.
pub(super) type Properties = Vec<(&'static str, String)>;

/// A member of a bundle.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) name: Vec<u8>,
    pub(super) properties: Properties,
    pub(super) link: Link,
    /// Where what precedes its contents begins: the end of the member before it.
    pub(super) start: u64,
    /// Where its packed contents are.
    pub(super) range: Range<u64>,
    pub(super) size: u64,
    /// The checksum of a member of a ZIP.
    pub(super) crc: Option<u32>,
}

/// What a member leads to, as written.
#[derive(Debug, Default)]
pub(super) enum Link {
    #[default]
    None,
    /// From the folder of the member.
    Symbolic(Vec<u8>),
    /// From the root of the bundle.
    Hard(Vec<u8>),
}

impl Link {
    pub(super) fn of(member: &Member) -> Self {
        match member.kind {
            MemberKind::SymbolicLink => Self::Symbolic(member.target.clone()),
            MemberKind::HardLink => Self::Hard(member.target.clone()),
            _ => Self::None,
        }
    }
}

/// The value of a property that follows from the contents of the members.
pub(super) const AS_LISTED: &str = "that of the list";

/// Returns bytes as text; those that are none as hexadecimal digits.
pub(super) fn words(bytes: &[u8]) -> String {
    let text = str::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control));
    text.map_or_else(|| format!("the bytes {}", hexadecimal(bytes)), str::to_owned)
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
