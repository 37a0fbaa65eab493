//! Numbers in the headers of ZIP files (APPNOTE 4.3): little-endian, and beyond 4 GiB in an extra field (4.5.3).

use absolve_framing::bundle::{ZIP64, blocks, sizes_of, unicode_head, unicode_name, with_sizes};

/// Writes a number into the `LENGTH` bytes at an offset, which exist.
pub(super) fn set<const LENGTH: usize>(bytes: &mut [u8], at: usize, value: u64) {
    bytes[at..at + LENGTH].copy_from_slice(&value.to_le_bytes()[..LENGTH]);
}

/// Returns `extra` with other long numbers, in the place of the old ones; without any if there are none.
pub(super) fn with_long_numbers(extra: &[u8], numbers: &[u64]) -> Vec<u8> {
    let mut block = Vec::new();
    if !numbers.is_empty() {
        block.extend([1, 0, numbers.len() as u8 * 8, 0]);
        block.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let mut new = Vec::with_capacity(extra.len() + block.len());
    let (mut at, mut is_first) = (0, true);
    for (id, old) in blocks(extra) {
        at += old.len();
        // What follows the numbers in their field is the number of a disk, which is always 0 here. Only the first field is read.
        let is_replaced = id == ZIP64 && std::mem::take(&mut is_first);
        new.extend(if is_replaced { std::mem::take(&mut block) } else { old.to_vec() });
    }
    new.extend(block);
    new.extend(&extra[at..]);
    new
}

/// Returns `extra` with the sizes of the new name of its member, a message, in the field that has the old one in Unicode (4.6.9).
pub(super) fn with_unicode_path(extra: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let last = |name: &[u8]| memchr::memrchr(b'/', name).map_or(0, |slash| slash + 1);
    let mut all = Vec::with_capacity(extra.len() + 4);
    let mut at = 0;
    for (_, block) in blocks(extra) {
        at += block.len();
        let Some(path) = unicode_name(block, old) else {
            all.extend(block);
            continue;
        };
        let (folder, segment) = path.split_at(last(path));
        // The names may be of two charsets.
        let segment = with_sizes(segment, sizes_of(&new[last(new)..]));
        let field = [&unicode_head(new), folder, &segment].concat();
        // A field that is too long for its header is left out.
        if let Ok(length) = u16::try_from(field.len()) {
            all.extend([&block[..2], &length.to_le_bytes(), &field].concat());
        }
    }
    all.extend(&extra[at..]);
    all
}

#[cfg(test)]
mod tests {
    use absolve_framing::bundle::long_numbers;

    use super::*;

    #[test]
    fn long_numbers_take_the_place_of_the_old_ones() {
        let time = [0x55, 0x54, 1, 0, 7];
        let long = [1, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8];
        let extra = [&time[..], &long, &time, &[9]].concat();
        assert_eq!(long_numbers(&extra), &long[4..]);
        assert_eq!(with_long_numbers(&extra, &[0x0807_0605_0403_0201]), extra);
        assert_eq!(with_long_numbers(&extra, &[]), [&time[..], &time, &[9]].concat());
        let twice = [&long[..], &time, &long].concat();
        assert_eq!(with_long_numbers(&twice, &[9])[..12], [1, 0, 8, 0, 9, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(with_long_numbers(&twice, &[9])[12..], twice[12..]);
        assert_eq!(with_long_numbers(&time, &[1]), [&time[..], &[1, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0]].concat());
    }
}
