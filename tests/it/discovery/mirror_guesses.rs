//! Names of files that do not show their URLs: what a page says of itself decides, and what is guessed or left is reported.

use crate::support::targets::links;
use crate::support::{Outcome, argument, folder_with, run};

const URL: [&str; 2] = ["--url", "https://h.example/"];

/// Returns the targets of all relative links, and the messages.
fn found(files: &[(&str, &str)], input: &str) -> Result<(String, String), Box<dyn std::error::Error>> {
    let folder = folder_with(files)?;
    let input = folder.path().join(input);
    let (_, _, says) = run(&[&["rewrite", "--dry-run", argument(&input)][..], &URL].concat())?;
    Ok((links(&input, &URL)?, says))
}

/// wget converts no `og:url`. The folder may have any name.
#[test]
fn the_url_that_a_page_declares_shows_that_html_was_appended() -> Outcome {
    const ABOUT: &str = "<meta property=og:url content=https://h.example/about><a href=notes.html>n</a>";
    const OLD: &str = "<meta property=og:url content=https://h.example/old.html><a href=about.html>a</a>";
    const NOTES: (&str, &str) = ("m/notes.html", "<a href=old.html>o</a>");
    let (targets, says) = found(&[("m/about.html", ABOUT), ("m/old.html", OLD), NOTES], "m")?;
    assert_eq!(targets, "- https://h.example/old.html https://h.example/about");
    assert!(says.contains("about.html: mirror: wget has made the links"), "{says}");
    assert!(says.contains(": 1 such as notes.html, because wget may have appended .html (-E); pass its log"), "{says}");
    let unconverted = ABOUT.replace("notes.html", "notes");
    let (targets, says) = found(&[("m/about.html", &unconverted), ("m/old.html", OLD), NOTES], "m")?;
    assert!(targets.starts_with("https://h.example/notes ") && !says.contains("mirror"), "{targets} {says}");
    Ok(())
}

/// In the folder of a host, or beside `robots.txt`, which wget retrieves first. Elsewhere `--url` is what the user says of the files.
#[test]
fn targets_are_guesses_where_nothing_shows_what_was_appended() -> Outcome {
    const PAGE: &str = "<a href=about.html>a</a>";
    for (name, folder, more, is_guess) in [
        ("the folder of a host", "h.example", ("h.example/a.png", ""), true),
        ("robots.txt", "m", ("m/robots.txt", ""), true),
        ("a folder", "m", ("m/a.png", ""), false),
        ("a link to the root", "m", ("m/robots.html", "<a href=/>h</a>"), false),
    ] {
        let pages = ["notes.html", "about.html"].map(|page| format!("{folder}/{page}"));
        let (targets, says) = found(&[(&pages[0], PAGE), (&pages[1], PAGE), more], folder)?;
        assert!(targets.starts_with("https://h.example/about.html https://h.example/"), "{name}: {targets}");
        assert_eq!(says.contains("so 2 targets are guesses; if wget has"), is_guess, "{name}: {says}");
    }
    Ok(())
}

/// For Windows, wget writes a query behind `@`. A message may have an address in its name.
#[test]
fn a_query_may_be_written_with_an_at_sign() -> Outcome {
    let pages =
        [("m/index.html", "<a href='list@page=2.html'>2</a>"), ("m/list@page=2.html", "<a href=index.html>h</a>")];
    let (targets, says) = found(&pages, "m")?;
    assert_eq!(targets, "- https://h.example/");
    assert!(says.contains("1 such as list@page=2.html, because its query may be written otherwise"), "{says}");
    let letter = ("m/id=1@h=2.eml", "Subject: x\n\n");
    let (targets, says) = found(&[("m/index.html", "<a href=x.html>x</a>"), ("m/x.html", ""), letter], "m")?;
    assert!(targets == "https://h.example/x.html" && !says.contains("mirror"), "{targets} {says}");
    Ok(())
}

/// With `-%F ""` pages have no comment, and the list is only above the folder of the host.
#[test]
fn files_of_httrack_show_it_without_its_comments() -> Outcome {
    const PAGE: (&str, &str) = ("m/h.example/a.html", "<a href=b.html>b</a>");
    const OTHER: (&str, &str) = ("m/h.example/b.html", "");
    const LOG: &str = "m/hts-cache/doit.log";
    for (name, input, more, expected) in [
        ("the cache beside the folder", "m/h.example", (LOG, "http://h.example/ -O m\n"), "-"),
        ("its log beside the folders", "m", ("m/hts-log.txt", ""), "-"),
        ("links are kept", "m/h.example", (LOG, "http://h.example/ -O m -K4\n"), "https://h.example/b.html"),
        ("a folder", "m/h.example", ("m/h.example/c.txt", ""), "https://h.example/b.html"),
    ] {
        let (targets, says) = found(&[PAGE, OTHER, more], input)?;
        assert_eq!(targets, expected, "{name}: {says}");
        assert_eq!(says.contains(": mirror: HTTrack has made the links"), expected == "-", "{name}: {says}");
    }
    let page = "<html><!-- Added by HTTrack --><head></head><a href=b.html>b</a>";
    let (targets, _) = found(&[("m/a.html", page), ("m/b.html", "")], "m")?;
    assert_eq!(targets, "-");
    Ok(())
}

/// A mark is taken, or the run says why not.
#[test]
fn a_mark_without_a_usable_url_is_reported() -> Outcome {
    for (mark, expected, finding) in [
        ("saved from url=(0012)http://h/a b", "http://h/x", ""),
        ("saved from url=(0012)http://h/\u{e9} b", "http://h/x", ""),
        ("saved from url=(0099)http://h/a", "-", "the mark of the web does not count: its URL has another length"),
        ("saved from url=(0010)file:///ab", "-", "the mark of the web does not count: it names no http or https URL"),
        ("Added by HTTrack", "-", "the comment of HTTrack shows that its links lead to copies"),
        ("saved from url=(0014)about:internet", "-", ""),
    ] {
        let folder = folder_with(&[("a.html", &format!("<!-- {mark} --><a href=x>x</a>"))])?;
        let page = folder.path().join("a.html");
        assert_eq!(links(&page, &[])?, expected, "{mark}");
        let (_, _, says) = run(&["check", argument(&page)])?;
        let reported = says.split_once("url-not-used: ").map_or("", |(_, finding)| finding);
        assert!(reported.starts_with(finding) && reported.is_empty() == finding.is_empty(), "{mark}: {says}");
    }
    Ok(())
}
