//! The examples of the standards as test vectors, and further difficult cases.

use absolve_resolver::{BaseUrl, Standard, resolve_without_base};
use absolve_testing::fixtures;
use serde_json::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn every_example_of_every_text() -> Outcome {
    assert_eq!(run("rfc1630.json", Some(Standard::Rfc1630))?, 10);
    assert_eq!(run("rfc1808.json", Some(Standard::Rfc1808))?, 39);
    assert_eq!(run("draft1996.json", Some(Standard::Draft1996))?, 39);
    assert_eq!(run("rfc2396.json", Some(Standard::Rfc2396))?, 42);
    assert_eq!(run("rfc3986.json", Some(Standard::Rfc3986))?, 42);
    Ok(())
}

#[test]
fn traps() -> Outcome {
    assert_eq!(run("traps.json", None)?, TRAPS);
    Ok(())
}

const TRAPS: usize = 162;

/// Runs a file of cases. `standard` applies to those that declare none.
fn run(file: &str, standard: Option<Standard>) -> Result<usize, Box<dyn std::error::Error>> {
    let path = fixtures().join("resolver").join(file);
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path)?)?;
    let mut failures = Vec::new();
    for case in &cases {
        let standard = match standard {
            Some(standard) => standard,
            None => case["standard"].as_str().and_then(Standard::named).ok_or("the standard is unknown")?,
        };
        let (base, reference) = (text(case, "base"), text(case, "reference"));
        let target = match BaseUrl::parse(base, standard) {
            Ok(base) => base.resolve(reference),
            Err(_) => resolve_without_base(reference, standard),
        };
        if target.as_deref().ok() != case["target"].as_str() {
            failures.push(format!("{target:?}, not {case}"));
        }
    }
    assert!(failures.is_empty(), "{file}:\n{}", failures.join("\n"));
    Ok(cases.len())
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}
