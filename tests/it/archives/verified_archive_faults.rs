//! What is wrong with a web archive is found, and its rule named.

use std::fs::{self, File};
use std::io::{Cursor, Read, Write};
use std::path::Path;

use crate::support::derived::{Failure, id};
use crate::support::warc::{HTML, member, record, records, response};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_verifier::{Rule, Settings, Verdict, WarcOutput, verify_archive, verify_wacz};
use data_encoding::{BASE32, HEXLOWER};
use serde_json::{Value, json};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Two pages, one that was not found, an image, and a revisit of the first page.
fn crawl() -> Vec<Vec<u8>> {
    let again = format!("WARC-Target-URI: http://h/e/again\r\nWARC-Refers-To: {}\r\n", id(2));
    vec![
        record("warcinfo", 1, "Content-Type: application/warc-fields\r\n", b"software: x\r\n"),
        response(2, "http://h/d/one", "200 OK", HTML, b"<p>one <a href=x>"),
        response(3, "http://h/d/two", "200 OK", HTML, b"<p>two <a href=y>"),
        response(4, "http://h/d/three", "404 Not Found", HTML, b"<a href=z>"),
        response(5, "http://h/d/i", "200 OK", "Content-Type: image/png\r\n", b"PNG"),
        record("revisit", 6, &again, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"),
    ]
}

type Records = Vec<Vec<u8>>;

/// What the program writes of that, in records; of `append` those behind the original.
fn honest(mode: &str) -> Result<Records, Failure> {
    let original = crawl().concat();
    let written = written("a.warc", &original, mode)?;
    let start = if mode == "append" { original.len() } else { 0 };
    Ok(records(&written[start..])?.into_iter().map(|record| record.raw).collect())
}

fn written(name: &str, input: &[u8], mode: &str) -> Result<Vec<u8>, Failure> {
    let folder = folder_with(&[])?;
    let (path, output) = (folder.path().join(name), folder.path().join("out"));
    fs::write(&path, input)?;
    let arguments = ["rewrite", argument(&path), "-o", argument(&output), "--warc", mode, "--quiet"];
    let (status, _, told) = run(&[&arguments[..], &["--warc-date", "1600000000"]].concat())?;
    assert_eq!(status, 0, "{told}");
    Ok(fs::read(&output)?)
}

fn verified(name: &str, original: &[u8], rewritten: &[u8], output: WarcOutput) -> Result<Verdict, Failure> {
    let folder = folder_with(&[])?;
    let (old, new) = (folder.path().join(name), folder.path().join("out"));
    fs::write(&old, original)?;
    fs::write(&new, rewritten)?;
    Ok(match Path::new(name).extension().is_some_and(|extension| extension == "wacz") {
        true => verify_wacz(&old, &new, &Settings::default())?,
        false => verify_archive(&File::open(&old)?, &File::open(&new)?, &new, output, &Settings::default())?,
    })
}

/// Its name, the rule that it breaks, and what it does to the records.
type Fault<'f> = (&'f str, Rule, &'f dyn Fn(&mut Records));

/// Verifies what was written after each of these faults, which have to be found by these rules.
fn check(mode: &str, faults: &[Fault<'_>]) -> Outcome {
    let original = crawl().concat();
    let (output, start) = match mode {
        "append" => (WarcOutput::Append, &original[..]),
        "sidecar" => (WarcOutput::Sidecar, &b""[..]),
        _ => (WarcOutput::Resource, &b""[..]),
    };
    let honest = honest(mode)?;
    let verdict = verified("a.warc", &original, &[start, &honest.concat()].concat(), output)?;
    assert!(verdict.holds() && verdict.counts.proven >= 2, "{mode}: {verdict:?}");
    for (name, rule, make) in faults {
        let mut records = honest.clone();
        make(&mut records);
        assert!(records != honest, "{mode}, {name}: nothing is wrong");
        let verdict = verified("a.warc", &original, &[start, &records.concat()].concat(), output)?;
        let told: Vec<String> = verdict.differences.iter().map(ToString::to_string).collect();
        assert!(verdict.differences.iter().any(|one| one.rule == *rule), "{mode}, {name}: {told:#?}");
    }
    Ok(())
}

/// Puts another text in the place of one.
fn put(bytes: &mut Vec<u8>, old: &str, new: &str) {
    if let Some(at) = memchr::memmem::find(bytes, old.as_bytes()) {
        bytes.splice(at..at + old.len(), new.bytes());
    }
}

/// Puts another text into the block of a record, whose length and digests stay right.
fn put_in_block(raw: &mut Vec<u8>, old: &str, new: &str) {
    let Ok(mut found) = records(raw) else { return };
    let Some(mut found) = found.pop() else { return };
    let before = found.block.clone();
    put(&mut found.block, old, new);
    let digest = |block: &[u8]| BASE32.encode(&Sha1::digest(block));
    raw.truncate(raw.len() - before.len() - 4);
    put(raw, &format!("Content-Length: {}", before.len()), &format!("Content-Length: {}", found.block.len()));
    for _ in 0..2 {
        put(raw, &digest(&before), &digest(&found.block));
    }
    raw.extend_from_slice(&found.block);
    raw.extend_from_slice(b"\r\n\r\n");
}

/// Records: warcinfo, the conversion of the first page, that of the second one.
#[test]
fn of_conversions() -> Outcome {
    let (first, second) = (id(2), id(3));
    for mode in ["append", "sidecar"] {
        check(
            mode,
            &[
                ("conversion missing", Rule::Relative, &|records| drop(records.remove(1))),
                ("all conversions missing", Rule::Record, &|records| records.truncate(1)),
                ("nothing written", Rule::Relative, &|records| records.clear()),
                ("reordered", Rule::Record, &|records| records.swap(1, 2)),
                ("warcinfo missing", Rule::Record, &|records| drop(records.remove(0))),
                ("wrong digest", Rule::Digest, &|records| {
                    put(&mut records[1], "Block-Digest: sha1:", "Block-Digest: sha1:A")
                }),
                ("no digest", Rule::Digest, &|records| {
                    put(&mut records[1], "WARC-Payload-Digest", "WARC-Block-Digest")
                }),
                ("refers to another one", Rule::Record, &|records| put(&mut records[1], &first, &second)),
                ("refers to none", Rule::Record, &|records| put(&mut records[1], &first, &id(77))),
                ("of a 404", Rule::Record, &|records| put(&mut records[1], &first, &id(4))),
                ("another URL", Rule::Record, &|records| put(&mut records[1], "http://h/d/one", "http://h/d/two")),
                ("another date", Rule::Record, &|records| put(&mut records[1], "Date: 2020-09", "Date: 2020-08")),
                ("another type", Rule::Record, &|records| put(&mut records[1], "text/html", "text/plain")),
                ("a field too many", Rule::Record, &|records| {
                    put(&mut records[1], "WARC-Date", "WARC-IP-Address: 1.2.3.4\r\nWARC-Date")
                }),
                ("another version", Rule::Record, &|records| put(&mut records[1], "WARC/1.1", "WARC/1.0")),
                ("a second type", Rule::Record, &|records| {
                    put(&mut records[1], "WARC-Record-ID", "WARC-Type: resource\r\nWARC-Record-ID")
                }),
                ("a second URL", Rule::Record, &|records| {
                    put(&mut records[1], "WARC-Date", "WARC-Target-URI: http://h/\r\nWARC-Date")
                }),
                ("a second length", Rule::Record, &|records| {
                    put(&mut records[1], "28\r\n\r\n", "28\r\nContent-Length: 1\r\n\r\n")
                }),
                ("a second digest", Rule::Record, &|records| {
                    put(&mut records[1], "Content-Length", "WARC-Block-Digest: sha1:A\r\nContent-Length")
                }),
                ("zeros before a length", Rule::Digest, &|records| put(&mut records[1], ": 28\r", ": 028\r")),
                ("another case", Rule::Record, &|records| put(&mut records[1], "WARC-Date", "Warc-Date")),
                ("another line end", Rule::Record, &|records| put(&mut records[1], "WARC/1.1\r\n", "WARC/1.1\n")),
                ("type of the warcinfo", Rule::Record, &|records| {
                    put(&mut records[0], "application/warc-fields", "text/plain")
                }),
                ("too short", Rule::Digest, &|records| {
                    put(&mut records[1], "Content-Length: 28", "Content-Length: 27")
                }),
                ("too long", Rule::Digest, &|records| put(&mut records[1], "Content-Length: 28", "Content-Length: 29")),
                ("a wrong link", Rule::Target, &|records| {
                    put_in_block(&mut records[1], "http://h/d/x", "http://h/e/x")
                }),
                ("a relative link", Rule::Relative, &|records| put_in_block(&mut records[1], "http://h/d/x", "x")),
                ("text changed", Rule::Bytes, &|records| put_in_block(&mut records[1], "<p>one", "<p>One")),
                ("the wrong archive", Rule::Digest, &|records| {
                    put_in_block(&mut records[0], "input-sha256: ", "input-sha256: 0")
                }),
                ("once more", Rule::Record, &|records| records.push(records[1].clone())),
                ("a request added", Rule::Record, &|records| {
                    records.push(record("request", 9, "", b"GET / HTTP/1.1\r\n\r\n"))
                }),
                ("garbage added", Rule::Record, &|records| records.push(b"garbage\r\n".to_vec())),
                ("cut off", Rule::Unread, &|records| records[2].truncate(300)),
            ],
        )?;
    }
    Ok(())
}

#[test]
fn of_the_original_part() -> Outcome {
    let original = crawl().concat();
    for (at, expected) in [(0, Rule::Bytes), (original.len() / 2, Rule::Bytes), (original.len() - 1, Rule::Bytes)] {
        let mut rewritten = written("a.warc", &original, "append")?;
        rewritten[at] ^= 1;
        let verdict = verified("a.warc", &original, &rewritten, WarcOutput::Append)?;
        assert_eq!((verdict.differences[0].rule, verdict.differences[0].byte), (expected, Some(at)));
    }
    let verdict = verified("a.warc", &original, &original[..original.len() - 9], WarcOutput::Append)?;
    assert_eq!(verdict.differences[0].rule, Rule::Bytes);
    Ok(())
}

/// Records: warcinfo, that of the original, resource, metadata, resource, metadata, 404, image, resource, metadata, metadata.
#[test]
fn of_derived_archives() -> Outcome {
    check(
        "resource",
        &[
            ("warcinfo missing", Rule::Record, &|records| drop(records.remove(0))),
            ("another date", Rule::Record, &|records| put(&mut records[2], "Date: 2020-01", "Date: 2020-02")),
            ("another date of a copy", Rule::Record, &|records| put(&mut records[6], "Date: 2020-01", "Date: 2020-02")),
            ("resource dropped", Rule::Record, &|records| drop(records.drain(2..4))),
            ("response dropped", Rule::Record, &|records| drop(records.remove(6))),
            ("last record dropped", Rule::Record, &|records| drop(records.drain(8..10))),
            ("metadata missing", Rule::Record, &|records| drop(records.remove(3))),
            ("metadata at the end missing", Rule::Record, &|records| drop(records.pop())),
            ("date of metadata", Rule::Record, &|records| put(&mut records[3], "Date: 2020-09", "Date: 2020-08")),
            ("version of metadata", Rule::Record, &|records| put(&mut records[3], "WARC/1.1", "WARC/1.0")),
            ("type of metadata", Rule::Record, &|records| put(&mut records[3], "application/", "text/")),
            ("a second type", Rule::Record, &|records| {
                put(&mut records[2], "WARC-Record-ID", "WARC-Type: response\r\nWARC-Record-ID")
            }),
            ("metadata of another one", Rule::Record, &|records| put_in_block(&mut records[3], &id(2), &id(3))),
            ("heading of HTTP missing", Rule::Record, &|records| {
                put_in_block(&mut records[3], "absolve-replaced-http-field: Content-Type: text/html\r\n", "")
            }),
            ("the wrong archive", Rule::Digest, &|records| {
                put_in_block(&mut records[10], "input-sha256: ", "input-sha256: 0")
            }),
            ("a copy changed", Rule::Record, &|records| put(&mut records[7], "PNG", "GIF")),
            ("a copy with another heading", Rule::Record, &|records| {
                put(&mut records[7], "WARC-Date", "X: y\r\nWARC-Date")
            }),
            ("copies reordered", Rule::Record, &|records| records.swap(6, 7)),
            ("resources reordered", Rule::Record, &|records| records[2..6].rotate_left(2)),
            ("a copy once more", Rule::Record, &|records| records.insert(8, records[7].clone())),
            ("a record added", Rule::Record, &|records| {
                records.insert(6, record("resource", 99, "WARC-Target-URI: http://h/\r\n", b"x"))
            }),
            ("the response beside its resource", Rule::Record, &|records| records.insert(4, crawl()[1].clone())),
            ("a revisit stayed", Rule::Record, &|records| drop(records.splice(8..10, [crawl()[5].clone()]))),
            ("a response stayed", Rule::Relative, &|records| drop(records.splice(4..6, [crawl()[2].clone()]))),
            ("wrong digest", Rule::Digest, &|records| {
                put(&mut records[2], "Payload-Digest: sha1:", "Payload-Digest: sha1:A")
            }),
            ("too short", Rule::Digest, &|records| put(&mut records[2], "Content-Length: 28", "Content-Length: 27")),
            ("a wrong link", Rule::Target, &|records| put_in_block(&mut records[2], "http://h/d/x", "http://h/e/x")),
            ("a link at the base of another one", Rule::Target, &|records| {
                put_in_block(&mut records[8], "http://h/e/x", "http://h/d/x")
            }),
            ("text changed", Rule::Bytes, &|records| put_in_block(&mut records[4], "<p>two", "<p>Two")),
            ("line ends missing", Rule::Record, &|records| put(&mut records[6], "z>\r\n\r\n", "z>\r\n")),
        ],
    )
}

type Files = Vec<(String, Vec<u8>)>;

fn sha256(bytes: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}

fn zipped(files: &Files) -> Result<Vec<u8>, Failure> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in files {
        writer.start_file(name, options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn unzipped(wacz: &[u8]) -> Result<Files, Failure> {
    let mut zip = ZipArchive::new(Cursor::new(wacz))?;
    let mut files = Vec::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        files.push((file.name()?.into_owned(), bytes));
    }
    files.sort();
    Ok(files)
}

/// A WACZ of that crawl; its index plain, or in blocks.
fn wacz(index: &str) -> Result<Vec<u8>, Failure> {
    let (mut archive, mut rows) = (Vec::new(), String::new());
    for (number, record) in crawl().iter().enumerate() {
        let record = member(record)?;
        let row = json!({ "offset": archive.len(), "length": record.len(), "digest": "x", "status": 200,
            "mime": "x", "filename": "data.warc.gz", "recordDigest": sha256(&record) });
        rows.push_str(&format!("h)/{number} 20200101000000 {row}\n"));
        archive.extend(record);
    }
    let rows = if index.ends_with(".gz") { member(rows.as_bytes())? } else { rows.into_bytes() };
    let mut files: Files = vec![
        ("archive/data.warc.gz".into(), archive),
        (index.into(), rows),
        ("pages/pages.jsonl".into(), b"{}\n".to_vec()),
    ];
    if index.ends_with(".gz") {
        files.push(("indexes/index.idx".into(), b"!meta 0 {}\nold\n".to_vec()));
    }
    let told = |(path, bytes): &(String, Vec<u8>)| json!({ "path": path, "hash": sha256(bytes), "bytes": bytes.len() });
    let resources: Vec<Value> = files.iter().map(told).collect();
    let package = json!({ "title": "x", "resources": resources }).to_string();
    let digest = json!({ "path": "datapackage.json", "hash": sha256(package.as_bytes()), "signedData": { "x": 1 } });
    files.push(("datapackage.json".into(), package.into_bytes()));
    files.push(("datapackage-digest.json".into(), digest.to_string().into_bytes()));
    zipped(&files)
}

#[test]
fn of_waczs() -> Outcome {
    let change = |name: &'static str, old: &'static str, new: &'static str| {
        move |files: &mut Files| {
            files.iter_mut().filter(|(known, _)| known == name).for_each(|(_, bytes)| put(bytes, old, new))
        }
    };
    const PLAIN: &str = "indexes/index.cdxj";
    type Change = Box<dyn Fn(&mut Files)>;
    let faults: [(&str, &str, Rule, Change); 17] = [
        ("offset of a row", PLAIN, Rule::Record, Box::new(change(PLAIN, "\"offset\":", "\"offset\":1"))),
        ("length of a row", PLAIN, Rule::Record, Box::new(change(PLAIN, "\"length\":", "\"length\":1"))),
        ("key of a row", PLAIN, Rule::Record, Box::new(change(PLAIN, "h)/3", "h)/x"))),
        ("digest of a row", PLAIN, Rule::Record, Box::new(change(PLAIN, "sha1:", "sha1:A"))),
        ("type of a row", PLAIN, Rule::Record, Box::new(change(PLAIN, "text/html", "text/css"))),
        (
            "row added",
            PLAIN,
            Rule::Record,
            Box::new(|files| {
                files.iter_mut().for_each(|(name, bytes)| {
                    if name == PLAIN {
                        bytes.extend(b"x\n")
                    }
                })
            }),
        ),
        ("digest of a file", PLAIN, Rule::Digest, Box::new(change("datapackage.json", "sha256:", "sha256:0"))),
        ("title", PLAIN, Rule::File, Box::new(change("datapackage.json", "title", "Title"))),
        ("digest of the list", PLAIN, Rule::Digest, Box::new(change("datapackage-digest.json", "sha256:", "sha256:0"))),
        (
            "signature stays",
            PLAIN,
            Rule::Digest,
            Box::new(change("datapackage-digest.json", "{", "{\"signedData\":{},")),
        ),
        ("page list", PLAIN, Rule::File, Box::new(change("pages/pages.jsonl", "{", "{ "))),
        (
            "page list missing",
            PLAIN,
            Rule::File,
            Box::new(|files| files.retain(|(name, _)| !name.starts_with("pages"))),
        ),
        ("form of the package", PLAIN, Rule::File, Box::new(change("datapackage.json", "\n", "\n "))),
        ("form of a row", PLAIN, Rule::Record, Box::new(change(PLAIN, "\"offset\":", "\"offset\": "))),
        ("files in another order", PLAIN, Rule::File, Box::new(|files| files.reverse())),
        ("file added", PLAIN, Rule::File, Box::new(|files| files.push(("x".into(), Vec::new())))),
        (
            "digest of a block",
            "indexes/index.cdx.gz",
            Rule::Digest,
            Box::new(change("indexes/index.idx", "sha256:", "sha256:0")),
        ),
    ];
    for index in [PLAIN, "indexes/index.cdx.gz"] {
        let original = wacz(index)?;
        let honest = written("a.wacz", &original, "resource")?;
        let verdict = verified("a.wacz", &original, &honest, WarcOutput::Resource)?;
        assert!(verdict.holds(), "{index}: {verdict:#?}");
        assert_eq!((verdict.counts.proven, verdict.counts.records), (3, 6));
        for (name, _, rule, make) in faults.iter().filter(|fault| fault.1 == index) {
            let mut files = unzipped(&honest)?;
            let before = files.clone();
            make(&mut files);
            assert!(files != before, "{name}: nothing is wrong");
            let verdict = verified("a.wacz", &original, &zipped(&files)?, WarcOutput::Resource)?;
            assert!(verdict.differences.iter().any(|one| one.rule == *rule), "{name}: {:#?}", verdict.differences);
        }
    }
    Ok(())
}
