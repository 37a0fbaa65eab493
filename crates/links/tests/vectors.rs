//! Which references are found in a document, and which are not.

use std::path::{Path, PathBuf};

use absolve_links::{Document, DocumentType, Edits, Grammar, Group, Place, ResolvesIn, Table, When};
use encoding_rs::WINDOWS_1252;
use serde_json::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn documents() -> Outcome {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/links/documents.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path)?)?;
    let mut failures = Vec::new();
    for case in &cases {
        let document_type = case["type"].as_str().unwrap_or("html").parse()?;
        let document = Document::new(case["document"].as_str().unwrap_or_default().as_bytes(), document_type);
        let scan = document.scan(&Table::default())?;
        let read = |link: usize| document.reference(&scan.links[link]).text().to_owned();
        let references: Vec<String> = (0..scan.links.len()).map(read).collect();
        let base = scan.base.map(read);
        if Value::from(references.clone()) != case["references"] || base.as_deref() != case["base"].as_str() {
            failures.push(format!("{references:?} and base {base:?}, not {case}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(cases.len(), CASES);
    Ok(())
}

const CASES: usize = 107;

#[test]
fn every_row_of_the_table_finds_its_link() -> Outcome {
    let table = Table::of_groups(&Group::ALL, Vec::new());
    for (index, row) in table.rows().iter().enumerate() {
        let element = if row.element == "*" { "x-any" } else { &*row.element };
        let value = match row.grammar {
            Grammar::Css => "background:url(found)",
            Grammar::Refresh => "0;url=found",
            Grammar::KeyValue => "name=x;action-uri=found",
            _ => "found",
        };
        let conditions = match row.when {
            When::Holds(names, values) => {
                names.iter().flat_map(|name| values.iter().map(move |value| format!(" {name}='{value}'"))).collect()
            }
            _ => vec![String::new()],
        };
        for condition in conditions {
            let html = format!("<{element} {}='{value}'{condition}>", row.attribute);
            let document = Document::new(html.as_bytes(), DocumentType::Html);
            let scan = document.scan(&table)?;
            let references: Vec<_> = scan.links.iter().map(|link| document.reference(link).text().to_owned()).collect();
            assert_eq!(references, ["found"], "{html}");
            assert_eq!(document.element(&scan.links[0]), element);
            let is_row = matches!(scan.links[0].place, Place::Attribute { row, .. } if usize::from(row) == index);
            assert!(is_row, "{html} is found by another row");
        }
    }
    assert_eq!(table.rows().len(), ROWS);
    Ok(())
}

const ROWS: usize = 205;

/// `docs/links.md` is the table: `UPDATE_DOCS=1 cargo test -p absolve-links` writes it anew.
#[test]
fn the_page_of_the_documentation_is_the_table() -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/links.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page)?;
    }
    assert_eq!(std::fs::read_to_string(&path)?, page);
    Ok(())
}

fn page() -> String {
    let mut page = String::from(
        "# Links\n\nThe places in HTML where references stand, from `crates/links/src/table/rows.rs`. `--groups` chooses \
         groups,\n`--attr ELEMENT@ATTRIBUTE=GRAMMAR` adds places. Besides, the text of `style` elements and stylesheets are \
         read as CSS.\n\nNever links: `itemtype`, `javascript:`, `data:`, `cid:` and `mid:` URLs, `usemap=\"#m\"`, \
         `url(#id)`, `xlink:href=\"#id\"`, `@namespace`,\nscripts, comments, placeholders.\n",
    );
    for group in Group::ALL {
        let is_default = if Group::DEFAULT.contains(&group) { "on" } else { "off" };
        page.push_str(&format!("\n## `{}`, {is_default} by default\n\n", group.name()));
        page.push_str(
            "| element | attribute | holds | only when | resolves against | from |\n|---|---|---|---|---|---|\n",
        );
        for row in Table::of_groups(&[group], Vec::new()).rows() {
            let when = match row.when {
                When::Holds(names, values) => format!("{} is {}", names.join(" or "), values.join(", ")),
                _ => String::new(),
            };
            let resolves_in = match row.resolves_in {
                ResolvesIn::Codebase => "codebase",
                ResolvesIn::Outside => "outside",
                _ => "document",
            };
            let (element, attribute, grammar) = (&row.element, &row.attribute, row.grammar.name());
            let source = row.source;
            page.push_str(&format!("| {element} | {attribute} | {grammar} | {when} | {resolves_in} | {source} |\n"));
        }
    }
    page
}

/// Of two rows for one place, the second would be dead.
#[test]
fn no_row_stands_twice() {
    let table = Table::of_groups(&Group::ALL, Vec::new());
    let places: std::collections::HashSet<_> =
        table.rows().iter().map(|row| (&row.element, &row.attribute, row.when)).collect();
    assert_eq!(places.len(), table.rows().len());
}

/// A trail byte of Shift_JIS, GBK and Big5 may be the byte of `\`, which is no backslash then.
#[test]
fn trail_bytes_are_no_backslashes() -> Outcome {
    for (encoding, bytes) in [("shift_jis", b"\x95\x5C"), ("gbk", b"\x81\x5C"), ("big5", b"\xA5\x5C")] {
        let html = [b"<a href='", &bytes[..], b"/x&amp;y'>"].concat();
        let document = Document::new(&html, DocumentType::Html).with_label(encoding);
        let character = document.encoding().decode(bytes).0;
        let scan = document.scan(&Table::default())?;
        let reference = document.reference(&scan.links[0]);
        assert_eq!(reference.text(), format!("{character}/x&y"), "{encoding}");
        let mut edits = Edits::default();
        reference.edit_to(&format!("http://h/{character}/x&y"), &mut edits);
        assert_eq!(edits.splice(&html), [b"<a href='http://h/", &bytes[..], b"/x&amp;y'>"].concat(), "{encoding}");
    }
    Ok(())
}

/// What an encoding cannot write is written as a character reference or an escape.
#[test]
fn what_cannot_be_encoded_is_escaped() -> Outcome {
    for (text, document_type, expected) in [
        ("<a href=x>", DocumentType::Html, "<a href=http://h/€/&#12354;/x>"),
        ("a{b:url(x)}", DocumentType::Css, "a{b:url(http://h/€/\\3042 /x)}"),
    ] {
        // A byte beyond ASCII in the value makes its encoding matter.
        let text = text.replace('x', "éx");
        let input = WINDOWS_1252.encode(&text).0.into_owned();
        let document = Document::new(&input, document_type).with_label("windows-1252");
        let scan = document.scan(&Table::default())?;
        let mut edits = Edits::default();
        document.reference(&scan.links[0]).edit_to("http://h/€/あ/éx", &mut edits);
        let expected = expected.replace("/x", "/éx");
        assert_eq!(edits.splice(&input), WINDOWS_1252.encode(&expected).0.into_owned(), "{text}");
    }
    Ok(())
}
