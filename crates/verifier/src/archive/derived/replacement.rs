//! Records that replace others, and the metadata records that describe the replaced ones.

use crate::archive::http_response::Response;
use crate::archive::record::{Record, fields};
use crate::archive::written_records::{check_document_record, check_field, check_version};
use crate::verdict::{Difference, Rule};

/// Verifies the header of a record that replaces another one; `content_type` and `truncated` are the values its fields
/// have to have.
pub(super) fn check_replacement_record(
    record: &Record,
    next: &Record,
    content_type: &str,
    truncated: &str,
) -> Vec<Difference> {
    let is_conversion = record.kind() == "conversion";
    let (kind, more): (_, &[&str]) = match is_conversion {
        true => ("conversion", &["WARC-Warcinfo-ID", "WARC-Refers-To"]),
        false => ("resource", &["WARC-Warcinfo-ID"]),
    };
    let refers_to = if is_conversion { record.field("WARC-Refers-To") } else { String::new() };
    let date = record.field("WARC-Date");
    let mut found = check_document_record(next, more);
    found.extend(check_version(next, record));
    found.extend(check_field(next, "WARC-Type", kind));
    found.extend(check_field(next, "WARC-Refers-To", &refers_to));
    found.extend(check_field(next, "Content-Type", content_type));
    found.extend(check_field(next, "WARC-Truncated", truncated));
    found.extend(check_field(next, "WARC-Target-URI", &record.target()));
    // Where the original has no date, it has the date of the run.
    found.extend(check_field(next, "WARC-Date", &date).filter(|_| !date.is_empty()));
    if !record.id().is_empty() && next.id() == record.id() {
        found.push(Difference::new(Rule::Record, "its replacement has the same id"));
    }
    found
}

/// Verifies the fields in a metadata record that describe the replaced record.
pub(super) fn check_replaced_fields(record: &Record, metadata: &Record) -> Vec<Difference> {
    let described_fields = fields(metadata.bytes());
    let values = |name: &str| -> Vec<&str> {
        let name = format!("absolve-replaced{name}");
        described_fields.iter().filter(|(known, _)| *known == name).map(|(_, value)| &**value).collect()
    };
    let plain = |text: String| text.replace(char::is_control, "_");
    let id = if record.id().is_empty() { "a record without an id".to_owned() } else { plain(record.id()) };
    let digest = plain(record.field("WARC-Payload-Digest"));
    let is_http = ["response", "revisit"].contains(&&*record.kind());
    let response = Response::read(record.bytes()).filter(|_| is_http);
    let lines = response.map(|response| response.lines()).unwrap_or_default();
    let digests = if digest.is_empty() { Vec::new() } else { vec![digest] };
    let rules = [
        ("", vec![id], Rule::Record),
        ("-type", vec![record.kind()], Rule::Record),
        ("-payload-digest", digests, Rule::Digest),
        ("-http-field", lines, Rule::Record),
    ];
    let wrong = rules.into_iter().filter(|(name, expected, _)| values(name) != *expected);
    wrong
        .map(|(name, expected, rule)| {
            let message =
                format!("its metadata record has absolve-replaced{name} {:?} instead of {expected:?}", values(name));
            Difference::new(rule, message)
        })
        .collect()
}
