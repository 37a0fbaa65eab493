//! The URLs of files, and links to copies, where they are easily mistaken.

use std::fs;
use std::io::Write;

use crate::support::targets::links;
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::fixtures;

#[test]
fn url_leaves_links_to_copies_unchanged() -> Outcome {
    let page = "<!-- saved from url=(0024)https://h.example/d/page --><img src='./p_files/a.png'><a href=/x>";
    let folder = folder_with(&[("p.html", page), ("p_files/a.png", "")])?;
    assert_eq!(links(folder.path(), &["--url", "https://h.example/d/"])?, "- https://h.example/x");
    let mirror = fixtures().join("mirrors/httrack/mirror");
    let with_url = links(&mirror, &["--url", "http://127.0.0.1:8765/"])?;
    assert!(!with_url.contains("127.0.0.1_8765"), "{with_url}");
    let (_, _, told) = run(&["rewrite", argument(folder.path()), "--dry-run"])?;
    assert!(told.contains("local-copy") && !told.contains("--url tells"), "{told}");
    Ok(())
}

#[test]
fn a_zone_of_security_is_not_the_url_of_a_page() -> Outcome {
    for mark in ["(0022)http://internet.e-mail", "(0014)about:internet", "(0016)http://localhost"] {
        let page = format!("<!-- saved from url={mark} --><a href=x>");
        let folder = folder_with(&[("p.html", &*page)])?;
        assert_eq!(links(folder.path(), &[])?, "-", "{mark}");
        assert_eq!(links(folder.path(), &["--url", "https://h.example/d/"])?, "https://h.example/d/x", "{mark}");
    }
    Ok(())
}

/// Such links were never made to lead to copies.
#[test]
fn links_of_a_page_saved_without_its_files_become_absolute() -> Outcome {
    let page = "<!-- saved from url=(0024)https://h.example/d/page -->\
        <a href='../x'><img srcset='a.png 1x'><a href='b.html?q#f'>\
        <a href=here.html><img src='./page_files/a.png'><img src='../o.FILES/a.png'><img src='Seite-Dateien/a.png'>\
        <img src='page%5Ffiles/a.png'>";
    let folder = folder_with(&[("p.html", page), ("here.html", "")])?;
    let found = links(folder.path(), &[])?;
    assert_eq!(found, "https://h.example/x https://h.example/d/a.png https://h.example/d/b.html?q#f - - - - -");
    let (_, _, told) = run(&["rewrite", argument(folder.path()), "--dry-run"])?;
    assert!(told.contains("no-local-copy: 3 references") && told.contains("local-copy: 5 references"), "{told}");
    let made = "<html data-scrapbook-source=\"https://h.example/d/page\"><a href=x>";
    assert_eq!(links(folder_with(&[("p.html", made)])?.path(), &[])?, "-", "WebScrapBook makes them absolute");
    Ok(())
}

#[test]
fn a_list_of_the_whole_site_gives_no_url_of_another_folder() -> Outcome {
    let folder = folder_with(&[
        ("site/index.html", "<a href=x.html>"),
        ("urls.csv", "index.html,http://h/\na/index.html,http://h/a/\nb/index.html,http://h/b/\n"),
        ("others.csv", "a/index.html,http://h/a/\nb/index.html,http://h/b/\n"),
    ])?;
    let site = folder.path().join("site");
    for (list, expected) in [("urls.csv", "http://h/x.html"), ("others.csv", "-")] {
        assert_eq!(links(&site, &["--urls", argument(&folder.path().join(list))])?, expected, "{list}");
    }
    Ok(())
}

/// `about.html` may have been `about`, unless a page shows that names were left unchanged.
#[test]
fn pages_of_a_mirror_get_no_extension_that_their_urls_may_lack() -> Outcome {
    let page = "<!DOCTYPE html><a href=about.html>";
    let mut files = vec![("h.example/index.html", page), ("h.example/about.html", "<p>x")];
    let flags = ["--layout", "wget", "--scheme", "https"];
    assert_eq!(links(folder_with(&files)?.path(), &flags)?, "-");
    files.push(("h.example/list", "<!DOCTYPE html><p>x"));
    assert_eq!(links(folder_with(&files)?.path(), &flags)?, "https://h.example/about.html");
    Ok(())
}

#[test]
fn folders_of_one_host_are_not_taken_for_hosts() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=jquery.ui/b.html>"), ("jquery.ui/b.html", "<a href=/r>")])?;
    let flags = ["--layout", "wget", "--scheme", "https"];
    assert_eq!(links(folder.path(), &flags)?, "- -");
    let (_, _, told) = run(&[&["check", argument(folder.path())], &flags[..]].concat())?;
    assert!(told.contains("url-not-used"), "{told}");
    Ok(())
}

#[test]
fn wrapped_links_do_not_resolve_at_the_url_of_the_user() -> Outcome {
    let page = "<script>__wm.wombat(\"http://h.example/d/\",\"20080102030405\",\"x\")</script>\
                <a href=/web/20080102030405/http://h.example/z>";
    let folder = folder_with(&[("a.html", page)])?;
    let url = ["--url", "http://h.example/d/"];
    assert_eq!(links(folder.path(), &[&url[..], &["--unwrap-wayback"]].concat())?, "http://h.example/z");
    assert_eq!(links(folder.path(), &url)?, "https://web.archive.org/web/20080102030405/http://h.example/z");
    Ok(())
}

#[test]
fn a_log_in_another_language_is_refused() -> Outcome {
    let log = "--2026-11-20 20:10:06--  http://h/a,b\nWird in \u{bb}h/a\u{ab} gespeichert.\n";
    let folder = folder_with(&[("in/a.html", ""), ("log", log), ("rows", "a.html\thttp://h/\n")])?;
    for list in ["log", "rows"] {
        let list = folder.path().join(list);
        let (status, _, told) = run(&["check", argument(&folder.path().join("in")), "--urls", argument(&list)])?;
        assert!(status == 2 && (told.contains("LC_ALL=C") || told.contains("neither CSV")), "{told}");
    }
    Ok(())
}

/// Names that are no UTF-8 stay apart.
#[cfg(unix)]
#[test]
fn two_names_in_an_older_encoding_stay_two() -> Outcome {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder_with(&[("m/h.example/index.html", "<a href='caf%E9.html'><a href='caf%E8.html'>")])?;
    for name in [&b"caf\xe9.html"[..], b"caf\xe8.html"] {
        fs::write(folder.path().join("m/h.example").join(OsStr::from_bytes(name)), "")?;
    }
    let mut log = fs::File::create(folder.path().join("log"))?;
    for escape in ["351", "350"] {
        writeln!(
            log,
            "--2026-11-20 20:10:06--  https://h.example/{escape}\nSaving to: 'h.example/caf\\{escape}.html'"
        )?;
    }
    let log = folder.path().join("log");
    let flags = ["--urls", argument(&log), "--layout", "wget", "--scheme", "https"];
    let found = run(&[&["links", argument(&folder.path().join("m"))], &flags[..]].concat())?;
    assert!(!found.1.contains("https://h.example/caf"), "{}{}", found.1, found.2);
    Ok(())
}
