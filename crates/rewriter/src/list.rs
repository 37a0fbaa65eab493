//! Links as a list.

#[cfg(feature = "mail")]
pub(crate) mod response;
pub(crate) mod row;
pub(crate) mod unsearched;

use std::ops::ControlFlow;

use absolve_base::Layer;
use absolve_links::{Document, DocumentType, Refusal, Scan, inserted_bytes};

use crate::document::classify::decision::Depth;
use crate::document::context::DocumentContext;
use crate::document::plan::DocumentPlan;
use crate::document::tallies::other_base::other_base;
use crate::document::tallies::{Doubt, Tallies, before_base};
use crate::entity::Entity;
use crate::entity::part::Part;
use crate::finding::{Code, Finding};
use crate::findings;
use crate::limits::LISTED_TIMES;
use crate::list::row::{LinkRow, row};
use crate::list::unsearched::Unsearched;
use crate::options::{Annotations, Options};
use crate::position::Positions;
use crate::report::{OutOfReach, Status};

/// A link with its place, its meaning and its base.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedLink {
    /// The part that contains it; empty for a bare file.
    pub part: String,
    /// What the part is.
    pub document_type: DocumentType,
    /// Its first byte, in the part.
    pub start: usize,
    /// The end of the link: the byte after its last one.
    pub end: usize,
    /// The bytes in the document; those that are not UTF-8 are replaced.
    pub written: String,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// The byte of that line where it begins, from 1.
    pub column: usize,
    /// The element, in lower case, or the kind of object in JSON Feed; empty in a stylesheet and in plain text.
    pub element: String,
    /// The attribute, in lower case; empty in the text of an element or stylesheet.
    pub attribute: String,
    /// The reference, decoded from the way it is written.
    pub reference: String,
    /// The URL that it resolves to.
    pub target: Option<String>,
    /// What happens to it.
    pub status: Status,
    /// The base it resolves against.
    pub base: Option<String>,
    /// The layer that declared the base.
    pub layer: Layer,
    /// Why no reader elsewhere can follow it, in documents for mail ([`crate::options::Purpose::Mail`]).
    pub out_of_reach: Option<OutOfReach>,
    /// The text of an `a`, without scripts and styles, with single spaces, up to 200 characters. Only with
    /// [`Annotations::List`].
    pub text: Option<String>,
    /// The `rel` of its element or its `Link` field, up to 200 characters. Only with [`Annotations::List`].
    pub rel: Option<String>,
    /// The URL that the link leads from, if that is another one: the `anchor` of a `Link` field.
    pub anchor: Option<String>,
}

/// The links of a part, and what could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The links in the order of their bytes.
    pub links: Vec<ListedLink>,
    /// What was left unread or is in doubt. With findings, there may be more links.
    pub findings: Vec<Finding>,
    /// Whether nothing of it could be read; a finding says why.
    pub is_unread: bool,
    /// What was not searched for links.
    pub unsearched: Unsearched,
}

/// Returns the links of a part.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_rewriter::internal::{Entity, Retrieval, links_of};
/// use absolve_rewriter::Options;
/// let entity = Entity::bare_file(b"<p>\n<a href=x>", DocumentType::Html).retrieved_from(Retrieval::given("http://h/d/"));
/// let links = links_of(&entity, &entity.parts[0], &Options::default()).links;
/// assert_eq!((links[0].line, links[0].target.as_deref()), (2, Some("http://h/d/x")));
/// ```
pub fn links_of(entity: &Entity<'_>, part: &Part, options: &Options) -> Listing {
    let document = document_of(entity, part, options);
    links_of_scanned(&document, &part.scan(&document, &options.table), part, options)
}

/// What receives links, with the positions in the document.
pub type VisitLink<'v> = dyn FnMut(&LinkRow<'_>, &mut Positions<'_>) + 'v;

/// Passes the links of a part to `visit`, in the order of their bytes. Returns the listing without links.
///
/// ```
/// use absolve_rewriter::internal::{Entity, LinkRow, Positions, visit_links};
/// use absolve_rewriter::{DocumentType, Options};
/// let entity = Entity::bare_file(b"<a href=http://h/>", DocumentType::Html);
/// let mut targets = Vec::new();
/// let mut visit = |link: &LinkRow<'_>, _: &mut Positions<'_>| targets.extend(link.target.map(str::to_owned));
/// visit_links(&entity, &entity.parts[0], &Options::default(), &mut visit);
/// assert_eq!(targets, ["http://h/"]);
/// ```
pub fn visit_links(entity: &Entity<'_>, part: &Part, options: &Options, visit: &mut VisitLink<'_>) -> Listing {
    let document = document_of(entity, part, options);
    visit_scanned(&document, &part.scan(&document, &options.table), part, options, visit)
}

fn document_of<'d>(entity: &'d Entity<'_>, part: &'d Part, options: &Options) -> Document<'d> {
    match options.annotations {
        Annotations::Skip | Annotations::Captures => entity.document(part),
        Annotations::List => entity.document(part).with_annotations(),
    }
}

/// Returns the links of a part whose document was scanned.
pub(crate) fn links_of_scanned(
    document: &Document<'_>,
    scanned: &Result<Scan, Refusal>,
    part: &Part,
    options: &Options,
) -> Listing {
    let mut links = Vec::new();
    let listing = visit_scanned(document, scanned, part, options, &mut |row, positions| {
        links.push(row.listed(positions.at(row.start)));
    });
    Listing { links, ..listing }
}

fn visit_scanned(
    document: &Document<'_>,
    scanned: &Result<Scan, Refusal>,
    part: &Part,
    options: &Options,
    visit: &mut VisitLink<'_>,
) -> Listing {
    let mut listing = match scanned {
        Ok(scan) => of_scan(document, scan, part, options, visit),
        Err(why) => Listing { findings: vec![findings::refused(*why)], is_unread: true, ..Listing::default() },
    };
    for finding in &mut listing.findings {
        finding.part.clone_from(&part.path);
    }
    listing
}

fn of_scan(document: &Document<'_>, scan: &Scan, part: &Part, options: &Options, visit: &mut VisitLink<'_>) -> Listing {
    let mut findings: Vec<Finding> = findings::remarks(scan).collect();
    let Some(mut context) = DocumentContext::new(document, scan, part, options) else {
        findings.push(findings::output_too_large());
        return Listing { findings, ..Listing::default() };
    };
    if document.has_unsure_encoding() {
        let plan = DocumentPlan::in_same_encoding(&mut context).unwrap_or_default();
        findings.extend(plan.findings.into_iter().filter(|finding| finding.code == Code::CharsetNeeded));
    }
    let is_vetoed = part.protection.veto(options.signatures).is_some();
    let (mut index, mut scratch, mut positions) = (0, String::new(), Positions::of_document(document));
    let mut annotations = scan.annotations.iter().peekable();
    let mut room = LISTED_TIMES * inserted_bytes(document.bytes().len());
    let (tallies, end) = Tallies::of(&context, Depth::Fast, |link, decision| {
        let mut read = None;
        let Some(mut row) = row(&context, link, decision, (&mut read, &mut scratch)) else {
            return ControlFlow::Continue(());
        };
        while annotations.next_if(|annotation| annotation.links.end <= index).is_some() {}
        if let Some(annotation) = annotations.peek().filter(|annotation| annotation.links.contains(&index)) {
            (row.text, row.rel) = (annotation.text.as_deref(), annotation.rel.as_deref());
        }
        index += 1;
        if is_vetoed {
            row.status = row.status.unwritten();
        }
        let texts = [row.base, row.target, row.text, row.rel];
        room = room.saturating_sub(texts.into_iter().flatten().map(str::len).sum());
        visit(&row, &mut positions);
        if room > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    findings.extend(tallies.findings(&context, Doubt::is_listed));
    findings.extend(before_base::findings(&context));
    findings.extend(other_base(&context));
    findings.extend(end.is_break().then(findings::listing_too_large));
    Listing { findings, unsearched: Unsearched::of(&context), ..Listing::default() }
}
