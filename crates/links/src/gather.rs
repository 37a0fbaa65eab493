//! Gathers the links of tags and texts by the table.

mod amp;
mod before_base;
pub(crate) mod codebase;
mod condition;
pub(crate) mod content;
mod custom_properties;
pub(crate) mod grammar;
mod navbar;
mod obstacles;
mod searched;
mod speculation_rules;
pub(crate) mod values;

use std::cell::{Cell, OnceCell};
use std::ops::Range;

use crate::css;
use crate::css::custom_properties::{ForeignValues, KnownProperties};
use crate::document::Document;
use crate::document_type::DocumentType;
use crate::limits::NESTED_DOCUMENTS;
use crate::markup::attributes::{Attribute, Quote};
use crate::markup::name::Name;
use crate::markup::space::trim;
use crate::scan::{Annotation, Link, Place, Refusal, RemarkKind, Scan, Scope};
use crate::table::Table;
use crate::table::index::Index;
use crate::table::row::{Grammar, ResolvesIn, When};
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

/// Finds the links of an HTML document within another one.
pub(crate) type ScanNested = fn(&Document<'_>, &Table) -> Result<Scan, Refusal>;

/// Turns the attributes and texts of a document into links, by the table.
pub(crate) struct Gatherer<'c, 'd> {
    pub(crate) document: &'c Document<'d>,
    pub(crate) table: &'c Table,
    scan_nested: ScanNested,
    /// The rows of the table that apply to this type of document.
    pub(crate) index: &'c Index,
    pub(crate) scan: Scan,
    /// The scope of the links gathered next.
    pub(crate) scope: usize,
    /// Whether a `<base>` found next counts for the document. In conditional comments it does not.
    pub(crate) does_base_count: bool,
    /// The byte up to which an MJML navbar was looked for, and whether the last one has a `base-url`.
    navbar: Cell<(usize, bool)>,
    properties: OnceCell<KnownProperties>,
    /// Whether the document has the mark of AMP, once that matters.
    is_amp: OnceCell<bool>,
    /// Whether obstacles in tags are recorded.
    records_obstacles: bool,
}

/// An attribute that matches a row of the table.
pub(crate) struct Hit {
    pub(crate) row: u16,
    pub(crate) value: Range<usize>,
    pub(crate) quote: Quote,
}

impl Hit {
    /// Adds the attribute that matches a row. If it is repeated, the first counts.
    #[inline(always)]
    pub(crate) fn add_to(hits: &mut Vec<Self>, row: u16, attribute: &Attribute) {
        if hits.iter().all(|hit| hit.row != row) {
            hits.push(Self { row, value: attribute.value.clone(), quote: attribute.quote });
        }
    }
}

/// A start tag.
pub(crate) struct Tag {
    /// From `<` to after `>`.
    pub(crate) range: Range<usize>,
    pub(crate) element: Name,
    /// The end of its name, where its attributes begin.
    pub(crate) attributes: usize,
}

/// Converts a range of a text to its range and wrapping in the document, or to `None` if it cannot be edited there.
type Locate<'l> = &'l dyn Fn(Range<usize>) -> Option<(Range<usize>, Wrapping)>;

const DOCUMENT: usize = 0;
const OUTSIDE: usize = 1;

const INSTRUCTION: Name = Name::of("?xml-stylesheet");
const LINK: Name = Name::of("link");
const META: Name = Name::of("meta");

impl<'c, 'd> Gatherer<'c, 'd> {
    pub(crate) fn new(document: &'c Document<'d>, table: &'c Table, index: &'c Index, scan_nested: ScanNested) -> Self {
        // Enough for small documents, where growing costs most.
        let links = Vec::with_capacity((document.bytes().len() / 256).min(256));
        let scan = Scan { links, scopes: vec![Scope::Document, Scope::Outside], ..Scan::default() };
        Self {
            document,
            table,
            scan_nested,
            index,
            scan,
            scope: DOCUMENT,
            does_base_count: true,
            navbar: Cell::default(),
            properties: OnceCell::new(),
            is_amp: OnceCell::new(),
            records_obstacles: Self::may_have_obstacles(document),
        }
    }

    /// Returns the gathered links. `first_base` is the index, among the bases, of the first one in the document tree.
    #[inline]
    pub(crate) fn finish(mut self, first_base: Option<usize>) -> Scan {
        self.scan.base = first_base.and_then(|number| self.scan.bases.get(number).copied());
        self.scan
    }

    /// Marks the base of the document as unknown, because the first `<base>` cannot be read.
    pub(crate) fn mark_base_unknown(&mut self) {
        if self.does_base_count && self.scan.bases.is_empty() {
            self.scan.scopes[DOCUMENT] = Scope::Unknown;
            self.does_base_count = false;
        }
    }

    /// Gathers the links of one tag.
    #[inline]
    pub(crate) fn tag(&mut self, tag: &Tag, hits: &[Hit]) {
        let first = self.scan.links.len();
        for hit in hits {
            self.attribute(tag, hit);
        }
        let may_be_in_codebase = |hit: &Hit| codebase::may_use_codebase(&self.table.rows()[usize::from(hit.row)]);
        if hits.len() > 1 && hits.iter().any(may_be_in_codebase) {
            self.open_codebase(tag, first);
        }
        if self.records_obstacles && self.scan.links.len() > first {
            self.record_obstacles(tag);
        }
    }

    /// Gathers the references of a text of this grammar.
    #[inline]
    pub(crate) fn references(
        &mut self,
        grammar: Grammar,
        text: &[u8],
        place: Place,
        locate: impl Fn(Range<usize>) -> Option<(Range<usize>, Wrapping)>,
    ) {
        if grammar == Grammar::Html {
            return self.nested(text, place, &locate);
        }
        let is_css = grammar == Grammar::Css;
        let foreign = is_css.then(|| ForeignValues::of(text, || self.properties()));
        grammar::urls(grammar, text, |range, inner| {
            let around = self.scope;
            if foreign.as_ref().is_some_and(|foreign| foreign.contain(text, &range)) {
                self.enter_custom_property();
            }
            let located = locate(range).and_then(|(raw, outer)| Some((raw, inner.within(outer)?)));
            match located {
                Some((range, wrappings)) => self.push(range, wrappings, place),
                None => self.scan.remark(RemarkKind::Composed, place.start()),
            }
            self.scope = around;
        });
    }

    /// Gathers the references of CSS in the document, in this wrapping. CSS without `url(` and the like is skipped,
    /// unless a character reference may hide one.
    pub(crate) fn css(&mut self, text: Range<usize>, wrapping: Wrapping, place: Place) {
        let bytes = &self.document.bytes()[text.clone()];
        if css::may_contain_references(bytes) || (wrapping != Wrapping::Plain && bytes.contains(&b'&')) {
            self.value(Grammar::Css, text, wrapping, place);
        }
    }

    /// Gathers the links of one attribute.
    #[inline]
    fn attribute(&mut self, tag: &Tag, hit: &Hit) {
        let (mut index, mut row) = (hit.row, &self.table.rows()[usize::from(hit.row)]);
        if !matches!(row.when, When::Always) {
            let Some(holding) = self.matching_row(tag, Name::of(&row.attribute)) else {
                return self.record_policy(tag, &hit.value);
            };
            (index, row) = holding;
        }
        let place = Place::Attribute { tag: tag.range.start, row: index, nesting: 0 };
        let wrapping = match self.document.document_type() {
            DocumentType::Xml if tag.element == INSTRUCTION => Wrapping::Instruction(hit.quote),
            DocumentType::Xml => Wrapping::XmlAttribute(hit.quote),
            _ => Wrapping::Attribute(hit.quote),
        };
        if !self.searches(index) {
            return self.note(row.grammar, hit.value.clone(), wrapping, place);
        }
        if row.grammar != Grammar::Url {
            return match row.grammar {
                Grammar::Css => self.css(hit.value.clone(), wrapping, place),
                grammar => self.value(grammar, hit.value.clone(), wrapping, place),
            };
        }
        let first = self.scan.links.len();
        self.push(trim(self.document.bytes(), hit.value.clone()), Wrappings::of(wrapping), place);
        if row.resolves_in == ResolvesIn::Outside {
            if self.does_base_count {
                self.scan.bases.push(first);
            }
            self.scan.links[first].scope = OUTSIDE;
        } else {
            self.record_integrity(tag, first);
        }
    }

    fn whole(&mut self, grammar: Grammar, value: Range<usize>, wrapping: Wrapping, place: Place) {
        match grammar {
            Grammar::Url => self.push(trim(self.document.bytes(), value), Wrappings::of(wrapping), place),
            grammar => self.value(grammar, value, wrapping, place),
        }
    }

    /// Gathers the references of a value in the document, in this wrapping.
    fn value(&mut self, grammar: Grammar, value: Range<usize>, wrapping: Wrapping, place: Place) {
        let document = self.document;
        let raw = &document.bytes()[value.clone()];
        let start = value.start;
        let is_plain = raw.is_ascii() && wrapping.is_plain(raw);
        let decoded = (!is_plain).then(|| document.unwrapped(value, Wrappings::of(wrapping)));
        let text = decoded.as_ref().map_or(raw, |decoded| decoded.text().as_bytes());
        self.references(grammar, text, place, |range| {
            let range = match &decoded {
                Some(decoded) => decoded.raw_range(range),
                None => start + range.start..start + range.end,
            };
            Some((range, wrapping))
        });
    }

    /// Gathers the links of a nested document: all of them, or none if one of them cannot be edited here.
    fn nested(&mut self, text: &[u8], place: Place, locate: Locate<'_>) {
        if self.document.depth() == NESTED_DOCUMENTS {
            return self.scan.remark(RemarkKind::NestingTooDeep, place.start());
        }
        let document = self.document.nested(text);
        let scan = match (self.scan_nested)(&document, self.table) {
            Ok(scan) => scan,
            Err(_) => return self.scan.remark(RemarkKind::NestedRefused, place.start()),
        };
        for remark in &scan.remarks {
            self.scan.remark(remark.kind, place.start());
        }
        self.scan.scripts += scan.scripts;
        self.note_scripts_at_base(scan.script_at_base, place);
        self.nest_obstacles(scan.obstacles, locate);
        if scan.links.is_empty() && scan.unsearched.is_empty() {
            return;
        }
        let (first_link, first_scope) = (self.scan.links.len(), self.scan.scopes.len());
        let scope = |scope: usize| match scope {
            DOCUMENT => first_scope,
            OUTSIDE => self.scope,
            own => first_scope + own - 1,
        };
        let link = |link: &Link| {
            let (range, outer) = locate(link.range.clone())?;
            let mut place = link.place;
            place.nest(|tag| locate(tag..tag + 1).map(|(range, _)| range.start))?;
            Some(Link { range, wrappings: link.wrappings.within(outer)?, place, scope: scope(link.scope) })
        };
        let Some(links) = scan.links.iter().map(link).collect::<Option<Vec<Link>>>() else {
            return self.scan.remark(RemarkKind::Composed, place.start());
        };
        let unsearched: Vec<Link> = scan.unsearched.iter().filter_map(link).collect();
        // What other programs load of the HTML in a feed is not known.
        let is_page = self.document.document_type() == DocumentType::Html;
        let nest = |own: &Scope| match own.nest(first_link, scope) {
            Scope::BeforeBase { is_certain, document, around } => {
                Scope::BeforeBase { is_certain: is_certain && is_page, document, around }
            }
            nested => nested,
        };
        let scopes: Vec<Scope> = scan.scopes[2..].iter().map(nest).collect();
        let base = scan.base.map(|base| first_link + base);
        self.scan.scopes.push(Scope::Nested { base, within: self.scope });
        self.scan.scopes.extend(scopes);
        self.scan.links.extend(links);
        self.scan.unsearched.extend(unsearched);
        let annotations = scan.annotations.into_iter().map(|annotation| {
            let links = first_link + annotation.links.start..first_link + annotation.links.end;
            Annotation { links, ..annotation }
        });
        self.scan.annotations.extend(annotations);
    }

    #[inline]
    fn push(&mut self, range: Range<usize>, wrappings: Wrappings, place: Place) {
        self.scan.links.push(Link { range, wrappings, place, scope: self.scope });
    }
}
