//! What a derived record repeats or refers to of its record.

use absolve_framing::WarcRecord;
use uuid::Uuid;

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
    /// The names by which a revisit can refer to it.
    pub(crate) names: Vec<String>,
    /// The ids of other records of the same capture.
    pub(crate) concurrent_to: Vec<String>,
}

impl Source {
    /// Returns the fields of a record.
    pub(crate) fn of(record: &WarcRecord<'_>) -> Self {
        Self {
            version: record.version().to_owned(),
            kind: record.field("WARC-Type").unwrap_or_default().to_ascii_lowercase(),
            id: record.field("WARC-Record-ID"),
            date: record.field("WARC-Date"),
            target: record.url().unwrap_or_default(),
            refers_to: record.field("WARC-Refers-To"),
            truncated: record.field("WARC-Truncated"),
            payload_digest: record.field("WARC-Payload-Digest"),
            names: record.names(),
            concurrent_to: record.fields("WARC-Concurrent-To").collect(),
        }
    }
}

/// Returns the id of a record if it is a conversion and the id is a UUID.
pub(crate) fn conversion_id(record: &WarcRecord<'_>) -> Option<Uuid> {
    let id = record.field("WARC-Record-ID").filter(|_| record.is("WARC-Type", "conversion"))?;
    id.strip_prefix("<urn:uuid:")?.strip_suffix('>')?.parse().ok()
}
