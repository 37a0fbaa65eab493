//! Text decoded from all its wrappings, with a map of positions back to the document.

use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

use super::decoded::Decoded;
use super::wrappings::Wrappings;

/// A range of a document, decoded from its character encoding and its wrappings.
#[derive(Clone, Debug)]
pub(crate) struct Unwrapped<'d> {
    /// The encoded text, if it is UTF-8.
    raw: &'d str,
    /// The start of the range in the document.
    start: usize,
    raw_length: usize,
    /// Outermost first. Empty if the text is written as it is.
    layers: Vec<Decoded>,
}

impl<'d> Unwrapped<'d> {
    /// Reads `raw`, which is at `start` of a document in `encoding`.
    #[inline]
    pub(crate) fn read(raw: &'d [u8], start: usize, wrappings: Wrappings, encoding: &'static Encoding) -> Self {
        let Some(text) = simdutf8::basic::from_utf8(raw).ok().filter(|_| encoding == UTF_8) else {
            return Self::read_encoded(raw, start, wrappings, encoding);
        };
        let mut read = Self { raw: text, start, raw_length: raw.len(), layers: Vec::new() };
        if !wrappings.iter().all(|wrapping| wrapping.is_plain(raw)) {
            read.unwrap_layers(wrappings);
        }
        read
    }

    /// Reads `raw` in an encoding that must be decoded first.
    #[cold]
    fn read_encoded(raw: &[u8], start: usize, wrappings: Wrappings, encoding: &'static Encoding) -> Self {
        let charset = Decoded::from_charset(raw, encoding);
        let mut read = Self { raw: "", start, raw_length: raw.len(), layers: vec![charset] };
        read.unwrap_layers(wrappings);
        read
    }

    #[cold]
    fn unwrap_layers(&mut self, wrappings: Wrappings) {
        for wrapping in wrappings.iter() {
            if !wrapping.is_plain(self.text().as_bytes()) {
                self.layers.push(Decoded::unwrap(self.text(), wrapping));
            }
        }
    }

    /// Returns the decoded text.
    #[inline]
    pub(crate) fn text(&self) -> &str {
        self.layers.last().map_or(self.raw, |layer| &layer.text)
    }

    /// Returns the start of the range in the document.
    pub(crate) const fn start(&self) -> usize {
        self.start
    }

    /// Converts a range of the text to one of the document, widened to whole escapes and characters.
    #[inline]
    pub(crate) fn raw_range(&self, range: Range<usize>) -> Range<usize> {
        let raw = self.layers.iter().rev().fold(range, |range, layer| layer.raw_range(range));
        self.start + raw.start..self.start + raw.end
    }

    /// Converts a position of the text to one of the document, unless it is within an escape or a character.
    #[inline]
    pub(crate) fn raw_position(&self, position: usize) -> Option<usize> {
        if position == self.text().len() {
            return Some(self.start + self.raw_length);
        }
        let raw = self.layers.iter().rev().try_fold(position, |position, layer| layer.raw_position(position));
        raw.map(|raw| self.start + raw)
    }
}
