//! Makes references of the values that the parsers of each document type find.

use std::ops::Range;

use absolve_links::{Grammar, ResolvesIn, Row, SameDocument, Table, When};

use super::css;
use super::found::{DOCUMENT, Found, OUTSIDE, Place, Reference, Scope, UNKNOWN};
use super::markup::TooMuchWork;
use crate::text::Text;
use crate::values;

/// The deepest nested document that is read.
const DEPTH: usize = 2;

/// Why the references of a document are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It takes too much work to parse.
    TooMuchWork,
}

impl From<TooMuchWork> for Unread {
    fn from(_: TooMuchWork) -> Self {
        Self::TooMuchWork
    }
}

/// Returns the row of the table for an attribute of an element, or for its text; `value_of` returns the values of its
/// attributes.
pub(crate) fn row<'t>(
    table: &'t Table,
    element: &str,
    attribute: &str,
    applies: impl Fn(&Row) -> bool,
    value_of: impl Fn(&str) -> Option<String>,
) -> Option<&'t Row> {
    let holds = |row: &&Row| match row.when {
        When::Holds(names, wanted) => {
            let is_wanted = |value: String| {
                // The parameters of a media type do not count.
                let name = value.split(';').next().unwrap_or_default().trim();
                wanted.iter().any(|one| one.eq_ignore_ascii_case(name))
            };
            names.iter().filter_map(|name| value_of(name)).any(is_wanted)
        }
        _ => true,
    };
    let named = || table.rows().iter().filter(|row| row.attribute == attribute && applies(row));
    let own = named().filter(|row| row.element == element);
    own.chain(named().filter(|row| row.element == "*")).find(holds)
}

/// Returns the range of a value that a row applies to: white space does not belong to a single URL.
pub(crate) fn value_range(row: &Row, text: &str, value: Range<usize>) -> Range<usize> {
    if row.grammar == Grammar::Url { values::trimmed(text, value) } else { value }
}

/// Gathers the references of an HTML document within another document.
type ReadNested = fn(&Text<'_>, &mut Gatherer<'_>) -> Result<(), Unread>;

/// Gathers references from the values that the readers find.
pub(crate) struct Gatherer<'t> {
    pub(crate) table: &'t Table,
    nested_html: ReadNested,
    pub(crate) found: Found,
    /// The current scope.
    pub(crate) scope: usize,
    pub(crate) depth: usize,
    /// The number of conditional comments around the current position.
    pub(crate) comments: usize,
    /// Whether the last MJML navbar has a `base-url`, which is put before its links.
    pub(crate) is_behind_base_url: bool,
}

impl<'t> Gatherer<'t> {
    pub(super) fn new(table: &'t Table, nested_html: ReadNested) -> Self {
        let found = Found { scopes: vec![Scope::Document, Scope::Outside, Scope::Unknown], ..Found::default() };
        Self { table, nested_html, found, scope: DOCUMENT, depth: 0, comments: 0, is_behind_base_url: false }
    }

    /// Opens a scope, and returns its index.
    pub(crate) fn open(&mut self, scope: Scope) -> usize {
        self.found.scopes.push(scope);
        self.found.scopes.len() - 1
    }

    /// Adds the references in the value of an attribute or the text of an element.
    pub(crate) fn add_value(&mut self, row: &Row, value: &Text<'_>, element: &str) -> Result<(), Unread> {
        if row.when == When::WithoutBaseUrl && self.is_behind_base_url {
            return Ok(());
        }
        let is_candidate = matches!(row.grammar, Grammar::Srcset | Grammar::UrlOrSrcset);
        let place =
            Place { element: element.into(), attribute: row.attribute.to_string(), depth: self.depth, is_candidate };
        let text = &*value.text;
        let ranges = match row.grammar {
            Grammar::Css => {
                self.add_css(value, &place, self.scope);
                return Ok(());
            }
            Grammar::Html => return self.add_nested(value),
            Grammar::SpaceList => values::space_list(text),
            Grammar::CommaList => values::comma_list(text),
            Grammar::Srcset => values::srcset(text),
            Grammar::UrlOrSrcset if values::is_css(text) => {
                self.add_css(value, &place, self.scope);
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
        self.add_all(value, ranges, &place);
        for (reference, barred) in self.found.references[first..].iter_mut().zip(barred) {
            reference.barred = barred;
            reference.same_document = row.same_document;
            reference.is_whole = row.grammar == Grammar::Url;
            if row.resolves_in == ResolvesIn::Outside {
                reference.scope = OUTSIDE;
            }
        }
        Ok(())
    }

    /// Adds the references in these ranges of a text. In a header field, folding does not belong to them; in angle
    /// brackets, no white space does.
    pub(crate) fn add_all(&mut self, text: &Text<'_>, ranges: Vec<Range<usize>>, place: &Place) {
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

    /// Adds the references of CSS; `of_document` is the scope of those that resolve against the document that uses it.
    pub(crate) fn add_css(&mut self, text: &Text<'_>, place: &Place, of_document: usize) {
        for found in css::references(&text.text) {
            let scope = if found.is_of_document { of_document } else { self.scope };
            let range = text.raw(found.range.clone());
            let says = css::without_escapes(text, found.range, &found.text);
            // `url(#id)` refers to the document that uses the style.
            let same_document = SameDocument::Never;
            self.push(Reference { range, same_document, ..Reference::of(says, place.clone(), scope) });
        }
    }

    /// Adds the references of a nested HTML document.
    fn add_nested(&mut self, text: &Text<'_>) -> Result<(), Unread> {
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
