//! `absolve links` and `absolve check`: all links, and those that are relative.

use std::io::{self, BufWriter, Write};

use absolve_files::shown;
use absolve_links::DocumentType;
use absolve_rewriter::{Finding, ListedLink, Listing, Part, Status, links_of};

use crate::args::ListArguments;
use crate::inspect::{Inspected, inspect};
use crate::report::{count, finding_line, name_of, warn};
use crate::{Outcome, Stop, json};

/// All links with their targets and bases.
pub(crate) fn run(arguments: &ListArguments) -> Result<Outcome, Stop> {
    let seen = list(
        arguments,
        |_| true,
        |path, link| {
            let (line, status, reference, layer) = (link.line, link.status.name(), &link.reference, link.layer);
            let target = link.target.as_deref().unwrap_or("no target");
            format!("{path}:{line}: {status} {}: {reference} -> {target} ({layer})", place(link))
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
        format!("{path}:{}: {}: {}{why}", link.line, place(link), link.reference)
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
        &|path, record, entity, options| {
            let whole = Listing { findings: entity.findings.clone(), ..Listing::default() };
            let parts = entity.parts.iter().map(|part| links_of(entity, part, options));
            let parts: Vec<Listing> = std::iter::once(whole).chain(parts).collect();
            let is_document = |part: &&Part| part.document_type != DocumentType::Field;
            (path.to_owned(), record.to_owned(), parts, entity.parts.iter().filter(is_document).count() as u64)
        },
        &mut |(path, record, parts, count)| {
            documents += count;
            for part in parts {
                for finding in &part.findings {
                    left_unread += u64::from(finding.code.leaves_unread());
                    if !arguments.quiet {
                        warn(&finding_line(&path, &Finding { record: record.clone(), ..finding.clone() }));
                    }
                }
                for link in part.links.iter().filter(|link| is_wanted(link)) {
                    links += 1;
                    relative += u64::from(is_relative(link));
                    out_of_reach += u64::from(link.is_out_of_reach);
                    match (arguments.quiet, arguments.json) {
                        (true, _) => {}
                        (false, true) => writeln!(out, "{}", json::link(&path, &record, link))?,
                        (false, false) => {
                            writeln!(out, "{}", shown(&line(&name_of(&path, &record, &link.part), link)))?
                        }
                    }
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
