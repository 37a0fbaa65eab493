//! The nesting depth of a document by its tags, before a tree is built.

use absolve_links::DocumentType;

use crate::limits::{TEXT_BYTES, TEXT_DEPTH, TEXT_WORDS_IN_TAG, TEXT_WORK};

/// Elements of HTML without an end tag, or whose end tag is optional and that do not nest in themselves.
const UNCLOSED: [&str; 30] = [
    "area", "base", "basefont", "bgsound", "body", "br", "col", "colgroup", "dd", "dt", "embed", "frame", "head", "hr",
    "html", "img", "input", "li", "link", "meta", "option", "p", "param", "source", "tbody", "td", "tfoot", "th",
    "thead", "tr",
];

/// Elements that continue after the end of their parent.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// The work of a tag besides that of the elements around it: each of these copies its lines.
const WORK_OF_TAG: usize = 32;

/// Checks that the text can be extracted in linear time.
pub(crate) fn check(text: &str, document_type: DocumentType) -> Result<(), &'static str> {
    if text.len() > TEXT_BYTES {
        return Err("the document is too long for a text");
    }
    let is_xml = document_type == DocumentType::Xml;
    let mut open: Vec<&str> = Vec::new();
    let mut formatting = [0_usize; FORMATTING.len()];
    let mut work = 0;
    for tag in text.split('<').skip(1) {
        let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
        let (is_end, name) = tag.strip_prefix('/').map_or((false, tag), |name| (true, name));
        let name = &name
            [..name.find(|character: char| character.is_ascii_whitespace() || character == '/').unwrap_or(name.len())];
        let is_name = |known: &&str| known.eq_ignore_ascii_case(name);
        let is_unclosed = !is_xml && UNCLOSED.iter().any(|known| known.eq_ignore_ascii_case(name));
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            continue;
        }
        if tag.split_ascii_whitespace().nth(TEXT_WORDS_IN_TAG).is_some() {
            return Err("a tag of the document has too many attributes");
        }
        match (is_end, FORMATTING.iter().position(is_name)) {
            (false, Some(kind)) if !is_xml => formatting[kind] += 1,
            (true, Some(kind)) if !is_xml => formatting[kind] = formatting[kind].saturating_sub(1),
            (false, _) if is_xml && tag.ends_with('/') => {}
            (false, _) if is_unclosed => {}
            (false, _) => open.push(name),
            // An end tag without a start tag is ignored.
            (true, _) => open.truncate(open.iter().rposition(is_name).unwrap_or(open.len())),
        }
        let depth = open.len() + formatting.iter().sum::<usize>();
        if depth > TEXT_DEPTH {
            return Err("the elements of the document nest too deep");
        }
        work += if is_end { 0 } else { WORK_OF_TAG + depth };
        if work > TEXT_WORK {
            return Err("the document has too many elements, or they nest too deep for their number");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use absolve_links::DocumentType;

    use super::check;

    #[test]
    fn hostile_documents_are_reported() {
        let reopened = format!("<div>{}</div>", (0..100).map(|id| format!("<b id={id}>x")).collect::<String>());
        for html in [
            "<div>".repeat(501),
            "<div/>".repeat(501),
            "<div></b>".repeat(501),
            "<DIV></span>".repeat(501),
            "<ruby><rt>".repeat(501),
            "<optgroup>".repeat(501),
            "<my-box>".repeat(501),
            "<b id=1>x".repeat(501),
            reopened.repeat(6),
            format!("<p {}>", "a=b ".repeat(5_000)),
            format!("{}{}", "<blockquote>".repeat(400), "<p>x".repeat(50_000)),
            "<p>x".repeat(600_000),
            "x".repeat((8 << 20) + 1),
        ] {
            assert!(check(&html, DocumentType::Html).is_err(), "{}", &html[..20]);
        }
        assert!(check(&"<p>".repeat(501), DocumentType::Xml).is_err());
    }

    #[test]
    fn others_are_not() {
        for html in
            ["<div></div>", "<p>x<br><li>", "<DIV><b>x</B></div>", "<td><table></table>", "a < b", "</b></i>", "<img/>"]
        {
            assert_eq!(check(&html.repeat(9_000), DocumentType::Html), Ok(()), "{html}");
        }
        assert_eq!(check(&"<div/><a b='c' />".repeat(9_000), DocumentType::Xml), Ok(()));
    }
}
