//! What the links of pages show of a mirror: queries that end in `.html`, escapes, and what an earlier run left.

use std::fs;

use crate::support::targets::links;
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::files;

const URL: [&str; 2] = ["--url", "https://h.example/"];
/// What a mirror says of itself.
const SAYS: &str = ": mirror: wget has made the links";
/// What one says that is perhaps one.
const PERHAPS: &str = "the links are read as they are written";

fn check(files: &[(&str, &str)], input: &str) -> Result<String, Box<dyn std::error::Error>> {
    let folder = folder_with(files)?;
    Ok(run(&[&["check", argument(&folder.path().join(input))][..], &URL].concat())?.2)
}

/// Whether `.html` behind a query was appended, other references to the same list decide.
#[test]
fn a_query_that_ends_in_html_is_ambiguous() -> Outcome {
    let layout = ["--layout", "wget", "--url", "https://h.example/"];
    for (name, other, expected) in [
        ("nothing else", "", "-"),
        ("a page that was not retrieved", "<a href='https://h.example/list?y=9'>9</a>", "https://h.example/list?y=1"),
        ("a place that is not converted", "<q cite='list?y=9'>q</q>", "https://h.example/list?y=1"),
        (
            "pages with an extension",
            "<a href='https://h.example/list?y=9.html'>9</a>",
            "https://h.example/list?y=1.html",
        ),
        ("both", "<q cite='list?y=9'>q</q><a href='https://h.example/list?y=9.html'>9</a>", "-"),
        ("another list", "<q cite='more?y=9'>q</q><q cite='list?z=9'>q</q>", "-"),
        ("another host", "<a href='https://o.example/list?y=9'>9</a>", "-"),
    ] {
        let page = format!("<a href='list%3Fy=1.html'>1</a>{other}");
        let folder = folder_with(&[("index.html", &page), ("list?y=1.html", "<p>")])?;
        let found = links(folder.path(), &layout)?;
        assert_eq!(found.split(' ').next(), Some(expected), "{name}: {found}");
        let (_, _, says) = run(&[&["rewrite", "--dry-run", argument(folder.path())][..], &layout].concat())?;
        assert_eq!(says.contains("copies whose URLs are not known"), expected == "-", "{name}: {says}");
    }
    Ok(())
}

/// A file may be called so on its server. wget leaves no other link behind that it would have converted, too.
#[test]
fn an_escape_counts_only_in_a_page_that_is_converted() -> Outcome {
    let page = |more: &str| format!("<a href='what%3Fx=1.html'>1</a>{more}");
    for (name, more, file) in [
        ("a link to a folder", "<a href=d/>d</a>", ("b.html", "<p>")),
        ("a link to the root", "<a href=/>h</a>", ("b.html", "<p>")),
        ("a link to nothing", "<img src=gone.png>", ("b.html", "<p>")),
        ("a query that is not escaped", "<a href='list?y=1'>l</a>", ("list?y=1", "<!doctype html>")),
        ("a page without an extension", "", ("about", "<!doctype html>")),
    ] {
        let says = check(&[("a.html", &page(more)), ("what?x=1.html", "<p>"), file], "")?;
        assert!(!says.contains(SAYS) && says.contains(PERHAPS), "{name}: {says}");
    }
    assert!(check(&[("a.html", &page("")), ("what?x=1.html", "<p>"), ("b.html", "<p>")], "")?.contains(SAYS));
    Ok(())
}

/// What the first run made absolute is no evidence against it.
#[test]
fn a_second_run_in_place_changes_nothing() -> Outcome {
    const HOME: &str = "<a href=d/index.html>d</a><a href=a.html>a</a><a href=https://h.example/shop>s</a>";
    for (name, pages) in [
        ("links", &[("h.example/index.html", HOME), ("h.example/a.html", HOME), ("h.example/d/index.html", "<p>")][..]),
        (
            "an empty BASE",
            &[
                ("h.example/index.html", "<base href=''><a href=d/index.html>d</a><q cite=x>q</q>"),
                ("h.example/d/index.html", "<a href=../index.html>h</a>"),
                ("h.example/p?x=1", "<!doctype html>"),
            ],
        ),
        (
            "an original",
            &[
                ("h.example/index.html", HOME),
                ("h.example/index.html.orig", "<a href=d/>d</a><a href=a>a</a><a href=/shop>s</a>"),
                ("h.example/a.html", "<base href=''><a href=index.html>h</a>"),
                ("h.example/d/index.html?x=1", "<p>"),
            ],
        ),
        (
            "originals of all but one",
            &[
                ("h.example/index.html", "<a href='d/index.html'>d</a> <a href='old.html'>o</a>"),
                ("h.example/index.html.orig", "<a href='d/'>d</a> <a href='old'>o</a>"),
                ("h.example/d/index.html", "<a href='../index.html'>h</a>"),
                ("h.example/d/index.html.orig", "<a href='../'>h</a>"),
                ("h.example/old.html", "<a href='sibling.html'>s</a>"),
            ],
        ),
    ] {
        let folder = folder_with(pages)?;
        let input = folder.path().join("h.example");
        let mut before: Option<([usize; 2], Vec<Vec<u8>>)> = None;
        for _ in 0..2 {
            let (status, _, says) = run(&[&["rewrite", "--in-place", argument(&input)][..], &URL].concat())?;
            let codes = [SAYS, ": local-copy: "].map(|code| says.matches(code).count());
            let contents = files(&input)?.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
            assert_eq!(status, 0, "{name}: {says}");
            assert_eq!(codes[0], 1, "{name}: {says}");
            assert!(before.as_ref().is_none_or(|before| *before == (codes, contents.clone())), "{name}: {says}");
            before = Some((codes, contents));
        }
    }
    Ok(())
}

/// A site has absolute links to its files beside relative ones.
#[test]
fn absolute_links_beside_relative_ones_do_not_show_a_run() -> Outcome {
    let says = check(
        &[
            ("h.example/index.html", "<a href=https://h.example/d/>d</a><a href=https://h.example/shop>s</a>"),
            ("h.example/d/index.html", "<a href=../index.html>h</a><a href=../a.html>a</a>"),
            ("h.example/a.html", "<a href=index.html>h</a>"),
        ],
        "h.example",
    )?;
    assert!(!says.contains(SAYS), "{says}");
    Ok(())
}

/// Without a link to an index, neither what only wget leaves is enough, nor links to files alone, but is said.
#[test]
fn a_mirror_without_a_link_to_an_index_may_be_one() -> Outcome {
    let pages = |home| {
        [("h.example/index.html", home), ("h.example/a.html", "<a href=b.html>b</a>"), ("h.example/b.html", "<p>")]
    };
    let says = check(&pages("<a href=a.html>a</a><a href=https://h.example/login>l</a>"), "h.example")?;
    assert!(!says.contains(SAYS) && says.contains(PERHAPS), "{says}");
    let says = check(&pages("<a href=a.html>a</a><a href=https://o.example/login>l</a>"), "h.example")?;
    assert!(!says.contains(SAYS) && says.contains("so 2 targets are guesses"), "{says}");
    Ok(())
}

/// wget writes the bytes of a name, whatever the charset of the page.
#[cfg(unix)]
#[test]
fn a_name_in_latin_1_hides_no_evidence() -> Outcome {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder_with(&[
        ("h.example/d/index.html", "<a href=../index.html>h</a>"),
        ("h.example/about", "<!doctype html>"),
    ])?;
    let host = folder.path().join("h.example");
    fs::write(host.join("index.html"), b"<meta charset=latin1><a href=d/index.html>d</a><a href='caf\xe9.html'>c</a>")?;
    fs::write(host.join(std::ffi::OsStr::from_bytes(b"caf\xe9.html")), "<a href=d/index.html>d</a>")?;
    let found = links(&host, &URL)?;
    assert!(found.matches("https://h.example/d/").count() == 2 && !found.contains("index.html"), "{found}");
    assert!(found.contains('-'), "{found}");
    Ok(())
}
