//! Base64 (RFC 2045, section 6.8).

use absolve_links::Edits;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::prelude::BASE64_STANDARD;

use crate::entity::encoded::Encoded;
use crate::entity::lines::{difference, line_end};

/// A body without its encoding.
#[derive(Clone, Debug)]
pub(crate) struct Base64Body {
    bytes: Vec<u8>,
    /// Characters a line.
    width: usize,
    /// Whether [`encode`] would write it differently.
    is_irregular: bool,
}

/// Lenient, as all readers are: the padding may be missing.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes a body that is written as [`encode`] writes it, except for padding and trailing white space; else `None`.
pub(crate) fn decode(raw: &[u8]) -> Option<Base64Body> {
    let text = raw.trim_ascii_end();
    let first = memchr::memchr(b'\n', text).map_or(text, |end| &text[..end]);
    let width = first.trim_ascii_end().len();
    Some(match regular(text, width, line_end(raw, b"")) {
        Some(bytes) => Base64Body { bytes, width, is_irregular: false },
        None => Base64Body { bytes: irregular(text, width)?, width, is_irregular: true },
    })
}

/// Decodes what [`encode`] writes, and nothing else.
fn regular(text: &[u8], width: usize, end: &[u8]) -> Option<Vec<u8>> {
    let mut characters = Vec::with_capacity(text.len());
    let mut rest = text;
    while rest.len() > width.max(4) {
        let (line, behind) = rest.split_at(width.max(4));
        characters.extend_from_slice(line);
        rest = behind.strip_prefix(end)?;
    }
    characters.extend_from_slice(rest);
    BASE64_STANDARD.decode(characters).ok()
}

/// Decodes lines that differ in padding and trailing white space.
fn irregular(text: &[u8], width: usize) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    let (last, full) = lines.split_last()?;
    let is_even = full.iter().all(|line| line.len() == width) && last.len() <= width;
    is_even.then(|| LENIENT.decode(lines.concat()).ok())?
}

/// What is left of a body that may be damaged.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Salvaged {
    pub(crate) bytes: Vec<u8>,
    /// Whether characters were skipped or are missing.
    pub(crate) is_damaged: bool,
}

/// Decodes all that can be decoded of a body: other characters are skipped (RFC 2045, section 6.8), and padding ends a
/// stretch that was encoded by itself.
pub(crate) fn salvage(raw: &[u8]) -> Salvaged {
    let mut salvaged = Salvaged { bytes: Vec::with_capacity(raw.len() / 4 * 3), is_damaged: false };
    let is_known = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    for stretch in raw.split(|byte| *byte == b'=') {
        let mut characters: Vec<u8> = stretch.iter().copied().filter(is_known).collect();
        salvaged.is_damaged |= stretch.iter().any(|byte| !is_known(byte) && !byte.is_ascii_whitespace());
        // Six bits are no byte.
        if characters.len() % 4 == 1 {
            characters.pop();
            salvaged.is_damaged = true;
        }
        salvaged.bytes.extend(LENIENT.decode(characters).unwrap_or_default());
    }
    salvaged
}

/// Encodes in lines of `width` characters, without a line end after the last.
pub(crate) fn encode(bytes: &[u8], width: usize, end: &[u8]) -> Vec<u8> {
    let characters = BASE64_STANDARD.encode(bytes).into_bytes();
    let mut out = Vec::with_capacity(characters.len() + characters.len() / width.max(1) * end.len());
    for line in characters.chunks(width.max(4)) {
        if !out.is_empty() {
            out.extend_from_slice(end);
        }
        out.extend_from_slice(line);
    }
    out
}

impl Encoded for Base64Body {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn raw_byte(&self, _: usize) -> usize {
        0
    }

    fn is_irregular(&self) -> bool {
        self.is_irregular
    }

    /// It is one edit, from the first character that changes.
    fn lift(&self, raw: &[u8], edits: &Edits, end: &[u8]) -> Edits {
        let text = raw.trim_ascii_end();
        // One short line does not show how long lines may be.
        let width = if text.contains(&b'\n') { self.width } else { self.width.max(76) };
        let bytes = edits.splice(&self.bytes);
        let same = self.bytes.iter().zip(&bytes).take_while(|(old, new)| old == new).count();
        let kept = behind_characters(text, same / 3 * 4);
        let encoded = encode(&bytes, width, end);
        let new = [&text[..kept], &encoded[behind_characters(&encoded, same / 3 * 4)..]].concat();
        difference(raw, 0, text.len(), &new)
    }
}

/// Returns the end of the first `count` characters, without white space.
fn behind_characters(text: &[u8], count: usize) -> usize {
    let mut characters = text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace());
    count.checked_sub(1).and_then(|last| characters.nth(last)).map_or(0, |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use absolve_testing::rounds;

    use super::{Salvaged, decode, encode, line_end, salvage};

    #[test]
    fn what_is_damaged_is_decoded_as_far_as_it_goes() {
        for (raw, bytes, is_damaged) in [
            (&b"QUJD\r\nREVG"[..], &b"ABCDEF"[..], false),
            (b"QUJDRA==", b"ABCD", false),
            (b"QUJDRA", b"ABCD", false),
            (b"QUJDR", b"ABC", true),
            (b"QU*JD", b"ABC", true),
            (b"QQ==QUJD", b"AABC", false),
            (b"> QUJD", b"ABC", true),
            (b"", b"", false),
            (b"====", b"", false),
        ] {
            assert_eq!(salvage(raw), Salvaged { bytes: bytes.to_vec(), is_damaged }, "{raw:?}");
        }
    }

    /// A body is regular exactly if it is encoded again to the same characters.
    #[test]
    fn regular_is_what_is_encoded_the_same_again() {
        const PIECES: [&[u8]; 12] =
            [b"QUJD", b"QUJD", b"QUJDREVG", b"\n", b"\n", b"\r\n", b" ", b"=", b"QUI=", b"QQ==", b"QR==", b"QU"];
        let mut random = fastrand::Rng::with_seed(52);
        let mut regular = 0;
        for _ in 0..rounds(20_000) {
            let raw: Vec<u8> =
                (0..random.usize(..8)).flat_map(|_| PIECES[random.usize(..PIECES.len())]).copied().collect();
            let Some(decoded) = decode(&raw) else { continue };
            let again = encode(&decoded.bytes, decoded.width, line_end(&raw, b""));
            assert_eq!(decoded.is_irregular, again != raw.trim_ascii_end(), "{:?}", String::from_utf8_lossy(&raw));
            regular += usize::from(!decoded.is_irregular);
        }
        assert!(regular > rounds(20_000) / 10, "{regular}");
    }
}
