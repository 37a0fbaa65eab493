//! Base64 (RFC 2045, section 6.8).

use absolve_links::Edits;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::prelude::BASE64_STANDARD;

use crate::entity::lines::{difference, line_end};

/// A body without its encoding.
#[derive(Clone, Debug)]
pub(crate) struct Decoded {
    pub(crate) bytes: Vec<u8>,
    /// Characters a line.
    width: usize,
    /// Whether [`encode`] would write it otherwise.
    pub(crate) is_irregular: bool,
}

/// As all readers take it: the padding may be missing.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Takes the encoding off, if the body is written as [`encode`] writes it, but for the padding and white space at the
/// ends of lines.
pub(crate) fn decode(raw: &[u8]) -> Option<Decoded> {
    let text = raw.trim_ascii_end();
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    let (last, full) = lines.split_last()?;
    let width = lines.first()?.len();
    if full.iter().any(|line| line.len() != width) || last.len() > width {
        return None;
    }
    let bytes = LENIENT.decode(lines.concat()).ok()?;
    let is_irregular = encode(&bytes, width, line_end(raw, b"")) != text;
    Some(Decoded { bytes, width, is_irregular })
}

/// Lines of `width` characters, without a line end behind the last.
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

impl Decoded {
    /// Edits of the bytes as one edit of what is written: from the first character that changes on.
    pub(crate) fn lift(&self, raw: &[u8], edits: &Edits, end: &[u8]) -> Edits {
        let text = raw.trim_ascii_end();
        // A body of one short line says nothing of how long lines may be.
        let width = if text.contains(&b'\n') { self.width } else { self.width.max(76) };
        let bytes = edits.splice(&self.bytes);
        let same = self.bytes.iter().zip(&bytes).take_while(|(old, new)| old == new).count();
        let kept = behind_characters(text, same / 3 * 4);
        let encoded = encode(&bytes, width, end);
        let new = [&text[..kept], &encoded[behind_characters(&encoded, same / 3 * 4)..]].concat();
        difference(raw, 0, text.len(), &new)
    }
}

/// Where so many characters of base64 end.
fn behind_characters(text: &[u8], count: usize) -> usize {
    let mut characters = text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace());
    count.checked_sub(1).and_then(|last| characters.nth(last)).map_or(0, |(at, _)| at + 1)
}
