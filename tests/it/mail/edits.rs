//! What becomes of messages, case by case, with both line ends.

use crate::support::Outcome;
use absolve_rewriter::{Entity, HeaderFields, Options, Report, Signatures, edits_of};
use absolve_testing::fixtures;
use absolve_verifier::{Difference, Rule, Settings, verify_message};
use serde_json::Value;

#[test]
fn each_message_becomes_what_is_said() -> Outcome {
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

const CASES: usize = 64;

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
    let mut settings = Settings::default();
    if options.header_fields == HeaderFields::Absolute {
        settings.header_fields = absolve_verifier::HeaderFields::Absolute;
    }
    settings.signatures = match options.signatures {
        Signatures::Keep => absolve_verifier::Signatures::Keep,
        Signatures::KeepAll => absolve_verifier::Signatures::KeepAll,
        Signatures::Break => absolve_verifier::Signatures::Break,
    };
    let verdict = verify_message(before.as_bytes(), after.as_bytes(), None, &settings);
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
