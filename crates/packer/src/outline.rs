//! How a document is nested, told from its tags alone, before anything is built of it.

/// Elements within elements beyond which no text is made.
const DEPTH: usize = 500;

/// Words in a tag, attributes above all, beyond which no text is made.
const WORDS_IN_TAG: usize = 5_000;

/// Bytes of a document beyond which no text is made.
const BYTES: usize = 8 << 20;

/// Elements that end by themselves, or have nothing in them.
const UNCLOSED: [&str; 33] = [
    "area", "base", "basefont", "bgsound", "body", "br", "col", "colgroup", "dd", "dt", "embed", "frame", "head", "hr",
    "html", "img", "input", "li", "link", "meta", "optgroup", "option", "p", "param", "rp", "rt", "source", "tbody",
    "td", "tfoot", "th", "thead", "tr",
];

/// Whether a text can be made of a document in a time that grows with its length; why not, if it cannot.
pub(crate) fn check(html: &str) -> Result<(), &'static str> {
    if html.len() > BYTES {
        return Err("the document is too long to be made a text");
    }
    let mut depth = 0_usize;
    for tag in html.split('<').skip(1) {
        let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
        let (is_end, name) = tag.strip_prefix('/').map_or((false, tag), |name| (true, name));
        let name = &name[..name.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(name.len())];
        if name.is_empty() {
            continue;
        }
        if tag.split_ascii_whitespace().nth(WORDS_IN_TAG).is_some() {
            return Err("a tag of the document has too many attributes");
        }
        if is_end {
            depth = depth.saturating_sub(1);
        } else if !tag.ends_with('/') && !UNCLOSED.iter().any(|unclosed| unclosed.eq_ignore_ascii_case(name)) {
            depth += 1;
        }
        if depth > DEPTH {
            return Err("the elements of the document nest too deep");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn hostile_documents_are_told() {
        for html in [
            "<div>".repeat(501),
            "<b id=1>x".repeat(501),
            format!("<p {}>", "a=b ".repeat(5_000)),
            "x".repeat((8 << 20) + 1),
        ] {
            assert!(check(&html).is_err(), "{}", &html[..20]);
        }
        for html in
            ["<div></div>".repeat(9_000), "<p>x<br><li>".repeat(9_000), "<a b/>".repeat(9_000), "a < b".repeat(9_000)]
        {
            assert_eq!(check(&html), Ok(()), "{}", &html[..20]);
        }
    }
}
