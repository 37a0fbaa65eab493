//! The page of `--report FILE.html`, for `rewrite`, `verify` and `check`.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use absolve_files::NewFile;
use absolve_report::{Collector, Document, Facts, Kind};
use absolve_rewriter::internal::without_login;
use absolve_rewriter::{DocumentReport, Finding};

use crate::args::report::ReportArguments;
use crate::messages::place_of;
use crate::outcome::{Stop, usage_error};
use crate::wording;

/// A page that is written at the end of the run.
#[derive(Debug)]
pub(crate) struct HtmlReport {
    pub(crate) collector: Collector,
    file: NewFile,
    /// The folder that names are relative to.
    root: String,
}

impl HtmlReport {
    /// Begins the page to be written to `file`. If there is one input, and it is a folder, names are relative to it.
    pub(crate) fn begin(kind: Kind, inputs: &[PathBuf], file: NewFile) -> Self {
        let root = match inputs {
            [input] if input.is_dir() => format!("{}/", input.to_string_lossy().trim_end_matches('/')),
            _ => String::new(),
        };
        Self { collector: Collector::new(kind), file, root }
    }

    /// Returns a name as the page has it.
    pub(crate) fn name<'p>(&self, path: &'p Path) -> Cow<'p, str> {
        let below = |name: &'p str| {
            let below = name.strip_prefix(&*self.root)?.trim_start_matches('/');
            (!below.is_empty() && !self.root.is_empty()).then_some(below)
        };
        match path.to_str() {
            Some(name) => below(name).unwrap_or(name).into(),
            None => path.to_string_lossy(),
        }
    }

    /// Adds a document of the file at this place in the order of the input.
    pub(crate) fn add(&self, place: usize, path: &Path, document: &DocumentReport) {
        let path = self.name(path);
        let mut row = Document::new(&path, document.media_type);
        (row.record, row.part) = (&document.record, &document.part);
        (row.base, row.layer) = (document.base.as_deref().unwrap_or_default(), document.layer);
        row.counts = document.counts;
        row.findings = document.findings.iter().map(|code| code.name()).collect();
        (row.shown, row.word_place) = (document.shown.as_deref(), wording::place);
        self.collector.add_document(place, row);
    }

    /// Adds a finding in a file.
    pub(crate) fn add_finding(&self, path: &Path, finding: &Finding) {
        let place = place_of(Path::new(&*self.name(path)), &finding.record, &finding.part, finding.position);
        self.collector.add_finding(finding.code.name(), &place, &wording::sentence(finding));
    }

    /// Writes the page.
    pub(crate) fn finish(self, facts: &Facts) -> io::Result<()> {
        self.file.write(|output| self.collector.write(facts, output))
    }
}

/// Returns whether a report is to be a page, by its name.
pub(crate) fn is_page(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["html", "htm"].iter().any(|name| extension.eq_ignore_ascii_case(name))
}

/// Returns what was typed, as a shell takes it, without the user names and passwords in URLs.
pub(crate) fn command_line(typed: &[OsString]) -> String {
    let words = typed.iter().skip(1).map(|word| quoted(&without_login(&word.to_string_lossy())));
    ["absolve".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./:=,@%+~".contains(character);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Returns the error that a file could not be written.
pub(crate) fn unwritten(path: Option<&Path>, error: &io::Error) -> Result<(), Stop> {
    usage_error(format!("cannot write {}: {error}", path.unwrap_or(Path::new("")).display()))
}

/// Returns an error in place of a success if standard output was closed before all was listed, so that the page was not written.
pub(crate) fn unlisted(stop: Stop, report: &ReportArguments) -> Stop {
    match (&stop, &report.report) {
        (Stop::Io(error), Some(page)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Stop::Usage(format!("{} is not written: standard output was closed before all was listed", page.display()))
        }
        _ => stop,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_what_a_shell_takes() {
        let typed = ["/bin/absolve", "rewrite", "a b", "it's", "", "--url=http://me:secret@h/x@y", "http://h/@"];
        let typed: Vec<OsString> = typed.map(OsString::from).into();
        assert_eq!(command_line(&typed), "absolve rewrite 'a b' 'it'\\''s' '' --url=http://h/x@y http://h/@");
    }

    #[test]
    fn pages_are_known_by_their_names() {
        assert!(["a.html", "A.HTM", "b/a.csv.html"].map(Path::new).into_iter().all(is_page));
        assert!(!["a.csv", "-", "html", ".html", "/dev/stdout", "a.html.csv"].map(Path::new).into_iter().any(is_page));
    }
}
