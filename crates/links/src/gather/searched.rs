//! The rows that are searched in a document, and those whose references are only noted.

use std::mem;
use std::ops::Range;

use super::Gatherer;
use crate::scan::Place;
use crate::table::row::{Grammar, Group};
use crate::value::wrapping::Wrapping;

impl Gatherer<'_, '_> {
    /// Returns whether the links in places of this row are searched in this document.
    #[inline]
    pub(crate) fn searches(&self, row: u16) -> bool {
        self.table.searches(row) || self.is_marked(row)
    }

    #[cold]
    fn is_marked(&self, row: u16) -> bool {
        self.table.rows()[usize::from(row)].group == Group::Amp && *self.is_amp.get_or_init(|| self.document.is_amp())
    }

    /// Notes the references of a value that is not searched.
    #[cold]
    pub(super) fn note(&mut self, grammar: Grammar, value: Range<usize>, wrapping: Wrapping, place: Place) {
        if !self.table.notes() {
            return;
        }
        let (links, remarks) = (mem::take(&mut self.scan.links), mem::take(&mut self.scan.remarks));
        self.whole(grammar, value, wrapping, place);
        let noted = mem::replace(&mut self.scan.links, links);
        self.scan.unsearched.extend(noted);
        self.scan.remarks = remarks;
    }

    /// Gathers the links of a value that matches a row, in whatever language it stands.
    pub(crate) fn row(&mut self, index: u16, value: Range<usize>, wrapping: Wrapping, place: Place) {
        let grammar = self.table.rows()[usize::from(index)].grammar;
        match self.searches(index) {
            true => self.whole(grammar, value, wrapping, place),
            false => self.note(grammar, value, wrapping, place),
        }
    }
}
