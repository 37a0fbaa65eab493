//! The page of `absolve check --report`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use absolve_report::{Facts, Verdict};
use absolve_rewriter::{Code, Finding};

use crate::args::input::InputArguments;
use crate::commands::html_report::{HtmlReport, command_line};
use crate::commands::listing::{Event, Listed};
use crate::commands::rewrite::left_unchanged::URL_HINT;
use crate::messages::count;
use crate::wording::file_error;

/// The page, and what it has counted.
pub(crate) struct CheckPage {
    page: HtmlReport,
    rows: usize,
    findings: BTreeMap<String, u64>,
    /// The last record whose findings were added.
    last: Option<(PathBuf, String)>,
}

impl CheckPage {
    pub(crate) const fn begin(page: HtmlReport) -> Self {
        Self { page, rows: 0, findings: BTreeMap::new(), last: None }
    }

    /// Adds a document, and the findings in its record.
    pub(crate) fn add(&mut self, event: Event<'_>) {
        let Event::Document(path, document, findings) = event else { return };
        let here = (path.to_owned(), document.record.clone());
        if self.last.as_ref() != Some(&here) {
            findings.iter().for_each(|finding| self.add_finding(path, finding));
            self.last = Some(here);
        }
        self.page.add(self.rows, path, document);
        self.rows += 1;
    }

    /// Writes the page; `line` has the counts in words.
    pub(crate) fn finish(
        mut self,
        inputs: &InputArguments,
        typed: &[OsString],
        line: &str,
        listed: &Listed,
    ) -> io::Result<()> {
        listed.inspected.unread.iter().for_each(|(path, finding)| self.add_finding(path, finding));
        let inputs: Vec<String> = inputs.inputs.iter().map(|input| input.display().to_string()).collect();
        let mut facts = Facts::new(inputs.join(", "));
        facts.sentences = vec![format!("{line}.")];
        facts.sentences.extend(advice(listed, self.findings.contains_key(Code::NoBase.name())));
        facts.errors = listed.inspected.errors.iter().map(file_error).collect();
        facts.verdict = match listed.links == 0 && facts.errors.is_empty() {
            true if self.findings.is_empty() => Verdict::Good,
            true => Verdict::Notable,
            false => Verdict::Bad,
        };
        facts.command = command_line(typed);
        facts.findings = self.findings;
        facts.elsewhere = "absolve check --json prints each relative link.".to_owned();
        self.page.finish(&facts)
    }

    fn add_finding(&mut self, path: &Path, finding: &Finding) {
        *self.findings.entry(finding.code.name().to_owned()).or_default() += 1;
        self.page.add_finding(path, finding);
    }
}

/// Returns what `absolve rewrite` would do about the relative links.
fn advice(listed: &Listed, lacks_base: bool) -> Vec<String> {
    let Listed { relative, unresolved, .. } = *listed;
    let mut sentences = Vec::new();
    if relative > unresolved {
        let them = if unresolved == 0 { "them".to_owned() } else { format!("{} of them", relative - unresolved) };
        sentences.push(format!("absolve rewrite makes {them} absolute; the table has what each would become."));
    }
    if unresolved > 0 {
        let hint = if lacks_base { format!(": {URL_HINT}") } else { String::new() };
        sentences
            .push(format!("It would leave {} relative, and the findings say why{hint}.", count(unresolved, "link")));
    }
    sentences
}
