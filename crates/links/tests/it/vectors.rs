//! The references that are found in a document, and those that are not.

use absolve_links::{Document, DocumentType, Edits, Refusal, Table};
use absolve_testing::fixtures;
use encoding_rs::WINDOWS_1252;
use serde_json::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn documents() -> Outcome {
    let path = fixtures().join("links/documents.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path)?)?;
    let mut failures = Vec::new();
    for case in &cases {
        let document_type =
            DocumentType::named(case["type"].as_str().unwrap_or("html")).ok_or("the type is unknown")?;
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

/// In Shift_JIS, GBK and Big5 the byte of `\` may be a trail byte, and is no backslash then.
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

/// A character that the encoding lacks is written as a character reference or an escape.
#[test]
fn what_cannot_be_encoded_is_escaped() -> Outcome {
    for (text, document_type, expected) in [
        ("<a href=x>", DocumentType::Html, "<a href=http://h/€/&#12354;/x>"),
        ("a{b:url(x)}", DocumentType::Css, "a{b:url(http://h/€/\\3042 /x)}"),
    ] {
        // The encoding matters if the value has a byte beyond ASCII.
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

/// Once a value with such quotes extended into the next tags, and its link contained theirs.
#[test]
fn a_value_of_xml_ends_with_its_tag() {
    let document = Document::new(b"<r><a b\"c=' d\"><e href='x'/></a></r>", DocumentType::Xml);
    assert_eq!(document.scan(&Table::default()), Err(Refusal::NotWellFormed(3)));
}

/// Once readers differed in which of the attributes counts.
#[test]
fn an_attribute_of_xml_is_quoted_and_not_repeated() {
    let many: String = (0..20).map(|number| format!(" a{number}='b'")).collect();
    for attributes in
        ["type=tent type='html'", "type='html' type='text'", "type", "type='html' b=c", &format!("{many} a0='c'")]
    {
        let feed = format!("<feed xmlns='http://www.w3.org/2005/Atom'><content {attributes}>x</content></feed>");
        let document = Document::new(feed.as_bytes(), DocumentType::Xml);
        assert_eq!(document.scan(&Table::default()), Err(Refusal::NotWellFormed(42)), "{attributes}");
    }
}

/// A NUL at the start of a value is not trimmed like white space. Browsers decode it as U+FFFD.
#[test]
fn a_nul_is_a_character() -> Outcome {
    for (bytes, document_type) in [
        (&b"<a href='\0x'>"[..], DocumentType::Html),
        (b"<p style='a:url(\0x)'>", DocumentType::Html),
        (b"a{b:url(\0x)}", DocumentType::Css),
        (b"a{b:url('\0x')}", DocumentType::Css),
    ] {
        let document = Document::new(bytes, document_type);
        let scan = document.scan(&Table::default())?;
        assert_eq!(document.reference(&scan.links[0]).text(), "\u{fffd}x", "{}", String::from_utf8_lossy(bytes));
    }
    Ok(())
}

/// Once a late label of a 7-bit encoding, in a page with other bytes, damaged all references.
#[test]
fn a_late_label_of_utf_7_does_not_count() -> Outcome {
    let page = [&b"<a href='\xff'>"[..], &b" ".repeat(2_000), b"<meta charset=utf-7>"].concat();
    let document = Document::new(&page, DocumentType::Html);
    let scan = document.scan(&Table::default())?;
    assert_eq!(document.reference(&scan.links[0]).text(), "ÿ");
    Ok(())
}

/// An unquoted value that becomes empty would take the next attribute for its value.
#[test]
fn an_empty_unquoted_value_gets_quotes() -> Outcome {
    for (html, expected) in [
        ("<base href=x target=y>", "<base href=\"\" target=y>"),
        ("<base href='x' target=y>", "<base href='' target=y>"),
        ("<iframe srcdoc=\"<base href=x target=y>\">", "<iframe srcdoc=\"<base href=&quot;&quot; target=y>\">"),
        ("<iframe srcdoc='<base href=x>'>", "<iframe srcdoc='<base href=\"\">'>"),
    ] {
        let document = Document::new(html.as_bytes(), DocumentType::Html);
        let scan = document.scan(&Table::default())?;
        let mut edits = Edits::default();
        document.reference(&scan.links[0]).edit_to("", &mut edits);
        assert_eq!(String::from_utf8_lossy(&edits.splice(html.as_bytes())), expected);
    }
    Ok(())
}

/// A character that XML does not have, and an instruction without a name, are not well-formed.
#[test]
fn xml_of_wrong_characters_is_refused() {
    let scan = |xml: &str| Document::new(xml.as_bytes(), DocumentType::Xml).scan(&Table::default());
    for (content, is_refused) in [
        ("&#0;", true),
        ("&#xD800;", true),
        ("&#x110000;", true),
        ("&#1;", true),
        ("<b c='&#x0;'/>", true),
        ("<??>", true),
        ("<? b?>", true),
        ("&#10;&#x1F600;&amp;#0; &#0 & &# ", false),
        ("<!-- &#0; --><![CDATA[&#0;]]><?b &#0;?>", false),
    ] {
        assert_eq!(scan(&format!("<a>{content}</a>")).is_err(), is_refused, "{content}");
    }
}

/// Two editions of HTML differ in elements of raw text within a `<select>`.
#[test]
fn raw_text_in_a_select_is_disputed() {
    for (html, byte) in [
        ("<select><style>a{b:url(x)}</style></select><a href=y>", Some(8)),
        ("<SELECT><option>a<Title>b</title><a href=y>", Some(17)),
        ("<svg><p></svg><select><xmp><a href=y>", Some(22)),
        ("<select><option>a</SELECT><style>a{b:url(x)}</style>", None),
        ("<select></select><select></select><title>b</title><a href=y>", None),
        ("<select><script></script><textarea></textarea><a href=y>", None),
    ] {
        let found = Document::new(html.as_bytes(), DocumentType::Html).scan(&Table::default());
        assert_eq!(found.err(), byte.map(Refusal::Disputed), "{html}");
    }
}

/// A byte order mark is no part of the name that follows it.
#[test]
fn a_stylesheet_begins_after_its_mark() -> Outcome {
    for css in ["\u{FEFF}url(x)", "\u{FEFF}@import 'x';", "\u{FEFF}a{b:url(x)}"] {
        let document = Document::new(css.as_bytes(), DocumentType::Css);
        let mut edits = Edits::default();
        document.reference(&document.scan(&Table::default())?.links[0]).edit_to("http://h/x", &mut edits);
        assert_eq!(edits.splice(css.as_bytes()), css.replace('x', "http://h/x").into_bytes());
    }
    Ok(())
}
