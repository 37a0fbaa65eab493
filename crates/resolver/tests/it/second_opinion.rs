//! The examples of the standards, as data, and generated references: both resolvers agree on all of them.

use absolve_resolver::{BaseUrl, Standard, resolve_without_base};
use absolve_testing::{fixtures, rounds};
use serde_json::Value;

use crate::literal::{is_absolute, target};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const OLDER: [Standard; 5] =
    [Standard::Rfc1630, Standard::Rfc1808, Standard::Draft1996, Standard::Rfc2396, Standard::Rfc3986];

#[test]
fn every_example_of_every_text() -> Outcome {
    for (standard, count) in OLDER.into_iter().zip([10, 39, 39, 42, 42]) {
        let cases = cases(&format!("{standard}.json"))?;
        cases.iter().for_each(|case| check(case, standard));
        assert_eq!(cases.len(), count, "{standard}");
    }
    Ok(())
}

#[test]
fn traps() -> Outcome {
    let mut run = 0;
    for case in cases("traps.json")? {
        if let Some(standard) = OLDER.into_iter().find(|standard| case["standard"] == standard.name()) {
            check(&case, standard);
            run += 1;
        }
    }
    assert_eq!(run, 116);
    Ok(())
}

fn cases(file: &str) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let path = fixtures().join("resolver").join(file);
    Ok(serde_json::from_slice(&std::fs::read(path)?)?)
}

fn check(case: &Value, standard: Standard) {
    let text = |field: &str| case[field].as_str().unwrap_or_default();
    let found = target(standard, text("base"), text("reference"));
    assert_eq!(found.as_deref(), case["target"].as_str(), "{case}");
}

#[test]
fn generated_references() -> Outcome {
    let mut random = fastrand::Rng::with_seed(1995);
    let (mut run, mut targets, mut failures) = (0, 0, Vec::new());
    for _ in 0..rounds(40_000) {
        let (base, reference) = (generated_base(&mut random), text_of(&REFERENCES, 7, &mut random));
        for standard in OLDER {
            let found = match BaseUrl::parse(&base, standard) {
                Ok(base) => base.resolve(&reference).ok(),
                Err(_) => resolve_without_base(&reference, standard).ok(),
            };
            let expected = target(standard, &base, &reference);
            run += 1;
            targets += usize::from(expected.is_some() && !is_absolute(standard, &reference));
            if found != expected {
                failures.push(format!("{standard}: {reference:?} at {base:?}: {found:?}, by the letter {expected:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {run}:\n{}", failures.len(), failures.join("\n"));
    assert!(run == 5 * rounds(40_000) && targets > rounds(100_000), "{targets} targets of {run}");
    Ok(())
}

const REFERENCES: [&str; 40] = [
    "a", "b", "..", ".", "/", "/", "//", "///", "../", "./", "/..", "/.", "?", "#", ";", ";x", ":", "=", "&", "@", " ",
    "\t", "\n", "é", "日", "%20", "%2e", "http:", "HTTP://", "foo:", "1:", "+", "-", "\\", "[", "*", "!", "~", "\u{1}",
    "?q/../r",
];

const STARTS: [&str; 16] = [
    "http://a/b/c/d;p?q#f",
    "http://a",
    "http://a?q/r",
    "http://a/b/../c/./d",
    "magic://a/b/c//d/e/f",
    "foo:///b/c",
    "foo:/b/c",
    "foo://h",
    "foo:b/c",
    "foo:",
    "mailto:x@example.org",
    "HTTP://u:p@h:80/a//b/",
    "http://a;p/b;c/d",
    "1a+b://h/p/",
    "http:a/b",
    "",
];

fn generated_base(random: &mut fastrand::Rng) -> String {
    let start = STARTS[random.usize(..STARTS.len())];
    let end = if random.bool() { text_of(&REFERENCES[..20], 4, random) } else { String::new() };
    format!("{start}{end}")
}

fn text_of(pieces: &[&str], most: usize, random: &mut fastrand::Rng) -> String {
    (0..random.usize(0..=most)).map(|_| pieces[random.usize(..pieces.len())]).collect()
}
