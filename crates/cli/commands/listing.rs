//! Reading the links of all inputs: the common part of `links` and `check`. Their formats are writers.

mod columns;
mod row;

use std::path::PathBuf;
use std::sync::Arc;

use absolve_links::{DocumentType, Group};
use absolve_rewriter::internal::{Entity, Report, links_of, links_of_response, plan_and_list};
use absolve_rewriter::results::{Position, Unsearched};
use absolve_rewriter::settings::{Annotations, Detail};
use absolve_rewriter::{Finding, ListedLink, Listing, Options, Status};

use crate::args::list::ListArguments;
use crate::commands::inspect::{Inspected, Place, inspect};
use crate::messages::Findings;
use crate::outcome::Stop;
use crate::streams::Streams;

pub(crate) use columns::{COLUMNS, COLUMNS_WITHOUT_ANNOTATIONS, link_table};
pub(crate) use row::{Event, Row, Writer, nothing, text_lines};

/// What was listed.
pub(crate) struct Listed {
    /// Documents that were read.
    pub(crate) documents: u64,
    pub(crate) inspected: Inspected,
    /// Links that were listed.
    pub(crate) links: u64,
    /// Those of them that are relative.
    pub(crate) relative: u64,
    /// Those of them that are absolute, and lead elsewhere by a map.
    pub(crate) mapped: u64,
    /// Those of the relative ones that have no target, for want of a base or otherwise.
    pub(crate) unresolved: u64,
    /// Those of them that no reader elsewhere can follow.
    pub(crate) out_of_reach: u64,
    /// Findings about documents, or ranges of them, that were left unread.
    pub(crate) left_unread: u64,
    /// Relative references that were not searched for, unless texts and relations are listed.
    pub(crate) unsearched: Unsearched,
}

/// What was found in a file, or in a record of one.
struct FoundRecord {
    path: PathBuf,
    record: String,
    shown_record: String,
    documents: u64,
    findings: Vec<Finding>,
    date: Option<String>,
    record_id: Option<String>,
    links: Vec<FoundLink>,
    unsearched: Unsearched,
    /// What a run would make of it, if the writer needs it.
    report: Report,
}

struct FoundLink {
    position: Position,
    utf_16_column: Option<usize>,
    url: Option<Arc<str>>,
    link: ListedLink,
}

/// Lists the links that are wanted, in the order of the inputs. Files and records are read in parallel.
pub(crate) fn list(
    arguments: &ListArguments,
    (annotations, detail): (Annotations, Detail),
    is_wanted: impl Fn(&ListedLink) -> bool,
    write: &mut Writer<'_>,
    streams: &Streams<'_>,
) -> Result<Listed, Stop> {
    let (mut documents, mut links, mut left_unread) = (0, 0, 0);
    let (mut relative, mut mapped, mut unresolved, mut out_of_reach) = (0, 0, 0, 0);
    let change = |options: &mut Options| {
        (options.annotations, options.detail) = (annotations, detail);
        // Who lists all links has chosen where; a check that passes says what it has passed.
        if annotations == Annotations::Skip {
            options.table = options.table.clone().noting(&Group::ALL);
        }
    };
    let mut unsearched = Unsearched::default();
    let mut printed = Findings::unlimited(streams);
    let mut print = |found: FoundRecord| {
        documents += found.documents;
        unsearched += found.unsearched;
        for document in &found.report.documents {
            write(Event::Document(&found.path, document, &found.report.findings))?;
        }
        for finding in &found.findings {
            if finding.code.leaves_unread() {
                left_unread += 1;
                write(Event::Unread(&found.path, finding))?;
            }
            if !arguments.quiet {
                printed.print(&found.path, finding);
            }
        }
        for FoundLink { position, utf_16_column, url, link } in
            found.links.iter().filter(|found| is_wanted(&found.link))
        {
            links += 1;
            relative += u64::from(is_relative(link));
            mapped += u64::from(link.status == Status::Mapped);
            unresolved += u64::from(matches!(link.status, Status::Unresolved(_)));
            out_of_reach += u64::from(link.out_of_reach.is_some());
            write(Event::Link(&Row {
                path: &found.path,
                record: &found.record,
                shown_record: &found.shown_record,
                position: *position,
                utf_16_column: *utf_16_column,
                url: url.as_deref(),
                date: found.date.as_deref(),
                record_id: found.record_id.as_deref(),
                link,
            }))?;
        }
        Ok(())
    };
    let inspected = inspect(arguments, &change, &look, &mut print, streams);
    printed.finish();
    if let Err(Stop::Usage(why)) = &inspected {
        write(Event::Stopped(why))?;
    }
    let inspected = inspected?;
    inspected.unread.iter().try_for_each(|(path, finding)| write(Event::Unread(path, finding)))?;
    inspected.errors.iter().try_for_each(|error| write(Event::Failed(error)))?;
    write(Event::End)?;
    Ok(Listed { documents, inspected, links, relative, mapped, unresolved, out_of_reach, left_unread, unsearched })
}

/// Finds the links of a file or a record.
fn look(place: Place<'_>, entity: &Entity<'_>, options: &Options) -> FoundRecord {
    let capture = entity.capture.as_deref();
    let (mut findings, mut links, mut unsearched) = (Vec::new(), Vec::new(), Unsearched::default());
    findings.extend(entity.findings.iter().map(|finding| place.of(finding.clone(), finding.position)));
    if let Some(capture) = capture {
        let listing = links_of_response(entity, options);
        findings.extend(listing.findings.into_iter().map(|finding| place.of(finding, None)));
        let url: Option<Arc<str>> = Some(capture.url.as_str().into());
        links.extend(listing.links.into_iter().map(|link| {
            let position = Position { line: link.line, column: link.column };
            FoundLink { position, utf_16_column: None, url: url.clone(), link }
        }));
    }
    let mut documents = 0;
    let mut positions = entity.positions();
    let (listings, report) = listings_of(entity, options, place);
    for (part, listing) in entity.parts.iter().zip(listings) {
        documents += u64::from(part.document_type != DocumentType::Field && !listing.is_unread);
        unsearched += listing.unsearched;
        findings.extend(listing.findings.into_iter().map(|finding| {
            let position = finding.byte.map(|byte| positions.at(entity.byte_of(part, byte)));
            place.of(finding, position)
        }));
        let url: Option<Arc<str>> = part.retrieval_url().map(Arc::from);
        links.extend(listing.links.into_iter().map(|link| {
            let byte = entity.byte_of(part, link.start);
            let (position, utf_16_column) = (positions.at(byte), positions.utf_16_column(byte));
            FoundLink { position, utf_16_column, url: url.clone(), link }
        }));
    }
    FoundRecord {
        path: place.path.to_owned(),
        record: place.record.to_owned(),
        shown_record: place.shown_record().to_owned(),
        documents,
        findings,
        date: capture.and_then(|capture| capture.date.clone()),
        record_id: capture.and_then(|capture| capture.id.clone()),
        links,
        unsearched,
        report,
    }
}

/// Returns the links of the parts of an entity, and what a page shows of them if it is wanted.
fn listings_of(entity: &Entity<'_>, options: &Options, place: Place<'_>) -> (Vec<Listing>, Report) {
    if options.detail != Detail::Shown {
        return (entity.parts.iter().map(|part| links_of(entity, part, options)).collect(), Report::default());
    }
    let mut listings = Vec::with_capacity(entity.parts.len());
    let (_, mut report) = plan_and_list(entity, options, Some(&mut listings)).finish();
    report.documents.iter_mut().for_each(|document| place.shown_record().clone_into(&mut document.record));
    report.findings.iter_mut().for_each(|finding| place.shown_record().clone_into(&mut finding.record));
    (listings, report)
}

/// Returns the element and attribute of a link, as in `img@src`, or the type of a document without elements.
pub(crate) fn element_of(link: &ListedLink) -> String {
    match (&*link.element, &*link.attribute) {
        ("", _) => link.document_type.name().to_owned(),
        (element, "") => element.to_owned(),
        (element, attribute) => format!("{element}@{attribute}"),
    }
}

/// Returns whether a link is relative and is to become absolute.
pub(crate) fn is_relative(link: &ListedLink) -> bool {
    matches!(link.status, Status::Relative | Status::Unresolved(_))
}
