//! The header of a WARC record (ISO 28500, section 5).

use absolve_base::{HeaderField, header_fields};
use absolve_rewriter::internal::body_start;
use uuid::Uuid;

use crate::framing::text_of_field;

/// A record, split into its header and its block.
#[derive(Debug)]
pub(crate) struct WarcRecord<'r> {
    header: &'r [u8],
    fields: Vec<HeaderField<'r>>,
    pub(crate) block: &'r [u8],
}

impl<'r> WarcRecord<'r> {
    pub(crate) fn new(record: &'r [u8]) -> Self {
        let (header_end, block) = body_start(record, 0..record.len());
        let header = &record[..header_end];
        Self { header, fields: header_fields(header).collect(), block: &record[block..] }
    }

    /// Returns the value of the first field of this name, unfolded.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        self.fields(name).next()
    }

    /// Returns the values of all fields of this name, unfolded.
    pub(crate) fn fields(&self, name: &str) -> impl Iterator<Item = String> {
        let fields = self.fields.iter().filter(move |field| field.is_named(name));
        fields.map(|field| text_of_field(&self.header[field.value.clone()]))
    }

    /// Returns whether a field has this value, without regard to case.
    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.field(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
    }

    /// Returns the `WARC-Target-URI` without angle brackets, unless it is of a scheme that documents are not retrieved from.
    pub(crate) fn target(&self) -> Option<String> {
        let target = self.url()?;
        // The grammar of WARC/1.0 has angle brackets around it, and some writers follow that.
        let target = match target.strip_prefix('<').and_then(|target| target.strip_suffix('>')) {
            Some(target) => target.to_owned(),
            None => target,
        };
        let is_internal = ["urn:", "dns:", "metadata:"].iter().any(|scheme| target.starts_with(scheme));
        (!is_internal).then_some(target)
    }

    /// Returns the `WARC-Target-URI` as written, unfolded without white space.
    pub(crate) fn url(&self) -> Option<String> {
        let field = self.fields.iter().find(|field| field.is_named("WARC-Target-URI"))?;
        let lines = self.header[field.value.clone()].split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        Some(text_of_field(&lines.collect::<Vec<_>>().concat()))
    }

    /// Returns the fields that a derived record repeats or refers to.
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

    /// Returns the record id if the record is a conversion and the id is a UUID.
    pub(crate) fn conversion_id(&self) -> Option<Uuid> {
        let id =
            Some("WARC-Record-ID").filter(|_| self.is("WARC-Type", "conversion")).and_then(|name| self.field(name))?;
        id.strip_prefix("<urn:uuid:")?.strip_suffix('>')?.parse().ok()
    }

    /// Returns the version, such as `WARC/1.1`; `WARC/1.0` if it is malformed.
    pub(crate) fn version(&self) -> &'r str {
        let line = self.header.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = str::from_utf8(line.trim_ascii()).unwrap_or_default();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = version.strip_prefix("WARC/").and_then(|numbers| numbers.split_once('.'));
        let is_version = numbers.is_some_and(|(major, minor)| is_number(major) && is_number(minor));
        if is_version { version } else { "WARC/1.0" }
    }
}

/// The header fields of a record that a derived record repeats or refers to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    /// For example `WARC/1.1`.
    pub(crate) version: String,
    /// The `WARC-Type` in lower case.
    pub(crate) kind: String,
    pub(crate) id: Option<String>,
    pub(crate) date: Option<String>,
    /// The `WARC-Target-URI` as written.
    pub(crate) target: String,
    pub(crate) refers_to: Option<String>,
    pub(crate) truncated: Option<String>,
    pub(crate) payload_digest: Option<String>,
    /// The ids of other records of the same capture.
    pub(crate) concurrent_to: Vec<String>,
}
