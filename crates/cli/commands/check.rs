//! `absolve check`: lists the links that are relative.

use std::io::{self, BufWriter, Write};

use absolve_rewriter::ListedLink;

use crate::args::list::ListArguments;
use crate::commands::listing::{JsonLines, LinkWriter, Listed, Nothing, TextLines, element_of, is_relative, list};
use crate::messages::{count, warn};
use crate::outcome::{Outcome, Stop};

/// Lists the links that are relative, and with `--for mail` those that recipients cannot follow. Fails as well if a document
/// could not be read.
pub(crate) fn run(arguments: &ListArguments) -> Result<Outcome, Stop> {
    let is_wanted = |link: &ListedLink| is_relative(link) || link.is_out_of_reach;
    let mut output = BufWriter::new(io::stdout().lock());
    let listed = list(arguments, is_wanted, &mut *writer(arguments, &mut output))?;
    output.flush()?;
    if !arguments.quiet {
        warn(&closing_line(&listed));
    }
    let is_clean = listed.links == 0 && listed.left_unread == 0 && listed.inspected.unread == 0;
    Ok(if is_clean { listed.inspected.outcome } else { Outcome::Failed })
}

/// Returns the writer of the format.
fn writer<'o>(arguments: &ListArguments, output: &'o mut dyn Write) -> Box<dyn LinkWriter + 'o> {
    match (arguments.quiet, arguments.json) {
        (true, _) => Box::new(Nothing),
        (false, true) => Box::new(JsonLines::new(output)),
        (false, false) => Box::new(TextLines::new(output, line)),
    }
}

fn line(place: &str, link: &ListedLink) -> String {
    let why = if link.is_out_of_reach { " (no reader elsewhere can follow it)" } else { "" };
    format!("{place}: {}: {}{why}", element_of(link), link.reference)
}

/// Returns the counts, so that a run without relative links is not silent.
fn closing_line(listed: &Listed) -> String {
    let mut line = format!("{} relative in {}", count(listed.relative, "link"), count(listed.documents, "document"));
    if listed.out_of_reach > 0 {
        line.push_str(&format!("; {} that no reader elsewhere can follow", count(listed.out_of_reach, "link")));
    }
    let unread = listed.left_unread + listed.inspected.unread as u64;
    if unread > 0 {
        line.push_str(&format!("; {} above left something unread", count(unread, "finding")));
    }
    line
}
