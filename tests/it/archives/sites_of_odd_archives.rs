//! `absolve unpack` with archives whose records refer to others in odd ways, or that lack what they name; `absolve verify` proves each.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use crate::support::derived::id;
use crate::support::warc::{HTML, record, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::temporary_folder;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

type Failure = Box<dyn std::error::Error>;

struct Site {
    outer: TempDir,
    status: i32,
    says: String,
}

impl Site {
    /// Unpacks an archive of this name.
    fn of(name: &str, archive: &[u8]) -> Result<Self, Failure> {
        let outer = temporary_folder()?;
        let (archive_file, site) = (outer.path().join(name), outer.path().join("site"));
        fs::write(&archive_file, archive)?;
        let (status, _, says) = run(&["unpack", argument(&archive_file), "-o", argument(&site), "--verbose"])?;
        Ok(Self { outer, status, says })
    }

    fn path(&self) -> &Path {
        self.outer.path()
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path().join("site").join(path)).unwrap_or_else(|_| "not there".to_owned())
    }

    fn verify(&self, name: &str) -> Result<(i32, String, String), Failure> {
        Ok(run(&["verify", argument(&self.path().join(name)), argument(&self.path().join("site"))])?)
    }
}

fn revisit(number: u32, url: &str, fields: &str) -> Vec<u8> {
    let fields = format!("WARC-Target-URI: {url}\r\n{fields}");
    record("revisit", number, &fields, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
}

/// A response that states the digest of its payload.
fn digested(number: u32, url: &str, body: &[u8], digest: &str) -> Vec<u8> {
    let fields = format!("WARC-Target-URI: {url}\r\nWARC-Payload-Digest: {digest}\r\n");
    record("response", number, &fields, &[format!("HTTP/1.1 200 OK\r\n{HTML}\r\n").as_bytes(), body].concat())
}

#[test]
fn a_revisit_has_the_content_of_its_surest_reference_that_is_there() -> Outcome {
    let hello = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N";
    let refers = |number: u32| format!("WARC-Refers-To: {}\r\n", id(number));
    let digest = |text: &str| format!("WARC-Payload-Digest: {text}\r\n");
    let at = |url: &str| format!("WARC-Refers-To-Target-URI: {url}\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n");
    let records = [
        response(1, "http://h/one", "200 OK", HTML, b"one"),
        digested(2, "http://h/hello", b"hello", hello),
        revisit(10, "http://h/by-id", &(refers(1) + &at("http://h/hello") + &digest(hello))),
        revisit(11, "http://h/by-url", &(refers(99) + &at("http://h/one") + &digest(hello))),
        revisit(12, "http://h/by-digest", &(refers(99) + &at("http://h/none") + &digest(hello))),
        revisit(13, "http://h/hex", &digest("SHA-1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d")),
        revisit(14, "http://h/lower", &digest(&hello.to_lowercase())),
        revisit(15, "http://h/none", &(refers(99) + &digest("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"))),
        revisit(
            16,
            "http://h/of-answer",
            &(refers(99)
                + &digest(hello)
                + "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\r\n"),
        ),
    ];
    let site = Site::of("a.warc", &records.concat())?;
    assert_eq!(site.status, 0, "{}", site.says);
    let expected = [("by-id", "one"), ("by-url", "one"), ("by-digest", "hello"), ("hex", "hello"), ("lower", "hello")];
    for (name, content) in expected {
        assert_eq!(site.text(&format!("h/{name}.html")), content, "{name}: {}", site.says);
    }
    assert_eq!(site.says.matches("revisit: no archive of this run has the record").count(), 2, "{}", site.says);
    assert_eq!(site.verify("a.warc")?.0, 0);
    Ok(())
}

#[test]
fn a_revisit_of_a_revisit_has_the_content_at_the_end_and_a_circle_is_reported() -> Outcome {
    let refers = |number: u32| format!("WARC-Refers-To: {}\r\n", id(number));
    let mut records = vec![
        revisit(10, "http://h/two", &refers(11)),
        revisit(11, "http://h/one", &refers(12)),
        response(12, "http://h/", "200 OK", HTML, b"content"),
        revisit(20, "http://h/round", &refers(21)),
        revisit(21, "http://h/about", &refers(20)),
        revisit(22, "http://h/self", &refers(22)),
        revisit(23, "http://h/end", &refers(99)),
        revisit(24, "http://h/to-end", &refers(23)),
    ];
    // The first of these is too far from the content.
    records.extend((100..122).map(|number| revisit(number, &format!("http://h/{number}"), &refers(number + 1))));
    records.push(response(122, "http://h/122", "200 OK", HTML, b"far"));
    let site = Site::of("a.warc", &records.concat())?;
    assert_eq!(site.status, 0, "{}", site.says);
    assert_eq!((site.text("h/one.html"), site.text("h/two.html")), ("content".to_owned(), "content".to_owned()));
    assert_eq!((site.text("h/101.html"), site.text("h/100.html")), ("far".to_owned(), "not there".to_owned()));
    assert_eq!(site.says.matches("it refers to a revisit that leads to no content").count(), 5, "{}", site.says);
    assert_eq!(site.says.matches("revisit: no archive of this run has the record").count(), 1, "{}", site.says);
    assert_eq!(site.verify("a.warc")?.0, 0);
    Ok(())
}

#[test]
fn a_redirect_to_no_url_is_reported_and_the_capture_before_it_counts() -> Outcome {
    let later = |record: Vec<u8>| String::from_utf8_lossy(&record).replace("2020-", "2021-").into_bytes();
    let records = [
        response(1, "http://h/a", "200 OK", HTML, b"before"),
        later(response(2, "http://h/a", "302 Found", "Location: http://[\r\n", b"")),
    ];
    let site = Site::of("a.warc", &records.concat())?;
    assert_eq!((site.status, &*site.text("h/a.html")), (0, "before"), "{}", site.says);
    let found = "record 2: unreadable-target: its Location is not the URL of a page: http://[; no file is made of it";
    assert!(site.says.contains(found), "{}", site.says);
    assert!(site.text("index.html").contains("1 answers with an error"), "{}", site.text("index.html"));
    assert_eq!(site.verify("a.warc")?.0, 0);
    Ok(())
}

#[test]
fn what_of_an_archive_cannot_be_read_is_reported_by_verify() -> Outcome {
    let pages = [response(1, "http://h/a", "200 OK", HTML, b"1"), response(2, "http://h/b", "200 OK", HTML, b"2")];
    let coded = response(
        3,
        "http://h/c",
        "200 OK",
        "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
        b"\x1F\x8B\x08 no gzip",
    );
    let between = [&pages[0][..], b"junk between records\r\n", &pages[1]].concat();
    for (archive, code) in
        [(between, "a.warc: not-its-type: "), ([&pages[0][..], &coded].concat(), "record 2: content-coding: ")]
    {
        let site = Site::of("a.warc", &archive)?;
        assert!(site.status == 1 && site.says.contains(code), "{}", site.says);
        let (status, differences, says) = site.verify("a.warc")?;
        assert!(status == 1 && differences.is_empty() && says.contains(code), "{differences}{says}");
    }
    Ok(())
}

#[test]
fn an_archive_that_a_package_names_and_has_not_is_reported() -> Outcome {
    let list = "{\"resources\": [{\"path\": \"archive/a.warc\"}, {\"path\": \"archive/b.warc.gz\"}, \
        {\"path\": \"archive/c.warc.gz\"}, {\"path\": \"pages/pages.jsonl\"}, {\"path\": \"archive/notes.txt\"}]}";
    let page = response(1, "http://h/a", "200 OK", HTML, b"<a href=b>1</a>");
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in
        [("archive/a.warc", &page[..]), ("archive/b.warc.gz", b""), ("datapackage.json", list.as_bytes())]
    {
        writer.start_file(name, SimpleFileOptions::default())?;
        writer.write_all(bytes)?;
    }
    let site = Site::of("a.wacz", &writer.finish()?.into_inner())?;
    let of =
        |name: &str| format!("a.wacz: record archive/{name}.warc.gz: member-unread: datapackage.json names it, but");
    let is_reported = |says: &str| ["b", "c"].iter().all(|name| says.contains(&of(name)));
    assert!(site.status == 1 && is_reported(&site.says), "{}", site.says);
    assert_eq!(site.says.matches("member-unread").count(), 2, "{}", site.says);
    let (status, _, says) = site.verify("a.wacz")?;
    assert!(status == 1 && is_reported(&says), "{says}");
    let archive = site.path().join("a.wacz");
    let copy = site.path().join("b.wacz");
    for arguments in [
        &["rewrite", argument(&archive), "-o", argument(&copy), "--warc", "resource", "--verbose"][..],
        &["check", argument(&archive)],
    ] {
        let (_, _, says) = run(arguments)?;
        assert!(is_reported(&says), "{says}");
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn verify_reports_symbolic_links_and_folders_that_are_not_of_the_site() -> Outcome {
    use std::os::unix::fs::symlink;
    let pages = [1, 2].map(|number| response(number, &format!("http://h/d/{number}"), "200 OK", HTML, b"<a href=1>"));
    let site = Site::of("a.warc", &pages.concat())?;
    assert_eq!(site.verify("a.warc")?.0, 0, "{}", site.says);
    let at = |path: &str| site.path().join(path);
    let [a_file, a_folder] = ["it is a symbolic link instead of a file", "it is a symbolic link instead of a folder"];
    for (path, message) in [("h/d/1.html", a_file), ("index.html", a_file), ("urls.csv", a_file), ("h/d", a_folder)] {
        let (file, outside) = (at("site").join(path), at("outside"));
        fs::rename(&file, &outside)?;
        symlink(&outside, &file)?;
        let (status, says, _) = site.verify("a.warc")?;
        assert!(status == 1 && says.contains(&format!("{path}: file: {message}")), "{path}: {says}");
        fs::remove_file(&file)?;
        fs::rename(&outside, &file)?;
    }
    fs::create_dir_all(at("site/h/empty/d"))?;
    let (status, says, _) = site.verify("a.warc")?;
    assert!(status == 1 && says.matches("no file of the site is in this folder").count() == 2, "{says}");
    fs::remove_dir_all(at("site/h/empty"))?;
    fs::hard_link(at("site/h/d/1.html"), at("outside"))?;
    assert_eq!(site.verify("a.warc")?.0, 0);
    Ok(())
}
