//! Makes references of the values that the readers of each type of document find.

use std::ops::Range;

use absolve_links::{Grammar, ResolvesIn, Row, SameDocument, Table, When};

use super::css;
use super::found::{DOCUMENT, Found, OUTSIDE, Place, Reference, Scope, UNKNOWN};
use super::markup::TooMuchWork;
use crate::text::Text;
use crate::values;

/// Documents within documents that are read.
const DEPTH: usize = 2;

/// Why the references of a document are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It takes too much work.
    TooMuchWork,
}

impl From<TooMuchWork> for Unread {
    fn from(_: TooMuchWork) -> Self {
        Self::TooMuchWork
    }
}

/// The row that holds for an attribute of an element, or for its text; `value_of` tells its attributes.
pub(crate) fn row<'t>(
    table: &'t Table,
    element: &str,
    attribute: &str,
    is_meant: impl Fn(&Row) -> bool,
    value_of: impl Fn(&str) -> Option<String>,
) -> Option<&'t Row> {
    let holds = |row: &&Row| match row.when {
        When::Holds(names, wanted) => {
            let is_wanted = |value: String| wanted.iter().any(|one| one.eq_ignore_ascii_case(value.trim()));
            names.iter().filter_map(|name| value_of(name)).any(is_wanted)
        }
        _ => true,
    };
    let named = || table.rows().iter().filter(|row| row.attribute == attribute && is_meant(row));
    let own = named().filter(|row| row.element == element);
    own.chain(named().filter(|row| row.element == "*")).find(holds)
}

/// Gathers the references of an HTML document within another document.
type ReadNested = fn(&Text<'_>, &mut Gatherer<'_>) -> Result<(), Unread>;

/// Gathers references from the values that the readers find.
pub(crate) struct Gatherer<'t> {
    pub(crate) table: &'t Table,
    nested_html: ReadNested,
    pub(crate) found: Found,
    /// The scope of what is gathered now.
    pub(crate) scope: usize,
    pub(crate) depth: usize,
    /// How many conditional comments stand around.
    pub(crate) comments: usize,
}

impl<'t> Gatherer<'t> {
    pub(super) fn new(table: &'t Table, nested_html: ReadNested) -> Self {
        let found = Found { scopes: vec![Scope::Document, Scope::Outside, Scope::Unknown], ..Found::default() };
        Self { table, nested_html, found, scope: DOCUMENT, depth: 0, comments: 0 }
    }

    /// Opens a scope, and returns its index.
    pub(crate) fn open(&mut self, scope: Scope) -> usize {
        self.found.scopes.push(scope);
        self.found.scopes.len() - 1
    }

    /// The references of the value of an attribute or the text of an element.
    pub(crate) fn value(&mut self, row: &Row, value: &Text<'_>, element: &str) -> Result<(), Unread> {
        let is_candidate = matches!(row.grammar, Grammar::Srcset | Grammar::UrlOrSrcset);
        let place =
            Place { element: element.into(), attribute: row.attribute.to_string(), depth: self.depth, is_candidate };
        let text = &*value.text;
        let ranges = match row.grammar {
            Grammar::Css => {
                self.css(value, &place, self.scope);
                return Ok(());
            }
            Grammar::Html => return self.nested(value),
            Grammar::SpaceList => values::space_list(text),
            Grammar::CommaList => values::comma_list(text),
            Grammar::Srcset => values::srcset(text),
            Grammar::UrlOrSrcset if values::is_css(text) => {
                self.css(value, &place, self.scope);
                return Ok(());
            }
            Grammar::UrlOrSrcset => values::url_or_srcset(text),
            Grammar::KeyValue => values::key_values(text),
            Grammar::Refresh => values::refresh(text),
            Grammar::UrlOrCurie => values::url_or_curie(text),
            _ => std::iter::once(0..text.len()).collect(),
        };
        let barred = |reference: &Range<usize>| match row.grammar {
            Grammar::CommaList => Some(','),
            Grammar::KeyValue => Some(';'),
            Grammar::Refresh => text[..reference.start].chars().next_back().filter(|quote| matches!(quote, '"' | '\'')),
            _ => None,
        };
        let barred: Vec<Option<char>> = ranges.iter().map(barred).collect();
        let first = self.found.references.len();
        self.all(value, ranges, &place);
        for (reference, barred) in self.found.references[first..].iter_mut().zip(barred) {
            reference.barred = barred;
            reference.same_document = row.same_document;
            if row.resolves_in == ResolvesIn::Outside {
                reference.scope = OUTSIDE;
            }
        }
        Ok(())
    }

    /// The references that stand in these ranges of a text. In a header field, folding is none of them; in brackets, no white
    /// space is.
    pub(crate) fn all(&mut self, text: &Text<'_>, ranges: Vec<Range<usize>>, place: &Place) {
        for range in ranges {
            let written = &text.text[range.clone()];
            let is_bracketed = text.text[..range.start].contains('<');
            let says = match place.element.is_empty() {
                true if is_bracketed => written.split_ascii_whitespace().collect(),
                true => values::unfolded(written),
                false => written.to_owned(),
            };
            let bytes = text.raw(range.clone());
            let text = if says == written { text.within(range) } else { text.reduced(range, &says) };
            self.push(Reference { range: bytes, ..Reference::of(text, place.clone(), self.scope) });
        }
    }

    /// The references of CSS; `of_document` is the scope of those that resolve in the document it is for.
    pub(crate) fn css(&mut self, text: &Text<'_>, place: &Place, of_document: usize) {
        for found in css::references(&text.text) {
            let scope = if found.is_of_document { of_document } else { self.scope };
            let range = text.raw(found.range.clone());
            let says = css::without_escapes(text, found.range, &found.text);
            // `url(#id)` names something in the document that the style is for.
            let same_document = SameDocument::Never;
            self.push(Reference { range, same_document, ..Reference::of(says, place.clone(), scope) });
        }
    }

    /// The references of an HTML document within this one.
    fn nested(&mut self, text: &Text<'_>) -> Result<(), Unread> {
        if self.depth == DEPTH {
            return Ok(());
        }
        let mut inner = Gatherer { depth: self.depth + 1, ..Gatherer::new(self.table, self.nested_html) };
        (self.nested_html)(text, &mut inner)?;
        let first = self.found.scopes.len();
        let outer = self.scope;
        let moved = |scope: usize| match scope {
            DOCUMENT => first,
            OUTSIDE => outer,
            UNKNOWN => UNKNOWN,
            own => first + own - 2,
        };
        let found = inner.found;
        self.found.scopes.push(Scope::Nested { base: found.base, within: outer });
        self.found.scopes.extend(found.scopes.into_iter().skip(3).map(|scope| match scope {
            Scope::Element { declared, is_xml_base, within } => {
                Scope::Element { declared, is_xml_base, within: moved(within) }
            }
            Scope::Data { codebase, within } => Scope::Data { codebase: moved(codebase), within: moved(within) },
            Scope::Nested { base, within } => Scope::Nested { base, within: moved(within) },
            other => other,
        }));
        let references = found.references.into_iter();
        self.found.references.extend(references.map(|one| Reference { scope: moved(one.scope), ..one }));
        Ok(())
    }

    fn push(&mut self, reference: Reference) {
        self.found.references.push(reference);
    }
}
