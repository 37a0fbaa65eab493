//! The texts of anchors, and the values of `rel`.

use absolve_links::{Document, DocumentType, Scan, Table};

fn scan(document: &Document<'_>) -> Scan {
    document.scan(&Table::default()).expect("it is a document")
}

/// Returns the text and the `rel` of each link.
fn annotations(bytes: &[u8], document_type: DocumentType) -> Vec<(Option<String>, Option<String>)> {
    let scan = scan(&Document::new(bytes, document_type).with_annotations());
    let of = |link: usize| scan.annotation(link).map(|found| (found.text.clone(), found.rel.clone()));
    (0..scan.links.len()).map(|link| of(link).unwrap_or_default()).collect()
}

fn texts(page: &str) -> Vec<String> {
    texts_of(page.as_bytes(), DocumentType::Html)
}

fn texts_of(bytes: &[u8], document_type: DocumentType) -> Vec<String> {
    let text = |(text, _): (Option<String>, _)| text.unwrap_or_else(|| "-".to_owned());
    annotations(bytes, document_type).into_iter().map(text).collect()
}

#[test]
fn anchors_have_texts() {
    for (page, expected) in [
        ("<a href=x>The\n <b>next</b>  page </a> after", &["The next page"][..]),
        ("<a href=x>fish &amp; chips&nbsp;&copy &#x41;</a>", &["fish & chips © A"]),
        ("<a href=x></a><a href=y><img src=z alt=no></a>", &["", "", "-"]),
        ("<a href=x>one<a href=y>two</A >three", &["one", "two"]),
        ("<a href=x>one<a name=y>two</a>", &["one"]),
        ("<a href=x>a<script>'</a>'</script><style>b{}</style>c<!-- d -->e</a>", &["ace"]),
        ("<a href=x>one <p>two</p></body> three", &["one two"]),
        ("<a href=x>1 < 2 <3</a>", &["1 < 2 <3"]),
        ("<a href=x>one", &["one"]),
        ("<a href=x title='</a>'>one</a>", &["one"]),
        ("<a href=x ping='y z'>one</a>", &["one", "one", "one"]),
        ("<area href=x>one<link href=y>two", &["-", "-"]),
        ("<!--[if IE]><a href=x>one<![endif]--><a href=y>two</a>", &["one", "two"]),
        ("<iframe srcdoc='<a href=x>one</a>'></iframe><a href=y>two</a>", &["one", "two"]),
        ("<a style='background: url(x)'>one</a>", &["one"]),
    ] {
        assert_eq!(texts(page), expected, "{page}");
    }
}

#[test]
fn hostile_texts_are_short_and_clean() {
    assert_eq!(texts("<a href=x>a\0b\x01c\x7fd\r\n\te</a>"), ["ab c d e"]);
    assert_eq!(texts("<a href=x>&#0;&#xD800;&#x110000;&#1;&#13;.</a>"), ["\u{FFFD}\u{FFFD}\u{FFFD} ."]);
    let long = texts(&format!("<a href=x>{}</a>", "é ".repeat(1 << 20)));
    // A hundred letters and the spaces between them: the next space would be the last character.
    assert_eq!(long[0].chars().count(), 199);
    let cut = texts(&format!("<a href=x>{} b</a>", "a".repeat(199)));
    assert_eq!(cut, ["a".repeat(199)]);
    let spaces = texts(&format!("<a href=x>{}end</a>", " ".repeat(1 << 20)));
    assert_eq!(spaces, ["end"]);
    assert_eq!(texts(&"<a href=x>".repeat(50_000)).len(), 50_000);
}

/// The last anchor of each comment is not read to the end of the page.
#[test]
fn many_comments_with_open_anchors() {
    let page = "<!--[if IE]><a href=x>one<![endif]-->".repeat(50_000);
    assert!(texts(&page).iter().all(|text| text == "one"));
    let page = format!("<a ping='{}' rel='{}'>", "x ".repeat(50_000), "y ".repeat(50_000));
    assert_eq!(texts(&page).len(), 50_000);
}

#[test]
fn texts_are_decoded_from_their_charset() {
    let sjis = [&b"<meta charset=shift_jis><a href=x>"[..], b"\x93\xFA\x96{", b"</a>"].concat();
    assert_eq!(texts_of(&sjis, DocumentType::Html), ["日本"]);
    let utf_16: Vec<u8> = "\u{FEFF}<p><a href=x rel=me>é</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(annotations(&utf_16, DocumentType::Html), [(Some("é".to_owned()), Some("me".to_owned()))]);
    assert_eq!(texts_of(b"<a href=x>caf\xE9</a>", DocumentType::Html), ["café"]);
    assert_eq!(texts_of("<a href=x>caf\u{E9}</a>".as_bytes(), DocumentType::Html), ["café"]);
}

#[test]
fn relations() {
    let rels = |page: &str, document_type| -> Vec<String> {
        let rel = |(_, rel): (_, Option<String>)| rel.unwrap_or_else(|| "-".to_owned());
        annotations(page.as_bytes(), document_type).into_iter().map(rel).collect()
    };
    let page = "<link rel=' stylesheet  alternate' href=a><a href=b rel='no&#102;ollow' REL=x>c</a><img src=d rel=e>\
                <area href=f rel><form action=g rel=h>";
    assert_eq!(rels(page, DocumentType::Html), ["stylesheet alternate", "nofollow", "-", "", "h"]);
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='self' href='a'/></feed>";
    assert_eq!(rels(feed, DocumentType::Xml), ["self"]);
}

#[test]
fn anchors_of_xml() {
    let page = "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:a href='x'>one <h:style/><![CDATA[<&amp;]]>&#50;</h:a>\
                <h:a href='y'/>two</h:html>";
    assert_eq!(texts_of(page.as_bytes(), DocumentType::Xml), ["one <&amp;2", ""]);
}

#[test]
fn without_a_request_there_are_no_annotations() {
    let plain = scan(&Document::new(b"<a href=x rel=y>z</a>", DocumentType::Html));
    assert!(plain.annotations.is_empty() && plain.annotation(0).is_none());
}
