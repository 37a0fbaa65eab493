//! The law of the default standard: a target, parsed by the URL Standard, is the URL that the reference
//! means at its base.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use absolve_resolver::{BaseUrl, Standard, resolve_without_base};
use serde_json::Value;
use url::Url;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn web_platform_tests() -> Outcome {
    let file = root().join("../shared/corpora/url-whatwg-rust-url/url/tests/urltestdata.json");
    if !file.exists() {
        writeln!(io::stderr(), "skipped: {} is absent", file.display())?;
        return Ok(());
    }
    let cases = read(&file)?;
    // Cases in which the `url` crate, by which targets are read here, differs from the standard.
    let differences = read(&root().join("fixtures/resolver/url-crate-differences.json"))?;
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

/// The `url` crate as a second opinion. `file:` is left out: the crate loses empty segments and hosts there.
#[test]
fn generated_references() {
    const BASES: [&str; 9] = [
        "http://a/b/c/d;p?q",
        "https://user:word@host:8080/x/%2e%2e/y?z#f",
        "ftp://h/",
        "ws://h/a//b/",
        "http://h/a/../b/./c",
        "foo://bar/biff/baz?q",
        "foo://bar",
        "foo:/a/b",
        "mailto:x@example.org",
    ];
    const PIECES: [&str; 40] = [
        "a", "b", "..", ".", "/", "/", "//", "\\", "../", "./", "..\\", "?", "#", "%2e", "%2E.", ":", ";x", "=", "&",
        "@", " ", "\t", "\n", "é", "日", "%20", "http:", "HTTP://", "https:/", "foo:", "ftp:", "//h", "h:80", "[", "^",
        "|", "~", "{", "\"", "'",
    ];
    let mut random = fastrand::Rng::with_seed(4);
    let mut targets = 0;
    for round in 0..60_000 {
        let text = BASES[round % BASES.len()];
        let reference: String = (0..random.usize(0..8)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
        let (Ok(base), Ok(oracle)) = (BaseUrl::parse(text, Standard::Whatwg), Url::parse(text)) else {
            panic!("{text} is a base");
        };
        let expected = oracle.join(&reference).ok().map(String::from);
        let target = base.resolve(&reference).ok();
        if differs_by_a_known_bug(&oracle, &reference) {
            continue;
        }
        assert_eq!(meaning(target.as_deref()), expected, "{reference:?} at {text} is {target:?}");
        targets += usize::from(expected.is_some());
    }
    assert!(targets > 30_000, "only {targets} targets");
}

/// Where the crate is known to differ from the standard.
fn differs_by_a_known_bug(base: &Url, reference: &str) -> bool {
    let text = reference.replace(['\t', '\n'], "").replace("%2e", ".").replace("%2E", ".");
    let forward = text.replace('\\', "/");
    if !base.is_special() {
        // It reads `\` as a slash.
        return text.contains('\\');
    }
    // It finds no host after three slashes, and keeps a segment like `h:` from being removed, as if it were
    // the drive letter of a file.
    forward.contains("///") || (forward.contains(':') && forward.contains(".."))
}

fn meaning(target: Option<&str>) -> Option<String> {
    Url::parse(target?).ok().map(String::from)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &Path) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    Ok(serde_json::from_slice(&std::fs::read(file)?)?)
}
