//! WACZ.

use std::io::{Cursor, Read, Write};

use data_encoding::HEXLOWER;
use serde_json::json;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::planted_faults::archives::{archive, exchanged, with_block, without};
use crate::planted_faults::fault::{Fault, Files, Mutation, Original, Rules, replaced};

const WACZ: Original = Original { files: Files::Made("a.wacz", wacz), flags: &["--warc", "resource"] };

type Members = Vec<(String, Vec<u8>)>;

const ANY: Rules = &["record", "file", "digest", "bytes", "unread"];
const ARCHIVE: &str = "archive/data.warc";
const INDEX: &str = "indexes/index.cdx";
const PAGES: &str = "pages/pages.jsonl";
const DATA: &str = "datapackage.json";

const fn fault(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, WACZ, Mutation::Bytes(mutate), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "WACZ, target: of a page",
        |honest| in_archive(honest, |warc| with_block(warc, 3, "http://h/d/x", "http://h/x")),
        &["target"],
    ),
    fault(
        "WACZ, link: left in a page",
        |honest| in_archive(honest, |warc| with_block(warc, 3, "http://h/d/x", "x")),
        &["relative"],
    ),
    fault("WACZ, text: of a page", |honest| in_archive(honest, |warc| with_block(warc, 3, "text", "test")), &["bytes"]),
    fault("WACZ, missing: a record", |honest| in_archive(honest, |warc| without(warc, 2)), ANY),
    fault("WACZ, order: two records", |honest| in_archive(honest, |warc| exchanged(warc, 1, 2)), ANY),
    fault("WACZ, missing: the pages", |honest| with(honest, |members| members.retain(|(name, _)| name != PAGES)), ANY),
    fault("WACZ, missing: the index", |honest| with(honest, |members| members.retain(|(name, _)| name != INDEX)), ANY),
    fault(
        "WACZ, added: a file",
        |honest| with(honest, |members| members.push(("more.txt".to_owned(), b"more".to_vec()))),
        ANY,
    ),
    fault("WACZ, text: of another file", |honest| in_member(honest, "notes.txt", "A note", "a note"), ANY),
    fault(
        "WACZ, text: of the pages",
        |honest| in_member(honest, PAGES, "\"title\":\"Page\"", "\"title\":\"page\""),
        ANY,
    ),
    fault("WACZ, record: a row of the index", |honest| in_member(honest, INDEX, "h,e)/other", "h,e)/another"), ANY),
    fault("WACZ, digest: of the index", |honest| with(honest, with_wrong_digest), ANY),
    fault("WACZ, text: a title of the package", |honest| in_member(honest, DATA, "Crawl", "crawl"), ANY),
    fault("WACZ, framing: a name in a local header", |honest| in_local_header(honest, 30), FRAMING),
    fault("WACZ, framing: a checksum in a local header", |honest| in_local_header(honest, 14), FRAMING),
    fault("WACZ, framing: a time in a local header", |honest| in_local_header(honest, 10), FRAMING),
    fault("WACZ, framing: bytes before the first member", |honest| [b"x", honest].concat(), FRAMING),
    fault("WACZ, framing: bytes behind the end", |honest| [honest, b"x"].concat(), FRAMING),
];

const FRAMING: Rules = &["file"];

/// Another bit in a byte of the local header of the index.
fn in_local_header(honest: &[u8], byte: usize) -> Vec<u8> {
    let mut bytes = honest.to_vec();
    let name = memchr::memmem::find(honest, INDEX.as_bytes()).unwrap_or_default();
    bytes[name - 30 + byte] ^= 1;
    bytes
}

fn sha256(bytes: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}

/// An archive with an index, pages and notes.
fn wacz() -> Vec<u8> {
    let records = archive();
    let (mut rows, mut offset) = (Vec::new(), 0);
    for (number, record) in records.iter().enumerate() {
        let url =
            [(2, "http://h/d/page", "h)/d/page"), (3, "http://h/e/other", "h,e)/other"), (4, "http://h/f/", "h)/f")];
        if let Some((_, url, key)) = url.iter().find(|(of, ..)| *of == number) {
            let row = json!({"url": url, "mime": "text/html", "status": "200", "length": record.len().to_string(),
                "offset": offset.to_string(), "filename": "data.warc"});
            rows.push(format!("{key} 20200101000000 {row}\n"));
        }
        offset += record.len();
    }
    rows.sort();
    let pages = "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All\"}\n\
        {\"id\":\"1\",\"url\":\"http://h/d/page\",\"ts\":\"2020-01-01T00:00:00Z\",\"title\":\"Page\"}\n";
    let members = [
        (ARCHIVE, records.concat()),
        (INDEX, rows.concat().into_bytes()),
        (PAGES, pages.as_bytes().to_vec()),
        ("notes.txt", b"A note.\n".to_vec()),
    ];
    zipped(&members.map(|(name, bytes)| (name.to_owned(), bytes)).to_vec(), "Crawl")
}

/// The members, and a package that describes them.
fn zipped(members: &Members, title: &str) -> Vec<u8> {
    let resource = |(path, bytes): &(String, Vec<u8>)| {
        let name = path.rsplit('/').next();
        json!({"name": name, "path": path, "hash": sha256(bytes), "bytes": bytes.len()})
    };
    let resources: Vec<_> = members.iter().map(resource).collect();
    let package = json!({"profile": "data-package", "title": title, "wacz_version": "1.1.1", "resources": resources});
    let package = (DATA.to_owned(), package.to_string().into_bytes());
    stored(&members.iter().cloned().chain([package]).collect())
}

fn stored(members: &Members) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in members {
        let written = writer.start_file(name.as_str(), options).map(|()| writer.write_all(bytes));
        assert!(matches!(written, Ok(Ok(()))), "{name} is not written");
    }
    writer.finish().map(Cursor::into_inner).unwrap_or_default()
}

fn unzipped(wacz: &[u8]) -> Members {
    let Ok(mut zip) = ZipArchive::new(Cursor::new(wacz)) else { return Vec::new() };
    let mut member = |index: usize| {
        let mut file = zip.by_index(index).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        Some((file.name().ok()?.into_owned(), bytes))
    };
    (0..).map_while(&mut member).collect()
}

fn with(honest: &[u8], mutate: impl Fn(&mut Members)) -> Vec<u8> {
    let mut members = unzipped(honest);
    mutate(&mut members);
    stored(&members)
}

fn change(members: &mut Members, name: &str, mutate: impl Fn(&[u8]) -> Vec<u8>) {
    let member = members.iter_mut().find(|(known, _)| known == name);
    member.into_iter().for_each(|(_, bytes)| *bytes = mutate(bytes));
}

/// Another text in a member, whose digest is that of before.
fn in_member(honest: &[u8], name: &str, from: &str, to: &str) -> Vec<u8> {
    with(honest, |members| change(members, name, |bytes| replaced(bytes, from.as_bytes(), to.as_bytes())))
}

/// Another archive, whose digest in the package is right.
fn in_archive(honest: &[u8], mutate: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    with(honest, |members| {
        let before =
            members.iter().find(|(name, _)| name == ARCHIVE).map(|(_, bytes)| bytes.clone()).unwrap_or_default();
        let after = mutate(&before);
        change(members, ARCHIVE, |_| after.clone());
        change(members, DATA, |package| {
            let digest = replaced(package, sha256(&before).as_bytes(), sha256(&after).as_bytes());
            let size = |bytes: &[u8]| format!("\"bytes\":{}", bytes.len());
            replaced(&digest, size(&before).as_bytes(), size(&after).as_bytes())
        });
    })
}

fn with_wrong_digest(members: &mut Members) {
    let index = members.iter().find(|(name, _)| name == INDEX).map(|(_, bytes)| sha256(bytes)).unwrap_or_default();
    change(members, DATA, |package| replaced(package, index.as_bytes(), sha256(b"something else").as_bytes()));
}
