//! After a run, html5ever finds no relative link but those to the same document.

use std::path::Path;

use crate::support::corpora::{CorpusDocument, documents};
use crate::support::second_opinion::references;
use crate::support::{Outcome, argument, run};
use absolve_links::{Document, Table};
use absolve_testing::{corpus, fixtures, temporary_folder};
use url::Url;

#[test]
fn of_the_fixture_site() -> Outcome {
    assert_eq!(judge(&fixtures().join("site"))?, 26);
    Ok(())
}

#[test]
#[ignore = "long: pages of the corpora"]
fn of_the_postgresql_manual() -> Outcome {
    judge_corpus("html-postgresql-doc", 29_869)
}

#[test]
#[ignore = "long: pages of the corpora"]
fn of_pages_in_latin_1() -> Outcome {
    judge_corpus("html-docbook-xsl-latin1", 17_146)
}

#[test]
#[ignore = "long: pages of the corpora"]
fn of_pages_in_euc_kr() -> Outcome {
    judge_corpus("html-apache2-ko", 5_087)
}

#[test]
#[ignore = "long: pages of the corpora"]
fn of_pages_with_a_relative_base() -> Outcome {
    judge_corpus("html-phpdoc-base", 1_315)
}

fn judge_corpus(name: &str, links: usize) -> Outcome {
    let Some(folder) = corpus(name) else { return Ok(()) };
    assert_eq!(judge(&folder)?, links);
    Ok(())
}

/// Rewrites a folder and reads the result with html5ever; the number of links seen.
fn judge(input: &Path) -> Result<usize, Box<dyn std::error::Error>> {
    let folder = temporary_folder()?;
    let output = folder.path().join("out");
    let arguments = ["rewrite", argument(input), "-o", argument(&output), "--url", "https://example.org/archive/"];
    let (status, _, errors) = run(&arguments)?;
    assert_eq!(status, 0, "{errors}");
    let table = Table::default();
    let mut links = 0;
    for CorpusDocument { name, bytes, document_type, .. } in documents(&output)? {
        for reference in references(&Document::new(&bytes, document_type), document_type, &table).all {
            let reference = reference.trim_matches(|character: char| character <= ' ');
            let is_same_document = reference.is_empty() || reference.starts_with('#');
            let is_placeholder = reference.starts_with("{{");
            assert!(
                is_same_document || is_placeholder || Url::parse(reference).is_ok(),
                "{name}: {reference:?} is relative"
            );
            links += 1;
        }
    }
    Ok(links)
}
