//! Text decoded from a wrapping, with a map of positions back to it.

use std::ops::Range;

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::edits::Edits;
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
        Self { text, units, wrapping: Layer::Wrapping(wrapping) }
    }

    /// Decodes bytes in `encoding`. Malformed bytes become U+FFFD.
    ///
    /// ```
    /// let decoded = absolve_links::Decoded::from_charset(b"caf\xE9", encoding_rs::WINDOWS_1252);
    /// assert_eq!(decoded.text, "café");
    /// ```
    pub fn from_charset(raw: &[u8], encoding: &'static Encoding) -> Self {
        let (text, units) = decode_charset(raw, encoding);
        Self { text, units, wrapping: Layer::Charset(encoding) }
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
    fn covering(&self, position: usize) -> Option<&Unit> {
        let index = self.units.partition_point(|unit| unit.text.end <= position);
        self.units.get(index).filter(|unit| unit.stride == 0 && unit.text.start < position)
    }

    /// Returns the encoded position of a position between units.
    fn shift(&self, position: usize) -> usize {
        // A unit without text at this position stays after the cut.
        let index = self.units.partition_point(|unit| unit.text.end <= position && unit.text.start < position);
        if let Some(unit) = self.units.get(index).filter(|unit| unit.stride > 0 && unit.text.start < position) {
            return unit.raw.start + unit.stride * (position - unit.text.start);
        }
        match index.checked_sub(1).map(|index| &self.units[index]) {
            Some(unit) => position - unit.text.end + unit.raw.end,
            None => position,
        }
    }
}

/// Encodes text, also in UTF-16. A character that the encoding lacks becomes a character reference.
pub(crate) fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    if encoding == UTF_16LE {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else if encoding == UTF_16BE {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else {
        encoding.encode(text).0.into_owned()
    }
}

fn decode_charset(raw: &[u8], encoding: &'static Encoding) -> (String, Vec<Unit>) {
    if let Ok(text) = str::from_utf8(raw)
        && (encoding == UTF_8 || (raw.is_ascii() && encoding.is_ascii_compatible()))
    {
        return (text.to_owned(), Vec::new());
    }
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return decode_utf_16(raw, if encoding == UTF_16LE { u16::from_le_bytes } else { u16::from_be_bytes });
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
                units.push(Unit { text: text_start..text.len(), raw: start..at, stride: 0 });
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

fn decode_utf_16(raw: &[u8], read: fn([u8; 2]) -> u16) -> (String, Vec<Unit>) {
    let mut text = String::with_capacity(raw.len() / 2);
    let mut units: Vec<Unit> = Vec::new();
    let (words, rest) = raw.as_chunks::<2>();
    let is_ascii = |word: &&[u8; 2]| read(**word) < 0x80;
    let mut at = 0;
    while at < words.len() {
        let (text_start, start) = (text.len(), at);
        at += words[at..].iter().take_while(is_ascii).count();
        if at > start {
            text.extend(words[start..at].iter().map(|word| char::from(read(*word) as u8)));
            units.push(Unit { text: text_start..text.len(), raw: 2 * start..2 * at, stride: 2 });
            continue;
        }
        let character = char::decode_utf16(words[at..].iter().map(|word| read(*word))).next();
        let character = character.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
        text.push(character);
        at += character.len_utf16();
        units.push(Unit { text: text_start..text.len(), raw: 2 * start..2 * at, stride: 0 });
    }
    if !rest.is_empty() {
        units.push(Unit { text: text.len()..text.len() + 3, raw: 2 * at..raw.len(), stride: 0 });
        text.push(char::REPLACEMENT_CHARACTER);
    }
    (text, units)
}
