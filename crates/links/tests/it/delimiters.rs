//! What is before a reference is decoded as before, also where it is a character reference without a semicolon.

use absolve_links::{Document, DocumentType, Edits, Refusal, Table};
use html5ever::data::NAMED_ENTITIES;

/// The references of a document, and the document with all relative ones at this base.
fn rewritten(html: &str, base: &str) -> Result<(Vec<String>, String), Refusal> {
    let document = Document::new(html.as_bytes(), DocumentType::Html);
    let scan = document.scan(&Table::default())?;
    let (mut edits, mut texts) = (Edits::default(), Vec::new());
    for link in &scan.links {
        let reference = document.reference(link);
        texts.push(reference.text().to_owned());
        if !reference.text().contains("://") {
            reference.edit_to(&format!("{base}{}", reference.text()), &mut edits);
        }
    }
    Ok((texts, String::from_utf8_lossy(&edits.splice(html.as_bytes())).into_owned()))
}

#[test]
fn every_reference_without_a_semicolon_is_kept() -> Result<(), Refusal> {
    let is_whole = |(name, characters): &(&&str, &(u32, u32))| !name.ends_with(';') && characters.0 != 0;
    let names = NAMED_ENTITIES.entries().filter(is_whole).map(|(name, _)| format!("&{name}"));
    let numbers = ["&#34", "&#39", "&#32", "&#x22", "&#X27", "&#x20", "&#160", "&#10", "&#9"].map(str::to_owned);
    let (mut seen, mut with_semicolon) = (0, 0);
    for before in names.chain(numbers) {
        for base in ["http://h/", "ftp://h/", "2:"] {
            for reference in ["/a.png", "a.png", "=a", ";a", "../é", "0"] {
                for html in [
                    format!("<p style=\"background:url({before}{reference}{before})\"><a href=b>"),
                    format!("<p style='background:url( {before}{reference}{before} )'><a href=b>"),
                    format!("<meta http-equiv=refresh content=\"0;url={before}{reference}{before}\"><a href=b>"),
                    format!("<img srcset=\"x.png 1x,{before}{reference} 2x\"><a href=b>"),
                    format!("<iframe srcdoc=\"<a href={before}{reference}{before}>\"></iframe><a href=b>"),
                    format!(
                        "<iframe srcdoc=\"<p style='background:url(&amp;{}{reference}&amp;{})'>\"></iframe><a href=b>",
                        &before[1..],
                        &before[1..]
                    ),
                ] {
                    let (texts, output) = rewritten(&html, base)?;
                    let (found, again) = rewritten(&output, base)?;
                    let expected: Vec<String> = texts
                        .iter()
                        .map(|text| if text.contains("://") { text.clone() } else { format!("{base}{text}") })
                        .collect();
                    assert_eq!(found, expected, "{html}\n{output}");
                    assert!(base == "2:" || again == output, "{html}\n{output}\n{again}");
                    seen += 1;
                    with_semicolon += usize::from(output.contains(&format!("{before};{base}")));
                }
            }
        }
    }
    assert!(seen > 10_000 && with_semicolon > 300, "{seen} documents, {with_semicolon} with a semicolon");
    Ok(())
}
