//! Documents whose encoding only their bytes show: what stays, so that they are read in the same encoding afterwards.

use absolve_links::Edits;

use crate::document::context::{DocumentContext, Kept};
use crate::document::edits::{Outcome, outcome_of};
use crate::findings::charset_needed;

/// Returns the outcome in which the document keeps its encoding. As few references as possible stay for that; `context`
/// has which. `None` if absolute links would make the document many times its size.
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
    // What is left then is a BASE that was to go.
    if changes_encoding(&outcome) {
        outcome.counts.keep_rewritten();
        outcome.edits = Edits::default();
    }
    outcome.findings.push(charset_needed(document, relative - outcome.counts.rewritten));
    Some(outcome)
}
