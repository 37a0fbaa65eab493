//! What `rewrite` leaves unread because it is too large, the verifier does not read either: it makes no claim, and accepts no change.

use absolve_links::DocumentType;
use absolve_verifier::{Rule, Settings, Surroundings, Verdict, verify_document};

fn verdict(document_type: DocumentType, original: &str, rewritten: &str) -> Verdict {
    let around = Surroundings { retrieval: Some("http://h/".to_owned()), ..Surroundings::default() };
    verify_document(original.as_bytes(), rewritten.as_bytes(), document_type, None, &around, &Settings::default())
}

/// Reports whether a document with a link `x` is read.
fn is_read(document_type: DocumentType, document: &str) -> bool {
    let unchanged = verdict(document_type, document, document);
    let changed = verdict(document_type, document, &document.replacen("\"x\"", "\"http://other/x\"", 1));
    let rules = |verdict: &Verdict| verdict.differences.iter().map(|one| one.rule).collect::<Vec<_>>();
    let is_refused = rules(&changed) == [Rule::Unread] || rules(&changed) == [Rule::Kept];
    let is_read = unchanged.counts.documents == 1;
    assert_eq!(
        (is_read, is_refused, is_read),
        (!unchanged.holds(), !is_read, !rules(&changed).is_empty() && !is_refused)
    );
    is_read
}

fn svg(content: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{content}</svg>")
}

#[test]
fn bases_may_nest_as_deeply_as_for_rewrite() {
    let nested = |depth: usize| {
        let (open, close) = ("<g xml:base=\"d/\">".repeat(depth), "</g>".repeat(depth));
        svg(&format!("{open}<a href=\"x\"/>{close}"))
    };
    assert!(is_read(DocumentType::Xml, &nested(32)));
    assert!(!is_read(DocumentType::Xml, &nested(33)));
    assert!(!is_read(DocumentType::Xml, &nested(100_000)));
    let beside = "<g xml:base=\"d/\"/>".repeat(100);
    assert!(is_read(DocumentType::Xml, &svg(&format!("{beside}<a href=\"x\"/>"))));
}

#[test]
fn links_at_a_long_base_are_not_resolved_beyond_the_size_of_an_output() {
    let page =
        |base: usize, links: usize| format!("<base href=\"{}\">{}", "b/".repeat(base), "<a href=\"x\">".repeat(links));
    assert!(is_read(DocumentType::Html, &page(1_000, 500)));
    assert!(!is_read(DocumentType::Html, &page(5_000, 2_000)));
    let beside = |base: usize, bases: usize| {
        let elements = "<g xml:base=\"d/\"><a href=\"x\"/></g>".repeat(bases);
        svg(&format!("<g xml:base=\"{}\">{elements}</g>", "b/".repeat(base)))
    };
    assert!(is_read(DocumentType::Xml, &beside(500, 500)));
    assert!(!is_read(DocumentType::Xml, &beside(5_000, 2_000)));
}
