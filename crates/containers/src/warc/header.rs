//! The header of a record of a WARC (ISO 28500).

use absolve_base::header_fields;
use absolve_rewriter::body_start;
use uuid::Uuid;

use crate::framing::text_of_field;

/// The heading and the block of a record.
#[derive(Debug)]
pub(crate) struct Record<'r> {
    heading: &'r [u8],
    pub(crate) block: &'r [u8],
}

impl<'r> Record<'r> {
    pub(crate) fn new(record: &'r [u8]) -> Self {
        let (heading_end, block) = body_start(record, 0..record.len());
        Self { heading: &record[..heading_end], block: &record[block..] }
    }

    /// The value of a field, unfolded; the first one, if there are more.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        self.fields(name).next()
    }

    /// The values of all fields of this name.
    pub(crate) fn fields(&self, name: &str) -> impl Iterator<Item = String> {
        let fields = header_fields(self.heading).filter(move |field| field.is_named(name));
        fields.map(|field| text_of_field(&self.heading[field.value]))
    }

    /// Whether a field has this value, whatever the case of the letters.
    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.field(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
    }

    /// The URL it was retrieved from, if it is one that documents have.
    pub(crate) fn target(&self) -> Option<String> {
        let target = self.url()?;
        // Some writers of WARC/1.0 put it into brackets, as its text has it.
        let target = match target.strip_prefix('<').and_then(|target| target.strip_suffix('>')) {
            Some(target) => target.to_owned(),
            None => target,
        };
        let is_of_archive = ["urn:", "dns:", "metadata:"].iter().any(|scheme| target.starts_with(scheme));
        (!is_of_archive).then_some(target)
    }

    /// The same as it is written; no white space belongs to it where lines are folded.
    fn url(&self) -> Option<String> {
        let field = header_fields(self.heading).find(|field| field.is_named("WARC-Target-URI"))?;
        let lines = self.heading[field.value].split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        Some(text_of_field(&lines.collect::<Vec<_>>().concat()))
    }

    /// What a record that is made of it tells of it.
    pub(crate) fn source(&self) -> Source {
        Source {
            version: self.version().to_owned(),
            kind: self.field("WARC-Type").unwrap_or_default().to_ascii_lowercase(),
            id: self.field("WARC-Record-ID"),
            date: self.field("WARC-Date"),
            target: self.url().unwrap_or_default(),
            refers_to: self.field("WARC-Refers-To"),
            truncated: self.field("WARC-Truncated"),
            payload_digest: self.field("WARC-Payload-Digest"),
            concurrent_to: self.fields("WARC-Concurrent-To").collect(),
        }
    }

    /// Its id, if it is a conversion whose id is a UUID.
    pub(crate) fn id_of_conversion(&self) -> Option<Uuid> {
        let id = self.field("WARC-Record-ID").filter(|_| self.is("WARC-Type", "conversion"))?;
        id.strip_prefix("<urn:uuid:")?.strip_suffix('>')?.parse().ok()
    }

    /// The version of the standard that it names, as in `WARC/1.1`, if it is one.
    pub(crate) fn version(&self) -> &'r str {
        let line = self.heading.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = str::from_utf8(line.trim_ascii()).unwrap_or_default();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = version.strip_prefix("WARC/").and_then(|numbers| numbers.split_once('.'));
        let is_version = numbers.is_some_and(|(major, minor)| is_number(major) && is_number(minor));
        if is_version { version } else { "WARC/1.0" }
    }
}

/// A record that another one is made of, as far as that one tells of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    /// As in `WARC/1.1`.
    pub(crate) version: String,
    /// As in `response`.
    pub(crate) kind: String,
    pub(crate) id: Option<String>,
    pub(crate) date: Option<String>,
    /// As it is written.
    pub(crate) target: String,
    pub(crate) refers_to: Option<String>,
    pub(crate) truncated: Option<String>,
    pub(crate) payload_digest: Option<String>,
    /// The ids of records of the same transaction.
    pub(crate) concurrent_to: Vec<String>,
}
