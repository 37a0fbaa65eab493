//! The attributes of one tag, and what their values are.

use smallvec::SmallVec;

use crate::markup::attributes::{Attribute, attributes};
use crate::value::character_reference;

/// Returns the attributes of the tag whose attributes begin at byte `at`; most tags have few.
pub(crate) fn attributes_of(document: &[u8], at: usize) -> SmallVec<[Attribute; 6]> {
    let mut all = SmallVec::new();
    attributes(document, at, |attribute| all.push(attribute));
    all
}

/// Returns the raw value of an attribute. If it is repeated, the first counts.
pub(crate) fn value_of<'d>(document: &'d [u8], all: &[Attribute], name: &str) -> Option<&'d [u8]> {
    let is_named = |one: &&Attribute| document[one.name_range.clone()].eq_ignore_ascii_case(name.as_bytes());
    all.iter().find(is_named).map(|one| &document[one.value.clone()])
}

/// Returns whether an attribute value equals one of the `wanted`, apart from case and surrounding white space.
pub(crate) fn is_one_of(value: &[u8], wanted: &[&str]) -> bool {
    if value.contains(&b'&') {
        let decoded = character_reference::decode_all(&String::from_utf8_lossy(value));
        return wanted.iter().any(|known| known.eq_ignore_ascii_case(decoded.trim()));
    }
    let value = value.trim_ascii();
    wanted.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(value))
}
