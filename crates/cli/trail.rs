//! What `absolve rewrite` leaves behind besides its output: diffs and the rows of a report.

use std::borrow::Cow;
use std::env;
use std::io::{self, BufWriter, IsTerminal};
use std::path::{Path, PathBuf};

use absolve_files::{Colour, Diffs, NewFile, OrderedSpool};
use absolve_rewriter::DocumentReport;

use crate::args::RewriteArguments;
use crate::report::warn;
use crate::trail_args::WhenArgument;
use crate::{Stop, usage_error};

/// Diffs, if they are asked for.
pub(crate) fn diffs(arguments: &RewriteArguments) -> Result<Option<Diffs>, Stop> {
    let colour = if is_coloured(arguments.color) { Colour::Ansi } else { Colour::Plain };
    arguments.diff.then(|| Diffs::new(colour)).transpose().or_else(no_temporary_file)
}

fn is_coloured(when: WhenArgument) -> bool {
    let is_off = || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = || env::var_os("TERM").is_some_and(|value| value == "dumb");
    match when {
        WhenArgument::Always => true,
        WhenArgument::Never => false,
        WhenArgument::Auto => io::stdout().is_terminal() && !is_off() && !is_dumb(),
    }
}

/// Writes the diffs to standard output, and tells of what there is none.
pub(crate) fn show(diffs: Option<Diffs>, not_shown: &[PathBuf]) -> Result<(), Stop> {
    if let Some(diffs) = diffs {
        diffs.write_to(&mut BufWriter::with_capacity(1 << 16, io::stdout().lock()))?;
    }
    for path in not_shown {
        let path = path.display();
        warn(&format!(
            "{path}: it changes, but of archives and compressed files there is no diff; --output writes the result, and \
             `absolve links` lists the links of both"
        ));
    }
    Ok(())
}

/// The rows of a report, which wait until all are there.
#[derive(Debug)]
pub(crate) struct Rows {
    shelf: OrderedSpool,
    file: NewFile,
}

const COLUMNS: [&str; 15] = [
    "path",
    "record",
    "part",
    "media_type",
    "base",
    "layer",
    "links",
    "rewritten",
    "absolute",
    "same_document",
    "kept",
    "unresolved",
    "findings",
    "sha256_in",
    "sha256_out",
];

impl Rows {
    /// Begins the report that is to be in `file`.
    pub(crate) fn begin(file: NewFile) -> Result<Self, Stop> {
        Ok(Self { shelf: OrderedSpool::new().or_else(no_temporary_file)?, file })
    }

    /// Adds the row of a document.
    pub(crate) fn add(&self, place: usize, path: &Path, document: &DocumentReport) {
        let counts = &document.counts;
        let path = path.as_os_str().as_encoded_bytes();
        let findings: Vec<&str> = document.findings.iter().map(|code| code.name()).collect();
        let findings = findings.join(" ");
        let numbers =
            [counts.links, counts.rewritten, counts.absolute, counts.same_document, counts.kept, counts.unresolved];
        let numbers = numbers.map(|number| number.to_string());
        let texts = [&*document.record, &document.part, document.media_type];
        let base = [document.base.as_deref().unwrap_or_default(), document.layer.name()];
        let last = [&*findings, &document.sha256_in, &document.sha256_out];
        let texts = texts.into_iter().chain(base).chain(numbers.iter().map(|number| &**number)).chain(last);
        self.shelf.put(place, &row([path].into_iter().chain(texts.map(str::as_bytes))));
    }

    /// Writes the report, in the order of the paths.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.file.write(|output| {
            output.write_all(&row(COLUMNS.map(str::as_bytes)))?;
            self.shelf.write_to(output)
        })
    }
}

fn row<'f>(fields: impl IntoIterator<Item = &'f [u8]>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields.into_iter().map(as_text)).expect("rows have any length, and memory takes all");
    writer.into_inner().expect("memory takes all")
}

/// A cell that no spreadsheet takes for a formula: an apostrophe stands before what could begin one, and before an
/// apostrophe, so that it can be taken away again.
fn as_text(cell: &[u8]) -> Cow<'_, [u8]> {
    match cell {
        [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n' | b'\'', ..] => [b"'", cell].concat().into(),
        _ => cell.into(),
    }
}

fn no_temporary_file<T>(error: io::Error) -> Result<T, Stop> {
    usage_error(format!("there can be no temporary file: {error}"))
}
