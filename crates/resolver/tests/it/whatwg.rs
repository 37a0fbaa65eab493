//! The law of the default standard: the URL Standard parses a target to the URL that it gives for the reference at its
//! base.

use std::path::Path;

use absolve_resolver::{BaseUrl, Standard, resolve_without_base};
use absolve_testing::{corpus, fixtures};
use serde_json::Value;
use url::Url;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn web_platform_tests() -> Outcome {
    let Some(file) = corpus("url-whatwg-rust-url/url/tests/urltestdata.json") else { return Ok(()) };
    let cases = read(&file)?;
    // Cases in which the `url` crate, which parses the targets, differs from the standard.
    let differences = read(&fixtures().join("resolver/url-crate-differences.json"))?;
    let (mut run, mut differing, mut failures) = (0, 0, Vec::new());
    for case in cases.iter().filter(|case| case["input"].is_string()) {
        let (input, base) = (case["input"].as_str().unwrap_or_default(), case["base"].as_str());
        let target = match base.map(|base| BaseUrl::parse(base, Standard::Whatwg)) {
            Some(Ok(base)) => base.resolve(input).ok(),
            Some(Err(_)) => None,
            None => resolve_without_base(input, Standard::Whatwg).ok(),
        };
        run += 1;
        let is_listed = differences.iter().any(|known| known["base"] == case["base"] && known["input"] == input);
        let agrees = meaning(target.as_deref()).as_deref() == case["href"].as_str();
        differing += usize::from(!agrees && is_listed);
        if agrees == is_listed {
            failures.push(format!("{input:?} at {base:?}: {target:?}, not {} (listed: {is_listed})", case["href"]));
        }
    }
    assert!(failures.is_empty(), "{} of {run}:\n{}", failures.len(), failures.join("\n"));
    assert_eq!((run, differing), (869, differences.len()));
    Ok(())
}

fn meaning(target: Option<&str>) -> Option<String> {
    Url::parse(target?).ok().map(String::from)
}

fn read(file: &Path) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    Ok(serde_json::from_slice(&std::fs::read(file)?)?)
}
