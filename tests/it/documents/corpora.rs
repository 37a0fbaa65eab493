//! Every law of single documents, over every document of the corpora, which are read once.

use std::panic;

use absolve_resolver::Standard;
use absolve_testing::{corpus, print_line};

use super::{laws, no_link_missed, verified};
use crate::support::corpora::documents;
use crate::support::{CORPORA, Corpus, Outcome};

/// The bytes outside changed references stay, no link is missed, and each changed link is proven to mean what it meant.
#[test]
#[ignore = "long: every document of the corpora"]
fn every_law_over_every_document() -> Outcome {
    let mut failures = Vec::new();
    for Corpus { name, documents: read, links, edits } in CORPORA {
        let Some(folder) = corpus(name) else { continue };
        let documents = documents(&folder)?;
        match panic::catch_unwind(|| laws::check_all(&documents)) {
            Ok(seen) if seen == edits => print_line(&format!("{name}: {} documents, {seen} edits", documents.len())),
            Ok(seen) => failures.push(format!("{name}: {seen} edits instead of {edits}")),
            Err(_) => failures.push(format!("{name}: a law is broken, see above")),
        }
        match no_link_missed::check_all(&documents) {
            Ok(seen) if seen == (read, links) => {}
            Ok(seen) => failures.push(format!("{name}: {seen:?} documents and links instead of {read} and {links}")),
            Err(missed) => failures.push(format!("{name}: {missed}")),
        }
        match verified::check_all(&documents, Standard::Whatwg) {
            Ok(proven) if proven == edits as u64 => {}
            Ok(proven) => failures.push(format!("{name}: {proven} links proven instead of {edits}")),
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}
