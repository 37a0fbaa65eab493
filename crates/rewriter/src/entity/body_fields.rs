//! Header fields that depend on the body: a value that is correct before the edits is correct after them.

use std::ops::Range;

use absolve_links::Edits;

/// A value in a header that depends on the body.
#[derive(Clone, Debug)]
pub(crate) struct BodyField {
    pub(crate) kind: BodyFieldKind,
    /// The bytes of the value.
    pub(crate) value: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum BodyFieldKind {
    /// `Content-Length`: bytes of the encoded body.
    Length,
    /// `Lines`: line ends of the encoded body.
    Lines,
    /// `Content-Disposition`, `size` (RFC 2183, section 2.7): bytes without the transfer encoding.
    DecodedSize,
    /// `Content-MD5` (RFC 1864): of the bytes without the transfer encoding.
    Digest(Corrected),
}

/// Returns the digest of a body with these edits, written as the old one, if that was correct.
pub(crate) type Corrected = fn(written: &[u8], body: &[u8], edits: &Edits) -> Option<Vec<u8>>;

impl BodyFieldKind {
    /// Returns whether it depends on the encoded body.
    pub(crate) const fn depends_on_encoding(self) -> bool {
        matches!(self, Self::Length | Self::Lines)
    }
}

impl BodyField {
    /// Returns the new value, if the old one was correct and is not after the edits. `body` is encoded or decoded, as
    /// [`BodyFieldKind::depends_on_encoding`] requires.
    pub(crate) fn corrected(&self, text: &[u8], body: &[u8], edits: &Edits) -> Option<Vec<u8>> {
        let written = &text[self.value.clone()];
        let new = match self.kind {
            BodyFieldKind::Length | BodyFieldKind::DecodedSize => {
                number(written, body.len(), growth(edits, |_| 1, body))?
            }
            BodyFieldKind::Lines => {
                let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
                number(written, lines(body), growth(edits, |byte| usize::from(byte == b'\n'), body))?
            }
            BodyFieldKind::Digest(corrected) => corrected(written, body, edits)?,
        };
        (new != written).then_some(new)
    }
}

/// Returns the growth by the edits: the weight of what is inserted less that of what is removed.
fn growth(edits: &Edits, weight: fn(u8) -> usize, body: &[u8]) -> isize {
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| weight(*byte)).sum::<usize>() as isize;
    edits.iter().map(|(range, text)| sum(text) - sum(&body[range])).sum()
}

fn number(written: &[u8], right: usize, growth: isize) -> Option<Vec<u8>> {
    let is_right = String::from_utf8(unescaped(written)).ok()?.parse() == Ok(right);
    is_right.then(|| right.saturating_add_signed(growth).to_string().into_bytes())
}

pub(crate) fn trimmed(value: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &value[range.clone()];
    let start = range.start + text.len() - text.trim_ascii_start().len();
    start..start + text.trim_ascii().len()
}

/// Returns a quoted text without the backslashes that escape its characters.
pub(crate) fn unescaped(quoted: &[u8]) -> Vec<u8> {
    let mut is_escape = false;
    let mut is_kept = |byte: u8| {
        is_escape = byte == b'\\' && !is_escape;
        !is_escape
    };
    quoted.iter().copied().filter(|byte| is_kept(*byte)).collect()
}
