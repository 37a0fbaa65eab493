//! Decoded text, with the bytes of the document that each of its characters was read from.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

/// Text decoded from a charset, from character references, or from CDATA sections.
#[derive(Clone, Debug)]
pub(crate) struct Text<'r> {
    pub(crate) text: Cow<'r, str>,
    places: Places,
}

/// The places of characters in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    /// Each character stands so many bytes further on.
    Shifted(usize),
    /// Pairs of bytes in the text and in the document: the beginning of each unit, and the end of the last one of a
    /// run.
    Each(Vec<(usize, usize)>),
}

impl Places {
    /// Returns the bytes of the document that a range of the text was read from.
    pub(crate) fn raw(&self, range: Range<usize>) -> Range<usize> {
        match self {
            Self::Shifted(start) => range.start + start..range.end + start,
            Self::Each(places) => {
                let start = places[places.partition_point(|(at, _)| *at <= range.start).saturating_sub(1)].1;
                let end = places[places.partition_point(|(at, _)| *at < range.end).min(places.len() - 1)].1;
                start..end.max(start)
            }
        }
    }
}

impl<'r> Text<'r> {
    /// Returns text that stands unchanged from byte `start` on.
    pub(crate) const fn plain(text: &'r str, start: usize) -> Self {
        Self { text: Cow::Borrowed(text), places: Places::Shifted(start) }
    }

    /// Decodes a document in this charset, without its byte order mark.
    pub(crate) fn of_document(bytes: &'r [u8], encoding: &'static Encoding) -> Self {
        let mark = Encoding::for_bom(bytes).map_or(0, |(_, length)| length);
        match str::from_utf8(&bytes[mark..]) {
            Ok(text) if encoding == UTF_8 || (text.is_ascii() && encoding.is_ascii_compatible()) => {
                Self::plain(text, mark)
            }
            _ => decoded(&bytes[mark..], mark, encoding),
        }
    }

    /// Returns the bytes of the document that a range of the text was read from.
    pub(crate) fn raw(&self, range: Range<usize>) -> Range<usize> {
        self.places.raw(range)
    }

    /// Returns the places of its characters.
    pub(crate) fn into_places(self) -> Places {
        self.places
    }

    /// Returns a range of the text, with its places in the document.
    pub(crate) fn within(&self, range: Range<usize>) -> Text<'_> {
        let text = Cow::Borrowed(&self.text[range.clone()]);
        let places = match &self.places {
            Places::Shifted(start) => Places::Shifted(start + range.start),
            Places::Each(_) => {
                let mut places: Vec<(usize, usize)> = Vec::new();
                for (at, character) in self.text[range.clone()].char_indices() {
                    let end = at + character.len_utf8();
                    let raw = self.raw(range.start + at..range.start + end);
                    if places.last() != Some(&(at, raw.start)) {
                        places.push((at, raw.start));
                    }
                    places.push((end, raw.end));
                }
                if places.is_empty() {
                    places.push((0, self.raw(range).start));
                }
                Places::Each(places)
            }
        };
        Text { text, places }
    }

    /// Returns a range of the text without white space that `says` leaves out.
    pub(crate) fn reduced(&self, range: Range<usize>, says: &str) -> Text<'static> {
        let written = &self.text[range.clone()];
        let mut at = 0;
        let units = says.chars().map(|character| {
            let next = written[at..].char_indices().find(|(_, next)| *next == character || !next.is_whitespace());
            let start = next.filter(|(_, next)| *next == character).map(|(offset, _)| at + offset);
            let unit = start.map_or(at..at, |start| start..start + character.len_utf8());
            at = unit.end;
            (range.start + unit.start..range.start + unit.end, character.to_string())
        });
        self.unwrapped(units)
    }

    /// Decodes the text further: `units` yields what is read from each range of it, in order.
    pub(crate) fn unwrapped(&self, units: impl Iterator<Item = (Range<usize>, String)>) -> Text<'static> {
        let mut text = String::new();
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (range, reads) in units {
            let raw = self.raw(range);
            if places.last() != Some(&(text.len(), raw.start)) {
                places.push((text.len(), raw.start));
            }
            text.push_str(&reads);
            places.push((text.len(), raw.end));
        }
        if places.is_empty() {
            places.push((0, self.raw(0..0).start));
        }
        Text { text: Cow::Owned(text), places: Places::Each(places) }
    }
}

/// Decodes byte by byte, to record where each character ends.
fn decoded(bytes: &[u8], start: usize, encoding: &'static Encoding) -> Text<'static> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(bytes.len());
    let mut places = vec![(0, start)];
    let mut buffer = String::with_capacity(32);
    for at in 0..=bytes.len() {
        let next = bytes.get(at..=at).unwrap_or_default();
        let _ = decoder.decode_to_string(next, &mut buffer, next.is_empty());
        if !buffer.is_empty() {
            text.push_str(&buffer);
            buffer.clear();
            places.push((text.len(), start + at + next.len()));
        }
    }
    Text { text: Cow::Owned(text), places: Places::Each(places) }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn bytes_of_characters() {
        let text = Text::of_document(b"a\x83\x5c=b", encoding_rs::SHIFT_JIS);
        assert_eq!(text.text, "a\u{30bd}=b");
        assert_eq!((text.raw(1..4), text.raw(4..6)), (1..3, 3..5));
        let wide = Text::of_document(b"\xff\xfea\0<\0b\0", encoding_rs::UTF_16LE);
        assert_eq!((&*wide.text, wide.raw(1..2)), ("a<b", 4..6));
        let within = wide.within(1..3);
        assert_eq!((&*within.text, within.raw(1..2)), ("<b", 6..8));
    }
}
