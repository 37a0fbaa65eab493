//! What somebody meets who has never used the program: hints instead of riddles.

use std::fs;
use std::io::Write;

use crate::support::{Outcome, argument, folder_with, run, run_in};
use absolve_testing::{fixtures, root};

const PAGE: &str = "<p>\n<a href=b>";

#[test]
fn an_unchanged_copy_for_want_of_a_base_is_not_a_success() -> Outcome {
    let folder = folder_with(&[
        ("site/a.html", PAGE),
        ("site/b/c.html", PAGE),
        ("based.html", "<base href=http://h/><a href=x>"),
    ])?;
    for how in
        [&["-o", "out"][..], &["--dry-run"], &["--dry-run", "--diff"], &["--in-place"], &["--in-place", "--quiet"]]
    {
        for input in ["site", "site/a.html"] {
            let _ = fs::remove_dir_all(folder.path().join("out"));
            let (status, _, stderr) =
                run_in(folder.path(), &[&["rewrite", input, "--force", "--report", "r.csv"], how].concat())?;
            assert!(
                status == 1
                    && stderr.contains("no base is known: give the URL that the input was retrieved from with --url"),
                "{how:?}: {stderr}"
            );
            assert!(how[0] != "-o" || folder.path().join("out").exists(), "the output is written");
        }
    }
    // Some links were made absolute, the URL was given, or there was nothing to do.
    for arguments in [
        &["rewrite", "site", "based.html", "--dry-run"][..],
        &["rewrite", "site", "--dry-run", "--url", "https://h/"],
        &["rewrite", "based.html", "--dry-run"],
    ] {
        let (status, _, stderr) = run_in(folder.path(), arguments)?;
        assert_eq!(status, 0, "{stderr}");
    }
    // The messages of an mbox were not retrieved from a URL, and can be given one.
    let mbox = "From a@b Thu Jan  1 00:00:00 1998\nContent-Type: text/html\n\n<a href=x>\n\n";
    let folder = folder_with(&[("a.mbox", mbox)])?;
    for (option, status) in [(&[][..], 1), (&["--message-url", "http://h/"], 0)] {
        assert_eq!(run_in(folder.path(), &[&["rewrite", "a.mbox", "--dry-run"], option].concat())?.0, status);
    }
    Ok(())
}

#[test]
fn the_url_of_a_page_gives_that_of_its_folder() -> Outcome {
    let folder = folder_with(&[("site/a.html", PAGE), ("site/b/c.html", PAGE)])?;
    for (url, expected, is_said) in [
        ("https://ex.org/index.html", "https://ex.org/b/b", true),
        ("https://ex.org/d/Default.ASP?x#y", "https://ex.org/d/b/b", true),
        ("https://ex.org/docs", "https://ex.org/docs/b/b", false),
        ("https://ex.org", "https://ex.org/b/b", false),
        ("https://index.html", "https://index.html/b/b", false),
        ("https://ex.org/v1.2", "https://ex.org/v1.2/b/b", false),
    ] {
        let _ = fs::remove_dir_all(folder.path().join("out"));
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", "site", "-o", "out", "--url", url])?;
        assert_eq!((status, stderr.matches("--url names a page").count()), (0, usize::from(is_said)), "{stderr}");
        assert_eq!(fs::read_to_string(folder.path().join("out/b/c.html"))?, format!("<p>\n<a href={expected}>"));
        for more in [&[][..], &["--keep-local"]] {
            let rewritten = if more.is_empty() { "out" } else { "site" };
            let (status, _, stderr) =
                run_in(folder.path(), &[&["verify", "site", rewritten, "--url", url], more].concat())?;
            assert!(status == 0 || !more.is_empty(), "{stderr}");
        }
    }
    // Of a file, it is the URL of the file.
    let (_, out, _) =
        run_in(folder.path(), &["rewrite", "site/a.html", "-o", "-", "--url", "https://ex.org/d/index.html"])?;
    assert_eq!(out, "<p>\n<a href=https://ex.org/d/b>");
    Ok(())
}

#[test]
fn a_url_without_a_scheme_is_refused_with_a_hint() -> Outcome {
    let folder = folder_with(&[("a.html", PAGE)])?;
    for url in ["localhost:8080/x", "ex.org/x", "ex.org:80", r"C:\x", "//ex.org/", "x", "", "mailto:a@h", "about:blank"]
    {
        for command in [&["rewrite", "--dry-run"][..], &["check"], &["links"], &["base"]] {
            let (status, out, stderr) = run_in(folder.path(), &[command, &["a.html", "--url", url]].concat())?;
            assert!(
                status == 2
                    && out.is_empty()
                    && (stderr.contains("add https://") || stderr.contains("give an http or https URL")),
                "{url}: {stderr}"
            );
        }
    }
    for url in ["https://ex.org", "http://localhost:8080/x", "file:///tmp/x", "HTTPS://ex.org/"] {
        assert_eq!(run_in(folder.path(), &["rewrite", "a.html", "--dry-run", "--url", url])?.0, 0, "{url}");
    }
    Ok(())
}

#[test]
fn base_url_is_refused_with_a_hint() -> Outcome {
    let (status, _, stderr) = run(&["rewrite", "a.html", "--base-url", "https://ex.org/", "-o", "b.html"])?;
    assert!(status == 2 && stderr.contains("--base-url") && stderr.contains("'--url'"), "{stderr}");
    assert!(!run(&["rewrite", "--help"])?.1.contains("--base-url"));
    Ok(())
}

#[test]
fn base_is_short_for_base_element() -> Outcome {
    let folder = folder_with(&[("a.html", "<base href=http://h/d/><a href=b>")])?;
    for option in ["--base-element", "--base"] {
        let (_, out, _) = run_in(folder.path(), &["rewrite", "a.html", "-o", "-", option, "remove"])?;
        assert_eq!(out, "<base><a href=http://h/d/b>");
    }
    let (_, help, _) = run(&["rewrite", "--help"])?;
    assert!(help.contains("--base-element <WHAT>") && !help.contains("--base <"), "{help}");
    Ok(())
}

#[test]
fn a_url_for_the_short_form_of_base_element_is_refused_with_a_hint() -> Outcome {
    for option in ["--base", "--base-element"] {
        let (status, _, stderr) = run(&["rewrite", "a.html", option, "https://ex.org/", "-o", "b.html"])?;
        assert!(status == 2 && stderr.contains("tip: the URL of a document is given by --url URL\n"), "{stderr}");
        let (status, _, stderr) = run(&["rewrite", "a.html", option, "delete", "-o", "b.html"])?;
        assert!(status == 2 && stderr.contains("keep, remove, comment") && !stderr.contains("--url"), "{stderr}");
    }
    Ok(())
}

#[test]
fn a_missing_output_is_refused_with_the_other_ways() -> Outcome {
    let folder = folder_with(&[("a.html", PAGE)])?;
    let (status, stdout, _) = run_in(folder.path(), &["rewrite", "a.html", "--url", "http://h/"])?;
    let (_, written, _) = run_in(folder.path(), &["rewrite", "a.html", "--url", "http://h/", "-o", "-"])?;
    assert!(status == 0 && stdout == written && stdout != PAGE);
    let (status, _, stderr) = run_in(folder.path(), &["rewrite", "."])?;
    let names_all = ["-o PATH", "--in-place", "--dry-run"].iter().all(|option| stderr.contains(option));
    assert!(status == 2 && names_all, "{stderr}");
    Ok(())
}

#[test]
fn excluded_folders_are_not_read_and_globs_without_a_match_are_reported() -> Outcome {
    let folder = folder_with(&[
        ("site/a.html", PAGE),
        ("site/d/b.htm", PAGE),
        ("site/node_modules/x/c.html", PAGE),
        ("site/d/node_modules/e.html", PAGE),
    ])?;
    for (globs, expected) in [
        (&["--exclude", "node_modules"][..], &["site/a.html", "site/d/b.htm"][..]),
        (&["--exclude", "/node_modules/"], &["site/a.html", "site/d/b.htm", "site/d/node_modules/e.html"]),
        (&["--exclude", "**/*.html"], &["site/d/b.htm"]),
        (&["--include", "*.htm"], &["site/d/b.htm"]),
        (&["--include", "d/*"], &["site/d/b.htm", "site/d/node_modules/e.html"]),
        (&["--exclude", "*.html", "--exclude", "!a.html"], &["site/a.html", "site/d/b.htm"]),
        (&["--include", "d", "--exclude", "node_modules"], &["site/d/b.htm"]),
    ] {
        let (_, out, stderr) = run_in(folder.path(), &[&["check", "site"], globs].concat())?;
        let found: Vec<&str> = out.lines().filter_map(|line| line.split(':').next()).collect();
        assert_eq!(found, expected, "{globs:?}");
        assert!(!stderr.contains("glob-unmatched"), "{globs:?}: {stderr}");
    }
    let arguments = ["check", "site", "--exclude", "nod_modules", "--exclude", "d", "--include", "*.htm*"];
    let (_, _, stderr) = run_in(folder.path(), &arguments)?;
    let unmatched: Vec<&str> = stderr.lines().filter(|line| line.contains("glob-unmatched")).collect();
    assert_eq!(unmatched, ["site: glob-unmatched: --exclude \"nod_modules\" matches no file"]);
    // One of several inputs is enough.
    let (_, _, stderr) = run_in(folder.path(), &["check", "site/d", "site", "--exclude", "a.html"])?;
    assert!(!stderr.contains("glob-unmatched"), "{stderr}");
    Ok(())
}

#[test]
fn check_does_not_pass_where_no_file_is_a_document() -> Outcome {
    let folder = folder_with(&[("d/logo.png", "\u{89}PNG"), ("d/a.bin", "\0"), ("empty/x/y", ""), ("a.mbox", "")])?;
    for command in ["check", "links", "base"] {
        for input in ["d", "d/a.bin", "empty"] {
            let (status, out, stderr) = run_in(folder.path(), &[command, input])?;
            let says_so = stderr.contains(&format!("nothing to read in {input}: no file of it is a document"));
            assert!(status == 2 && out.is_empty() && says_so, "{command} {input}: {status} {stderr}");
        }
        assert_eq!(run_in(folder.path(), &[command, "a.mbox"])?.0, 0, "an empty mailbox is one");
    }
    Ok(())
}

/// `path:line:column:`, with the path as it was typed.
#[test]
fn paths_are_shown_as_they_are_typed() -> Outcome {
    let letter = "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>\n<a href=x>\n\
                  --b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p =\n>=0A<a href=3Dy>\n--b--\n";
    let mbox = format!("From a@b Thu Jan  1 00:00:00 1998\n{letter}\n");
    let folder = folder_with(&[("in/d/a.html", PAGE), ("in/l.eml", letter), ("in/m.mbox", &mbox)])?;
    let places = [
        "d/a.html:2:9: a@href: b",
        "l.eml:8:9: part 1: a@href: x",
        "l.eml:14:15: part 2: a@href: y",
        "m.mbox:1:1: record 1: part 1: 8:9: a@href: x",
        "m.mbox:1:1: record 1: part 2: 14:15: a@href: y",
    ];
    let above = folder.path().join("in/d");
    for (input, stands_in) in [("in", folder.path()), ("in/", folder.path()), ("./in", folder.path()), ("..", &*above)]
    {
        let (_, out, _) = run_in(stands_in, &["check", input])?;
        let begin = format!("{}/", input.trim_end_matches('/'));
        assert_eq!(out.lines().collect::<Vec<_>>(), places.map(|place| format!("{begin}{place}")), "{input}");
    }
    for how in [&["--dry-run"][..], &["--in-place"]] {
        let (_, _, stderr) = run_in(folder.path(), &[&["rewrite", "in"], how].concat())?;
        for place in [
            "in/d/a.html:2:9: no-base: ",
            "in/l.eml:8:9: part 1: no-base: ",
            "in/m.mbox: record 1: part 1: 8:9: no-base: ",
        ] {
            assert!(stderr.lines().any(|line| line.starts_with(place)), "{place}: {stderr}");
        }
    }
    fs::create_dir_all(folder.path().join("out"))?;
    fs::write(folder.path().join("out/a.html"), "<p>\n<a href=http://other/>")?;
    fs::write(folder.path().join("out/new"), "")?;
    let (_, out, _) = run_in(folder.path(), &["verify", "in/d", "out", "--url", "https://h/"])?;
    assert!(out.starts_with("in/d/a.html:2:9: ") && out.lines().any(|line| line.starts_with("out/new: ")), "{out}");
    Ok(())
}

#[test]
fn a_file_can_be_written_into_a_folder() -> Outcome {
    let folder = folder_with(&[("a.html", PAGE), ("b.html", PAGE), ("there/x", "")])?;
    let url = ["--url", "https://h/"];
    for (output, made) in [("new/", "new/a.html"), ("there", "there/a.html"), (".", "")] {
        let (status, _, stderr) = run_in(folder.path(), &[&["rewrite", "a.html", "-o", output], &url[..]].concat())?;
        if made.is_empty() {
            assert!(status == 2 && stderr.contains("the output ./a.html is the input"), "{stderr}");
            continue;
        }
        assert_eq!((status, fs::read_to_string(folder.path().join(made))?), (0, "<p>\n<a href=https://h/b>".into()));
        let (status, _, stderr) = run_in(folder.path(), &[&["verify", "a.html", output], &url[..]].concat())?;
        assert_eq!(status, 0, "{stderr}");
        let (status, _, stderr) = run_in(folder.path(), &[&["rewrite", "a.html", "-o", output], &url[..]].concat())?;
        assert!(status == 2 && stderr.contains("a.html exists; --force replaces it"), "{stderr}");
    }
    Ok(())
}

#[test]
fn a_url_as_input_is_refused_with_a_hint() -> Outcome {
    for command in [&["check"][..], &["rewrite", "--dry-run"], &["links"], &["base"]] {
        let (status, _, stderr) = run(&[command, &["https://ex.org/a.html"]].concat())?;
        let says_it = ["fetches nothing", "wget https://ex.org/a.html", "--url https://ex.org/a.html"];
        assert!(status == 2 && says_it.iter().all(|text| stderr.contains(text)), "{stderr}");
    }
    Ok(())
}

/// An mbox is compressed as its new name says. An archive that is appended to begins with its own bytes, and is refused.
#[test]
fn the_name_of_the_output_decides_on_its_compression() -> Outcome {
    let mbox = "From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n\n";
    let folder = folder_with(&[("a.mbox", mbox), ("plain.mbox", "From a@b Thu Jan  1 00:00:00 1998\n\n")])?;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(mbox.as_bytes())?;
    fs::write(folder.path().join("a.mbox.gz"), encoder.finish()?)?;
    for (input, output) in [("a.mbox.gz", "x.mbox"), ("a.mbox", "y.mbox.gz"), ("plain.mbox", "z.mbox.gz")] {
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", input, "-o", output])?;
        assert_eq!(status, 0, "{stderr}");
        let is_gzip = fs::read(folder.path().join(output))?.starts_with(&[0x1f, 0x8b]);
        assert_eq!(is_gzip, output.ends_with(".gz"), "{output}");
        let (status, out, stderr) = run_in(folder.path(), &["verify", input, output])?;
        assert_eq!(status, 0, "{out} {stderr}");
    }
    assert!(fs::read_to_string(folder.path().join("x.mbox"))?.ends_with("<a href=http://h/x>\n\n"));
    // Neither the name of the output nor the original asks for this.
    fs::copy(folder.path().join("y.mbox.gz"), folder.path().join("w.mbox"))?;
    let (status, out, _) = run_in(folder.path(), &["verify", "a.mbox", "w.mbox"])?;
    assert!(status == 1 && out.contains("compressed neither like its original nor according to its name"), "{out}");
    Ok(())
}

/// The page of commands shows how to verify what its first example has written.
#[test]
fn verify_takes_the_options_of_a_run_from_its_summary() -> Outcome {
    let page = fs::read_to_string(root().join("docs/commands.md"))?;
    let command = |start: &str| {
        let at = page.find(start).ok_or_else(|| format!("{start} is not in docs/commands.md"))?;
        let line = page[at..].lines().next().unwrap_or_default();
        Ok::<_, String>(line.split('`').next().unwrap_or_default().trim_start_matches("absolve ").to_owned())
    };
    let (rewrite, verify) =
        (command("absolve rewrite site -o out --url URL --summary")?, command("absolve verify site out")?);
    let folder = folder_with(&[])?;
    for more in [
        &[][..],
        &["--standard", "rfc3986", "--same-document", "absolute", "--keep", "^a", "--keep", "^b", "--keep-local"],
    ] {
        let _ = fs::remove_dir_all(folder.path().join("out"));
        let site = fixtures().join("site");
        let typed = |command: &str| -> Vec<String> {
            let word = |word: &str| match word {
                "site" => argument(&site).to_owned(),
                "URL" => "https://example.org/lighthouse/".to_owned(),
                word => word.to_owned(),
            };
            command.split(' ').map(word).collect()
        };
        let (rewrite, verify) = (typed(&rewrite), typed(&verify));
        let all: Vec<&str> =
            rewrite.iter().map(String::as_str).chain(more.iter().copied()).chain(["--force"]).collect();
        let (status, _, stderr) = run_in(folder.path(), &all)?;
        assert_eq!(status, 0, "{stderr}");
        let all: Vec<&str> = verify.iter().map(String::as_str).collect();
        let (status, out, stderr) = run_in(folder.path(), &all)?;
        assert_eq!(status, 0, "{more:?}: {out} {stderr}");
        // What is typed wins.
        let other = [&all[..], &["--url", "https://other.example/"]].concat();
        assert_eq!(run_in(folder.path(), &other)?.0, 1);
    }
    fs::write(folder.path().join("old.json"), "{\"inputs\": 1}")?;
    let (status, _, stderr) = run_in(folder.path(), &["verify", "a", "b", "--like", "old.json"])?;
    assert!(status == 2 && stderr.contains("old.json records no options"), "{stderr}");
    Ok(())
}

/// A space at the end of a pasted URL does not become `%20/` in every URL of a folder.
#[test]
fn spaces_around_a_url_are_removed() -> Outcome {
    let folder = folder_with(&[("site/a.html", "<a href=b>")])?;
    for url in ["https://ex.org/d/ ", "https://ex.org/d/index.html\n", " https://ex.org/d"] {
        let arguments = ["rewrite", "site", "-o", "out", "--url", url, "--force"];
        assert_eq!(run_in(folder.path(), &arguments)?.0, 0, "{url:?}");
        assert_eq!(fs::read_to_string(folder.path().join("out/a.html"))?, "<a href=https://ex.org/d/b>", "{url:?}");
        fs::remove_dir_all(folder.path().join("out"))?;
    }
    Ok(())
}

/// It is not reported as a file of unknown type.
#[test]
fn a_file_that_is_named_and_excluded_is_not_reported() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=http://h/>"), ("o.html", "<a href=x>")])?;
    let (status, out, stderr) = run_in(folder.path(), &["check", "a.html", "o.html", "--exclude", "o.html"])?;
    assert!(status == 0 && out.is_empty() && !stderr.contains("unknown-type"), "{status} {stderr}");
    Ok(())
}

/// A list of URLs that names no file of the input gives no base, and the exit status is 1.
#[test]
fn a_run_with_a_list_of_other_urls_says_that_no_base_is_known() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=x>"), ("u.csv", "path,url\nother.html,http://h/\n")])?;
    let (status, _, stderr) = run_in(folder.path(), &["rewrite", "a.html", "--dry-run", "--urls", "u.csv"])?;
    assert!(status == 1 && stderr.contains("because no base is known"), "{status} {stderr}");
    Ok(())
}

/// Under that name, the conversions of an ARC would be a file that nothing reads.
#[test]
fn an_arc_gives_no_warc_with_the_name_of_an_arc() -> Outcome {
    let folder = folder_with(&[("a.arc", ARC)])?;
    let (status, _, stderr) = run_in(folder.path(), &["rewrite", "a.arc", "-o", "b.arc"])?;
    assert!(status == 2 && stderr.contains(".warc") && !folder.path().join("b.arc").exists(), "{status} {stderr}");
    assert_eq!(run_in(folder.path(), &["rewrite", "a.arc", "-o", "out/"])?.0, 0);
    assert!(fs::read(folder.path().join("out/a.arc.warc"))?.starts_with(b"WARC/"));
    Ok(())
}

const ARC: &str = "filedesc://a.arc 0.0.0.0 20260101000000 text/plain 8\n1 0 test\n\nhttp://h/d/ 0.0.0.0 20260101000000 \
                   text/html 54\nHTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>\n";

/// `--help` in a foreign file would print the help and exit 0, as if the check held.
#[test]
fn recorded_options_that_are_not_those_of_a_run_are_refused() -> Outcome {
    let folder = folder_with(&[("a.html", "x"), ("like.json", r#"{"options":["--help"]}"#)])?;
    let (status, out, stderr) = run_in(folder.path(), &["verify", "a.html", "a.html", "--like", "like.json"])?;
    assert!(status == 2 && out.is_empty() && stderr.contains("like.json"), "{status} {stderr}");
    Ok(())
}
