//! What the rewriter makes of documents, the verifier finds right by another road.

use crate::support::Outcome;
use crate::support::corpora::{CorpusDocument, documents};
use crate::support::made_mail::{ENCODINGS, Nesting, message};
use absolve_resolver::Standard;
use absolve_rewriter::internal::{Entity, Report, Retrieval, edits_of, links_of};
use absolve_rewriter::{Listing, Options, Status};
use absolve_testing::{corpus, fixtures, print_line, rounds};
use absolve_verifier::{Retrieved, Rule, Settings, Surroundings, verify_document, verify_message};

const URL: &str = "https://example.org/archive/2026/pages/page.html";

#[test]
fn over_fixtures() -> Outcome {
    assert_eq!(check_all(&documents(&fixtures())?, Standard::Whatwg)?, 652);
    Ok(())
}

/// By the standards that are older than browsers', the literal resolver judges.
#[test]
fn older_standards() -> Outcome {
    let older = Standard::ALL.into_iter().filter(|standard| *standard != Standard::Whatwg);
    let fixtures = documents(&fixtures())?;
    for standard in older {
        let proven = check_all(&fixtures, standard)?;
        assert!(proven > 500, "{standard}: {proven}");
    }
    Ok(())
}

#[test]
#[ignore = "long: pages of the corpora, by each standard"]
fn older_standards_over_pages() -> Outcome {
    let Some(folder) = corpus("html-apache2-ko") else { return Ok(()) };
    let pages = documents(&folder)?;
    for standard in Standard::ALL.into_iter().filter(|standard| *standard != Standard::Whatwg) {
        let proven = check_all(&pages, standard)?;
        assert!(proven > 3_700, "{standard}: {proven}");
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
                for _ in 0..rounds(60) {
                    let made = message(&mut random, encoding, line_end, nesting);
                    let bytes = made.text.as_bytes();
                    let edits = edits_of(&Entity::message(bytes), &Options::default(), &mut Report::default());
                    let verdict = verify_message(bytes, &edits.splice(bytes), Retrieved::Nowhere, &Settings::default());
                    assert!(verdict.holds(), "{}\n{:?}", made.text, verdict.differences);
                    proven += verdict.counts.proven;
                    expected += made.targets.len() as u64;
                }
            }
        }
    }
    print_line(&format!("made messages: {proven} links proven"));
    assert_eq!(proven, expected);
    Ok(())
}

/// The number of links that were proven to mean what they meant.
pub(crate) fn check_all(documents: &[CorpusDocument], standard: Standard) -> Result<u64, Box<dyn std::error::Error>> {
    let (mut proven, mut failures) = (0, Vec::new());
    for document in documents {
        match check(document, standard) {
            Ok(count) => proven += count,
            Err(failure) => failures.push(failure),
        }
    }
    match failures.is_empty() {
        true => Ok(proven),
        false => Err(format!("{} failures\n{}", failures.len(), failures[..failures.len().min(8)].join("\n")).into()),
    }
}

fn check(document: &CorpusDocument, standard: Standard) -> Result<u64, String> {
    let CorpusDocument { name, bytes, document_type, label } = document;
    let mut entity = Entity::bare_file(bytes, *document_type).retrieved_from(Retrieval::given(URL));
    entity.parts[0].charset.clone_from(label);
    let mut options = Options::default();
    options.rules.standard = standard;
    let rewritten = edits_of(&entity, &options, &mut Report::default()).splice(bytes);
    let around = Surroundings { retrieval: Some(URL.to_owned()), ..Surroundings::default() };
    let settings = Settings { standard, ..Settings::default() };
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
