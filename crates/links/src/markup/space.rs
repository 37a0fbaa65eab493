//! ASCII whitespace (WHATWG Infra Standard, section 4.6).

use std::ops::Range;

/// The bytes of white space.
pub(crate) const SPACES: [u8; 5] = [b' ', b'\n', b'\t', b'\r', b'\x0c'];

/// Returns whether `byte` is ASCII whitespace.
#[inline(always)]
pub(crate) const fn is_space(byte: u8) -> bool {
    // A mask, because comparisons become a jump table together with those of the caller.
    const MASK: u64 = 1 << SPACES[0] | 1 << SPACES[1] | 1 << SPACES[2] | 1 << SPACES[3] | 1 << SPACES[4];
    byte <= b' ' && MASK >> byte & 1 != 0
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
