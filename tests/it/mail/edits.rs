//! What becomes of messages, case by case, with both line ends.

use std::path::{Path, PathBuf};

use crate::support::Outcome;
use crate::support::mail_readers::links_by_python;
use absolve_rewriter::internal::{Entity, Report, edits_of};
use absolve_rewriter::{HeaderFields, Options, Signatures};
use absolve_testing::{fixtures, temporary_folder};
use absolve_verifier::{Difference, Retrieved, Rule, Settings, verify_message};
use serde_json::Value;

#[test]
fn each_message_becomes_what_is_expected() -> Outcome {
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(fixtures().join("mail/edits.json"))?)?;
    assert_eq!(cases.len(), CASES);
    for case in &cases {
        for line_end in ["\r\n", "\n"] {
            let name = format!("{}, {line_end:?}", case["name"]);
            let before = message(&case["before"], line_end);
            let after = if case["after"].is_null() { before.clone() } else { message(&case["after"], line_end) };
            let (output, findings) = rewritten(&before, &options(case));
            assert_eq!(output, after, "{name}");
            assert_eq!(findings, strings(&case["findings"]), "{name}");
            assert_eq!(rewritten(&output, &options(case)).0, output, "{name}: a second time");
            assert_eq!(faults(&before, &output, &options(case)), [] as [String; 0], "{name}: verified");
        }
    }
    Ok(())
}

/// What is read in spite of its faults is what Python reads, too: it finds the links, all of them absolute.
#[test]
fn python_finds_the_links_of_faulty_messages() -> Outcome {
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(fixtures().join("mail/edits.json"))?)?;
    let folder = temporary_folder()?;
    let mut paths = Vec::new();
    for case in cases.iter().filter(|case| case["findings"][0] == "message-repaired") {
        for (name, line_end) in [("crlf", "\r\n"), ("lf", "\n")] {
            let path = folder.path().join(format!("{}-{name}.eml", paths.len()));
            std::fs::write(&path, rewritten(&message(&case["before"], line_end), &options(case)).0)?;
            paths.push(path);
        }
    }
    assert_eq!(paths.len(), 2 * 6);
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    for (path, links) in paths.iter().zip(links_by_python("message", &paths)?.unwrap_or_default()) {
        let is_absolute = links.iter().all(|(reference, _)| reference.starts_with("http://h/d/"));
        assert!(!links.is_empty() && is_absolute, "{}: {links:?}", std::fs::read_to_string(path)?);
    }
    Ok(())
}

const CASES: usize = 67;

fn options(case: &Value) -> Options {
    let mut options = Options::default();
    if case["headers"] == true {
        options.header_fields = HeaderFields::Absolute;
    }
    if case["break_signatures"] == true {
        options.signatures = Signatures::Break;
    } else if case["keep_dkim"] == true {
        options.signatures = Signatures::KeepAll;
    }
    options
}

/// What the verifier says of it, but for links that stay where it does not expect that.
fn faults(before: &str, after: &str, options: &Options) -> Vec<String> {
    let settings =
        Settings { header_fields: options.header_fields, signatures: options.signatures, ..Settings::default() };
    let verdict = verify_message(before.as_bytes(), after.as_bytes(), Retrieved::Nowhere, &settings);
    let is_fault = |difference: &&Difference| difference.rule != Rule::Relative || before != after;
    verdict.differences.iter().filter(is_fault).map(Difference::to_string).collect()
}

/// The lines as a message; `LENGTH` is how long the body is.
fn message(lines: &Value, line_end: &str) -> String {
    let message = strings(lines).join(line_end);
    let body = message.split_once(&line_end.repeat(2)).map_or(0, |(_, body)| body.len());
    message.replace("LENGTH", &body.to_string())
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn rewritten(message: &str, options: &Options) -> (String, Vec<&'static str>) {
    let mut report = Report::default();
    let output = edits_of(&Entity::message(message.as_bytes()), options, &mut report).splice(message.as_bytes());
    let findings = report.findings.iter().map(|finding| finding.code.name()).collect();
    (String::from_utf8_lossy(&output).into_owned(), findings)
}
