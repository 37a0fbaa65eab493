//! The text of an element, which may be written in several pieces.

use std::ops::Range;

use super::Gatherer;
use crate::scan::Place;
use crate::table::row::Grammar;
use crate::value::unwrapped::Unwrapped;
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

/// The text of an element without child elements. It excludes comments and processing instructions.
#[derive(Debug)]
pub(crate) struct ElementText {
    grammar: Grammar,
    place: Place,
    pieces: Vec<(Range<usize>, Wrapping)>,
}

impl ElementText {
    pub(crate) const fn new(grammar: Grammar, place: Place) -> Self {
        Self { grammar, place, pieces: Vec::new() }
    }

    /// Returns the grammar of the text.
    pub(crate) const fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// Returns the construct that contains the text.
    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// Adds text between tags, or of a CDATA section.
    pub(crate) fn push(&mut self, range: Range<usize>, wrapping: Wrapping) {
        match self.pieces.last_mut() {
            Some((last, same)) if *same == wrapping && last.end == range.start => last.end = range.end,
            _ => self.pieces.push((range, wrapping)),
        }
    }

    /// Returns whether any piece contains more than white space.
    pub(crate) fn contains_text(&self, document: &[u8]) -> bool {
        self.pieces.iter().any(|(range, _)| !document[range.clone()].trim_ascii().is_empty())
    }

    /// Gathers the references of the whole text, except for XML text that `is_composed`. Blank text is no reference.
    pub(crate) fn gather(self, gatherer: &mut Gatherer<'_, '_>, is_composed: impl Fn(&[u8]) -> bool) {
        let document = gatherer.document;
        let mut text = String::new();
        let pieces: Vec<(usize, Unwrapped<'_>, Wrapping)> = self
            .pieces
            .iter()
            .map(|(range, wrapping)| {
                let piece = document.unwrapped(range.clone(), Wrappings::of(*wrapping));
                let start = text.len();
                text.push_str(piece.text());
                (start, piece, *wrapping)
            })
            .collect();
        if text.trim_ascii().is_empty() {
            return;
        }
        // A reference that spans several pieces, or contains an entity, cannot be edited.
        let locate = |range: Range<usize>| {
            let index = pieces.partition_point(|(start, piece, _)| start + piece.text().len() < range.end);
            let (start, piece, wrapping) = pieces.get(index).filter(|(start, ..)| *start <= range.start)?;
            let raw = piece.raw_range(range.start - start..range.end - start);
            let is_composed = *wrapping == Wrapping::XmlText && is_composed(&document.bytes()[raw.clone()]);
            (!is_composed).then_some((raw, *wrapping))
        };
        gatherer.references(self.grammar, text.as_bytes(), self.place, locate);
    }
}
