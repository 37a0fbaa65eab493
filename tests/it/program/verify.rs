//! `absolve verify` passes on what `absolve rewrite` makes of every corpus, and says what it proved.

use std::fs;

use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{corpus, fixtures, print_line};

/// Each corpus, and how many of its links change and are proven to mean what they meant.
const PROVEN: [(&str, u64); 19] = [
    ("css-parsing-tests", 0),
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
    ("wpt-srcset-css", 113),
];

#[test]
#[ignore = "long: corpora"]
fn corpora() -> Outcome {
    let mut failures = Vec::new();
    for (name, expected) in PROVEN {
        let Some(folder) = corpus(name) else { continue };
        let output = tempfile::tempdir()?;
        let output = output.path().join("out");
        let flags = ["--url", "https://example.org/archive/2026/"];
        let (status, _, told) = run(&[&["rewrite", argument(&folder), "-o", argument(&output)], &flags[..]].concat())?;
        assert_eq!(status, 0, "{name}: {told}");
        let (status, out, told) = run(&[&["verify", argument(&folder), argument(&output)], &flags[..]].concat())?;
        let last = told.lines().last().unwrap_or_default().to_owned();
        print_line(&format!("{name}: {last}"));
        if status != 0 || !last.contains(&format!(": {expected} changed")) {
            let shown: Vec<&str> = out.lines().take(5).collect();
            failures.push(format!("{name}: {status}, {expected} expected: {last}\n{}", shown.join("\n")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Whatever rewrite is asked for, verify proves with the same flags.
#[test]
fn options_of_rewrite() -> Outcome {
    const FLAGS: [&[&str]; 15] = [
        &["--for", "mail"],
        &["--same-document", "absolute"],
        &["--base", "remove"],
        &["--base", "comment"],
        &["--spelling", "ascii"],
        &["--spelling", "ascii", "--standard", "rfc3986"],
        &["--precedence", "browser"],
        &["--precedence", "rfc2557"],
        &["--headers"],
        &["--break-signatures"],
        &["--keep-dkim"],
        &["--groups", "core,legacy,social,lazy,plugins,rdfa"],
        &["--keep", "^[a-m]"],
        &["--keep-local"],
        &["--attr", "a@data-x=url"],
    ];
    let input = fixtures();
    let mut failures = Vec::new();
    for flags in FLAGS {
        let output = tempfile::tempdir()?;
        let output = output.path().join("out");
        let url = ["--url", "http://h/d/"];
        let (status, _, told) =
            run(&[&["rewrite", argument(&input), "-o", argument(&output)], &url[..], flags].concat())?;
        assert_eq!(status, 0, "{flags:?}: {told}");
        let (status, out, told) = run(&[&["verify", argument(&input), argument(&output)], &url[..], flags].concat())?;
        let last = told.lines().last().unwrap_or_default();
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
        (vec!["verify", argument(&file), argument(&inner)], "a folder is verified against a folder"),
        (vec!["verify", argument(&file), "no-such-file"], "no-such-file does not exist"),
        (vec!["verify", "no-such-file", argument(&file)], "no-such-file"),
        (vec!["verify", argument(&file)], "REWRITTEN"),
    ] {
        let (status, out, told) = run(&arguments)?;
        assert!(status == 2 && out.is_empty() && told.contains(message), "{arguments:?}: {status}: {told}");
    }
    Ok(())
}

/// What is left relative on purpose is told, and is no difference.
#[test]
fn what_rewrite_leaves_is_counted() -> Outcome {
    let folder = folder_with(&[
        ("in/a.html", "<a href='{{x}}'><a href=y><a href='#z'>"),
        ("in/b.xml", "<rss><a href='x'></rss>"),
        ("in/c.bin", "\0\u{1}"),
    ])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    let (status, out, told) = run(&["verify", argument(&input), argument(&output)])?;
    assert_eq!((status, &*out), (0, ""), "{told}");
    let (status, _, told) = run(&["verify", argument(&input), argument(&output), "--url", "http://h/"])?;
    assert!(status == 1 && told.contains("1 difference"), "{told}");
    fs::write(output.join("c.bin"), "\0\u{2}")?;
    let (_, out, _) = run(&["verify", "--json", argument(&input), argument(&output)])?;
    let difference: serde_json::Value = serde_json::from_str(&out)?;
    assert_eq!((&difference["path"], &difference["rule"]), (&"c.bin".into(), &"file".into()));
    Ok(())
}
