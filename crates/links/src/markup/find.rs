//! Searches for a byte that is probably near.

use wide::u8x16;

/// The bytes that [`places`] looks at.
pub(crate) const PLACES: usize = 32;

/// Returns a bit for each of the first [`PLACES`] bytes that is `wanted`, the first one lowest.
#[inline(always)]
pub(crate) fn places(wanted: u8, bytes: &[u8]) -> u32 {
    let Some(start) = bytes.first_chunk::<PLACES>() else {
        return bytes.iter().rev().fold(0, |places, byte| places << 1 | u32::from(*byte == wanted));
    };
    let half = |at: usize| {
        let half: [u8; PLACES / 2] = std::array::from_fn(|index| start[at + index]);
        u8x16::new(half).simd_eq(u8x16::splat(wanted)).to_bitmask()
    };
    half(0) | half(PLACES / 2) << (PLACES / 2)
}

/// Returns the first `wanted` in `bytes`.
///
/// In documents the next tag or quote is usually near, and a call into memchr costs more than a look at two vectors here.
/// memchr searches the rest.
#[inline(always)]
pub(crate) fn find(wanted: u8, bytes: &[u8]) -> Option<usize> {
    if bytes.len() < PLACES {
        return memchr::memchr(wanted, bytes);
    }
    match places(wanted, bytes) {
        0 => memchr::memchr(wanted, &bytes[PLACES..]).map(|offset| PLACES + offset),
        places => Some(places.trailing_zeros() as usize),
    }
}

#[cfg(test)]
mod tests {
    use absolve_testing::rounds;

    use super::{PLACES, find, places};

    #[test]
    fn finds_what_memchr_finds() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..rounds(20_000) {
            let bytes: Vec<u8> =
                (0..random.usize(..80)).map(|_| random.u8(0x38..0x40) ^ (random.u8(..2) << 7)).collect();
            assert_eq!(find(b'<', &bytes), memchr::memchr(b'<', &bytes), "{bytes:?}");
            let expected =
                memchr::memchr_iter(b'<', &bytes).filter(|at| *at < PLACES).fold(0, |places, at| places | 1 << at);
            assert_eq!(places(b'<', &bytes), expected, "{bytes:?}");
        }
    }
}
