//! Text decoded from UTF-16, with a map of positions back to it.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::wrapping::Unit;

/// The positions in bytes of UTF-16 of the positions in its text. They are counted, because most texts are long and only
/// the positions of links are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Map {
    /// The number of code units before each block of the text but the first.
    before: Vec<usize>,
    raw_length: usize,
}

/// The bytes of a text whose code units are counted together, so few that a byte can hold their number.
const BLOCK: usize = 128;

/// Decodes UTF-16. Malformed code units become U+FFFD, as does a byte that is left over. Returns `None` for another
/// encoding.
pub(super) fn decode(raw: &[u8], encoding: &'static Encoding) -> Option<(String, Map)> {
    let text = if encoding == UTF_16LE {
        text(raw, u16::from_le_bytes)
    } else if encoding == UTF_16BE {
        text(raw, u16::from_be_bytes)
    } else {
        return None;
    };
    let (blocks, _) = text.as_bytes().as_chunks::<BLOCK>();
    let before = blocks.iter().scan(0, |before, block| {
        *before += code_units(block);
        Some(*before)
    });
    let map = Map { before: before.collect(), raw_length: raw.len() };
    Some((text, map))
}

fn text(raw: &[u8], read: impl Fn([u8; 2]) -> u16) -> String {
    const STRIDE: usize = 16;
    let (mut words, rest) = raw.as_chunks::<2>();
    let is_ascii = |word: &[u8; 2]| read(*word) < 0x80;
    let mut text = Vec::with_capacity(words.len() + words.len() / 2);
    while !words.is_empty() {
        let (strides, _) = words.as_chunks::<STRIDE>();
        let all = |stride: &&[[u8; 2]; STRIDE]| stride.iter().fold(0, |all, word| all | read(*word)) < 0x80;
        let passed = STRIDE * strides.iter().take_while(all).count();
        let ascii = passed + words[passed..].iter().take_while(|word| is_ascii(word)).count();
        text.extend(words[..ascii].iter().map(|word| read(*word) as u8));
        words = &words[ascii..];
        let others = words.iter().take_while(|word| !is_ascii(word)).count();
        for character in char::decode_utf16(words[..others].iter().map(|word| read(*word))) {
            push(&mut text, character.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        words = &words[others..];
    }
    if !rest.is_empty() {
        push(&mut text, char::REPLACEMENT_CHARACTER);
    }
    String::from_utf8(text).expect("it consists of characters")
}

fn push(text: &mut Vec<u8>, character: char) {
    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Returns the number of code units in UTF-16 of the characters that begin in a block, or in a part of it.
fn code_units(block: &[u8]) -> usize {
    let begins = |byte: u8| u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0);
    usize::from(block.iter().fold(0_u8, |units, byte| units + begins(*byte)))
}

impl Map {
    /// Returns the character that `position` would cut in two.
    pub(super) fn covering(&self, text: &str, position: usize) -> Option<Unit> {
        if text.is_char_boundary(position) {
            return None;
        }
        let (start, end) = (text.floor_char_boundary(position), text.ceil_char_boundary(position));
        Some(Unit { text: start..end, raw: self.shift(text, start)..self.shift(text, end) })
    }

    /// Returns the encoded position of a position between characters.
    pub(super) fn shift(&self, text: &str, position: usize) -> usize {
        let block = position / BLOCK;
        let before = block.checked_sub(1).map_or(0, |before| self.before[before]);
        let units = before + code_units(&text.as_bytes()[block * BLOCK..position]);
        // A byte that is left over is no whole unit.
        (2 * units).min(self.raw_length)
    }
}

/// Encodes text in UTF-16. Returns `None` for another encoding.
pub(super) fn encode(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    let to_bytes = if encoding == UTF_16LE {
        u16::to_le_bytes
    } else if encoding == UTF_16BE {
        u16::to_be_bytes
    } else {
        return None;
    };
    let mut encoded = Vec::with_capacity(2 * text.len());
    text.encode_utf16().for_each(|unit| encoded.extend_from_slice(&to_bytes(unit)));
    Some(encoded)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use absolve_testing::IN_FULL;
    use encoding_rs::{UTF_16BE, UTF_16LE};

    use super::{decode, encode};

    /// Compares with a reader of one character at a time, which remembers where each is.
    #[test]
    fn each_character_is_found_where_it_is_written() {
        const UNITS: [u16; 10] = [0x61, 0x3C, 0, 0x7F, 0x80, 0xE9, 0x3042, 0xFFFD, 0xD83E, 0xDD8A];
        let mut random = fastrand::Rng::with_seed(16);
        for round in 0..if IN_FULL { 200_000 } else { 2_000 } {
            let ascii = random.u8(..100);
            let units: Vec<u16> = (0..random.usize(..200))
                .map(|_| UNITS[if random.u8(..100) < ascii { 0 } else { random.usize(..UNITS.len()) }])
                .collect();
            let is_little = round % 2 == 0;
            let bytes = |unit: &u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            let mut raw: Vec<u8> = units.iter().flat_map(bytes).collect();
            raw.extend((random.u8(..4) == 0).then_some(0x61));
            let mut characters: Vec<(char, Range<usize>)> = Vec::new();
            let mut at = 0;
            for read in char::decode_utf16(units) {
                let character = read.unwrap_or(char::REPLACEMENT_CHARACTER);
                characters.push((character, at..at + 2 * character.len_utf16()));
                at += 2 * character.len_utf16();
            }
            if at < raw.len() {
                characters.push((char::REPLACEMENT_CHARACTER, at..raw.len()));
            }
            let encoding = if is_little { UTF_16LE } else { UTF_16BE };
            let (text, map) = decode(&raw, encoding).expect("it is UTF-16");
            assert!(text.chars().eq(characters.iter().map(|(character, _)| *character)), "{raw:?}");
            for ((start, character), (_, place)) in text.char_indices().zip(&characters) {
                assert_eq!(map.shift(&text, start), place.start, "{raw:?}");
                assert_eq!(map.covering(&text, start), None, "{raw:?}");
                for inside in start + 1..start + character.len_utf8() {
                    let unit = map.covering(&text, inside).expect("it is within the character");
                    assert_eq!((unit.text.start, &unit.raw), (start, place), "{raw:?}");
                }
            }
            assert_eq!(map.shift(&text, text.len()), raw.len(), "{raw:?}");
            if !text.contains(char::REPLACEMENT_CHARACTER) {
                assert_eq!(encode(&text, encoding), Some(raw));
            }
        }
    }
}
