//! `absolve unpack` with web archives: which capture becomes which file, where links lead, and the way back.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::unpacking::Run;
use crate::support::warc::{HTML, record, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::temporary_folder;

type Failure = Box<dyn std::error::Error>;

const PNG: &str = "Content-Type: image/png\r\n";

fn dated(record: &[u8], date: &str) -> Vec<u8> {
    String::from_utf8_lossy(record).replace("2020-01-01T00:00:00Z", date).into_bytes()
}

/// Writes an archive, unpacks it, and returns the exit status, what was printed, and the files.
fn unpack(outer: &Path, records: &[Vec<u8>], options: &[&str]) -> Result<Run, Failure> {
    let (archive, site) = (outer.join("a.warc"), outer.join("site"));
    fs::write(&archive, records.concat())?;
    let arguments = [&["unpack", argument(&archive), "-o", argument(&site)], options].concat();
    let (status, _, stderr) = run(&arguments)?;
    let files = if site.exists() { tree(&site)? } else { BTreeMap::new() };
    Ok(Run { status, stderr, files })
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
    let Run { status, stderr, files } = unpack(outer.path(), &records, &[])?;
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
        ("index.html", "href=\"h/index.html\"", "href=\"h/d/index.html\""),
        ("index.html", "</body>", "<script src=x></script></body>"),
        ("index.html", "7 files", "8 files"),
        ("index.html", "2 answers", "3 answers"),
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
        let Run { status, stderr, files } = unpack(outer.path(), &records, options)?;
        assert_eq!((status, &*text(&files, "h/index.html")), (0, expected), "{options:?}: {stderr}");
        assert_eq!(verify(outer.path(), options)?.0, 0);
    }
    let outer = temporary_folder()?;
    assert_eq!(unpack(outer.path(), &records, &["--at", "May"])?.status, 2);
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
    let Run { status, stderr, files } = unpack(outer.path(), &records, &[])?;
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

/// Links without a fragment open that of the redirect, and lose it on the way back.
#[test]
fn a_redirect_has_a_fragment_of_its_own() -> Outcome {
    let outer = temporary_folder()?;
    let to = |number, url: &str, to: &str| response(number, url, "302 Found", &format!("Location: {to}\r\n"), b"");
    let page = "<a href=old>1</a><a href=old#own>2</a><a href=older>3</a><p style='color:url(last)'><a href=none>4</a>";
    let records = [
        response(1, "http://h/", "200 OK", HTML, page.as_bytes()),
        to(2, "http://h/old", "/new#it's"),
        to(3, "http://h/older", "old"),
        to(4, "http://h/last", "old#last"),
        to(5, "http://h/none", "new#"),
        response(6, "http://h/new", "200 OK", HTML, b"<a href=old>"),
    ];
    let Run { status, stderr, files } = unpack(outer.path(), &records, &[])?;
    assert_eq!(status, 0, "{stderr}");
    // The last fragment of the way counts.
    let expected = "<a href=new.html?5-#it%27s>1</a><a href=new.html?5#own>2</a><a href=new.html?6-#it%27s>3</a>\
        <p style='color:url(new.html?2-#it%27s)'><a href=new.html?4>4</a>";
    assert_eq!(text(&files, "h/index.html"), expected);
    let list = text(&files, "urls.csv");
    assert!(
        list.contains("h/new.html?5,http://h/old,") && list.contains("h/new.html?5-#it%27s,http://h/old,"),
        "{list}"
    );
    let (status, found) = verify(outer.path(), &[])?;
    assert_eq!(status, 0, "{found}");
    let (site, back) = (outer.path().join("site"), outer.path().join("back"));
    let urls = site.join("urls.csv");
    run(&["rewrite", argument(&site), "--urls", argument(&urls), "-o", argument(&back)])?;
    let absolute = page.replace("href=", "href=http://h/").replace("(last)", "(http://h/last)");
    assert_eq!(fs::read_to_string(back.join("h/index.html"))?, absolute);
    Ok(())
}

#[test]
fn a_query_is_encoded_as_its_page() -> Outcome {
    let outer = temporary_folder()?;
    let latin = "Content-Type: text/html; charset=iso-8859-1\r\n";
    let records = [
        response(
            1,
            "http://h/a",
            "200 OK",
            latin,
            b"<a href='?q=\xFC'>1</a><a href=\xFC>2</a><a href='http://h/?\xFC'>3</a>",
        ),
        response(2, "http://h/a?q=%FC", "200 OK", HTML, b""),
        response(3, "http://h/%C3%BC", "200 OK", HTML, b""),
        response(4, "http://h/?%FC", "200 OK", HTML, b""),
    ];
    let Run { status, stderr, files } = unpack(outer.path(), &records, &[])?;
    assert_eq!(status, 0, "{stderr}");
    let expected = "<a href='a%40q%3D%25FC.html'>1</a><a href=%C3%BC.html>2</a><a href='index%40%25FC.html'>3</a>";
    assert_eq!(text(&files, "h/a.html"), expected);
    let (status, found) = verify(outer.path(), &[])?;
    assert_eq!(status, 0, "{found}");
    Ok(())
}

/// Names that differ in case only, are long, or lead out; a record that claims more than there is; circles and many captures.
/// Whatever type and charset a server declared.
#[test]
fn what_is_no_document_stays_as_it_is() -> Outcome {
    let outer = temporary_folder()?;
    let contents: [&[u8]; 3] = [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xFF\xE9",
        b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n",
        b"{\"a\": \"<a href=x>\xC3\xA9\"}",
    ];
    let records: Vec<Vec<u8>> = contents
        .iter()
        .zip(1..)
        .map(|(content, number)| {
            let headers = "Content-Type: text/html; charset=utf-8\r\n";
            response(number, &format!("http://h/{number}.html"), "200 OK", headers, content)
        })
        .collect();
    let Run { files, stderr, .. } = unpack(outer.path(), &records, &[])?;
    for (content, number) in contents.iter().zip(1..) {
        assert_eq!(files.get(&format!("h/{number}.html")).map(Vec::as_slice), Some(*content), "{number}");
    }
    assert_eq!(stderr.matches("its file has the links that it had").count(), 3, "{stderr}");
    assert!(!stderr.contains("no file is made of it"), "{stderr}");
    let (status, said) = verify(outer.path(), &[])?;
    assert_eq!(status, 0, "{said}");
    Ok(())
}

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
    let Run { status, stderr, files } = unpack(outer.path(), &records, &[])?;
    assert_eq!(status, 1, "{stderr}");
    assert_eq!(text(&files, "h/many.html"), "1999");
    // Without the number of a second one.
    let length = |name: &str| match name.split_once("^-") {
        Some((stem, number)) => stem.len() + number.trim_start_matches(|digit: char| digit.is_ascii_digit()).len(),
        None => name.len(),
    };
    let mut seen = HashMap::new();
    for (path, content) in files.iter().filter(|(path, _)| path.contains('/')) {
        assert!(
            path.len() <= 200 && path.split('/').all(|name| !["", ".", ".."].contains(&name) && length(name) <= 120),
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
    let Run { status, stderr, files: whole } = unpack(outer.path(), &records, &[])?;
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
