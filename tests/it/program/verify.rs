//! `absolve verify` passes on what `absolve rewrite` makes of every corpus, and says what it proved.

use std::collections::BTreeSet;
use std::fs;

use crate::program::imports::sources::Sources;
use crate::support::{Outcome, argument, folder_with, run, run_in};
use absolve_testing::{IN_FULL, corpus, fixtures, print_line, root, temporary_folder};

/// Each corpus, and how many of its links change and are proven to mean what they meant.
const PROVEN: [(&str, u64); 18] = [
    ("fuzz-lol-html", 105),
    ("html-apache2-ko", 3725),
    ("html-docbook-xsl-latin1", 16_022),
    ("html-nokogiri-sjis", 7),
    ("html-phpdoc-base", 764),
    ("html-postgresql-doc", 27_962),
    ("html5lib-tests", 0),
    ("mail-cpython-email", 0),
    ("mail-enmime", 0),
    ("mail-imaptest-mbox", 0),
    ("mail-mikel", 0),
    ("mail-stalwart", 0),
    ("mhtml-distill", 2),
    ("mhtml-testim-small", 2),
    ("peer-juice", 14),
    ("peer-monolith", 18),
    ("peer-premailer", 2),
    ("wpt-srcset-css", 112),
];

/// Those in which no file is a document by its name or its first bytes.
const WITHOUT_DOCUMENTS: [&str; 1] = ["css-parsing-tests"];

#[test]
#[ignore = "long: corpora"]
fn corpora() -> Outcome {
    let mut failures = Vec::new();
    for folder in WITHOUT_DOCUMENTS.into_iter().filter_map(corpus) {
        let (status, _, stderr) = run(&["verify", argument(&folder), argument(&folder)])?;
        assert!(status == 2 && stderr.contains("no document was compared"), "{status} {stderr}");
    }
    for (name, expected) in PROVEN {
        let Some(folder) = corpus(name) else { continue };
        let output = temporary_folder()?;
        let output = output.path().join("out");
        let flags = ["--url", "https://example.org/archive/2026/"];
        let (status, _, stderr) =
            run(&[&["rewrite", argument(&folder), "-o", argument(&output)], &flags[..]].concat())?;
        assert_eq!(status, 0, "{name}: {stderr}");
        let (status, out, stderr) = run(&[&["verify", argument(&folder), argument(&output)], &flags[..]].concat())?;
        let last = stderr.lines().last().unwrap_or_default().to_owned();
        print_line(&format!("{name}: {last}"));
        if status != 0 || !last.contains(&format!(": {expected} changed")) {
            let shown: Vec<&str> = out.lines().take(5).collect();
            failures.push(format!("{name}: {status}, {expected} expected: {last}\n{}", shown.join("\n")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Whatever the options of rewrite are, verify proves with the same flags: those of each row together, and in full each by itself.
#[test]
fn options_of_rewrite() -> Outcome {
    const ROWS: [&[&[&str]]; 5] = [
        &[&["--for", "mail"], &["--headers"], &["--keep", "^[a-m]"]],
        &[&["--same-document", "absolute"], &["--base", "remove"], &["--break-signatures"]],
        &[&["--base", "comment"], &["--spelling", "ascii"], &["--keep-dkim"]],
        &[
            &["--spelling", "ascii", "--standard", "rfc3986"],
            &["--precedence", "browser"],
            &["--groups", "core,legacy,social,lazy,plugins,rdfa"],
        ],
        &[&["--precedence", "rfc2557"], &["--keep-local"], &["--attr", "a@data-x=url"]],
    ];
    let alone = ROWS.iter().flat_map(|row| row.iter().map(|flags| flags.to_vec()));
    let together = ROWS.iter().map(|row| row.concat());
    let input = fixtures();
    let mut failures = Vec::new();
    for flags in together.chain(alone.filter(|_| IN_FULL)) {
        let output = temporary_folder()?;
        let output = output.path().join("out");
        let url = ["--url", "http://h/d/"];
        let (status, _, stderr) =
            run(&[&["rewrite", argument(&input), "-o", argument(&output)], &url[..], &flags].concat())?;
        assert_eq!(status, 0, "{flags:?}: {stderr}");
        let (status, out, stderr) =
            run(&[&["verify", argument(&input), argument(&output)], &url[..], &flags].concat())?;
        let last = stderr.lines().last().unwrap_or_default();
        print_line(&format!("{flags:?}: {last}"));
        if status != 0 {
            failures.push(format!("{flags:?}: {last}\n{out}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

#[test]
fn wrong_use() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=x>"), ("d/b.html", "")])?;
    let (file, inner) = (folder.path().join("a.html"), folder.path().join("d"));
    for (arguments, message) in [
        (vec!["verify", argument(&inner), argument(&file)], "a folder can only be verified against a folder"),
        (vec!["verify", argument(&file), argument(&inner)], "d/a.html does not exist"),
        (vec!["verify", argument(&file), "no-such-file"], "no-such-file does not exist"),
        (vec!["verify", "no-such-file", argument(&file)], "no-such-file"),
        (vec!["verify", argument(&file)], "REWRITTEN"),
    ] {
        let (status, out, stderr) = run(&arguments)?;
        assert!(status == 2 && out.is_empty() && stderr.contains(message), "{arguments:?}: {status}: {stderr}");
    }
    Ok(())
}

/// What is left relative on purpose is counted, and is no difference.
#[test]
fn what_rewrite_leaves_is_counted() -> Outcome {
    let folder = folder_with(&[
        ("in/a.html", "<a href='{{x}}'><a href=y><a href='#z'>"),
        ("in/b.xml", "<rss><a href='x'></rss>"),
        ("in/c.bin", "\0\u{1}"),
    ])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    let (status, out, stderr) = run(&["verify", argument(&input), argument(&output)])?;
    assert_eq!((status, &*out), (0, ""), "{stderr}");
    let (status, _, stderr) = run(&["verify", argument(&input), argument(&output), "--url", "http://h/"])?;
    assert!(status == 1 && stderr.contains("1 difference"), "{stderr}");
    fs::write(output.join("c.bin"), "\0\u{2}")?;
    let (_, out, _) = run(&["verify", "--json", argument(&input), argument(&output)])?;
    let lines = out.lines().map(serde_json::from_str).collect::<Result<Vec<serde_json::Value>, _>>()?;
    let [difference, last] = &lines[..] else { return Err(out.into()) };
    assert_eq!((&last["counts"]["links"], &last["counts"]["differences"]), (&3.into(), &1.into()), "{out}");
    assert_eq!((&difference["path"], &difference["rule"]), (&argument(&input.join("c.bin")).into(), &"file".into()));
    Ok(())
}

/// What a mark, a log or a mirror says of where a page is from is no proof; what its BASE, a list or the user says is, unless a
/// program saved the page with other links.
#[test]
fn counts_apart_what_it_cannot_prove() -> Outcome {
    let log = "--2026-11-20 20:10:06--  https://h.example/c.html\nSaving to: 'c.html'\n";
    let folder = folder_with(&[
        ("in/a.html", "<!-- saved from url=(0020)https://h.example/d/ -->\n<a href=x>"),
        (
            "in/b.html",
            "<!-- saved from url=(0020)https://h.example/d/ -->\n<base href=http://b.example/><a href=x><a href=y>",
        ),
        ("in/c.html", "<a href=x>"),
        ("in/d.html", "<base href=http://b.example/><a href=x>"),
        ("log", log),
        ("urls.csv", "c.html,https://h.example/c.html\n"),
    ])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    for (list, proven, found) in [("log", 1, 4), ("urls.csv", 2, 3)] {
        let list = folder.path().join(list);
        let urls = ["--urls", argument(&list)];
        assert_eq!(
            run(&[&["rewrite", "--force", argument(&input), "-o", argument(&output)][..], &urls].concat())?.0,
            0
        );
        let verify = [&["verify", argument(&input), argument(&output)][..], &urls].concat();
        let (status, _, says) = run(&verify)?;
        let expected =
            format!("{proven} changed, each proven to mean what it meant (whatwg), {found} by the URL in a mark");
        assert!(status == 0 && says.contains(&expected), "{says}");
        let (_, out, _) = run(&[&verify[..], &["--json"]].concat())?;
        let last: serde_json::Value = serde_json::from_str(&out)?;
        assert_eq!(
            (&last["counts"]["proven"], &last["counts"]["by_found_url"]),
            (&proven.into(), &found.into()),
            "{out}"
        );
    }
    Ok(())
}

/// What is written by another standard or profile is proven by the same one only.
#[test]
fn standards_and_profiles_do_not_fall_back_to_the_default() -> Outcome {
    const STANDARDS: [&str; 5] = ["rfc1630", "rfc1808", "draft1996", "rfc2396", "rfc3986"];
    let message = "Content-Base: http://h/d/\nContent-Type: text/html\n\n<a href=x><a href=http:g>\n";
    let folder = folder_with(&[("a.eml", message)])?;
    let (input, output) = (folder.path().join("a.eml"), folder.path().join("b.eml"));
    let standards = STANDARDS.map(|name| ["--standard", name]);
    let profiles = ["browser", "rfc2557"].map(|name| ["--precedence", name]);
    for flags in standards.iter().chain(&profiles) {
        let (original, written) = (argument(&input), argument(&output));
        let (_, _, stderr) = run(&[&["rewrite", original, "-o", written, "--force"], &flags[..]].concat())?;
        let (status, found, _) = run(&[&["verify", original, written], &flags[..]].concat())?;
        assert_eq!((status, &*found), (0, ""), "{flags:?}: {stderr}");
        let (status, found, _) = run(&["verify", original, written])?;
        assert!(status == 1 && found.contains("relative"), "{flags:?}: {found}");
    }
    Ok(())
}

/// Both sides are read through one file handle, and neither moves the place of the other.
#[test]
fn an_archive_without_conversions_is_its_original() -> Outcome {
    let page = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=http://h/>{}", "x".repeat(300_000));
    let record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
         WARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n",
        page.len()
    );
    let folder = folder_with(&[("a.warc", &record)])?;
    let (input, output) = (folder.path().join("a.warc"), folder.path().join("b.warc"));
    for mode in ["append", "sidecar", "resource"] {
        let (original, written) = (argument(&input), argument(&output));
        let (status, _, stderr) = run(&["rewrite", original, "-o", written, "--warc", mode])?;
        assert_eq!(status, 0, "{mode}: {stderr}");
        let (status, found, stderr) = run(&["verify", original, written, "--warc", mode])?;
        assert_eq!((status, &*found), (0, ""), "{mode}: {stderr}");
        let (status, found, stderr) = run(&["verify", original, original, "--warc", mode])?;
        assert_eq!((status, found.is_empty()), (i32::from(mode == "sidecar"), mode != "sidecar"), "{mode}: {stderr}");
        if output.exists() {
            fs::remove_file(&output)?;
        }
    }
    Ok(())
}

/// It does not say that all of it holds, of nothing.
#[test]
fn verify_says_where_no_document_is_compared() -> Outcome {
    let folder =
        folder_with(&[("a/x/y", "\0"), ("b/x/y", "\0"), ("c/z.wacz", "PK"), ("d/z.wacz", "PK"), ("e.wacz", "")])?;
    fs::create_dir(folder.path().join("empty"))?;
    for (original, rewritten) in [("empty", "empty"), ("a", "b")] {
        let (status, out, stderr) = run_in(folder.path(), &["verify", original, rewritten])?;
        assert!(status == 2 && out.is_empty() && stderr.contains("no document was compared"), "{status} {stderr}");
    }
    let (status, _, stderr) = run_in(folder.path(), &["verify", "c", "d"])?;
    assert!(status == 0 && stderr.contains("of 1 web archive only the bytes were compared"), "{status} {stderr}");
    let (status, out, _) = run_in(folder.path(), &["verify", "c/z.wacz", "e.wacz"])?;
    assert!(status == 1 && out.contains("an archive that is left unchanged, but differs"), "{status} {out}");
    Ok(())
}

/// As `rewrite` does, it exits with 2 where nothing is read, and with 1 where what was written cannot be read.
#[test]
fn verify_exits_with_2_where_nothing_is_read_and_with_1_where_the_output_is_unreadable() -> Outcome {
    let folder = folder_with(&[("a.emlx", "5\nabcdefghi"), ("in/a.html", "<a href=x>")])?;
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_path_with_name(folder.path().join("in/a.html"), "a.html")?;
    let tar = tar.into_inner()?;
    fs::write(folder.path().join("a.tar"), &tar)?;
    fs::write(folder.path().join("b.tar"), [&b"b"[..], &tar[1..]].concat())?;
    let (status, out, stderr) = run_in(folder.path(), &["verify", "a.emlx", "a.emlx"])?;
    assert!(status == 2 && out.is_empty() && stderr.contains("nothing could be read in a.emlx"), "{status} {stderr}");
    let (status, out, stderr) = run_in(folder.path(), &["verify", "a.tar", "b.tar"])?;
    assert!(status == 1 && out.contains("a.tar: unread: it cannot be read"), "{status} {out} {stderr}");
    assert_eq!(out.lines().count(), 1, "{out}");
    Ok(())
}

/// `--quiet` silences messages and differences in words; JSON was asked for.
#[test]
fn verify_prints_json_with_quiet() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=x>"), ("b.html", "<b>")])?;
    let verify = ["verify", "a.html", "b.html", "--quiet"];
    let (status, out, stderr) = run_in(folder.path(), &verify)?;
    assert_eq!((status, &*out, &*stderr), (1, "", ""));
    let (status, out, stderr) = run_in(folder.path(), &[&verify[..], &["--json"]].concat())?;
    assert!(
        status == 1 && stderr.is_empty() && out.lines().last().is_some_and(|last| last.contains("counts")),
        "{out}"
    );
    Ok(())
}

/// Also an option that may be given several times replaces those of the run.
#[test]
fn options_given_to_verify_replace_those_of_the_summary() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=x><a href=y>")])?;
    let rewrite = ["rewrite", "a.html", "-o", "b.html", "--url", "http://h/", "--keep", "x", "--summary", "s.json"];
    assert_eq!(run_in(folder.path(), &rewrite)?.0, 0);
    for (flags, difference) in [
        (&[][..], ""),
        (&["--url", "http://h/"], ""),
        (&["--url", "http://i/"], "it leads to http://i/y"),
        (&["--keep", "z"], "the link \"x\" has stayed"),
        (&["--keep", "y"], "the link \"x\" has stayed"),
    ] {
        let verify = [&["verify", "a.html", "b.html", "--like", "s.json"], flags].concat();
        let (status, out, stderr) = run_in(folder.path(), &verify)?;
        assert_eq!(status, i32::from(!difference.is_empty()), "{flags:?}: {out}{stderr}");
        assert!(out.contains(difference), "{flags:?}: {out}");
    }
    Ok(())
}

/// `docs/verify.md` lists what the verifier takes from the other crates, item by item: no more and no less.
#[test]
fn the_shared_facts_are_those_of_the_table() -> Outcome {
    let page = fs::read_to_string(root().join("docs/verify.md"))?;
    let mut listed = BTreeSet::new();
    for row in page.lines().filter(|line| line.starts_with("| `absolve-")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [name, items, _] = cells[..] else { return Err(format!("not three cells: {row}").into()) };
        let name = name.trim_start_matches("| ").trim_matches('`').replace('-', "_");
        listed.extend(items.split(", ").map(|item| format!("{name}::{}", item.trim_matches('`'))));
    }
    let sources = Sources::read(&root().join("crates/verifier/src"))?;
    let paths = sources.modules.keys().flat_map(|module| sources.paths_in(module));
    let is_fact = |path: &String| path.starts_with("absolve_") && !path.starts_with("absolve_testing::");
    let imported: BTreeSet<String> = paths.filter(is_fact).collect();
    assert_eq!(imported, listed, "the imports, and what the table lists");
    let manifest = fs::read_to_string(root().join("crates/verifier/Cargo.toml"))?;
    let dependencies = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let dependencies =
        dependencies.take_while(|line| !line.starts_with('[')).filter(|line| line.starts_with("absolve-"));
    let dependencies: BTreeSet<String> =
        dependencies.filter_map(|line| Some(line.split(['.', ' ']).next()?.replace('-', "_"))).collect();
    let crates: BTreeSet<String> = listed.iter().filter_map(|path| Some(path.split_once("::")?.0.to_owned())).collect();
    assert_eq!(dependencies, crates, "the dependencies, and the crates of the table");
    Ok(())
}
