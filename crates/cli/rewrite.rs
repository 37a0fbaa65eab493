//! `absolve rewrite`: makes links absolute.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use absolve_rewriter::{
    Action, Collection, Destination, Entity, Entry, EntryKind, FileError, FileType, Options, Report, RunReport,
    Unchanged, rewrite, rewrite_all,
};
use serde_json::{Map, Value, json};

use crate::args::RewriteArguments;
use crate::inputs::{check_url, entity, is_standard_input, open, read_standard_input};
use crate::json::{self, extend};
use crate::output::{Plan, plan};
use crate::report::{Telling, count, tell_errors, tell_findings, warn};
use crate::{Outcome, Stop, progress, wrong_use};

pub(crate) fn run(arguments: &RewriteArguments) -> Result<Outcome, Stop> {
    let start = Instant::now();
    let mut options = arguments.options.options();
    check_url(&arguments.input, options.rules)?;
    if is_standard_input(&arguments.input)? {
        let (bytes, file_type) = read_standard_input(&arguments.input)?;
        let entity = entity(&arguments.input, &bytes, file_type);
        let report = rewrite_stream(arguments, &entity, Path::new("-"), &options)?;
        return tell(arguments, &report, start);
    }
    let collection = open(&arguments.input, &arguments.options, &mut options)?;
    let report = match plan(arguments, &collection)? {
        Plan::Nothing(message) => {
            warn(&message);
            return Ok(Outcome::Done);
        }
        Plan::StandardOutput => rewrite_file_to_stream(arguments, &collection.entries[0], &options)?,
        Plan::To(destination) => {
            let report = rewrite_entries(arguments, collection, &options, &destination);
            stop_if_fatal(&report, "the rest was not done")?;
            report
        }
        Plan::Fill(folder) => {
            let destination = folder.destination();
            let report = rewrite_entries(arguments, collection, &options, &destination);
            let kept = format!("{} is kept; --resume continues it", folder.path().display());
            stop_if_fatal(&report, &kept)?;
            folder.finish()?;
            report
        }
    };
    tell(arguments, &report, start)
}

fn rewrite_entries(
    arguments: &RewriteArguments,
    collection: Collection,
    options: &Options,
    destination: &Destination,
) -> RunReport {
    let bar = progress::bar(&arguments.telling, collection.entries.iter().map(|entry| entry.size).sum());
    let unchanged = if arguments.only_changed { Unchanged::LeaveOut } else { Unchanged::Copy };
    let done = |entry: &Entry| bar.inc(entry.size);
    let mut report = rewrite_all(&collection.entries, options, destination, unchanged, &done);
    bar.finish_and_clear();
    report.findings.splice(0..0, collection.findings);
    report.errors.splice(0..0, collection.errors);
    report
}

/// No space left: every further file would fail alike.
fn stop_if_fatal(report: &RunReport, what_now: &str) -> Result<(), Stop> {
    match report.fatal() {
        Some(error) => wrong_use(format!("{error}; {what_now}")),
        None => Ok(()),
    }
}

fn rewrite_file_to_stream(arguments: &RewriteArguments, entry: &Entry, options: &Options) -> Result<RunReport, Stop> {
    let bytes = match fs::read(&entry.source) {
        Ok(bytes) => bytes,
        Err(error) => return Ok(failed(&entry.source, Action::Read, error)),
    };
    let known = match entry.kind {
        EntryKind::Document(file_type) => Some(file_type),
        _ => FileType::of_content(&bytes),
    };
    match known {
        Some(file_type) => {
            let entity = entity(&arguments.input, &bytes, file_type);
            rewrite_stream(arguments, &entity, &entry.name, options)
        }
        None => wrong_use(format!("{}: no document of a known type; --type names it", entry.name.display())),
    }
}

/// Rewrites one document that is in memory, to standard output or a file.
fn rewrite_stream(
    arguments: &RewriteArguments,
    entity: &Entity<'_>,
    path: &Path,
    options: &Options,
) -> Result<RunReport, Stop> {
    if arguments.in_place {
        return wrong_use("standard input cannot be changed in place");
    }
    let (mut report, mut out) = (Report::default(), Vec::new());
    let changed = rewrite(entity, options, &mut report, &mut out);
    match &arguments.output {
        Some(output) if output == Path::new("-") => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(&out)?;
            stdout.flush()?;
        }
        Some(output) if output.symlink_metadata().is_ok() && !arguments.force => {
            return wrong_use(format!("{} exists; --force replaces it", output.display()));
        }
        Some(output) => {
            if let Err(error) = fs::write(output, &out) {
                return Ok(failed(output, Action::Write, error));
            }
        }
        None => {}
    }
    Ok(RunReport {
        counts: report.counts,
        files_changed: u64::from(changed),
        bytes_in: entity.bytes.len() as u64,
        bytes_out: out.len() as u64,
        findings: report.findings.into_iter().map(|finding| (path.to_owned(), finding)).collect(),
        ..RunReport::default()
    })
}

fn failed(path: &Path, action: Action, error: io::Error) -> RunReport {
    RunReport { errors: vec![FileError::new(path, action, error)], ..RunReport::default() }
}

/// Tells what came of the run: findings and counts on standard error, the summary in its file.
fn tell(arguments: &RewriteArguments, report: &RunReport, start: Instant) -> Result<Outcome, Stop> {
    let telling = match (arguments.telling.quiet, arguments.telling.verbose) {
        (true, _) => Telling::Errors,
        (false, true) => Telling::All,
        (false, false) => Telling::First,
    };
    tell_findings(report, telling);
    tell_errors(&report.errors);
    let seconds = start.elapsed().as_secs_f64();
    if telling != Telling::Errors {
        warn(&closing_line(arguments, report, seconds));
    }
    if let Some(path) = &arguments.summary {
        let text = format!("{}\n", summary(arguments, report, seconds));
        if let Err(error) = fs::write(path, text) {
            return wrong_use(format!("cannot write {}: {error}", path.display()));
        }
    }
    Ok(if report.errors.is_empty() { Outcome::Done } else { Outcome::Failed })
}

fn closing_line(arguments: &RewriteArguments, report: &RunReport, seconds: f64) -> String {
    let counts = &report.counts;
    let mut line = format!(
        "{}, {}: {} made absolute, {} absolute before, {} to the same document",
        count(counts.documents, "document"),
        count(counts.links, "link"),
        counts.rewritten,
        counts.absolute,
        counts.same_document,
    );
    if counts.kept > 0 {
        line.push_str(&format!(", {} kept", counts.kept));
    }
    if counts.unresolved > 0 {
        line.push_str(&format!(", {} left relative", counts.unresolved));
    }
    line.push_str(&format!("; {} changed", count(report.files_changed, "file")));
    if report.files_resumed > 0 {
        line.push_str(&format!(", {} done before", report.files_resumed));
    }
    if arguments.dry_run {
        line.push_str(" (dry run: nothing was written)");
    }
    line.push_str(&format!("; {seconds:.2} s"));
    if counts.unresolved > 0 && arguments.input.url.is_none() {
        line.push_str("\n--url tells the URL that the input was retrieved from");
    }
    line
}

fn summary(arguments: &RewriteArguments, report: &RunReport, seconds: f64) -> Value {
    let mut object = Map::new();
    extend(&mut object, json!({ "inputs": arguments.input.inputs.len(), "records": report.counts.documents }));
    extend(&mut object, json::counts(&report.counts));
    let rest = json!({
        "findings": report.findings_by_code(),
        "errors": report.errors.len(),
        "files_changed": report.files_changed,
        "files_resumed": report.files_resumed,
        "bytes_in": report.bytes_in,
        "bytes_out": report.bytes_out,
        "seconds": seconds,
    });
    extend(&mut object, rest);
    object.into()
}
