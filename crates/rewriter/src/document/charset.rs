//! Documents whose encoding is detected by their bytes: which references stay, so that they are read in the same
//! encoding afterwards.

use absolve_links::Edits;

use crate::document::context::{DocumentContext, Kept};
use crate::document::edits::{Outcome, outcome_of};
use crate::findings::charset_needed;
use crate::report::shown::Shown;

/// Returns the outcome in which the document keeps its encoding, with as few references left relative as possible; sets
/// [`DocumentContext::kept`]. `None` if absolute links would make the document many times its size.
pub(crate) fn outcome_in_same_encoding(context: &mut DocumentContext<'_, '_>) -> Option<Outcome> {
    let document = context.document;
    let changes_encoding = |outcome: &Outcome| document.changes_encoding(&outcome.edits);
    let mut outcome = outcome_of(context)?;
    if !changes_encoding(&outcome) {
        return Some(outcome);
    }
    let relative = outcome.counts.rewritten;
    for kept in [Kept::OfBytes, Kept::All] {
        if changes_encoding(&outcome) {
            context.kept = kept;
            outcome = outcome_of(context)?;
        }
    }
    // The only edit left is that of a BASE that was to be removed.
    if changes_encoding(&outcome) {
        outcome.counts.keep_rewritten();
        outcome.shown.iter_mut().for_each(Shown::keep_rewritten);
        outcome.edits = Edits::default();
    }
    outcome.findings.push(charset_needed(document, relative - outcome.counts.rewritten));
    Some(outcome)
}
