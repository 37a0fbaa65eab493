//! A reference read out of its document.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::decoded::{Decoded, encode};
use super::edits::Edits;
use super::wrapping::Wrapping;
use crate::Quote;

/// What a link says, and how to write something else in its place.
///
/// ```
/// use absolve_links::{Document, DocumentType, Edits, Table};
/// let document = Document::new(b"<a href='x?a&amp;b'>", DocumentType::Html);
/// let scan = document.scan(&Table::default())?;
/// let reference = document.reference(&scan.links[0]);
/// assert_eq!(reference.text(), "x?a&b");
/// let mut edits = Edits::default();
/// reference.edit_to("http://h/x?a&b", &mut edits);
/// assert_eq!(edits, Edits::from([(9..9, "http://h/")]));
/// # Ok::<(), absolve_links::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reference<'d> {
    text: Cow<'d, str>,
    /// Where what is written starts in the document.
    start: usize,
    raw_length: usize,
    wrappings: [Wrapping; 2],
    /// Of what is written, unless that is ASCII; then what is not ASCII is escaped, which every encoding can write.
    encoding: Option<&'static Encoding>,
    /// Outermost first; none when the text stands in the document as it is.
    layers: Vec<Decoded>,
}

impl<'d> Reference<'d> {
    #[inline]
    pub(crate) fn read(
        raw: &'d [u8],
        start: usize,
        wrappings: [Wrapping; 2],
        encoding: impl FnOnce() -> &'static Encoding,
    ) -> Self {
        let ascii = if raw.is_ascii() { str::from_utf8(raw).ok() } else { None };
        let Some(text) = ascii else { return Self::read_encoded(raw, start, wrappings, encoding()) };
        let mut read =
            Self { text: "".into(), start, raw_length: raw.len(), wrappings, encoding: None, layers: Vec::new() };
        match wrappings.iter().all(|wrapping| wrapping.is_plain(raw)) {
            true => read.text = Cow::Borrowed(text),
            false => read.unwrap_layers(text),
        }
        read
    }

    /// Reads what is written in an encoding that must be decoded first.
    #[cold]
    pub(crate) fn read_encoded(
        raw: &[u8],
        start: usize,
        wrappings: [Wrapping; 2],
        encoding: &'static Encoding,
    ) -> Self {
        let charset = Decoded::from_charset(raw, encoding);
        let (encoding, raw_length) = (Some(encoding), raw.len());
        let mut read = Self { text: "".into(), start, raw_length, wrappings, encoding, layers: Vec::new() };
        read.unwrap_layers(&charset.text);
        read.layers.insert(0, charset);
        read
    }

    #[cold]
    fn unwrap_layers(&mut self, text: &str) {
        for wrapping in self.wrappings.into_iter().filter(|wrapping| *wrapping != Wrapping::Plain) {
            let text = self.layers.last().map_or(text, |layer| &layer.text);
            self.layers.push(Decoded::unwrap(text, wrapping));
        }
        self.text = Cow::Owned(self.layers.last().map_or(text, |layer| &layer.text).to_owned());
    }

    /// The reference itself, all wrappings taken off.
    ///
    /// ```
    /// # use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<a href=x&#46;html>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// assert_eq!(document.reference(&scan.links[0]).text(), "x.html");
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[inline]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds to `edits` the smallest edit of the document that makes the reference read `target`.
    ///
    /// The longest written end whose text is an end of `target` stays as the author wrote it; it begins
    /// between character references, escapes and characters, never within one. Usually the edit is an
    /// insertion.
    ///
    /// ```
    /// # use absolve_links::{Document, DocumentType, Edits, Table};
    /// let document = Document::new(b"<a href=../x&#46;html>", DocumentType::Html);
    /// let scan = document.scan(&Table::default())?;
    /// let mut edits = Edits::default();
    /// document.reference(&scan.links[0]).edit_to("http://h/x.html", &mut edits);
    /// assert_eq!(edits, Edits::from([(8..10, "http://h")]));
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    #[inline]
    pub fn edit_to(&self, target: &str, edits: &mut Edits) {
        let mut kept = common_suffix(&self.text, target);
        let raw_end = loop {
            match self.raw_position(self.text.len() - kept) {
                Some(raw_end) => break raw_end,
                None => kept -= 1,
            }
        };
        edits.push(self.start..self.start + raw_end, &self.escape(&target[..target.len() - kept]));
    }

    /// Where the document goes on behind `position` bytes of the text, if it can be cut there.
    #[inline]
    fn raw_position(&self, position: usize) -> Option<usize> {
        if position == self.text.len() {
            return Some(self.raw_length);
        }
        self.layers.iter().rev().try_fold(position, |position, layer| layer.raw_position(position))
    }

    fn escape<'t>(&self, text: &'t str) -> Cow<'t, [u8]> {
        // Plain in every wrapping, as nearly all of a URL is; or at least in these.
        let is_plain = |byte: u8| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'/' | b':' | b'.' | b'-' | b'_' | b'~' | b'%' | b'?' | b'=' | b'+' | b'#')
                || (byte.is_ascii() && !self.wrappings.iter().any(|wrapping| wrapping.needs_escape(byte.into())))
        };
        if self.encoding.is_none()
            && self.wrappings[0] != Wrapping::Attribute(Quote::Absent)
            && text.bytes().all(is_plain)
        {
            return Cow::Borrowed(text.as_bytes());
        }
        let escaped = match self.wrappings[0] {
            Wrapping::Attribute(Quote::Absent) => format!("=\"{}\"", self.escape_layers(text)),
            _ => self.escape_layers(text),
        };
        Cow::Owned(match self.encoding {
            Some(encoding) => encode(&escaped, encoding),
            None => escaped.into_bytes(),
        })
    }

    #[cold]
    fn escape_layers(&self, text: &str) -> String {
        let innermost =
            *self.wrappings.iter().rfind(|wrapping| **wrapping != Wrapping::Plain).unwrap_or(&Wrapping::Plain);
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            if innermost.needs_escape(character) || !self.is_encodable(character) {
                innermost.push_escape(character, &mut escaped);
            } else {
                escaped.push(character);
            }
        }
        if innermost == self.wrappings[1] && self.wrappings[0] != Wrapping::Plain {
            escaped = self.wrappings[0].escape(&escaped);
        }
        escaped
    }

    fn is_encodable(&self, character: char) -> bool {
        let mut bytes = [0; 4];
        let text = character.encode_utf8(&mut bytes);
        character.is_ascii() || self.encoding.is_some_and(|encoding| !encoding.encode(text).2)
    }
}

/// The length of the longest common end, in bytes, cut between characters.
#[inline]
fn common_suffix(text: &str, target: &str) -> usize {
    let mut length = text.bytes().rev().zip(target.bytes().rev()).take_while(|(one, other)| one == other).count();
    while !text.is_char_boundary(text.len() - length) {
        length -= 1;
    }
    length
}
