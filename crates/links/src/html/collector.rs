//! From tags to links, by the table.

use std::ops::Range;

use super::attributes::{Attribute, Quote, attributes, is_space};
use super::feedback::Content;
use super::grammar;
use super::name::Name;
use super::token_level::TokenLevel;
use super::tokenizer::{StartTag, Visitor, tokenize};
use crate::table::{Grammar, ResolvesIn, Row, When};
use crate::value::character_reference;
use crate::value::wrapping::Wrapping;
use crate::{Decoded, Document, Link, Place, Refusal, Scan, Scope, Table, css};

/// Makes links of attributes, by the table.
pub(super) struct Collector<'c, 'd> {
    document: &'c Document<'d>,
    table: &'c Table,
    scan: Scan,
    /// The links that are the href of a base, in source order.
    bases: Vec<usize>,
    element: Name,
    element_name: Range<usize>,
    /// Where the last complete start tag begins.
    tag: usize,
    /// The attributes of the current tag that the table knows, each name once.
    hits: Vec<Hit>,
    refusal: Option<Refusal>,
    /// Between the start tag of a style in SVG and the next tag.
    in_foreign_style: bool,
    in_conditional_comment: bool,
}

struct Hit {
    row: u16,
    value: Range<usize>,
    quote: Quote,
}

const STYLE: Name = Name::of("style");

impl<'c, 'd> Collector<'c, 'd> {
    pub(super) fn new(document: &'c Document<'d>, table: &'c Table) -> Self {
        // A guess that is good for small documents, where growing costs most.
        let links = Vec::with_capacity((document.bytes().len() / 256).min(256));
        let scan = Scan { links, scopes: vec![Scope::Document, Scope::Outside], base: None };
        let hits = Vec::with_capacity(8);
        Self {
            document,
            table,
            scan,
            bases: Vec::new(),
            element: Name::LONG,
            element_name: 0..0,
            tag: 0,
            hits,
            refusal: None,
            in_foreign_style: false,
            in_conditional_comment: false,
        }
    }

    pub(super) fn finish(mut self, first_base: Option<usize>) -> Result<Scan, Refusal> {
        if let Some(refusal) = self.refusal {
            return Err(refusal);
        }
        self.scan.base = first_base.and_then(|number| self.bases.get(number).copied());
        Ok(self.scan)
    }

    #[inline]
    fn push(&mut self, range: Range<usize>, wrappings: [Wrapping; 2], place: Place) {
        self.scan.links.push(Link { range, wrappings, place, scope: DOCUMENT });
    }

    /// The links of one attribute.
    #[inline]
    fn collect(&mut self, hit: &Hit, tag: &StartTag) {
        let Hit { value, quote, .. } = hit;
        let first = self.scan.links.len();
        let (mut index, mut row) = (hit.row, &self.table.rows()[usize::from(hit.row)]);
        if row.when != When::Always {
            let Some(holding) = self.row_that_holds(Name::of(&row.attribute), tag) else { return };
            (index, row) = holding;
        }
        let place = Place::Attribute { tag: tag.range.start, row: index };
        if row.grammar == Grammar::Url {
            let range = trim(self.document.bytes(), value.clone());
            self.push(range, [Wrapping::Attribute(*quote), Wrapping::Plain], place);
        } else {
            self.collect_grammar(row.grammar, value.clone(), *quote, place);
        }
        if row.resolves_in == ResolvesIn::Outside {
            if !self.in_conditional_comment {
                self.bases.push(first);
            }
            self.scan.links[first].scope = OUTSIDE;
        }
    }

    /// A value that holds URLs among other things. It is decoded as a whole, and their ranges lifted.
    fn collect_grammar(&mut self, grammar: Grammar, value: Range<usize>, quote: Quote, place: Place) {
        let bytes = &self.document.bytes()[value.clone()];
        if grammar == Grammar::Css && !css::may_hold_references(bytes) && !bytes.contains(&b'&') {
            return;
        }
        let outer = Wrapping::Attribute(quote);
        let outcome = match str::from_utf8(bytes) {
            Ok(text) if outer.is_plain(bytes) => find_urls(grammar, text, |range, inner| {
                self.push(value.start + range.start..value.start + range.end, [outer, inner], place);
            }),
            Ok(text) if text.is_ascii() => {
                let decoded = Decoded::unwrap(text, outer);
                find_urls(grammar, &decoded.text, |range, inner| {
                    let raw = decoded.raw_range(range);
                    self.push(value.start + raw.start..value.start + raw.end, [outer, inner], place);
                })
            }
            _ => {
                let charset = Decoded::from_charset(bytes, self.document.encoding());
                let decoded = Decoded::unwrap(&charset.text, outer);
                find_urls(grammar, &decoded.text, |range, inner| {
                    let raw = charset.raw_range(decoded.raw_range(range));
                    self.push(value.start + raw.start..value.start + raw.end, [outer, inner], place);
                })
            }
        };
        self.refusal = self.refusal.or(outcome.err());
    }

    /// The references of CSS that stands in the document as it is.
    fn collect_css(&mut self, text: Range<usize>) {
        let place = Place::StyleElement { tag: self.tag };
        let document = self.document;
        let outcome = css::find_in_bytes(document, text, |range, wrapping| {
            self.push(range, [wrapping, Wrapping::Plain], place);
        });
        self.refusal = self.refusal.or(outcome.err());
    }

    /// The references of CSS in which character references are resolved: that of SVG.
    #[cold]
    fn collect_css_in_text(&mut self, text: Range<usize>) {
        let bytes = &self.document.bytes()[text.clone()];
        if !bytes.contains(&b'&') {
            return self.collect_css(text);
        }
        let place = Place::StyleElement { tag: self.tag };
        let charset = Decoded::from_charset(bytes, self.document.encoding());
        let decoded = Decoded::unwrap(&charset.text, Wrapping::Text);
        let outcome = css::find(&decoded.text, |range, wrapping| {
            let raw = charset.raw_range(decoded.raw_range(range));
            self.push(text.start + raw.start..text.start + raw.end, [Wrapping::Text, wrapping], place);
        });
        self.refusal = self.refusal.or(outcome.err());
    }

    /// The row of a place that holds for a tag, whatever the order of its attributes.
    fn row_that_holds(&self, attribute: Name, tag: &StartTag) -> Option<(u16, &'c Row)> {
        let document = self.document.bytes();
        let mut all: Vec<Attribute> = Vec::with_capacity(4);
        attributes(document, tag.name.end, |attribute| all.push(attribute));
        // Of an attribute that stands twice, the first counts.
        let value_of = |name: &&str| {
            let is_named = |one: &&Attribute| document[one.name_range.clone()].eq_ignore_ascii_case(name.as_bytes());
            all.iter().find(is_named).map(|one| &document[one.value.clone()])
        };
        self.table.rows_of(tag.element, attribute).find(|(_, row)| match row.when {
            When::Always => true,
            When::Holds(names, wanted) => names.iter().filter_map(value_of).any(|value| is_one_of(value, wanted)),
        })
    }

    /// Gives the links from `first` on, those of one tag, the scope of its codebase.
    #[cold]
    fn open_codebase(&mut self, first: usize) {
        let table = self.table;
        let row_of = |link: &Link| match link.place {
            Place::Attribute { row, .. } => &table.rows()[usize::from(row)],
            _ => unreachable!("links of a tag stand in attributes"),
        };
        let links = &mut self.scan.links[first..];
        let Some(codebase) = links.iter().position(|link| row_of(link).attribute == "codebase") else { return };
        let scope = self.scan.scopes.len();
        self.scan.scopes.push(Scope::Codebase(first + codebase));
        for link in links {
            if row_of(link).resolves_in == ResolvesIn::Codebase {
                link.scope = scope;
            }
        }
    }
}

const DOCUMENT: usize = 0;
const OUTSIDE: usize = 1;

impl Visitor for Collector<'_, '_> {
    #[inline]
    fn element(&mut self, element: Name, name: Range<usize>) {
        (self.element, self.element_name) = (element, name);
        self.hits.clear();
    }

    #[inline(always)]
    fn attribute(&mut self, attribute: Attribute) {
        let mut row = self.table.row_of(self.element, attribute.name);
        if row.is_none() && (attribute.name == Name::LONG || self.element == Name::LONG) {
            let document = self.document.bytes();
            row = self.table.row_of_long(&document[self.element_name.clone()], &document[attribute.name_range]);
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
        let hits = std::mem::take(&mut self.hits);
        let first = self.scan.links.len();
        for hit in &hits {
            self.collect(hit, tag);
        }
        if hits.len() > 1
            && hits.iter().any(|hit| self.table.rows()[usize::from(hit.row)].resolves_in == ResolvesIn::Codebase)
        {
            self.open_codebase(first);
        }
        self.hits = hits;
    }

    fn raw_text(&mut self, text: Range<usize>) {
        if self.element == STYLE {
            self.collect_css(text);
        }
    }

    #[inline]
    fn end_tag(&mut self) {
        self.in_foreign_style = false;
    }

    #[inline]
    fn text(&mut self, text: Range<usize>) {
        if self.in_foreign_style {
            self.collect_css_in_text(text);
        }
    }

    fn cdata(&mut self, text: Range<usize>) {
        if self.in_foreign_style {
            self.collect_css(text);
        }
    }

    /// Conditional comments are markup to the programs they are meant for.
    fn comment(&mut self, text: Range<usize>) {
        let document = self.document.bytes();
        let comment = &document[text.clone()];
        let is_conditional = comment.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"[if"));
        let Some(opened) = memchr::memmem::find(comment, b"]>").filter(|_| is_conditional) else { return };
        let closed = memchr::memmem::rfind(comment, b"<![").filter(|closed| *closed > opened + 2);
        let Some(closed) = closed else { return };
        self.in_conditional_comment = true;
        tokenize(&document[..text.start + closed], text.start + opened + 2, &mut TokenLevel, self);
        self.in_conditional_comment = false;
    }
}

/// Whether an attribute value reads as one of the `wanted`, but for case and white space around.
fn is_one_of(value: &[u8], wanted: &[&str]) -> bool {
    if value.contains(&b'&') {
        let decoded = character_reference::decode_all(&String::from_utf8_lossy(value));
        return wanted.iter().any(|known| known.eq_ignore_ascii_case(decoded.trim()));
    }
    let value = value.trim_ascii();
    wanted.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(value))
}

/// Finds the URLs in a value that reads `text`; `found` hears their ranges, and what wraps them within the value.
fn find_urls(grammar: Grammar, text: &str, mut found: impl FnMut(Range<usize>, Wrapping)) -> Result<(), Refusal> {
    match grammar {
        Grammar::Url => found(0..text.len(), Wrapping::Plain),
        Grammar::SpaceList => grammar::list(text, is_space, |range| found(range, Wrapping::Plain)),
        Grammar::CommaList => {
            grammar::list(text, grammar::is_comma, |range| found(range, Wrapping::Quoted(b',')));
        }
        Grammar::Srcset => grammar::srcset(text, |range| found(range, Wrapping::Plain)),
        Grammar::Css => return css::find(text, found),
        Grammar::KeyValue => grammar::key_values(text, |range| found(range, Wrapping::Quoted(b';'))),
        Grammar::UrlOrCurie => {
            let range = grammar::trim(text, 0..text.len());
            if !text[range.clone()].starts_with('[') {
                found(range, Wrapping::Plain);
            }
        }
        Grammar::Refresh => {
            if let Some((range, quote)) = grammar::refresh(text) {
                found(range, quote.map_or(Wrapping::Plain, Wrapping::Quoted));
            }
        }
    }
    Ok(())
}

/// A range without the white space at its ends.
#[inline]
fn trim(document: &[u8], mut range: Range<usize>) -> Range<usize> {
    while range.start < range.end && is_space(document[range.start]) {
        range.start += 1;
    }
    while range.start < range.end && is_space(document[range.end - 1]) {
        range.end -= 1;
    }
    range
}
