//! Documents that were retrieved from a web archive: `--unwrap-wayback` leads their links to what was archived.

use std::fs;

use crate::support::targets::links;
use crate::support::{Outcome, argument, folder_with, run};

/// The prefixes of the archives that are known, and of any host.
const PREFIXES: [&str; 8] = [
    "https://web.archive.org/web/",
    "http://wayback.archive.org/web/",
    "https://arquivo.pt/wayback/",
    "https://arquivo.pt/noFrame/replay/",
    "https://webarchive.nationalarchives.gov.uk/ukgwa/",
    "https://webarchive.nationalarchives.gov.uk/",
    "https://webarchive.nla.gov.au/awa/",
    "http://archive.example:8080/web/",
];

#[test]
fn unwraps_each_form_of_link_in_pages_and_styles_of_each_archive() -> Outcome {
    for prefix in PREFIXES {
        let (host, path) = prefix.split_once("://").and_then(|(_, rest)| rest.split_once('/')).ok_or("no path")?;
        let references = [
            format!("{prefix}20080102030405/http://h.example/a"),
            format!("/{path}2008im_/https://h.example/b?x"),
            format!("//{host}/{path}20080102030405/http://h.example/c"),
            "../../../../../20080102im_/http://h.example/e".to_owned(),
            "x".to_owned(),
            "http://elsewhere.example/web/2008/http://h.example/".to_owned(),
        ];
        let expected =
            "http://h.example/a https://h.example/b?x http://h.example/c http://h.example/e http://h.example/d/x";
        let page: String = references.iter().map(|reference| format!("<a href=\"{reference}\">")).collect();
        let style: String = references.iter().map(|reference| format!("a{{background:url('{reference}')}}")).collect();
        for (name, text) in [("s.css", style), ("p.html", page)] {
            let folder = folder_with(&[(name, &text)])?;
            let (file, out) = (folder.path().join(name), folder.path().join("out"));
            let url = format!("{prefix}20080102030405/http://h.example/d/{name}");
            let flags = ["--url", &url, "--unwrap-wayback"];
            assert_eq!(links(&file, &flags)?, expected, "{url}");
            let kept = links(&file, &flags[..2])?;
            assert!(kept.starts_with(prefix) && kept.contains(&format!("{prefix}2008im_/https://h.example/b?x")));
            assert_eq!(run(&[&["rewrite", argument(&file), "-o", argument(&out)], &flags[..]].concat())?.0, 0);
            assert!(fs::read_to_string(&out)?.contains("http://elsewhere.example/web/2008/http://h.example/"));
            let (status, told, _) = run(&[&["verify", argument(&file), argument(&out)], &flags[..]].concat())?;
            assert_eq!(status, 0, "{told}");
        }
    }
    Ok(())
}

#[test]
fn unwraps_links_to_an_archive_with_a_given_prefix() -> Outcome {
    let page = "<a href=\"http://localhost:8080/coll/2008mp_/http://h.example/a\"><a href=/coll/2008/http://h.example/b>\
        <a href=/coll/2008/report.html><a href=//web.archive.org/web/2008/http://h.example/c>";
    let folder = folder_with(&[("p.html", page)])?;
    let file = folder.path().join("p.html");
    let own = "http://h.example/coll/2008/report.html http://h.example/c";
    for prefix in ["--unwrap-wayback=http://localhost:8080/coll/", "--unwrap-wayback=http://LOCALHOST:8080/coll"] {
        let flags = ["--url", "http://h.example/p.html", prefix];
        assert_eq!(links(&file, &flags)?, format!("http://h.example/a http://h.example/b {own}"));
    }
    let (status, _, told) = run(&["links", argument(&file), "--unwrap-wayback=archive.example/coll/"])?;
    assert!(status == 2 && told.contains("it has to be a URL up to the timestamp"), "{told}");
    Ok(())
}

/// The parts of a saved page are found by the URLs of the archive, so its links stay there, and a finding says so.
#[test]
fn a_message_of_an_archive_stays_wrapped() -> Outcome {
    let page = "Snapshot-Content-Location: https://web.archive.org/web/2008/http://h.example/\nContent-Type: text/html\n\n\
        <a href=/web/2008/http://h.example/a>";
    let folder = folder_with(&[("p.mhtml", page)])?;
    let (file, out) = (folder.path().join("p.mhtml"), folder.path().join("out.mhtml"));
    for (flags, is_reported) in [(&["--unwrap-wayback"][..], true), (&[], false)] {
        let (status, _, printed) =
            run(&[&["rewrite", argument(&file), "-o", argument(&out), "--force"], flags].concat())?;
        assert_eq!(
            (status, printed.contains("url-not-used: its links stay those of the archive")),
            (0, is_reported),
            "{printed}"
        );
        assert!(fs::read_to_string(&out)?.contains("href=https://web.archive.org/web/2008/http://h.example/a"));
    }
    Ok(())
}

#[test]
fn unwraps_copies_of_copies_in_one_run() -> Outcome {
    let nested = "https://web.archive.org/web/2020/http://arquivo.pt/wayback/2019/http://h.example";
    let folder = folder_with(&[("p.html", &format!("<a href='{nested}/a'>a</a><a href=b>b</a>"))])?;
    let [input, once, twice] = ["p.html", "q.html", "r.html"].map(|name| folder.path().join(name));
    let url = format!("{nested}/d/p.html");
    let flags = ["--unwrap-wayback", "--url", &url];
    for (input, output) in [(&input, &once), (&once, &twice)] {
        assert_eq!(run(&[&["rewrite", argument(input), "-o", argument(output)], &flags[..]].concat())?.0, 0);
        let expected = "<a href='http://h.example/a'>a</a><a href=http://h.example/d/b>b</a>";
        assert_eq!(fs::read_to_string(output)?, expected);
    }
    assert_eq!(run(&[&["verify", argument(&input), argument(&once)], &flags[..]].concat())?.0, 0);
    Ok(())
}

#[test]
fn says_that_nothing_was_unwrapped() -> Outcome {
    let copy = "<a href=https://web.archive.org/web/2020/http://h.example/a>a</a>";
    let folder = folder_with(&[("p.html", "<a href=/b>b</a>"), ("q.html", copy)])?;
    let path = |name: &str| folder.path().join(name);
    let prefix = "--unwrap-wayback=https://a.example/web/";
    let of_copy = "https://web.archive.org/web/2020/http://h.example/";
    for (name, option, url, is_said) in [
        ("p.html", "--unwrap-wayback", "http://h.example/", true),
        ("p.html", prefix, "http://h.example/", true),
        ("p.html", "--unwrap-wayback", of_copy, true),
        ("q.html", prefix, "http://h.example/", false),
        ("q.html", "--unwrap-wayback", of_copy, false),
    ] {
        let (status, _, told) = run(&["rewrite", argument(&path(name)), "--dry-run", option, "--url", url])?;
        let is_found = told.contains("--unwrap-wayback: no link was unwrapped");
        assert_eq!((status, is_found), (0, is_said), "{name} {option} {url}: {told}");
    }
    Ok(())
}

/// The root of a site is not that of the archive.
#[test]
fn dots_end_at_the_root_of_what_was_archived() -> Outcome {
    let url = "https://web.archive.org/web/20080101000000id_/http://h.example/d/p.html";
    let folder = folder_with(&[(
        "r.html",
        "<a href='../../x.html'>x</a><a href='../../../z'>z</a><a href='../..'>u</a><a href='y'>y</a>",
    )])?;
    let file = folder.path().join("r.html");
    let flags = ["--unwrap-wayback", "--url", url];
    let output = folder.path().join("o.html");
    assert_eq!(run(&[&["rewrite", argument(&file), "-o", argument(&output)], &flags[..]].concat())?.0, 0);
    let expected = "<a href='http://h.example/x.html'>x</a><a href='http://h.example/z'>z</a><a href='http://h.example/'>u</a>\
                    <a href='http://h.example/d/y'>y</a>";
    assert_eq!(fs::read_to_string(&output)?, expected);
    assert_eq!(run(&[&["verify", argument(&file), argument(&output)], &flags[..]].concat())?.0, 0);
    Ok(())
}
