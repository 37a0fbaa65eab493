//! Text decoded from a wrapping, with a map of positions back to it.

use std::ops::Range;

use encoding_rs::{DecoderResult, Encoding, UTF_8};

use super::edits::Edits;
use super::utf_16;
use super::wrapping::{Unit, Wrapping};

/// Text decoded from one layer of wrapping, and a map of positions back to it.
///
/// Layers compose: the text of one may be the input of the next.
///
/// ```
/// use absolve_links::{Decoded, Edits, Quote, Wrapping};
/// let decoded = Decoded::unwrap("a&amp;b", Wrapping::Attribute(Quote::Double));
/// assert_eq!(decoded.text, "a&b");
/// // In the text, `b` is byte 2; in the attribute it is byte 6.
/// let lifted = decoded.lift(&Edits::from([(2..3, "\"")]));
/// assert_eq!(lifted, Edits::from([(6..7, "&quot;")]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text inside.
    pub text: String,
    units: Vec<Unit>,
    /// Instead of units, where nearly each byte would be one.
    utf_16: Option<utf_16::Map>,
    wrapping: Layer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    Wrapping(Wrapping),
    Charset(&'static Encoding),
}

impl Decoded {
    /// Decodes `raw` from `wrapping`.
    ///
    /// ```
    /// use absolve_links::{Decoded, Wrapping};
    /// assert_eq!(Decoded::unwrap("a\\)b", Wrapping::CssUrl).text, "a)b");
    /// ```
    pub fn unwrap(raw: &str, wrapping: Wrapping) -> Self {
        let (text, units) = wrapping.decode(raw);
        Self { text, units, utf_16: None, wrapping: Layer::Wrapping(wrapping) }
    }

    /// Decodes bytes in `encoding`. Malformed bytes become U+FFFD.
    ///
    /// ```
    /// let decoded = absolve_links::Decoded::from_charset(b"caf\xE9", encoding_rs::WINDOWS_1252);
    /// assert_eq!(decoded.text, "café");
    /// ```
    pub fn from_charset(raw: &[u8], encoding: &'static Encoding) -> Self {
        let wrapping = Layer::Charset(encoding);
        if let Some((text, map)) = utf_16::decode(raw, encoding) {
            return Self { text, units: Vec::new(), utf_16: Some(map), wrapping };
        }
        let (text, units) = decode_charset(raw, encoding);
        Self { text, units, utf_16: None, wrapping }
    }

    /// Converts edits of the text to edits of the encoded form. A range that cuts through a character reference, an
    /// escape or a character of several bytes is widened to include it.
    ///
    /// ```
    /// use absolve_links::{Decoded, Edits, Quote, Wrapping};
    /// let decoded = Decoded::unwrap("x", Wrapping::Attribute(Quote::Single));
    /// assert_eq!(decoded.lift(&Edits::from([(0..0, "'")])), Edits::from([(0..0, "&#39;")]));
    /// ```
    pub fn lift(&self, edits: &Edits) -> Edits {
        let mut lifted = Edits::default();
        for (range, text) in edits.iter() {
            let before = self.covering(range.start).map_or("", |unit| &self.text[unit.text.start..range.start]);
            let after = self.covering(range.end).map_or("", |unit| &self.text[range.end..unit.text.end]);
            let text = [before, &String::from_utf8_lossy(text), after].concat();
            lifted.push(self.raw_range(range), &self.escape(&text));
        }
        lifted
    }

    /// Returns the encoded range of a range of the text.
    pub(crate) fn raw_range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.covering(range.start).map_or_else(|| self.shift(range.start), |unit| unit.raw.start);
        let end = self.covering(range.end).map_or_else(|| self.shift(range.end), |unit| unit.raw.end);
        start..end
    }

    /// Returns the encoded position of a position of the text, unless that is within a unit.
    pub(crate) fn raw_position(&self, position: usize) -> Option<usize> {
        match self.covering(position) {
            Some(_) => None,
            None => Some(self.shift(position)),
        }
    }

    /// Encodes new text in this layer.
    pub(crate) fn escape(&self, text: &str) -> Vec<u8> {
        match self.wrapping {
            Layer::Wrapping(wrapping) => wrapping.escape(text).into_bytes(),
            Layer::Charset(encoding) => encode(text, encoding),
        }
    }

    /// Returns the unit that `position` would cut in two.
    fn covering(&self, position: usize) -> Option<Unit> {
        if let Some(map) = &self.utf_16 {
            return map.covering(&self.text, position);
        }
        let index = self.units.partition_point(|unit| unit.text.end <= position);
        self.units.get(index).filter(|unit| unit.text.start < position).cloned()
    }

    /// Returns the encoded position of a position between units.
    fn shift(&self, position: usize) -> usize {
        if let Some(map) = &self.utf_16 {
            return map.shift(&self.text, position);
        }
        // A unit without text at this position stays after the cut.
        let index = self.units.partition_point(|unit| unit.text.end <= position && unit.text.start < position);
        match index.checked_sub(1).map(|index| &self.units[index]) {
            Some(unit) => position - unit.text.end + unit.raw.end,
            None => position,
        }
    }
}

/// Encodes text, also in UTF-16. A character that the encoding lacks becomes a character reference.
pub(crate) fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    utf_16::encode(text, encoding).unwrap_or_else(|| encoding.encode(text).0.into_owned())
}

fn decode_charset(raw: &[u8], encoding: &'static Encoding) -> (String, Vec<Unit>) {
    if let Ok(text) = str::from_utf8(raw)
        && (encoding == UTF_8 || (raw.is_ascii() && encoding.is_ascii_compatible()))
    {
        return (text.to_owned(), Vec::new());
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(raw.len());
    let mut units: Vec<Unit> = Vec::new();
    let (mut start, mut at) = (0, 0);
    // One byte at a time: where output appears, a character ends.
    while at < raw.len() {
        let text_start = text.len();
        let mut output = [0; 16];
        let is_last = at + 1 == raw.len();
        let (result, read, written) = decoder.decode_to_utf8_without_replacement(&raw[at..=at], &mut output, is_last);
        at += read;
        text.push_str(str::from_utf8(&output[..written]).expect("the decoder writes UTF-8"));
        if let DecoderResult::Malformed(..) = result {
            text.push('\u{FFFD}');
        }
        if text.len() > text_start && at > start {
            if raw[start..at] != text.as_bytes()[text_start..] {
                units.push(Unit { text: text_start..text.len(), raw: start..at });
            }
            start = at;
        } else if text.len() > text_start
            && let Some(unit) = units.last_mut()
        {
            unit.text.end = text.len();
        }
    }
    (text, units)
}
