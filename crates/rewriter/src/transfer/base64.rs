//! Base64 (RFC 2045, section 6.8).

use absolve_links::Edits;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::{difference, line_end};

/// A body without its encoding.
#[derive(Clone, Debug)]
pub(crate) struct Decoded {
    pub(super) bytes: Vec<u8>,
    /// Characters a line.
    width: usize,
}

/// Takes the encoding off, if the body is written as [`encode`] writes it, but for white space at its end.
pub(super) fn decode(raw: &[u8]) -> Option<Decoded> {
    let lines: Vec<&[u8]> = raw.trim_ascii_end().split(|byte| *byte == b'\n').collect();
    let width = lines.first()?.trim_ascii_end().len();
    let characters: Vec<u8> = raw.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = BASE64_STANDARD.decode(characters).ok()?;
    (encode(&bytes, width, line_end(raw, b"")) == raw.trim_ascii_end()).then_some(Decoded { bytes, width })
}

/// Lines of `width` characters, without a line end behind the last.
pub(super) fn encode(bytes: &[u8], width: usize, end: &[u8]) -> Vec<u8> {
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
    pub(super) fn lift(&self, raw: &[u8], edits: &Edits, end: &[u8]) -> Edits {
        // A body of one short line says nothing of how long lines may be.
        let is_one_line = !raw.trim_ascii_end().contains(&b'\n');
        let width = if is_one_line { self.width.max(76) } else { self.width };
        let new = encode(&edits.splice(&self.bytes), width, end);
        difference(raw, 0, raw.trim_ascii_end().len(), &new)
    }
}
