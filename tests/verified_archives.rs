//! What the program makes of web archives, the verifier finds right by another road; and it finds each fault.

mod support;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use absolve_verifier::{Difference, Rule, Settings, Verdict, WarcOutput, verify_archive, verify_wacz};
use serde_json::Value;
use support::derived::Failure;
use support::warc::{archive, compressed};
use support::{Outcome, argument, corpus, files, folder_with, run, tell};

const MODES: [(&str, WarcOutput); 3] =
    [("append", WarcOutput::Append), ("sidecar", WarcOutput::Sidecar), ("resource", WarcOutput::Resource)];

#[test]
fn archives_of_all_kinds_of_records() -> Outcome {
    let folder = folder_with(&[])?;
    let (made, _) = archive()?;
    for (name, bytes) in compressed(&made)? {
        let path = folder.path().join(name);
        fs::write(&path, bytes)?;
        for (mode, output) in MODES {
            let Checked { verdict, unexplained, .. } = check(&path, mode, output)?;
            assert!(unexplained.is_empty(), "{name}, {mode}: {}", unexplained.join("\n"));
            // Those of the message are counted where messages are verified.
            assert!(verdict.counts.proven >= 15, "{name}, {mode}: {} links", verdict.counts.proven);
            assert_eq!(verdict.counts.records, 25, "{name}, {mode}");
        }
    }
    Ok(())
}

#[test]
fn archives_of_corpora() -> Outcome {
    let (mut failures, mut proven) = (Vec::new(), 0);
    for name in ["warc-aut-blackbook", "warc-commons-wget", "warc-jwarc", "warc-warcio", "wacz-py-wacz"] {
        let Some(folder) = corpus(name) else { continue };
        for path in files(&folder)?.into_iter().filter(|path| !path.ends_with("LICENSE")) {
            for (mode, output) in MODES {
                let is_wacz = path.extension().is_some_and(|extension| extension == "wacz");
                if is_wacz && output != WarcOutput::Resource {
                    continue;
                }
                let Checked { verdict, unexplained, changed } = check(&path, mode, output)?;
                let named = format!("{}, {mode}", path.display());
                tell(&format!("{named}: {:?}, {} differences", verdict.counts, verdict.differences.len()));
                if changed && verdict.counts.proven == 0 {
                    failures.push(format!("{named}: it changed, and nothing is proven"));
                }
                failures.extend(unexplained.into_iter().take(5).map(|one| format!("{named}: {one}")));
                proven += verdict.counts.proven;
            }
        }
    }
    tell(&format!("{proven} links proven"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// What came of a run and of verifying it.
struct Checked {
    verdict: Verdict,
    /// Differences of which the run tells nothing.
    unexplained: Vec<String>,
    /// Whether anything was written that is not in the original.
    changed: bool,
}

fn check(path: &Path, mode: &str, output: WarcOutput) -> Result<Checked, Failure> {
    let folder = tempfile::tempdir()?;
    let summary = folder.path().join("summary");
    let (written, status, told) = rewritten(path, folder.path(), &["--warc", mode, "--summary", argument(&summary)])?;
    let verdict = match path.extension().is_some_and(|extension| extension == "wacz") {
        true => verify_wacz(path, &written, &Settings::default())?,
        false => verify_archive(path, &written, output, &Settings::default())?,
    };
    let summary: Value = serde_json::from_str(&fs::read_to_string(&summary)?)?;
    let changed = ["conversions", "resources"].iter().any(|count| summary[*count].as_u64() > Some(0));
    let left = left(path)?;
    let is_explained = |one: &&Difference| match one.rule {
        Rule::Relative => {
            left.contains(&(one.record.clone(), one.original.clone()))
                || told.contains(&format!("record {}: ", one.record))
        }
        Rule::Unread => status == 1,
        _ => false,
    };
    let unexplained = verdict.differences.iter().filter(|one| !is_explained(one)).map(ToString::to_string).collect();
    Ok(Checked { verdict, unexplained, changed })
}

/// Runs the program; answers where it wrote, its status, and what it told.
fn rewritten(path: &Path, folder: &Path, flags: &[&str]) -> Result<(PathBuf, i32, String), Failure> {
    let output = folder.join("out");
    let arguments = ["rewrite", argument(path), "-o", argument(&output), "--verbose", "--warc-date", "1600000000"];
    let (status, _, told) = run(&[&arguments[..], flags].concat())?;
    // Where there is nothing to write, there may be no file.
    if !output.exists() {
        fs::write(&output, "")?;
    }
    Ok((output, status, told))
}

/// The links that the program says it leaves: their records, and what they say.
fn left(path: &Path) -> Result<HashSet<(String, String)>, Failure> {
    let (_, told, _) = run(&["links", "--json", argument(path)])?;
    let mut left = HashSet::new();
    for line in told.lines() {
        let link: Value = serde_json::from_str(line)?;
        let text = |name: &str| link[name].as_str().unwrap_or_default().to_owned();
        if ["kept", "unresolved"].contains(&&*text("status")) {
            left.insert((text("record"), text("reference")));
        }
    }
    Ok(left)
}
