//! What stands in the place of a record, and the metadata that tells of that.

use crate::archive::http_response::Response;
use crate::archive::record::{Record, fields};
use crate::archive::written_records::{field_is, of_document, version_is};
use crate::verdict::{Difference, Rule};

/// What is wrong with the header of what replaces a record; its block has this type, and is not whole for this reason.
pub(super) fn ours_of(record: &Record, next: &Record, content_type: &str, truncated: &str) -> Vec<Difference> {
    let is_conversion = record.kind() == "conversion";
    let (kind, more): (_, &[&str]) = match is_conversion {
        true => ("conversion", &["WARC-Warcinfo-ID", "WARC-Refers-To"]),
        false => ("resource", &["WARC-Warcinfo-ID"]),
    };
    let refers_to = if is_conversion { record.field("WARC-Refers-To") } else { String::new() };
    let date = record.field("WARC-Date");
    let mut found = of_document(next, more);
    found.extend(version_is(next, record));
    found.extend(field_is(next, "WARC-Type", kind));
    found.extend(field_is(next, "WARC-Refers-To", &refers_to));
    found.extend(field_is(next, "Content-Type", content_type));
    found.extend(field_is(next, "WARC-Truncated", truncated));
    found.extend(field_is(next, "WARC-Target-URI", &record.target()));
    // Careless writers give none; then the one of the run stands there.
    found.extend(field_is(next, "WARC-Date", &date).filter(|_| !date.is_empty()));
    if !record.id().is_empty() && next.id() == record.id() {
        found.push(Difference::new(Rule::Record, "what replaced it has its id"));
    }
    found
}

/// What a metadata tells wrongly of the record that was replaced.
pub(super) fn told_by_metadata(record: &Record, metadata: &Record) -> Vec<Difference> {
    let told = fields(metadata.bytes());
    let values = |name: &str| -> Vec<&str> {
        let name = format!("absolve-replaced{name}");
        told.iter().filter(|(known, _)| *known == name).map(|(_, value)| &**value).collect()
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
                format!("the metadata tells absolve-replaced{name} {:?} instead of {expected:?}", values(name));
            Difference::new(rule, message)
        })
        .collect()
}
