//! `absolve revert`: takes in-place runs back.

use absolve_files::{RevertReport, Reverting, revert};

use crate::report::{count, tell_errors, warn};
use crate::trail_args::RevertArguments;
use crate::{Outcome, Stop, usage_error};

pub(crate) fn run(arguments: &RevertArguments) -> Result<Outcome, Stop> {
    let reverting = if arguments.dry_run { Reverting::DryRun } else { Reverting::Write };
    let report = match revert(&arguments.journal, reverting) {
        Ok(report) => report,
        Err(error) => return usage_error(error.to_string()),
    };
    tell_errors(&report.errors);
    if !arguments.quiet {
        warn(&closing_line(arguments, &report));
    }
    Ok(if report.errors.is_empty() { Outcome::Done } else { Outcome::Failed })
}

fn closing_line(arguments: &RevertArguments, report: &RevertReport) -> String {
    let mut line = format!("{} given back", count(report.reverted, "file"));
    if report.original > 0 {
        line.push_str(&format!(", {} as before already", report.original));
    }
    if !report.errors.is_empty() {
        line.push_str(&format!(", {} left as they are", report.errors.len()));
    }
    if arguments.dry_run {
        line.push_str(" (dry run: nothing was written)");
    }
    line
}
