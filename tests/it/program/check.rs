//! `absolve check` for editors, code scanning and GitHub Actions.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Outcome, folder_with, run_in, run_with};

const LETTER: &str = "Content-Type: text/html\n\n<p>\n<img src=logo.png>\n";
const MBOX: &str = "From a@b Thu Jan  1 00:00:00 1998\nContent-Type: text/html\n\n<p>\n\nFrom a@b Thu Jan  1 00:00:00 1998\nContent-Type: text/html\n\n<p>\n<a href=x>\n\n";

/// Every kind of problem: a page, a message, a record of a container, a document that is not read, a hostile name, a missing file.
fn repository() -> std::io::Result<TempDir> {
    folder_with(&[
        ("site/a b.html", "<p>\n<a href='50%,b'>"),
        ("site/c:d.html", "<a href=http://h/>"),
        ("site/l.eml", LETTER),
        ("site/m.mbox", MBOX),
        ("site/u.html", "<meta charset=utf-7><a href=x>"),
        ("a:b\n::error::c.html", "<a href=x>"),
    ])
}

const INPUTS: [&str; 4] = ["check", "site", "a:b\n::error::c.html", "missing.html"];

fn with(options: &[&'static str]) -> Vec<&'static str> {
    [&INPUTS[..], options].concat()
}

/// Neither editors nor services open `path: record N: line:column`.
#[test]
fn places_in_containers_are_those_of_compilers() -> Outcome {
    let folder = repository()?;
    let (status, out, errors) = run_in(folder.path(), &with(&[]))?;
    let lines: Vec<&str> = out.lines().collect();
    let expected = [
        "site/a b.html:2:10: a@href: 50%,b",
        "site/l.eml:4:10: part 1: img@src: logo.png",
        "site/m.mbox:1:1: record 2: part 1: 4:9: a@href: x",
        "a:b\\n::error::c.html:1:9: a@href: x",
    ];
    assert_eq!((status, lines), (2, expected.to_vec()), "{errors}");
    assert!(errors.contains("site/u.html") && errors.contains("cannot read missing.html"), "{errors}");
    Ok(())
}

#[test]
fn counts_what_it_does_not_search() -> Outcome {
    let folder = folder_with(&[
        (
            "lazy.html",
            "<img data-src=a.png src=http://h/x.png><img data-srcset='b 1x, c 2x'><img data-src={{x}}><img data-src=http://h/y>",
        ),
        ("amp.html", "<amp-img src=a.png></amp-img>"),
        (
            "modules.html",
            "<script type=module>import './a.js'</script><script type=importmap>{\"imports\": {\"a\": \"/a.js\"}}</script>",
        ),
        (
            "frames.html",
            "<iframe srcdoc=\"<script type=module>import './a.js'</script><img data-src=b>\"></iframe>\
             <img src='{{ x }}' data-src='{{ y, z }}.png 1x'>",
        ),
        (
            "entity.svg",
            "<!DOCTYPE svg [<!ENTITY e \"x\">]><svg xmlns=\"http://www.w3.org/2000/svg\"><a data-href=\"&e;\"/></svg>",
        ),
        ("letter.eml", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGltZyBkYXRhLXNyYz14Pg==\n"),
    ])?;
    let closing = |arguments: &[&str]| run_in(folder.path(), &[&["check"], arguments].concat());
    for (arguments, line) in [
        (
            &["lazy.html"][..],
            "0 links relative in 1 document; 3 more links in data-src, data-srcset, with --groups core,legacy,social,lazy\n",
        ),
        (
            &["amp.html"],
            "0 links relative in 1 document; 1 more link in amp-img@src, with --groups core,legacy,social,amp\n",
        ),
        (&["modules.html"], "0 links relative in 1 document; 2 scripts with relative imports, which are not read\n"),
        (
            &["letter.eml"],
            "0 links relative in 1 document; 1 more link in data-src, with --groups core,legacy,social,lazy\n",
        ),
        (
            &["frames.html"],
            "0 links relative in 1 document; 1 more link in data-src, with --groups core,legacy,social,lazy; 1 script with relative imports, which are not read\n",
        ),
        // What is not searched is not left unread.
        (&["entity.svg"], "0 links relative in 1 document\n"),
        (&["lazy.html", "--keep", "."], "0 links relative in 1 document\n"),
        (&["lazy.html", "--quiet"], ""),
    ] {
        assert_eq!(closing(arguments)?, (0, String::new(), line.to_owned()), "{arguments:?}");
    }
    let (status, _, told) = closing(&["lazy.html", "--groups", "core,legacy,social,lazy"])?;
    assert_eq!((status, &*told), (1, "3 links relative in 1 document\n"));
    Ok(())
}

#[test]
fn annotations_are_commands_of_github() -> Outcome {
    let folder = repository()?;
    let (status, out, _) = run_in(folder.path(), &with(&["--format", "github"]))?;
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((status, lines.len()), (2, 6), "{out}");
    assert_eq!(lines[0], "::error file=site/a b.html,line=2,col=10,title=relative-link::a@href: 50%25,b");
    assert_eq!(lines[2], "::error file=site/m.mbox,title=relative-link::record 2: part 1: 4:9: a@href: x");
    assert!(lines[3].starts_with("::error file=site/u.html,title=charset::"), "{out}");
    assert!(lines[4].starts_with("::error file=a%3Ab\\n%3A%3Aerror%3A%3Ac.html,line=1,col=9,"), "{out}");
    assert!(
        lines[5].starts_with("::error file=missing.html,title=unreadable-file::cannot read missing.html: "),
        "{out}"
    );
    let (_, out, _) = run_with(&["check", "-", "--format", "github"], b"<!doctype html><a href=x>")?;
    assert_eq!(out, "::error line=1,col=24,title=relative-link::a@href: x\n");
    // The paths of a change begin at the root of the repository, wherever the command runs.
    let output = Command::new(env!("CARGO_BIN_EXE_absolve"))
        .args(["check", "l.eml", "--format", "github"])
        .current_dir(folder.path().join("site"))
        .env("GITHUB_WORKSPACE", folder.path())
        .output()?;
    assert!(String::from_utf8(output.stdout)?.starts_with("::error file=site/l.eml,line=4,col=10,"));
    Ok(())
}

#[test]
fn sarif_has_all_that_the_check_finds() -> Outcome {
    let folder = repository()?;
    let (status, out, _) = run_in(folder.path(), &with(&["--format", "sarif"]))?;
    let log: Value = serde_json::from_str(&out)?;
    let problems = problems_of_schema(&log);
    assert!(status == 2 && problems.is_empty(), "{problems:?} {out}");
    let run = &log["runs"][0];
    let results = run["results"].as_array().ok_or("no results")?;
    let place = |result: &Value| result["locations"][0]["physicalLocation"].clone();
    let uris: Vec<String> = results
        .iter()
        .map(|result| place(result)["artifactLocation"]["uri"].as_str().unwrap_or_default().into())
        .collect();
    assert_eq!(uris, ["site/a%20b.html", "site/l.eml", "site/m.mbox", "site/u.html", "./a:b%0A::error::c.html"]);
    assert_eq!(place(&results[0])["region"], json!({ "startLine": 2, "startColumn": 10 }));
    assert!(place(&results[2])["region"].is_null(), "the line is that of a record");
    assert_eq!(results[2]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "record 2: part 1: 4:9");
    assert_eq!(
        (&results[3]["ruleId"], &run["invocations"][0]["executionSuccessful"]),
        (&"charset".into(), &false.into())
    );
    // Without problems it is a log as well.
    let (status, out, _) = run_in(folder.path(), &["check", "site/c:d.html", "--format", "sarif"])?;
    let log: Value = serde_json::from_str(&out)?;
    assert_eq!((status, problems_of_schema(&log), &log["runs"][0]["results"]), (0, vec![], &json!([])));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
    Ok(())
}

/// An empty folder passed for a clean one.
#[test]
fn no_document_is_no_clean_site_in_any_format() -> Outcome {
    let folder = folder_with(&[("site/logo.png", "\u{89}PNG")])?;
    for format in ["text", "json", "sarif", "github"] {
        let (status, out, errors) = run_in(folder.path(), &["check", "site", "--format", format])?;
        assert!(status == 2 && errors.contains("no file of it is a document"), "{format}: {errors}");
        assert!(out.is_empty() || format == "sarif", "{format}: {out}");
    }
    fs::write(folder.path().join("a.html"), "<a href=x>")?;
    let (_, short, _) = run_in(folder.path(), &["check", "a.html", "--json"])?;
    assert_eq!(run_in(folder.path(), &["check", "a.html", "--format", "json"])?.1, short);
    assert_eq!(run_in(folder.path(), &["check", "a.html", "--json", "--format", "sarif"])?.0, 2);
    Ok(())
}

/// SARIF counts characters. Where they are not sure, the line is the place.
#[test]
fn results_of_sarif_have_columns() -> Outcome {
    let folder = folder_with(&[("a.html", "<p>\n\u{1F98A}é<a href=x><a href=y>")])?;
    let wide = "\u{FEFF}<p>\né<a href=x>";
    fs::write(folder.path().join("b.html"), wide.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>())?;
    fs::write(folder.path().join("c.html"), b"<a href=x>caf\xE9<a href=y>")?;
    let (_, out, _) = run_in(folder.path(), &["check", ".", "--format", "sarif"])?;
    let log: Value = serde_json::from_str(&out)?;
    assert_eq!(problems_of_schema(&log), Vec::<String>::new());
    let results = log["runs"][0]["results"].as_array().ok_or("no results")?.iter();
    let regions: Vec<&Value> = results.map(|result| &result["locations"][0]["physicalLocation"]["region"]).collect();
    let at = |line: u64, column: u64| json!({ "startLine": line, "startColumn": column });
    assert_eq!(regions, [&at(2, 12), &at(2, 22), &at(2, 10), &at(1, 9), &json!({ "startLine": 1 })]);
    // The others count bytes: the zero byte of a line end is not one of the next line.
    let (_, out, _) = run_in(folder.path(), &["check", "a.html", "b.html"])?;
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines, ["a.html:2:15: a@href: x", "a.html:2:25: a@href: y", "b.html:2:19: a@href: x"]);
    Ok(())
}

/// What uploads the log would fail at a file of zero bytes, and nobody would see why.
#[test]
fn a_log_of_nothing_that_can_be_read_is_not_empty() -> Outcome {
    let folder = folder_with(&[("site/logo.png", "\u{89}PNG")])?;
    for (inputs, why) in [
        (&["site"][..], "nothing to read in site: no file of it is a document"),
        (&["missing.html"], "cannot read missing.html: "),
        (&["site", "--report", "page.html"], "nothing to read in site"),
    ] {
        let (status, out, said) = run_in(folder.path(), &[&["check", "--format", "sarif"], inputs].concat())?;
        let log: Value = serde_json::from_str(&out)?;
        let run = &log["runs"][0];
        let invocation = &run["invocations"][0];
        let problems = problems_of_schema(&log);
        assert!(status == 2 && problems.is_empty() && said.contains(why), "{problems:?} {out}{said}");
        assert_eq!((&run["results"], &invocation["executionSuccessful"]), (&json!([]), &false.into()));
        let text = &invocation["toolExecutionNotifications"][0]["message"]["text"];
        assert!(text.as_str().is_some_and(|text| text.starts_with(why)), "{text}");
    }
    Ok(())
}

/// Returns what is not as the schema of SARIF 2.1.0 requires it. This is the part of the schema that absolve uses, in its own words;
/// `scripts/check_ci.py` validates against the whole one.
fn problems_of_schema(log: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let mut need = |is_so: bool, what: String| problems.extend((!is_so).then_some(what));
    let has_only = |object: &Value, names: &[&str]| {
        object.as_object().is_some_and(|object| object.keys().all(|key| names.contains(&&**key)))
    };
    need(has_only(log, &["$schema", "version", "runs"]) && log["version"] == "2.1.0", "log".into());
    for run in log["runs"].as_array().into_iter().flatten() {
        need(has_only(run, &["results", "columnKind", "tool", "invocations"]), "run".into());
        need(run["columnKind"] == "utf16CodeUnits", "columnKind".into());
        let driver = &run["tool"]["driver"];
        need(has_only(driver, &["name", "version", "rules"]) && driver["name"].is_string(), "driver".into());
        let rules: Vec<&Value> = driver["rules"].as_array().into_iter().flatten().map(|rule| &rule["id"]).collect();
        let unique: std::collections::BTreeSet<String> = rules.iter().map(|rule| rule.to_string()).collect();
        need(unique.len() == rules.len(), "rules".into());
        for result in run["results"].as_array().into_iter().flatten() {
            need(has_only(result, &["ruleId", "level", "message", "locations"]), format!("{result}"));
            need(rules.contains(&&result["ruleId"]) && result["level"] == "error", format!("{result}"));
            need(has_only(&result["message"], &["text"]) && result["message"]["text"].is_string(), format!("{result}"));
            let location = &result["locations"][0];
            need(has_only(location, &["physicalLocation", "logicalLocations"]), format!("{location}"));
            let physical = &location["physicalLocation"];
            need(has_only(physical, &["artifactLocation", "region"]), format!("{physical}"));
            let uri = physical["artifactLocation"]["uri"].as_str().unwrap_or(" ");
            let is_uri = uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte));
            need(is_uri && !uri.is_empty(), uri.to_owned());
            let line = &physical["region"]["startLine"];
            need(physical["region"].is_null() || line.as_u64() > Some(0), format!("{physical}"));
            let column = &physical["region"]["startColumn"];
            need(column.is_null() || column.as_u64() > Some(0), format!("{physical}"));
        }
        let invocation = &run["invocations"][0];
        need(has_only(invocation, &["executionSuccessful", "toolExecutionNotifications"]), format!("{invocation}"));
        need(invocation["executionSuccessful"].is_boolean(), format!("{invocation}"));
    }
    problems
}

/// In base64 a link is found only if the message is read as one.
#[test]
fn recognizes_a_message_by_any_first_field() -> Outcome {
    const BODY: &str = "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj14Pg==\n";
    let folder = folder_with(&[])?;
    for first in ["Subject: a", "X-Foo: 1", "List-Id: <a.b>", "MIME-Version: 1.0", "Reply-To: a@b", "Thread-Index : x"]
    {
        let message = format!("{first}\nFrom: a@b\n{BODY}");
        for options in [&["check", "-"][..], &["check", "-", "--for", "mail"]] {
            let (status, out, errors) = run_with(options, message.as_bytes())?;
            assert_eq!((status, &*out), (1, "-:6:1: part 1: a@href: x\n"), "{first}: {errors}");
        }
        fs::write(folder.path().join("saved"), message)?;
        assert_eq!(run_in(folder.path(), &["check", "saved"])?.0, 1, "{first}");
    }
    for (text, links) in [
        ("Note: <a href=x>", "-:1:15: a@href: x\n"),
        ("Dear you: see\n\nMIME-Version: 1.0", ""),
        ("a b: c\nContent-Type: text/html\n\n", ""),
    ] {
        let (_, out, errors) = run_with(&["check", "-"], text.as_bytes())?;
        assert!(out == links && errors.contains("-: type-assumed: "), "{text}: {out}: {errors}");
    }
    Ok(())
}

#[test]
fn reports_a_message_without_header() -> Outcome {
    for (text, why) in [
        ("<table><tr><td background=x>", "it begins with markup"),
        ("\n<p>a: <a href=x>", "it begins with markup"),
        ("<img src=x>\n", "its first line is not a header field"),
        ("Dear you, <a href=x>\n\n", "its first line is not a header field"),
        ("Dear you\nContent-Type: text/html\n\n<a href=x>", "message-structure: malformed header line"),
        ("subject: {{ a }}\nfrom: a@b\nto: c@d\n\n<!DOCTYPE html><img src=x>", "its body begins like HTML"),
        ("Received: 3 of 5\n<p><a href=y>z</a>\n", "its body begins like HTML"),
    ] {
        let (status, out, errors) = run_with(&["check", "-", "--type", "message"], text.as_bytes())?;
        assert!(status == 1 && out.is_empty() && errors.contains(why), "{text}: {status} {out}{errors}");
    }
    Ok(())
}
