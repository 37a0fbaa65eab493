//! Messages on standard error.

use std::io;
use std::path::Path;

use absolve_files::{FileError, RunReport, shown};
use absolve_rewriter::{Counts, Finding, Position};

use crate::args::pages::STYLES;
use crate::args::rewrite::MessageArguments;
use crate::outcome::{Stop, usage_error};
use crate::streams::Streams;

/// How many findings are printed without `--verbose`.
const PRINTED_FINDINGS: usize = 20;

/// Prints a finding to stderr, in one line.
pub(crate) fn warn_finding(path: &Path, finding: &Finding, streams: &Streams<'_>) {
    let (style, code) = (STYLES.get_invalid(), format!(": {}: ", finding.code));
    let line = finding_line(path, finding);
    let line = shown(&line);
    streams.errors.print(&match line.split_once(&code) {
        Some((place, message)) => format!("{place}: {style}{}{style:#}: {message}\n", finding.code),
        None => format!("{line}\n"),
    });
}

/// Prints errors.
pub(crate) fn print_errors(errors: &[FileError], streams: &Streams<'_>) {
    for error in errors {
        streams.fail(&error.to_string());
    }
}

/// A finding in one line, with its place as in [`place_of`].
fn finding_line(path: &Path, finding: &Finding) -> String {
    match finding.position {
        Some(_) => {
            let place = place_of(path, &finding.record, &finding.part, finding.position);
            format!("{place}: {}: {}", finding.code, finding.message)
        }
        None => format!("{}: {finding}", path.display()),
    }
}

/// The place of a document, or of something in it: `page.html:3:17`, `letter.eml:3:17: part 1.2`, `list.mbox: record 3: part
/// 1.2: 3:17` with the line of the record.
pub(crate) fn place_of(path: &Path, record: &str, part: &str, position: Option<Position>) -> String {
    let mut place = path.display().to_string();
    let position = position.map(|position| position.to_string());
    if let Some(position) = position.as_ref().filter(|_| record.is_empty()) {
        place.push_str(&format!(":{position}"));
    }
    for (what, which) in [("record", record), ("part", part)] {
        if !which.is_empty() {
            place.push_str(&format!(": {what} {which}"));
        }
    }
    if let Some(position) = position.filter(|_| !record.is_empty()) {
        place.push_str(&format!(": {position}"));
    }
    place
}

/// Prints findings as they come, up to a limit.
#[derive(Debug)]
pub(crate) struct Findings<'r, 's> {
    streams: &'r Streams<'s>,
    /// How many more are printed.
    left: usize,
}

impl<'r, 's> Findings<'r, 's> {
    pub(crate) const fn new(arguments: &MessageArguments, streams: &'r Streams<'s>) -> Self {
        Self { streams, left: printed_findings(arguments) }
    }

    /// Returns where they are printed.
    pub(crate) const fn streams(&self) -> &'r Streams<'s> {
        self.streams
    }

    /// Prints a finding, unless the limit is reached.
    pub(crate) fn print(&mut self, path: &Path, finding: &Finding) {
        if self.left > 0 {
            self.left -= 1;
            warn_finding(path, finding, self.streams);
        }
    }
}

/// Returns how many findings are printed.
const fn printed_findings(arguments: &MessageArguments) -> usize {
    match (arguments.quiet, arguments.verbose) {
        (true, _) => 0,
        (false, true) => usize::MAX,
        (false, false) => PRINTED_FINDINGS,
    }
}

/// Prints how many findings were not printed.
pub(crate) fn print_more_findings(report: &RunReport, arguments: &MessageArguments, streams: &Streams<'_>) {
    let found = usize::try_from(report.findings.values().sum::<u64>()).unwrap_or(usize::MAX);
    if found > printed_findings(arguments) {
        let counts: Vec<_> = report.findings.iter().map(|(code, count)| format!("{count} {code}")).collect();
        let more = found - printed_findings(arguments);
        streams.warn(&format!("{more} more findings ({} in all); --verbose prints them all", counts.join(", ")));
    }
}

/// `2 made absolute, 1 absolute before, 3 to the same document`, and what was left.
pub(crate) fn links(counts: &Counts) -> String {
    let Counts { rewritten, absolute, same_document, kept, unresolved, .. } = counts;
    let mut line =
        format!("{rewritten} made absolute, {absolute} absolute before, {same_document} to the same document");
    for (count, what) in [(kept, "kept"), (unresolved, "left relative")] {
        if *count > 0 {
            line.push_str(&format!(", {count} {what}"));
        }
    }
    line
}

/// `1 document`, `2 documents`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Returns the error that there is no place for temporary files.
pub(crate) fn no_temporary_file<T>(error: io::Error) -> Result<T, Stop> {
    usage_error(format!("cannot create a temporary file: {error}"))
}
