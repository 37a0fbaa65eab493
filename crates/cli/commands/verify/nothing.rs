//! Where nothing was compared, verifying does not pass for a check that holds.

use absolve_files::{Collection, Destination, Entry, Output, rewrite_all};
use absolve_verifier::Counts;

use crate::args::input::InputArguments;
use crate::args::verify::VerifyArguments;
use crate::commands::rewrite::missing::{is_unread, type_of_only};
use crate::inputs::open;
use crate::outcome::{Stop, usage_error};
use crate::progress::Shown;

/// Refuses an input without documents, and a file in which `rewrite` reads nothing: only bytes were compared then.
pub(crate) fn refuse_nothing(
    input: &InputArguments,
    arguments: &VerifyArguments,
    collection: &Collection,
    counts: &Counts,
) -> Result<(), Stop> {
    let original = arguments.original.display();
    let is_document = |entry: &Entry| matches!(entry.file_type(), Ok(Some(_)));
    if !collection.entries.iter().any(is_document) && collection.maildirs().is_empty() {
        return usage_error(format!("no document was compared: no file of {original} is one"));
    }
    let Some(file_type) = type_of_only(collection).filter(|_| counts.documents == 0) else { return Ok(()) };
    let mut options = arguments.options.options();
    options.output = arguments.warc;
    let again = open(input, &arguments.options, &mut options.documents, Shown::No)?;
    let report = rewrite_all(again, &options, Output::to(&Destination::Nowhere(Vec::new())), &|_| {});
    if is_unread(file_type, &report) {
        return usage_error(format!("no document was compared: nothing could be read in {original}"));
    }
    Ok(())
}
