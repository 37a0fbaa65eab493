//! What the program says and how it exits.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{Outcome, argument, folder_with, run};

#[test]
fn resolves_by_the_named_standard() -> Outcome {
    let base = ["resolve", "--base", "http://a/b/c/d;p?q"];
    let draft = [&base[..], &["--standard", "draft1996", "../../../g"]].concat();
    assert_eq!(run(&draft)?, (0, "http://a/../g\n".into(), String::new()));
    let default = [&base[..], &["../../../g", "g"]].concat();
    assert_eq!(run(&default)?.1, "http://a/g\nhttp://a/b/c/g\n");
    Ok(())
}

#[test]
fn shows_all_standards_side_by_side() -> Outcome {
    let (status, out, _) = run(&["resolve", "--base", "http://a/b/c/d;p?q", "--standard", "all", "?y", ";x"])?;
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["reference", "rfc1630", "rfc1808", "draft1996", "rfc2396", "rfc3986", "whatwg"]);
    assert_eq!(lines[1][4..6], ["http://a/b/c/?y", "http://a/b/c/d;p?y"]);
    assert_eq!((status, lines.len()), (0, 3));
    Ok(())
}

#[test]
fn shows_components_and_grammar() -> Outcome {
    let arguments = ["resolve", "--standard", "rfc1808", "--components", "--json", "Talk:Foo;a?b#c"];
    let object: serde_json::Value = serde_json::from_str(&run(&arguments)?.1)?;
    assert_eq!(object["params"], "a");
    assert_eq!(object["grammar"]["draft-06"], serde_json::json!(["generic-URL", "opaque-URL", "rel_path"]));
    Ok(())
}

/// An escape sequence in a name or a reference would be carried out, and a line end would begin a line of its own.
#[test]
fn names_and_references_reach_the_terminal_escaped() -> Outcome {
    let name = "in/a\u{1b}[31m\nown line\u{9b}\u{202e}.html";
    let folder = folder_with(&[(name, "<base href='d&#7;/'><a href='x&#7;y&#x202e;'><a href='Talk:&#7;&#10;own'>")])?;
    let path = |name: &str| argument(&folder.path().join(name)).to_owned();
    let (input, file, output) = (path("in"), path(name), path("out\u{1b}"));
    let message = path("a\u{1b}.eml");
    let url = ["--url", "http://h/"];
    let at_url = |arguments: &[&'static str], paths: &[&str]| {
        let all = arguments.iter().copied().chain(paths.iter().copied()).chain(url);
        all.map(str::to_owned).collect::<Vec<String>>()
    };
    let base = ["resolve", "--base", "http://h/"];
    let resolved =
        |flags: &[&str]| [&base[..], flags, &["x\u{1b}\ny"]].concat().into_iter().map(str::to_owned).collect();
    let commands: Vec<Vec<String>> = vec![
        at_url(&["rewrite"], &[&input, "-o", &output]),
        at_url(&["rewrite"], &[&input, "-o", &output]),
        at_url(&["rewrite"], &[&input, "-o", &path("out\u{1b}"), "--resume"]),
        at_url(&["rewrite", "--dry-run", "--diff"], &[&input]),
        at_url(&["check"], &[&input]),
        at_url(&["links"], &[&input]),
        at_url(&["base", "--all"], &[&input]),
        at_url(&["verify"], &[&input, &output]),
        at_url(&["verify"], &[&input, &input]),
        at_url(&["pack"], &[&file, "-o", &message]),
        at_url(&["pack"], &[&file, "-o", &message]),
        at_url(&["links"], &[&path("no\u{1b}\nfile")]),
        resolved(&["--standard", "rfc1808"]),
        resolved(&["--standard", "all"]),
        resolved(&["--standard", "rfc1808", "--components"]),
        vec!["revert".to_owned(), path("no\u{1b}journal")],
        vec!["links".to_owned(), "--no\u{1b}option".to_owned()],
    ];
    let mut silent = Vec::new();
    for (number, command) in commands.iter().enumerate() {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let (_, out, errors) = run(&command)?;
        let is_raw = |character: char| (character.is_control() && character != '\n') || character == '\u{202e}';
        assert!(!out.contains(is_raw) && !errors.contains(is_raw), "{command:?}: {out:?} {errors:?}");
        assert!(!out.contains("\nown") && !errors.contains("\nown"), "{command:?}: {out:?} {errors:?}");
        let is_escaped = |text: &str| text.contains("\\u{1b}") || text.contains("\\033");
        silent.extend((!is_escaped(&out) && !is_escaped(&errors)).then_some(number));
    }
    assert_eq!(silent, [7, 16], "nothing is to be printed of the files, and clap leaves such characters out");
    let (_, json, _) = run(&["links", "--json", &input])?;
    assert!(json.contains(r"a\u001b[31m\nown line\u009b\u202e"), "{json}");
    for flags in [
        &["links", "--json", &input][..],
        &["base", "--json", &input],
        &["check", "--json", &input],
        &["check", "--format", "sarif", &input],
        &["verify", "--json", "--url", "http://h/", &input, &input],
        &["resolve", "--json", "--base", "http://h/", "x\u{9b}\u{202e}"],
    ] {
        let (_, json, _) = run(flags)?;
        let is_raw = |character: char| (character.is_control() && character != '\n') || character == '\u{202e}';
        assert!(json.contains("\\u202e") && !json.contains(is_raw), "{flags:?}: {json:?}");
    }
    Ok(())
}

#[test]
fn a_reference_without_target_exits_1() -> Outcome {
    let (status, out, errors) = run(&["resolve", "--base", "mailto:x@example.org", "g", "#s"])?;
    assert_eq!((status, &*out), (1, "mailto:x@example.org#s\n"));
    assert!(
        errors.contains("\"g\" has no target: the reference is relative and the base has no hierarchy"),
        "{errors}"
    );
    Ok(())
}

#[test]
fn wrong_use_exits_2() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b>"), ("other/in/a.html", ""), ("file.html", "<a href=b>")])?;
    let path = |name: &str| argument(&folder.path().join(name)).to_owned();
    let (input, inside, other, file) = (path("in"), path("in/out"), path("other/in"), path("file.html"));
    let (new, outer) = (path("new"), argument(folder.path()).to_owned());
    for (arguments, message) in [
        (vec!["rewrite", &input], "-o PATH (--output)"),
        (vec!["rewrite", &input, "-o", &input], "the input; --in-place changes it"),
        (vec!["rewrite", &file, "-o", &file], "the input; --in-place changes it"),
        (vec!["rewrite", &input, "-o", &inside], "lies within the input"),
        (vec!["rewrite", &input, "-o", &outer, "--force"], "lies within the output"),
        (vec!["rewrite", &input, &other, "-o", &new], "same name in the output"),
        (vec!["rewrite", &input, "-o", &new, "--url", "h/d/"], "add https://"),
        (
            vec!["rewrite", &input, "-o", &new, "--url", "http://["],
            "--url: links cannot be resolved against \"http://[\": it is not a URL",
        ),
        (vec!["check", &input, "--jobs", "100000"], "100000 is not in 1..=256"),
        (vec!["rewrite", &input, &file, "-o", &new, "--url", "http://h/"], "--url names the URL of one input"),
        (vec!["rewrite", &input, "-o", &other], "exists; --force"),
        (vec!["rewrite", &input, "-o", "-"], "several files cannot go to standard output"),
        (vec!["rewrite", "/no/such/folder", "-o", &new], "cannot read /no/such/folder"),
        (vec!["rewrite", &input, "-o", &new, "--standard", "rfc9999"], "rfc9999"),
        (vec!["rewrite", &input, "-o", &new, "--include", "["], "unclosed character class"),
        (
            vec!["resolve", "--base", "b/c", "g"],
            "--base: links cannot be resolved against \"b/c\"; add https:// in front of it",
        ),
    ] {
        let (status, out, errors) = run(&arguments)?;
        assert_eq!((status, &*out), (2, ""), "{arguments:?}: {errors}");
        assert!(errors.contains(message), "{arguments:?}: {errors}");
    }
    assert!(!folder.path().join("new").exists() && !folder.path().join("new.partial").exists());
    assert_eq!(fs::read_to_string(folder.path().join("in/a.html"))?, "<a href=b>");
    Ok(())
}

#[test]
fn check_exits_1_when_a_link_is_relative() -> Outcome {
    let folder =
        folder_with(&[("a.html", "<p>\n<a href=b><a href=#s><img src='http://h/'>"), ("b.html", "<a href=#s>")])?;
    let (status, out, errors) = run(&["check", argument(folder.path())])?;
    assert_eq!(
        (status, &*out, &*errors),
        (
            1,
            &*format!("{}:2:9: a@href: b\n", argument(&folder.path().join("a.html"))),
            "1 link relative in 2 documents\n"
        )
    );
    let (status, out, _) = run(&["check", argument(&folder.path().join("b.html")), "--quiet"])?;
    assert_eq!((status, &*out), (0, ""));
    Ok(())
}

/// What a script may build on: lines `path:line:column: place: reference`, one status for all inputs, and a count in any case.
#[test]
fn check_serves_continuous_integration() -> Outcome {
    let letter = "Content-Type: text/html\n\n<p>\n<a href='{{unsubscribe}}'><img src=logo.png>\n";
    let folder =
        folder_with(&[("site/a.html", "<a href=http://h/>"), ("site/b.html", "<a href=#s>"), ("l.eml", letter)])?;
    let (site, letter) = (folder.path().join("site"), folder.path().join("l.eml"));
    assert_eq!(run(&["check", argument(&site)])?, (0, String::new(), "0 links relative in 2 documents\n".into()));
    let (status, out, stderr) = run(&["check", argument(&site), argument(&letter)])?;
    let line = format!("{}:4:36: part 1: img@src: logo.png\n", argument(&letter));
    assert_eq!((status, out, &*stderr), (1, line, "1 link relative in 3 documents\n"));
    let (status, out, stderr) = run(&["check", "--json", "--quiet", argument(&letter)])?;
    assert_eq!((status, &*out, &*stderr), (1, "", ""));
    let (_, out, _) = run(&["check", "--json", argument(&letter)])?;
    let link: serde_json::Value = serde_json::from_str(&out)?;
    assert_eq!((&link["line"], &link["reference"]), (&2.into(), &"logo.png".into()));
    let nowhere = folder.path().join("nowhere");
    assert_eq!(run(&["check", argument(&nowhere)])?.0, 2);
    Ok(())
}

#[test]
fn check_cannot_vouch_for_what_it_does_not_read() -> Outcome {
    let folder =
        folder_with(&[("u.html", "{\"a\": \"<a href=x>\"}"), ("t.dat", "text"), ("p/i.html", ""), ("q/i.html", "")])?;
    let path = |name: &str| argument(&folder.path().join(name)).to_owned();
    assert_eq!(run(&["check", "--quiet", &path("u.html")])?.0, 1);
    let (status, _, errors) = run(&["check", &path("t.dat")])?;
    assert_eq!(status, 2);
    assert!(errors.contains("t.dat: unknown-type: "), "{errors}");
    // Inputs of one name are no clash if there is no output.
    let (status, out, _) = run(&["links", &path("p/i.html"), &path("q/i.html"), &path("u.html"), "--json"])?;
    assert_eq!((status, &*out), (0, ""));
    Ok(())
}

#[test]
fn links_are_json_objects_with_stable_fields() -> Outcome {
    let folder = folder_with(&[("a.html", "<base href=d/>\n<a href='x?a&amp;b'>")])?;
    let arguments = ["links", "--json", "--url", "http://h/", argument(folder.path())];
    let (status, out, _) = run(&arguments)?;
    let link: serde_json::Value = serde_json::from_str(out.lines().nth(1).unwrap_or_default())?;
    let expected = serde_json::json!({
        "path": argument(&folder.path().join("a.html")), "record": "", "part": "", "start": 24, "end": 33, "written": "x?a&amp;b", "line": 2, "column": 10,
        "element": "a", "attribute": "href", "reference": "x?a&b", "target": "http://h/d/x?a&b", "status": "relative",
        "base": "http://h/d/", "layer": "element", "url": "http://h/a.html", "date": null, "record_id": null, "text": "",
        "rel": null, "anchor": null, "source_host": "h", "target_host": "h",
    });
    assert_eq!((status, link), (0, expected));
    Ok(())
}

#[test]
fn base_is_shown_in_boxes() -> Outcome {
    let folder = folder_with(&[("a.html", "<base href=../x/><a href=b>")])?;
    let file = folder.path().join("a.html");
    let (status, out, _) = run(&["base", argument(&file), "--url", "http://h/d/a.html"])?;
    assert_eq!(status, 0);
    assert!(out.contains("|=>     element at byte 11: ../x/"), "{out}");
    assert!(out.contains("retrieval at --url: http://h/d/a.html"), "{out}");
    assert!(out.ends_with("base: http://h/x/ (element)\n\n"), "{out}");
    let object: serde_json::Value = serde_json::from_str(&run(&["base", "--json", argument(&file)])?.1)?;
    assert_eq!(object["base"], serde_json::Value::Null);
    assert_eq!(object["declared"][0]["why"], "it is relative and no layer further out gives a base");
    Ok(())
}

#[test]
fn standard_input_goes_to_standard_output() -> Outcome {
    let mut child = Command::new(env!("CARGO_BIN_EXE_absolve"))
        .args(["rewrite", "-", "-o", "-", "--url", "http://h/d/", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    child.stdin.take().ok_or("no standard input")?.write_all(b"<!doctype html><a href=x>")?;
    let output = child.wait_with_output()?;
    assert_eq!(output.stdout, b"<!doctype html><a href=http://h/d/x>");
    assert!(output.status.success());
    Ok(())
}

#[test]
fn a_closed_pipe_is_no_failure() -> Outcome {
    let page = "<a href=x>".repeat(50_000);
    let folder = folder_with(&[("a.html", &page)])?;
    for format in ["text", "json", "csv"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_absolve"))
            .args(["links", "--format", format, argument(folder.path())])
            .stdout(Stdio::piped())
            .spawn()?;
        drop(child.stdout.take());
        assert!(child.wait()?.success(), "{format}");
    }
    Ok(())
}

#[test]
fn help_gives_the_defaults_and_why() -> Outcome {
    let (status, out, _) = run(&["rewrite", "--help"])?;
    assert_eq!(status, 0);
    for text in ["[default: whatwg]", "because archived pages are read with those", "[default: keep]"] {
        assert!(out.replace("\n          ", " ").contains(text), "{text} in {out}");
    }
    Ok(())
}

#[test]
fn the_summary_is_one_object() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b><a href=http://h/><a href=#s><a href='{{x}}'>")])?;
    let (input, summary) = (folder.path().join("in"), folder.path().join("summary.json"));
    let arguments = ["rewrite", argument(&input), "--dry-run", "--url", "http://h/", "--summary", argument(&summary)];
    assert_eq!(run(&arguments)?.0, 0);
    let object: serde_json::Value = serde_json::from_slice(&fs::read(summary)?)?;
    for (field, value) in [
        ("inputs", 1),
        ("records", 1),
        ("documents", 1),
        ("links", 4),
        ("rewritten", 1),
        ("absolute", 1),
        ("same_document", 1),
        ("kept", 1),
        ("unresolved", 0),
        ("bytes_in", 55),
        ("bytes_out", 64),
    ] {
        assert_eq!(object[field], value, "{field} in {object}");
    }
    Ok(())
}

#[test]
fn references_can_be_kept_by_a_pattern() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href='[x]'><a href=y><a href=tmp/z>")])?;
    let file = folder.path().join("a.html");
    let arguments =
        ["rewrite", argument(&file), "-o", "-", "--quiet", "--url", "http://h/", "--keep", r"^\[", "--keep", "^tmp/"];
    assert_eq!(run(&arguments)?.1, "<a href='[x]'><a href=http://h/y><a href=tmp/z>");
    let (status, _, errors) = run(&["rewrite", argument(&file), "-o", "-", "--keep", "("])?;
    assert!(status == 2 && errors.contains("--keep"), "{errors}");
    Ok(())
}

#[test]
fn targets_can_be_spelled_in_ascii() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href='é {{x}}?ü'><a href='http://h/é'>")])?;
    let file = folder.path().join("a.html");
    let arguments = ["rewrite", argument(&file), "-o", "-", "--quiet", "--url", "http://h/", "--spelling", "ascii"];
    assert_eq!(run(&arguments)?.1, "<a href='http://h/%C3%A9%20{{x}}?%C3%BC'><a href='http://h/é'>");
    Ok(())
}

#[test]
fn types_are_known_by_name_and_then_by_content() -> Outcome {
    let folder = folder_with(&[
        ("feed.xml", "<rss><link>x</link></rss>"),
        ("feed", "<?xml version='1.0'?><!-- c --><rss><link>x</link></rss>"),
        ("page.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'><a href='x'/></html>"),
        ("page", "<?xml version='1.0'?><!DOCTYPE html><html><a href=x>"),
        ("notes.txt", "<URL:x> <a href=x>"),
        ("image.svg", "GIF89a <a href=x>"),
    ])?;
    let (status, out, _) = run(&["links", argument(folder.path())])?;
    let lines = [
        "feed:1:43: unresolved link: x -> no target (none)",
        "feed.xml:1:12: unresolved link: x -> no target (none)",
        "notes.txt:1:6: unresolved text: x -> no target (none)",
        "page:1:51: unresolved a@href: x -> no target (none)",
        "page.xhtml:1:53: unresolved a@href: x -> no target (none)",
    ];
    let lines: Vec<String> = lines.iter().map(|line| format!("{}/{line}", folder.path().display())).collect();
    assert_eq!((status, out.lines().collect::<Vec<_>>()), (0, lines.iter().map(|line| &**line).collect()));
    Ok(())
}

#[test]
fn places_of_ones_own() -> Outcome {
    let folder = folder_with(&[("a.html", "<x-card image=y other=z><meta content=c>")])?;
    let file = folder.path().join("a.html");
    let many: Vec<String> = (0..1_000).map(|n| format!("x-card@a{n}=url")).collect();
    let mut arguments = vec!["rewrite", argument(&file), "-o", "-", "--quiet", "--url", "http://h/"];
    for place in many.iter().map(String::as_str).chain(["x-card@image=url", "*@content=url"]) {
        arguments.extend(["--attr", place]);
    }
    assert_eq!(run(&arguments)?.1, "<x-card image=http://h/y other=z><meta content=http://h/c>");
    for wrong in ["x-card@image", "x-card@image=picture", "x card@image=url", "a@@b=url", "@image=url"] {
        let (status, _, errors) = run(&["check", argument(&file), "--attr", wrong])?;
        assert!(status == 2 && errors.contains("ELEMENT@ATTRIBUTE=GRAMMAR"), "{wrong}: {errors}");
    }
    Ok(())
}

/// A file that cannot be read to its end is no success, whichever command reads it.
#[test]
fn what_breaks_off_is_no_success() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href='http://h/'>")])?;
    let path = folder.path().join("b.mbox.gz");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let message = "From a@b Thu Jan  1 00:00:00 1998\nContent-Type: text/html\n\n<a href='http://h/'>\n\n";
    encoder.write_all(message.repeat(2_000).as_bytes())?;
    let whole = encoder.finish()?;
    for command in ["links", "base", "check"] {
        for (bytes, expected) in [(&whole[..], 0), (&whole[..whole.len() / 2], 1)] {
            fs::write(&path, bytes)?;
            let (status, _, stderr) = run(&[command, argument(folder.path())])?;
            assert!(
                status == expected && (status == 0 || stderr.contains("cannot read")),
                "{command}: {status}: {stderr}"
            );
        }
    }
    Ok(())
}
