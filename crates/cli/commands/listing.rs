//! Reading the links of all inputs: the common part of `links` and `check`. Their formats are writers.

mod json_lines;
mod text_lines;

use std::io;
use std::path::{Path, PathBuf};

use absolve_links::DocumentType;
use absolve_rewriter::{Finding, ListedLink, Part, Position, Positions, Status, links_of};

use crate::args::list::ListArguments;
use crate::commands::inspect::{Inspected, inspect};
use crate::messages::{finding_line, place_of, warn};
use crate::outcome::Stop;

pub(crate) use json_lines::JsonLines;
pub(crate) use text_lines::TextLines;

/// Writes links in one format.
pub(crate) trait LinkWriter {
    /// Writes a link.
    fn write(&mut self, row: &Row<'_>) -> io::Result<()>;

    /// Writes what follows the last link.
    fn finish(&mut self) -> io::Result<()>;
}

/// A link, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'r> {
    pub(crate) path: &'r Path,
    /// The record it is in, or the unique name of a message in a Maildir; empty for a document that is a file.
    pub(crate) record: &'r str,
    /// The record, unless it is all of the file.
    pub(crate) shown_record: &'r str,
    /// Its line and column in the file, or in the record.
    pub(crate) position: Position,
    pub(crate) link: &'r ListedLink,
}

impl Row<'_> {
    /// Returns where the link stands, as in `page.html:3:17`.
    pub(crate) fn place(&self) -> String {
        place_of(self.path, self.shown_record, &self.link.part, Some(self.position))
    }
}

/// What was listed.
pub(crate) struct Listed {
    /// Documents that were read.
    pub(crate) documents: u64,
    pub(crate) inspected: Inspected,
    /// Links that were listed.
    pub(crate) links: u64,
    /// Those of them that are relative.
    pub(crate) relative: u64,
    /// Those of them that no reader elsewhere can follow.
    pub(crate) out_of_reach: u64,
    /// Findings about documents, or ranges of them, that were left unread.
    pub(crate) left_unread: u64,
}

/// What was found in a file, or in a record of one.
struct Found {
    path: PathBuf,
    record: String,
    shown_record: String,
    documents: u64,
    findings: Vec<Finding>,
    links: Vec<(Position, ListedLink)>,
}

/// Lists the links that are wanted, in the order of the inputs. Files and records are read in parallel.
pub(crate) fn list(
    arguments: &ListArguments,
    is_wanted: impl Fn(&ListedLink) -> bool,
    writer: &mut dyn LinkWriter,
) -> Result<Listed, Stop> {
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
            let (path, record) = (place.path.to_owned(), place.record.to_owned());
            let shown_record = place.shown_record().to_owned();
            let is_document = |part: &&Part| part.document_type != DocumentType::Field;
            let documents = entity.parts.iter().filter(is_document).count() as u64;
            Found { path, record, shown_record, documents, findings, links }
        },
        &mut |Found { path, record, shown_record, documents: more, findings, links: found }| {
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
                let row = Row { path: &path, record: &record, shown_record: &shown_record, position: *position, link };
                writer.write(&row)?;
            }
            Ok(())
        },
    )?;
    writer.finish()?;
    Ok(Listed { documents, inspected, links, relative, out_of_reach, left_unread })
}

/// Writes no link: for `--quiet`.
pub(crate) struct Nothing;

impl LinkWriter for Nothing {
    fn write(&mut self, _: &Row<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
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
