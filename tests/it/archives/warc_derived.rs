//! Derived archives: resources with absolute links in the place of responses, and every other record as it was.

use std::collections::HashSet;
use std::fs;

use crate::support::derived::{derive, id};
use crate::support::warc::{HTML, Record, archive, compressed, decompressed, member, record, records, response};
use crate::support::{Outcome, absolve, argument, folder_with, run};
use data_encoding::{BASE32, HEXLOWER};
use sha1::{Digest, Sha1};
use sha2::Sha256;

const URL: &str = "http://h/d/page";
const PAGE: &[u8] = b"<a href=x>";
const DONE: &[u8] = b"<a href=http://h/d/x>";

/// The types of records, one behind the other.
fn types(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.field("WARC-Type")).collect()
}

#[test]
fn resources_stand_in_the_place_of_responses() -> Outcome {
    let (mut made, mut expected) = archive()?;
    let fields = format!("WARC-Target-URI: {URL}\r\nWARC-Refers-To: {}\r\nContent-Type: text/html\r\n", id(3));
    made.push(record("conversion", 26, &fields, PAGE));
    expected.push((26, "text/html", DONE.to_vec()));
    for (name, input) in compressed(&made)? {
        let derived = derive(name, &input, &[])?;
        assert_eq!(derived.status, 0, "{name}: {}", derived.told);
        assert!(derived.told.contains("record 20: content-coding: "), "{name}: {}", derived.told);
        let counts = derived.counts(["records", "resources", "other_responses", "conversions", "content-coding"]);
        assert_eq!(counts, [26, 16, 2, 0, 1], "{name}");
        let out = records(&decompressed(&name.replace("dictionary", "frames"), &derived.out)?)?;
        assert_eq!(out.len(), made.len() + expected.len() + 2, "{name}");
        let ids: HashSet<&str> = out.iter().map(|record| record.field("WARC-Record-ID")).collect();
        assert_eq!(ids.len(), out.len(), "{name}: two records have one id");
        let (first, last) = (&out[0], &out[out.len() - 1]);
        assert_eq!((first.field("WARC-Type"), last.field("WARC-Type")), ("warcinfo", "metadata"), "{name}");
        assert_eq!(last.field("WARC-Refers-To"), first.field("WARC-Record-ID"), "{name}");
        let sha256 = HEXLOWER.encode(&Sha256::digest(&input));
        let input_told = format!("absolve-input: {name}\r\nabsolve-input-sha256: {sha256}\r\n");
        assert_eq!(String::from_utf8_lossy(&last.block), input_told);
        let mut rest = out[1..out.len() - 1].iter();
        for (number, made) in (1..).zip(&made) {
            let record = rest.next().ok_or("records are missing")?;
            match expected.iter().find(|(expected, ..)| *expected == number) {
                Some((_, content_type, block)) => {
                    let provenance = rest.next().ok_or("records are missing")?;
                    check_replaced(record, provenance, (number, content_type, block));
                    assert_eq!(record.field("WARC-Warcinfo-ID"), first.field("WARC-Record-ID"), "{name}");
                }
                None => {
                    assert!(record.raw == *made, "{name}: record {number} has changed");
                    assert!(name != "members.warc.gz" || holds(&derived.out, &member(made)?), "member {number}");
                }
            }
        }
        let again = derive("again.warc", &derived.out, &["--type", "warc"])?;
        assert!(again.out == derived.out && again.status == 0, "{name}: a second run changes something");
        assert_eq!(again.counts(["resources", "files_changed"]), [0, 0], "{name}");
    }
    Ok(())
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

fn check_replaced(record: &Record, provenance: &Record, (number, content_type, block): (u32, &str, &[u8])) {
    let digest = format!("sha1:{}", BASE32.encode(&Sha1::digest(block)));
    let kind = if number == 26 { "conversion" } else { "resource" };
    assert_eq!(String::from_utf8_lossy(&record.block), String::from_utf8_lossy(block), "{number}");
    assert!(record.field("WARC-Target-URI").contains(URL), "{number}");
    for (field, value) in [
        ("WARC-Type", kind),
        ("WARC-Date", "2020-01-01T00:00:00Z"),
        ("WARC-Refers-To", &*if number == 26 { id(3) } else { String::new() }),
        ("Content-Type", content_type),
        ("WARC-Block-Digest", &*digest),
        ("WARC-Payload-Digest", &*digest),
    ] {
        assert_eq!(record.field(field), value, "{number}");
    }
    assert_eq!(provenance.field("WARC-Type"), "metadata", "{number}");
    assert_eq!(provenance.field("WARC-Refers-To"), record.field("WARC-Record-ID"), "{number}");
    let told = String::from_utf8_lossy(&provenance.block);
    assert!(told.starts_with(&format!("absolve-replaced: {}\r\nabsolve-replaced-type: ", id(number))), "{told}");
    let has_heading = ![19, 21, 26].contains(&number);
    assert_eq!(told.contains("\r\nabsolve-replaced-http-field: Content-Type: "), has_heading, "{told}");
}

/// A response with a digest, and a revisit of it.
fn visited(number: u32, fields: &str) -> Vec<u8> {
    let block = [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", PAGE].concat();
    let fields = format!("WARC-Target-URI: {URL}\r\nContent-Type: application/http\r\n{fields}");
    record("response", number, &fields, &block)
}

fn revisit(number: u32, url: &str, content_type: &str, fields: &str) -> Vec<u8> {
    let fields = format!("WARC-Target-URI: {url}\r\nContent-Type: application/http\r\n{fields}");
    record("revisit", number, &fields, format!("HTTP/1.1 200 OK\r\n{content_type}\r\n").as_bytes())
}

#[test]
fn revisits_stay_meaningful() -> Outcome {
    let by_id = &*format!("WARC-Refers-To: {}\r\n", id(1));
    let by_place = "WARC-Refers-To-Target-URI: http://h/d/page\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n";
    let in_brackets = &*by_place.replace(URL, "<http://h/d/page>");
    let by_digest = "WARC-Payload-Digest: sha1:P\r\n";
    let elsewhere = by_place.replace("h/d", "other/d");
    let not_here = &*format!("WARC-Refers-To: {}\r\n{by_digest}", id(99));
    let of_length = &*format!("{by_id}WARC-Truncated: length\r\n");
    let (html, none, png) = (HTML, "", "Content-Type: image/png\r\n");
    for (name, url, content_type, fields, expected) in [
        ("by id", URL, html, by_id, Some("<a href=http://h/d/x>")),
        ("without a type", URL, none, by_id, Some("<a href=http://h/d/x>")),
        ("by URL and date", URL, html, by_place, Some("<a href=http://h/d/x>")),
        ("by URL in brackets", URL, html, in_brackets, Some("<a href=http://h/d/x>")),
        ("by digest only", URL, html, by_digest, Some("<a href=http://h/d/x>")),
        ("at another URL", "https://g/e/f/", html, by_id, Some("<a href=https://g/e/f/x>")),
        ("said to be cut", URL, html, of_length, Some("<a href=http://h/d/x>")),
        ("of another archive", URL, html, &elsewhere, None),
        ("of what is not here", URL, html, not_here, None),
        ("of nothing", URL, html, "", None),
        ("that is no document", URL, png, by_id, None),
    ] {
        let (first, second) = (visited(1, by_digest), revisit(2, url, content_type, fields));
        let derived = derive("a.warc", &[&*first, &*second].concat(), &[])?;
        let out = derived.records()?;
        let is_told = ["that is no document", "of another archive", "of what is not here"].contains(&name);
        let expected_counts = [if expected.is_some() { 2 } else { 1 }, u64::from(is_told), 0];
        assert_eq!(derived.counts(["resources", "revisit", "errors"]), expected_counts, "{name}: {}", derived.told);
        match expected {
            Some(block) => {
                assert_eq!(types(&out[3..]), ["resource", "metadata", "metadata"], "{name}");
                assert_eq!(String::from_utf8_lossy(&out[3].block), block, "{name}");
                let told =
                    (out[3].field("WARC-Target-URI"), out[3].field("Content-Type"), out[3].field("WARC-Truncated"));
                assert_eq!(told, (url, "text/html", ""), "{name}");
                let provenance = String::from_utf8_lossy(&out[4].block);
                assert!(provenance.starts_with(&format!("absolve-replaced: {}\r\n", id(2))), "{provenance}");
            }
            None => assert!(out.len() == 5 && out[3].raw == second, "{name}"),
        }
        let before = derive("a.warc", &[&*second, &*first].concat(), &[])?;
        // What an earlier revisit refers to stays.
        let is_kept = expected.is_some() || name == "that is no document";
        let expected_counts = [u64::from(!is_kept), u64::from(is_kept || is_told)];
        assert_eq!(before.counts(["resources", "revisit"]), expected_counts, "{name}: {}", before.told);
        assert!(before.records()?[usize::from(!is_kept)].raw == second, "{name}");
    }
    // Nothing changes in it where it is found again, but the response it was found in is gone.
    let page = b"<base href=/b/><a href=http://h/x>";
    let absolute = [response(1, URL, "200 OK", HTML, page), revisit(2, "data:,x", HTML, by_id)].concat();
    let derived = derive("a.warc", &absolute, &[])?;
    assert_eq!(derived.counts(["resources", "errors"]), [2, 0], "{}", derived.told);
    assert_eq!(derived.records()?[3].block, page);
    Ok(())
}

/// A resource has no method: the answer to a POST at its URL would be taken for that to a GET.
#[test]
fn answers_to_posts_stay() -> Outcome {
    let request = |method: &str, number: u32, to: u32| {
        let fields = format!("WARC-Target-URI: {URL}\r\nWARC-Concurrent-To: {}\r\n", id(to));
        let fields = format!("{fields}Content-Type: application/http; msgtype=request\r\n");
        record("request", number, &fields, format!("{method} / HTTP/1.1\r\n\r\n").as_bytes())
    };
    let (page, answer) = (visited(1, ""), visited(3, &format!("WARC-Concurrent-To: {}\r\n", id(4))));
    let again = revisit(5, URL, HTML, &format!("WARC-Refers-To: {}\r\n", id(1)));
    let blank = b"\r\n\r\n".to_vec();
    for (name, archive, expected) in [
        ("before", vec![request("POST", 4, 3), answer.clone(), page.clone()], [1, 1]),
        ("behind", vec![answer.clone(), request("POST", 4, 3), page.clone()], [1, 1]),
        ("behind, without a word of it", vec![page.clone(), request("PUT", 4, 1)], [0, 1]),
        ("behind blank lines", vec![answer.clone(), blank, request("POST", 4, 3), page.clone()], [1, 1]),
        ("of a GET", vec![answer, request("GET", 4, 3), page.clone()], [2, 0]),
        ("to a revisit", vec![page.clone(), again.clone(), request("POST", 6, 5)], [1, 1]),
        ("before a revisit", vec![page, request("POST", 6, 5), again], [1, 1]),
    ] {
        let derived = derive("a.warc", &archive.concat(), &[])?;
        assert_eq!(derived.counts(["resources", "transaction"]), expected, "{name}: {}", derived.told);
        let out = derived.records().unwrap_or_default();
        if expected[0] > 0 {
            let kept = archive.iter().filter(|made| out.iter().any(|record| record.raw == **made)).count();
            let records = archive.iter().filter(|made| made.len() > 4).count();
            assert_eq!(kept as u64, records as u64 - expected[0], "{name}");
        }
    }
    Ok(())
}

#[test]
fn other_statuses_are_copied_and_counted() -> Outcome {
    let others = [
        response(2, URL, "404 Not Found", HTML, PAGE),
        response(3, URL, "301 Moved", &format!("{HTML}Location: /y\r\n"), PAGE),
        response(4, URL, "500 Oh", "Content-Type: image/png\r\n", b"x"),
    ];
    let derived = derive("a.warc", &[visited(1, ""), others.concat()].concat(), &[])?;
    assert_eq!(derived.counts(["resources", "other_responses", "conversions", "records"]), [1, 3, 0, 4]);
    assert!(derived.records()?[3..6].iter().zip(&others).all(|(record, other)| record.raw == *other));
    Ok(())
}

#[test]
fn without_a_change_the_archive_is_what_is_written() -> Outcome {
    let pages = [response(1, URL, "200 OK", HTML, DONE), response(2, URL, "404 Not Found", HTML, PAGE)];
    let padded = [member(&pages[0])?, member(&pages[1])?, vec![0; 600]].concat();
    for (name, input) in [("a.warc", pages.concat()), ("a.warc.gz", padded)] {
        let derived = derive(name, &input, &[])?;
        assert!(derived.out == input && derived.status == 0, "{}", derived.told);
        assert_eq!(derived.counts(["resources", "other_responses", "files_changed"]), [0, 1, 0]);
        let folder = folder_with(&[("in/b.html", "<p>")])?;
        let (path, output) = (folder.path().join("in").join(name), folder.path().join("out"));
        fs::write(&path, &input)?;
        assert!(absolve(&["rewrite", argument(&path), "-o", "-", "--warc", "resource"])?.stdout == input);
        let whole = folder.path().join("in");
        let (status, _, told) = run(&["rewrite", argument(&whole), "-o", argument(&output), "--warc", "resource"])?;
        assert!(status == 0 && fs::read(output.join(name))? == input, "{told}");
    }
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.warc");
    fs::write(&path, visited(1, ""))?;
    let (status, _, told) = run(&["rewrite", argument(&path), "--in-place", "--warc", "resource"])?;
    assert!(status == 2 && told.contains("cannot replace the archive") && fs::read(&path)? == visited(1, ""), "{told}");
    let written = absolve(&["rewrite", argument(&path), "-o", "-", "--warc", "resource", "--warc-date", "1600000000"])?;
    assert!(written.stdout == derive("a.warc", &visited(1, ""), &[])?.out);
    Ok(())
}
