//! `absolve rewrite`: makes links absolute.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::time::Instant;

use absolve_rewriter::{
    Action, Collection, Destination, Entity, FileError, Finding, Options, Report, RunReport, StreamError, Unchanged,
    rewrite, rewrite_all, rewrite_mbox,
};
use serde_json::{Map, Value, json};

use crate::args::RewriteArguments;
use crate::inputs::{StandardInput, check_url, entity, is_standard_input, open, read_standard_input};
use crate::json::{self, extend};
use crate::output::{Plan, plan};
use crate::report::{Findings, count, tell_errors, tell_more_findings, warn};
use crate::{Outcome, Stop, progress, wrong_use};

pub(crate) fn run(arguments: &RewriteArguments) -> Result<Outcome, Stop> {
    let start = Instant::now();
    let mut options = arguments.options.options();
    check_url(&arguments.input, options.rules)?;
    if is_standard_input(&arguments.input)? {
        let report = match read_standard_input(&arguments.input)? {
            StandardInput::Whole(bytes, file_type) => {
                rewrite_entity(arguments, &entity(&arguments.input, &bytes, file_type), Path::new("-"), &options)
            }
            StandardInput::Mbox(input) => rewrite_stream(arguments, input, Path::new("-"), &options),
        };
        return tell(arguments, &report?, start);
    }
    let collection = open(&arguments.input, &arguments.options, &mut options)?;
    let report = match plan(arguments, &collection)? {
        Plan::Nothing(message) => {
            warn(&message);
            return Ok(Outcome::Done);
        }
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
    let mut findings = Findings::new(&arguments.telling);
    let mut tell = |path: &Path, finding: &Finding| bar.suspend(|| findings.tell(path, finding));
    let mut before = RunReport::default();
    collection.findings.iter().for_each(|(path, finding)| before.tell(path, finding, &mut tell));
    let progress = |bytes| bar.inc(bytes);
    let mut report = rewrite_all(&collection.entries, options, destination, unchanged, &progress, &mut tell);
    bar.finish_and_clear();
    for (code, count) in before.findings {
        *report.findings.entry(code).or_default() += count;
    }
    report.errors.splice(0..0, collection.errors);
    report
}

/// No space left: every further file would fail alike. Or nobody listens any more.
fn stop_if_fatal(report: &RunReport, what_now: &str) -> Result<(), Stop> {
    if report.errors.iter().any(|error| error.source.kind() == io::ErrorKind::BrokenPipe) {
        return Err(Stop::Io(io::ErrorKind::BrokenPipe.into()));
    }
    match report.fatal() {
        Some(error) => wrong_use(format!("{error}; {what_now}")),
        None => Ok(()),
    }
}

/// Rewrites one document that is in memory, to standard output or a file.
fn rewrite_entity(
    arguments: &RewriteArguments,
    entity: &Entity<'_>,
    path: &Path,
    options: &Options,
) -> Result<RunReport, Stop> {
    let (mut report, mut out) = (Report::default(), Vec::new());
    let changed = rewrite(entity, options, &mut report, &mut out);
    let mut run = RunReport {
        counts: report.counts,
        records: 1,
        files_changed: u64::from(changed),
        bytes_in: entity.bytes.len() as u64,
        bytes_out: out.len() as u64,
        ..RunReport::default()
    };
    let mut findings = Findings::new(&arguments.telling);
    report
        .findings
        .iter()
        .for_each(|finding| run.tell(path, finding, &mut |path, finding| findings.tell(path, finding)));
    let written = open_output(arguments)?.map(|mut output| output.write_all(&out).and_then(|()| output.flush()));
    finish_output(arguments, run, written)
}

/// Rewrites an mbox message by message, to standard output or a file.
fn rewrite_stream(
    arguments: &RewriteArguments,
    input: impl Read,
    path: &Path,
    options: &Options,
) -> Result<RunReport, Stop> {
    let mut run = RunReport::default();
    let mut findings = Findings::new(&arguments.telling);
    let mut tell = |finding: Finding| run.tell(path, &finding, &mut |path, finding| findings.tell(path, finding));
    let mut output = open_output(arguments)?.unwrap_or_else(|| Box::new(io::sink()));
    let done = match rewrite_mbox(input, &mut output, options, &mut tell) {
        Ok(done) => done,
        Err(StreamError::Read(error)) => {
            discard_output(arguments);
            return Ok(failed(path, Action::Read, error));
        }
        Err(StreamError::Write(error)) => return finish_output(arguments, run, Some(Err(error))),
        Err(error) => return wrong_use(error.to_string()),
    };
    let written = output.flush();
    let bug =
        |record| FileError::new(path, Action::Rewrite, io::Error::other(format!("record {record} is left as it is")));
    let run = RunReport {
        counts: done.counts,
        records: done.records,
        files_changed: u64::from(done.changed > 0),
        bytes_in: done.bytes_in,
        bytes_out: done.bytes_out,
        errors: done.failed.iter().map(bug).collect(),
        ..run
    };
    finish_output(arguments, run, Some(written))
}

/// Where the result of one document goes: standard output, a new file, or nowhere in a dry run.
fn open_output(arguments: &RewriteArguments) -> Result<Option<Box<dyn Write>>, Stop> {
    if arguments.in_place {
        return wrong_use("standard input cannot be changed in place");
    }
    match &arguments.output {
        Some(output) if output == Path::new("-") => Ok(Some(Box::new(BufWriter::new(io::stdout().lock())))),
        Some(output) if output.symlink_metadata().is_ok() && !arguments.force => {
            wrong_use(format!("{} exists; --force replaces it", output.display()))
        }
        Some(output) => match File::create(output) {
            Ok(file) => Ok(Some(Box::new(BufWriter::new(file)))),
            Err(error) => wrong_use(format!("cannot write {}: {error}", output.display())),
        },
        None => Ok(None),
    }
}

/// Takes away a new file that is not complete.
fn discard_output(arguments: &RewriteArguments) {
    if let Some(output) = arguments.output.as_ref().filter(|output| output.is_file()) {
        let _ = fs::remove_file(output);
    }
}

/// The run with what became of its output.
fn finish_output(
    arguments: &RewriteArguments,
    run: RunReport,
    written: Option<io::Result<()>>,
) -> Result<RunReport, Stop> {
    match (written, &arguments.output) {
        (Some(Err(error)), Some(output)) if output != Path::new("-") => Ok(failed(output, Action::Write, error)),
        (Some(Err(error)), _) => Err(error.into()),
        _ => Ok(run),
    }
}

fn failed(path: &Path, action: Action, error: io::Error) -> RunReport {
    RunReport { errors: vec![FileError::new(path, action, error)], ..RunReport::default() }
}

/// Tells what came of the run: findings and counts on standard error, the summary in its file.
fn tell(arguments: &RewriteArguments, report: &RunReport, start: Instant) -> Result<Outcome, Stop> {
    if !arguments.telling.quiet {
        tell_more_findings(report, &arguments.telling);
    }
    tell_errors(&report.errors);
    let seconds = start.elapsed().as_secs_f64();
    if !arguments.telling.quiet {
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
        line.push_str("\n--url tells the URL that the input was retrieved from, if it is no mbox or Maildir");
    }
    line
}

fn summary(arguments: &RewriteArguments, report: &RunReport, seconds: f64) -> Value {
    let mut object = Map::new();
    extend(&mut object, json!({ "inputs": arguments.input.inputs.len(), "records": report.records }));
    extend(&mut object, json::counts(&report.counts));
    let rest = json!({
        "findings": report.findings,
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
