//! Features leave out dependencies. They change nothing of what is still read.

#[cfg(feature = "mail")]
use std::borrow::Cow;

use absolve_rewriter::{Code, DocumentType, Rewriter};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const URL: &str = "https://example.org/d/";

#[test]
fn html_css_and_text_are_read_without_features() -> Outcome {
    for (document_type, document, absolute) in [
        (DocumentType::Html, "<a href=x>", "<a href=https://example.org/d/x>"),
        (DocumentType::Html, "<svg><a xlink:href=x>", "<svg><a xlink:href=https://example.org/d/x>"),
        (DocumentType::Css, "a { b: url(c) }", "a { b: url(https://example.org/d/c) }"),
        (DocumentType::Text, "<URL:x>", "<URL:https://example.org/d/x>"),
    ] {
        let rewritten = Rewriter::default().document(document.as_bytes(), document_type, URL)?;
        assert_eq!(String::from_utf8_lossy(rewritten.bytes()), absolute);
        assert!(rewritten.findings().is_empty(), "{:?}", rewritten.findings());
    }
    Ok(())
}

#[test]
fn xml_is_read_or_reported() -> Outcome {
    let utf_16: Vec<u8> = "\u{FEFF}<html><a href='x'/></html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for xml in [&b"<html><a href='x'/></html>"[..], b"<rss><link>x</link></rss>", b"<x", &utf_16] {
        let rewritten = Rewriter::default().document(xml, DocumentType::Xml, URL)?;
        let codes: Vec<Code> = rewritten.findings().iter().map(|finding| finding.code).collect();
        match cfg!(feature = "xml") {
            true => assert!(rewritten.bytes() != xml || codes == [Code::NotWellFormed], "{codes:?}"),
            false => assert!(rewritten.bytes() == xml && codes == [Code::UnknownType], "{codes:?}"),
        }
    }
    Ok(())
}

#[test]
#[cfg(feature = "mail")]
fn a_message_is_read() -> Outcome {
    let message = b"Content-Type: text/html\nContent-Base: =?us-ascii?Q?http://h/d/?=\n\n<a href=x>";
    assert!(Rewriter::default().message(message, None)?.bytes().ends_with(b"<a href=http://h/d/x>"));
    let mail = Rewriter::default().message(b"Subject: x\n\nno link", None)?;
    assert!(mail.base().is_none() && matches!(mail.into_bytes(), Cow::Borrowed(_)));
    Ok(())
}
