//! The records that a run has to write, line by line.

use absolve_framing::text_of_field;
use data_encoding::BASE32;
use sha1::{Digest, Sha1};

use super::line::Line;
use super::payload::Payload;
use super::record::Record;
use super::run::{Run, urn};
use super::written::described;
use crate::settings::Settings;
use crate::verdict::{Difference, Rule};

/// A record that a run has to write.
pub(super) struct Expected {
    version: String,
    fields: Vec<(&'static str, String)>,
    /// The block, unless it is a document, which is verified by itself.
    block: Option<String>,
}

/// A document, and the record of the original in the place of which it may be written, or behind which.
#[derive(Clone, Copy)]
pub(super) struct Source<'r> {
    pub(super) record: &'r Record,
    pub(super) payload: &'r Payload,
    /// The value of `WARC-Truncated`.
    pub(super) truncated: &'r Option<String>,
}

/// The archive that a warcinfo record begins.
pub(super) enum Begun<'a> {
    /// Conversions of records of an archive with this SHA-256.
    Conversions { sha256: &'a str },
    /// A copy of an archive that begins with these bytes.
    Copy { start: &'a [u8] },
}

impl Expected {
    /// Returns the first record of a run; `version` is that of the archive.
    pub(super) fn warcinfo(run: &Run, begun: &Begun<'_>, version: &str, settings: &Settings) -> Self {
        let Run { software, input, identity, .. } = run;
        let (id, description, sha256) = match begun {
            Begun::Conversions { sha256 } => (
                run.id_of(sha256),
                "relative links made absolute: conversions of records of another archive, or of this one",
                format!("absolve-input-sha256: {sha256}\r\n"),
            ),
            Begun::Copy { start } => (
                run.id_of(&format!("{input} {}", block_digest(start))),
                "copy of another archive, with resources in the place of responses: their links are absolute",
                String::new(),
            ),
        };
        let format = version.replace("WARC/", "WARC File Format ");
        let (standard, precedence) = (settings.standard.name(), settings.profile.name());
        let block = format!(
            "software: absolve/{software}\r\nformat: {format}\r\ndescription: {description}\r\nabsolve-input: {input}\r\n\
             {sha256}absolve-run: {identity}\r\nabsolve-standard: {standard}\r\nabsolve-precedence: {precedence}\r\n",
        );
        let fields = vec![
            ("WARC-Type", "warcinfo".to_owned()),
            ("WARC-Record-ID", urn(&id)),
            ("WARC-Date", run.date.clone()),
            ("Content-Type", "application/warc-fields".to_owned()),
        ];
        Self { version: version.to_owned(), fields, block: Some(block) }
    }

    /// Returns the conversion of a record to this content.
    pub(super) fn conversion(run: &Run, source: Source<'_>, content: &[u8]) -> Self {
        let (digest, id) = (block_digest(content), source.record.id());
        let mut fields = vec![
            ("WARC-Type", "conversion".to_owned()),
            ("WARC-Record-ID", urn(&run.id_of(&name_of(source.record, &digest)))),
            ("WARC-Target-URI", source.record.target()),
            ("WARC-Date", run.date.clone()),
        ];
        fields.extend(id.map(|id| ("WARC-Refers-To", id)));
        Self::document(source, fields, digest)
    }

    /// Returns the record that replaces another one and has this content: a conversion for a conversion, a resource for any other.
    pub(super) fn replacement(run: &Run, source: Source<'_>, content: &[u8]) -> Self {
        let (record, digest) = (source.record, block_digest(content));
        let is_conversion = record.kind() == "conversion";
        let kind = if is_conversion { "conversion" } else { "resource" };
        let date = record.field("WARC-Date");
        let made = run.id_of(&name_of(record, &digest));
        let mut fields = vec![
            ("WARC-Type", kind.to_owned()),
            ("WARC-Record-ID", urn(&run.id_of(&format!("{kind} {made} {}", date.as_deref().unwrap_or_default())))),
            ("WARC-Target-URI", record.target()),
            ("WARC-Date", date.unwrap_or_else(|| run.date.clone())),
            ("WARC-Warcinfo-ID", run.warcinfo.clone()),
        ];
        let refers_to = record.field("WARC-Refers-To").filter(|_| is_conversion);
        fields.extend(refers_to.map(|id| ("WARC-Refers-To", id)));
        Self::document(source, fields, digest)
    }

    fn document(source: Source<'_>, mut fields: Vec<(&'static str, String)>, digest: String) -> Self {
        fields.extend(source.truncated.clone().map(|why| ("WARC-Truncated", why)));
        fields.extend([
            ("WARC-Block-Digest", digest.clone()),
            ("WARC-Payload-Digest", digest),
            ("Content-Type", source.payload.content_type.clone()),
        ]);
        Self { version: source.record.version(), fields, block: None }
    }

    /// Returns the metadata record that describes a replaced record; `id` is that of its replacement.
    pub(super) fn description(run: &Run, source: Source<'_>, id: &str) -> Self {
        let record = source.record;
        let mut block = String::new();
        let mut add = |name: &str, value: &str| {
            block.push_str(&format!("absolve-replaced{name}: {}\r\n", value.replace(char::is_control, "_")));
        };
        add("", record.id().as_deref().unwrap_or("a record without an id"));
        add("-type", &record.kind());
        record.field("WARC-Payload-Digest").iter().for_each(|digest| add("-payload-digest", digest));
        let lines = source.payload.http_header.split(|byte| *byte == b'\n').map(text_of_field);
        lines.filter(|line| !line.is_empty()).for_each(|line| add("-http-field", &line));
        let uuid = id.trim_start_matches("<urn:uuid:").trim_end_matches('>');
        Self::metadata(run, &record.version(), &format!("metadata {uuid}"), id, block)
    }

    /// Returns the last record of a derived archive; `version` is that of the last record of the original.
    pub(super) fn input(run: &Run, version: &str, sha256: &str) -> Self {
        let uuid = run.warcinfo.trim_start_matches("<urn:uuid:").trim_end_matches('>');
        let block = format!("absolve-input: {}\r\nabsolve-input-sha256: {sha256}\r\n", run.input);
        Self::metadata(run, version, &format!("input {uuid}"), &run.warcinfo, block)
    }

    fn metadata(run: &Run, version: &str, name: &str, of: &str, block: String) -> Self {
        let fields = vec![
            ("WARC-Type", "metadata".to_owned()),
            ("WARC-Record-ID", urn(&run.id_of(name))),
            ("WARC-Date", run.date.clone()),
            ("WARC-Refers-To", of.to_owned()),
            ("WARC-Warcinfo-ID", run.warcinfo.clone()),
            ("Content-Type", "application/warc-fields".to_owned()),
        ];
        Self { version: version.to_owned(), fields, block: Some(block) }
    }

    /// Returns how a written record differs from this one.
    pub(super) fn check(&self, written: &Record) -> Vec<Difference> {
        let mut header = format!("{}\r\n", self.version);
        for (name, value) in &self.fields {
            header.push_str(&format!("{name}: {value}\r\n"));
        }
        header.push_str(&format!("Content-Length: {}\r\n\r\n", written.block().len()));
        let mut found = Vec::new();
        found.extend(different_line(header.as_bytes(), written.header(), written));
        found.extend(self.block.iter().filter_map(|block| different_line(block.as_bytes(), written.block(), written)));
        if written.line_ends != b"\r\n\r\n" {
            let message = format!("{} does not end where its Content-Length says", described(written));
            found.push(Difference::new(Rule::Digest, message));
        }
        found
    }
}

/// Returns the name by which the id of a record is made that has a block of this digest.
fn name_of(record: &Record, digest: &str) -> String {
    format!("{} {digest}", record.id().unwrap_or_else(|| record.target()))
}

/// Returns the SHA-1 digest of a block as headers have it.
fn block_digest(block: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(block)))
}

/// Returns the first line of a written record that differs from the expected one.
fn different_line(expected: &[u8], found: &[u8], written: &Record) -> Option<Difference> {
    const DIGESTS: [&str; 5] = [
        "WARC-Block-Digest:",
        "WARC-Payload-Digest:",
        "Content-Length:",
        "absolve-input-sha256:",
        "absolve-replaced-payload-digest:",
    ];
    let line = Line::different(expected, found)?;
    let rule = if DIGESTS.iter().any(|name| line.expected.starts_with(name)) { Rule::Digest } else { Rule::Record };
    Some(line.difference(rule, &format!("in {}, line", described(written))))
}
