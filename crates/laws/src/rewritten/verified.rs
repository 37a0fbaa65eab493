//! The verifier accepts the result: [`absolve_verifier`] reads the original and the result independently, and finds no
//! difference that the rewriter does not explain.

use std::fs::File;
use std::path::Path;

use absolve_files::{Entry, inspect_one};
use absolve_links::DocumentType;
use absolve_rewriter::internal::{Entity, Reasons};
use absolve_verifier::{
    Difference, Retrieved, Rule, Surroundings, Verdict, verify_archive, verify_document, verify_mbox, verify_message,
    verify_message_file, verify_unconverted,
};

use crate::options::{RUNS, RunOptions};

/// Checks a document and its result.
#[track_caller]
pub(crate) fn document(
    original: &Entity<'_>,
    (bytes, output): (&[u8], &[u8]),
    (document_type, label): (DocumentType, Option<&str>),
    url: &str,
    run: &RunOptions,
) {
    if brackets(bytes) > BRACKETS {
        return;
    }
    let around = Surroundings { retrieval: Some(url.to_owned()), ..Surroundings::default() };
    let verdict = verify_document(bytes, output, document_type, label, &around, &run.settings);
    holds(verdict, |_| vec![Reasons::of(original, run.documents())]);
}

/// cssparser follows at most 75 brackets within each other.
pub(crate) const BRACKETS: usize = 70;

/// Returns the greatest number of brackets within each other, including those in strings.
pub(crate) fn brackets(bytes: &[u8]) -> usize {
    let step = |(open, most): (usize, usize), byte| match byte {
        b'(' | b'[' | b'{' => (open + 1, most.max(open + 1)),
        b')' | b']' | b'}' => (open.saturating_sub(1), most),
        _ => (open, most),
    };
    bytes.iter().copied().fold((0, 0), step).1
}

/// Checks a message and its result.
#[track_caller]
pub(crate) fn message(original: &Entity<'_>, bytes: &[u8], output: &[u8], url: &str, run: &RunOptions) {
    let verdict = verify_message(bytes, output, Retrieved::Given(url), &run.settings);
    holds(verdict, |_| vec![Reasons::of(original, run.documents())]);
}

/// Checks a file with one message and its result. A file that is none by its content is not read as one.
#[track_caller]
pub(crate) fn message_file(entry: &Entry, original: &File, output: &File) {
    let reasons = |entity: &Entity<'_>| Reasons::of(entity, RUNS[0].documents());
    let Ok(Some(reasons)) = inspect_one(entry, std::slice::from_ref(entry), &reasons) else { return };
    let verdict =
        verify_message_file(original, output, Retrieved::Nowhere, &RUNS[0].settings).expect("both are readable");
    holds(verdict, |_| vec![reasons.clone()]);
}

/// Checks an mbox and its result; `reasons` are those of a message.
#[track_caller]
pub(crate) fn mbox(bytes: &[u8], output: &[u8], run: &RunOptions, reasons: impl Fn(&str) -> Vec<Reasons>) {
    let verdict = verify_mbox(bytes, output, &run.settings).expect("it is in memory");
    holds(verdict, reasons);
}

/// The end of a rewritten archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Whole,
    /// It is truncated, with a finding.
    Broken,
}

/// Checks a web archive and its result, if there is one; `reasons` are those of a record.
#[track_caller]
pub(crate) fn archive(
    bytes: &[u8],
    written: Option<&[u8]>,
    run: &RunOptions,
    end: End,
    reasons: impl Fn(&str) -> Vec<Reasons>,
) {
    let verdict = match written {
        Some(written) => verify_archive(bytes, written, Path::new(""), run.form(), &run.settings),
        None => verify_unconverted(bytes, &run.settings),
    };
    let mut verdict = match verdict {
        Err(_) if end == End::Broken => return,
        verdict => verdict.expect("it is in memory"),
    };
    verdict.differences.retain(|difference| end == End::Whole || difference.rule != Rule::Unread);
    holds(verdict, reasons);
}

#[track_caller]
fn holds(verdict: Verdict, reasons: impl Fn(&str) -> Vec<Reasons>) {
    let mut known: Option<(String, Vec<Reasons>)> = None;
    for difference in verdict.differences {
        if known.as_ref().is_none_or(|(record, _)| *record != difference.record) {
            known = Some((difference.record.clone(), reasons(&difference.record)));
        }
        let is_explained = known.iter().flat_map(|(_, reasons)| reasons).any(|reasons| explains(reasons, &difference));
        assert!(is_explained, "verify does not accept what rewrite makes: {difference}");
    }
}

/// Returns whether the rewriter has a reason why a link stays relative.
fn explains(reasons: &Reasons, difference: &Difference) -> bool {
    difference.rule == Rule::Relative
        && difference.byte.is_some_and(|byte| reasons.of_relative(&difference.part, byte).is_some())
}
