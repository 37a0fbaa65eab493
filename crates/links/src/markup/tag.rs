//! Tags in a document, by the byte of their `<`.

use std::borrow::Cow;
use std::ops::Range;

use super::attributes::{Attribute, Quote, attributes};
use super::name::{HIGH_BITS, ONES};
use super::space::is_space;

#[inline(always)]
pub(crate) const fn ends_tag_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

/// Returns the end of the end tag that begins at byte `tag`, if it is a short name with `>` right behind it.
#[inline(always)]
pub(crate) fn plain_end_tag(document: &[u8], tag: usize) -> Option<usize> {
    let chunk = document.get(tag + 2..)?.first_chunk::<8>()?;
    if !chunk[0].is_ascii_alphabetic() {
        return None;
    }
    let word = u64::from_le_bytes(*chunk);
    let difference = word ^ (ONES * b'>' as u64);
    let closing = difference.wrapping_sub(ONES) & !difference & HIGH_BITS;
    // The high bit of each byte below `0`: white space, slashes and a few others.
    let low = !(((word & !HIGH_BITS) + ONES * 0x50) | word) & HIGH_BITS;
    // The lowest of the closing bits, unless one of the others is below it.
    let first = closing & closing.wrapping_neg() & !(low | low.wrapping_neg());
    (first != 0).then(|| tag + 3 + first.trailing_zeros() as usize / 8)
}

/// Returns the length of the tag name that `bytes` begins with; all of `bytes` if nothing ends it.
pub(crate) fn name_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| ends_tag_name(*byte)).unwrap_or(bytes.len())
}

/// Returns the name of the element whose tag begins at byte `tag`, in lower case.
pub(crate) fn element_name(document: &[u8], tag: usize) -> Cow<'_, str> {
    let rest = &document[tag + 1..];
    let name = String::from_utf8_lossy(&rest[..name_length(rest)]);
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) { name.to_ascii_lowercase().into() } else { name }
}

/// Returns the range of the tag that begins at byte `tag`.
pub(crate) fn tag(document: &[u8], tag: usize) -> Option<Range<usize>> {
    let name_end = tag + 1 + name_length(&document[tag + 1..]);
    attributes(document, name_end, |_| {}).map(|end| tag..end.end)
}

/// Returns all attributes of the tag that begins at byte `tag`.
pub(crate) fn all_attributes(document: &[u8], tag: usize) -> Vec<Attribute> {
    let mut all: Vec<Attribute> = Vec::new();
    let name_end = tag + 1 + name_length(&document[tag + 1..]);
    attributes(document, name_end, |attribute| all.push(attribute));
    all
}

/// Returns the range of the tag that begins at byte `tag`, and the ranges of its attributes that have the name of the
/// one whose value contains `value`, each with the white space before it.
pub(crate) fn tag_and_attributes(
    document: &[u8],
    tag: usize,
    value: &Range<usize>,
) -> Option<(Range<usize>, Vec<Range<usize>>)> {
    let mut all: Vec<Attribute> = Vec::new();
    let name_end = tag + 1 + name_length(&document[tag + 1..]);
    let end = attributes(document, name_end, |attribute| all.push(attribute))?.end;
    let contains = |attribute: &&Attribute| attribute.value.start <= value.start && value.end <= attribute.value.end;
    let name = all.iter().find(contains)?.name;
    let whole = |attribute: &Attribute| {
        let quote = usize::from(matches!(attribute.quote, Quote::Double | Quote::Single));
        let before = document[..attribute.name_range.start].iter().rev();
        let start = attribute.name_range.start - before.take_while(|byte| is_space(**byte)).count();
        start..attribute.value.end + quote
    };
    Some((tag..end, all.iter().filter(|attribute| attribute.name == name).map(whole).collect()))
}
