//! WACZ: a derived one whose index, digests and pages fit its archives.

use std::collections::HashMap;
use std::fs;
use std::io::{Cursor, Read, Write};

use crate::support::derived::{Failure, derive, id};
use crate::support::warc::{HTML, decompressed, member, record, records, response};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{corpus, files, print_line};
use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const DONE: &[u8] = b"<a href=http://h/d/x>";

type Files = Vec<(&'static str, Vec<u8>)>;

/// A ZIP of these files; what is compressed in itself is stored.
fn zipped(files: &Files) -> Result<Vec<u8>, Failure> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let is_stored = name.ends_with(".gz") || name.starts_with("archive/");
        let method = if is_stored { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        writer.start_file(*name, SimpleFileOptions::default().compression_method(method))?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn unzipped(wacz: &[u8]) -> Result<HashMap<String, (CompressionMethod, Vec<u8>)>, Failure> {
    let mut zip = ZipArchive::new(Cursor::new(wacz))?;
    let mut files = HashMap::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        files.insert(file.name()?.into_owned(), (file.compression(), bytes));
    }
    Ok(files)
}

fn sha256(bytes: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}

/// Records of an archive, and of each the URL, the type and the block by which an index finds it after a run.
fn crawl() -> Vec<(Vec<u8>, &'static str, &'static str, Vec<u8>)> {
    let page = b"<a href=x>";
    let url = "http://h/d/page";
    let image = response(2, "http://h/d/i", "200 OK", "Content-Type: image/png\r\n", b"PNG");
    let missing = response(3, "http://h/d/{n}", "404 Not Found", HTML, page);
    let fields = format!("WARC-Target-URI: http://h/d/again\r\nWARC-Refers-To: {}\r\n", id(1));
    let block = |record: &[u8]| records(record).map(|records| records[0].block.clone()).unwrap_or_default();
    vec![
        (record("warcinfo", 9, "", b"software: x\r\n"), "", "", Vec::new()),
        (response(1, url, "200 OK", HTML, page), url, "text/html", DONE.to_vec()),
        (image.clone(), "http://h/d/i", "image/png", block(&image)),
        (missing.clone(), "http://h/d/{n}", "text/html", block(&missing)),
        (record("revisit", 4, &fields, b""), "http://h/d/again", "text/html", DONE.to_vec()),
    ]
}

/// How the archive and the index of it are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Plain,
    Members,
    Blocks,
}

/// An archive of that crawl, and the rows of an index of it.
fn archive(shape: Shape) -> Result<(&'static str, Vec<u8>, Vec<String>), Failure> {
    let name = if shape == Shape::Plain { "archive/data.warc" } else { "archive/data.warc.gz" };
    let (mut bytes, mut rows) = (Vec::new(), Vec::new());
    for (number, (record, url, mime, _)) in crawl().into_iter().enumerate() {
        let record = if shape == Shape::Plain { record } else { member(&record)? };
        let (offset, length) = (bytes.len(), record.len());
        let mut row = json!({ "url": url, "mime": mime, "status": "200", "digest": "sha1:OLD", "length": length,
            "offset": offset, "filename": "data.warc.gz", "recordDigest": sha256(&record) });
        row["filename"] = name.trim_start_matches("archive/").into();
        if number % 2 == 0 {
            // Many writers make texts of numbers.
            row["offset"] = offset.to_string().into();
            row["length"] = length.to_string().into();
        }
        if !url.is_empty() {
            rows.push(format!("{} 20200101000000 {row}", url.replace("http://h/", "h)/")));
        }
        bytes.extend(record);
    }
    rows.sort();
    Ok((name, bytes, rows))
}

const PAGES: &[u8] = b"{\"format\": \"json-pages-1.0\"}\n{\"url\": \"http://h/d/page\"}\n";

/// A WACZ: archives, an index, pages, and the digests of all.
fn wacz(shape: Shape, more_rows: &[&str]) -> Result<Files, Failure> {
    let (name, bytes, mut rows) = archive(shape)?;
    rows.extend(more_rows.iter().map(|row| (*row).to_owned()));
    let text = rows.join("\n") + "\n";
    let other = response(1, "http://h/", "200 OK", HTML, DONE);
    let mut files =
        vec![(name, bytes), ("archive/other.warc.gz", member(&other)?), ("pages/pages.jsonl", PAGES.to_vec())];
    match shape {
        Shape::Plain => files.push(("indexes/index.cdx", text.into_bytes())),
        Shape::Members => files.push(("indexes/index.cdxj", text.into_bytes())),
        Shape::Blocks => files.extend([
            ("indexes/index.v1.cdx.gz", member(text.as_bytes())?),
            ("indexes/index.v1.idx", b"!meta 0 {}\nold\n".to_vec()),
        ]),
    }
    let resources: Vec<Value> = files
        .iter()
        .map(|(path, bytes)| json!({ "path": path, "name": path, "hash": sha256(bytes), "bytes": bytes.len() }))
        .collect();
    let package = json!({ "profile": "data-package", "title": "x", "resources": resources }).to_string();
    let digest = json!({ "path": "datapackage.json", "hash": sha256(package.as_bytes()), "signedData": { "x": 1 } });
    files.push(("datapackage.json", package.into_bytes()));
    files.push(("datapackage-digest.json", digest.to_string().into_bytes()));
    Ok(files)
}

#[test]
fn a_revisit_of_another_archive_of_a_wacz() -> Outcome {
    let of = |number| format!("WARC-Target-URI: http://g/e/\r\nWARC-Refers-To: {}\r\n", id(number));
    let again = [member(&record("revisit", 7, &of(1), b""))?, member(&record("revisit", 8, &of(99), b""))?].concat();
    for shape in [Shape::Plain, Shape::Members, Shape::Blocks] {
        let mut input = wacz(shape, &[])?;
        input[1].1.clone_from(&again);
        let derived = derive("a.wacz", &zipped(&input)?, &[])?;
        assert_eq!(derived.counts(["resources", "revisit", "errors"]), [3, 1, 0], "{}", derived.told);
        assert!(derived.told.contains("record archive/other.warc.gz 2: revisit: no archive"), "{}", derived.told);
        let out = records(&decompressed(".gz", &unzipped(&derived.out)?["archive/other.warc.gz"].1)?)?;
        assert_eq!(out[1].block, b"<a href=http://g/e/x>");
        let folder = folder_with(&[])?;
        let [original, written] = ["a", "o"].map(|name| folder.path().join(format!("{name}.wacz")));
        fs::write(&original, zipped(&input)?).and_then(|()| fs::write(&written, &derived.out))?;
        assert_eq!(run(&["verify", argument(&original), argument(&written), "--warc", "resource"])?.0, 0);
    }
    Ok(())
}

#[test]
fn the_index_leads_to_what_stands_there() -> Outcome {
    for shape in [Shape::Plain, Shape::Members, Shape::Blocks] {
        let nowhere = "h)/nowhere 20200101000000 {\"filename\":\"data.warc.gz\",\"offset\":7,\"length\":9}";
        let input = wacz(shape, &[&nowhere.replace(".gz", if shape == Shape::Plain { "" } else { ".gz" })])?;
        let derived = derive("a.wacz", &zipped(&input)?, &[])?;
        assert_eq!(derived.status, 0, "{shape:?}: {}", derived.told);
        let counts = derived.counts(["resources", "other_responses", "archive-index", "signed", "records"]);
        assert_eq!(counts, [2, 1, 1, 1, 6], "{shape:?}: {}", derived.told);
        assert!(derived.told.contains(": 1 rows of indexes/index"), "{}", derived.told);
        let files = unzipped(&derived.out)?;
        assert_eq!(files.len(), input.len());
        let (name, index) = (input[0].0, &files[input[3].0].1);
        let (method, archive) = &files[name];
        let text = String::from_utf8(decompressed(input[3].0, index)?)?;
        let found = check_rows(&text, archive)?;
        assert_eq!(found, 4, "{shape:?}: {text}");
        let is_stored = |name: &str| files[name].0 == CompressionMethod::Stored;
        assert!(*method == CompressionMethod::Stored && is_stored("archive/other.warc.gz"), "{shape:?}");
        for unchanged in ["archive/other.warc.gz", "pages/pages.jsonl"] {
            let old = input.iter().find(|(name, _)| *name == unchanged).map(|(_, bytes)| bytes);
            assert!(Some(&files[unchanged].1) == old, "{unchanged} has changed");
        }
        if shape == Shape::Blocks {
            assert!(is_stored("indexes/index.v1.cdx.gz"));
            check_blocks(&String::from_utf8(files["indexes/index.v1.idx"].1.clone())?, index)?;
        }
        check_package(&files)?;
        let again = derive("b.wacz", &derived.out, &[])?;
        assert!(again.out == derived.out && again.counts(["resources"]) == [0], "{}", again.told);
    }
    Ok(())
}

/// Each row names a record that holds what it says; answers how many there are.
fn check_rows(text: &str, archive: &[u8]) -> Result<usize, Failure> {
    for row in text.lines() {
        let row: Value = serde_json::from_str(row.splitn(3, ' ').nth(2).ok_or("no row")?)?;
        let number = |name: &str| row[name].as_u64().or_else(|| row[name].as_str()?.parse().ok());
        let place = number("offset").zip(number("length")).ok_or("a row has no place")?;
        let bytes = &archive[place.0 as usize..][..place.1 as usize];
        let name = row["filename"].as_str().unwrap_or_default();
        let found = &records(&decompressed(name, bytes)?)?;
        assert_eq!(found.len(), 1, "{row}");
        let crawl = crawl();
        let (_, url, mime, block) = crawl.iter().find(|(_, url, ..)| row["url"] == **url).ok_or("no such URL")?;
        assert_eq!((found[0].field("WARC-Target-URI"), row["mime"].as_str()), (*url, Some(*mime)));
        assert!(found[0].block == *block, "{row}");
        let is_resource = found[0].field("WARC-Type") == "resource";
        assert_eq!(is_resource, block == DONE, "{row}");
        assert_eq!(row["digest"] == found[0].field("WARC-Payload-Digest"), is_resource, "{row}");
        assert_eq!(row["status"].is_null(), is_resource, "{row}");
        assert!(row["recordDigest"].is_null() || row["recordDigest"] == sha256(bytes), "{row}");
    }
    Ok(text.lines().count())
}

fn check_blocks(list: &str, index: &[u8]) -> Outcome {
    let (meta, block) = list.trim_end().split_once('\n').ok_or("no blocks")?;
    assert_eq!(meta, "!meta 0 {\"format\":\"cdxj-gzip-1.0\",\"filename\":\"index.v1.cdx.gz\"}");
    let block = block.strip_prefix("h)/d/again 20200101000000 ").ok_or("the block begins elsewhere")?;
    let place: Value = serde_json::from_str(block)?;
    assert_eq!(place, json!({ "offset": 0, "length": index.len(), "digest": sha256(index) }));
    Ok(())
}

/// The digests are right, that of their list included, and nobody signs it any more.
fn check_package(files: &HashMap<String, (CompressionMethod, Vec<u8>)>) -> Outcome {
    let package = &files["datapackage.json"].1;
    let told: Value = serde_json::from_slice(package)?;
    let resources = told["resources"].as_array().ok_or("no resources")?;
    assert_eq!(resources.len(), files.len() - 2);
    for resource in resources {
        let bytes = &files[resource["path"].as_str().unwrap_or_default()].1;
        assert_eq!((&resource["hash"], &resource["bytes"]), (&sha256(bytes).into(), &bytes.len().into()), "{resource}");
    }
    assert_eq!((&told["title"], &told["modified"]), (&"x".into(), &"2020-09-13T12:26:40Z".into()));
    let digest: Value = serde_json::from_slice(&files["datapackage-digest.json"].1)?;
    assert_eq!(digest, json!({ "path": "datapackage.json", "hash": sha256(package) }));
    Ok(())
}

/// Rows of older archives that are not known here, or of none, do not keep the others from following.
#[test]
fn rows_that_cannot_be_read_are_left_out() -> Outcome {
    let (mut files, no_json) = (wacz(Shape::Members, &["h)/ 2020 no json", "x", " CDX N b a"])?, b"\xff\xfe\n");
    files[3].1.extend_from_slice(no_json);
    let derived = derive("a.wacz", &zipped(&files)?, &[])?;
    assert_eq!(derived.counts(["resources", "archive-index", "errors"]), [2, 1, 0], "{}", derived.told);
    assert!(derived.told.contains(": 3 rows of indexes/index.cdxj refer to no record"), "{}", derived.told);
    let index = String::from_utf8(unzipped(&derived.out)?["indexes/index.cdxj"].1.clone())?;
    assert_eq!(index.lines().count(), 5, "{index}");
    Ok(())
}

/// The row of a record that is too long to be read follows it as well.
#[test]
fn the_row_of_a_long_record_follows_it() -> Outcome {
    let (page, long) = (crawl().swap_remove(1).0, response(2, "http://h/film", "200 OK", HTML, &vec![b' '; 129 << 20]));
    let (page, long) = (member(&page)?, member(&long)?);
    let row = json!({ "offset": page.len(), "length": long.len(), "filename": "a.warc.gz" });
    let files = vec![
        ("archive/a.warc.gz", [page, long].concat()),
        ("indexes/index.cdx", format!("h)/film 20200101000000 {row}\n").into_bytes()),
    ];
    let derived = derive("a.wacz", &zipped(&files)?, &[])?;
    assert_eq!(derived.counts(["resources", "archive-index", "errors"]), [1, 0, 0], "{}", derived.told);
    let files = unzipped(&derived.out)?;
    let index = String::from_utf8(files["indexes/index.cdx"].1.clone())?;
    let row: Value = serde_json::from_str(index.splitn(3, ' ').nth(2).ok_or("no row")?)?;
    let place = row["offset"].as_u64().zip(row["length"].as_u64()).ok_or("no place")?;
    let bytes = &files["archive/a.warc.gz"].1[place.0 as usize..][..place.1 as usize];
    let record = &records(&decompressed(".gz", bytes)?)?[0];
    assert_eq!((record.field("WARC-Target-URI"), record.block.len() >> 20), ("http://h/film", 129));
    Ok(())
}

#[test]
fn what_a_wacz_may_lack() -> Outcome {
    let without = |names: &[&str]| -> Result<_, Failure> {
        let files = wacz(Shape::Members, &[])?.into_iter().filter(|(name, _)| !names.contains(name));
        derive("a.wacz", &zipped(&files.collect())?, &[])
    };
    for (names, expected) in [
        (&["indexes/index.cdxj"][..], [2, 1, 1, 0]),
        (&["datapackage.json"], [2, 0, 1, 0]),
        (&["datapackage.json", "datapackage-digest.json", "pages/pages.jsonl"], [2, 0, 0, 0]),
    ] {
        let derived = without(names)?;
        let counts = derived.counts(["resources", "archive-index", "signed", "errors"]);
        assert_eq!(counts, expected, "{names:?}: {}", derived.told);
        let files = unzipped(&derived.out)?;
        assert!(files.len() == 6 - names.len() && names.iter().all(|name| !files.contains_key(*name)), "{names:?}");
    }
    Ok(())
}

/// A list of digests that is no object must not end the program.
#[test]
fn what_a_wacz_may_not_hold() -> Outcome {
    let whole = zipped(&wacz(Shape::Members, &[])?)?;
    let with = |name: &str, bytes: &[u8]| -> Result<_, Failure> {
        let mut files = wacz(Shape::Members, &[])?;
        files.iter_mut().filter(|(known, _)| *known == name).for_each(|file| file.1 = bytes.to_vec());
        zipped(&files)
    };
    for (name, input) in [
        ("a cut ZIP", whole[..whole.len() - 30].to_vec()),
        ("no ZIP", b"PK\x03\x04 no ZIP".to_vec()),
        ("a package that is a list", with("datapackage.json", b"[1]")?),
        ("a package that is no JSON", with("datapackage.json", b"{")?),
        ("a digest that is no JSON", with("datapackage-digest.json", b"{")?),
    ] {
        let derived = derive("a.wacz", &input, &[])?;
        assert_eq!((derived.status, derived.counts(["resources", "errors"])), (1, [0, 1]), "{name}: {}", derived.told);
        assert!(
            derived.told.contains("cannot read ") && !derived.told.contains("panicked"),
            "{name}: {}",
            derived.told
        );
        assert!(derived.out.is_empty(), "{name}: the original stood under the name of the output");
    }
    let cut = with("archive/other.warc.gz", &member(DONE)?[..10])?;
    assert_eq!(derive("a.wacz", &cut, &[])?.counts(["resources", "errors"]), [2, 0]);
    Ok(())
}

/// Rows name archives by their last names only.
#[test]
fn a_row_of_an_archive_leads_into_no_other_one_of_the_same_name() -> Outcome {
    let page = |number: u32, body: &str| response(number, "http://h/d/page", "200 OK", HTML, body.as_bytes());
    let (changed, unchanged) = (page(1, "<a href=x>"), page(2, "<p>no link at all"));
    let row =
        |name: &str| format!("h)/d/page 2020 {{\"url\":\"http://h/d/page\",\"offset\":0,\"filename\":\"{name}\"}}\n");
    let rows = [row("data.warc"), row("two/data.warc"), row("alone.warc")].concat();
    let (last, frame) = (unchanged.clone(), zstd::bulk::compress(&changed, 3)?);
    let files: Files = vec![
        ("archive/one/data.warc", changed),
        ("archive/two/data.warc", unchanged),
        ("archive/alone.warc", last),
        ("archive/frames.warc.zst", frame),
        ("indexes/index.cdxj", rows.into_bytes()),
        ("datapackage.json", b"{}".to_vec()),
    ];
    let derived = derive("a.wacz", &zipped(&files)?, &[])?;
    let index = String::from_utf8(unzipped(&derived.out)?["indexes/index.cdxj"].1.clone())?;
    assert_eq!(index, [row("two/data.warc"), row("alone.warc")].concat());
    let told = derived.told;
    assert!(told.contains("1 rows of indexes/index.cdxj") && told.contains("compressed by Zstandard"), "{told}");
    Ok(())
}

#[test]
fn a_wacz_without_archives_is_a_finding() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.wacz");
    fs::write(&path, zipped(&vec![("a.wacz", b"x".to_vec())])?)?;
    let (_, _, told) = run(&["check", argument(&path)])?;
    assert!(told.contains("not-its-type"), "{told}");
    Ok(())
}

#[test]
fn links_of_a_wacz() -> Outcome {
    let folder = folder_with(&[])?;
    let path = folder.path().join("a.wacz");
    fs::write(&path, zipped(&wacz(Shape::Members, &[])?)?)?;
    let (status, told, _) = run(&["links", argument(&path), "--json"])?;
    let links: Vec<Value> = told.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let named: Vec<&str> = links.iter().filter_map(|link| link["record"].as_str()).collect();
    assert_eq!((status, named), (0, vec!["archive/data.warc.gz 2", "archive/other.warc.gz 1"]));
    let (status, told, _) = run(&["check", argument(&path)])?;
    assert!(status == 1 && told.contains("archive/data.warc.gz 2") && !told.contains("other.warc"), "{told}");
    let (status, told, _) = run(&["base", argument(&path)])?;
    assert!(status == 0 && told.contains("archive/data.warc.gz 2") && told.contains("http://h/d/page"), "{told}");
    Ok(())
}

/// A WACZ holds no conversions.
#[test]
fn conversions_are_refused() -> Outcome {
    let input = zipped(&wacz(Shape::Members, &[])?)?;
    let folder = folder_with(&[("in/b.html", "<p>")])?;
    let (path, whole, output) = (folder.path().join("in/a.wacz"), folder.path().join("in"), folder.path().join("out"));
    fs::write(&path, &input)?;
    for (flags, why) in
        [(&["--warc", "append"][..], "cannot hold conversions"), (&["--warc", "sidecar"], "cannot hold conv")]
    {
        let arguments = ["rewrite", argument(&whole), "-o", argument(&output), "--force"];
        let (status, _, told) = run(&[&arguments[..], flags].concat())?;
        assert!(status == 1 && told.contains(why) && fs::read(output.join("a.wacz"))? == input, "{told}");
    }
    let (status, _, told) = run(&["rewrite", argument(&path), "--in-place", "--warc", "resource"])?;
    assert!(status == 2 && told.contains("cannot replace the archive") && fs::read(&path)? == input, "{told}");
    let (status, _, told) = run(&["rewrite", argument(&path), "--dry-run", "--warc", "resource"])?;
    assert!(status == 0 && told.contains("2 resources") && fs::read(&path)? == input, "{told}");
    Ok(())
}

#[test]
fn waczs_of_corpora() -> Outcome {
    let Some(folder) = corpus("wacz-py-wacz") else { return Ok(()) };
    let mut told = Vec::new();
    for path in files(&folder)?.iter().filter(|path| path.extension().is_some_and(|name| name == "wacz")) {
        let input = fs::read(path)?;
        let derived = derive("a.wacz", &input, &[])?;
        let counts = derived.counts(["resources", "records", "errors"]);
        assert!(counts[0] > 0 || derived.out == input, "{}", path.display());
        told.push((path.file_name().map(|name| name.to_string_lossy().into_owned()), counts));
    }
    print_line(&format!("{told:?}"));
    assert_eq!(told.len(), 5);
    Ok(())
}
