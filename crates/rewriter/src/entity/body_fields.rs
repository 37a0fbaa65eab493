//! Header fields that depend on the body: a value that is correct before the edits is correct after them.

use std::ops::Range;

use absolve_framing::{Measure, unescaped};
use absolve_links::Edits;

/// A value in a header that depends on the body.
#[derive(Clone, Debug)]
pub(crate) struct BodyField {
    pub(crate) measure: Measure,
    /// The bytes of the value.
    pub(crate) value: Range<usize>,
}

impl BodyField {
    /// Returns whether it depends on the encoded body.
    pub(crate) const fn depends_on_encoding(&self) -> bool {
        matches!(self.measure, Measure::Length | Measure::Lines)
    }

    /// Returns the new value, if the old one was correct and is not after the edits. `body` is encoded or decoded, as
    /// [`Self::depends_on_encoding`] requires.
    pub(crate) fn corrected(&self, text: &[u8], body: &[u8], edits: &Edits) -> Option<Vec<u8>> {
        let written = &text[self.value.clone()];
        let new = match self.measure {
            Measure::Length | Measure::DecodedSize => number(written, body.len(), growth(edits, |_| 1, body))?,
            Measure::Lines => {
                let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
                number(written, lines(body), growth(edits, |byte| usize::from(byte == b'\n'), body))?
            }
            Measure::Digest => digest(written, body, edits)?,
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

/// Returns the digest of a body with these edits (RFC 1864), written as the old one, if that was correct.
#[cfg(feature = "mail")]
fn digest(written: &[u8], body: &[u8], edits: &Edits) -> Option<Vec<u8>> {
    use absolve_framing::{digested_forms, with_digest};
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use md5::{Digest, Md5};

    let written_of = |form: &[u8]| with_digest(written, BASE64_STANDARD.encode(Md5::digest(form)).as_bytes());
    let form = digested_forms(body).iter().position(|form| written_of(form).as_deref() == Some(written))?;
    written_of(&digested_forms(&edits.splice(body))[form])
}

/// Without messages, no header has a digest.
#[cfg(not(feature = "mail"))]
const fn digest(_: &[u8], _: &[u8], _: &Edits) -> Option<Vec<u8>> {
    None
}
