//! JSON Feed: which files are feeds, what becomes of them, and what Python reads before and after.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use absolve_testing::{fixtures, print_line, root};
use serde_json::{Value, json};

use crate::support::{Outcome, argument, folder_with, run};

const URL: [&str; 2] = ["--url", "http://h/d/feed.json"];
const FEED: &str =
    r#"{"version":"https:\/\/jsonfeed.org\/version\/1.1","items":[{"url":"\/p","content_html":"<a href=\"x\">"}]}"#;
const ABSOLUTE: &str = r#"{"version":"https:\/\/jsonfeed.org\/version\/1.1","items":[{"url":"http://h\/p","content_html":"<a href=\"http://h/d/x\">"}]}"#;

fn cases() -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    Ok(serde_json::from_slice(&fs::read(fixtures().join("rewrite/json-feeds.json"))?)?)
}

#[test]
fn verify_proves_every_vector() -> Outcome {
    for case in cases()?.iter().filter(|case| case["charset"].is_null()) {
        let document = case["document"].as_str().unwrap_or_default();
        let folder = folder_with(&[("feed.json", document)])?;
        let [feed, output] = ["feed.json", "new.json"].map(|name| folder.path().join(name));
        let (feed, output) = (argument(&feed), argument(&output));
        let mut flags = [&URL[..], &["--type", "json-feed"]].concat();
        flags[1] = case["url"].as_str().unwrap_or(URL[1]);
        for (key, option) in [("feed-base", "--feed-base"), ("same-document", "--same-document")] {
            flags.extend(case[key].as_str().into_iter().flat_map(|value| [option, value]));
        }
        let (status, _, errors) = run(&[&["rewrite", feed, "-o", output], &*flags].concat())?;
        assert_eq!(status, 0, "{}: {errors}", case["name"]);
        assert_eq!(fs::read_to_string(output)?, case["expected"].as_str().unwrap_or(document), "{}", case["name"]);
        let (status, found, errors) = run(&[&["verify", feed, output], &*flags].concat())?;
        assert_eq!((status, &*found), (0, ""), "{}: {errors}", case["name"]);
    }
    Ok(())
}

#[test]
fn python_reads_the_same_but_for_links() -> Outcome {
    let mut command = Command::new("python3");
    command.arg(root().join("tests/it/documents/json_feeds.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut python) = command.spawn() else {
        print_line("skipped: python3 is absent");
        return Ok(());
    };
    let mut lines = String::new();
    for case in cases()?.iter().filter(|case| case["expected"].is_string()) {
        writeln!(lines, "{}", json!({"name": case["name"], "old": case["document"], "new": case["expected"]}))?;
    }
    python.stdin.take().ok_or("no input")?.write_all(lines.as_bytes())?;
    let done = python.wait_with_output()?;
    assert!(done.status.success() && done.stdout.is_empty(), "{}", String::from_utf8_lossy(&done.stdout));
    assert!(lines.lines().count() > 10);
    Ok(())
}

#[test]
fn a_feed_is_one_by_its_version_and_other_json_is_copied() -> Outcome {
    let data = r#"{"author":{"url":"/x"},"about":"https://jsonfeed.org/version/1"}"#;
    let page = "<!doctype html><a href=x>";
    let folder =
        folder_with(&[("in/feed.json", FEED), ("in/index", FEED), ("in/data.JSON", data), ("in/page.json", page)])?;
    let [input, output] = ["in", "out"].map(|name| folder.path().join(name));
    let (status, _, errors) = run(&["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/d/"])?;
    assert_eq!(status, 0, "{errors}");
    for (name, expected) in [("feed.json", ABSOLUTE), ("index", ABSOLUTE), ("data.JSON", data), ("page.json", page)] {
        assert_eq!(fs::read_to_string(output.join(name))?, expected, "{name}");
    }
    assert!(errors.contains("2 documents") && !errors.contains("JSON"), "{errors}");
    assert_eq!(run(&["verify", argument(&input), argument(&output), "--url", "http://h/d/"])?.0, 0);
    let named = |flags: &[&str]| {
        let file = input.join("data.JSON");
        run(&[&["rewrite", argument(&file), "-o", "-"], flags, &URL].concat())
    };
    assert!(
        named(&[])?.2.contains("unknown-type: it is JSON, but not a JSON Feed, left unchanged; --type sets the type")
    );
    assert!(named(&["--type", "json-feed"])?.2.contains("not-its-type"));
    Ok(())
}

#[test]
fn a_feed_in_a_message_is_read_by_its_media_type() -> Outcome {
    let mail = |feed: &str| format!("MIME-Version: 1.0\r\nContent-Type: application/feed+json\r\n\r\n{feed}\r\n");
    let folder = folder_with(&[("a.eml", &mail(FEED))])?;
    let file = folder.path().join("a.eml");
    assert_eq!(run(&["rewrite", argument(&file), "-o", "-", "--message-url", URL[1]])?.1, mail(ABSOLUTE));
    Ok(())
}

#[test]
fn links_name_the_members() -> Outcome {
    let folder = folder_with(&[("feed.json", FEED)])?;
    let feed = folder.path().join("feed.json");
    let (_, listed, _) = run(&[&["links", argument(&feed), "--json"], &URL[..]].concat())?;
    let links: Vec<Value> = listed.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let places: Vec<_> = links.iter().map(|link| [&link["element"], &link["attribute"], &link["reference"]]).collect();
    assert_eq!(json!(places), json!([["item", "url", "/p"], ["a", "href", "x"]]));
    Ok(())
}

#[test]
fn an_error_names_its_byte() -> Outcome {
    let folder = folder_with(&[("feed.json", &FEED.replace(",\"items", ",\n \"items").replace("]}", ",]}"))])?;
    let feed = folder.path().join("feed.json");
    let (status, _, errors) = run(&[&["rewrite", argument(&feed), "-o", "-"], &URL[..]].concat())?;
    assert_eq!(status, 0);
    assert!(errors.contains(":2:57: not-well-formed: the document is not JSON in UTF-8; left unchanged"), "{errors}");
    Ok(())
}
