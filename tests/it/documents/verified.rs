//! What the rewriter makes of every document that is there, the verifier finds right by another road.

use std::path::Path;

use crate::support::corpora::{CorpusDocument, documents};
use crate::support::made_mail::{ENCODINGS, Nesting, message};
use crate::support::{CORPORA, Corpus, Outcome, corpus, fixtures_root, tell};
use absolve_resolver::Standard;
use absolve_rewriter::{Entity, Listing, Options, Report, Status, edits_of, links_of};
use absolve_verifier::{Rule, Settings, Surroundings, verify_document, verify_message};

const URL: &str = "https://example.org/archive/2026/pages/page.html";

#[test]
fn fixtures() -> Outcome {
    assert_eq!(check_folder(&fixtures_root(), Standard::Whatwg)?, 617);
    Ok(())
}

/// By the standards that are older than browsers', the literal resolver judges.
#[test]
fn older_standards() -> Outcome {
    let older = Standard::ALL.into_iter().filter(|standard| *standard != Standard::Whatwg);
    for standard in older {
        let fixtures = check_folder(&fixtures_root(), standard)?;
        assert!(fixtures > 500, "{standard}: {fixtures}");
        let Some(folder) = corpus("html-apache2-ko") else { continue };
        let pages = check_folder(&folder, standard)?;
        tell(&format!("{standard}: {fixtures} links of fixtures, {pages} of html-apache2-ko proven"));
        assert!(pages > 3_700, "{standard}: {pages}");
    }
    Ok(())
}

/// Messages with documents in every transfer encoding, line end and nesting.
#[test]
fn made_messages() -> Outcome {
    let mut random = fastrand::Rng::with_seed(70);
    let (mut proven, mut expected) = (0, 0);
    for encoding in ENCODINGS {
        for line_end in ["\n", "\r\n"] {
            for nesting in [Nesting::Multiparts, Nesting::Messages] {
                for _ in 0..60 {
                    let made = message(&mut random, encoding, line_end, nesting);
                    let bytes = made.text.as_bytes();
                    let edits = edits_of(&Entity::message(bytes), &Options::default(), &mut Report::default());
                    let verdict = verify_message(bytes, &edits.splice(bytes), None, &Settings::default());
                    assert!(verdict.holds(), "{}\n{:?}", made.text, verdict.differences);
                    proven += verdict.counts.proven;
                    expected += made.targets.len() as u64;
                }
            }
        }
    }
    tell(&format!("made messages: {proven} links proven"));
    assert_eq!(proven, expected);
    Ok(())
}

#[test]
fn corpora() -> Outcome {
    let mut failures = Vec::new();
    for Corpus { name, edits, .. } in CORPORA {
        let Some(folder) = corpus(name) else { continue };
        match check_folder(&folder, Standard::Whatwg) {
            Ok(seen) if seen == edits as u64 => {}
            Ok(seen) => failures.push(format!("{name}: {seen} links proven instead of {edits}")),
            Err(error) => failures.push(error.to_string()),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// The number of links that were proven to mean what they meant.
fn check_folder(folder: &Path, standard: Standard) -> Result<u64, Box<dyn std::error::Error>> {
    let (mut proven, mut failures) = (0, Vec::new());
    for document in documents(folder)? {
        match check(&document, standard) {
            Ok(count) => proven += count,
            Err(failure) => failures.push(failure),
        }
    }
    let name = folder.file_name().unwrap_or_default().display();
    tell(&format!("{name}: {proven} links proven"));
    match failures.is_empty() {
        true => Ok(proven),
        false => {
            Err(format!("{name}: {} failures\n{}", failures.len(), failures[..failures.len().min(8)].join("\n")).into())
        }
    }
}

fn check(document: &CorpusDocument, standard: Standard) -> Result<u64, String> {
    let CorpusDocument { name, bytes, document_type, label } = document;
    let mut entity = Entity::bare_file(bytes, *document_type).retrieved_from(URL, "--url");
    entity.parts[0].charset.clone_from(label);
    let mut options = Options::default();
    options.rules.standard = standard;
    let rewritten = edits_of(&entity, &options, &mut Report::default()).splice(bytes);
    let around = Surroundings { retrieval: Some(URL.to_owned()), ..Surroundings::default() };
    let mut settings = Settings::default();
    settings.standard = standard.name().parse().map_err(|error: absolve_verifier::UnknownName| error.to_string())?;
    let verdict = verify_document(bytes, &rewritten, *document_type, label.as_deref(), &around, &settings);
    let listing = links_of(&entity, &entity.parts[0], &options);
    let unexplained: Vec<String> = verdict
        .differences
        .iter()
        .filter(|one| !(one.rule == Rule::Relative && is_told(&listing, one.byte)))
        .map(|one| format!("{name}: {one}"))
        .collect();
    if unexplained.is_empty() {
        Ok(verdict.counts.proven)
    } else {
        Err(unexplained[..unexplained.len().min(3)].join("\n"))
    }
}

/// Whether the rewriter says that it leaves this link, or that it has not seen it.
fn is_told(listing: &Listing, byte: Option<usize>) -> bool {
    match listing.links.iter().find(|link| Some(link.start) == byte) {
        Some(link) => matches!(link.status, Status::Kept | Status::Unresolved(_)),
        None => !listing.findings.is_empty(),
    }
}
