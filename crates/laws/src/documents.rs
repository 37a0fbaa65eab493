//! Properties of documents that are files.

pub mod delimiters;
mod shape;

use absolve_links::{DocumentType, Edits};
use absolve_rewriter::Code;
use absolve_rewriter::internal::{Entity, Report, Retrieval, edits_of, links_of};

use crate::annotations;
use crate::options::{OPTIONS, RUNS};
use crate::rewritten::verified;
use crate::rewritten::{ELSEWHERE, check_rewritten};

/// A document to check.
#[derive(Clone, Copy, Debug)]
pub struct Given<'g> {
    /// Its name in failures.
    pub name: &'g str,
    /// Its bytes.
    pub bytes: &'g [u8],
    /// Its declared type.
    pub document_type: DocumentType,
    /// The charset of its header.
    pub label: Option<&'g str>,
}

/// The URL that documents are retrieved from.
const URL: &str = "https://example.org/archive/2026/pages/page.html";

/// Checks any bytes as a page.
pub fn html(bytes: &[u8]) -> usize {
    of_type(bytes, DocumentType::Html)
}

/// Checks any bytes as a stylesheet.
pub fn css(bytes: &[u8]) -> usize {
    of_type(bytes, DocumentType::Css)
}

/// Checks any bytes as XML: pages, images, feeds.
pub fn xml(bytes: &[u8]) -> usize {
    of_type(bytes, DocumentType::Xml)
}

/// Checks any bytes as plain text.
pub fn text(bytes: &[u8]) -> usize {
    of_type(bytes, DocumentType::Text)
}

/// Checks any bytes as Markdown.
pub fn markdown(bytes: &[u8]) -> usize {
    of_type(bytes, DocumentType::Markdown)
}

/// Checks any bytes except `"` as candidates of images.
pub fn srcset(bytes: &[u8]) -> usize {
    let value: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != b'"').collect();
    html(&[b"<meta charset=utf-8><img srcset=\"", &value[..], b"\"><a href=x>"].concat())
}

fn of_type(bytes: &[u8], document_type: DocumentType) -> usize {
    check(&Given { name: "", bytes, document_type, label: None })
}

/// Checks laws 2 to 5 on one document, and that [`absolve_verifier`] accepts the result. Returns the number of edits.
#[track_caller]
pub fn check(given: &Given<'_>) -> usize {
    let Given { name, bytes, .. } = *given;
    let options = &*OPTIONS;
    // Law 2: no base, no change.
    let mut report = Report::default();
    let edits = edits_of(&entity(given, bytes), options, &mut report);
    if report.counts.rewritten == 0 {
        assert!(edits.is_empty(), "{name}: edits without a rewritten link");
    }

    let retrieved = entity(given, bytes).retrieved_from(Retrieval::given(URL));
    let mut report = Report::default();
    let edits = edits_of(&retrieved, options, &mut report);
    let output = edits.splice(bytes);
    assert_eq!(edits.len() as u64, report.counts.rewritten, "{name}: one edit for each rewritten link");
    let starts: Vec<usize> = edits.iter().map(|(range, _)| range.start).collect();
    assert!(starts.is_sorted_by(|one, next| one < next), "{name}: two edits begin at one byte: {starts:?}");
    if !report.findings.iter().any(|finding| finding.code == Code::OutputTooLarge) {
        let before = links_of(&retrieved, &retrieved.parts[0], options).links;
        let elsewhere = entity(given, &output).retrieved_from(Retrieval::given(ELSEWHERE));
        let after = links_of(&elsewhere, &elsewhere.parts[0], options).links;
        annotations::check(&retrieved, &before, name);
        check_rewritten(bytes, &before, &output, &after, name);
        let documents = [&retrieved, &elsewhere].map(|entity| entity.document(&entity.parts[0]));
        let relative = shape::check(documents.each_ref(), &options.table, [&before, &after], name);
        assert!(relative.is_empty() || !report.findings.is_empty(), "{name}: {relative:?} stay without a finding");
    }

    // Readers of malformed Markdown differ; how rarely, a test of the verifier counts.
    if given.document_type != DocumentType::Markdown {
        verified::document(&retrieved, (bytes, &output), (given.document_type, given.label), URL, &RUNS[0]);
    }

    // Law 5: rewriting twice is rewriting once.
    let again = entity(given, &output).retrieved_from(Retrieval::given(URL));
    let second = edits_of(&again, options, &mut Report::default());
    assert_eq!(second, Edits::default(), "{name}: a second run changes something");
    edits.len()
}

fn entity<'e>(given: &Given<'_>, bytes: &'e [u8]) -> Entity<'e> {
    let mut entity = Entity::bare_file(bytes, given.document_type);
    entity.parts[0].charset = given.label.map(str::to_owned);
    entity
}
