//! What comparing a file has found, and where that is.

use std::fs;
use std::path::PathBuf;

use absolve_containers::FileType;
use absolve_files::Entry;
use absolve_links::Document;
use absolve_rewriter::internal::Positions;
use absolve_rewriter::results::Position;
use absolve_verifier::{Difference, Verdict};

/// An entry, and what comparing it has found.
#[derive(Debug)]
pub(crate) struct Compared<'e> {
    pub(crate) entry: &'e Entry,
    pub(crate) verdict: Verdict,
}

/// A difference, and where it stands in the original.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// The line and column, in a file that is a document.
    pub(crate) position: Option<Position>,
    pub(crate) difference: Difference,
}

/// Returns the differences of an entry with their places.
pub(crate) fn in_file(Compared { entry, verdict }: Compared<'_>) -> Vec<Found> {
    let is_of_file = |difference: &Difference| difference.record.is_empty() && difference.part.is_empty();
    let has_position = verdict.differences.iter().any(|found| is_of_file(found) && found.byte.is_some());
    let document = match has_position.then(|| entry.file_type()) {
        Some(Ok(Some(FileType::Document(document_type)))) => {
            fs::read(&entry.source).ok().map(|text| (text, document_type))
        }
        _ => None,
    };
    let document = document.as_ref().map(|(text, document_type)| Document::new(text, *document_type));
    let mut positions = document.as_ref().map(Positions::of_document);
    let found = |mut difference: Difference| {
        if difference.lacks_base {
            difference.message.push_str("; pass --url");
        }
        let byte = difference.byte.filter(|_| is_of_file(&difference));
        let position = byte.and_then(|byte| Some(positions.as_mut()?.at(byte)));
        Found { path: entry.source.clone(), position, difference }
    };
    verdict.differences.into_iter().map(found).collect()
}
