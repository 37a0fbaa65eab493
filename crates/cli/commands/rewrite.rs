//! `absolve rewrite`: makes links absolute.

pub(crate) mod csv_report;
pub(crate) mod destination;
pub(crate) mod diff_output;
pub(crate) mod left_unchanged;
pub(crate) mod missing;
pub(crate) mod rows;
pub(crate) mod side_files;

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use absolve_containers::{ArchiveCounts, ArchiveOptions, FileType, record_date};
use absolve_files::{
    Collection, Column, Entry, Given, InPlace, Journal, NewFolder, Output, RunEvent, RunReport, Symlinks, Sync,
    Unchanged, rewrite_all,
};
use absolve_rewriter::settings::Detail;
use absolve_rewriter::{Counts, Options};
use serde_json::{Value, json};

use crate::args::rewrite::RewriteArguments;
use crate::commands::html_report::unwritten;
use crate::commands::rewrite::destination::{
    Plan, column_of, columns_by_option, is_one_file, output_of, plan, refuse_cell, root_of,
};
use crate::commands::rewrite::left_unchanged::lacks_base;
use crate::commands::rewrite::missing::Missing;
use crate::commands::rewrite::rows::Rows;
use crate::commands::rewrite::side_files::SideFiles;
use crate::inputs::{check_url, open};
use crate::json::{self, joined};
use crate::messages::{self, Findings, count, print_errors, print_more_findings};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::progress::{self, Bar};
use crate::recorded::Typed;
use crate::streams::Streams;
use crate::wording::file_error;

pub(crate) fn run(mut arguments: RewriteArguments, typed: &Typed<'_>, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let start = Instant::now();
    arguments.output = output_of(&arguments, streams)?;
    let mut options = arguments.options.options();
    options.output = arguments.warc;
    check_url(&arguments.input, options.documents.rules)?;
    refuse_copied_links(&arguments)?;
    let shown = progress::is_shown(&arguments.messages, streams);
    let mut collection = open(&arguments.input, &arguments.options, &mut options.documents, shown)?;
    arguments.warc_date = date_of_records(&arguments, &collection)?;
    options.date = arguments.warc_date;
    let arguments = &arguments;
    let SideFiles { summary, report: rows, diffs } = side_files::begin(arguments, &collection, streams)?;
    let missing = Missing::of(&arguments.input, &collection);
    let root = root_of(&arguments.input);
    let (destination, folder, _lock) = match plan(arguments, &collection, root.as_ref())? {
        Plan::Nothing(message) if summary.is_some() || rows.is_some() => {
            return usage_error(format!("{message}, so no --summary and no --report is written"));
        }
        Plan::Nothing(message) => {
            print_errors(&collection.errors, streams);
            streams.warn(&message);
            return Ok(if collection.errors.is_empty() { Outcome::Done } else { Outcome::Failed });
        }
        Plan::To(destination, lock) => (destination, None, lock),
        Plan::Fill(folder) => (folder.destination(), Some(folder), None),
    };
    collection.entries.splice(0..0, root);
    let mut in_place = in_place(arguments, typed.line, &mut collection)?;
    options.documents.detail = rows.as_ref().map_or(Detail::Counts, Rows::detail);
    let mut output = Output::to(&destination);
    output.unchanged = if arguments.only_changed { Unchanged::LeaveOut } else { Unchanged::Copy };
    (output.in_place, output.diffs) = (&in_place, diffs.as_ref());
    let mut findings = Findings::new(&arguments.messages, streams);
    let report = rewrite_entries(arguments, collection, &options, output, rows.as_ref(), &mut findings);
    let mut withdraw = || in_place.journal.take().into_iter().for_each(Journal::withdraw);
    let unfinished = finish_folder(arguments, folder, &report).inspect_err(|_| withdraw())?;
    let reported = rows.map_or(Ok(()), |rows| rows.finish(arguments, typed.line, (&report, unfinished.as_deref())));
    let not_shown = if arguments.messages.quiet { &[] } else { &*report.not_shown };
    diff_output::show(diffs, not_shown, streams)?;
    let seconds = start.elapsed().as_secs_f64();
    let hidden = findings.finish();
    print(arguments, &options.documents, (&report, hidden), seconds, streams);
    unfinished.into_iter().for_each(|line| streams.fail(&line));
    if let Some(file) = summary {
        let written = file.write(|output| writeln!(output, "{}", object(arguments, &typed.options, &report, seconds)));
        written.or_else(|error| unwritten(arguments.summary.as_deref(), &error))?;
    }
    reported.or_else(|error| unwritten(arguments.report.as_deref(), &error))?;
    let lack = lacks_base(arguments, &options.documents, &report);
    let lines = if lack.is_none() { missing.lines(arguments, &report) } else { Vec::new() };
    lack.iter().chain(&lines).for_each(|line| streams.fail(line));
    if !lines.is_empty() {
        withdraw();
        return Ok(Outcome::MissingInput);
    }
    Ok(if lack.is_none() && report.errors.is_empty() { Outcome::Done } else { Outcome::Failed })
}

/// Refuses `--symlinks copy` where no new files are written.
fn refuse_copied_links(arguments: &RewriteArguments) -> Result<(), Stop> {
    match arguments.input.source.symlinks {
        Symlinks::Copy => {
            columns_by_option(arguments).into_iter().try_for_each(|column| refuse_cell(Given::CopiedLinks.to(column)))
        }
        Symlinks::Keep => Ok(()),
    }
}

/// Renames a complete folder. Returns what is left to do in one that is not.
fn finish_folder(
    arguments: &RewriteArguments,
    folder: Option<NewFolder>,
    report: &RunReport,
) -> Result<Option<String>, Stop> {
    let Some(folder) = folder else {
        return stop_if_fatal(arguments, report, "the remaining files were skipped").map(|()| None);
    };
    let kept = kept(folder.path());
    stop_if_fatal(arguments, report, &kept)?;
    match report.not_done() {
        0 => Ok(folder.finish().map(|()| None)?),
        number => Ok(Some(format!("{} failed; {kept}", count(number as u64, "file")))),
    }
}

/// Returns the date of added records. That of the environment may be set for other programs: it only has to be one where
/// records are added.
fn date_of_records(arguments: &RewriteArguments, collection: &Collection) -> Result<Option<SystemTime>, Stop> {
    let Some(text) = env::var_os("SOURCE_DATE_EPOCH").filter(|_| arguments.warc_date.is_none()) else {
        return Ok(arguments.warc_date);
    };
    let is_archive =
        |entry: &Entry| matches!(entry.file_type(), Ok(Some(FileType::WARC | FileType::ARC | FileType::Wacz)));
    let seconds = text.to_str().filter(|text| text.parse::<u64>().is_ok());
    match seconds.and_then(record_date) {
        None if collection.entries.iter().any(is_archive) => usage_error(format!(
            "SOURCE_DATE_EPOCH is {text:?}, no number of seconds since 1970; --warc-date replaces it"
        )),
        date => Ok(date),
    }
}

/// Returns how files are changed in place. Backups and the journal are removed from the input.
fn in_place(arguments: &RewriteArguments, line: &[OsString], collection: &mut Collection) -> Result<InPlace, Stop> {
    let RewriteArguments { in_place_arguments: arguments, dry_run, .. } = arguments;
    let mut in_place = InPlace::default();
    in_place.sync = if arguments.sync { Sync::EachFile } else { Sync::Later };
    if let Some(suffix) = &arguments.backup {
        collection.leave_out_backups(suffix.as_ref());
        in_place.backup = Some(suffix.into());
    }
    if let Some(path) = &arguments.journal {
        let typed: Vec<String> = line.iter().skip(1).map(|typed| typed.to_string_lossy().into_owned()).collect();
        side_files::leave_out(path, collection)?;
        if !dry_run {
            in_place.journal = Some(Journal::open(path, &typed).or_else(|error| usage_error(error.to_string()))?);
        }
    }
    Ok(in_place)
}

fn rewrite_entries(
    arguments: &RewriteArguments,
    collection: Collection,
    options: &ArchiveOptions,
    sink: Output<'_>,
    rows: Option<&Rows>,
    findings: &mut Findings<'_, '_>,
) -> RunReport {
    let bar = Bar::over(&collection.entries, progress::is_shown(&arguments.messages, findings.streams()));
    findings.streams().interrupted.note(when_interrupted(arguments), Some(bar.counter()));
    let findings = Mutex::new(findings);
    let listener = |event: RunEvent<'_>| {
        rows.iter().for_each(|rows| rows.add(event));
        match event {
            RunEvent::Finding { path, finding } => bar.suspend(|| {
                findings.lock().unwrap_or_else(PoisonError::into_inner).print(path, finding);
            }),
            event => bar.note(event),
        }
    };
    let report = rewrite_all(collection, options, sink, &listener);
    bar.clear();
    report
}

/// Returns what becomes of the output if the run is interrupted.
fn when_interrupted(arguments: &RewriteArguments) -> String {
    const EACH: &str = "each file is as it was or complete, and the same command goes on";
    match (column_of(arguments), &arguments.output) {
        _ if arguments.dry_run => String::new(),
        (Some(Column::Folder), Some(output)) if !output.is_dir() => kept(&NewFolder::partial_of(output)),
        (Some(Column::File), Some(output)) => messages::not_written(output),
        (Some(Column::StandardOutput), _) => "the output is not complete".to_owned(),
        _ => match &arguments.in_place_arguments.journal {
            Some(journal) => format!("{EACH}; absolve revert {} undoes it", journal.display()),
            None => EACH.to_owned(),
        },
    }
}

/// Returns how to go on with an incomplete folder.
pub(crate) fn kept(partial: &Path) -> String {
    format!("{} is kept; --resume continues it", partial.display())
}

/// Stops if the disk is full, so that every further file would fail, if the reader of the output is gone and nothing else was asked for,
/// or if the only file cannot be written as it was asked for.
fn stop_if_fatal(arguments: &RewriteArguments, report: &RunReport, what_now: &str) -> Result<(), Stop> {
    let is_recorded = arguments.summary.is_some() || arguments.report.is_some();
    if !is_recorded && report.errors.iter().any(|error| error.source.kind() == io::ErrorKind::BrokenPipe) {
        return Err(Stop::Io(io::ErrorKind::BrokenPipe.into()));
    }
    if let Some(error) = report.errors.iter().find(|error| error.is_refusal() && is_one_file(&arguments.input)) {
        return usage_error(file_error(error));
    }
    match report.fatal() {
        Some(error) => usage_error(format!("{error}; {what_now}")),
        None => Ok(()),
    }
}

/// Prints the errors, the number of findings that were not printed, and the counts.
fn print(
    arguments: &RewriteArguments,
    options: &Options,
    (report, hidden_findings): (&RunReport, u64),
    seconds: f64,
    streams: &Streams<'_>,
) {
    if !arguments.messages.quiet {
        print_more_findings(hidden_findings, report, streams);
    }
    print_errors(&report.errors, streams);
    if !arguments.messages.quiet {
        closing_line(arguments, report, seconds).lines().for_each(|line| streams.warn(line));
        left_unchanged::lines(arguments, options, report).iter().for_each(|line| streams.warn(line));
    }
}

fn closing_line(arguments: &RewriteArguments, report: &RunReport, seconds: f64) -> String {
    let Counts { documents, links, .. } = report.counts;
    let (documents, links) = (count(documents, "document"), count(links, "link"));
    let mut line = format!("{documents}, {links}: {}", messages::links(&report.counts));
    line.push_str(&format!("; {} changed", count(report.files_changed, "file")));
    if report.files_resumed > 0 {
        line.push_str(&format!(", {} done by the interrupted run", report.files_resumed));
    }
    if arguments.dry_run {
        line.push_str(" (dry run: nothing was written)");
    }
    line.push_str(&format!("; {seconds:.2} s"));
    let ArchiveCounts { conversions, resources, .. } = report.archives;
    if conversions > 0 {
        let written = count(conversions, "conversion");
        line.push_str(&format!("\n{written} written; pywb replays them, ReplayWeb.page and OpenWayback do not"));
        line.push_str(" (--warc resource writes an archive for those)");
    }
    if resources > 0 {
        line.push_str(&format!("\n{} written in place of responses", count(resources, "resource")));
    }
    line
}

fn object(arguments: &RewriteArguments, typed: &[String], report: &RunReport, seconds: f64) -> Value {
    let run = json!({
        "inputs": arguments.input.inputs.len(),
        "records": report.records,
        "options": typed,
        "report": arguments.report.as_ref().map(|path| path.to_string_lossy()),
    });
    let rest = json!({
        "findings": report.findings,
        "errors": report.errors.len(),
        "files_changed": report.files_changed,
        "files_resumed": report.files_resumed,
        "conversions": report.archives.conversions,
        "resources": report.archives.resources,
        "other_responses": report.archives.other_responses,
        "bytes_in": report.bytes_in,
        "bytes_out": report.bytes_out,
        "seconds": seconds,
    });
    joined([run, json::counts(&report.counts), rest])
}
