//! The references of a document, with their bytes, places and scopes.

use std::ops::Range;

use absolve_links::{DocumentType, Grammar, ResolvesIn, Row, SameDocument, Table, When};

use crate::markup::TooMuchWork;
use crate::text::{Places, Text};
use crate::{css, html, values, xml};

/// What a document holds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// In the order of the bytes.
    pub(crate) references: Vec<Reference>,
    pub(crate) scopes: Vec<Scope>,
    /// What the BASE of the document says.
    pub(crate) base: Option<String>,
    /// The tags of all BASEs, those in comments left out.
    pub(crate) base_tags: Vec<Range<usize>>,
    /// The references of XML to entities that only the document itself explains, in the order of their bytes.
    pub(crate) entities: Vec<Range<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Its bytes in the document.
    pub(crate) range: Range<usize>,
    /// What it says.
    pub(crate) text: String,
    /// Where its characters stand.
    pub(crate) places: Places,
    pub(crate) place: Place,
    /// A character that would end it, and that nothing but an escape of the URL can write.
    pub(crate) barred: Option<char>,
    /// The index of its scope.
    pub(crate) scope: usize,
    /// What becomes of it when it means the document it stands in.
    pub(crate) same_document: SameDocument,
}

impl Reference {
    /// The reference that a text is, in a place where it may be asked for what becomes of it.
    pub(crate) fn of(says: Text<'_>, place: Place, scope: usize) -> Self {
        let (range, text) = (says.raw(0..says.text.len()), says.text.clone().into_owned());
        Self { range, text, places: says.into_places(), place, barred: None, scope, same_document: SameDocument::Asked }
    }
}

/// The place of a reference; alike in the original and in what was made of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// In lower case; empty where there is none.
    pub(crate) element: String,
    pub(crate) attribute: String,
    /// How many documents it stands in within the document.
    pub(crate) depth: usize,
    /// Whether it is in a list of image candidates, where no URL ends with a comma.
    pub(crate) is_candidate: bool,
}

/// A stretch of a document with one base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Document,
    /// What stands outside the document, for the BASE itself.
    Outside,
    /// An element with a reference that is the base in it: a codebase, an `xml:base`.
    Element {
        declared: String,
        is_xml_base: bool,
        within: usize,
    },
    /// The data of an object: by HTML 4 it is in the scope of the codebase, by the HTML Standard in that around.
    Data {
        codebase: usize,
        within: usize,
    },
    /// A document within this one, and what its BASE says.
    Nested {
        base: Option<String>,
        within: usize,
    },
    /// The document that a stylesheet of its own is for, or where only entities of the document tell the base.
    Unknown,
}

pub(crate) const DOCUMENT: usize = 0;
pub(crate) const OUTSIDE: usize = 1;
const UNKNOWN: usize = 2;

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

/// Finds the references of a document.
pub(crate) fn references(text: &Text<'_>, document_type: DocumentType, table: &Table) -> Result<Found, Unread> {
    let mut gatherer = Gatherer::new(table, 0);
    match document_type {
        DocumentType::Html => html::gather(text, &mut gatherer)?,
        DocumentType::Xml => xml::gather(text, &mut gatherer)?,
        DocumentType::Css => gatherer.css(text, &Place::default(), UNKNOWN),
        DocumentType::Field => gatherer.all(text, values::field(&text.text), &Place::default()),
        _ => gatherer.all(text, values::marked(&text.text), &Place::default()),
    }
    let mut found = gatherer.found;
    found.references.sort_by_key(|reference| (reference.range.start, reference.range.end));
    Ok(found)
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

/// Makes references of what the readers find.
pub(crate) struct Gatherer<'t> {
    pub(crate) table: &'t Table,
    pub(crate) found: Found,
    /// The scope of what is gathered now.
    pub(crate) scope: usize,
    pub(crate) depth: usize,
    /// How many conditional comments stand around.
    pub(crate) comments: usize,
}

impl<'t> Gatherer<'t> {
    fn new(table: &'t Table, depth: usize) -> Self {
        let found = Found { scopes: vec![Scope::Document, Scope::Outside, Scope::Unknown], ..Found::default() };
        Self { table, found, scope: DOCUMENT, depth, comments: 0 }
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
        let mut inner = Gatherer::new(self.table, self.depth + 1);
        html::gather(text, &mut inner)?;
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
