//! `absolve links` and `absolve check`: all links, and those that are relative.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use absolve_files::shown;
use absolve_links::DocumentType;
use absolve_rewriter::{Finding, ListedLink, Part, Position, Positions, Status, links_of};

use crate::args::ListArguments;
use crate::inspect::{Inspected, inspect};
use crate::report::{count, finding_line, place_of, warn};
use crate::{Outcome, Stop, json};

/// All links with their targets and bases.
pub(crate) fn run(arguments: &ListArguments) -> Result<Outcome, Stop> {
    let seen = list(
        arguments,
        |_| true,
        |path, link| {
            let (status, reference, layer) = (link.status.name(), &link.reference, link.layer);
            let target = link.target.as_deref().unwrap_or("no target");
            format!("{path}: {status} {}: {reference} -> {target} ({layer})", place(link))
        },
    )?;
    Ok(seen.inspected.outcome)
}

/// The links that are relative, and of documents to be mailed those that no reader elsewhere can follow. A document that
/// could not be read cannot be said to have none.
pub(crate) fn check(arguments: &ListArguments) -> Result<Outcome, Stop> {
    let is_wanted = |link: &ListedLink| is_relative(link) || link.is_out_of_reach;
    let seen = list(arguments, is_wanted, |path, link| {
        let why = if link.is_out_of_reach { " (no reader elsewhere can follow it)" } else { "" };
        format!("{path}: {}: {}{why}", place(link), link.reference)
    })?;
    if !arguments.quiet {
        warn(&closing_line(&seen));
    }
    let is_clean = seen.links == 0 && seen.left_unread == 0 && seen.inspected.unread == 0;
    Ok(if is_clean { seen.inspected.outcome } else { Outcome::Failed })
}

fn is_relative(link: &ListedLink) -> bool {
    matches!(link.status, Status::Relative | Status::Unresolved(_))
}

/// Tells that something was looked at even where nothing was found.
fn closing_line(seen: &Seen) -> String {
    let mut line = format!("{} relative in {}", count(seen.relative, "link"), count(seen.documents, "document"));
    if seen.out_of_reach > 0 {
        line.push_str(&format!("; {} that no reader elsewhere can follow", count(seen.out_of_reach, "link")));
    }
    let unread = seen.left_unread + seen.inspected.unread as u64;
    if unread > 0 {
        line.push_str(&format!("; {} told above left something unread", count(unread, "finding")));
    }
    line
}

/// What a list came to.
struct Seen {
    /// Documents that were looked at.
    documents: u64,
    inspected: Inspected,
    /// Links that were listed.
    links: u64,
    /// Those of them that are relative.
    relative: u64,
    /// Those of them that no reader elsewhere can follow.
    out_of_reach: u64,
    /// What was left unread: documents, and stretches of them.
    left_unread: u64,
}

/// What was found in a file, or in a record of one.
struct Found {
    path: PathBuf,
    record: String,
    /// Whether it is all of the file.
    is_file: bool,
    documents: u64,
    findings: Vec<Finding>,
    links: Vec<(Position, ListedLink)>,
}

/// Lists the links that are wanted, as text by `line` or as JSON.
fn list(
    arguments: &ListArguments,
    is_wanted: impl Fn(&ListedLink) -> bool,
    line: impl Fn(&str, &ListedLink) -> String,
) -> Result<Seen, Stop> {
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut documents, mut links, mut left_unread) = (0, 0, 0);
    let (mut relative, mut out_of_reach) = (0, 0);
    let inspected = inspect(
        arguments,
        &|place, entity, options| {
            let mut positions = Positions::of(entity.bytes);
            let (mut findings, mut links) = (Vec::new(), Vec::new());
            findings.extend(entity.findings.iter().map(|finding| place.of(finding.clone(), finding.position)));
            for part in &entity.parts {
                let mut position = |byte| positions.at(entity.byte_of(part, byte));
                let listing = links_of(entity, part, options);
                findings.extend(listing.findings.into_iter().map(|finding| {
                    let position = finding.byte.map(&mut position);
                    place.of(finding, position)
                }));
                links.extend(listing.links.into_iter().map(|link| (position(link.start), link)));
            }
            let (path, record, is_file) = (place.path.to_owned(), place.record.to_owned(), place.is_file);
            let is_document = |part: &&Part| part.document_type != DocumentType::Field;
            let documents = entity.parts.iter().filter(is_document).count() as u64;
            Found { path, record, is_file, documents, findings, links }
        },
        &mut |Found { path, record, is_file, documents: more, findings, links: found }| {
            documents += more;
            for finding in findings {
                left_unread += u64::from(finding.code.leaves_unread());
                if !arguments.quiet {
                    warn(&finding_line(&path, &finding));
                }
            }
            for (position, link) in found.iter().filter(|(_, link)| is_wanted(link)) {
                links += 1;
                relative += u64::from(is_relative(link));
                out_of_reach += u64::from(link.is_out_of_reach);
                let place = || place_of(&path, if is_file { "" } else { &record }, &link.part, Some(*position));
                match (arguments.quiet, arguments.json) {
                    (true, _) => {}
                    (false, true) => writeln!(out, "{}", json::link(&path, &record, link))?,
                    (false, false) => writeln!(out, "{}", shown(&line(&place(), link)))?,
                }
            }
            Ok(())
        },
    )?;
    out.flush()?;
    Ok(Seen { documents, inspected, links, relative, out_of_reach, left_unread })
}

/// Where a link stands: `img@src`, or the type of a document without elements.
fn place(link: &ListedLink) -> String {
    match (&*link.element, &*link.attribute) {
        ("", _) => link.document_type.name().to_owned(),
        (element, "") => element.to_owned(),
        (element, attribute) => format!("{element}@{attribute}"),
    }
}
