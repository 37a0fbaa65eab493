//! After a run, html5ever finds no relative link but those to the same document.

mod support;

use std::path::Path;

use absolve_links::{Document, DocumentType, Grammar, Table, When};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use support::{Outcome, argument, corpus, fixtures_root, run, tell, typed_documents};
use url::Url;

#[test]
fn of_the_fixture_site() -> Outcome {
    assert_eq!(judge(&fixtures_root().join("site"))?, 17);
    Ok(())
}

#[test]
fn of_the_postgresql_manual() -> Outcome {
    judge_corpus("html-postgresql-doc", 29_000)
}

#[test]
fn of_pages_in_latin_1() -> Outcome {
    judge_corpus("html-docbook-xsl-latin1", 16_000)
}

#[test]
fn of_pages_in_euc_kr() -> Outcome {
    judge_corpus("html-apache2-ko", 5_000)
}

#[test]
fn of_pages_with_a_relative_base() -> Outcome {
    judge_corpus("html-phpdoc-base", 1_200)
}

fn judge_corpus(name: &str, least: usize) -> Outcome {
    let Some(folder) = corpus(name) else { return Ok(()) };
    let links = judge(&folder)?;
    tell(&format!("{name}: {links} links"));
    assert!(links >= least, "only {links} links");
    Ok(())
}

/// Rewrites a folder and reads the result with html5ever; the number of links seen.
fn judge(input: &Path) -> Result<usize, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let output = folder.path().join("out");
    let arguments = ["rewrite", argument(input), "-o", argument(&output), "--url", "https://example.org/archive/"];
    let (status, _, errors) = run(&arguments)?;
    assert_eq!(status, 0, "{errors}");
    let table = Table::default();
    let mut links = 0;
    for (path, bytes, document_type) in typed_documents(&output)? {
        if document_type == DocumentType::Html {
            for (name, value) in url_attributes(&bytes, &table) {
                let value = value.trim_matches(|character: char| character <= ' ');
                let is_same_document = value.is_empty() || value.starts_with('#');
                let is_placeholder = value.starts_with("{{");
                assert!(
                    is_same_document || is_placeholder || Url::parse(value).is_ok(),
                    "{}: {name}={value:?} is relative",
                    path.display()
                );
                links += 1;
            }
        }
    }
    Ok(links)
}

/// The attributes that hold one URL, of all elements of the tree, templates included.
fn url_attributes(bytes: &[u8], table: &Table) -> Vec<(String, String)> {
    let text = Document::new(bytes, DocumentType::Html).encoding().decode(bytes).0;
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let tree = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() }).one(&*text);
    let mut found = Vec::new();
    let mut nodes: Vec<Handle> = vec![tree.document.clone()];
    while let Some(node) = nodes.pop() {
        if let NodeData::Element { name, attrs, template_contents, .. } = &node.data {
            for attribute in attrs.borrow().iter() {
                let is_url = table.rows().iter().any(|row| {
                    row.grammar == Grammar::Url
                        && row.when == When::Always
                        && (row.element == "*" || *row.element == *name.local)
                        && *row.attribute == *attribute.name.local
                });
                if is_url {
                    found.push((attribute.name.local.to_string(), attribute.value.to_string()));
                }
            }
            nodes.extend(template_contents.borrow().iter().cloned());
        }
        nodes.extend(node.children.borrow().iter().cloned());
    }
    // A node that is dropped empties all below it, so the root lives until here.
    drop(tree.document);
    found
}
