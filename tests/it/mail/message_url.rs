//! The URL of messages that declare no base.

use std::fs;
use std::path::Path;

use crate::support::{Outcome, folder_with, run_in};
use serde_json::Value;

const SEPARATOR: &str = "From a@b Thu Jan  1 00:00:00 1998\n";
const GIVEN: [&str; 2] = ["--message-url", "https://lists.example/d/"];
const ARCHIVED: [&str; 2] = ["--message-url", "archived-at"];

/// A message with these fields and a relative link.
fn message(fields: &str) -> String {
    format!("{fields}Content-Type: text/html\n\n<a href=x>\n")
}

/// A file, or a folder, for each format in which a message can stand: the input, the file of the message, and its content.
fn formats(message: &str) -> [(&'static str, &'static str, String); 7] {
    let babyl = format!("BABYL OPTIONS:\nVersion: 5\n\x1f\x0c\n0, unseen,,\n*** EOOH ***\n{message}\x1f");
    [
        ("a.eml", "a.eml", message.to_owned()),
        ("a.mbox", "a.mbox", format!("{SEPARATOR}{message}\n")),
        ("mmdf.mbox", "mmdf.mbox", format!("\x01\x01\x01\x01\n{message}\x01\x01\x01\x01\n")),
        ("babyl.rmail", "babyl.rmail", babyl),
        ("1.emlx", "1.emlx", format!("{}\n{message}<?xml version=\"1.0\"?><plist/>", message.len())),
        ("box", "box/cur/1.host:2,S", message.to_owned()),
        ("folder", "folder/deep/a.eml", message.to_owned()),
    ]
}

fn verified(folder: &Path, input: &str, output: &str, options: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
    let (status, found, log) = run_in(folder, &[&["verify", input, output], options].concat())?;
    assert_eq!((status, &*found), (0, ""), "{input}: {log}");
    Ok(log)
}

#[test]
fn every_format_of_messages_takes_it() -> Outcome {
    let text = message("Archived-At: <https://archive.example/m/1>\n");
    for (options, target) in [(GIVEN, "https://lists.example/d/x"), (ARCHIVED, "https://archive.example/m/x")] {
        for (input, path, content) in formats(&text) {
            let folder = folder_with(&[(path, &content)])?;
            if input == "box" {
                fs::create_dir_all(folder.path().join("box/new"))?;
            }
            let (_, found, log) = run_in(folder.path(), &["check", input])?;
            assert_eq!(found.lines().count(), 1, "{input}: {log}");
            let (status, _, log) = run_in(
                folder.path(),
                &[&["rewrite", input, "-o", "out", "--summary", "s.json"][..], &options].concat(),
            )?;
            assert!(status == 0 && log.contains(" 1 made absolute"), "{input}: {log}");
            let written = fs::read_to_string(folder.path().join(format!("out{}", &path[input.len()..])))?;
            assert!(written.contains(&format!("<a href={target}>")), "{input}: {written}");
            let log = verified(folder.path(), input, "out", &options)?;
            assert!(log.contains("1 changed, each proven"), "{log}");
            verified(folder.path(), input, "out", &["--like", "s.json"])?;
            let (_, listed, _) = run_in(folder.path(), &[&["links", input, "--json"][..], &options].concat())?;
            let links: Result<Vec<Value>, _> = listed.lines().map(serde_json::from_str).collect();
            assert!(links?.iter().any(|link| link["target"] == target && link["layer"] == "retrieval"), "{listed}");
        }
    }
    Ok(())
}

#[test]
fn members_of_archives_take_it() -> Outcome {
    let mbox = format!("{SEPARATOR}{}\n", message(""));
    let folder = folder_with(&[("in/a.eml", &message("")), ("in/b.mbox", &mbox)])?;
    for name in ["in.zip", "in.tar"] {
        let made = std::process::Command::new("python3")
            .args(["-m", if name == "in.zip" { "zipfile" } else { "tarfile" }, "-c", name, "in/"])
            .current_dir(folder.path())
            .status();
        if !made.is_ok_and(|status| status.success()) {
            absolve_testing::print_line("skipped: no python3");
            return Ok(());
        }
        let output = format!("out-{name}");
        let (status, _, log) = run_in(folder.path(), &[&["rewrite", name, "-o", &output][..], &GIVEN].concat())?;
        assert!(status == 0 && log.contains(" 2 made absolute"), "{name}: {log}");
        verified(folder.path(), name, &output, &GIVEN)?;
    }
    Ok(())
}

/// It is the last source: a base of the message and the URL of a saved page come before it. `--url` does not apply to mail.
#[test]
fn all_other_sources_come_before_it() -> Outcome {
    for (fields, options, base) in [
        ("Content-Base: http://h/\n", &GIVEN[..], "http://h/"),
        ("Snapshot-Content-Location: http://s/\n", &GIVEN, "http://s/"),
        ("Content-Location: e/\n", &GIVEN, "https://lists.example/d/e/"),
        ("Snapshot-Content-Location: http://s/\n", &[GIVEN[0], GIVEN[1], "--url", "http://u/"], "http://u/"),
        ("Archived-At: <https://a/1>\n", &[GIVEN[0], GIVEN[1], "--url", "http://u/"], "https://lists.example/d/"),
        ("Archived-At: <https://a/1>\n", &[], ""),
        ("Subject: in the text\n\nArchived-At: <https://a/1>\n", &ARCHIVED, ""),
    ] {
        let folder = folder_with(&[("a.eml", &message(fields))])?;
        let (_, told, _) = run_in(folder.path(), &[&["base", "a.eml", "--json"], options].concat())?;
        let object: Value = serde_json::from_str(told.lines().last().unwrap_or_default())?;
        assert_eq!(object["base"].as_str().unwrap_or_default(), base, "{fields}{told}");
        run_in(folder.path(), &[&["rewrite", "a.eml", "-o", "b.eml"], options].concat())?;
        verified(folder.path(), "a.eml", "b.eml", options)?;
    }
    let folder = folder_with(&[("a.eml", &message("Archived-At: <https://a/1>\n"))])?;
    let (_, told, _) = run_in(folder.path(), &[&["base", "a.eml"][..], &ARCHIVED].concat())?;
    assert!(told.contains("=>     retrieval at Archived-At: https://a/1"), "{told}");
    let (_, told, _) = run_in(folder.path(), &[&["base", "a.eml"][..], &GIVEN].concat())?;
    assert!(told.contains("=>     retrieval at --message-url: https://lists.example/d/"), "{told}");
    Ok(())
}

#[test]
fn an_archived_at_that_is_no_url_is_a_finding() -> Outcome {
    for fields in [
        "Archived-At: <m/1>\n",
        "Archived-At: <mid:1@h>\n",
        "Archived-At: <http://[>\n",
        "Archived-At: <http://h/\u{fffd}>\n",
        "Archived-At: <https://a/1>\nArchived-At: <https://a/2>\n",
        "Archived-At: <https://a/1>, <https://a/2>\n",
    ] {
        let folder = folder_with(&[("a.mbox", &format!("{SEPARATOR}{}\n", message(fields)))])?;
        let (status, _, log) =
            run_in(folder.path(), &[&["rewrite", "a.mbox", "-o", "b.mbox"][..], &ARCHIVED].concat())?;
        assert!(status == 1 && log.contains("a.mbox: record 1: base-rejected: its Archived-At "), "{fields}{log}");
        assert!(log.contains("no-base: 1 reference"), "{log}");
        assert_eq!(fs::read(folder.path().join("a.mbox"))?, fs::read(folder.path().join("b.mbox"))?);
        verified(folder.path(), "a.mbox", "b.mbox", &ARCHIVED)?;
    }
    Ok(())
}

/// The hint named `--url`, which is refused there.
#[test]
fn the_hint_about_a_mailbox_names_it() -> Outcome {
    let mbox = format!("{SEPARATOR}{}\n", message(""));
    let folder = folder_with(&[("a.mbox", &mbox), ("box/cur/1.host", &message("")), ("box/new/.keep", "")])?;
    for input in ["a.mbox", "box"] {
        let (status, _, log) = run_in(folder.path(), &["rewrite", input, "--dry-run"])?;
        let why =
            "absolve: 1 relative link left unchanged, because no base is known: --message-url gives a base to messages";
        assert!(status == 1 && log.contains(why) && !log.contains("give the URL"), "{log}");
        let (_, _, log) = run_in(folder.path(), &["rewrite", input, "--dry-run", "--url", "http://h/"])?;
        assert!(log.contains("the given URL is ignored") && log.contains("; --message-url gives one"), "{log}");
        let (_, _, log) = run_in(folder.path(), &[&["rewrite", input, "--dry-run"][..], &ARCHIVED].concat())?;
        assert!(log.contains("no base is known: the messages declare none") && !log.contains("--message-url"), "{log}");
    }
    let both = format!("{mbox}{SEPARATOR}{}\n", message("Content-Base: http://h/\n"));
    fs::write(folder.path().join("a.mbox"), both)?;
    let (status, _, log) = run_in(folder.path(), &["rewrite", "a.mbox", "--dry-run"])?;
    assert!(status == 0 && log.contains("1 link left relative; --message-url gives a base"), "{log}");
    let (status, _, log) = run_in(folder.path(), &["rewrite", "a.mbox", "--dry-run", "--message-url", "h.example/d/"])?;
    assert!(status == 2 && log.contains("add https:// in front of it"), "{log}");
    Ok(())
}

#[test]
fn unpack_takes_it() -> Outcome {
    let mbox = format!("{SEPARATOR}{}\n", message("Archived-At: <https://a/1>\n"));
    let folder = folder_with(&[("a.mbox", &mbox), ("b.eml", &message("Archived-At: <a>\n"))])?;
    for (options, target) in [(&ARCHIVED[..], "https://a/x"), (&GIVEN, "https://lists.example/d/x"), (&[], "href=x")] {
        let unpack = ["unpack", "a.mbox", "-o", "out", "--force"];
        let (status, _, log) = run_in(folder.path(), &[&unpack[..], options].concat())?;
        let page = fs::read_to_string(folder.path().join("out/index.html"))?;
        assert!(status == 0 && page.contains(target), "{page}{log}");
    }
    let (_, _, log) = run_in(folder.path(), &[&["unpack", "b.eml", "-o", "other"][..], &ARCHIVED].concat())?;
    assert!(log.contains("b.eml: base-rejected: its Archived-At "), "{log}");
    Ok(())
}

#[test]
fn verify_does_not_pass_a_base_from_elsewhere() -> Outcome {
    let text = message("Archived-At: <https://a/1>\n");
    let folder = folder_with(&[("a.eml", &text), ("b.eml", &text.replace("href=x", "href=https://a/x"))])?;
    for (options, expected) in [(&ARCHIVED[..], 0), (&GIVEN, 1), (&[], 1)] {
        assert_eq!(
            run_in(folder.path(), &[&["verify", "a.eml", "b.eml"], options].concat())?.0,
            expected,
            "{options:?}"
        );
    }
    Ok(())
}
