//! Whether records that a run adds say of themselves what is right.

use data_encoding::BASE32;
use sha1::{Digest, Sha1};

use super::record::{Record, fields};
use crate::verdict::{Difference, Rule};

/// The fields that a record of a document has, besides those of its own type.
const OF_DOCUMENT: [&str; 9] = [
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

/// What does not hold of a record of a document: its fields are those that such a record may have, its digests are those of
/// its block, two line ends stand behind it.
pub(super) fn of_document(record: &Record, more_fields: &[&str]) -> Vec<Difference> {
    let told = fields(&record.header);
    let mut found = of_record(record);
    for (name, _) in &told {
        let is_known = |known: &&str| known.eq_ignore_ascii_case(name);
        if !OF_DOCUMENT.iter().chain(more_fields).any(is_known) {
            found.push(Difference::new(Rule::Record, format!("{} has a field {name}", named(record))));
        }
    }
    let digest = digest(record.bytes());
    for name in ["WARC-Block-Digest", "WARC-Payload-Digest"] {
        let original = record.field(name);
        if original != digest {
            let message = format!("{} of {} is {original:?} instead of {digest:?}", name, named(record));
            found.push(Difference { expected: digest.clone(), ..Difference::new(Rule::Digest, message) });
        }
    }
    found
}

/// What does not hold of any record: it has an id, and two line ends stand behind it.
pub(super) fn of_record(record: &Record) -> Vec<Difference> {
    let mut found = Vec::new();
    if record.line_ends != b"\r\n\r\n" {
        let message = format!("{} does not end where its Content-Length says", named(record));
        found.push(Difference::new(Rule::Digest, message));
    }
    if record.id().is_empty() {
        found.push(Difference::new(Rule::Record, format!("{} has no id", named(record))));
    }
    found
}

/// What does not hold of a field.
pub(super) fn field_is(record: &Record, name: &str, expected: &str) -> Option<Difference> {
    let told = if name == "WARC-Target-URI" { record.target() } else { record.field(name) };
    let message = format!("{name} of {} is {told:?} instead of {expected:?}", named(record));
    let difference = Difference { expected: expected.to_owned(), ..Difference::new(Rule::Record, message) };
    (told != expected).then_some(difference)
}

/// What does not hold of the version that a record made of another one names.
pub(super) fn version_is(made: &Record, original: &Record) -> Option<Difference> {
    let (told, expected) = (made.version(), original.version()?);
    let message = format!("{} names the version {told:?} instead of {expected:?}", named(made));
    (told.as_deref() != Some(&*expected)).then(|| Difference::new(Rule::Record, message))
}

/// What does not hold of the digest of the archive that a record of ours tells.
pub(super) fn told_digest(record: &Record, sha256: &str) -> Option<Difference> {
    let told = told_in(record, "absolve-input-sha256").unwrap_or_default();
    let message = format!("{} tells the sha256 {told:?} of the archive instead of {sha256:?}", named(record));
    let difference = Difference { expected: sha256.to_owned(), ..Difference::new(Rule::Digest, message) };
    (told != sha256).then_some(difference)
}

/// What the block of a record tells under this name.
pub(super) fn told_in(record: &Record, name: &str) -> Option<String> {
    fields(record.bytes()).into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// Whether it is a warcinfo of a run.
pub(super) fn is_warcinfo(record: &Record) -> bool {
    record.kind() == "warcinfo" && told_in(record, "absolve-input").is_some()
}

/// A record of the rewritten archive as differences call it.
pub(super) fn named(record: &Record) -> String {
    let kind = record.kind();
    format!(
        "the {} that is record {} of what was written",
        if kind.is_empty() { "record" } else { &kind },
        record.number
    )
}

/// The digest of a block as records tell it.
pub(super) fn digest(block: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(block)))
}
