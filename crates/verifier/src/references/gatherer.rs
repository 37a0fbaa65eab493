//! Makes references of the values that the parsers of each document type find.

use std::ops::Range;
use std::rc::Rc;

use absolve_links::{
    DocumentType, ForScripts, Grammar, Group, ResolvesIn, Row, SameDocument, Table, When, refresh_url,
};

use super::css::custom_properties::mark_foreign;
use super::css::{self, Kind, Strings};
use super::found::{BEFORE_BASE, DOCUMENT, Found, OUTSIDE, Place, Reference, Scope, UNKNOWN};
use crate::text::Text;
use crate::values;

/// The deepest nested document that is read.
const DEPTH: usize = 2;

/// The document takes more work than one of its size may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMuchWork;

/// Gathers the references of an HTML document within another document.
type ReadNested = fn(&Text<'_>, &mut Gatherer<'_>) -> Result<(), TooMuchWork>;

/// Gathers references from the values that the readers find.
pub(crate) struct Gatherer<'t> {
    pub(crate) table: &'t Table,
    nested_html: ReadNested,
    pub(crate) found: Found,
    /// The current scope.
    pub(crate) scope: usize,
    pub(super) depth: usize,
    /// The number of conditional comments around the current position.
    pub(crate) comments: usize,
    /// Whether it is a document in HTML.
    pub(crate) is_html: bool,
    /// Whether browsers load from the current tag while they read the document.
    pub(crate) loads_at_once: bool,
    /// Whether an event handler may import by a relative URL.
    pub(crate) has_handler: bool,
    /// Whether the last MJML navbar has a `base-url`, which is put before its links.
    pub(crate) is_behind_base_url: bool,
    /// Whether the places of AMP are read: by option, or by the first tag of the document, once that is known.
    pub(crate) reads_amp: Option<bool>,
}

impl<'t> Gatherer<'t> {
    /// Creates one for a document with so many documents around it.
    fn at_depth(table: &'t Table, nested_html: ReadNested, depth: usize) -> Self {
        let before_base = Scope::BeforeBase { document: DOCUMENT, around: OUTSIDE };
        let found =
            Found { scopes: vec![Scope::Document, Scope::Outside, Scope::Unknown, before_base], ..Found::default() };
        let reads_amp = table.searched().iter().any(|row| row.group == Group::Amp).then_some(true);
        Self {
            table,
            nested_html,
            found,
            scope: DOCUMENT,
            depth,
            comments: 0,
            is_html: false,
            loads_at_once: false,
            has_handler: false,
            is_behind_base_url: false,
            reads_amp,
        }
    }

    pub(super) fn new(table: &'t Table, nested_html: ReadNested) -> Self {
        Self::at_depth(table, nested_html, 0)
    }

    /// Begins again.
    pub(super) fn reset(&mut self) {
        *self = Self::at_depth(self.table, self.nested_html, self.depth);
    }

    /// Returns the place of a reference in an element or an attribute.
    pub(crate) fn place(&self, element: &str, attribute: &str) -> Rc<Place> {
        let is_same = |place: &&Rc<Place>| {
            place.element == element && place.attribute == attribute && place.depth == self.depth && !place.is_candidate
        };
        let last = self.found.references.last().map(|reference| &reference.place).filter(is_same);
        last.cloned().unwrap_or_else(|| {
            let (element, attribute) = (element.into(), attribute.into());
            Place { element, attribute, depth: self.depth, is_candidate: false }.into()
        })
    }

    /// Reports whether there is a BASE before, or there may be one in the documents around.
    pub(crate) fn may_resolve_at_base(&self) -> bool {
        !self.found.base_tags.is_empty() || self.depth > 0
    }

    /// Opens a scope, and returns its index.
    pub(crate) fn open(&mut self, scope: Scope) -> usize {
        self.found.scopes.push(scope);
        self.found.scopes.len() - 1
    }

    /// Adds the references in the value of an attribute or the text of an element.
    pub(crate) fn add_value(&mut self, row: &Row, value: &Text<'_>, element: &str) {
        if row.when == When::WithoutBaseUrl && self.is_behind_base_url {
            return;
        }
        let is_candidate = matches!(row.grammar, Grammar::Srcset | Grammar::UrlOrSrcset);
        let mut place = self.place(element, &row.attribute);
        if is_candidate {
            place = Place { is_candidate, ..(*place).clone() }.into();
        }
        let text = &*value.text;
        let ranges = match row.grammar {
            Grammar::Css => {
                let first = self.found.references.len();
                self.add_css(value, &place, self.scope);
                // So do browsers read the queries of CSS in attributes.
                let added = &mut self.found.references[first..];
                return added.iter_mut().for_each(|one| one.is_in_utf_8 = !row.attribute.is_empty());
            }
            Grammar::Html => return self.add_nested(value),
            Grammar::SpaceList => values::space_list(text),
            Grammar::CommaList => values::list(text, ','),
            Grammar::SemicolonList => values::list(text, ';'),
            Grammar::Srcset => values::srcset(text),
            Grammar::UrlOrSrcset => match ForScripts::of(text) {
                ForScripts::Css => return self.add_css(value, &place, self.scope),
                ForScripts::Data => return,
                ForScripts::Srcset => values::srcset(text),
                ForScripts::Url => vec![values::trimmed(text, 0..text.len())],
            },
            Grammar::KeyValue => values::key_values(text),
            Grammar::Refresh => refresh_url(text.as_bytes()).into_iter().collect(),
            Grammar::UrlOrCurie => values::url_or_curie(text),
            _ => std::iter::once(0..text.len()).collect(),
        };
        for range in ranges {
            let barred = match row.grammar {
                Grammar::CommaList => Some(','),
                Grammar::SemicolonList | Grammar::KeyValue => Some(';'),
                Grammar::Refresh => text[..range.start].chars().next_back().filter(|one| matches!(one, '"' | '\'')),
                _ => None,
            };
            let scope = if row.resolves_in == ResolvesIn::Outside { OUTSIDE } else { self.scope };
            self.found.references.push(Reference {
                barred,
                same_document: row.same_document,
                is_pattern: row.grammar == Grammar::UrlPattern,
                is_whole: row.grammar == Grammar::Url,
                ..Reference::of(value.within(range), Rc::clone(&place), scope)
            });
        }
    }

    /// Adds the references in these ranges of plain text or of a header field. Folding does not belong to them; in angle
    /// brackets, no white space does.
    pub(crate) fn add_unfolded(&mut self, text: &Text<'_>, ranges: Vec<Range<usize>>) {
        let first_bracket = text.text.find('<').unwrap_or(text.text.len());
        for range in ranges {
            let written = &text.text[range.clone()];
            let says = match first_bracket < range.start {
                true => written.split_ascii_whitespace().collect(),
                false => values::unfolded(written),
            };
            let read = if says == written { text.within(range.clone()) } else { text.reduced(range.clone(), &says) };
            let place = self.place("", "");
            let range = text.raw(range);
            // One to the document itself stays, as in no text is an element that it could lead to.
            let same_document = SameDocument::Never;
            self.found.references.push(Reference { range, same_document, ..Reference::of(read, place, self.scope) });
        }
    }

    /// Adds the references of the text of a style element.
    pub(crate) fn add_style(&mut self, css: &Text<'_>, place: &Rc<Place>) {
        let around = self.scope;
        if around == DOCUMENT && self.loads_at_once {
            self.scope = BEFORE_BASE;
        }
        self.add_css(css, place, self.scope);
        self.scope = around;
    }

    /// Gives what browsers load at once the base of the document, from the BASE of this number on, or everywhere.
    pub(crate) fn end_before_base(&mut self, base: Option<usize>) {
        self.found.has_script_at_base |= self.has_handler && self.may_resolve_at_base();
        let base = base.and_then(|number| self.found.base_tags.get(number)).map_or(0, |tag| tag.start);
        let early = self.found.references.iter_mut().filter(|reference| reference.scope == BEFORE_BASE);
        early.filter(|reference| reference.range.start >= base).for_each(|reference| reference.scope = DOCUMENT);
    }

    /// Adds the references of CSS; `of_document` is the scope of those that resolve against the document that uses it.
    pub(crate) fn add_css(&mut self, text: &Text<'_>, place: &Rc<Place>, of_document: usize) {
        self.add_css_where(Strings::Text, text, place, of_document);
    }

    fn add_css_where(&mut self, strings: Strings, text: &Text<'_>, place: &Rc<Place>, of_document: usize) {
        for found in css::references(&text.text, strings) {
            let says = css::without_escapes(text, &found);
            let scope = match found.kind {
                Kind::Filters => {
                    self.add_css_where(Strings::OfFilter, &says, place, of_document);
                    continue;
                }
                Kind::OfDocument => of_document,
                Kind::OfStylesheet => self.scope,
            };
            // `url(#id)` refers to the document that uses the style.
            let same_document = SameDocument::Never;
            let range = text.raw(found.range);
            self.found.references.push(Reference {
                range,
                same_document,
                is_in_utf_8: found.is_import && place.element == "style" && place.attribute.is_empty(),
                property: found.property,
                ..Reference::of(says, Rc::clone(place), scope)
            });
        }
    }

    /// Adds the references of a nested HTML document; one that takes too much work stays.
    fn add_nested(&mut self, text: &Text<'_>) {
        let mut inner = Gatherer::at_depth(self.table, self.nested_html, self.depth + 1);
        if self.depth == DEPTH || (self.nested_html)(text, &mut inner).is_err() {
            return;
        }
        let first = self.found.scopes.len();
        let outer = self.scope;
        // What other programs load of the HTML in a feed is not known.
        let moved = |scope: usize| match scope {
            DOCUMENT => first,
            BEFORE_BASE if !self.is_html => first,
            OUTSIDE => outer,
            UNKNOWN => UNKNOWN,
            own => first + own - 2,
        };
        let mut found = inner.found;
        mark_foreign(&mut found, &text.text, DocumentType::Html);
        self.found.scopes.push(Scope::Nested { base: found.base, within: outer });
        self.found.scopes.extend(found.scopes.into_iter().skip(3).map(|scope| match scope {
            Scope::Element { declared, is_xml_base, within } => {
                Scope::Element { declared, is_xml_base, within: moved(within) }
            }
            Scope::Data { codebase, within } => Scope::Data { codebase: moved(codebase), within: moved(within) },
            Scope::Nested { base, within } => Scope::Nested { base, within: moved(within) },
            Scope::BeforeBase { document, around } => {
                let around = if self.is_html { around } else { document };
                Scope::BeforeBase { document: moved(document), around: moved(around) }
            }
            other => other,
        }));
        self.found.has_script_at_base |= found.has_script_at_base && self.may_resolve_at_base();
        self.found.obstacles.extend(found.obstacles);
        let references = found.references.into_iter();
        self.found.references.extend(references.map(|one| Reference { scope: moved(one.scope), ..one }));
    }
}
