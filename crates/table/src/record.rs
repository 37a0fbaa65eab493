//! The links of a record, with their places.

use std::path::Path;

use absolve_rewriter::internal::{Entity, LinkRow, Positions, links_of_response, visit_links};
use absolve_rewriter::results::{Position, Unsearched};
use absolve_rewriter::{DocumentType, Finding, Listing, Options};

use crate::links::{Locate, Page};
use crate::rows::LinkRows;

/// What there is in a record, in its order.
#[derive(Debug)]
pub enum Found<'l, 'd, 'f> {
    /// A document, or the header of an HTTP response.
    Page(Page<'l>),
    /// A link of it, and where it is.
    Link(&'l LinkRow<'l>, At<'l, 'd, 'f>),
}

/// Where a link is: in its document, and in the file or the record around that.
#[derive(Debug)]
pub enum At<'p, 'd, 'f> {
    /// Bytes, and the positions in what they are bytes of.
    Bytes {
        /// Those of the document.
        document: (&'p mut Positions<'d>, usize),
        /// Those of the file or the record.
        file: (&'p mut Positions<'f>, usize),
    },
    /// There are only metadata of the document.
    Nowhere,
}

impl At<'_, '_, '_> {
    /// Returns its column in the file in code units of UTF-16, from 1, if that is sure.
    pub fn utf_16_column(&mut self) -> Option<usize> {
        match self {
            Self::Bytes { file: (positions, byte), .. } => positions.utf_16_column(*byte),
            Self::Nowhere => None,
        }
    }
}

impl Locate for At<'_, '_, '_> {
    fn in_document(&mut self) -> Position {
        match self {
            Self::Bytes { document: (positions, byte), .. } => positions.at(*byte),
            Self::Nowhere => Position { line: 0, column: 0 },
        }
    }

    fn in_file(&mut self) -> Position {
        match self {
            Self::Bytes { file: (positions, byte), .. } => positions.at(*byte),
            Self::Nowhere => Position { line: 0, column: 0 },
        }
    }
}

/// What there is to report of a record beside its links.
#[derive(Clone, Debug, Default)]
pub struct Visited {
    /// Documents that were read.
    pub documents: u64,
    /// What was found, with places in the file or record.
    pub findings: Vec<Finding>,
    /// Relative references that were not searched for, if the table of the options notes them.
    pub unsearched: Unsearched,
}

/// Passes the links of a record of a file to `visit`: those in the header of its response, then those of each part. `listings` has those of
/// the parts if they are known.
pub fn visit_record(
    path: &Path,
    record: &str,
    entity: &Entity<'_>,
    (options, listings): (&Options, Vec<Listing>),
    visit: &mut dyn FnMut(Found<'_, '_, '_>),
) -> Visited {
    let capture = entity.capture.as_deref();
    let is_metadata = capture.is_some_and(|capture| capture.is_metadata);
    let visit = &mut |found: Found<'_, '_, '_>| match found {
        Found::Link(link, _) if is_metadata => {
            let link = LinkRow { start: 0, end: 0, written: "".into(), ..link.clone() };
            visit(Found::Link(&link, At::Nowhere));
        }
        found => visit(found),
    };
    let mut visited = Visited::default();
    visited.findings.extend(entity.findings.iter().cloned());
    let page = |part, url| {
        let date = capture.and_then(|capture| capture.date.as_deref());
        let record_id = capture.and_then(|capture| capture.id.as_deref());
        Found::Page(Page { path, record, part, url, date, record_id })
    };
    if let Some(capture) = capture {
        let listing = links_of_response(entity, options);
        visited.findings.extend(listing.findings);
        visit(page("", Some(&capture.url)));
        let [mut document, mut file] = [Positions::of(capture.head), Positions::of(capture.head)];
        for link in &listing.links {
            let at = At::Bytes { document: (&mut document, link.start), file: (&mut file, link.start) };
            visit(Found::Link(&link.into(), at));
        }
    }
    let mut positions = entity.positions();
    let mut listings = listings.into_iter();
    for part in &entity.parts {
        visit(page(&part.path, part.retrieval_url()));
        let mut add = |link: &LinkRow<'_>, document: &mut Positions<'_>| {
            let byte = entity.byte_of(part, link.start);
            let at = At::Bytes { document: (document, link.start), file: (&mut positions, byte) };
            visit(Found::Link(link, at));
        };
        let listing = match listings.next() {
            Some(listing) => {
                let mut positions = Positions::of_document(&entity.document(part));
                listing.links.iter().for_each(|link| add(&link.into(), &mut positions));
                listing
            }
            None => visit_links(entity, part, options, &mut add),
        };
        visited.documents += u64::from(part.document_type != DocumentType::Field && !listing.is_unread);
        visited.unsearched += listing.unsearched;
        visited.findings.extend(listing.findings.into_iter().map(|finding| {
            let position = finding.byte.map(|byte| positions.at(entity.byte_of(part, byte)));
            Finding { position, ..finding }
        }));
    }
    visited
}

/// Adds the links of a record of a file to rows, as [`visit_record`] passes them.
pub fn add_record<R: LinkRows>(
    rows: &mut R,
    path: &Path,
    record: &str,
    entity: &Entity<'_>,
    options: &Options,
) -> Visited {
    visit_record(path, record, entity, (options, Vec::new()), &mut |found| match found {
        Found::Page(page) => rows.begin(&page),
        Found::Link(link, mut at) => rows.add(link, &mut at),
    })
}
