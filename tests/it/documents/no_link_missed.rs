//! Every link that a second implementation sees is listed, and the bytes listed are those that stand there.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::support::corpora::{CorpusDocument, documents};
use crate::support::second_opinion::references;
use crate::support::{CORPORA, Outcome, argument, run};
use absolve_links::{Document, DocumentType, Table};
use absolve_rewriter::internal::{Entity, links_of};
use absolve_rewriter::{Listing, Options};
use absolve_testing::{corpus, fixtures};
use serde_json::Value;

#[test]
fn of_fixtures() -> Outcome {
    assert_eq!(check_all(&documents(&fixtures())?)?, (181, 794));
    Ok(())
}

/// What `absolve links --json` says stands at `start..end` of a file stands there.
#[test]
fn the_listed_bytes_are_those_of_the_file() -> Outcome {
    let (listed, ..) = listed_in([fixtures()])?;
    assert!(listed > 1_000, "{listed}");
    Ok(())
}

#[test]
#[ignore = "long: what is listed of the corpora"]
fn the_listed_bytes_are_those_of_the_files_of_corpora() -> Outcome {
    let folders: Vec<PathBuf> = CORPORA.iter().filter_map(|known| corpus(known.name)).collect();
    if folders.len() == CORPORA.len() {
        assert_eq!(listed_in(folders)?, (55_462, 86_868, 5_301));
    }
    Ok(())
}

/// How many links are listed of files, how many of web archives, and how many of these were not found.
fn listed_in(folders: impl IntoIterator<Item = PathBuf>) -> Result<(usize, usize, usize), Box<dyn std::error::Error>> {
    let (mut listed, mut in_archives, mut not_found) = (0, 0, 0);
    for folder in folders {
        let (_, out, _) =
            run(&["links", "--json", "--groups", "core,legacy,social,lazy,plugins,rdfa", argument(&folder)])?;
        let (mut path, mut bytes) = (String::new(), Vec::new());
        let documents = documents(&folder)?;
        for line in out.lines() {
            let link: Value = serde_json::from_str(line)?;
            if link["path"] != path {
                path = link["path"].as_str().unwrap_or_default().to_owned();
                bytes = std::fs::read(folder.join(&path))?;
            }
            let position = |key: &str| link[key].as_u64().and_then(|position| usize::try_from(position).ok());
            let (Some(start), Some(end)) = (position("start"), position("end")) else { return Err(line.into()) };
            if [".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz", ".warc.gz.bad"].iter().any(|end| path.ends_with(end)) {
                // As the test takes archives apart; it knows neither brotli nor resources nor WACZ.
                let stands = |document: &CorpusDocument| {
                    document
                        .bytes
                        .get(start..end)
                        .is_some_and(|bytes| link["written"] == *String::from_utf8_lossy(bytes))
                };
                // What stands in the header of a response is in no document.
                if link["element"] == "http" {
                    continue;
                }
                in_archives += 1;
                not_found += usize::from(!documents.iter().any(stands));
                continue;
            }
            let message = Entity::message(if link["part"] == "" { b"" } else { &bytes });
            let document = match message.parts.iter().find(|part| link["part"] == *part.path) {
                Some(part) => message.document(part),
                None => Document::new(&bytes, DocumentType::Html),
            };
            assert_eq!(link["written"], *String::from_utf8_lossy(&document.bytes()[start..end]), "{line}");
            listed += 1;
        }
    }
    Ok((listed, in_archives, not_found))
}

/// The number of documents that were read and of links in them.
pub(crate) fn check_all(documents: &[CorpusDocument]) -> Result<(usize, usize), Box<dyn std::error::Error>> {
    let mut missed = Vec::new();
    let (mut read, mut links) = (0, 0);
    for document in documents {
        if let Some(found) = check(document, &mut missed) {
            read += 1;
            links += found;
        }
    }
    if missed.is_empty() { Ok((read, links)) } else { Err(missed.join("\n").into()) }
}

/// The number of links of a document, unless it is refused.
fn check(corpus_document: &CorpusDocument, missed: &mut Vec<String>) -> Option<usize> {
    let CorpusDocument { name, bytes, document_type, label } = corpus_document;
    let mut entity = Entity::bare_file(bytes, *document_type);
    entity.parts[0].charset.clone_from(label);
    let Listing { links: listed, findings, .. } = links_of(&entity, &entity.parts[0], &Options::default());
    if listed.is_empty() && !findings.is_empty() {
        return None;
    }
    let mut seen: HashMap<String, usize> = HashMap::new();
    for link in &listed {
        let written = String::from_utf8_lossy(&bytes[link.start..link.end]);
        assert_eq!(written, link.written, "{name}: {link:?}");
        *seen.entry(normalized(&link.reference)).or_default() += 1;
    }
    let document = Document::new(bytes, *document_type);
    let document = match label {
        Some(label) => document.with_label(label),
        None => document,
    };
    let found = references(&document, *document_type, &Table::default());
    for reference in &found.all {
        match seen.get_mut(&normalized(reference)) {
            Some(count) if *count > 0 => *count -= 1,
            Some(_) if found.cloned.contains(reference) => {}
            _ => missed.push(format!("{name}: {reference:?} is missed")),
        }
    }
    Some(listed.len())
}

/// As HTML and XML read line ends, and without the white space that readers trim.
fn normalized(reference: &str) -> String {
    let lines = reference.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{FFFD}");
    lines.trim_matches(|character: char| character.is_ascii_whitespace()).to_owned()
}
