//! ASCII whitespace (WHATWG Infra Standard, section 4.6).

use std::ops::Range;

/// Returns whether `byte` is ASCII whitespace.
#[inline(always)]
pub(crate) const fn is_space(byte: u8) -> bool {
    // A mask, because comparisons become a jump table together with those of the caller.
    const SPACES: u64 = 1 << b' ' | 1 << b'\n' | 1 << b'\t' | 1 << b'\r' | 1 << b'\x0c';
    byte <= b' ' && SPACES >> byte & 1 != 0
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
