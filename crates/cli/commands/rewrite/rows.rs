//! The file of `absolve rewrite --report`: a table for programs, or a page for people.

use std::ffi::OsString;
use std::io;

use absolve_files::{NewFile, RunEvent, RunReport};
use absolve_report::{Facts, Kind, Verdict, count, number};
use absolve_rewriter::Counts;
use absolve_rewriter::settings::Detail;

use crate::args::rewrite::RewriteArguments;
use crate::commands::html_report::{HtmlReport, command_line, is_page};
use crate::commands::rewrite::csv_report::CsvReport;
use crate::outcome::Stop;
use crate::wording::file_error;

/// The report of a run; its name decides.
#[derive(Debug)]
pub(crate) enum Rows {
    Csv(CsvReport),
    Page(Box<HtmlReport>),
}

impl Rows {
    /// Begins the report to be written to `file`.
    pub(crate) fn begin(arguments: &RewriteArguments, file: NewFile) -> Result<Self, Stop> {
        let inputs = &arguments.input.inputs;
        match arguments.report.as_deref().is_some_and(is_page) {
            true => Ok(Self::Page(Box::new(HtmlReport::begin(Kind::Rewrite, inputs, file)))),
            false => CsvReport::begin(file).map(Self::Csv),
        }
    }

    /// Returns what the report needs of each document.
    pub(crate) const fn detail(&self) -> Detail {
        match self {
            Self::Csv(_) => Detail::Documents,
            Self::Page(_) => Detail::Shown,
        }
    }

    /// Adds what the report has a place for.
    pub(crate) fn add(&self, event: RunEvent<'_>) {
        match (self, event) {
            (Self::Csv(rows), RunEvent::Document { place, path, document }) => rows.add(place, path, document),
            (Self::Page(page), RunEvent::Document { place, path, document }) => page.add(place, path, document),
            (Self::Page(page), RunEvent::Finding { path, finding }) => page.add_finding(path, finding),
            _ => {}
        }
    }

    /// Writes the report. What is said of an output that is unfinished comes with the run.
    pub(crate) fn finish(
        self,
        arguments: &RewriteArguments,
        typed: &[OsString],
        run: (&RunReport, Option<&str>),
    ) -> io::Result<()> {
        match self {
            Self::Csv(rows) => rows.finish(),
            Self::Page(page) => page.finish(&facts(arguments, typed, run)),
        }
    }
}

fn facts(arguments: &RewriteArguments, typed: &[OsString], (run, unfinished): (&RunReport, Option<&str>)) -> Facts {
    let inputs: Vec<String> = arguments.input.inputs.iter().map(|input| input.display().to_string()).collect();
    let mut facts = Facts::new(inputs.join(", "));
    facts.sentences = sentences(arguments, run);
    if let Some(unfinished) = unfinished {
        facts.sentences.insert(1, format!("The output is unfinished: {unfinished}."));
    }
    let is_notable = found_nothing(run) || run.counts.unresolved > 0 || !run.findings.is_empty();
    facts.verdict = match (run.errors.is_empty(), is_notable) {
        (false, _) => Verdict::Bad,
        (true, true) => Verdict::Notable,
        (true, false) => Verdict::Good,
    };
    facts.command = command_line(typed);
    facts.findings = run.findings.iter().map(|(code, number)| ((*code).to_owned(), *number)).collect();
    facts.errors = run.errors.iter().map(file_error).collect();
    facts.elsewhere = "The same run with --report FILE.csv writes a row for each, with digests before and after; add \
                       --dry-run to write nothing else."
        .to_owned();
    facts
}

/// Returns what was done, how much and how sure, in sentences.
fn sentences(arguments: &RewriteArguments, run: &RunReport) -> Vec<String> {
    let Counts { documents, links, rewritten, mapped, kept, unresolved, .. } = run.counts;
    let became = if arguments.dry_run {
        "were relative and would become absolute"
    } else {
        "were relative and are absolute now"
    };
    let mut sentences =
        vec![format!("{}, {}: {} {became}.", count(documents, "document"), count(links, "link"), number(rewritten))];
    let mut left = Vec::new();
    if mapped > 0 {
        left.push(format!("{} were absolute before, and lead elsewhere by --map", count(mapped, "link")));
    }
    if unresolved > 0 {
        left.push(format!("{} without a target stayed relative", count(unresolved, "link")));
    }
    if kept > 0 {
        left.push(format!("{} kept on purpose (placeholders, files of the input, signed parts)", count(kept, "link")));
    }
    if !run.errors.is_empty() {
        left.push(format!("{} of files, listed below", count(run.errors.len() as u64, "error")));
    }
    let resumed = match run.files_resumed {
        0 => String::new(),
        files => format!(", {} done by the interrupted run and not counted here", count(files, "file")),
    };
    let changed = if arguments.dry_run { "would change; this was a dry run: nothing was written" } else { "changed" };
    left.push(format!("{} {changed}{resumed}", count(run.files_changed, "file")));
    sentences.push(format!("{}.", left.join("; ")));
    if found_nothing(run) {
        sentences.push("No document was found in the input.".to_owned());
        return sentences;
    }
    let standard = arguments.options.options().documents.rules.standard.name();
    sentences.push(format!(
        "Each target follows from the base of its document, by the standard {standard}; no other byte changed. absolve \
         verify proves both, by code of its own."
    ));
    sentences
}

/// Returns whether the run had no document to change.
const fn found_nothing(run: &RunReport) -> bool {
    run.counts.documents == 0 && run.files_resumed == 0
}
