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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places {
    /// Without gaps in the text, in its order.
    runs: Vec<Run>,
    /// The place of an empty text.
    start: usize,
}

/// Units that follow each other in the text and in the document: bytes, characters or character references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    text: usize,
    raw: usize,
    units: usize,
    /// The bytes of each unit in the text and in the document.
    width: (usize, usize),
}

impl Run {
    const fn end(&self) -> (usize, usize) {
        (self.text + self.units * self.width.0, self.raw + self.units * self.width.1)
    }
}

impl Places {
    /// Returns the bytes of the document that a range of the text was read from.
    pub(crate) fn raw(&self, range: Range<usize>) -> Range<usize> {
        let run_of = |at: usize| self.runs[..self.runs.partition_point(|run| run.text <= at)].last();
        let start = run_of(range.start)
            .map_or(self.start, |run| run.raw + ((range.start - run.text) / run.width.0).min(run.units) * run.width.1);
        let last = run_of(range.end.saturating_sub(1)).filter(|_| !range.is_empty());
        let end = last.map(|run| run.raw + ((range.end - run.text).div_ceil(run.width.0)).min(run.units) * run.width.1);
        start..end.map_or(start, |end| end.max(start))
    }

    /// Returns where the first character of a text with these places stands that begins at a byte of the document or behind it,
    /// and where it is in the text.
    pub(crate) fn unit_from(&self, byte: usize, text: &str) -> Option<(usize, usize)> {
        self.runs.iter().find_map(|run| {
            let (width, raw) = run.width;
            let before = byte.saturating_sub(run.raw).div_ceil(raw.max(1));
            let unit = (before..run.units).find(|unit| text.is_char_boundary(run.text + unit * width))?;
            Some((run.raw + unit * raw, run.text + unit * width))
        })
    }

    /// Appends units behind the last one. One without text leaves a gap in the document.
    fn push(&mut self, raw: usize, units: usize, width: (usize, usize)) {
        // Characters of as many bytes as in the document are so many units.
        let (units, width) = if width.0 == width.1 { (units * width.0, (1, 1)) } else { (units, width) };
        let text = self.runs.last().map_or(0, |run| run.end().0);
        match self.runs.last_mut() {
            _ if units == 0 || width.0 == 0 => {}
            Some(last) if last.width == width && last.end().1 == raw => last.units += units,
            Some(_) => self.runs.push(Run { text, raw, units, width }),
            // Most texts have one: the first of an empty vector would make room for four.
            None => self.runs = vec![Run { text, raw, units, width }],
        }
    }

    /// Appends the places of a range of a text with `other` places.
    fn push_range(&mut self, other: &Self, range: Range<usize>) {
        let first = other.runs.partition_point(|run| run.end().0 <= range.start);
        for run in other.runs[first..].iter().take_while(|run| run.text < range.end) {
            let (width, raw) = run.width;
            let mut at = range.start.max(run.text);
            let end = range.end.min(run.end().0);
            while at < end {
                let unit = (at - run.text) / width;
                let (unit_start, whole) = (run.text + unit * width, (end - at) / width);
                let is_whole = at == unit_start && whole > 0;
                let (units, length) = if is_whole { (whole, width) } else { (1, end.min(unit_start + width) - at) };
                self.push(run.raw + unit * raw, units, (length, raw));
                at += units * length;
            }
        }
    }
}

impl<'r> Text<'r> {
    /// Returns text that stands unchanged from byte `start` on.
    pub(crate) fn plain(text: &'r str, start: usize) -> Self {
        let mut places = Places { start, ..Places::default() };
        places.push(start, text.len(), (1, 1));
        Self { text: Cow::Borrowed(text), places }
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
        let mut places = Places { start: self.raw(range.start..range.start).start, ..Places::default() };
        places.push_range(&self.places, range.clone());
        Text { text: Cow::Borrowed(&self.text[range]), places }
    }

    /// Returns a range of the text as it `says`: without some of its white space, or with some that is not written.
    pub(crate) fn reduced(&self, range: Range<usize>, says: &str) -> Text<'static> {
        let mut read = self.unwrap_from(range.start);
        let mut at = range.start;
        for character in says.chars() {
            let mut rest = self.text[at..range.end].char_indices();
            let next = rest.find(|(_, next)| *next == character || !next.is_whitespace());
            match next.filter(|(_, next)| *next == character) {
                Some((offset, _)) => {
                    let start = at + offset;
                    at = start + character.len_utf8();
                    read.copy(start..at);
                }
                None => read.replace(at..at, [character]),
            }
        }
        read.finish()
    }

    /// Begins a text that is read from this one.
    pub(crate) fn unwrap_from(&self, at: usize) -> Unwrapping<'_> {
        let places = Places { start: self.raw(at..at).start, ..Places::default() };
        Unwrapping { outer: self, text: String::new(), places }
    }
}

/// A text that is read from another one, piece by piece.
pub(crate) struct Unwrapping<'t> {
    outer: &'t Text<'t>,
    text: String,
    places: Places,
}

impl<'t> Unwrapping<'t> {
    /// Appends a range of the other text as it is.
    pub(crate) fn copy(&mut self, range: Range<usize>) {
        self.text.push_str(&self.outer.text[range.clone()]);
        self.places.push_range(&self.outer.places, range);
    }

    /// Appends what a range of the other text means as a whole.
    pub(crate) fn replace(&mut self, range: Range<usize>, by: impl IntoIterator<Item = char>) {
        let (start, raw) = (self.text.len(), self.outer.raw(range));
        self.text.extend(by);
        self.places.push(raw.start, 1, (self.text.len() - start, raw.len()));
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> Text<'static> {
        Text { text: Cow::Owned(self.text), places: self.places }
    }
}

/// Decodes byte by byte, to record where each character ends; ASCII in one piece where no character is open.
fn decoded(bytes: &[u8], start: usize, encoding: &'static Encoding) -> Text<'static> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(bytes.len());
    let mut places = Places { start, ..Places::default() };
    let (mut at, mut unit, mut buffer) = (0, 0, String::with_capacity(32));
    while at <= bytes.len() {
        // No character of several bytes ends with such a byte.
        let is_between = encoding.is_ascii_compatible() && (at == 0 || bytes[at - 1] < b'0') && unit == at;
        let ascii = if is_between { Encoding::ascii_valid_up_to(&bytes[at..]) } else { 0 };
        text.extend(bytes[at..at + ascii].iter().map(|byte| char::from(*byte)));
        places.push(start + at, ascii, (1, 1));
        at += ascii;
        unit = if ascii > 0 { at } else { unit };
        let next = bytes.get(at..=at).unwrap_or_default();
        let _ = decoder.decode_to_string(next, &mut buffer, next.is_empty());
        at += 1;
        if !buffer.is_empty() {
            let end = at.min(bytes.len());
            text.push_str(&buffer);
            // An ASCII byte behind an unfinished character is one of its own.
            let last = buffer.len() - usize::from(buffer.len() > 1 && buffer.ends_with(|last: char| last.is_ascii()));
            places.push(start + unit, 1, (last, end - unit - (buffer.len() - last)));
            places.push(start + end - 1, 1, (buffer.len() - last, 1));
            buffer.clear();
            unit = end;
        }
    }
    Text { text: Cow::Owned(text), places }
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
    #[test]
    fn a_text_in_a_text_knows_its_bytes() {
        let text = Text::plain("a&amp;b<!---->&bne;c", 5);
        let mut inner = text.unwrap_from(0);
        inner.copy(0..1);
        inner.replace(1..6, ['&']);
        inner.copy(6..7);
        inner.replace(14..19, "=\u{20e5}".chars());
        inner.copy(19..20);
        let inner = inner.finish();
        assert_eq!(inner.text, "a&b=\u{20e5}c");
        assert_eq!((inner.raw(0..2), inner.raw(2..3), inner.raw(2..4)), (5..11, 11..12, 11..24));
        assert_eq!((inner.raw(4..7), inner.raw(3..3), inner.raw(8..8)), (19..24, 19..19, 25..25));
        let from = |byte| inner.clone().into_places().unit_from(byte, &inner.text);
        assert_eq!([6, 7, 11, 20, 25].map(from), [Some((6, 1)), Some((11, 2)), Some((11, 2)), Some((24, 7)), None]);
        let cut = inner.within(4..8);
        assert_eq!((cut.raw(0..3), cut.raw(3..4), cut.raw(0..4)), (19..24, 24..25, 19..25));
    }

    #[test]
    fn ascii_in_legacy_charsets_is_decoded_as_by_the_standard() {
        let mut random = fastrand::Rng::with_seed(3);
        for name in
            ["shift_jis", "gb18030", "big5", "euc-kr", "euc-jp", "iso-2022-jp", "windows-1252", "utf-8", "utf-16le"]
        {
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap_or(encoding_rs::UTF_8);
            for _ in 0..absolve_testing::rounds(4_000) {
                let bytes: Vec<u8> = (0..random.usize(..20))
                    .map(|_| random.choice(*b"ab<=019~\\\x1b$B(J\x81\x82\xe3\x81\x82\xff\x80\xa1\xd8\0").unwrap_or(0))
                    .collect();
                let text = Text::of_document(&bytes, encoding);
                assert_eq!(text.text, encoding.decode_with_bom_removal(&bytes).0, "{name} {bytes:x?}");
            }
        }
    }
}
