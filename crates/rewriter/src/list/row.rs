//! A link as a row: its place, its meaning and its base, without copies.

use std::borrow::Cow;

use absolve_base::Layer;
use absolve_links::{Document, DocumentType, Link, Reference, Syntax};
use absolve_resolver::BaseUrl;

use crate::document::ascii::away;
use crate::document::classify::decision::Decision;
use crate::document::classify::{is_read_as_written, means_document};
use crate::document::context::{DocumentContext, row_of};
use crate::list::ListedLink;
use crate::position::Position;
use crate::report::{OutOfReach, Status};

/// A link, with the fields of a [`ListedLink`] but for its line and column. Its texts are those of the document where they can be.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "they are those of `ListedLink`")]
pub struct LinkRow<'r> {
    pub part: &'r str,
    pub document_type: DocumentType,
    pub start: usize,
    pub end: usize,
    pub written: Cow<'r, str>,
    pub element: Cow<'r, str>,
    pub attribute: &'r str,
    pub reference: &'r str,
    pub target: Option<&'r str>,
    pub status: Status,
    pub base: Option<&'r str>,
    pub layer: Layer,
    pub out_of_reach: Option<OutOfReach>,
    pub text: Option<&'r str>,
    pub rel: Option<&'r str>,
    pub anchor: Option<&'r str>,
}

impl LinkRow<'_> {
    /// Returns a copy of its own, at a position.
    pub fn listed(&self, Position { line, column }: Position) -> ListedLink {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        ListedLink {
            part: self.part.to_owned(),
            document_type: self.document_type,
            start: self.start,
            end: self.end,
            written: self.written.clone().into_owned(),
            line,
            column,
            element: self.element.clone().into_owned(),
            attribute: self.attribute.to_owned(),
            reference: self.reference.to_owned(),
            target: owned(self.target),
            status: self.status,
            base: owned(self.base),
            layer: self.layer,
            out_of_reach: self.out_of_reach,
            text: owned(self.text),
            rel: owned(self.rel),
            anchor: owned(self.anchor),
        }
    }
}

impl<'r> From<&'r ListedLink> for LinkRow<'r> {
    fn from(link: &'r ListedLink) -> Self {
        Self {
            part: &link.part,
            document_type: link.document_type,
            start: link.start,
            end: link.end,
            written: (&*link.written).into(),
            element: (&*link.element).into(),
            attribute: &link.attribute,
            reference: &link.reference,
            target: link.target.as_deref(),
            status: link.status,
            base: link.base.as_deref(),
            layer: link.layer,
            out_of_reach: link.out_of_reach,
            text: link.text.as_deref(),
            rel: link.rel.as_deref(),
            anchor: link.anchor.as_deref(),
        }
    }
}

/// What a decision says of a link, with a target that may be written into `scratch`.
pub(crate) fn row<'r>(
    context: &'r DocumentContext<'_, '_>,
    link: &Link,
    decision: &'r Decision<'_, '_>,
    (read, scratch): (&'r mut Option<Reference<'r>>, &'r mut String),
) -> Option<LinkRow<'r>> {
    let DocumentContext { document, part, options, .. } = context;
    scratch.clear();
    let (reference, status, out_of_reach) = match decision {
        Decision::Fast { .. } => (text(document, link, read), Status::Relative, None),
        Decision::Absolute => (text(document, link, read), Status::Absolute, None),
        Decision::Full { reference, status, reach, .. } => (reference.text(), *status, *reach),
        Decision::Local { .. } => return None,
    };
    let base = context.base_of(link, reference);
    let url = base.and_then(|base| base.url.as_ref());
    let target = match (decision, status) {
        (Decision::Fast { range, prefix }, _) => {
            scratch.extend([prefix, &reference[range.len()..]]);
            ""
        }
        (_, Status::Absolute) => reference,
        (_, Status::SameDocument) if means_document(link, reference, options) => "",
        (_, Status::SameDocument) => {
            *scratch = url.and_then(|url| url.resolve(reference).ok()).unwrap_or_default();
            ""
        }
        (Decision::Full { target, .. }, Status::Relative | Status::Mapped | Status::Kept) => target,
        _ => "",
    };
    // What is resolved here is in `scratch`.
    if let Some(away) = away(document, link, if scratch.is_empty() { target } else { scratch }, options) {
        *scratch = away;
    }
    let target = Some(if scratch.is_empty() { target } else { scratch }).filter(|target| !target.is_empty());
    let row = row_of(link, options);
    Some(LinkRow {
        part: &part.path,
        document_type: part.document_type,
        start: link.range.start,
        end: link.range.end,
        written: shown(&document.bytes()[link.range.clone()]),
        element: match row {
            Some(row) if matches!(row.syntax, Syntax::Json | Syntax::FrontMatter) => (&*row.element).into(),
            _ => document.element(link),
        },
        attribute: row.map_or("", |row| &row.attribute),
        reference,
        target,
        status,
        base: url.map(BaseUrl::as_str),
        layer: base.map_or(Layer::None, |base| base.layer),
        out_of_reach,
        text: None,
        rel: None,
        anchor: None,
    })
}

/// Returns bytes as text; what is not UTF-8 is replaced.
fn shown(bytes: &[u8]) -> Cow<'_, str> {
    // The check alone is faster than one that repairs.
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Returns the decoded reference, which `read` keeps if it is not written as it is.
fn text<'r>(document: &Document<'r>, link: &Link, read: &'r mut Option<Reference<'r>>) -> &'r str {
    if is_read_as_written(document, link) {
        return str::from_utf8(&document.bytes()[link.range.clone()]).unwrap_or_default();
    }
    read.insert(document.reference(link)).text()
}
