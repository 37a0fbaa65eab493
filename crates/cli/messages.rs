//! Messages on standard error.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use absolve_files::{FileError, RunReport, shown};
use absolve_rewriter::results::{KeptPlaceholder, Position, Values};
use absolve_rewriter::{Counts, Finding};

use crate::args::pages::STYLES;
use crate::args::rewrite::MessageArguments;
use crate::outcome::{Stop, usage_error};
use crate::streams::Streams;
use crate::wording::{file_error, sentence};

/// How many findings are printed without `--verbose`.
const PRINTED_FINDINGS: usize = 20;

/// How many placeholders are printed beside them, each with its references in all documents. Those about others are findings like all.
const PRINTED_PLACEHOLDERS: usize = 1000;

/// Prints a finding to stderr, in one line.
pub(crate) fn warn_finding(path: &Path, finding: &Finding, streams: &Streams<'_>) {
    let (style, code) = (STYLES.get_invalid(), finding.code);
    let mut place = place_of(path, &finding.record, &finding.part, finding.position);
    if let (None, Some(byte)) = (finding.position, finding.byte) {
        place.push_str(&format!(": byte {byte}"));
    }
    let (place, sentence) = (shown(&place), sentence(finding));
    streams.errors.print(&format!("{place}: {style}{code}{style:#}: {}\n", shown(&sentence)));
}

/// Prints errors.
pub(crate) fn print_errors(errors: &[FileError], streams: &Streams<'_>) {
    for error in errors {
        streams.fail(&file_error(error));
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

/// Prints findings as they come, up to a limit. Those about the same placeholder are one line, after all others: a mailing has the
/// same few in each of its documents.
#[derive(Debug)]
pub(crate) struct Findings<'r, 's> {
    streams: &'r Streams<'s>,
    /// How many more lines are printed.
    left: usize,
    /// How many findings are in no line.
    hidden: u64,
    /// How many placeholders may share lines.
    together: usize,
    placeholders: Vec<Placeholder>,
    /// The indexes of the placeholders by their texts.
    known: HashMap<String, usize>,
}

/// The findings about one placeholder: the first, with the references of all.
#[derive(Debug)]
struct Placeholder {
    path: PathBuf,
    first: Finding,
    all: KeptPlaceholder,
    documents: u64,
}

impl<'r, 's> Findings<'r, 's> {
    /// Returns a printer of the findings of a run. Verbose, each finding has a line.
    pub(crate) fn new(arguments: &MessageArguments, streams: &'r Streams<'s>) -> Self {
        let (left, together) = match (arguments.quiet, arguments.verbose) {
            (true, _) => (0, 0),
            (false, true) => (usize::MAX, 0),
            (false, false) => (PRINTED_FINDINGS, PRINTED_PLACEHOLDERS),
        };
        Self { left, together, ..Self::unlimited(streams) }
    }

    /// Returns a printer of any number of lines.
    pub(crate) fn unlimited(streams: &'r Streams<'s>) -> Self {
        let (left, together) = (usize::MAX, PRINTED_PLACEHOLDERS);
        Self { streams, left, hidden: 0, together, placeholders: Vec::new(), known: HashMap::new() }
    }

    /// Returns where they are printed.
    pub(crate) const fn streams(&self) -> &'r Streams<'s> {
        self.streams
    }

    /// Prints a finding, unless the limit is reached.
    pub(crate) fn print(&mut self, path: &Path, finding: &Finding) {
        let Some(Values::Placeholder(kept)) = finding.values.as_deref() else {
            return self.print_line(path, finding);
        };
        match self.known.get(&kept.text) {
            Some(index) => {
                let known = &mut self.placeholders[*index];
                known.all.references += kept.references;
                known.documents += 1;
            }
            None if self.placeholders.len() < self.together => {
                self.known.insert(kept.text.clone(), self.placeholders.len());
                let (path, first) = (path.to_owned(), finding.clone());
                self.placeholders.push(Placeholder { path, first, all: kept.clone(), documents: 1 });
            }
            None => self.print_line(path, finding),
        }
    }

    fn print_line(&mut self, path: &Path, finding: &Finding) {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                warn_finding(path, finding, self.streams);
            }
            None => self.hidden += 1,
        }
    }

    /// Prints the lines about placeholders. Returns how many findings are in no line.
    pub(crate) fn finish(&mut self) -> u64 {
        for Placeholder { path, first, all, documents } in std::mem::take(&mut self.placeholders) {
            warn_finding(&path, &Finding { message: all.message(documents), ..first }, self.streams);
        }
        self.hidden
    }
}

/// Prints how many findings were not printed.
pub(crate) fn print_more_findings(more: u64, report: &RunReport, streams: &Streams<'_>) {
    if more > 0 {
        let counts: Vec<_> = report.findings.iter().map(|(code, count)| format!("{count} {code}")).collect();
        streams.warn(&format!("{more} more findings ({} in all); --verbose prints them all", counts.join(", ")));
    }
}

/// `2 made absolute, 1 absolute before, 3 to the same document`, and what was left.
pub(crate) fn links(counts: &Counts) -> String {
    let Counts { rewritten, mapped, absolute, same_document, kept, unresolved, .. } = counts;
    let mut line =
        format!("{rewritten} made absolute, {absolute} absolute before, {same_document} to the same document");
    for (count, what) in [(mapped, "mapped"), (kept, "kept"), (unresolved, "left relative")] {
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

/// Returns what becomes of a file if the run is interrupted.
pub(crate) fn not_written(path: &Path) -> String {
    format!("{} is not written", path.display())
}

/// Returns the error that there is no place for temporary files.
pub(crate) fn no_temporary_file<T>(error: io::Error) -> Result<T, Stop> {
    usage_error(format!("cannot create a temporary file: {error}"))
}
