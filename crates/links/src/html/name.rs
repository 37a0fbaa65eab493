//! Element and attribute names, compared without regard to case.

/// The name of an element or attribute, in lower case. Names of more than 16 bytes are all the same name,
/// [`Name::LONG`], which equals none that HTML knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name(u128);

impl Name {
    pub(crate) const LONG: Self = Self(0);

    pub(crate) const fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    #[inline(always)]
    pub(crate) const fn of_bytes(bytes: &[u8]) -> Self {
        if bytes.len() <= 8 {
            // The common case, in a narrower register.
            return Self(pack(bytes) as u128);
        }
        if bytes.len() > 16 {
            return Self::LONG;
        }
        let (head, tail) = bytes.split_at(8);
        Self((pack(head) as u128) << (8 * tail.len()) | pack(tail) as u128)
    }

    /// Reads the name at `start`, which goes on as long as `ends` does not hold: the name and where it ends.
    /// `None` when the bytes end first.
    #[inline(always)]
    pub(crate) fn read(bytes: &[u8], start: usize, ends: fn(u8) -> bool) -> Option<(Self, usize)> {
        let (mut head, mut tail) = (0, 0_u64);
        let mut at = start;
        loop {
            let byte = *bytes.get(at)?;
            if ends(byte) {
                break;
            }
            if at - start == 8 {
                (head, tail) = (tail, 0);
            }
            tail = tail << 8 | u64::from(byte.to_ascii_lowercase());
            at += 1;
        }
        let name = match at - start {
            0..=8 => Self(u128::from(tail)),
            length @ 9..=16 => Self(u128::from(head) << (8 * (length - 8)) | u128::from(tail)),
            _ => Self::LONG,
        };
        Some((name, at))
    }

    /// A number from 0 to 255 that names seldom share.
    #[inline]
    pub(crate) const fn bucket(self) -> usize {
        let folded = (self.0 as u64) ^ ((self.0 >> 64) as u64).rotate_left(29);
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
    }
}

#[inline(always)]
const fn pack(bytes: &[u8]) -> u64 {
    let mut packed = 0;
    let mut index = 0;
    while index < bytes.len() {
        packed = packed << 8 | bytes[index].to_ascii_lowercase() as u64;
        index += 1;
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn names_differ() {
        let names = ["a", "A", "b", "h1", "h\u{11}", "annotation-xml", "annotation-xmk", "blockquote", "ablockquote", "sixteen-letters-", "more-than-sixteen"];
        for one in names {
            for other in names {
                assert_eq!(Name::of(one) == Name::of(other), one.eq_ignore_ascii_case(other), "{one} {other}");
            }
            let read = Name::read(format!("<{one}>").as_bytes(), 1, |byte| byte == b'>');
            assert_eq!(read, Some((Name::of(one), one.len() + 1)));
        }
    }
}
