//! Web archives and the conversions behind or instead of their records.

use std::fs;
use std::path::Path;

use crate::planted_faults::archives::{archive, digest, exchanged, in_record, raw, read, twice, with_block, without};
use crate::planted_faults::fault::{Fault, Files, Mutation, Original, Rules, replaced};
use crate::support::Outcome;

const APPENDED: Original = Original { files: Files::Made("a.warc", || archive().concat()), flags: &[] };
const SIDECAR: Original = Original { files: APPENDED.files, flags: &["--warc", "sidecar"] };
const DERIVED: Original = Original { files: APPENDED.files, flags: &["--warc", "resource"] };

const ARC: Original = Original { files: Files::Folder(arc_and_page), flags: &["--url", "http://h/d/"] };

/// Of what is appended to: those of the archive, a warcinfo, and a conversion of each of three pages.
const PAGE: usize = 2;
const MISSING: usize = 5;
const REVISIT: usize = 6;
const INFO: usize = 8;
const FIRST: usize = 9;
const LAST: usize = 11;

/// Of a derived archive: a warcinfo, that of the archive, the request, and a resource with its metadata of each page.
const COPIED: usize = 2;
const RESOURCE: usize = 3;

const RECORD: Rules = &["record", "bytes"];
const FIELD: Rules = &["record", "header", "digest"];
const DIGEST: Rules = &["digest", "record"];
const TARGET: Rules = &["target"];
const RELATIVE: Rules = &["relative"];
const BODY: Rules = &["bytes"];

const fn fault(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, APPENDED, Mutation::Bytes(mutate), rules)
}

const fn sidecar(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, SIDECAR, Mutation::Bytes(mutate), rules)
}

const fn derived(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, DERIVED, Mutation::Bytes(mutate), rules)
}

const fn arc(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::new(name, ARC, Mutation::InFile("a.arc", from, to), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "WARC by kind, text: of a page that is not found",
        |honest| in_record(honest, MISSING, "<p>text", "<p>test"),
        RECORD,
    ),
    fault(
        "WARC by kind, header: of HTTP",
        |honest| in_record(honest, PAGE, "Content-Type: text/html", "Content-type: text/html"),
        RECORD,
    ),
    fault("WARC by kind, header: a version", |honest| in_record(honest, PAGE, "WARC/1.1", "WARC/1.0"), RECORD),
    fault(
        "WARC by kind, header: the version of a conversion",
        |honest| in_record(honest, LAST, "WARC/1.1", "WARC/0.1"),
        FIELD_UNREAD,
    ),
    fault(
        "WARC by kind, case: a field of the archive",
        |honest| in_record(honest, PAGE, "WARC-Date", "Warc-Date"),
        RECORD,
    ),
    fault(
        "WARC by kind, time: of a record of the archive",
        |honest| in_record(honest, REVISIT, "00:00:00Z", "00:00:01Z"),
        RECORD,
    ),
    fault(
        "WARC by kind, record: the id of one of the archive",
        |honest| in_record(honest, REVISIT, "000000000007>", "000000000017>"),
        RECORD,
    ),
    fault("WARC by kind, record: two without links exchanged", |honest| exchanged(honest, MISSING, REVISIT), RECORD),
    fault(
        "WARC by kind, missing: the last conversion",
        |honest| without(honest, LAST),
        &["record", "relative", "links"],
    ),
    fault("WARC by kind, missing: a revisit", |honest| without(honest, REVISIT), RECORD),
    fault("WARC by kind, added: the last conversion twice", |honest| twice(honest, LAST), RECORD),
    fault("WARC by kind, added: the warcinfo twice", |honest| twice(honest, INFO), RECORD),
    fault("WARC by kind, added: an empty line at the end", |honest| [honest, b"\r\n"].concat(), RECORD),
    fault(
        "WARC by kind, added: a second type",
        |honest| with_field(honest, FIRST, "WARC-Type: conversion", "WARC-Type: resource"),
        FIELD,
    ),
    fault(
        "WARC by kind, added: a second URL",
        |honest| with_field(honest, FIRST, "WARC-Target-URI: http://h/d/page", "WARC-Target-URI: http://h/x"),
        FIELD,
    ),
    fault(
        "WARC by kind, added: a second length",
        |honest| with_field(honest, FIRST, "Content-Length: 32", "Content-Length: 3"),
        FIELD,
    ),
    fault(
        "WARC by kind, added: a second digest",
        |honest| {
            let right = digest(&read(honest)[FIRST].block);
            with_field(
                honest,
                FIRST,
                &format!("WARC-Block-Digest: {right}"),
                &format!("WARC-Block-Digest: {}", digest(b"")),
            )
        },
        FIELD,
    ),
    fault(
        "WARC by kind, added: a field of no standard",
        |honest| with_field(honest, FIRST, "WARC-Type: conversion", "X-More: 1"),
        FIELD,
    ),
    fault("WARC by kind, digest: of the last conversion", |honest| with_wrong_digest(honest, LAST), DIGEST),
    fault(
        "WARC by kind, digest: in another algorithm's name",
        |honest| {
            let right = digest(&read(honest)[LAST].block);
            in_record(
                honest,
                LAST,
                &format!("WARC-Block-Digest: {right}"),
                &format!("WARC-Block-Digest: sha256{}", &right[4..]),
            )
        },
        DIGEST,
    ),
    fault(
        "WARC by kind, digest: dropped",
        |honest| {
            let right = digest(&read(honest)[LAST].block);
            in_record(honest, LAST, &format!("WARC-Block-Digest: {right}\r\n"), "")
        },
        FIELD,
    ),
    fault(
        "WARC by kind, length: of the last conversion",
        |honest| {
            let length = read(honest)[LAST].block.len();
            in_record(honest, LAST, &format!("Content-Length: {length}"), &format!("Content-Length: {}", length + 2))
        },
        &["record", "digest", "unread", "header"],
    ),
    fault(
        "WARC by kind, time: of a conversion",
        |honest| in_record(honest, LAST, "WARC-Date: 2020-", "WARC-Date: 2021-"),
        FIELD,
    ),
    fault(
        "WARC by kind, target: in the last conversion",
        |honest| with_block(honest, LAST, "http://h/f/z", "http://h/z"),
        TARGET,
    ),
    fault(
        "WARC by kind, link: left in the last conversion",
        |honest| with_block(honest, LAST, "http://h/f/z", "z"),
        RELATIVE,
    ),
    fault("WARC by kind, white space: in a conversion", |honest| with_block(honest, FIRST, "</p>", "</p> "), BODY),
    fault(
        "WARC by kind, comment: added to a conversion",
        |honest| with_block(honest, FIRST, "</p>", "</p><!-- -->"),
        BODY,
    ),
    fault("WARC by kind, case: a tag of a conversion", |honest| with_block(honest, FIRST, "<p>", "<P>"), BODY),
    sidecar(
        "sidecar by kind, missing: the last conversion",
        |honest| without(honest, 3),
        &["record", "relative", "links"],
    ),
    sidecar("sidecar by kind, record: two conversions exchanged", |honest| exchanged(honest, 1, 2), RECORD),
    sidecar("sidecar by kind, added: a conversion twice", |honest| twice(honest, 2), RECORD),
    sidecar("sidecar by kind, added: a record of the archive", |honest| [honest, &archive()[2]].concat(), RECORD),
    sidecar("sidecar by kind, digest: of a conversion", |honest| with_wrong_digest(honest, 3), DIGEST),
    sidecar("sidecar by kind, text: of a conversion", |honest| with_block(honest, 1, "text", "test"), BODY),
    sidecar("sidecar by kind, link: left", |honest| with_block(honest, 2, "http://h/e/y", "y"), RELATIVE),
    sidecar("sidecar by kind, missing: the warcinfo", |honest| without(honest, 0), RECORD),
    derived("derived by kind, text: of a style sheet", |honest| with_block(honest, RESOURCE + 2, "a{b:", "a{c:"), BODY),
    derived(
        "derived by kind, target: of a style sheet",
        |honest| with_block(honest, RESOURCE + 2, "http://h/e/y", "http://h/y"),
        TARGET,
    ),
    derived(
        "derived by kind, link: left in a style sheet",
        |honest| with_block(honest, RESOURCE + 2, "http://h/e/y", "y"),
        RELATIVE,
    ),
    derived("derived by kind, header: of a request", |honest| in_record(honest, COPIED, "GET / ", "get / "), RECORD),
    derived(
        "derived by kind, time: of a request",
        |honest| in_record(honest, COPIED, "00:00:00Z", "00:00:01Z"),
        RECORD,
    ),
    derived("derived by kind, digest: of a resource", |honest| with_wrong_digest(honest, RESOURCE + 2), DIGEST),
    derived(
        "derived by kind, record: two resources exchanged",
        |honest| exchanged(honest, RESOURCE, RESOURCE + 2),
        FIELD,
    ),
    derived("derived by kind, missing: a style sheet", |honest| without(honest, RESOURCE + 2), RECORD),
    derived("derived by kind, missing: the revisit", |honest| without(honest, RESOURCE + 7), RECORD),
    derived("derived by kind, added: a resource twice", |honest| twice(honest, RESOURCE), RECORD),
    derived("derived by kind, added: a request twice", |honest| twice(honest, COPIED), RECORD),
    derived(
        "derived by kind, added: a second type",
        |honest| with_field(honest, RESOURCE, "WARC-Type: resource", "WARC-Type: response"),
        FIELD,
    ),
    derived(
        "derived by kind, added: a second URL",
        |honest| with_field(honest, RESOURCE, "WARC-Target-URI: http://h/d/page", "WARC-Target-URI: http://h/x"),
        FIELD,
    ),
    derived(
        "derived by kind, time: of the metadata of a resource",
        |honest| in_record(honest, RESOURCE + 1, "WARC-Date: 20", "WARC-Date: 19"),
        FIELD,
    ),
    derived(
        "derived by kind, header: the version of the metadata of a resource",
        |honest| in_record(honest, RESOURCE + 1, "WARC/1.1", "WARC/1.0"),
        FIELD,
    ),
    derived(
        "derived by kind, header: the type of the metadata of a resource",
        |honest| in_record(honest, RESOURCE + 1, "Content-Type: application/", "Content-Type: text/"),
        FIELD,
    ),
    derived(
        "derived by kind, header: the type of the warcinfo",
        |honest| in_record(honest, 0, "Content-Type: application/", "Content-Type: text/"),
        FIELD,
    ),
    Fault::new(
        "WARC by kind, time: another one given to verify",
        APPENDED,
        Mutation::Options(&["--warc-date", "2020-01-01T00:00:00Z"]),
        FIELD,
    ),
    arc("ARC, text: of a page", "<p>t", "<p>T", &["file", "record", "bytes"]),
    arc("ARC, header: a line", "http://h/i 1.2.3.4", "http://h/i 1.2.3.5", &["file", "record", "bytes"]),
    arc(
        "ARC, time: of a record",
        "http://h/i 1.2.3.4 20200101",
        "http://h/i 1.2.3.4 20200102",
        &["file", "record", "bytes"],
    ),
    arc("ARC, missing: the last line end", "PNG...\n", "PNG...", &["file", "record", "bytes"]),
    arc("ARC, target: made absolute in place", "href=x", "href=http://h/d/x", &["file", "record", "bytes", "kept"]),
    Fault::new(
        "ARC, missing: the conversions",
        ARC,
        Mutation::Folder(without_conversions),
        &["file", "relative", "record"],
    ),
];

/// An archive and a page. What comes of the archive stands beside it.
fn arc_and_page(folder: &Path) -> Outcome {
    let response = |kind: &str, body: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}");
    let (page, image) = (response("text/html", "<p>t</p><a href=x>"), response("image/png", "PNG..."));
    let version = "1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n";
    let records = [
        ("filedesc://a.arc 0.0.0.0", "text/plain", version),
        ("http://h/d/page 1.2.3.4", "text/html", &*page),
        ("http://h/i 1.2.3.4", "image/png", &*image),
    ]
    .map(|(place, kind, block)| format!("{place} 20200101000000 {kind} {}\n{block}\n", block.len()));
    fs::write(folder.join("a.arc"), records.concat())?;
    Ok(fs::write(folder.join("page.html"), "<a href=y>")?)
}

fn without_conversions(out: &Path) -> Outcome {
    let is_beside = |path: &Path| path.extension().is_some_and(|extension| extension == "warc");
    let mut found = fs::read_dir(out)?.flatten().map(|entry| entry.path()).filter(|path| is_beside(path));
    Ok(found.try_for_each(fs::remove_file)?)
}

const FIELD_UNREAD: Rules = &["record", "header", "digest", "unread"];

/// One more field behind another one.
fn with_field(honest: &[u8], number: usize, field: &str, more: &str) -> Vec<u8> {
    in_record(honest, number, &format!("{field}\r\n"), &format!("{field}\r\n{more}\r\n"))
}

/// The digests of a block are those of another one.
fn with_wrong_digest(honest: &[u8], number: usize) -> Vec<u8> {
    let mut all = raw(honest);
    let right = digest(&read(honest)[number].block);
    all[number] = replaced(&all[number], right.as_bytes(), digest(b"something else").as_bytes());
    all.concat()
}
