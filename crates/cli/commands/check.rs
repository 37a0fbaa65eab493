//! `absolve check`: lists the links that are relative.

mod github;
mod page;
mod problem;
mod sarif;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufWriter, Write};

use absolve_links::{Group, Table};
use absolve_report::Kind;
use absolve_rewriter::results::Unsearched;
use absolve_rewriter::settings::Detail;
use absolve_rewriter::{ListedLink, Status};
use absolve_table::{LinkColumns, LinkRows, TextFormat, TextRows};

use crate::args::list::{CheckArguments, CheckFormat};
use crate::commands::check::github::annotations;
use crate::commands::check::page::CheckPage;
use crate::commands::check::problem::Problem;
use crate::commands::check::sarif::Sarif;
use crate::commands::html_report::{HtmlReport, unlisted, unwritten};
use crate::commands::listing::{Event, Listed, Writer, is_relative, list, nothing, text_lines};
use crate::commands::rewrite::side_files;
use crate::messages::count;
use crate::outcome::{Outcome, Stop};
use crate::streams::Streams;

/// Lists the links that are relative, with `--map` those that it covers, and with `--for mail` those that recipients cannot follow. Fails as well if a document
/// could not be read.
pub(crate) fn run(arguments: &CheckArguments, typed: &[OsString], streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let is_mapped = |link: &ListedLink| link.status == Status::Mapped;
    let is_wanted = |link: &ListedLink| is_relative(link) || is_mapped(link) || link.out_of_reach.is_some();
    let mut output = BufWriter::new(&streams.output);
    let inputs = &arguments.list.input;
    let page = side_files::page(&arguments.report, inputs, None)?;
    let mut page = page.map(|file| CheckPage::begin(HtmlReport::begin(Kind::Check, &inputs.inputs, file)));
    let detail = if page.is_some() { Detail::Shown } else { Detail::Counts };
    let mut writer = writer(arguments, &mut output)?;
    let mut write = |event: Event<'_>| {
        page.iter_mut().for_each(|page| page.add(event));
        writer(event)
    };
    let listed = list(&arguments.list, detail, is_wanted, &mut write, streams);
    drop(writer);
    let listed = listed.and_then(|listed| Ok(output.flush().map(|()| listed)?));
    let listed = listed.map_err(|stop| unlisted(stop, &arguments.report))?;
    let table = arguments.list.options.options().documents.table;
    let line = closing_line(&listed, &table, "above");
    if !arguments.list.quiet {
        streams.warn(&line);
    }
    let is_clean = listed.links == 0 && listed.left_unread == 0 && listed.inspected.unread.is_empty();
    if let Some(page) = page {
        let line = closing_line(&listed, &table, "below");
        let written = page.finish(inputs, typed, &line, &listed);
        written.or_else(|error| unwritten(arguments.report.report.as_deref(), &error))?;
    }
    Ok(match listed.inspected.outcome {
        Outcome::Done if !is_clean => Outcome::Failed,
        outcome => outcome,
    })
}

/// Returns the writer of the format.
fn writer<'o>(arguments: &CheckArguments, output: &'o mut dyn Write) -> Result<Box<Writer<'o>>, Stop> {
    Ok(match arguments.format() {
        _ if arguments.list.quiet => nothing(),
        CheckFormat::Text => text_lines(output, |row| Problem::of_link(row).line()),
        CheckFormat::Json => json_rows(output),
        CheckFormat::Sarif => {
            let mut log = Sarif::new(output);
            Box::new(move |event| log.write(event))
        }
        CheckFormat::Github => annotations(output),
    })
}

/// Returns a writer of objects with the columns of a link, but those with what is beside it.
fn json_rows(output: &mut dyn Write) -> Box<Writer<'_>> {
    let columns = LinkColumns::without_annotations();
    Box::new(move |event| match event {
        Event::Link(row) => {
            let mut rows = TextRows::new(TextFormat::Json, &columns);
            rows.begin(&row.page());
            rows.add(&row.link.into(), &mut row.clone());
            output.write_all(&rows.finish())
        }
        _ => Ok(()),
    })
}

/// Returns the counts, so that a run without relative links is not silent. `place` is where the findings stand.
fn closing_line(listed: &Listed, table: &Table, place: &str) -> String {
    let mut line = format!("{} relative in {}", count(listed.relative, "link"), count(listed.documents, "document"));
    if listed.mapped > 0 {
        line.push_str(&format!("; {} that --map covers", count(listed.mapped, "absolute link")));
    }
    if listed.out_of_reach > 0 {
        line.push_str(&format!("; {} that no reader elsewhere can follow", count(listed.out_of_reach, "link")));
    }
    let unread = listed.left_unread + listed.inspected.unread.len() as u64;
    if unread > 0 {
        line.push_str(&format!("; {} {place} left something unread", count(unread, "finding")));
    }
    if listed.inspected.unknown > 0 {
        line.push_str(&format!(
            "; {} of unknown type not read, which --include with --type reads",
            count(listed.inspected.unknown, "file")
        ));
    }
    let Unsearched { places, scripts, .. } = &listed.unsearched;
    if !places.is_empty() {
        let is_named = |group: &Group| {
            table.searched().iter().any(|row| row.group == *group)
                || places.keys().any(|(name, _)| *name == group.name())
        };
        let groups: Vec<&str> = Group::ALL.into_iter().filter(is_named).map(Group::name).collect();
        let names: BTreeSet<&str> = places.keys().map(|(_, place)| &**place).collect();
        let more = count(places.values().sum(), "more link");
        let names: Vec<&str> = names.into_iter().collect();
        line.push_str(&format!("; {more} in {}, with --groups {}", names.join(", "), groups.join(",")));
    }
    if *scripts > 0 {
        line.push_str(&format!("; {} with relative imports, which are not read", count(*scripts, "script")));
    }
    line
}
