//! Collects the links of the tags and texts of an HTML document.

use std::ops::Range;

use memchr::memchr_iter;

use super::common;
use super::feedback::TokenLevel;
use super::imports::{ScriptText, holds_rules, importing_handler, imports_relatively};
use super::token::{Content, StartTag};
use super::tokenizer::{Visitor, tokenize};
use crate::document::Document;
use crate::gather::content::ElementText;
use crate::gather::{Gatherer, Hit, ScanNested, Tag};
use crate::limits::NESTED_COMMENTS;
use crate::markup::attributes::Attribute;
use crate::markup::name::Name;
use crate::scan::{Link, Place, RemarkKind, Scan};
use crate::table::Table;
use crate::table::row::Grammar;
use crate::value::wrapping::Wrapping;

/// Visits the tokens of a document and gathers their links.
pub(super) struct Collector<'c, 'd> {
    gatherer: Gatherer<'c, 'd>,
    element: Name,
    element_name: Range<usize>,
    needs_text: bool,
    /// The start of the last complete start tag.
    tag: usize,
    /// The attributes of the current tag that match a row of the table, each name once.
    hits: Vec<Hit>,
    /// The text of a style in SVG or MJML, up to the next tag.
    foreign_style: Option<ElementText>,
    /// The text of a script in SVG, up to the next end tag.
    foreign_script: Option<ScriptText>,
    /// The number of conditional comments around.
    comments: usize,
    /// The outermost conditional comments with links.
    outer_comments: Vec<Range<usize>>,
    /// The last `<select>` whose end was not looked for.
    select: Option<usize>,
    /// The first tag that two editions of HTML read differently.
    disputed: Option<usize>,
}

const SCRIPT: Name = Name::of("script");
const SELECT: Name = Name::of("select");
const STYLE: Name = Name::of("style");
const TEXTAREA: Name = Name::of("textarea");
const MJML_STYLE: Name = Name::of("mj-style");

impl<'c, 'd> Collector<'c, 'd> {
    pub(super) fn new(document: &'c Document<'d>, table: &'c Table, scan_nested: ScanNested) -> Self {
        Self {
            gatherer: Gatherer::new(document, table, table.html(|| document.is_amp()), scan_nested),
            element: Name::LONG,
            element_name: 0..0,
            needs_text: false,
            tag: 0,
            hits: Vec::new(),
            foreign_style: None,
            foreign_script: None,
            comments: 0,
            outer_comments: Vec::new(),
            select: None,
            disputed: None,
        }
    }

    /// Returns the tag of an element of raw text in a `<select>`, if there is one. Since it can be customized, its content is read as
    /// elsewhere; before, such a tag was ignored, and its content was markup.
    pub(super) const fn disputed(&self) -> Option<usize> {
        self.disputed
    }

    /// Gathers the links of speculation rules, and records other scripts with relative imports, which resolve at a BASE before them.
    fn script(&mut self, text: Range<usize>) {
        let (document, attributes) = (self.gatherer.document.bytes(), self.element_name.end);
        if document[text.clone()].trim_ascii_start().starts_with(b"{") && holds_rules(document, attributes) {
            let of_document = self.gatherer.scope;
            return self.gatherer.speculation_rules(text, self.tag, of_document);
        }
        self.gatherer.note_script(self.tag, || imports_relatively(document, attributes, &document[text]));
    }

    #[cold]
    fn note_select(&mut self) {
        let Some(select) = self.select.take() else { return };
        let within = &self.gatherer.document.bytes()[select..self.tag];
        let is_closed = memchr_iter(b'<', within)
            .any(|at| within.get(at..at + 8).is_some_and(|tag| tag.eq_ignore_ascii_case(b"</select")));
        if !is_closed {
            self.disputed = self.disputed.or(Some(self.tag));
        }
    }

    /// Gathers the links of common tags from byte `at`, where text begins. Returns the byte of the `<` of the first other
    /// one, or `at` if something before it is still open.
    #[inline]
    pub(super) fn pass_common_tags(&mut self, at: usize) -> usize {
        if self.foreign_style.is_some() || !self.gatherer.index.knows_by_name() {
            return at;
        }
        common::pass(&mut self.gatherer, &mut self.hits, at)
    }

    /// Adds a link that is none of markup.
    pub(super) fn push(&mut self, link: Link) {
        self.gatherer.scan.links.push(link);
    }

    /// Adds the links of a value that is none of markup.
    pub(super) fn add_value(&mut self, row: u16, value: Range<usize>, wrapping: Wrapping, place: Place) {
        self.gatherer.row(row, value, wrapping, place);
    }

    #[inline]
    pub(super) fn finish(mut self, first_base: Option<usize>) -> Scan {
        self.gather_foreign_style();
        self.gatherer.finish(first_base)
    }

    /// Returns the links of a whole document; nothing is loaded of these templates.
    #[inline]
    pub(super) fn finish_document(mut self, first_base: Option<usize>, templates: &[Range<usize>]) -> Scan {
        self.gather_foreign_style();
        self.gatherer.note_handlers(importing_handler);
        if let Some(number) = first_base {
            self.gatherer.part_before_base(number, [templates, &self.outer_comments]);
        }
        self.gatherer.finish(first_base)
    }

    /// Gathers the links of a style element in SVG: all of its text and CDATA sections are one stylesheet.
    #[inline]
    fn gather_foreign_style(&mut self) {
        if let Some(style) = self.foreign_style.take() {
            style.gather(&mut self.gatherer, |_| false);
        }
    }

    #[inline]
    fn add_to_foreign(&mut self, text: Range<usize>, wrapping: Wrapping) {
        if let Some(script) = &mut self.foreign_script {
            script.push(text.clone(), wrapping, &self.gatherer);
        }
        if let Some(style) = &mut self.foreign_style
            && !text.is_empty()
        {
            style.push(text, wrapping);
        }
    }
}

impl Visitor for Collector<'_, '_> {
    #[inline]
    fn element(&mut self, element: Name, name: Range<usize>) {
        (self.element, self.element_name) = (element, name);
        self.needs_text = self.gatherer.index.needs_text(element);
        self.hits.clear();
    }

    #[inline(always)]
    fn attribute(&mut self, attribute: Attribute) {
        let mut row = self.gatherer.index.row_of(self.element, attribute.name);
        if self.needs_text || (row.is_none() && attribute.name == Name::LONG) {
            let document = self.gatherer.document.bytes();
            let (element, name) = (&document[self.element_name.clone()], &document[attribute.name_range.clone()]);
            row = self.gatherer.index.row_of_texts(element, name).or(row);
        }
        if let Some(row) = row {
            Hit::add_to(&mut self.hits, row, &attribute);
        }
    }

    #[inline]
    fn start_tag(&mut self, tag: &StartTag, content: Content) {
        self.gather_foreign_style();
        self.tag = tag.range.start;
        if tag.element == SELECT {
            self.select = Some(tag.range.end);
        } else if !matches!(content, Content::Markup | Content::Ignored | Content::Script) && tag.element != TEXTAREA {
            self.note_select();
        }
        let is_style = || tag.element == STYLE || (tag.element == MJML_STYLE && self.gatherer.table.reads_mjml());
        if content == Content::Markup && is_style() && !tag.self_closing {
            let place = Place::StyleElement { tag: self.tag, nesting: 0 };
            self.foreign_style = Some(ElementText::new(Grammar::Css, place));
        }
        if content == Content::Markup && tag.element == SCRIPT && !tag.self_closing && self.comments == 0 {
            self.foreign_script = Some(ScriptText::new(self.tag, tag.name.end));
        }
        if self.hits.is_empty() {
            return;
        }
        let tag = Tag { range: tag.range.clone(), element: tag.element, attributes: tag.name.end };
        self.gatherer.tag(&tag, &self.hits);
    }

    fn raw_text(&mut self, text: Range<usize>) {
        if self.element == STYLE {
            self.gatherer.css(text, Wrapping::Plain, Place::StyleElement { tag: self.tag, nesting: 0 });
        } else if self.element == SCRIPT && self.comments == 0 {
            self.script(text);
        }
    }

    #[inline]
    fn end_tag(&mut self) {
        self.gather_foreign_style();
        if let Some(script) = self.foreign_script.take() {
            script.note(&mut self.gatherer);
        }
    }

    #[inline]
    fn text(&mut self, text: Range<usize>) {
        self.add_to_foreign(text, Wrapping::Text);
    }

    fn cdata(&mut self, text: Range<usize>) {
        self.add_to_foreign(text, Wrapping::Plain);
    }

    /// Scans a conditional comment, which is markup to some browsers.
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
        let (style, first) = (self.foreign_style.take(), self.gatherer.scan.links.len());
        let script = self.foreign_script.take();
        let around = std::mem::replace(&mut self.gatherer.does_base_count, false);
        self.comments += 1;
        tokenize(&document[..text.start + closed], text.start + opened + 2, &mut TokenLevel, self);
        self.comments -= 1;
        self.foreign_script = script;
        if self.comments == 0 && self.gatherer.scan.links.len() > first {
            self.outer_comments.push(text.clone());
        }
        if self.gatherer.scan.links.len() == first {
            self.foreign_style = style;
        } else if style.is_some() {
            // Links are in the order of their bytes, and the text continues after the links of the comment.
            self.gatherer.scan.remark(RemarkKind::Composed, text.start);
        }
        self.gatherer.does_base_count = around;
    }
}
