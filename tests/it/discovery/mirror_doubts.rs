//! Folders that look like mirrors, and mirrors that look odd.

use std::fs;

use crate::support::targets::links;
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::temporary_folder;

const URL: [&str; 2] = ["--url", "https://example.org/"];
/// What a mirror says of itself.
const SAYS: &str = ": mirror: wget has made the links";

/// A folder of a host among the files of a site is no mirror in it.
#[test]
fn a_site_may_contain_a_folder_named_as_its_host() -> Outcome {
    let folder = folder_with(&[
        ("s/index.html", "<a href='blog/post.html'>p</a><img src='example.org/logo.png'>"),
        ("s/blog/post.html", "<a href='../index.html'>p</a>"),
        ("s/example.org/logo.png", ""),
    ])?;
    let expected =
        "https://example.org/index.html https://example.org/blog/post.html https://example.org/example.org/logo.png";
    assert_eq!(links(&folder.path().join("s"), &URL)?, expected);
    Ok(())
}

/// A leftover of patch has links that wget would not have converted so.
#[test]
fn an_original_has_to_lead_to_the_files_of_its_copy() -> Outcome {
    let folder = folder_with(&[
        ("index.html", "<a href=intro.html>i</a><a href=index.html>h</a>"),
        ("index.html.orig", "<a href=../intro.html>i</a><a href=index.html>h</a>"),
        ("intro.html", "<a href=index.html>h</a>"),
    ])?;
    let found = links(folder.path(), &["--url", "https://example.org/docs/manual/"])?;
    assert!(found.starts_with("https://example.org/docs/manual/intro.html "), "{found}");
    Ok(())
}

#[test]
fn hosts_may_be_addresses_and_have_letters_of_all_kinds() -> Outcome {
    for (name, url) in [
        ("::1:8103", "http://[::1]:8103/"),
        ("2001:db8::1", "http://[2001:db8::1]/"),
        ("b\u{fc}cher.example", "https://xn--bcher-kva.example/"),
    ] {
        let page = |name: &str| format!("m/{name}/index.html");
        let folder = folder_with(&[
            (&page(name), "<a href=d/index.html>d</a><a href='l?a=1'>l</a>"),
            (&format!("m/{name}/d/index.html"), "<a href=../index.html>h</a>"),
            (&format!("m/{name}/l?a=1"), "<!doctype html><a href=index.html>h</a>"),
        ])?;
        assert_eq!(links(&folder.path().join("m"), &["--url", url])?, format!("{url} {url}d/ {url}l?a=1 {url}"));
    }
    Ok(())
}

/// The name of a page maps to no URL; its links to copies mean theirs nevertheless.
#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_has_no_url_in_a_mirror() -> Outcome {
    use std::os::unix::ffi::OsStrExt;
    let folder = temporary_folder()?;
    let host = folder.path().join("m/example.org");
    fs::create_dir_all(&host)?;
    fs::write(
        host.join(std::ffi::OsStr::from_bytes(b"caf\xe9.html")),
        "<a href=two.html>2</a><cite><q cite=x>q</q></cite>",
    )?;
    fs::write(host.join("two.html"), "<a href='list%3Fp=1.html'>l</a>")?;
    fs::write(host.join("list?p=1.html"), "<a href=two.html>2</a>")?;
    let output = folder.path().join("o");
    let mirror = folder.path().join("m");
    run(&[&["rewrite", argument(&mirror), "-o", argument(&output)][..], &URL].concat())?;
    let page = fs::read_to_string(output.join("example.org").join(std::ffi::OsStr::from_bytes(b"caf\xe9.html")))?;
    assert!(!page.contains("example.org/example.org"), "{page}");
    Ok(())
}

/// Only copies lead out of the site by a path.
#[test]
fn a_link_from_host_to_host_shows_a_mirror() -> Outcome {
    let pages = [
        ("m/example.org/index.html", "<link rel=stylesheet href='../cdn.example.net/s.css'><a href=two.html>2</a>"),
        ("m/example.org/two.html", "<a href=/x>x</a>"),
        ("m/cdn.example.net/s.css", "p{}"),
    ];
    let folder = folder_with(&pages)?;
    let found = links(&folder.path().join("m"), &URL)?;
    assert!(found.starts_with("https://cdn.example.net/s.css "), "{found}");
    let versions =
        [("m/v1.0/index.html", "<a href=../v2.0/index.html>2</a>"), ("m/v2.0/index.html", "<a href=/x>x</a>")];
    let found = links(&folder_with(&versions)?.path().join("m"), &URL)?;
    assert_eq!(found, "https://example.org/v2.0/index.html https://example.org/x");
    Ok(())
}

/// wget would have converted a link to what it retrieved.
#[test]
fn an_absolute_link_to_a_file_of_the_folder_shows_that_nothing_was_converted() -> Outcome {
    let folder = folder_with(&[
        (
            "example.org/about.html",
            "<link rel=canonical href='https://example.org/about.html'><a href=index.html>h</a>",
        ),
        ("example.org/index.html", "<a href=about.html>a</a><a href='https://example.org/login'>l</a>"),
        ("m/a/index.html", "<a href=../index.html>h</a>"),
        ("m/b/index.html", "<a href=../index.html>h</a>"),
        ("m/index.html", "<a href=a/index.html>a</a>"),
    ])?;
    let site = folder.path().join("example.org");
    let found = links(&site, &URL)?;
    assert_eq!(found, "https://example.org/index.html https://example.org/about.html");
    let (_, _, says) = run(&[&["check", argument(&folder.path().join("m"))][..], &URL].concat())?;
    assert!(!says.contains(SAYS) && says.contains(": mirror: the links of this page lead to files"), "{says}");
    Ok(())
}

/// A log of wget2 has the port that its folders lack, and the URLs of files that were redirected.
#[test]
fn ports_and_redirections_of_wget2_are_those_of_its_log() -> Outcome {
    let log = "[0] Downloading 'http://h.example:8105/' ...\nSaving 'h.example/index.html'\nHTTP response 200 OK [http://h.example:8105/]\n\
        HTTP response 302 Found [http://h.example:8105/old]\nSaving 'h.example/old'\n\
        HTTP response 200 OK [http://h.example:8105/new/place.html]\n\
        convert h.example/index.html http://h.example:8105/ utf-8\nconvert h.example/old http://h.example:8105/new/place.html utf-8\n";
    let folder = folder_with(&[
        ("m/h.example/index.html", "<a href=old>o</a><a href=img.png>i</a>"),
        ("m/h.example/old", "<!doctype html><a href=index.html>h</a>"),
        ("m/h.example/img.png", ""),
        ("log", log),
    ])?;
    let log = folder.path().join("log");
    let found = links(&folder.path().join("m"), &["--urls", argument(&log)])?;
    let root = "http://h.example:8105/";
    assert_eq!(found, format!("{root}new/place.html {root}img.png {root}"));
    let (_, _, says) = run(&["check", argument(&folder.path().join("m")), "--urls", argument(&log)])?;
    assert!(says.matches(": url-conflict: ").count() == 1 && !says.contains("name no file of the input"), "{says}");
    Ok(())
}

/// Each folder of a host has the port in its name, and `--url` that of the folders without one.
#[test]
fn a_port_in_a_name_that_is_not_that_of_the_url_is_reported() -> Outcome {
    let page = "<a href=/x>x</a>";
    let folder = folder_with(&[
        ("m/h.example:8080/index.html", page),
        ("n/h.example:8080/index.html", page),
        ("n/h.example/index.html", page),
    ])?;
    let url = ["--url", "http://h.example:9090/"];
    for (input, expected, conflicts) in [
        ("m", "http://h.example:8080/x", 1),
        ("m/h.example:8080", "http://h.example:9090/x", 1),
        ("n", "http://h.example:9090/x http://h.example:8080/x", 0),
    ] {
        let input = folder.path().join(input);
        assert_eq!(links(&input, &url)?, expected);
        let (_, _, says) = run(&[&["check", argument(&input)][..], &url].concat())?;
        assert_eq!(
            says.matches(": url-conflict: the folder h.example:8080 is named after another port").count(),
            conflicts,
            "{says}"
        );
    }
    Ok(())
}

#[test]
fn a_folder_of_the_host_further_down_is_reported() -> Outcome {
    const BELOW: &str = ": mirror: 2020/example.org is named as the host of the given URL";
    let pages = [("a/2020/example.org/index.html", "<a href=/x>x</a>"), ("a/2020/o.example/s.css", "p{}")];
    let check = |folder: &std::path::Path| run(&[&["check", argument(&folder.join("a"))][..], &URL].concat());
    let (_, _, says) = check(folder_with(&pages)?.path())?;
    assert!(says.contains(BELOW), "{says}");
    let (_, _, says) = check(folder_with(&[pages[0], ("a/b.html", "<p>")])?.path())?;
    assert!(!says.contains(": mirror: "), "{says}");
    Ok(())
}

/// wget makes a second file of a name only where it makes no folders.
#[test]
fn without_folders_no_url_is_known() -> Outcome {
    let pages = [
        ("index.html", "<a href=index.html.1>1</a><img src=a.png>"),
        ("index.html.1", "<a href=index.html>h</a>"),
        ("a.png", ""),
    ];
    let folder = folder_with(&pages)?;
    let layout = ["--layout", "wget", URL[0], URL[1]];
    assert_eq!(links(folder.path(), &layout)?, "- - -");
    let (_, _, says) = run(&[&["rewrite", "--dry-run", argument(folder.path())][..], &layout].concat())?;
    assert!(
        says.contains(": mirror: index.html.1 is the second file of its name") && says.contains(": local-copy: "),
        "{says}"
    );
    assert_eq!(links(folder_with(&[pages[0], pages[2]])?.path(), &layout)?, "- https://example.org/a.png");
    Ok(())
}
