//! From tags to links, by the table.

use std::ops::Range;

use super::attributes::Attribute;
use super::feedback::Content;
use super::name::Name;
use super::token_level::TokenLevel;
use super::tokenizer::{StartTag, Visitor, tokenize};
use crate::gather::{Gatherer, Hit, Tag};
use crate::limits::NESTED_COMMENTS;
use crate::scan::RemarkKind;
use crate::value::wrapping::Wrapping;
use crate::{Document, Place, Scan, Table};

/// Hears of tags and texts, and gathers their links.
pub(super) struct Collector<'c, 'd> {
    gatherer: Gatherer<'c, 'd>,
    element: Name,
    element_name: Range<usize>,
    is_looked_up_by_text: bool,
    /// Where the last complete start tag begins.
    tag: usize,
    /// The attributes of the current tag that the table knows, each name once.
    hits: Vec<Hit>,
    /// Between the start tag of a style in SVG and the next tag.
    in_foreign_style: bool,
    /// How many conditional comments stand around.
    comments: usize,
}

const STYLE: Name = Name::of("style");

impl<'c, 'd> Collector<'c, 'd> {
    pub(super) fn new(document: &'c Document<'d>, table: &'c Table) -> Self {
        Self {
            gatherer: Gatherer::new(document, table, table.html()),
            element: Name::LONG,
            element_name: 0..0,
            is_looked_up_by_text: false,
            tag: 0,
            hits: Vec::with_capacity(8),
            in_foreign_style: false,
            comments: 0,
        }
    }

    pub(super) fn finish(self, first_base: Option<usize>) -> Scan {
        self.gatherer.finish(first_base)
    }

    fn css(&mut self, text: Range<usize>, wrapping: Wrapping) {
        self.gatherer.css(text, wrapping, Place::StyleElement { tag: self.tag, nesting: 0 });
    }
}

impl Visitor for Collector<'_, '_> {
    #[inline]
    fn element(&mut self, element: Name, name: Range<usize>) {
        (self.element, self.element_name) = (element, name);
        self.is_looked_up_by_text = self.gatherer.index.needs_text(element);
        self.hits.clear();
    }

    #[inline(always)]
    fn attribute(&mut self, attribute: Attribute) {
        let mut row = self.gatherer.index.row_of(self.element, attribute.name);
        if self.is_looked_up_by_text || (row.is_none() && attribute.name == Name::LONG) {
            let document = self.gatherer.document.bytes();
            let (element, name) = (&document[self.element_name.clone()], &document[attribute.name_range]);
            row = self.gatherer.index.row_of_texts(element, name).or(row);
        }
        if let Some(row) = row
            && self.hits.iter().all(|hit| hit.row != row)
        {
            self.hits.push(Hit { row, value: attribute.value, quote: attribute.quote });
        }
    }

    #[inline]
    fn start_tag(&mut self, tag: &StartTag, content: Content) {
        self.tag = tag.range.start;
        self.in_foreign_style = content == Content::Markup && tag.element == STYLE && !tag.self_closing;
        if self.hits.is_empty() {
            return;
        }
        let tag = Tag { range: tag.range.clone(), element: tag.element, attributes: tag.name.end };
        self.gatherer.tag(&tag, &self.hits);
    }

    fn raw_text(&mut self, text: Range<usize>) {
        if self.element == STYLE {
            self.css(text, Wrapping::Plain);
        }
    }

    #[inline]
    fn end_tag(&mut self) {
        self.in_foreign_style = false;
    }

    #[inline]
    fn text(&mut self, text: Range<usize>) {
        if self.in_foreign_style {
            self.css(text, Wrapping::Text);
        }
    }

    fn cdata(&mut self, text: Range<usize>) {
        if self.in_foreign_style {
            self.css(text, Wrapping::Plain);
        }
    }

    /// Conditional comments are markup to the programs they are meant for.
    fn comment(&mut self, text: Range<usize>) {
        let document = self.gatherer.document.bytes();
        let comment = &document[text.clone()];
        let is_conditional = comment.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"[if"));
        let Some(opened) = memchr::memmem::find(comment, b"]>").filter(|_| is_conditional) else { return };
        let closed = memchr::memmem::rfind(comment, b"<![").filter(|closed| *closed > opened + 2);
        let Some(closed) = closed else { return };
        if self.comments == NESTED_COMMENTS {
            return self.gatherer.scan.remark(RemarkKind::NestingTooDeep, text.start);
        }
        let around = std::mem::replace(&mut self.gatherer.does_base_count, false);
        self.comments += 1;
        tokenize(&document[..text.start + closed], text.start + opened + 2, &mut TokenLevel, self);
        self.comments -= 1;
        self.gatherer.does_base_count = around;
    }
}
