//! The way back from a site of web archives: every link gets the target that it had.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::support::warc::{HTML, member, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::{corpus, print_line, rounds, temporary_folder};
use fastrand::Rng;

type Failure = Box<dyn std::error::Error>;

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
        // A page that pages in quirks mode would apply as a stylesheet has a copy that is one.
        let is_other = path.contains('?') || path.ends_with("^.css");
        let (Some(old), false) = (before.get(record), is_other) else { continue };
        let new = after.get(argument(&site.join(path))).ok_or_else(|| format!("{path} has no links"))?;
        assert_eq!(old.len(), new.len(), "{}: {path}", archive.display());
        for (old, new) in
            old.iter().zip(new).filter(|(old, _)| !["codebase", "xml:base"].contains(&&*old[10]) && old[9] != "base")
        {
            assert_eq!(
                target(old, url),
                target(new, url),
                "{}: {path}: {:?}\n{}",
                archive.display(),
                &old[6..12],
                fs::read_to_string(site.join(path))?
            );
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
            // In a style and in a drawing, a fragment is one of the document itself, and a form without an action is sent to it.
            let is_own = row[9] == "style"
                || ["style", "xlink:href"].contains(&&*row[10])
                || (row[10] == "action" && reference.is_empty());
            let base = if is_own || row[14].is_empty() { own } else { &row[14] };
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
    const PLACES: [&str; 13] = [
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
        "<base href=\" {}\t\">",
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
                1 => response(
                    number,
                    url,
                    "302 Found",
                    &format!("Location: {}\r\n", REFERENCES[random.usize(..10)]),
                    b"",
                ),
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
