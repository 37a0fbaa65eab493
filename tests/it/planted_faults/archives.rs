//! Web archives: the archive itself, and the conversions behind it.

use data_encoding::BASE32;
use sha1::{Digest, Sha1};

use super::fault::{Fault, Files, Flags, Mutation, Original, Rules, replaced};
use crate::support::warc::{HTML, Record, member, record, records, response};

const RECORD: Rules = &["record"];
const RECORD_OR_BYTES: Rules = &["record", "bytes"];
const DIGEST: Rules = &["digest"];
/// A field of a record may count as its framing or its header.
const FIELD: Rules = &["record", "header"];

const URL: &str = "http://h/d/page";
const ARCHIVE: Original = Original { files: Files::Made("a.warc", || archive().concat()), flags: &[] };
const COMPRESSED: Original = Original { files: Files::Made("a.warc.gz", compressed), flags: &[] };
const SIDECAR: Original = Original { files: ARCHIVE.files, flags: &["--warc", "sidecar"] };
const HEADERS: Flags = &["--http-headers"];
const WITH_HEADERS: Original = Original { files: ARCHIVE.files, flags: HEADERS };

/// Records 3, 4 and 5 get conversions: the honest output has a warcinfo as its 9th record, and then these.
pub(crate) fn archive() -> Vec<Vec<u8>> {
    let page = b"<p>text</p><a href=x>";
    vec![
        record("warcinfo", 1, "Content-Type: application/warc-fields\r\n", b"software: x\r\n"),
        record(
            "request",
            2,
            &format!("WARC-Target-URI: {URL}\r\nContent-Type: application/http\r\n"),
            b"GET / HTTP/1.1\r\n\r\n",
        ),
        response(3, URL, "200 OK", HTML, page),
        response(4, "http://h/e/other", "200 OK", "Content-Type: text/css\r\n", b"a{b:url(y)}"),
        response(5, "http://h/f/", "200 OK", &format!("{HTML}Content-Base: http://other.example/\r\n"), b"<a href=z>"),
        response(6, "http://h/none", "404 Not Found", HTML, page),
        record(
            "revisit",
            7,
            &format!("WARC-Target-URI: {URL}\r\nContent-Type: application/http\r\n"),
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
        ),
        record("metadata", 8, &format!("WARC-Target-URI: {URL}\r\nContent-Type: text/html\r\n"), page),
    ]
}

fn compressed() -> Vec<u8> {
    archive().iter().flat_map(|record| member(record).unwrap_or_default()).collect()
}

const fn fault(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, ARCHIVE, Mutation::Bytes(mutate), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("WARC: a record missing", |honest| without(honest, 1), RECORD_OR_BYTES),
    fault("WARC: the last record of the original missing", |honest| without(honest, 7), RECORD_OR_BYTES),
    fault("WARC: two records exchanged", |honest| exchanged(honest, 2, 3), RECORD_OR_BYTES),
    fault("WARC: a record more in the original", |honest| twice(honest, 5), RECORD_OR_BYTES),
    fault("WARC: a byte of a response", |honest| in_record(honest, 2, "<p>text", "<p>test"), RECORD_OR_BYTES),
    fault(
        "WARC: the link of a response",
        |honest| in_record(honest, 2, "href=x", "href=y"),
        &["record", "bytes", "kept"],
    ),
    fault("WARC: a byte of a revisit", |honest| in_record(honest, 6, "200 OK", "200 Ok"), RECORD_OR_BYTES),
    fault("WARC: a field of a record", |honest| in_record(honest, 2, "2020-01-01", "2020-01-02"), RECORD_OR_BYTES),
    fault(
        "WARC: the length of a record",
        |honest| in_record(honest, 7, "Content-Length: 21", "Content-Length: 20"),
        &["record", "bytes", "digest"],
    ),
    fault(
        "WARC: the line ends behind a record",
        |honest| {
            replaced_once(
                honest,
                b"text</p><a href=x>\r\n\r\nWARC/1.1\r\nWARC-Type: warcinfo",
                b"text</p><a href=x>\r\nWARC/1.1\r\nWARC-Type: warcinfo",
            )
        },
        RECORD_OR_BYTES,
    ),
    fault("WARC: something behind the end", |honest| [honest, b"end\r\n"].concat(), RECORD_OR_BYTES),
    fault("WARC: cut off", |honest| honest[..honest.len() - 30].to_vec(), &["unread"]),
    fault("conversions: one missing", |honest| without(honest, 10), &["record", "relative", "links"]),
    fault(
        "conversions: all missing",
        |honest| honest[..archive().concat().len()].to_vec(),
        &["record", "relative", "links"],
    ),
    fault("conversions: the warcinfo before them missing", |honest| without(honest, 8), RECORD),
    fault("conversions: one twice", |honest| twice(honest, 9), RECORD),
    fault("conversions: two exchanged", |honest| exchanged(honest, 9, 10), RECORD),
    fault("conversions: one of a 404", |honest| with_conversion(honest, 6, "http://h/none"), RECORD),
    fault("conversions: one of a revisit", |honest| with_conversion(honest, 7, URL), RECORD),
    fault("conversions: one of a record that is not there", |honest| with_conversion(honest, 99, URL), RECORD),
    fault("conversions: the digest of the block", |honest| with_digest(honest, "WARC-Block-Digest"), DIGEST),
    fault("conversions: the digest of the payload", |honest| with_digest(honest, "WARC-Payload-Digest"), DIGEST),
    fault(
        "conversions: the length of the block",
        |honest| in_record(honest, 9, "Content-Length: 32", "Content-Length: 31"),
        &["record", "digest", "header"],
    ),
    fault(
        "conversions: made of another record",
        |honest| in_record(honest, 9, "000000000003>", "000000000004>"),
        FIELD,
    ),
    fault(
        "conversions: the URL of another record",
        |honest| in_record(honest, 9, "URI: http://h/d/page", "URI: http://h/d/pages"),
        FIELD,
    ),
    fault(
        "conversions: another type",
        |honest| in_record(honest, 9, "Content-Type: text/html", "Content-Type: text/plain"),
        FIELD,
    ),
    fault(
        "conversions: another kind of record",
        |honest| in_record(honest, 9, "WARC-Type: conversion", "WARC-Type: resource"),
        FIELD,
    ),
    fault(
        "conversions: a link to the wrong target",
        |honest| with_block(honest, 9, "http://h/d/x", "http://h/x"),
        &["target"],
    ),
    fault("conversions: a link left relative", |honest| with_block(honest, 9, "http://h/d/x", "x"), &["relative"]),
    fault("conversions: text beside a link", |honest| with_block(honest, 9, "text", "test"), &["bytes"]),
    fault(
        "conversions: a link of a style sheet",
        |honest| with_block(honest, 10, "http://h/e/y", "http://h/d/y"),
        &["target"],
    ),
    fault(
        "conversions: a heading of HTTP counted as a base",
        |honest| with_block(honest, 11, "http://h/f/z", "http://other.example/z"),
        &["target"],
    ),
    Fault::new(
        "conversions: a heading of HTTP not counted as a base",
        WITH_HEADERS,
        Mutation::Bytes(|honest| with_block(honest, 11, "http://other.example/z", "http://h/f/z")),
        &["target"],
    ),
    Fault::new(
        "conversions: headings of HTTP counted by verify alone",
        ARCHIVE,
        Mutation::Options(HEADERS),
        &["target", "record"],
    ),
    Fault::new(
        "a sidecar: a conversion missing",
        SIDECAR,
        Mutation::Bytes(|honest| without(honest, 1)),
        &["record", "relative", "links"],
    ),
    Fault::new(
        "a sidecar: a link to the wrong target",
        SIDECAR,
        Mutation::Bytes(|honest| with_block(honest, 1, "http://h/d/x", "http://h/x")),
        &["target"],
    ),
    Fault::new(
        "compressed: a link to the wrong target",
        COMPRESSED,
        Mutation::Bytes(|honest| in_members(honest, |records| with_block(records, 9, "http://h/d/x", "http://h/x"))),
        &["target", "bytes"],
    ),
    Fault::new(
        "compressed: a record missing",
        COMPRESSED,
        Mutation::Bytes(|honest| in_members(honest, |records| without(records, 4))),
        RECORD_OR_BYTES,
    ),
    Fault::new(
        "compressed: members compressed anew",
        COMPRESSED,
        Mutation::Bytes(|honest| in_members(honest, <[u8]>::to_vec)),
        RECORD_OR_BYTES,
    ),
];

/// The records of an archive, each with the line ends behind it.
pub(crate) fn raw(honest: &[u8]) -> Vec<Vec<u8>> {
    read(honest).into_iter().map(|record| record.raw).collect()
}

pub(crate) fn read(honest: &[u8]) -> Vec<Record> {
    records(honest).unwrap_or_default()
}

pub(crate) fn without(honest: &[u8], number: usize) -> Vec<u8> {
    let mut all = raw(honest);
    all.remove(number);
    all.concat()
}

pub(crate) fn exchanged(honest: &[u8], one: usize, other: usize) -> Vec<u8> {
    let mut all = raw(honest);
    all.swap(one, other);
    all.concat()
}

pub(crate) fn twice(honest: &[u8], number: usize) -> Vec<u8> {
    let mut all = raw(honest);
    all.insert(number, all[number].clone());
    all.concat()
}

/// The first text of a record replaced by the second, and no length or digest with it.
pub(crate) fn in_record(honest: &[u8], number: usize, from: &str, to: &str) -> Vec<u8> {
    let mut all = raw(honest);
    all[number] = replaced(&all[number], from.as_bytes(), to.as_bytes());
    all.concat()
}

/// The same in the block of a record, with its length and its digests.
pub(crate) fn with_block(honest: &[u8], number: usize, from: &str, to: &str) -> Vec<u8> {
    let all = read(honest);
    let block = replaced(&all[number].block, from.as_bytes(), to.as_bytes());
    assert_ne!(block, all[number].block, "{from:?} does not stand in record {number}");
    let mut records: Vec<Vec<u8>> = all.iter().map(|record| record.raw.clone()).collect();
    let heading = &all[number].raw[..all[number].raw.len() - all[number].block.len() - 4];
    let length = |block: &[u8]| format!("Content-Length: {}\r\n", block.len());
    let heading = replaced(heading, length(&all[number].block).as_bytes(), length(&block).as_bytes());
    let heading = replaced(&heading, digest(&all[number].block).as_bytes(), digest(&block).as_bytes());
    records[number] = [&heading, &block[..], b"\r\n\r\n"].concat();
    records.concat()
}

pub(crate) fn digest(block: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(block)))
}

/// A digest of the first conversion with its last character changed.
fn with_digest(honest: &[u8], field: &str) -> Vec<u8> {
    let right = digest(&read(honest)[9].block);
    let wrong = format!("{}{}", &right[..right.len() - 1], if right.ends_with('A') { 'B' } else { 'A' });
    in_record(honest, 9, &format!("{field}: {right}"), &format!("{field}: {wrong}"))
}

/// One more conversion behind the others, whose lengths and digests are right.
fn with_conversion(honest: &[u8], of: u32, url: &str) -> Vec<u8> {
    let block = b"<p>text</p><a href=http://h/d/x>";
    let digest = digest(block);
    let fields = format!(
        "WARC-Target-URI: {url}\r\nWARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-{of:012}>\r\n\
         Content-Type: text/html\r\nWARC-Block-Digest: {digest}\r\nWARC-Payload-Digest: {digest}\r\n"
    );
    [honest, &record("conversion", 90, &fields, block)].concat()
}

fn replaced_once(honest: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(memchr::memmem::find_iter(honest, from).count(), 1);
    replaced(honest, from, to)
}

/// The same with members of gzip, each compressed anew.
fn in_members(honest: &[u8], mutate: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let plain = crate::support::warc::decompressed("a.gz", honest).unwrap_or_default();
    raw(&mutate(&plain)).iter().flat_map(|record| best(record)).collect()
}

/// A member as no other is compressed here, so that it shows.
fn best(record: &[u8]) -> Vec<u8> {
    use std::io::Write;

    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(record).and_then(|()| encoder.finish()).unwrap_or_default()
}
