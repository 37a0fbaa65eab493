//! What the rewriter makes of every document that is there, the verifier finds right by another road.

mod support;

use absolve_rewriter::{Entity, Listing, Options, Report, Status, edits_of, links_of};
use absolve_verifier::{Rule, Settings, Surroundings, verify_document};
use support::corpora::{CorpusDocument, documents};
use support::{CORPORA, Corpus, Outcome, corpus, fixtures_root, tell};

const URL: &str = "https://example.org/archive/2026/pages/page.html";

#[test]
fn fixtures() -> Outcome {
    assert_eq!(check_folder(&fixtures_root(), "fixtures")?, 564);
    Ok(())
}

#[test]
fn corpora() -> Outcome {
    let mut failures = Vec::new();
    for Corpus { name, edits, .. } in CORPORA {
        let Some(folder) = corpus(name) else { continue };
        match check_folder(&folder, name) {
            Ok(seen) if seen == edits as u64 => {}
            Ok(seen) => failures.push(format!("{name}: {seen} links proven instead of {edits}")),
            Err(error) => failures.push(error.to_string()),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// The number of links that were proven to mean what they meant.
fn check_folder(folder: &std::path::Path, name: &str) -> Result<u64, Box<dyn std::error::Error>> {
    let (mut proven, mut failures) = (0, Vec::new());
    for document in documents(folder)? {
        match check(&document) {
            Ok(count) => proven += count,
            Err(failure) => failures.push(failure),
        }
    }
    tell(&format!("{name}: {proven} links proven"));
    match failures.is_empty() {
        true => Ok(proven),
        false => {
            Err(format!("{name}: {} failures\n{}", failures.len(), failures[..failures.len().min(8)].join("\n")).into())
        }
    }
}

fn check(document: &CorpusDocument) -> Result<u64, String> {
    let CorpusDocument { name, bytes, document_type, label } = document;
    let mut entity = Entity::bare_file(bytes, *document_type).retrieved_from(URL, "--url");
    entity.parts[0].charset.clone_from(label);
    let options = Options::default();
    let rewritten = edits_of(&entity, &options, &mut Report::default()).splice(bytes);
    let around = Surroundings { retrieval: Some(URL.to_owned()), ..Surroundings::default() };
    let settings = Settings::default();
    let verdict = verify_document(bytes, &rewritten, *document_type, label.as_deref(), &around, &settings);
    let listing = links_of(&entity, &entity.parts[0], &options);
    let unexplained: Vec<String> = verdict
        .differences
        .iter()
        .filter(|one| !(one.rule == Rule::Relative && is_told(&listing, &one.original)))
        .map(|one| format!("{name}: {one}"))
        .collect();
    if unexplained.is_empty() {
        Ok(verdict.counts.proven)
    } else {
        Err(unexplained[..unexplained.len().min(3)].join("\n"))
    }
}

/// Whether the rewriter says that it leaves this link.
fn is_told(listing: &Listing, reference: &str) -> bool {
    let is_left = |status| matches!(status, Status::Kept | Status::Unresolved(_));
    !listing.findings.is_empty() || listing.links.iter().any(|link| link.reference == reference && is_left(link.status))
}
