//! Derived archives: a run, and what came of it.

use std::fs;

use serde_json::Value;

use super::warc::{Record, check_by_warcio, decompressed, records};
use super::{argument, run};
use absolve_testing::temporary_folder;

pub(crate) type Failure = Box<dyn std::error::Error>;

/// What came of an archive.
pub(crate) struct Derived {
    pub(crate) status: i32,
    pub(crate) told: String,
    pub(crate) summary: Value,
    /// Empty if nothing was written.
    pub(crate) out: Vec<u8>,
}

impl Derived {
    pub(crate) fn records(&self) -> Result<Vec<Record>, Failure> {
        records(&decompressed(if self.out.starts_with(&[0x1f, 0x8b]) { ".gz" } else { "" }, &self.out)?)
    }

    /// How often each of these was counted.
    pub(crate) fn counts<const N: usize>(&self, names: [&str; N]) -> [u64; N] {
        names.map(|name| self.summary[name].as_u64().or(self.summary["findings"][name].as_u64()).unwrap_or_default())
    }
}

pub(crate) fn derive(name: &str, input: &[u8], flags: &[&str]) -> Result<Derived, Failure> {
    let folder = temporary_folder()?;
    let [path, output, summary] = [name, "out", "summary"].map(|name| folder.path().join(name));
    fs::write(&path, input)?;
    let arguments = ["rewrite", argument(&path), "-o", argument(&output), "--summary", argument(&summary)];
    let options = ["--warc", "resource", "--warc-date", "1600000000", "--verbose"];
    let (status, _, told) = run(&[&arguments[..], &options, flags].concat())?;
    let summary = serde_json::from_str(&fs::read_to_string(&summary)?)?;
    let derived = Derived { status, told, summary, out: fs::read(&output).unwrap_or_default() };
    // warcio reads neither Zstandard nor ZIP.
    let is_readable = [".warc", ".warc.gz"].iter().any(|end| name.ends_with(end));
    if status == 0 && derived.counts(["resources"]) != [0] && is_readable {
        check_by_warcio(&output, name);
    }
    Ok(derived)
}

pub(crate) fn id(number: u32) -> String {
    format!("<urn:uuid:00000000-0000-0000-0000-{number:012}>")
}
