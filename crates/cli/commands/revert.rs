//! `absolve revert`: undoes in-place runs.

use absolve_files::{RevertReport, Reverting, revert};

use crate::args::revert::RevertArguments;
use crate::messages::{count, print_errors};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::streams::Streams;

pub(crate) fn run(arguments: &RevertArguments, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let reverting = if arguments.dry_run { Reverting::DryRun } else { Reverting::Write };
    streams.interrupted.note("each file is rewritten or restored, and the same command goes on", None);
    let report = match revert(&arguments.journal, reverting) {
        Ok(report) => report,
        Err(error) => return usage_error(error.to_string()),
    };
    print_errors(&report.errors, streams);
    if !report.is_ended {
        let journal = arguments.journal.display();
        streams.warn(&format!(
            "{journal}: the run was stopped, or the journal is cut off; files that are not in it stay as they are"
        ));
    }
    if !arguments.quiet {
        streams.warn(&closing_line(arguments, &report));
    }
    Ok(if report.errors.is_empty() { Outcome::Done } else { Outcome::Failed })
}

fn closing_line(arguments: &RevertArguments, report: &RevertReport) -> String {
    let mut line = format!("{} reverted", count(report.reverted, "file"));
    if report.original > 0 {
        line.push_str(&format!(", {} already unchanged", report.original));
    }
    if !report.errors.is_empty() {
        line.push_str(&format!(", {} skipped", report.errors.len()));
    }
    if arguments.dry_run {
        line.push_str(" (dry run: nothing was written)");
    }
    line
}
