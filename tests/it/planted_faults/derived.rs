//! Derived archives (`--warc resource`).

use super::archives::{archive, digest, exchanged, in_record, raw, read, with_block, without};
use super::fault::{Fault, Files, Mutation, Original, Rules};

const RECORD: Rules = &["record"];
const FIELD: Rules = &["record", "header"];

const DERIVED: Original =
    Original { files: Files::Made("a.warc", || archive().concat()), flags: &["--warc", "resource"] };

const fn fault(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, DERIVED, Mutation::Bytes(mutate), rules)
}

/// The records are: a warcinfo, that of the archive, the request, three resources each with its metadata, the 404, the
/// revisit, the metadata of the archive and that of the end.
const RESOURCE: usize = 3;
const OTHER_RESPONSE: usize = 9;

pub(crate) const FAULTS: &[Fault] = &[
    fault("derived: the date of a resource", |honest| in_record(honest, RESOURCE, "2020-01-01", "2020-01-02"), FIELD),
    fault(
        "derived: the URL of a resource",
        |honest| in_record(honest, RESOURCE, "http://h/d/page", "http://h/d/pages"),
        FIELD,
    ),
    fault(
        "derived: the type of a resource",
        |honest| in_record(honest, RESOURCE, "Content-Type: text/html", "Content-Type: text/plain"),
        FIELD,
    ),
    fault(
        "derived: a resource called a response",
        |honest| in_record(honest, RESOURCE, "WARC-Type: resource", "WARC-Type: response"),
        FIELD,
    ),
    fault("derived: a response dropped", |honest| without(honest, OTHER_RESPONSE), RECORD),
    fault("derived: a resource dropped", |honest| without(honest, RESOURCE), RECORD),
    fault("derived: the request dropped", |honest| without(honest, 2), RECORD),
    fault("derived: the metadata of a resource missing", |honest| without(honest, RESOURCE + 1), RECORD),
    fault(
        "derived: the metadata of a resource names another response",
        |honest| with_block(honest, RESOURCE + 1, "000000000003>", "000000000004>"),
        &["record", "digest"],
    ),
    fault("derived: a resource and its metadata exchanged", |honest| exchanged(honest, RESOURCE, RESOURCE + 1), RECORD),
    fault("derived: two records exchanged", |honest| exchanged(honest, 1, 2), RECORD),
    fault(
        "derived: a link to the wrong target",
        |honest| with_block(honest, RESOURCE, "http://h/d/x", "http://h/x"),
        &["target"],
    ),
    fault("derived: a link left relative", |honest| with_block(honest, RESOURCE, "http://h/d/x", "x"), &["relative"]),
    fault("derived: text beside a link", |honest| with_block(honest, RESOURCE, "text", "test"), &["bytes"]),
    fault("derived: the digest of a resource", with_wrong_digest, &["digest"]),
    fault(
        "derived: a byte of a record that stays",
        |honest| in_record(honest, OTHER_RESPONSE, "<p>text", "<p>test"),
        &["record", "bytes"],
    ),
    fault(
        "derived: a link of a record that stays",
        |honest| with_block(honest, OTHER_RESPONSE, "href=x", "href=http://h/x"),
        &["record", "bytes", "kept"],
    ),
    fault("derived: a response left in its place", with_a_response_left, &["record", "relative", "links"]),
    fault("derived: the digest of the archive", with_another_input, &["digest", "record"]),
    fault("derived: the warcinfo missing", |honest| without(honest, 0), RECORD),
    fault("derived: the end missing", |honest| without(honest, raw(honest).len() - 1), RECORD),
];

fn with_wrong_digest(honest: &[u8]) -> Vec<u8> {
    in_record(honest, RESOURCE, &digest(&read(honest)[RESOURCE].block), &digest(b"something else"))
}

fn with_a_response_left(honest: &[u8]) -> Vec<u8> {
    let mut all = raw(honest);
    all.splice(RESOURCE..RESOURCE + 2, [archive()[2].clone()]);
    all.concat()
}

/// The sha256 at the end with its first digits exchanged, and the digest of the record made right again.
fn with_another_input(honest: &[u8]) -> Vec<u8> {
    let all = read(honest);
    let last = all.len() - 1;
    let text = String::from_utf8_lossy(&all[last].block).into_owned();
    let sha256 = text.split("sha256: ").nth(1).unwrap_or_default().trim_end();
    let wrong: String = sha256.chars().rev().collect();
    with_block(honest, last, sha256, &wrong)
}
