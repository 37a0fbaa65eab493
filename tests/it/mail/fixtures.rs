//! Messages that state their own truth: the order of precedence in every nesting and encoding, and the worked messages
//! of RFC 2110 and RFC 2557. The text of each link is what it must become.

use std::path::PathBuf;

use crate::support::Outcome;
use crate::support::mail_readers::links_by_python;
use absolve_links::DocumentType;
use absolve_rewriter::internal::{Entity, Report, edits_of, links_of};
use absolve_rewriter::{Code, Options};
use absolve_testing::{files, fixtures, temporary_folder};

const WITHOUT_BASE: &str = "relative: no base";

#[test]
fn the_text_of_each_link_is_what_it_becomes() -> Outcome {
    let messages: Vec<PathBuf> = files(&fixtures().join("mail"))?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .collect();
    assert_eq!(messages.len(), 37);
    let folder = temporary_folder()?;
    let (mut written, mut links) = (Vec::new(), 0);
    for path in &messages {
        for (name, line_end) in [("lf", "\n"), ("crlf", "\r\n")] {
            let message = std::fs::read_to_string(path)?.replace('\n', line_end).into_bytes();
            let entity = Entity::message(&message);
            let mut report = Report::default();
            let output = edits_of(&entity, &Options::default(), &mut report).splice(&message);
            // The fields of one header differ on purpose.
            let is_told = |code: Code| !matches!(code, Code::BaseDisagreement | Code::NoBase);
            assert!(report.findings.iter().all(|finding| !is_told(finding.code)), "{:?}", report.findings);
            links += by_our_own_listing(&output, &format!("{}, {name}", path.display()));
            let copy = folder.path().join(format!("{name}-{}.eml", written.len()));
            std::fs::write(&copy, output)?;
            written.push(copy);
        }
    }
    assert_eq!(links, 2 * 595);
    let written: Vec<_> = written.iter().map(PathBuf::as_path).collect();
    if let Some(read) = links_by_python("message", &written)? {
        let all: Vec<_> = read.into_iter().flatten().collect();
        assert_eq!(all.len(), 2 * 595);
        for (reference, truth) in all {
            assert_is_true(&reference, &truth, "read by Python");
        }
    }
    Ok(())
}

/// The same from the list of links, which knows what stands behind each.
fn by_our_own_listing(message: &[u8], name: &str) -> usize {
    let entity = Entity::message(message);
    let mut links = 0;
    for part in entity.parts.iter().filter(|part| part.document_type == DocumentType::Html) {
        let document = entity.document(part);
        for link in links_of(&entity, part, &Options::default()).links {
            let behind = String::from_utf8_lossy(&document.bytes()[link.end..]).replace("&amp;", "&");
            let truth = match &*link.element {
                "a" => behind.split(['>', '<']).nth(1).unwrap_or_default().to_owned(),
                "img" => {
                    behind.split("alt=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
                }
                _ => continue,
            };
            assert_is_true(&link.reference, &truth, name);
            links += 1;
        }
    }
    links
}

fn assert_is_true(reference: &str, truth: &str, name: &str) {
    assert!(
        reference == truth || (truth == WITHOUT_BASE && !reference.contains(':')),
        "{name}: {reference} is {truth}"
    );
}
