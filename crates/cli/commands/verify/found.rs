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
    shortened(verdict.differences).into_iter().map(found).collect()
}

/// Returns the differences without those of one document that exceed the most; the last one then says how many those are.
fn shortened(differences: Vec<Difference>) -> Vec<Difference> {
    const MOST: usize = 1000;
    let mut left: Vec<Difference> = Vec::new();
    for of_one in differences.chunk_by(|one, next| one.record == next.record && one.part == next.part) {
        left.extend_from_slice(&of_one[..of_one.len().min(MOST)]);
        if let Some(first) = of_one.get(MOST) {
            let message = format!("{} more of its links differ", of_one.len() - MOST);
            let Difference { record, part, .. } = first.clone();
            left.push(Difference { record, part, ..Difference::new(first.rule, message) });
        }
    }
    left
}
