//! What is told on standard error.

use std::io::{self, Write};
use std::path::Path;

use absolve_rewriter::{FileError, Finding, RunReport};

/// How many findings are told one by one unless all are asked for.
const TOLD_FINDINGS: usize = 20;

/// Tells one line on standard error. A closed one is no reason to stop.
pub(crate) fn warn(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Tells what could not be done.
pub(crate) fn tell_errors(errors: &[FileError]) {
    for error in errors {
        warn(&format!("absolve: {error}"));
    }
}

/// A finding in one line: `path: byte 17: code: message`.
pub(crate) fn finding_line(path: &Path, finding: &Finding) -> String {
    format!("{}: {finding}", path.display())
}

/// Which findings are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// None.
    Errors,
    /// The first ones, and how many there are.
    First,
    /// All.
    All,
}

/// Tells the findings of a run.
pub(crate) fn tell_findings(report: &RunReport, telling: Telling) {
    let told = match telling {
        Telling::Errors => return,
        Telling::First => TOLD_FINDINGS,
        Telling::All => usize::MAX,
    };
    for (path, finding) in report.findings.iter().take(told) {
        warn(&finding_line(path, finding));
    }
    if report.findings.len() > told {
        let counts: Vec<_> = report.findings_by_code().iter().map(|(code, count)| format!("{count} {code}")).collect();
        let more = report.findings.len() - told;
        warn(&format!("{more} more findings ({} in all); --verbose tells them all", counts.join(", ")));
    }
}

/// `1 document`, `2 documents`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
