//! Revisits of records in other archives of a run: they stay meaningful, or a finding names them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::derived::{Failure, derive, id};
use crate::support::warc::{HTML, Record, decompressed, member, record, records, response};
use crate::support::{Outcome, argument, folder_with, run};

const URL: &str = "http://h/d/page";
const DONE: &str = "<a href=http://h/d/x>";

fn page(number: u32) -> Vec<u8> {
    response(number, URL, "200 OK", HTML, b"<a href=x>")
}

/// A revisit at another URL, as crawlers write it that deduplicate whatever the URL.
fn revisit(number: u32, of: u32) -> Vec<u8> {
    let place = format!("WARC-Refers-To-Target-URI: {URL}\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n");
    let fields = format!("WARC-Target-URI: http://g/e/f\r\nWARC-Refers-To: {}\r\n{place}", id(of));
    let fields = format!("{fields}Content-Type: application/http; msgtype=response\r\n");
    record("revisit", number, &fields, format!("HTTP/1.1 200 OK\r\n{HTML}\r\n").as_bytes())
}

/// Derives the archives of a folder. Returns the records of each, and what was reported.
fn derived(files: &[(&str, Vec<u8>)]) -> Result<(BTreeMap<String, Vec<Record>>, String), Failure> {
    let folder = folder_with(&[])?;
    let [input, output] = ["in", "out"].map(|name| folder.path().join(name));
    fs::create_dir(&input)?;
    for (name, bytes) in files {
        fs::write(input.join(name), bytes)?;
    }
    let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--warc", "resource", "--verbose"];
    let (status, _, errors) = run(&arguments)?;
    assert_eq!(status, 0, "{errors}");
    let (status, found, _) = run(&["verify", argument(&input), argument(&output), "--warc", "resource"])?;
    assert_eq!(status, 0, "{found}{errors}");
    let written = |(name, _): &(&str, Vec<u8>)| Ok(((*name).to_owned(), read(&output.join(name))?));
    Ok((files.iter().map(written).collect::<Result<_, Failure>>()?, errors))
}

fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    records(&decompressed(argument(path), &fs::read(path)?)?)
}

/// The blocks of the records of a URL, as a reader of all the archives finds them: each revisit by the record that it refers to.
fn served(archives: &BTreeMap<String, Vec<Record>>, url: &str) -> Vec<String> {
    let all: Vec<&Record> = archives.values().flatten().collect();
    let resolved = |record: &&Record| match record.field("WARC-Type") {
        "revisit" => {
            let of = all.iter().find(|other| other.field("WARC-Record-ID") == record.field("WARC-Refers-To"));
            of.map_or("nothing".to_owned(), |of| String::from_utf8_lossy(&of.block).into_owned())
        }
        _ => String::from_utf8_lossy(&record.block).into_owned(),
    };
    all.iter().filter(|record| record.field("WARC-Target-URI") == url).map(resolved).collect()
}

#[test]
fn a_revisit_of_another_archive_becomes_a_resource() -> Outcome {
    let one_member = [page(1), response(2, "http://h/other", "200 OK", HTML, b"<a href=y>")].concat();
    for (name, first, second) in [
        ("plain", ("a.warc", page(1)), ("b.warc", revisit(3, 1))),
        ("members", ("a.warc.gz", member(&page(1))?), ("b.warc.gz", member(&revisit(3, 1))?)),
        ("one member", ("a.warc.gz", member(&one_member)?), ("b.warc", revisit(3, 1))),
        ("frames", ("a.warc.zst", zstd::bulk::compress(&page(1), 3)?), ("b.warc", revisit(3, 1))),
    ] {
        let (archives, errors) = derived(&[first, second])?;
        assert_eq!(served(&archives, "http://g/e/f"), ["<a href=http://g/e/x>"], "{name}: {errors}");
        assert_eq!(served(&archives, URL), [DONE], "{name}");
        assert!(!errors.contains("revisit:"), "{name}: {errors}");
    }
    Ok(())
}

/// What is written of an earlier archive cannot change any more.
#[test]
fn what_an_earlier_revisit_refers_to_stays() -> Outcome {
    let (archives, errors) = derived(&[("a.warc", revisit(3, 1)), ("b.warc", [page(1), page(2)].concat())])?;
    assert_eq!(served(&archives, "http://g/e/f").len(), 1);
    assert!(served(&archives, "http://g/e/f")[0].ends_with("<a href=x>"), "{errors}");
    assert!(errors.contains("b.warc: record 1: revisit: an earlier revisit refers to it; left unchanged"), "{errors}");
    assert!(errors.contains("2 links: 0 made absolute"), "{errors}");
    let of_image = [response(1, URL, "200 OK", "Content-Type: image/png\r\n", b"PNG"), page(2)].concat();
    let elsewhere = response(4, "http://h/d/z", "200 OK", HTML, b"<a href=x>");
    let (_, errors) = derived(&[("a.warc", [revisit(3, 1), elsewhere].concat()), ("b.warc", of_image)])?;
    assert!(!errors.contains("no archive of this run"), "{errors}");
    Ok(())
}

#[test]
fn each_revisit_of_an_archive_elsewhere_is_reported() -> Outcome {
    let other = response(2, "http://h/other", "200 OK", HTML, b"<a href=y>");
    let alone = [revisit(3, 1), other.clone(), revisit(4, 1), revisit(5, 2)].concat();
    let made = derive("a.warc", &alone, &[])?;
    assert_eq!((made.counts(["revisit", "errors"]), made.status), ([2, 0], 0), "{}", made.told);
    assert!(made.told.contains("a.warc: record 3: revisit: no archive of this run has the record"), "{}", made.told);
    let (_, errors) = derived(&[("a.warc", revisit(3, 1)), ("b.warc", other)])?;
    assert!(errors.contains("a.warc: record 1: revisit: no archive of this run"), "{errors}");
    Ok(())
}

#[test]
fn links_of_a_revisit_that_cannot_be_replaced_are_kept() -> Outcome {
    let url = format!("http://g/{}", "f".repeat(40_000));
    let fields = format!("WARC-Target-URI: {url}\r\nWARC-Refers-To: {}\r\n", id(1));
    let fields = format!("{fields}Content-Type: application/http; msgtype=response\r\n");
    let revisit = record("revisit", 2, &fields, format!("HTTP/1.1 200 OK\r\n{HTML}\r\n").as_bytes());
    let folder = folder_with(&[])?;
    let [input, output] = ["a.warc", "b.warc"].map(|name| folder.path().join(name));
    fs::write(&input, [page(1), revisit].concat())?;
    let (status, _, says) = run(&["rewrite", argument(&input), "-o", argument(&output), "--warc", "resource"])?;
    assert!(
        status == 0 && says.contains("record 2: output-too-large: its URL is too long for a WARC header; left"),
        "{says}"
    );
    assert!(says.contains("2 documents, 2 links: 1 made absolute") && says.contains("1 kept"), "{says}");
    let kinds: Vec<String> = read(&output)?.iter().map(|record| record.field("WARC-Type").to_owned()).collect();
    assert_eq!(kinds, ["warcinfo", "resource", "metadata", "revisit", "metadata"]);
    Ok(())
}
