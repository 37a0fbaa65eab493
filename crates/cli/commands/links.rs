//! `absolve links`: lists all links with their targets and bases.

mod hosts;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use absolve_files::Existing;
use absolve_rewriter::settings::{Annotations, Detail};

use crate::args::list::{LinksArguments, LinksFormat};
use crate::commands::links::hosts::host_table;
use crate::commands::listing::{COLUMNS, Listed, Row, Writer, element_of, link_table, list, nothing, text_lines};
use crate::commands::rewrite::side_files::{new_file, refuse_input};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::streams::Streams;

pub(crate) fn run(arguments: &LinksArguments, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    arguments.format().check()?;
    let listed = match arguments.output.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => list_to_file(arguments, path, streams)?,
        None if arguments.list.quiet => list_all(arguments, &mut nothing(), streams)?,
        None => {
            let output = &streams.output;
            if arguments.format() == LinksFormat::Parquet && output.is_terminal() {
                return usage_error("Parquet is not for a terminal; give -o FILE");
            }
            list_to(arguments, &mut BufWriter::new(output), streams)?
        }
    };
    Ok(listed.inspected.outcome)
}

/// Writes a file, which is there when all links are written.
fn list_to_file(arguments: &LinksArguments, path: &Path, streams: &Streams<'_>) -> Result<Listed, Stop> {
    refuse_input("output", path, &arguments.list.input)?;
    let file = new_file(path, if arguments.force { Existing::Replace } else { Existing::Refuse })?;
    let mut listed = None;
    let written = file.write(|output| match list_to(arguments, output, streams) {
        Err(Stop::Io(error)) => Err(error),
        other => {
            // Without links to write, no file is written.
            let is_done = other.is_ok();
            listed = Some(other);
            if is_done { Ok(()) } else { Err(io::ErrorKind::Other.into()) }
        }
    });
    match (listed, written) {
        (Some(Err(stop)), _) => Err(stop),
        (Some(Ok(listed)), Ok(())) => Ok(listed),
        (_, Err(error)) => usage_error(format!("cannot write {}: {error}", path.display())),
        (None, Ok(())) => usage_error(format!("cannot write {}", path.display())),
    }
}

fn list_to(arguments: &LinksArguments, mut output: &mut dyn Write, streams: &Streams<'_>) -> Result<Listed, Stop> {
    let listed = list_all(arguments, &mut writer(arguments, &mut output)?, streams)?;
    output.flush()?;
    Ok(listed)
}

/// Lists all links, with their texts and relations, and those in headers of HTTP responses.
fn list_all(arguments: &LinksArguments, write: &mut Writer<'_>, streams: &Streams<'_>) -> Result<Listed, Stop> {
    list(&arguments.list, (Annotations::List, Detail::Counts), |_| true, write, streams)
}

/// Returns the writer of the format.
fn writer<'o>(arguments: &LinksArguments, output: &'o mut dyn Write) -> Result<Box<Writer<'o>>, Stop> {
    Ok(match (arguments.format(), arguments.unique_hosts) {
        (LinksFormat::Text, false) => text_lines(output, line),
        (format, false) => link_table(format.writer(COLUMNS, output)?),
        (format, true) => host_table(format.writer(hosts::COLUMNS, output)?),
    })
}

fn line(row: &Row<'_>) -> String {
    let (place, link) = (row.place(), row.link);
    let (status, reference, layer) = (link.status.name(), &link.reference, link.layer);
    let target = link.target.as_deref().unwrap_or("no target");
    format!("{place}: {status} {}: {reference} -> {target} ({layer})", element_of(link))
}
