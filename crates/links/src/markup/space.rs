//! ASCII whitespace (WHATWG Infra Standard, section 4.6).

use std::ops::Range;

/// Returns whether `byte` is ASCII whitespace.
#[inline(always)]
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

/// Returns a range of `bytes` without the white space at its ends.
#[inline]
pub(crate) fn trim(bytes: &[u8], mut range: Range<usize>) -> Range<usize> {
    while range.start < range.end && is_space(bytes[range.end - 1]) {
        range.end -= 1;
    }
    while range.start < range.end && is_space(bytes[range.start]) {
        range.start += 1;
    }
    range
}
