//! Scans HTML documents.

pub(crate) mod annotations;
pub(crate) mod budget;
mod collector;
mod common;
mod feedback;
pub(crate) mod head;
pub(crate) mod imports;
#[cfg(any(test, fuzzing))]
pub(crate) mod laws;
mod lite;
#[cfg(any(test, fuzzing))]
mod oracle;
pub(crate) mod quirks;
mod special;
mod token;
mod tokenizer;
mod tree;

use std::ops::Range;

use crate::document::{Document, behind_mark};
use crate::scan::{Link, Place, Refusal, Scan};
use crate::table::Table;
use crate::value::wrapping::Wrapping;
use annotations::annotate;
use collector::Collector;
use feedback::{Feedback, TokenLevel};
use lite::Lite;
use tokenizer::{next_token, tokenize};
use tree::Tree;

/// Finds the links and the embedded BASE of an HTML document.
///
/// Scans without a tree first. If the tags turn out to depend on the tree, scans again with one.
pub(crate) fn scan(document: &Document<'_>, table: &Table) -> Result<Scan, Refusal> {
    let mut scan = scan_tags(document, table);
    if document.sought().annotations
        && let Ok(scan) = &mut scan
    {
        annotate(document, scan);
    }
    scan
}

/// Reads pieces of markup in a document of another language, by names alone: no piece decides how the next one is read.
pub(crate) struct Fragments<'c, 'd> {
    document: &'c Document<'d>,
    collector: Collector<'c, 'd>,
}

impl<'c, 'd> Fragments<'c, 'd> {
    pub(crate) fn new(document: &'c Document<'d>, table: &'c Table) -> Self {
        Self { document, collector: Collector::new(document, table, scan) }
    }

    /// Reads the markup in a range, which is behind those before.
    pub(crate) fn read(&mut self, range: Range<usize>) {
        tokenize(&self.document.bytes()[..range.end], range.start, &mut TokenLevel, &mut self.collector);
    }

    /// Adds a link of the other language.
    pub(crate) fn push(&mut self, link: Link) {
        self.collector.push(link);
    }

    /// Adds the links of a value of the other language, in the place of this row.
    pub(crate) fn add_value(&mut self, row: u16, value: Range<usize>, wrapping: Wrapping) {
        let place = Place::Attribute { tag: value.start, row, nesting: 0 };
        self.collector.add_value(row, value, wrapping, place);
    }

    /// Returns all links.
    pub(crate) fn finish(self) -> Scan {
        self.collector.finish(Some(0))
    }
}

fn scan_tags(document: &Document<'_>, table: &Table) -> Result<Scan, Refusal> {
    let mut lite = Lite::default();
    let mut collector = Collector::new(document, table, scan);
    // A mark is no text: behind text, a frameset is ignored.
    let start = if document.depth() == 0 { behind_mark(document.bytes()) } else { 0 };
    let mut at = start;
    while !lite.is_done() {
        if lite.is_in_html() {
            at = collector.pass_common_tags(at);
        }
        match next_token(document.bytes(), at, &mut lite, &mut collector) {
            Some(after) => at = after,
            None => break,
        }
    }
    if !lite.is_ambiguous() {
        return finished(collector, lite.first_base(), &[]);
    }
    let mut tree = Tree::new(document.bytes());
    let mut collector = Collector::new(document, table, scan);
    tokenize(document.bytes(), start, &mut tree, &mut collector);
    if tree.is_over_budget() {
        return Err(Refusal::TreeTooLarge);
    }
    finished(collector, tree.first_base(), tree.templates())
}

/// Returns the links of a document, with the base of its tree; nothing is loaded of these templates.
fn finished(
    collector: Collector<'_, '_>,
    first_base: Option<usize>,
    templates: &[Range<usize>],
) -> Result<Scan, Refusal> {
    match collector.disputed() {
        Some(byte) => Err(Refusal::Disputed(byte)),
        None => Ok(collector.finish_document(first_base, templates)),
    }
}
