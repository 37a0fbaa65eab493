//! The CSV file of `absolve rewrite --report`.

use std::io;
use std::path::Path;

use absolve_files::{NewFile, OrderedSpool};
use absolve_rewriter::DocumentReport;
use absolve_table::as_text;

use crate::messages::no_temporary_file;
use crate::outcome::Stop;

/// A CSV report; its rows are spooled until the run ends.
#[derive(Debug)]
pub(crate) struct CsvReport {
    spool: OrderedSpool,
    file: NewFile,
}

const COLUMNS: [&str; 16] = [
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
    "mapped",
];

impl CsvReport {
    /// Begins the report to be written to `file`.
    pub(crate) fn begin(file: NewFile) -> Result<Self, Stop> {
        Ok(Self { spool: OrderedSpool::new().or_else(no_temporary_file)?, file })
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
        let mapped = counts.mapped.to_string();
        let last = [&*findings, &document.sha256_in, &document.sha256_out, &mapped];
        let texts = texts.into_iter().chain(base).chain(numbers.iter().map(|number| &**number)).chain(last);
        self.spool.put(place, &row([path].into_iter().chain(texts.map(str::as_bytes))));
    }

    /// Writes the report, in the order of the paths.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.file.write(|output| {
            output.write_all(&row(COLUMNS.map(str::as_bytes)))?;
            self.spool.write_to(output)
        })
    }
}

fn row<'f>(fields: impl IntoIterator<Item = &'f [u8]>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields.into_iter().map(as_text)).expect("rows have any length, and memory takes all");
    writer.into_inner().expect("memory takes all")
}
