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
    marked(start, &|bytes| bytes.simd_eq(u8x16::splat(wanted)))
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

/// Returns the first byte from `at` on that `marks` marks, or the end of `bytes`.
#[inline(always)]
pub(crate) fn next(bytes: &[u8], mut at: usize, marks: impl Fn(u8x16) -> u8x16) -> usize {
    while let Some(stride) = bytes[at..].first_chunk() {
        match marked(stride, &marks) {
            0 => at += PLACES,
            places => return at + places.trailing_zeros() as usize,
        }
    }
    let length = bytes.len() - at;
    let places = bytes
        .last_chunk()
        .map(|end| marked(end, &marks).unbounded_shr((PLACES - length) as u32))
        .unwrap_or_else(|| {
            let mut padded = [0; PLACES];
            padded[..length].copy_from_slice(&bytes[at..]);
            marked(&padded, &marks)
        });
    at + length.min(places.trailing_zeros() as usize)
}

/// Returns a bit for each byte that `marks` marks, the first one lowest.
#[inline(always)]
fn marked(stride: &[u8; PLACES], marks: &impl Fn(u8x16) -> u8x16) -> u32 {
    // One load each; a copy byte by byte stays one in WebAssembly.
    let (halves, _) = stride.as_chunks();
    let half = |index: usize| marks(u8x16::new(halves[index])).to_bitmask();
    half(0) | half(1) << (PLACES / 2)
}

/// Marks the bytes that are one of the `wanted`.
#[inline(always)]
pub(crate) fn any_of<const N: usize>(wanted: [u8; N]) -> impl Fn(u8x16) -> u8x16 {
    move |bytes| wanted.into_iter().fold(u8x16::ZERO, |marks, byte| marks | bytes.simd_eq(u8x16::splat(byte)))
}

/// Marks the bytes up to this one.
#[inline(always)]
pub(crate) fn up_to(last: u8) -> impl Fn(u8x16) -> u8x16 {
    move |bytes| bytes.min(u8x16::splat(last)).simd_eq(bytes)
}

#[cfg(test)]
mod tests {
    use absolve_testing::rounds;

    use super::{PLACES, any_of, find, next, places, up_to};

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
            let at = random.usize(..=bytes.len());
            let position = |is_wanted: fn(u8) -> bool| {
                bytes[at..].iter().position(|byte| is_wanted(*byte)).map_or(bytes.len(), |offset| at + offset)
            };
            assert_eq!(next(&bytes, at, any_of(*b"<;\xBA")), position(|byte| b"<;\xBA".contains(&byte)), "{bytes:?}");
            assert_eq!(next(&bytes, at, up_to(b'8')), position(|byte| byte <= b'8'), "{bytes:?}");
        }
    }
}
