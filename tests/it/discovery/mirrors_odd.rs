//! Mirrors that are not as one would expect them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::targets::{links, targets};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{files, fixtures, temporary_folder};

/// A mirror by HTTrack with files and the URLs that its list has of them.
fn mirror(pages: &[(&str, &str, &str)], more: &[(&str, &str)]) -> std::io::Result<tempfile::TempDir> {
    let row = |(url, file, _): &(&str, &str, &str)| {
        format!("1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\t{url}\tm/{file}\t(from )\n")
    };
    let list: String = pages.iter().map(row).collect();
    let files = pages.iter().map(|(_, file, text)| (*file, *text)).chain(more.iter().copied());
    folder_with(&files.chain([("hts-cache/new.txt", &*list)]).collect::<Vec<_>>())
}

#[test]
fn the_password_of_a_neighbour_is_not_written_into_links() -> Outcome {
    let pages = [("http://h.ex/", "a.html", "<a href=b.html>"), ("http://user:secret@h.ex/b", "b.html", "")];
    assert_eq!(links(mirror(&pages, &[])?.path(), &[])?, "http://h.ex/b");
    Ok(())
}

#[test]
fn the_url_of_a_neighbour_is_written_in_characters_of_the_document() -> Outcome {
    let page =
        "<meta charset=iso-8859-1><style>a{background:url(b.png)}</style><a href='b.html'>x</a><a href=b.html>y</a>";
    let pages = [
        ("http://h.ex/", "a.html", page),
        ("http://h.ex/\u{4e00}'\"(\u{e9})", "b.html", ""),
        ("http://h.ex/(1)", "b.png", ""),
    ];
    let folder = mirror(&pages, &[])?;
    let output = temporary_folder()?;
    let output = output.path().join("out");
    run(&["rewrite", argument(folder.path()), "-o", argument(&output)])?;
    let text = fs::read(output.join("a.html"))?;
    assert!(text.is_ascii(), "{}", String::from_utf8_lossy(&text));
    let url = "http://h.ex/%E4%B8%80'%22(%C3%A9)";
    let again = run(&["links", "--json", argument(&output.join("a.html"))])?.1;
    let found: Vec<String> = again
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<serde_json::Value>(line).ok()?["reference"].as_str().map(str::to_owned)
        })
        .collect();
    assert_eq!(found, ["http://h.ex/(1)", url, url]);
    Ok(())
}

#[test]
fn an_escaped_slash_is_not_one_between_folders() -> Outcome {
    let page = "<a href=d%2Fb.html><a href=%2e%2e%2Fb.html><a href=d/b.html><a href=d/../d/b.html#x><a href=../../../../d/b.html>";
    let pages = [("http://h.ex/", "a.html", page), ("http://h.ex/b", "d/b.html", "")];
    assert_eq!(links(mirror(&pages, &[])?.path(), &[])?, "- - http://h.ex/b http://h.ex/b#x -");
    Ok(())
}

#[test]
fn a_mirror_within_a_mirror_has_links_of_its_own() -> Outcome {
    let row = "1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\thttp://h.ex/a\tm/in/a.html\t(from )\n";
    let inner = "1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\thttp://h.ex/a\tm/a.html\t(from )\n";
    let files = [
        ("hts-cache/new.txt", row),
        ("in/hts-cache/new.txt", inner),
        ("in/hts-cache/doit.log", "http://h.ex/ -K4\n"),
        ("in/a.html", "<a href=x>"),
    ];
    assert_eq!(links(folder_with(&files)?.path(), &[])?, "http://h.ex/x");
    Ok(())
}

#[test]
fn an_mbox_in_a_mirror_gives_no_finding_about_its_url() -> Outcome {
    let pages = [("http://h.ex/list.mbox", "list.mbox", "From a@h.ex Fri Nov 20 10:00:00 2026\nSubject: x\n\nx\n")];
    let (_, _, told) = run(&["check", argument(mirror(&pages, &[])?.path())])?;
    assert_eq!(told, "0 links relative in 2 documents\n");
    Ok(())
}

#[test]
fn styles_and_candidates_in_a_mirror() -> Outcome {
    let page = "<img srcset='p.png 1x, p.png 2x'><img src=p.png><div style='background:url(p.png)'><link rel=stylesheet href=s.css>";
    let pages = [
        ("http://h.ex/", "a.html", page),
        ("http://h.ex/s", "s.css", "@import 'p.png'; a{background:url(none.png)}"),
        ("http://h.ex/p", "p.png", ""),
    ];
    assert_eq!(
        links(mirror(&pages, &[])?.path(), &[])?,
        "http://h.ex/p http://h.ex/p http://h.ex/p http://h.ex/p http://h.ex/s http://h.ex/p -"
    );
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_in_a_mirror_is_no_copy() -> Outcome {
    let folder = mirror(&[("http://h.ex/", "a.html", "<a href=l.html>")], &[])?;
    std::os::unix::fs::symlink("a.html", folder.path().join("l.html"))?;
    assert_eq!(links(folder.path(), &[])?, "-");
    Ok(())
}

#[test]
fn a_mirror_in_place_is_what_it_is_elsewhere() -> Outcome {
    let fixture = fixtures().join("mirrors/httrack/mirror");
    let folder = temporary_folder()?;
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    for file in files(&fixture)? {
        let copy = here.join(file.strip_prefix(&fixture)?);
        copy.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::copy(&file, copy)?;
    }
    assert_eq!(run(&["rewrite", argument(&fixture), "-o", argument(&there), "-q"])?.0, 0);
    // Once more changes nothing.
    for _ in 0..2 {
        assert_eq!(run(&["rewrite", argument(&here), "--in-place", "-q"])?.0, 0);
        let names = |root: &Path| -> Result<Vec<PathBuf>, Box<dyn std::error::Error>> {
            Ok(files(root)?.iter().filter_map(|file| file.strip_prefix(root).ok().map(PathBuf::from)).collect())
        };
        assert_eq!(names(&here)?, names(&there)?);
        for name in names(&here)? {
            assert_eq!(fs::read(here.join(&name))?, fs::read(there.join(&name))?, "{}", name.display());
        }
    }
    Ok(())
}

#[test]
fn links_to_copies_stay_where_they_are_to_stay() -> Outcome {
    let pages =
        [("http://h.ex/a.html", "a.html", "<a href=b.html><a href=none.html>"), ("http://h.ex/b.html", "b.html", "")];
    let folder = mirror(&pages, &[])?;
    let flags = ["--url", "http://h.ex/", "--keep-local"];
    assert_eq!(links(folder.path(), &flags)?, "-");
    Ok(())
}

#[test]
fn one_page_of_a_mirror_and_several_inputs() -> Outcome {
    let pages = [("http://h.ex/", "a.html", "<a href=b.html>"), ("http://h.ex/b", "b.html", "")];
    let (one, other) = (mirror(&pages, &[])?, mirror(&pages, &[])?);
    assert_eq!(links(&one.path().join("a.html"), &[])?, "-");
    let (_, out, _) = run(&["links", "--json", argument(one.path()), argument(other.path())])?;
    assert_eq!(targets(&out)?, ["http://h.ex/b", "http://h.ex/b"]);
    Ok(())
}
