//! Searches for a byte that is probably near.

/// Returns the first `wanted` in `bytes`.
///
/// In documents the next tag or quote is usually near, and a call into memchr costs more than a few words here. memchr
/// searches the rest.
#[inline(always)]
pub(crate) fn find(wanted: u8, bytes: &[u8]) -> Option<usize> {
    const WORDS: usize = 4;
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let pattern = ONES * u64::from(wanted);
    let (words, _) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().take(WORDS).enumerate() {
        // A byte of `difference` is zero where the word has `wanted`. The lowest zero byte gets its high bit set.
        let difference = u64::from_le_bytes(*word) ^ pattern;
        let zeros = difference.wrapping_sub(ONES) & !difference & (ONES << 7);
        if zeros != 0 {
            return Some(index * 8 + zeros.trailing_zeros() as usize / 8);
        }
    }
    let seen = words.len().min(WORDS) * 8;
    memchr::memchr(wanted, &bytes[seen..]).map(|offset| seen + offset)
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
