//! Third-party test vectors: the srcset tests of browsers, and the tokenizer tests of CSS.

use absolve_links::{Document, DocumentType, Row, Table};
use absolve_testing::corpus;
use serde_json::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn references(
    bytes: &[u8],
    document_type: DocumentType,
    table: &Table,
) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let document = Document::new(bytes, document_type);
    let scan = document.scan(table)?;
    Ok(scan.links.iter().map(|link| document.reference(link).text().to_owned()).collect())
}

/// The image that browsers choose from each srcset is among the candidates found.
#[test]
fn srcset_tests_of_browsers() -> Outcome {
    const FOLDER: &str = "wpt-srcset-css/html/semantics/embedded-content/the-img-element/srcset";
    let Some(path) = corpus(&format!("{FOLDER}/parse-a-srcset-attribute.html")) else { return Ok(()) };
    let page = std::fs::read_to_string(path)?;
    let row = |text: &str| text.parse::<Row>();
    let (srcset, expected) =
        (Table::new(vec![row("img@srcset=srcset")?]), Table::new(vec![row("img@data-expect=url")?]));
    let (mut run, mut chosen) = (0, 0);
    for line in page.lines().filter(|line| line.starts_with("<img ")) {
        let candidates = references(line.as_bytes(), DocumentType::Html, &srcset)?;
        let expected = references(line.as_bytes(), DocumentType::Html, &expected)?;
        run += 1;
        if let Some(wanted) = expected.first().filter(|wanted| !wanted.is_empty()) {
            // Candidates have no white space at their ends.
            assert!(
                candidates.iter().any(|candidate| candidate.trim_ascii() == wanted.trim_ascii()),
                "{line}: {candidates:?}"
            );
            chosen += 1;
        }
    }
    assert_eq!((run, chosen), (236, 49));
    Ok(())
}

/// Exactly the URLs that the tokenizer tests expect are found.
#[test]
fn tokenizer_tests_of_css() -> Outcome {
    let Some(path) = corpus("css-parsing-tests/component_value_list.json") else { return Ok(()) };
    let tests: Vec<Value> = serde_json::from_slice(&std::fs::read(path)?)?;
    let mut found = 0;
    for test in tests.chunks(2) {
        let (Some(input), Some(tokens)) = (test[0].as_str(), test[1].as_array()) else { continue };
        let mut expected = Vec::new();
        urls(tokens, &mut expected);
        // A NUL stays in the bytes, and is decoded as U+FFFD.
        let seen = references(input.as_bytes(), DocumentType::Css, &Table::default())?;
        let seen: Vec<String> = seen.iter().map(|reference| reference.replace('\0', "\u{FFFD}")).collect();
        assert_eq!(seen, expected, "{input:?}");
        found += expected.len();
    }
    assert_eq!((tests.len() / 2, found), (50, 27));
    Ok(())
}

fn urls(tokens: &[Value], found: &mut Vec<String>) {
    for token in tokens.iter().filter_map(Value::as_array) {
        match token.iter().map(Value::as_str).take(2).collect::<Vec<_>>()[..] {
            [Some("url"), Some(url)] => found.push(url.to_owned()),
            [Some("function"), Some(name)] if name.eq_ignore_ascii_case("url") => {
                let strings = token.iter().filter_map(Value::as_array).filter(|inner| inner[0] == "string");
                found.extend(strings.filter_map(|string| string[1].as_str().map(str::to_owned)));
            }
            _ => urls(token, found),
        }
    }
}
