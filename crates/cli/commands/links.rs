//! `absolve links`: lists all links with their targets and bases.

use std::io::{self, BufWriter, Write};

use absolve_rewriter::ListedLink;

use crate::args::links::{LinksArguments, LinksFormat};
use crate::commands::listing::{JsonLines, LinkWriter, Nothing, TextLines, element_of, list};
use crate::outcome::{Outcome, Stop};

pub(crate) fn run(arguments: &LinksArguments) -> Result<Outcome, Stop> {
    let mut output = BufWriter::new(io::stdout().lock());
    let listed = list(&arguments.list, |_| true, &mut *writer(arguments, &mut output))?;
    output.flush()?;
    Ok(listed.inspected.outcome)
}

/// Returns the writer of the format.
fn writer<'o>(arguments: &LinksArguments, output: &'o mut dyn Write) -> Box<dyn LinkWriter + 'o> {
    match arguments.format() {
        _ if arguments.list.quiet => Box::new(Nothing),
        LinksFormat::Text => Box::new(TextLines::new(output, line)),
        LinksFormat::Json => Box::new(JsonLines::new(output)),
    }
}

fn line(place: &str, link: &ListedLink) -> String {
    let (status, reference, layer) = (link.status.name(), &link.reference, link.layer);
    let target = link.target.as_deref().unwrap_or("no target");
    format!("{place}: {status} {}: {reference} -> {target} ({layer})", element_of(link))
}
