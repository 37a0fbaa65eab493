//! What is before a reference is decoded as before, also where it is a character reference without a semicolon.

use std::sync::LazyLock;

use absolve_links::{Document, DocumentType, Edits, Refusal, Table};
use html5ever::data::NAMED_ENTITIES;

/// A document around a link: of the name of a character reference, without `&`, and the text behind it.
pub type Around = fn(&str, &str) -> String;

/// Documents whose link is in HTML.
pub const IN_HTML: [Around; 3] = [
    |name, text| format!("<meta http-equiv=refresh content=\"0;url=&{name}{text}&{name}\"><a href=b>"),
    |name, text| format!("<iframe srcdoc=\"<a href=&{name}{text}&{name}>\"></iframe><a href=b>"),
    |name, text| {
        format!("<iframe srcdoc=\"<p style='background:url(&amp;{name}{text}&amp;{name})'>\"></iframe><a href=b>")
    },
];

/// Documents whose link is in CSS.
pub const IN_CSS: [Around; 2] = [
    |name, text| format!("<p style=\"background:url(&{name}{text}&{name})\"><a href=b>"),
    |name, text| format!("<p style='background:url( &{name}{text}&{name} )'><a href=b>"),
];

/// Documents whose link is one of candidates.
pub const IN_SRCSET: [Around; 1] = [|name, text| format!("<img srcset=\"x.png 1x,&{name}{text} 2x\"><a href=b>")];

/// The names of all character references that need no semicolon, and of some numbers.
pub static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    const NUMBERS: [&str; 9] = ["#34", "#39", "#32", "#x22", "#X27", "#x20", "#160", "#10", "#9"];
    let is_whole = |(name, characters): &(&&str, &(u32, u32))| !name.ends_with(';') && characters.0 != 0;
    let names = NAMED_ENTITIES.entries().filter(is_whole).map(|(name, _)| (*name).to_owned());
    names.chain(NUMBERS.map(str::to_owned)).collect()
});

/// Checks one of the documents. Returns how many of its results have a semicolon behind the character reference.
pub fn is_kept(around: Around, name: &str, text: &str) -> Result<usize, Refusal> {
    let html = around(name, text);
    let mut with_semicolon = 0;
    for base in ["http://h/", "ftp://h/", "2:"] {
        let (texts, output) = rewritten(&html, base)?;
        let (found, again) = rewritten(&output, base)?;
        let expected: Vec<String> =
            texts.iter().map(|text| target(text, base).unwrap_or_else(|| text.clone())).collect();
        assert_eq!(found, expected, "{html}\n{output}");
        assert!(base == "2:" || again == output, "{html}\n{output}\n{again}");
        with_semicolon += usize::from(output.contains(&format!("&{name};{base}")));
    }
    Ok(with_semicolon)
}

/// Checks documents whose name and text are chosen by any bytes. Returns their number.
pub fn any(bytes: &[u8], documents: &[Around]) -> usize {
    const LONGEST: usize = 40;
    let [first, second, rest @ ..] = bytes else { return 0 };
    let name = &NAMES[usize::from(u16::from_be_bytes([*first, *second])) % NAMES.len()];
    // What ends a value in one of the documents.
    let ends = |character: &char| *character <= ' ' || "\"'<>()\\,`".contains(*character);
    let text: String =
        String::from_utf8_lossy(rest).chars().filter(|character| !ends(character)).take(LONGEST).collect();
    documents.iter().filter(|around| is_kept(**around, name, &text).is_ok()).count()
}

/// Returns the references of a document, and the document with all relative ones at this base.
fn rewritten(html: &str, base: &str) -> Result<(Vec<String>, String), Refusal> {
    let document = Document::new(html.as_bytes(), DocumentType::Html);
    let scan = document.scan(&Table::default())?;
    let (mut edits, mut texts) = (Edits::default(), Vec::new());
    for link in &scan.links {
        let reference = document.reference(link);
        if let Some(target) = target(reference.text(), base) {
            reference.edit_to(&target, &mut edits);
        }
        texts.push(reference.text().to_owned());
    }
    Ok((texts, String::from_utf8_lossy(&edits.splice(html.as_bytes())).into_owned()))
}

fn target(text: &str, base: &str) -> Option<String> {
    (!text.contains("://")).then(|| format!("{base}{text}"))
}
