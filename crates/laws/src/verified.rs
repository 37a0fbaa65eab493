//! What rewriting makes is what the judge accepts: [`absolve_verifier`] reads the original and what was made of it by another
//! road, and finds no difference that the rewriter does not explain.

use std::path::Path;
use std::sync::LazyLock;

use absolve_links::DocumentType;
use absolve_rewriter::{Entity, Reasons};
use absolve_verifier::{
    Difference, Rule, Settings, Surroundings, Verdict, WarcOutput, verify_archive, verify_document, verify_mbox,
    verify_message, verify_unconverted,
};

use crate::OPTIONS;

static SETTINGS: LazyLock<Settings> = LazyLock::new(Settings::default);

/// Returns a document and what was made of it.
#[track_caller]
pub(crate) fn document(
    original: &Entity<'_>,
    (bytes, output): (&[u8], &[u8]),
    (document_type, label): (DocumentType, Option<&str>),
    url: &str,
) {
    let around = Surroundings { retrieval: Some(url.to_owned()), ..Surroundings::default() };
    let verdict = verify_document(bytes, output, document_type, label, &around, &SETTINGS);
    holds(verdict, |_| vec![Reasons::of(original, &OPTIONS)]);
}

/// Returns a message and what was made of it.
#[track_caller]
pub(crate) fn message(original: &Entity<'_>, bytes: &[u8], output: &[u8], url: &str) {
    let verdict = verify_message(bytes, output, Some(url), &SETTINGS);
    holds(verdict, |_| vec![Reasons::of(original, &OPTIONS)]);
}

/// Returns an mbox and what was made of it; `reasons` are those of a message.
#[track_caller]
pub(crate) fn mbox(bytes: &[u8], output: &[u8], reasons: impl Fn(&str) -> Vec<Reasons>) {
    let verdict = verify_mbox(bytes, output, &SETTINGS).expect("it is in memory");
    holds(verdict, reasons);
}

/// How an archive ends that was rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Whole,
    /// It breaks off, which is told.
    Broken,
}

/// Returns a web archive and what was written of it, if something was; `reasons` are those of a record.
#[track_caller]
pub(crate) fn archive(
    bytes: &[u8],
    written: Option<&[u8]>,
    output: WarcOutput,
    end: End,
    reasons: impl Fn(&str) -> Vec<Reasons>,
) {
    let verdict = match written {
        Some(written) => verify_archive(bytes, written, Path::new(""), output, &SETTINGS),
        None => verify_unconverted(bytes, &SETTINGS),
    };
    let mut verdict = verdict.expect("it is in memory");
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

/// Returns whether the rewriter says why a link stays relative.
fn explains(reasons: &Reasons, difference: &Difference) -> bool {
    difference.rule == Rule::Relative
        && difference.byte.is_some_and(|byte| reasons.of_relative(&difference.part, byte).is_some())
}
