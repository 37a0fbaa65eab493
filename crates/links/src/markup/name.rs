//! Element and attribute names, compared without regard to case.

use std::ops::Range;

/// The name of an element or attribute, packed into a number. Two names of HTML are equal if and only if they differ at
/// most in case. Different unknown names may be equal, as are all names of more than 16 bytes ([`Name::LONG`]).
///
/// The first byte of the name is the lowest of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name(u128);

impl Name {
    pub(crate) const LONG: Self = Self(u128::MAX);

    pub(crate) const fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// Returns the names in a text, which spaces separate: as many as the array has.
    pub(crate) const fn of_words<const N: usize>(text: &str) -> [Self; N] {
        let (mut names, mut rest) = ([Self::LONG; N], text.as_bytes());
        let mut index = 0;
        while index < N {
            let mut length = 0;
            while length < rest.len() && rest[length] != b' ' {
                length += 1;
            }
            names[index] = Self::of_bytes(rest.split_at(length).0);
            rest = rest.split_at(if length < rest.len() { length + 1 } else { length }).1;
            index += 1;
        }
        assert!(rest.is_empty(), "the array has room for all names");
        names
    }

    pub(crate) const fn of_bytes(bytes: &[u8]) -> Self {
        if bytes.len() > 16 {
            return Self::LONG;
        }
        let mut packed = 0;
        let mut index = 0;
        while index < bytes.len() {
            let byte = match bytes[index] {
                // A name that ends in NUL differs from the name without it.
                0 => 0xFF,
                byte => byte | (byte & 0x40) >> 1,
            };
            packed |= (byte as u128) << (8 * index);
            index += 1;
        }
        Self(packed)
    }

    /// Reads the name at `start`, up to the first byte for which `ends` is true. Returns the name and its end, or
    /// `None` if the bytes end first. `ends` is true only for ASCII below `@`.
    #[inline(always)]
    pub(crate) fn read(bytes: &[u8], start: usize, ends: fn(u8) -> bool) -> Option<(Self, usize)> {
        if let Some(chunk) = bytes[start..].first_chunk::<8>() {
            let word = u64::from_le_bytes(*chunk);
            // The high bit of each byte below 0x40: digits, hyphens, and all bytes that may end a name.
            let mut low = !(word | word << 1) & HIGH_BITS;
            while low != 0 {
                let length = low.trailing_zeros() as usize / 8;
                if ends(chunk[length]) {
                    let mask = (1_u64 << (8 * length)) - 1;
                    return Some((Self(u128::from(fold(word & mask))), start + length));
                }
                if chunk[length] == 0 {
                    break;
                }
                low &= low - 1;
            }
        }
        let length = bytes[start..].iter().position(|byte| ends(*byte))?;
        Some((Self::of_bytes(&bytes[start..start + length]), start + length))
    }

    /// Returns a hash from 0 to 255.
    #[inline(always)]
    pub(crate) const fn bucket(self) -> usize {
        let folded = (self.0 as u64) ^ ((self.0 >> 64) as u64).rotate_left(29);
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
    }
}

/// A set of first letters and lengths of names: most names that are not wanted differ in these from all that are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shapes {
    /// A bit for each length, by the low five bits of the first letter.
    lengths: [u32; 32],
}

impl Shapes {
    pub(crate) const fn new() -> Self {
        Self { lengths: [0; 32] }
    }

    pub(crate) const fn add(&mut self, name: &str) {
        let name = name.as_bytes();
        self.lengths[(name[0] & 31) as usize] |= Self::bit(name.len());
    }

    /// Returns whether a name of this range may be in the set.
    #[inline(always)]
    pub(crate) fn may_contain(&self, bytes: &[u8], name: Range<usize>) -> bool {
        self.lengths[usize::from(bytes[name.start] & 31)] & Self::bit(name.len()) != 0
    }

    /// All long names share a bit.
    #[inline(always)]
    const fn bit(length: usize) -> u32 {
        1 << if length < 31 { length } else { 31 }
    }
}

/// One in each byte of a word, and the high bit of each.
pub(super) const ONES: u64 = u64::from_le_bytes([1; 8]);
pub(super) const HIGH_BITS: u64 = ONES << 7;

/// Folds eight bytes at once: letters to lower case, and a few other characters with them.
#[inline(always)]
const fn fold(word: u64) -> u64 {
    word | (word & ONES << 6) >> 1
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn names_differ() {
        let names = [
            "a",
            "A",
            "b",
            "a\0",
            "h1",
            "h\u{11}",
            "http-equiv",
            "HTTP-Equiv",
            "annotation-xml",
            "annotation-xmk",
            "blockquote",
            "ablockquote",
            "eightlet",
            "EIGHTLET",
            "sixteen-letters-",
            "more-than-sixteen",
        ];
        for one in names {
            for other in names {
                assert_eq!(Name::of(one) == Name::of(other), one.eq_ignore_ascii_case(other), "{one} {other}");
            }
            let tag = format!("<{one}>behind it");
            let read = Name::read(tag.as_bytes(), 1, |byte| matches!(byte, b'>' | b' '));
            assert_eq!(read, Some((Name::of(one), one.len() + 1)), "{one:?}");
        }
        assert_eq!(Name::read(b"<name", 1, |byte| byte == b'>'), None);
    }
}
