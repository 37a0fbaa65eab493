//! Searches for a byte that is probably near.

use wide::u8x16;

/// Returns the first `wanted` in `bytes`.
///
/// In documents the next tag or quote is usually near, and a call into memchr costs more than a look at two vectors here.
/// memchr searches the rest.
#[inline(always)]
pub(crate) fn find(wanted: u8, bytes: &[u8]) -> Option<usize> {
    let Some(start) = bytes.first_chunk::<32>() else { return memchr::memchr(wanted, bytes) };
    let wanted_everywhere = u8x16::splat(wanted);
    let found_in = |at: usize| {
        let half: [u8; 16] = std::array::from_fn(|index| start[at + index]);
        u8x16::new(half).simd_eq(wanted_everywhere).to_bitmask()
    };
    let found = found_in(0) | found_in(16) << 16;
    if found != 0 {
        return Some(found.trailing_zeros() as usize);
    }
    memchr::memchr(wanted, &bytes[start.len()..]).map(|offset| start.len() + offset)
}

#[cfg(test)]
mod tests {
    use absolve_testing::rounds;

    use super::find;

    #[test]
    fn finds_what_memchr_finds() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..rounds(20_000) {
            let bytes: Vec<u8> =
                (0..random.usize(..80)).map(|_| random.u8(0x38..0x40) ^ (random.u8(..2) << 7)).collect();
            assert_eq!(find(b'<', &bytes), memchr::memchr(b'<', &bytes), "{bytes:?}");
        }
    }
}
