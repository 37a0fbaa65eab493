//! Links as a list.

pub(crate) mod response;
pub(crate) mod unsearched;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use absolve_base::{Base, Layer};
use absolve_links::{DocumentType, Link, Place};

use crate::document::charset::outcome_in_same_encoding;
use crate::document::classify::{Classified, classify_all_fully};
use crate::document::context::DocumentContext;
use crate::document::out_of_reach::{is_perhaps_host, reach_of_link};
use crate::document::placeholder_tally::Placeholders;
use crate::entity::Entity;
use crate::entity::part::Part;
use crate::finding::{Code, Finding};
use crate::findings::{self, Tally};
use crate::limits::{LISTED_TIMES, inserted_bytes};
use crate::list::unsearched::Unsearched;
use crate::options::{Annotations, Options};
use crate::position::{Position, Positions};
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
    /// The element, in lower case; empty in a stylesheet and in plain text.
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
/// use absolve_rewriter::{Entity, Options, Retrieval, links_of};
/// let entity = Entity::bare_file(b"<p>\n<a href=x>", DocumentType::Html).retrieved_from(Retrieval::given("http://h/d/"));
/// let links = links_of(&entity, &entity.parts[0], &Options::default()).links;
/// assert_eq!((links[0].line, links[0].target.as_deref()), (2, Some("http://h/d/x")));
/// ```
pub fn links_of(entity: &Entity<'_>, part: &Part, options: &Options) -> Listing {
    let mut listing = listing(entity, part, options);
    for finding in &mut listing.findings {
        finding.part.clone_from(&part.path);
    }
    // Signed parts are not changed.
    let is_kept = part.protection.keeps(options.signatures);
    for link in listing.links.iter_mut().filter(|link| is_kept && link.status == Status::Relative) {
        link.status = Status::Kept;
    }
    listing
}

fn listing(entity: &Entity<'_>, part: &Part, options: &Options) -> Listing {
    let document = match options.annotations {
        Annotations::Skip => entity.document(part),
        Annotations::List => entity.document(part).with_annotations(),
    };
    let scan = match document.scan(&options.table) {
        Ok(scan) => scan,
        Err(refusal) => {
            return Listing { findings: vec![findings::refused(refusal)], is_unread: true, ..Listing::default() };
        }
    };
    let mut findings: Vec<Finding> = scan.remarks.iter().map(findings::remark).collect();
    let mut room = LISTED_TIMES * inserted_bytes(&document);
    let Some(mut context) = DocumentContext::new(&document, &scan, part, options) else {
        findings.push(findings::output_too_large());
        return Listing { findings, ..Listing::default() };
    };
    if document.has_unsure_encoding() {
        let trial = outcome_in_same_encoding(&mut context).map(|outcome| outcome.findings).unwrap_or_default();
        findings.extend(trial.into_iter().filter(|finding| finding.code == Code::CharsetNeeded));
    }
    let mut listed = Vec::with_capacity(scan.links.len());
    let (mut placeholders, mut hosts) = (Placeholders::default(), Tally::default());
    let mut items: BTreeMap<_, Tally> = BTreeMap::new();
    let mut positions = Positions::of_document(&document);
    let mut index = 0;
    let end = classify_all_fully(&context, |link, classified| {
        let annotation = scan.annotation(index);
        index += 1;
        let Classified::Full { reference, status, target, .. } = classified else { return ControlFlow::Continue(()) };
        let Position { line, column } = positions.at(link.range.start);
        let base = context.base_of(link, reference.text());
        if status == Status::Kept {
            placeholders.add(reference.text(), link.range.start, options);
        }
        if is_perhaps_host(options, status, reference.text()) {
            hosts.add(link.range.start);
        }
        if let Some(doubt) = context.doubt_of(link, status, reference.text()) {
            items.entry(doubt).or_default().add(link.range.start);
        }
        listed.push(ListedLink {
            part: part.path.clone(),
            document_type: part.document_type,
            start: link.range.start,
            end: link.range.end,
            written: String::from_utf8_lossy(&document.bytes()[link.range.clone()]).into_owned(),
            line,
            column,
            element: document.element(link),
            attribute: attribute(link, options),
            reference: reference.text().to_owned(),
            target: target_of(status, reference.text(), target, base),
            status,
            base: base.and_then(|base| base.url.as_ref()).map(|url| url.as_str().to_owned()),
            layer: base.map_or(Layer::None, |base| base.layer),
            out_of_reach: reach_of_link(&context, link, status, reference.text(), target),
            text: annotation.and_then(|annotation| annotation.text.clone()),
            rel: annotation.and_then(|annotation| annotation.rel.clone()),
            anchor: None,
        });
        let texts = listed.last().map(|link| [&link.base, &link.target, &link.text, &link.rel]);
        let length = texts.map_or(0, |texts| texts.into_iter().flatten().map(String::len).sum());
        room = room.saturating_sub(length);
        if room > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    findings.extend(placeholders.findings());
    findings.extend(items.iter().map(|(doubt, tally)| findings::feed_base(*doubt, *tally)));
    findings.extend((hosts.count > 0).then(|| findings::perhaps_hosts(hosts)));
    if end.is_break() {
        findings.push(findings::listing_too_large());
    }
    Listing { links: listed, findings, is_unread: false, unsearched: Unsearched::of(&context) }
}

fn target_of(status: Status, reference: &str, target: &str, base: Option<&Base>) -> Option<String> {
    match status {
        Status::Relative => Some(target.to_owned()),
        Status::Absolute => Some(reference.to_owned()),
        Status::SameDocument => base?.url.as_ref()?.resolve(reference).ok(),
        Status::Kept if !target.is_empty() => Some(target.to_owned()),
        Status::Kept | Status::Unresolved(_) => None,
    }
}

fn attribute(link: &Link, options: &Options) -> String {
    match link.place {
        Place::Attribute { row, .. } => options.table.rows()[usize::from(row)].attribute.clone().into_owned(),
        _ => String::new(),
    }
}
