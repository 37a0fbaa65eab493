//! What browsers and programs do in practice, as data: `fixtures/practice/SECTION/KIND.json`.
//!
//! Each case has input files, one command, and what is right: the files that the command writes, the findings that it reports, and the
//! exit status. `verify` has to agree with the result, and to reject each planted fault. `fixtures/practice/README.md` describes the form.

mod archive;
mod case;

use std::fs;

use absolve_testing::fixtures;
use walkdir::WalkDir;

use crate::support::{Outcome, on_all_processors};
use case::Case;

/// How many cases there are.
const CASES: usize = 435;

/// How many cases show a kind at the least.
const CASES_OF_A_KIND: usize = 4;

#[test]
fn every_case_is_right() -> Outcome {
    let mut problems = Vec::new();
    let mut cases: Vec<(String, Case)> = Vec::new();
    for entry in WalkDir::new(fixtures().join("practice")).sort_by_file_name() {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "json") {
            let name = entry.path().display().to_string();
            let of_kind: Vec<Case> =
                serde_json::from_slice(&fs::read(entry.path())?).map_err(|why| format!("{name}: {why}"))?;
            if of_kind.len() < CASES_OF_A_KIND {
                problems.push(format!("{name}: {} cases", of_kind.len()));
            }
            cases.extend(of_kind.into_iter().map(|case| (name.clone(), case)));
        }
    }
    let wrong = on_all_processors(&cases, |(kind, case)| match case.problems() {
        Ok(found) => found.iter().map(|problem| format!("{kind}: {}: {problem}", case.name)).collect(),
        Err(why) => vec![format!("{kind}: {}: {why}", case.name)],
    });
    problems.extend(wrong.into_iter().flatten());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(cases.len(), CASES, "the number of cases");
    Ok(())
}
