//! `absolve rewrite`: makes links absolute.

use std::env;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use absolve_containers::{ArchiveCounts, ArchiveOptions, WarcOutput};
use absolve_files::{
    Collection, InPlace, Journal, Output, RunEvent, RunReport, Symlinks, Sync, Unchanged, rewrite_all,
};
use absolve_rewriter::{Counts, Detail};
use serde_json::{Map, Value, json};

use crate::args::{RewriteArguments, WarcArgument};
use crate::beside::{self, Beside};
use crate::inputs::{check_url, open};
use crate::json::{self, extend};
use crate::output::{Plan, plan, root_of};
use crate::report::{self, Findings, count, tell_errors, tell_more_findings, warn};
use crate::trail::{self, Rows};
use crate::trail_args::InPlaceArguments;
use crate::{Outcome, Stop, progress, usage_error};

pub(crate) fn run(arguments: &RewriteArguments) -> Result<Outcome, Stop> {
    let start = Instant::now();
    let mut options = arguments.options.options();
    options.output = match arguments.warc {
        WarcArgument::Append => WarcOutput::Append,
        WarcArgument::Sidecar => WarcOutput::Sidecar,
        WarcArgument::Resource => WarcOutput::Resource,
    };
    options.date = arguments.warc_date.map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
    check_url(&arguments.input, options.documents.rules)?;
    if arguments.diff && arguments.input.source.symlinks() == Symlinks::Copy {
        return usage_error("--symlinks copy writes new files, and a diff of them would change what the links lead to");
    }
    if arguments.in_place && arguments.input.source.symlinks() == Symlinks::Copy {
        return usage_error("--symlinks copy writes new files, and --in-place changes those that there are; use -o");
    }
    let mut collection = open(&arguments.input, &arguments.options, &mut options.documents)?;
    let Beside { summary, report: rows } = beside::begin(arguments, &collection)?;
    let (diffs, rows) = (trail::diffs(arguments)?, rows.map(Rows::begin).transpose()?);
    let root = root_of(&arguments.input);
    let plan = plan(arguments, &collection, root.as_ref())?;
    collection.entries.splice(0..0, root);
    let in_place = in_place(&arguments.in_place_arguments, &mut collection)?;
    if rows.is_some() {
        options.documents.detail = Detail::Documents;
    }
    let sink = |destination| {
        let mut sink = Output::to(destination);
        sink.unchanged = if arguments.only_changed { Unchanged::LeaveOut } else { Unchanged::Copy };
        (sink.in_place, sink.diffs) = (&in_place, diffs.as_ref());
        sink
    };
    let mut unfinished = None;
    let report = match plan {
        Plan::Nothing(message) => {
            warn(&message);
            return Ok(Outcome::Done);
        }
        Plan::To(destination, _lock) => {
            let report = rewrite_entries(arguments, collection, &options, sink(&destination), rows.as_ref());
            stop_if_fatal(&report, "the rest was not done")?;
            report
        }
        Plan::Fill(folder) => {
            let destination = folder.destination();
            let report = rewrite_entries(arguments, collection, &options, sink(&destination), rows.as_ref());
            let kept = format!("{} is kept; --resume continues it", folder.path().display());
            stop_if_fatal(&report, &kept)?;
            match report.not_done() {
                0 => folder.finish()?,
                number => unfinished = Some(format!("{} could not be done; {kept}", count(number as u64, "file"))),
            }
            report
        }
    };
    rows.map_or(Ok(()), Rows::finish).or_else(|error| unwritten(arguments.report.as_deref(), &error))?;
    let not_shown = if arguments.telling.quiet { &[] } else { &*report.not_shown };
    trail::show(diffs, not_shown)?;
    let seconds = start.elapsed().as_secs_f64();
    tell(arguments, &report, seconds);
    unfinished.into_iter().for_each(|line| warn(&format!("absolve: {line}")));
    if let Some(file) = summary {
        let written = file.write(|output| writeln!(output, "{}", object(arguments, &report, seconds)));
        written.or_else(|error| unwritten(arguments.summary.as_deref(), &error))?;
    }
    Ok(if report.errors.is_empty() { Outcome::Done } else { Outcome::Failed })
}

fn unwritten(path: Option<&Path>, error: &io::Error) -> Result<(), Stop> {
    usage_error(format!("cannot write {}: {error}", path.unwrap_or(Path::new("")).display()))
}

/// How files are changed in place. Backups and the journal itself are no input.
fn in_place(arguments: &InPlaceArguments, collection: &mut Collection) -> Result<InPlace, Stop> {
    let mut in_place = InPlace::default();
    in_place.sync = if arguments.sync { Sync::EachFile } else { Sync::Later };
    if let Some(suffix) = &arguments.backup {
        collection.leave_out_backups(suffix.as_ref());
        in_place.backup = Some(suffix.into());
    }
    if let Some(path) = &arguments.journal {
        let typed: Vec<String> = env::args_os().skip(1).map(|typed| typed.to_string_lossy().into_owned()).collect();
        in_place.journal = Some(Journal::open(path, &typed).or_else(|error| usage_error(error.to_string()))?);
        beside::leave_out(path, collection)?;
    }
    Ok(in_place)
}

fn rewrite_entries(
    arguments: &RewriteArguments,
    collection: Collection,
    options: &ArchiveOptions,
    sink: Output<'_>,
    rows: Option<&Rows>,
) -> RunReport {
    let bar = progress::bar(&arguments.telling, collection.entries.iter().map(|entry| entry.size).sum());
    let findings = Mutex::new(Findings::new(&arguments.telling));
    let listener = |event: RunEvent<'_>| match event {
        RunEvent::Progress(bytes) => bar.inc(bytes),
        RunEvent::Finding { path, finding } => bar.suspend(|| {
            findings.lock().unwrap_or_else(PoisonError::into_inner).tell(path, finding);
        }),
        RunEvent::Document { place, path, document } => {
            rows.iter().for_each(|rows| rows.add(place, path, document));
        }
        _ => {}
    };
    let report = rewrite_all(collection, options, sink, &listener);
    bar.finish_and_clear();
    report
}

/// No space left: every further file would fail alike. Or nobody listens any more.
fn stop_if_fatal(report: &RunReport, what_now: &str) -> Result<(), Stop> {
    if report.errors.iter().any(|error| error.source.kind() == io::ErrorKind::BrokenPipe) {
        return Err(Stop::Io(io::ErrorKind::BrokenPipe.into()));
    }
    match report.fatal() {
        Some(error) => usage_error(format!("{error}; {what_now}")),
        None => Ok(()),
    }
}

/// Tells what came of the run: errors, findings that were not told one by one, and counts.
fn tell(arguments: &RewriteArguments, report: &RunReport, seconds: f64) {
    if !arguments.telling.quiet {
        tell_more_findings(report, &arguments.telling);
    }
    tell_errors(&report.errors);
    if !arguments.telling.quiet {
        closing_line(arguments, report, seconds).lines().for_each(warn);
    }
}

fn closing_line(arguments: &RewriteArguments, report: &RunReport, seconds: f64) -> String {
    let Counts { documents, links, .. } = report.counts;
    let (documents, links) = (count(documents, "document"), count(links, "link"));
    let mut line = format!("{documents}, {links}: {}", report::links(&report.counts));
    line.push_str(&format!("; {} changed", count(report.files_changed, "file")));
    if report.files_resumed > 0 {
        line.push_str(&format!(", {} done before", report.files_resumed));
    }
    if arguments.dry_run {
        line.push_str(" (dry run: nothing was written)");
    }
    line.push_str(&format!("; {seconds:.2} s"));
    let ArchiveCounts { conversions, resources, other_responses, .. } = report.archives;
    if conversions > 0 {
        let written = count(conversions, "conversion");
        line.push_str(&format!("\n{written} written; pywb shows them, ReplayWeb.page and OpenWayback do not"));
        line.push_str(" (--warc resource makes an archive for those)");
    }
    if resources > 0 {
        line.push_str(&format!("\n{} written in the place of responses", count(resources, "resource")));
    }
    if other_responses > 0 {
        line.push_str(&format!("\n{} of other statuses than 2xx left as they are", count(other_responses, "response")));
    }
    let lacks_url = report.findings.contains_key("no-base") && !report.findings.contains_key("local-copy");
    if lacks_url && arguments.input.source.url.is_none() && arguments.input.source.urls.is_none() {
        line.push_str("\n--url tells the URL that the input was retrieved from, if it is no mbox or Maildir");
    }
    line
}

fn object(arguments: &RewriteArguments, report: &RunReport, seconds: f64) -> Value {
    let mut object = Map::new();
    extend(&mut object, json!({ "inputs": arguments.input.inputs.len(), "records": report.records }));
    extend(&mut object, json::counts(&report.counts));
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
    extend(&mut object, rest);
    object.into()
}
