//! The records that a run has to write.

use absolve_framing::{ArchivedDocument, block_digest, name_based_uuid, printable, record_bytes, text_of_field, urn};
use uuid::Uuid;

use super::line::Line;
use super::record::Record;
use super::written::described;
use crate::settings::Settings;
use crate::verdict::{Difference, Rule};

/// The values that the records of a run share. Two versions determine neither the date nor the program nor the name of the input: those of
/// the warcinfo record that the run writes first count.
#[derive(Debug)]
pub(super) struct Run {
    /// The name space of the ids of all records.
    identity: Uuid,
    date: String,
    /// The version of the program.
    software: String,
    /// The name of the original archive.
    pub(super) input: String,
    /// The id of the warcinfo record.
    pub(super) warcinfo: String,
}

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
    pub(super) document: &'r ArchivedDocument<'r>,
    /// The value of `WARC-Truncated`.
    pub(super) truncated: &'r Option<String>,
}

impl Run {
    /// Returns the run, if a record is the warcinfo record of one.
    pub(super) fn of(record: &Record) -> Option<Self> {
        let block = String::from_utf8_lossy(record.block());
        let value = |name: &str| {
            let mut values = block.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            values.next().map(printable)
        };
        Some(Self {
            input: value("absolve-input").filter(|_| record.kind() == "warcinfo")?,
            identity: value("absolve-run").and_then(|identity| identity.parse().ok()).unwrap_or_default(),
            date: record.field("WARC-Date").filter(|date| is_date(date)).unwrap_or_default(),
            software: value("software")?.strip_prefix("absolve/").unwrap_or_default().to_owned(),
            warcinfo: record.id().unwrap_or_default(),
        })
    }

    /// Returns the UUID of a record by the name that it is made of.
    fn id_of(&self, name: &str) -> Uuid {
        name_based_uuid(&self.identity, name)
    }

    /// Returns the first record of a run; `version` is that of the archive, and its id is made of `name`.
    pub(super) fn warcinfo(&self, name: &str, sha256: Option<&str>, version: &str, settings: &Settings) -> Expected {
        let description = match sha256 {
            Some(_) => "relative links made absolute: conversions of records of another archive, or of this one",
            None => "copy of another archive, with resources in the place of responses: their links are absolute",
        };
        let Self { software, input, identity, .. } = self;
        let sha256 = sha256.map(|sha256| format!("absolve-input-sha256: {sha256}\r\n")).unwrap_or_default();
        let format = version.replace("WARC/", "WARC File Format ");
        let (standard, precedence) = (settings.standard.name(), settings.profile.name());
        let block = format!(
            "software: absolve/{software}\r\nformat: {format}\r\ndescription: {description}\r\nabsolve-input: {input}\r\n\
             {sha256}absolve-run: {identity}\r\nabsolve-standard: {standard}\r\nabsolve-precedence: {precedence}\r\n",
        );
        let fields = vec![
            ("WARC-Type", "warcinfo".to_owned()),
            ("WARC-Record-ID", urn(self.id_of(name))),
            ("WARC-Date", settings.record_date.clone().unwrap_or_else(|| self.date.clone())),
            ("Content-Type", "application/warc-fields".to_owned()),
        ];
        Expected { version: version.to_owned(), fields, block: Some(block) }
    }

    /// Returns the conversion of a record to this content.
    pub(super) fn conversion(&self, source: Source<'_>, content: &[u8]) -> Expected {
        let digest = block_digest(content);
        let mut fields = vec![
            ("WARC-Type", "conversion".to_owned()),
            ("WARC-Record-ID", urn(self.id_of(&name_of(source.record, &digest)))),
            ("WARC-Target-URI", source.record.target()),
            ("WARC-Date", self.date.clone()),
        ];
        fields.extend(source.record.id().map(|id| ("WARC-Refers-To", id)));
        source.expected(fields, digest)
    }

    /// Returns the record that replaces another one and has this content: a conversion for a conversion, a resource for any other.
    pub(super) fn replacement(&self, source: Source<'_>, content: &[u8]) -> Expected {
        let (record, digest, date) = (source.record, block_digest(content), source.record.field("WARC-Date"));
        let is_conversion = record.kind() == "conversion";
        let kind = if is_conversion { "conversion" } else { "resource" };
        let name = format!("{kind} {} {}", self.id_of(&name_of(record, &digest)), date.as_deref().unwrap_or_default());
        let mut fields = vec![
            ("WARC-Type", kind.to_owned()),
            ("WARC-Record-ID", urn(self.id_of(&name))),
            ("WARC-Target-URI", record.target()),
            ("WARC-Date", date.unwrap_or_else(|| self.date.clone())),
            ("WARC-Warcinfo-ID", self.warcinfo.clone()),
        ];
        let refers_to = record.field("WARC-Refers-To").filter(|_| is_conversion);
        fields.extend(refers_to.map(|id| ("WARC-Refers-To", id)));
        source.expected(fields, digest)
    }

    /// Returns the metadata record that describes a replaced record; `id` is that of its replacement.
    pub(super) fn description(&self, Source { record, document, .. }: Source<'_>, id: &str) -> Expected {
        let mut block = String::new();
        let mut add = |name: &str, value: &str| {
            block.push_str(&format!("absolve-replaced{name}: {}\r\n", printable(value)));
        };
        add("", record.id().as_deref().unwrap_or("a record without an id"));
        add("-type", &record.kind());
        record.field("WARC-Payload-Digest").iter().for_each(|digest| add("-payload-digest", digest));
        let lines = document.http_header.split(|byte| *byte == b'\n').map(text_of_field);
        lines.filter(|line| !line.is_empty()).for_each(|line| add("-http-field", &line));
        self.metadata(&record.version(), "metadata", id, block)
    }

    /// Returns the last record of a derived archive; `version` is that of the last record of the original.
    pub(super) fn last(&self, version: &str, sha256: &str) -> Expected {
        let block = format!("absolve-input: {}\r\nabsolve-input-sha256: {sha256}\r\n", self.input);
        self.metadata(version, "input", &self.warcinfo, block)
    }

    fn metadata(&self, version: &str, name: &str, of: &str, block: String) -> Expected {
        let uuid = of.trim_start_matches("<urn:uuid:").trim_end_matches('>');
        let fields = vec![
            ("WARC-Type", "metadata".to_owned()),
            ("WARC-Record-ID", urn(self.id_of(&format!("{name} {uuid}")))),
            ("WARC-Date", self.date.clone()),
            ("WARC-Refers-To", of.to_owned()),
            ("WARC-Warcinfo-ID", self.warcinfo.clone()),
            ("Content-Type", "application/warc-fields".to_owned()),
        ];
        Expected { version: version.to_owned(), fields, block: Some(block) }
    }
}

impl Source<'_> {
    fn expected(&self, mut fields: Vec<(&'static str, String)>, digest: String) -> Expected {
        fields.extend(self.truncated.clone().map(|why| ("WARC-Truncated", why)));
        fields.extend([
            ("WARC-Block-Digest", digest.clone()),
            ("WARC-Payload-Digest", digest),
            ("Content-Type", self.document.content_type.clone()),
        ]);
        Expected { version: self.record.version(), fields, block: None }
    }
}

impl Expected {
    /// Returns the lines in which a written record differs from this one: of its header, of its block, and of the line ends behind it.
    pub(super) fn differences(&self, written: &Record) -> Vec<Difference> {
        const DIGESTS: [&str; 5] = [
            "WARC-Block-Digest:",
            "WARC-Payload-Digest:",
            "Content-Length:",
            "absolve-input-sha256:",
            "absolve-replaced-payload-digest:",
        ];
        let block = self.block.as_deref().map_or(written.block(), str::as_bytes);
        let framed = record_bytes(&self.version, &self.fields, written.block());
        let (rest, line_ends) = framed.split_at(framed.len() - 4);
        let header = &rest[..rest.len() - written.block().len()];
        let name = format!("in {}, line", described(written));
        let pairs = [(header, written.header()), (block, written.block()), (line_ends, &*written.line_ends)];
        let different = pairs.into_iter().filter_map(|(expected, found)| Line::different(expected, found));
        let named = different.map(|line| {
            // Where line ends behind the record are missing, its length is wrong.
            let is_end = line.expected == "\r\n" && line.found.trim_ascii().is_empty();
            let is_digest = is_end || DIGESTS.iter().any(|start| line.expected.starts_with(start));
            line.difference(if is_digest { Rule::Digest } else { Rule::Record }, &name)
        });
        named.collect()
    }
}

/// Returns the name that the id of a record derived from another one is made of: its id, if it has one, its URL and the digest of the content.
fn name_of(record: &Record, digest: &str) -> String {
    [record.id(), Some(record.target()), Some(digest.to_owned())].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Reports whether this is a date as a run writes it (RFC 3339).
pub(super) fn is_date(date: &str) -> bool {
    let form: String = date.chars().map(|char| if char.is_ascii_digit() { '0' } else { char }).collect();
    form == "0000-00-00T00:00:00Z"
}
