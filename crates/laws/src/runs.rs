//! A run and its verification under any options: the verifier accepts what the rewriter makes of any bytes.

use absolve_links::DocumentType;
use absolve_rewriter::internal::{Entity, Report, Retrieval, edits_of};

pub use crate::options::{RUNS, RunOptions, settings_of};
use crate::rewritten::verified;
use crate::streams;

/// What bytes are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A document by itself.
    Document(DocumentType),
    /// A message.
    Message,
    /// An mbox.
    Mailbox,
    /// A web archive.
    Archive,
}

const URL: &str = "https://example.org/archive/2026/pages/page.html";

/// Checks any bytes; returns the number of changed links, messages or documents.
pub fn check(input: Input, bytes: &[u8], run: &RunOptions) -> usize {
    let entity = match input {
        Input::Mailbox => return streams::mailbox_of_run(bytes, run),
        Input::Archive => return streams::archive_of_run(bytes, run),
        Input::Message => Entity::message(bytes),
        Input::Document(document_type) => Entity::bare_file(bytes, document_type),
    };
    let entity = entity.retrieved_from(Retrieval::given(URL));
    let mut report = Report::default();
    let output = edits_of(&entity, run.documents(), &mut report).splice(bytes);
    match input {
        Input::Document(document_type) => {
            verified::document(&entity, (bytes, &output), (document_type, None), URL, run);
        }
        _ => verified::message(&entity, bytes, &output, URL, run),
    }
    report.counts.rewritten as usize
}
