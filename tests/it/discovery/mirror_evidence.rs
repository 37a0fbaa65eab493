//! What shows that wget made links lead to its copies, and what does not.

use crate::support::targets::links;
use crate::support::{Outcome, argument, folder_with, run};

const URL: [&str; 2] = ["--url", "https://h.example/"];
/// What a mirror says of itself.
const SAYS: &str = ": mirror: wget has made the links";

/// Each is enough, and links to files then mean the URLs of these.
#[test]
fn each_kind_of_evidence() -> Outcome {
    const INDEX: &str = "<a href=d/index.html>d</a>";
    for (name, files, expected) in [
        (
            "an escape of wget",
            &[
                ("a.html", "<a href='https://h.example/list?page=9'>9</a><a href='list%3Fpage=1.html'>"),
                ("list?page=1.html", "<p>"),
            ][..],
            "https://h.example/list?page=1",
        ),
        (
            "an original",
            &[("index.html", INDEX), ("index.html.orig", "<a href=d/>d</a>"), ("d/index.html", "")],
            "https://h.example/d/",
        ),
        (
            "an empty BASE",
            &[("index.html", "<base href=\"\"><a href=d/index.html>d</a>"), ("d/index.html", ""), ("q?x=1", "")],
            "https://h.example/d/",
        ),
    ] {
        let folder = folder_with(files)?;
        let found = links(folder.path(), &URL)?;
        assert_eq!(found.split(' ').next_back(), Some(expected), "{name}: {found}");
        let (_, _, says) = run(&[&["check", argument(folder.path())][..], &URL].concat())?;
        assert!(says.contains(SAYS), "{name}: {says}");
        assert_ne!(links(folder.path(), &[&URL[..], &["--layout", "root"]].concat())?, found, "{name}");
    }
    Ok(())
}

/// The log, whether it says so or its URLs show it; it has to be that of the input.
#[test]
fn a_log_shows_it() -> Outcome {
    let terse = "2026-11-20 20:10:16 URL:https://h.example/d/ [33/33] -> \"d/index.html\" [1]\n\
        2026-11-20 20:10:16 URL:https://h.example/ [33/33] -> \"index.html\" [1]\n";
    let whole = "--2026-11-20 20:10:06--  https://h.example/d/\nSaving to: 'd/index.html'\n\nConverting links in d/index.html... nothing to do.\n";
    let other = "--2026-11-20 20:10:06--  https://o.example/x\nSaving to: 'o.example/x'\n\nConverted links in 1 files in 0 seconds.\n";
    for (log, expected) in
        [(terse, "https://h.example/d/"), (whole, "https://h.example/d/"), (other, "https://h.example/d/index.html")]
    {
        let folder =
            folder_with(&[("in/index.html", "<a href=d/index.html>d</a>"), ("in/d/index.html", "<p>"), ("log", log)])?;
        let log = folder.path().join("log");
        let flags = [&URL[..], &["--urls", argument(&log)]].concat();
        assert_eq!(links(&folder.path().join("in"), &flags)?, expected, "{log:?}");
    }
    Ok(())
}

/// In a folder of a host, links that all lead to files show it beside something that only a mirror has.
#[test]
fn links_that_all_lead_to_files_show_it() -> Outcome {
    const HOME: (&str, &str) = ("m/h.example/index.html", "<a href=d/index.html>d</a><a href=http://o.example/>o</a>");
    const FOLDER: (&str, &str) = ("m/h.example/d/index.html", "<a href=../index.html>h</a>");
    const SHOWN: [&str; 2] = ["https://h.example/d/", "https://h.example/"];
    const WRITTEN: [&str; 2] = ["https://h.example/d/index.html", "https://h.example/index.html"];
    for (name, more, expected) in [
        ("a page without extension", ("m/h.example/about", "<!doctype html><a href=d/index.html>d</a>"), SHOWN),
        ("indexes only", ("m/h.example/e/index.html", "<a href=../d/index.html>d</a>"), SHOWN),
        ("a link to what was not retrieved", ("m/h.example/a.html", "<a href=https://h.example/shop>s</a>"), SHOWN),
        ("manuals are written so", ("m/h.example/a.html", "<a href=d/index.html>d</a>"), WRITTEN),
        ("a link to the root", ("m/h.example/about", "<!doctype html><a href=/>h</a>"), WRITTEN),
        ("a link to a folder", ("m/h.example/about", "<!doctype html><a href=d/>d</a>"), WRITTEN),
        ("a link to nothing", ("m/h.example/about", "<!doctype html><a href=gone.html>g</a>"), WRITTEN),
        ("HTTrack", ("m/h.example/about", "<!doctype html><!-- Mirrored from h.example/ by HTTrack -->"), WRITTEN),
    ] {
        let folder = folder_with(&[HOME, FOLDER, more])?;
        for input in ["m", "m/h.example"] {
            let input = folder.path().join(input);
            let found = links(&input, &URL)?;
            for target in expected {
                assert!(found.split(' ').any(|found| found == target), "{name}: {found}");
            }
            assert!(!found.contains("h.example/h.example"), "{name}: {found}");
            let (_, _, says) = run(&[&["check", argument(&input)][..], &URL].concat())?;
            assert_eq!(says.contains(SAYS), expected == SHOWN, "{name}: {says}");
        }
    }
    let folder = folder_with(&[HOME, FOLDER, ("m/h.example/a.html", "<p>")])?;
    let (_, _, says) = run(&[&["check", argument(&folder.path().join("m"))][..], &URL].concat())?;
    assert!(says.contains(": mirror: the links of this page lead to files"), "{says}");
    Ok(())
}

/// wget converts no `cite`: it means what it meant at the URL of the page, if a log has that, and no BASE was emptied.
#[test]
fn what_is_not_converted_is_as_it_was() -> Outcome {
    let log = "--2026-11-20 20:10:06--  https://h.example/d/\nSaving to: 'd/index.html'\n\
        --2026-11-20 20:10:06--  https://h.example/d/b\nSaving to: 'd/b.html'\nConverted links in 2 files in 0 seconds.\n";
    let folder = folder_with(&[
        ("in/d/index.html", "<a href=b.html>b</a><q cite=c>c</q><q cite=b.html>b</q>"),
        ("in/d/b.html", "<base href=\"\"><q cite=c>c</q>"),
        ("log", log),
    ])?;
    let (input, log) = (folder.path().join("in"), folder.path().join("log"));
    let urls = ["--urls", argument(&log)];
    assert_eq!(links(&input, &urls)?, "- https://h.example/d/b https://h.example/d/c -");
    let output = folder.path().join("out");
    assert_eq!(run(&[&["rewrite", argument(&input), "-o", argument(&output)][..], &urls].concat())?.0, 0);
    let (status, found, says) = run(&[&["verify", argument(&input), argument(&output)][..], &urls].concat())?;
    assert_eq!((status, &*found), (0, ""), "{says}");
    Ok(())
}

/// Above the folders of the hosts, wget2 leaves the port out.
#[test]
fn the_port_is_that_of_the_url() -> Outcome {
    let folder = folder_with(&[("m/h.example/d/index.html", "<a href=/x>x</a><a href=y>y</a>")])?;
    let found = links(&folder.path().join("m"), &["--url", "http://h.example:8123/"])?;
    assert_eq!(found, "http://h.example:8123/x http://h.example:8123/d/y");
    let page = "<a href=d/index.html>d</a><a href=http://h.example:8123/gone>g</a>";
    let folder = folder_with(&[("h.example/index.html", page), ("h.example/d/index.html", "")])?;
    let layout = ["check", "--layout", "wget", "--scheme", "http", argument(folder.path())];
    let (_, _, says) = run(&layout)?;
    assert!(says.contains(": url-conflict: its links name h.example with the port 8123"), "{says}");
    let (_, _, says) = run(&[&layout[..], &["--url", "http://h.example:8123/"]].concat())?;
    assert!(!says.contains("url-conflict"), "{says}");
    Ok(())
}

/// Sites as authors write them, and leftovers of other programs.
#[test]
fn an_ordinary_folder_is_none() -> Outcome {
    const PAGE: &str = "<a href=about.html>a</a>";
    for (name, page, more) in [
        ("a BASE in a comment", "<!-- <base href=\"\"> --><a href=about.html>a</a>", ("x.html", "")),
        ("a BASE in a template", "<template><base href=\"\"></template><a href=about.html>a</a>", ("x.html", "")),
        (
            "an empty BASE, and links to folders",
            "<base href=\"\"><a href=about.html>a</a><a href=./>h</a>",
            ("x.html", ""),
        ),
        ("a leftover of a merge", PAGE, ("index.html.orig", "<a href=contact.html>a</a>")),
        ("a backup of another host", PAGE, ("index.html.orig", "<a href=http://evil.example/about.html>a</a>")),
        ("the same links", PAGE, ("index.html.orig", "<a href=about.html>b</a>")),
        ("an escape in a name", "<a href=about.html>a</a><a href='Why%3F.html'>w</a>", ("Why?.html", "")),
    ] {
        let folder = folder_with(&[("index.html", page), ("about.html", "<p>"), more])?;
        let (_, _, says) = run(&[&["check", argument(folder.path())][..], &URL].concat())?;
        assert!(!says.contains(SAYS), "{name}: {says}");
        let found = links(folder.path(), &URL)?;
        assert!(found.split(' ').any(|target| target == "https://h.example/about.html"), "{name}: {found}");
    }
    Ok(())
}

/// Originals give the links of their pages one by one; what they do not agree on with the names of files does not count.
#[test]
fn originals_are_compared_link_by_link() -> Outcome {
    let folder = folder_with(&[
        ("index.html", "<a href=about.html>a</a><a href='q?x=a&amp;b'>q</a><a href=p.html>p</a>"),
        ("index.html.orig", "<a href=about>a</a><a href='q?x=a%26b'>q</a><a href=http://evil.example/p>p</a>"),
        ("about.html", "<a href=team/index.html>t</a>"),
        ("about.orig", "<a href=team/>t</a>"),
        ("team/index.html", "<a href=../about.html>a</a>"),
        ("team/index.html.orig", "<a href=/about>a</a>"),
        ("q?x=a&b", "<p>"),
        ("p.html", "<p>"),
    ])?;
    let expected =
        "https://h.example/team/ https://h.example/about https://h.example/q?x=a%26b - https://h.example/about";
    assert_eq!(links(folder.path(), &URL)?, expected);
    let other =
        folder_with(&[("a.html", "<a href=b.html>"), ("a.html.orig", "<a href=b/><a href=c/>"), ("b.html", "")])?;
    let (_, _, says) = run(&[&["check", "--layout", "wget", argument(other.path())][..], &URL].concat())?;
    assert!(says.contains(": url-conflict: ") && says.contains("a.html.orig is not its original"), "{says}");
    Ok(())
}

/// A name with a query has the type of what stands before it, and its URL has that query.
#[test]
fn names_with_queries() -> Outcome {
    let folder = folder_with(&[
        ("index.html", "<a href='?lang=de'>"),
        ("index.html?lang=de", "<!doctype html><a href='?lang=en'>"),
        ("main.css?v=3", "@import 'x.css';"),
        ("two.html?print=1", "no markup"),
        ("note?x=1", "just text"),
    ])?;
    let expected = "https://h.example/?lang=de https://h.example/?lang=en https://h.example/x.css";
    assert_eq!(links(folder.path(), &URL)?, expected);
    let output = folder.path().with_extension("out");
    let rewrite = [&["rewrite", argument(folder.path()), "-o", argument(&output), "-v"][..], &URL].concat();
    let (_, _, says) = run(&rewrite)?;
    std::fs::remove_dir_all(&output)?;
    assert!(says.contains("1 file of unknown type copied unread; --include with --type reads them"), "{says}");
    assert!(says.contains("note?x=1: copied unread") && says.contains("files have queries in their names"), "{says}");
    Ok(())
}

#[test]
fn an_index_has_the_url_of_its_folder_on_request() -> Outcome {
    let folder = folder_with(&[("d/index.html", "<a href='?x=1'>")])?;
    let index = |name| [&URL[..], &["--directory-index", name]].concat();
    assert_eq!(links(folder.path(), &URL)?, "https://h.example/d/index.html?x=1");
    assert_eq!(links(folder.path(), &index("default.htm, index.html"))?, "https://h.example/d/?x=1");
    for name in ["", "*.html", "d/index.html"] {
        assert_eq!(run(&[&["check", argument(folder.path())][..], &index(name)].concat())?.0, 2, "{name}");
    }
    Ok(())
}
