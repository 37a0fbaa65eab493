//! `absolve unpack` with archives that others made of archives: packages that name pages, and captures of replayed pages.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use crate::support::warc::{HTML, member, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::temporary_folder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

type Failure = Box<dyn std::error::Error>;

/// A WACZ of an archive and its list of pages.
fn package(records: &[Vec<u8>], pages: &str) -> Result<Vec<u8>, Failure> {
    let archive: Result<Vec<_>, _> = records.iter().map(|record| member(record)).collect();
    let files = [
        ("archive/data.warc.gz", archive?.concat()),
        ("pages/pages.jsonl", pages.into()),
        ("datapackage.json", b"{}".into()),
    ];
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(name, SimpleFileOptions::default())?;
        writer.write_all(&bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// Unpacks the archive `a.wacz` or `a.warc` of a folder, and returns the status, what was printed, and the texts of the files.
fn unpack(outer: &Path, name: &str, options: &[&str]) -> Result<(i32, String, BTreeMap<String, String>), Failure> {
    let (archive, site) = (outer.join(name), outer.join("site"));
    let (status, _, stderr) = run(&[&["unpack", argument(&archive), "-o", argument(&site)], options].concat())?;
    let mut files = BTreeMap::new();
    if site.exists() {
        for path in absolve_testing::files(&site)? {
            let below = path.strip_prefix(&site)?.to_string_lossy().replace('\\', "/");
            files.insert(below, String::from_utf8_lossy(&fs::read(&path)?).into_owned());
        }
    }
    Ok((status, stderr, files))
}

#[test]
fn a_package_says_where_to_begin() -> Outcome {
    let records = [
        response(1, "http://h/", "200 OK", HTML, b"1"),
        response(2, "http://h/a", "200 OK", HTML, b"2"),
        response(3, "http://h/old", "302 Found", "Location: /a\r\n", b""),
    ];
    let header = "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"All Pages\"}\n";
    let pages = [
        "{\"url\": \"http://h/a#top\", \"title\": \"A <page>\", \"ts\": \"2020-01-01T00:00:00Z\"}",
        "{\"url\": \"http://h/old\"}",
        "",
        "{\"url\": \"http://h/a#top\", \"title\": \"again\"}",
        "{\"url\": \"http://h/lost\", \"title\": \"gone\"}",
    ];
    let outer = temporary_folder()?;
    fs::write(outer.path().join("a.wacz"), package(&records, &(header.to_owned() + &pages.join("\n")))?)?;
    let (status, stderr, files) = unpack(outer.path(), "a.wacz", &[])?;
    assert_eq!(status, 0, "{stderr}");
    let index = &files["index.html"];
    let list = "<ul><li><a href=\"h/a.html#top\" title=\"http://h/a#top\">A &lt;page&gt;</a></li>\
        <li><a href=\"h/a.html?3\" title=\"http://h/old\">http://h/old</a></li></ul>";
    assert!(index.contains(list) && !index.contains("again") && !index.contains(">http://h/<"), "{index}");
    assert!(
        index.contains("1 pages to begin with that no archive has") && !stderr.contains("archive-index"),
        "{index}"
    );
    let (status, found, _) =
        run(&["verify", argument(&outer.path().join("a.wacz")), argument(&outer.path().join("site"))])?;
    assert_eq!(status, 0, "{found}");
    // What is damaged is passed over; without a page, the first one is a guess.
    let damaged = format!("{header}{{\"url\": 3}}\nnot JSON\n{}{{\"url\"", "x".repeat(3 << 20));
    for (pages, guesses) in [(format!("{damaged}\n{}", pages[0]), false), (damaged, true), (String::new(), true)] {
        let outer = temporary_folder()?;
        fs::write(outer.path().join("a.wacz"), package(&records, &pages)?)?;
        let (status, stderr, files) = unpack(outer.path(), "a.wacz", &[])?;
        assert_eq!((status, stderr.contains("archive-index: ")), (0, !pages.is_empty()), "{stderr}");
        assert_eq!(files["index.html"].contains(">http://h/<"), guesses, "{}", files["index.html"]);
    }
    Ok(())
}
