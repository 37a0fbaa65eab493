//! Reading the links of all inputs: the common part of `links` and `check`.

mod row;

use std::path::PathBuf;
use std::sync::Arc;

use absolve_links::Group;
use absolve_rewriter::internal::{Entity, LinkRow, Report, plan_and_list};
use absolve_rewriter::results::{Position, Unsearched};
use absolve_rewriter::settings::Detail;
use absolve_rewriter::{ListedLink, Listing, Options, Status};
use absolve_table::{Found, Locate, Visited, visit_record};

use crate::args::list::ListArguments;
use crate::commands::inspect::{Inspected, Place, inspect};
use crate::messages::Findings;
use crate::outcome::Stop;
use crate::streams::Streams;

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
    date: Option<String>,
    record_id: Option<String>,
    links: Vec<FoundLink>,
    visited: Visited,
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
    detail: Detail,
    is_wanted: impl Fn(&ListedLink) -> bool,
    write: &mut Writer<'_>,
    streams: &Streams<'_>,
) -> Result<Listed, Stop> {
    let (mut documents, mut links, mut left_unread) = (0, 0, 0);
    let (mut relative, mut mapped, mut unresolved, mut out_of_reach) = (0, 0, 0, 0);
    let change = |options: &mut Options| {
        options.detail = detail;
        // A check that passes says what it has passed.
        options.table = options.table.clone().noting(&Group::ALL);
    };
    let mut unsearched = Unsearched::default();
    let mut printed = Findings::unlimited(streams);
    let mut print = |found: FoundRecord| {
        let (findings, report) = (&found.visited.findings, &found.report);
        documents += found.visited.documents;
        for document in &report.documents {
            write(Event::Document(&found.path, document, &report.findings))?;
        }
        for finding in findings {
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
        unsearched += found.visited.unsearched;
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
    let (mut links, mut last) = (Vec::new(), None);
    let (listings, report) = listings_of(entity, options, place);
    let mut visited = visit_record(place.path, place.record, entity, (options, listings), &mut |found| match found {
        Found::Page(page) => last = page.url.map(Arc::from),
        Found::Link(link, mut at) => {
            let (position, link) = (at.in_file(), link.listed(at.in_document()));
            let utf_16_column = at.utf_16_column();
            links.push(FoundLink { position, utf_16_column, url: last.clone(), link });
        }
    });
    place_findings(place, &mut visited);
    let capture = entity.capture.as_deref();
    FoundRecord {
        path: place.path.to_owned(),
        record: place.record.to_owned(),
        shown_record: place.shown_record().to_owned(),
        date: capture.and_then(|capture| capture.date.clone()),
        record_id: capture.and_then(|capture| capture.id.clone()),
        links,
        visited,
        report,
    }
}

/// Gives findings the record that they are in.
pub(crate) fn place_findings(place: Place<'_>, visited: &mut Visited) {
    visited.findings.iter_mut().for_each(|finding| place.shown_record().clone_into(&mut finding.record));
}

/// Returns the links of the parts of an entity and what a page shows of them, if a page is wanted.
fn listings_of(entity: &Entity<'_>, options: &Options, place: Place<'_>) -> (Vec<Listing>, Report) {
    if options.detail != Detail::Shown {
        return Default::default();
    }
    let mut listings = Vec::with_capacity(entity.parts.len());
    let (_, mut report) = plan_and_list(entity, options, Some(&mut listings)).finish();
    report.documents.iter_mut().for_each(|document| place.shown_record().clone_into(&mut document.record));
    report.findings.iter_mut().for_each(|finding| place.shown_record().clone_into(&mut finding.record));
    (listings, report)
}

/// Returns the element and attribute of a link, as in `img@src`, or the type of a document without elements.
pub(crate) fn element_of(link: &LinkRow<'_>) -> String {
    match (&*link.element, link.attribute) {
        ("", _) => link.document_type.name().to_owned(),
        (element, "") => element.to_owned(),
        (element, attribute) => format!("{element}@{attribute}"),
    }
}

/// Returns whether a link is relative and is to become absolute.
pub(crate) fn is_relative(link: &ListedLink) -> bool {
    matches!(link.status, Status::Relative | Status::Unresolved(_))
}
