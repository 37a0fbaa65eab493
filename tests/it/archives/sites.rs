//! `absolve unpack` with web archives: which capture becomes which file, where links lead, and the way back.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::warc::{HTML, member, record, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::{corpus, print_line, rounds, temporary_folder};
use fastrand::Rng;

type Failure = Box<dyn std::error::Error>;

const PNG: &str = "Content-Type: image/png\r\n";

fn dated(record: &[u8], date: &str) -> Vec<u8> {
    String::from_utf8_lossy(record).replace("2020-01-01T00:00:00Z", date).into_bytes()
}

/// Writes an archive, unpacks it, and returns the exit status, what was printed, and the files.
fn unpack(
    outer: &Path,
    records: &[Vec<u8>],
    options: &[&str],
) -> Result<(i32, String, BTreeMap<String, Vec<u8>>), Failure> {
    let (archive, site) = (outer.join("a.warc"), outer.join("site"));
    fs::write(&archive, records.concat())?;
    let arguments = [&["unpack", argument(&archive), "-o", argument(&site)], options].concat();
    let (status, _, stderr) = run(&arguments)?;
    let files = if site.exists() { tree(&site)? } else { BTreeMap::new() };
    Ok((status, stderr, files))
}

fn tree(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let mut files = BTreeMap::new();
    for path in absolve_testing::files(folder)? {
        files.insert(path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/"), fs::read(&path)?);
    }
    Ok(files)
}

/// Verifies the site against its archive, with these options.
fn verify(outer: &Path, options: &[&str]) -> Result<(i32, String), Failure> {
    let (archive, site) = (outer.join("a.warc"), outer.join("site"));
    let arguments = [&["verify", argument(&archive), argument(&site)], options].concat();
    let (status, stdout, stderr) = run(&arguments)?;
    Ok((status, stdout + &stderr))
}

fn text(files: &BTreeMap<String, Vec<u8>>, path: &str) -> String {
    String::from_utf8_lossy(files.get(path).map_or(b"not there", Vec::as_slice)).into_owned()
}

#[test]
fn links_lead_to_files_or_are_absolute() -> Outcome {
    let outer = temporary_folder()?;
    let page = "<base href=/d/><meta http-equiv=Content-Security-Policy content=\"img-src http://h\">\
        <link rel=stylesheet href=s.css integrity=sha256-x crossorigin><a href=#top>1</a><a href=x>2</a>\
        <a href=gone>3</a><a href=http://h/q?a=1&amp;b#f>4</a><img srcset='/i.png 2x, i.png'>\
        <iframe srcdoc='<base href=/e/><a href=x>5</a>'></iframe>";
    let records = [
        response(1, "http://h/", "200 OK", HTML, page.as_bytes()),
        response(2, "http://h/d/", "200 OK", HTML, b"<a href=../>up</a>"),
        response(3, "http://h/d/x", "200 OK", HTML, b"<a href=x#y>own</a>"),
        response(4, "http://h/q?a=1&b", "200 OK", HTML, b""),
        response(5, "http://h/i.png", "200 OK", PNG, b"\x89PNG"),
        response(
            6,
            "http://h/d/s.css",
            "200 OK",
            "Content-Type: text/css; charset=utf-8\r\n",
            "a{background:url(../i.png)}/*é*/".as_bytes(),
        ),
        response(7, "http://h/gone", "404 Not Found", HTML, b"<a href=x>"),
        response(8, "http://h/d/gone", "404 Not Found", HTML, b"<a href=x>"),
        response(9, "http://h/e/x", "200 OK", HTML, b""),
    ];
    let (status, stderr, files) = unpack(outer.path(), &records, &[])?;
    assert_eq!(status, 0, "{stderr}");
    let expected = "<base href=\"\"><meta data-http-equiv=Content-Security-Policy content=\"img-src http://h\">\
        <link rel=stylesheet href=d/s.css data-integrity=sha256-x data-crossorigin><a href=d/index.html#top>1</a><a href=d/x.html>2</a>\
        <a href=http://h/d/gone>3</a><a href=q%40a%3D1%26b.html#f>4</a><img srcset='i.png 2x, http://h/d/i.png'>\
        <iframe srcdoc='<base href=\"\"><a href=e/x.html>5</a>'></iframe>";
    assert_eq!(text(&files, "h/index.html"), expected);
    assert_eq!(text(&files, "h/d/x.html"), "<a href=#y>own</a>");
    assert_eq!(text(&files, "h/d/s.css"), "@charset \"utf-8\";a{background:url(../i.png)}/*é*/");
    let paths: Vec<&String> = files.keys().collect();
    let here = ["d/index.html", "d/s.css", "d/x.html", "e/x.html", "i.png", "index.html", "q@a=1&b.html"]
        .map(|path| format!("h/{path}"));
    assert_eq!(paths, here.iter().chain(&["index.html".to_owned(), "urls.csv".to_owned()]).collect::<Vec<_>>());
    assert!(text(&files, "index.html").contains("2 answers with an error"), "{}", text(&files, "index.html"));
    let (status, found) = verify(outer.path(), &[])?;
    assert_eq!(status, 0, "{found}");
    // Each fault is found.
    for (path, from, to) in [
        ("h/index.html", "href=d/x.html", "href=d/index.html"),
        ("h/index.html", "http://h/d/gone", "http://h/gone"),
        ("h/index.html", "d/index.html#top", "#top"),
        ("h/index.html", ">3<", ">4<"),
        ("h/d/s.css", "../i.png", "http://h/i.png"),
        ("h/i.png", "PNG", "GIF"),
        ("urls.csv", "h/d/x.html", "h/d/y.html"),
    ] {
        let site = outer.path().join("site");
        let faulty = files[path].clone();
        let at = memchr::memmem::find(&faulty, from.as_bytes()).ok_or(from)?;
        fs::write(site.join(path), [&faulty[..at], to.as_bytes(), &faulty[at + from.len()..]].concat())?;
        assert_eq!(verify(outer.path(), &[])?.0, 1, "{path}: {to}");
        fs::write(site.join(path), &faulty)?;
    }
    fs::write(outer.path().join("site/h/more.html"), "")?;
    assert_eq!(verify(outer.path(), &[])?.0, 1);
    Ok(())
}

#[test]
fn each_snapshot_is_there_at_its_time() -> Outcome {
    let record =
        |number, date, body: &str| dated(&response(number, "http://h/", "200 OK", HTML, body.as_bytes()), date);
    let moved = dated(&response(3, "http://h/", "301 Moved", "Location: /new\r\n", b""), "2022-01-01T00:00:00Z");
    let records = [record(1, "2019-05-01T12:00:00Z", "first"), record(2, "2020-05-01T12:00:00Z", "second"), moved];
    for (options, expected) in [
        (&[][..], "second"),
        (&["--at", "2019"], "first"),
        (&["--at", "20191031115959"], "first"),
        (&["--at", "2019-11-01T00:00:01Z"], "second"),
        (&["--at", "2030"], "second"),
    ] {
        let outer = temporary_folder()?;
        let (status, stderr, files) = unpack(outer.path(), &records, options)?;
        assert_eq!((status, &*text(&files, "h/index.html")), (0, expected), "{options:?}: {stderr}");
        assert_eq!(verify(outer.path(), options)?.0, 0);
    }
    let outer = temporary_folder()?;
    assert_eq!(unpack(outer.path(), &records, &["--at", "May"])?.0, 2);
    Ok(())
}

#[test]
fn redirects_and_revisits_lead_to_contents() -> Outcome {
    let outer = temporary_folder()?;
    let revisit = |number, url: &str, fields: &str| {
        let block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        record("revisit", number, &format!("WARC-Target-URI: {url}\r\n{fields}"), block)
    };
    let to = |number, url: &str, to: &str| response(number, url, "302 Found", &format!("Location: {to}\r\n"), b"");
    let records = [
        response(
            1,
            "http://h/",
            "200 OK",
            HTML,
            b"<a href=old#f>1</a><a href=round>2</a><a href=same>3</a><a href=lost>4</a><a href=far>5</a>",
        ),
        to(2, "http://h/old", "/older"),
        to(3, "http://h/older", "new"),
        response(4, "http://h/new", "200 OK", HTML, b"<a href=.>up</a>"),
        to(5, "http://h/round", "/round"),
        revisit(6, "http://h/s/same", "WARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-000000000004>\r\n"),
        revisit(7, "http://h/lost", "WARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-000000000099>\r\n"),
        to(8, "http://h/same", "s/same"),
        to(9, "http://h/far", "http://elsewhere/"),
    ];
    let (status, stderr, files) = unpack(outer.path(), &records, &[])?;
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("record 7: revisit: "), "{stderr}");
    // The numbers are those of the URLs in their order.
    let expected = "<a href=new.html?4#f>1</a><a href=http://h/round>2</a><a href=s/same.html?8>3</a><a href=http://h/lost>4</a><a href=http://h/far>5</a>";
    assert_eq!(text(&files, "h/index.html"), expected);
    // The same content, at two places.
    assert_eq!(
        (text(&files, "h/new.html"), text(&files, "h/s/same.html")),
        ("<a href=index.html>up</a>".into(), "<a href=http://h/s/>up</a>".into())
    );
    assert_eq!(verify(outer.path(), &[])?.0, 0);
    Ok(())
}

/// Names that differ in case only, are long, or lead out; a record that claims more than there is; circles and many captures.
#[test]
fn hostile_archives_stay_in_their_folder() -> Outcome {
    let outer = temporary_folder()?;
    let long = "x".repeat(4_000);
    let urls = [
        "http://h/A",
        "http://h/a",
        "https://h/a",
        "http://h/a.html",
        "http://h/..%2f..%2fetc/passwd",
        "http://h/%2e%2e/%2e%2e/x",
        "http://h/con",
        "http://h/nul.txt",
        "http://h/a.html/b",
        "http://h//",
        "http://h/ ",
        "http://h/x.",
        "http://..%2f/",
        "http://urls.csv/",
        "http://index.html/a",
        "file:///etc/passwd",
        "http://h/\u{202e}gpj.exe",
        "http://h/e\u{301}",
        "http://h/\u{e9}",
        "http://h/?../../x",
        "http://h:1/a",
        "http://u:p@h/a",
    ];
    let mut records: Vec<Vec<u8>> =
        (1..).zip(urls).map(|(number, url)| response(number, url, "200 OK", HTML, url.as_bytes())).collect();
    records.push(response(50, &format!("http://h/{long}"), "200 OK", HTML, b"1"));
    records.push(response(51, &format!("http://h/{long}y"), "200 OK", HTML, b"2"));
    records.push(response(52, &format!("http://h/{}", "a/".repeat(2_000)), "200 OK", HTML, b"3"));
    records.extend(
        (0..2_000).map(|number| response(100 + number, "http://h/many", "200 OK", HTML, number.to_string().as_bytes())),
    );
    let circle = |from: u32| {
        response(
            5_000 + from,
            &format!("http://h/c{from}"),
            "301 Moved",
            &format!("Location: c{}\r\n", (from + 1) % 40),
            b"",
        )
    };
    records.extend((0..40).map(circle));
    records.push(b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/big\r\nContent-Length: 1000000000000\r\n\r\nHTTP/1.1 200 OK\r\n\r\n".to_vec());
    let (status, stderr, files) = unpack(outer.path(), &records, &[])?;
    assert_eq!(status, 1, "{stderr}");
    assert_eq!(text(&files, "h/many.html"), "1999");
    let mut seen = HashMap::new();
    for (path, content) in files.iter().filter(|(path, _)| path.contains('/')) {
        assert!(
            path.len() <= 200 && path.split('/').all(|name| !["", ".", ".."].contains(&name) && name.len() <= 125),
            "{path}"
        );
        assert_eq!(seen.insert(path.to_lowercase(), content), None, "{path}");
    }
    // All but that of the file: and those without a host.
    assert_eq!(seen.len(), files.len() - 2);
    assert!(seen.len() >= 22, "{:?}", seen.keys());
    let entries: Vec<_> =
        fs::read_dir(outer.path())?.map(|entry| Ok(entry?.file_name())).collect::<Result<_, std::io::Error>>()?;
    assert_eq!(entries.len(), 2, "{entries:?}");
    Ok(())
}

#[test]
fn an_interrupted_run_is_completed() -> Outcome {
    let outer = temporary_folder()?;
    let page = |number: u32| {
        let next = format!("<a href={}>", number + 1);
        response(number, &format!("http://h/{number}"), "200 OK", HTML, next.as_bytes())
    };
    let records: Vec<_> = (1..=10_000).map(page).collect();
    let (status, stderr, whole) = unpack(outer.path(), &records, &[])?;
    assert_eq!(status, 0, "{stderr}");
    let (archive, site, partial) =
        (outer.path().join("a.warc"), outer.path().join("b"), outer.path().join("b.partial"));
    let arguments = ["unpack", argument(&archive), "-o", argument(&site)];
    let mut child = Command::new(env!("CARGO_BIN_EXE_absolve")).args(arguments).stderr(Stdio::null()).spawn()?;
    while child.try_wait()?.is_none() && !partial.join(".unpacked").exists() {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill()?;
    child.wait()?;
    // It may have been faster.
    if partial.exists() {
        assert_eq!(run(&arguments)?.0, 2);
        let other = [&arguments[..], &["--resume", "--at", "2019"]].concat();
        assert_eq!(run(&other)?.0, 2);
        let (status, _, stderr) = run(&[&arguments[..], &["--resume"]].concat())?;
        assert_eq!(status, 0, "{stderr}");
        assert!(
            stderr.starts_with("10000 files, ") && stderr.contains("9999 links to files, 1 made absolute"),
            "{stderr}"
        );
    }
    assert_eq!(tree(&site)?, whole);
    Ok(())
}

/// Unpacks an archive, and returns the links of its documents before, after and on the way back, which have to be the same.
fn there_and_back(archive: &Path, outer: &Path) -> Result<usize, Failure> {
    let (site, list) = (outer.join("site"), outer.join("site/urls.csv"));
    let (_, _, stderr) = run(&["unpack", argument(archive), "-o", argument(&site), "-q"])?;
    if !site.exists() {
        return Err(stderr.into());
    }
    let (status, stdout, stderr) = run(&["verify", argument(archive), argument(&site)])?;
    assert!(status == 0 || stdout.is_empty(), "{}: {stdout}{stderr}", archive.display());
    let mut before: HashMap<String, Vec<Vec<String>>> = HashMap::new();
    for row in rows(&["links", argument(archive), "--format", "csv"])? {
        // Not those in headers of responses.
        if row[9] != "http" {
            before.entry(row[2].clone()).or_default().push(row);
        }
    }
    let mut after: HashMap<String, Vec<Vec<String>>> = HashMap::new();
    for row in rows(&["links", argument(&site), "--urls", argument(&list), "--format", "csv"])? {
        after.entry(row[0].clone()).or_default().push(row);
    }
    let mut compared = 0;
    for row in csv::Reader::from_path(&list)?.records() {
        let row = row?;
        let (path, url, record) = (&row[0], &row[1], row[3].split_once(' ').map_or("", |(_, record)| record));
        let (Some(old), false) = (before.get(record), path.contains('?')) else { continue };
        let new = after.get(argument(&site.join(path))).ok_or_else(|| format!("{path} has no links"))?;
        assert_eq!(old.len(), new.len(), "{}: {path}", archive.display());
        for (old, new) in
            old.iter().zip(new).filter(|(old, _)| !["codebase", "xml:base"].contains(&&*old[10]) && old[9] != "base")
        {
            assert_eq!(target(old, url), target(new, url), "{}: {path}: {}", archive.display(), old[6]);
            compared += 1;
        }
    }
    Ok(compared)
}

fn rows(arguments: &[&str]) -> Result<Vec<Vec<String>>, Failure> {
    let (_, stdout, _) = run(arguments)?;
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    Ok(reader.records().map(|row| Ok(row?.iter().map(str::to_owned).collect())).collect::<Result<_, csv::Error>>()?)
}

/// Returns the URL that a row leads to, as the URL Standard spells it; that of the document for a reference to it.
fn target(row: &[String], own: &str) -> String {
    let (reference, target, status) = (&row[11], &row[12], &*row[13]);
    let url = match status {
        "same-document" => {
            // In a style, a fragment is one of the document itself.
            let is_of_style = row[9] == "style" || row[10] == "style";
            let base = if is_of_style || row[14].is_empty() { own } else { &row[14] };
            let base = &base[..base.find('#').unwrap_or(base.len())];
            format!("{base}{}", &reference[reference.find('#').unwrap_or(reference.len())..])
        }
        _ if target.is_empty() => reference.clone(),
        _ => target.clone(),
    };
    url::Url::parse(&url).map_or(url, String::from)
}

#[test]
fn every_link_gets_its_target_back() -> Outcome {
    const PLACES: [&str; 12] = [
        "<a href=\"{}\">",
        "<img src='{}'>",
        "<link rel=stylesheet href={}>",
        "<img srcset='{} 2x, {} 3x'>",
        "<p style='background:url({})'>",
        "<style>@import '{}';</style>",
        "<meta http-equiv=refresh content='5; url={}'>",
        "<iframe srcdoc='<a href={}>'></iframe>",
        "<form action={}>",
        "<blockquote cite={}>",
        "<svg><image xlink:href={} /></svg>",
        "<base href={}>",
    ];
    const REFERENCES: [&str; 22] = [
        "a",
        "./b",
        "../c",
        "/a",
        "//h/b",
        "http://h/c",
        "https://h/a",
        "http://other/a",
        "#f",
        "a#f",
        "?q",
        "a?q=1&amp;r",
        "b%20c",
        "%C3%A9",
        "A",
        "d/",
        "d/index.html",
        ".",
        "..",
        "con",
        "mailto:a@b",
        "x%2Fy",
    ];
    const URLS: [&str; 18] = [
        "http://h/a",
        "http://h/b",
        "http://h/c",
        "https://h/a",
        "http://other/a",
        "http://h/",
        "http://h/?q",
        "http://h/a?q=1&r",
        "http://h/b%20c",
        "http://h/%C3%A9",
        "http://h/A",
        "http://h/d/",
        "http://h/d/index.html",
        "http://h/d/a",
        "http://h/con",
        "http://h/x%2Fy",
        "http://other/d/a",
        "http://h/d/d/",
    ];
    let (mut random, mut links) = (Rng::with_seed(36), 0);
    for round in 0..rounds(400) {
        let outer = temporary_folder()?;
        let mut reference = || REFERENCES[random.usize(..REFERENCES.len())];
        let mut page = || -> String {
            let count = reference().len() + 3;
            (0..count)
                .map(|at| PLACES[(at * 7 + reference().len()) % PLACES.len()].replace("{}", reference()))
                .collect()
        };
        let pages: Vec<String> = URLS.iter().map(|_| page()).collect();
        let mut records: Vec<Vec<u8>> = Vec::new();
        for (number, (url, page)) in (1..).zip(URLS.iter().zip(&pages)) {
            records.push(match random.usize(..6) {
                0 => continue,
                1 => {
                    response(number, url, "302 Found", &format!("Location: {}\r\n", REFERENCES[random.usize(..8)]), b"")
                }
                2 => response(number, url, "404 Not Found", HTML, page.as_bytes()),
                _ => response(number, url, "200 OK", HTML, page.as_bytes()),
            });
        }
        let archive = outer.path().join("a.warc.gz");
        let members: Result<Vec<_>, _> = records.iter().map(|record| member(record)).collect();
        fs::write(&archive, members?.concat())?;
        links += there_and_back(&archive, outer.path()).map_err(|error| format!("round {round}: {error}"))?;
    }
    assert!(links > 20 * rounds(400), "{links}");
    Ok(())
}

#[test]
#[ignore = "long: archives of the corpora"]
fn every_link_of_the_corpora_gets_its_target_back() -> Outcome {
    let mut links = 0;
    for name in ["warc-aut-blackbook", "warc-commons-wget", "warc-jwarc", "warc-warcio", "wacz-py-wacz"] {
        let Some(folder) = corpus(name) else { continue };
        for path in absolve_testing::files(&folder)? {
            let is_archive = [".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz"]
                .iter()
                .any(|end| path.to_string_lossy().ends_with(end));
            if is_archive {
                let outer = temporary_folder()?;
                links += there_and_back(&path, outer.path())?;
            }
        }
    }
    print_line(&format!("{links} links"));
    assert!(links > 80_000 || corpus("warc-aut-blackbook").is_none(), "{links}");
    Ok(())
}
