//! One document: its bases, the status of its links, and its edits.

pub(crate) mod around;
pub(crate) mod ascii;
pub(crate) mod base_element;
pub(crate) mod bases;
pub(crate) mod charset;
pub(crate) mod classify;
pub(crate) mod context;
pub(crate) mod edits;
pub(crate) mod out_of_reach;
pub(crate) mod placeholder;
pub(crate) mod placeholder_tally;
pub(crate) mod saved_links;
pub(crate) mod sight;
pub(crate) mod slip;

use absolve_base::Base;
use absolve_links::{Document, Edits, Scan};

use crate::document::charset::outcome_in_same_encoding;
use crate::document::context::DocumentContext;
use crate::entity::part::Part;
use crate::findings;
use crate::options::Options;
use crate::report::Report;
use crate::report::shown::Shown;

/// Returns the edits of the document of a part with its base, if that was needed, and sets what is shown of it. There are none if it is left unchanged, which the
/// findings report.
pub(crate) fn edits_of_document(
    document: &Document<'_>,
    scan: &Scan,
    part: &Part,
    options: &Options,
    report: &mut Report,
    shown: Option<&mut Shown>,
) -> (Edits, Option<Base>) {
    // Without links, no base is needed.
    if scan.links.is_empty() && scan.remarks.is_empty() {
        report.counts.documents += 1;
        return (Edits::default(), None);
    }
    let context = &mut DocumentContext::new(document, scan, part, options);
    let outcome = context.as_mut().and_then(outcome_in_same_encoding);
    let (Some(context), Some(outcome)) = (context, outcome) else {
        report.counts.documents += 1;
        report.findings.push(findings::output_too_large());
        return (Edits::default(), None);
    };
    report.counts += outcome.counts;
    report.findings.extend(outcome.findings);
    report.pins.extend(outcome.pins);
    shown.into_iter().zip(outcome.shown).for_each(|(shown, found)| *shown = found);
    // That of the document is the first.
    (outcome.edits, context.bases.first_mut().and_then(Option::take))
}
