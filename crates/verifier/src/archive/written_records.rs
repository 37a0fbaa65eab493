//! Rules for the records that a run writes.

use data_encoding::BASE32;
use sha1::{Digest, Sha1};

use super::record::{Record, fields};
use crate::verdict::{Difference, Rule};

/// The fields that a record of a document may have, besides those of its type.
const DOCUMENT_FIELDS: [&str; 9] = [
    "WARC-Type",
    "WARC-Record-ID",
    "WARC-Target-URI",
    "WARC-Date",
    "WARC-Truncated",
    "WARC-Block-Digest",
    "WARC-Payload-Digest",
    "Content-Type",
    "Content-Length",
];

/// Verifies a record of a document: it has only fields of such records, its digests are those of its block, and two
/// line ends follow it.
pub(super) fn check_document_record(record: &Record, more_fields: &[&str]) -> Vec<Difference> {
    let mut found = check_record(record);
    for (name, _) in &fields(&record.header) {
        let is_known = |known: &&str| known.eq_ignore_ascii_case(name);
        if !DOCUMENT_FIELDS.iter().chain(more_fields).any(is_known) {
            found.push(Difference::new(Rule::Record, format!("{} has the unexpected field {name}", described(record))));
        }
    }
    let digest = block_digest(record.bytes());
    for name in ["WARC-Block-Digest", "WARC-Payload-Digest"] {
        let original = record.field(name);
        if original != digest {
            let message = format!("{} of {} is {original:?} instead of {digest:?}", name, described(record));
            found.push(Difference { expected: digest.clone(), ..Difference::new(Rule::Digest, message) });
        }
    }
    found
}

/// Verifies any record: it has an id, and two line ends follow it.
pub(super) fn check_record(record: &Record) -> Vec<Difference> {
    let mut found = Vec::new();
    if record.line_ends != b"\r\n\r\n" {
        let message = format!("{} does not end where its Content-Length says", described(record));
        found.push(Difference::new(Rule::Digest, message));
    }
    if record.id().is_empty() {
        found.push(Difference::new(Rule::Record, format!("{} has no id", described(record))));
    }
    found
}

/// Verifies that a field has this value.
pub(super) fn check_field(record: &Record, name: &str, expected: &str) -> Option<Difference> {
    let found = if name == "WARC-Target-URI" { record.target() } else { record.field(name) };
    let message = format!("{name} of {} is {found:?} instead of {expected:?}", described(record));
    let difference = Difference { expected: expected.to_owned(), ..Difference::new(Rule::Record, message) };
    (found != expected).then_some(difference)
}

/// Verifies that a record has the version of the record it is made of.
pub(super) fn check_version(made: &Record, original: &Record) -> Option<Difference> {
    let (found, expected) = (made.version(), original.version()?);
    let message = format!("{} names the version {found:?} instead of {expected:?}", described(made));
    (found.as_deref() != Some(&*expected)).then(|| Difference::new(Rule::Record, message))
}

/// Verifies the digest of the original archive in a record.
pub(super) fn check_input_digest(record: &Record, sha256: &str) -> Option<Difference> {
    let found = block_field(record, "absolve-input-sha256").unwrap_or_default();
    let message =
        format!("{} has the SHA-256 {found:?} of the original archive instead of {sha256:?}", described(record));
    let difference = Difference { expected: sha256.to_owned(), ..Difference::new(Rule::Digest, message) };
    (found != sha256).then_some(difference)
}

/// Returns the value of a field in the block of a record.
pub(super) fn block_field(record: &Record, name: &str) -> Option<String> {
    fields(record.bytes()).into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// Reports whether it is the warcinfo record of a run.
pub(super) fn is_warcinfo(record: &Record) -> bool {
    record.kind() == "warcinfo" && block_field(record, "absolve-input").is_some()
}

/// Describes a record of the rewritten archive in the message of a difference.
pub(super) fn described(record: &Record) -> String {
    match &*record.kind() {
        "" => format!("written record {}", record.number),
        kind => format!("written record {} ({kind})", record.number),
    }
}

/// Returns the SHA-1 digest of a block as headers have it.
pub(super) fn block_digest(block: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(block)))
}
