//! The verifier accepts correct rewrites of odd links and odd bases.

use std::fs::File;
use std::io::{self, Write};

use absolve_links::DocumentType;
use absolve_verifier::{
    BaseElement, SameDocument, Settings, Spelling, Standard, Surroundings, verify_document, verify_mbox,
    verify_unconverted,
};

/// Returns the differences between a page and its rewrite.
fn differences(original: &[u8], rewritten: &[u8], url: &str) -> Vec<String> {
    differences_of(DocumentType::Html, original, rewritten, url)
}

fn differences_of(document_type: DocumentType, original: &[u8], rewritten: &[u8], url: &str) -> Vec<String> {
    let around = Surroundings { retrieval: Some(url.to_owned()), ..Surroundings::default() };
    let verdict = verify_document(original, rewritten, document_type, None, &around, &Settings::default());
    verdict.differences.iter().map(ToString::to_string).collect()
}

fn accepted_xml(original: &str, rewritten: &str) {
    let found = differences_of(DocumentType::Xml, original.as_bytes(), rewritten.as_bytes(), URL);
    assert_eq!(found, [""; 0], "{original}");
}

fn accepted(original: &str, rewritten: &str, url: &str) {
    assert_eq!(differences(original.as_bytes(), rewritten.as_bytes(), url), [""; 0], "{original}");
}

fn refused(original: &str, rewritten: &str, url: &str) {
    assert!(!differences(original.as_bytes(), rewritten.as_bytes(), url).is_empty(), "{original}: {rewritten}");
}

const URL: &str = "http://e/q/w/z";

#[test]
fn dots_behind_an_authority_are_accepted() {
    accepted("<a href='//h/a/../b'>", "<a href='http://h/a/../b'>", URL);
    accepted("<a href='//h/a/../b'>", "<a href='http://h/b'>", URL);
    refused("<a href='a/../b'>", "<a href='http://e/q/w/a/../b'>", URL);
}

#[test]
fn a_host_behind_a_scheme_without_slashes_is_accepted() {
    accepted("<a href='https:h/a/../b'>", "<a href='https://h/a/../b'>", URL);
    accepted("<base href='https:h:/a/'><a href=x>", "<base href='https://h:/a/'><a href=https://h:/a/x>", URL);
    accepted("<base href='\\/h:/a/'><a href=x>", "<base href='http://h:/a/'><a href=http://h:/a/x>", URL);
    refused("<a href='http:a/../b'>", "<a href='http://e/q/w/a/../b'>", URL);
}

#[test]
fn white_space_before_a_placeholder_does_not_make_it_a_base() {
    for base in ["\t{{base}}/", " %%=v(@base)=%%"] {
        let page = |link: &str| format!("<base href=\"{base}\"><a href=\"{link}\">");
        accepted(&page("x"), &page("x"), URL);
        refused(&page("x"), &page("http://e/q/w/x"), URL);
    }
}

#[test]
fn an_ampersand_in_a_base_is_not_an_entity() {
    accepted(
        "<base href='&foo;/'><a href=x>",
        "<base href='http://e/q/w/&foo;/'><a href=http://e/q/w/&amp;foo;/x>",
        URL,
    );
    for base in ["&amp;amp;", "x&amp;amp;", "&amp;&amp;amp;"] {
        let rss = |start: &str| format!("<rss xml:base='{start}{base}'><link>{start}q</link></rss>");
        accepted_xml(&rss(""), &rss("http://e/q/w/"));
    }
    accepted_xml("<rss xml:base='&foo;'><link>q</link></rss>", "<rss xml:base='&foo;'><link>q</link></rss>");
}

#[test]
fn a_name_of_html_in_a_feed_is_accepted() {
    accepted_xml("<rss><link>&eacute;x</link></rss>", "<rss><link>http://e/q/w/&eacute;x</link></rss>");
    let declared = "<!DOCTYPE rss [<!ENTITY eacute 'y'>]><rss><link>&eacute;x</link></rss>";
    accepted_xml(declared, declared);
}

#[test]
fn an_ampersand_in_a_section_is_not_an_entity() {
    let rss = |start: &str| format!("<rss><link><![CDATA[{start}x&foo;]]></link></rss>");
    accepted_xml(&rss(""), &rss("http://e/q/w/"));
    let composed = "<rss><link>x&foo;</link></rss>";
    accepted_xml(composed, composed);
}

#[test]
fn a_line_end_in_an_attribute_of_xml_is_a_space() {
    let feed = |href: &str| format!("<feed><link href=\"{href}\"/></feed>");
    accepted_xml(&feed("./\n\\"), &feed("http://e/q/w/ /"));
}

#[test]
fn a_letter_that_is_not_ascii_behind_a_comment_in_xml_is_accepted() {
    let svg = |start: &str| {
        format!("<svg xmlns='http://www.w3.org/2000/svg'><style><!-- -->é{{b:url({start}x)}}</style></svg>")
    };
    accepted_xml(&svg(""), &svg("http://e/q/w/"));
}

#[test]
fn slashes_as_character_references_are_accepted() {
    accepted("<a href='&#47;a&amp;b'>", "<a href='http://e&#47;a&amp;b'>", URL);
    accepted("<a href='..&#x2F;a'>", "<a href='http://e/q&#x2F;a'>", URL);
    refused("<a href='..&#x2F;&#97;'>", "<a href='http://e/q&#x2F;a'>", URL);
    refused("<a href='a&amp;b'>", "<a href='http://e/q/w/a&b'>", URL);
}

#[test]
fn a_path_with_dots_in_utf_16_is_accepted() {
    let wide = |text: &str| -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let original = wide("<a href='../x.html'>");
    assert_eq!(differences(&original, &wide("<a href='http://e/q/x.html'>"), URL), [""; 0]);
    assert!(!differences(&original, &wide("<a href='http://e/q/&#120;.html'>"), URL).is_empty());
}

#[test]
fn escaped_slashes_in_css_are_accepted() {
    let page = |url: &str| format!("<style>a{{b:url({url})}}</style>");
    accepted(&page(r"\/\/h/x"), &page(r"http:\/\/h/x"), URL);
    accepted(&page(r"..\/x\2e y"), &page(r"http://e/q\/x\2e y"), URL);
    refused(&page(r"..\/x\2e y"), &page(r"http://e/q\/x.y"), URL);
}

#[test]
fn a_letter_with_a_colon_is_no_drive() {
    accepted("<a href='/a:/../b'><a href='c|/..'>", "<a href='http://e/b'><a href='http://e/q/w/'>", URL);
    refused("<a href='/a:/../b'>", "<a href='http://e/a:/b'>", URL);
    accepted("<a href='b'>", "<a href='http://e/a:/b'>", "http://e/a:/");
}

#[test]
fn a_base_may_go_that_has_other_links() {
    let tag = "<base title='a>b' href='e/' style=\"background:url(x)\">";
    let left = "<base title='a>b' style=\"background:url(http://e/q/w/e/x)\">";
    let page = |base: &str, link: &str| format!("{base}<p style='a:url(&quot{link}&quot)'>");
    for (base_element, base, gone) in [
        (BaseElement::Remove, tag, left.to_owned()),
        (BaseElement::Comment, tag, format!("<!--{tag}-->")),
        (BaseElement::Comment, "<base href='e/' title='--'>", "<base title='--'>".to_owned()),
    ] {
        let settings = Settings { base_element, ..Settings::default() };
        let around = Surroundings { retrieval: Some(URL.to_owned()), ..Surroundings::default() };
        let differences = |link: &str| {
            let (original, rewritten) = (page(base, "/y"), page(&gone, link));
            let (original, rewritten) = (original.as_bytes(), rewritten.as_bytes());
            verify_document(original, rewritten, DocumentType::Html, None, &around, &settings).differences
        };
        assert_eq!(differences(";http://e/y"), [], "{gone}");
        assert_ne!(differences("/y"), [], "{gone}");
    }
}

#[test]
fn a_base_with_three_slashes_is_accepted() {
    accepted("<base href='http:///h/a/b'><a href=c>", "<base href='http:///h/a/b'><a href=http://h/a/c>", URL);
    refused("<base href='http:///h/a/b'><a href=c>", "<base href='http:///h/a/b'><a href=http://H/a/c>", URL);
}

#[test]
fn slashes_of_a_base_are_kept_by_a_standard_that_finds_an_empty_host() {
    let found = |rewritten: &str, standard| {
        let (original, settings) =
            (b"<base href='http:///h/a'><a href=c>", Settings { standard, ..Settings::default() });
        let rewritten = format!("<base href='http:///h/a'><a href={rewritten}>");
        let around = Surroundings::default();
        verify_document(original, rewritten.as_bytes(), DocumentType::Html, None, &around, &settings).differences
    };
    assert_eq!(found("http:///h/c", Standard::Rfc3986), []);
    assert_ne!(found("http://h/c", Standard::Rfc3986), []);
    assert_eq!(found("http://h/c", Standard::Whatwg), []);
}

#[test]
fn a_url_without_a_host_behind_its_user_name_is_no_base() {
    for base in ["h://@", "h://@/", " h://\n@"] {
        let page = |link: &str| format!("<base href='{base}'><a href={link}>");
        accepted(&page("x"), &page("http://e/q/w/x"), URL);
        refused(&page("x"), &page("h://@/x"), URL);
    }
    let page = |link: &str| format!("<base href='h://h/'><a href='{link}'>");
    accepted(&page("//@"), &page("//@"), URL);
    refused(&page("//@"), &page("h://@"), URL);
}

#[test]
fn an_escaped_comma_or_quote_of_the_base_is_accepted() {
    let url = "http://e/it's/a,b/";
    accepted(
        "<applet archive='a.jar,b.jar'>",
        "<applet archive='http://e/it&#39;s/a%2Cb/a.jar,http://e/it&#39;s/a%2Cb/b.jar'>",
        url,
    );
    let refresh = |url: &str| format!("<meta http-equiv=refresh content=\"0;url='{url}'\">");
    accepted(&refresh("x"), &refresh("http://e/it%27s/a,b/x"), url);
    refused("<a href='x'>", "<a href='http://e/it%27s/a,b/x'>", url);
}

#[test]
fn what_stands_before_the_first_separator_line_is_not_a_message() -> io::Result<()> {
    let mbox = b"Content-Base: http://h/\n\n<URL:x>\n\nFrom a@b Thu Jan  1 00:00:00 1998\nSubject: x\n\n";
    let verdict = verify_mbox(&mbox[..], &mbox[..], &Settings::default())?;
    assert!(verdict.holds() && verdict.counts.records == 1, "{verdict:?}");
    let changed = String::from_utf8_lossy(mbox).replace("URL:x", "URL:http://h/x");
    assert!(!verify_mbox(&mbox[..], changed.as_bytes(), &Settings::default())?.holds());
    Ok(())
}

#[test]
fn one_file_may_be_both_sides() -> io::Result<()> {
    let mut archive = tempfile::tempfile()?;
    for number in 0..5_000 {
        let url = format!("http://h/{number}");
        write!(archive, "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\nContent-Type: text/plain\r\n")?;
        write!(archive, "Content-Length: {}\r\n\r\n{url}\r\n\r\n", url.len())?;
    }
    let verdict = verify_unconverted(&archive, &Settings::default())?;
    assert!(verdict.holds() && verdict.counts.records == 5_000, "{:?}", verdict.differences);
    let file: &File = &archive;
    let verdict = absolve_verifier::verify_archive(
        file,
        file,
        "a.warc".as_ref(),
        absolve_verifier::WarcOutput::Append,
        &Settings::default(),
    )?;
    assert!(verdict.holds() && verdict.counts.records == 5_000, "{:?}", verdict.differences);
    Ok(())
}

#[test]
fn a_semicolon_may_end_a_character_reference_before_a_link() {
    accepted(
        "<p style=\"background:url(&quot/a.png&quot)\">",
        "<p style=\"background:url(&quot;http://e/a.png&quot)\">",
        URL,
    );
    accepted(
        "<iframe srcdoc=\"<p style='background:url(&amp;#34/a.png&amp;#34)'>\"></iframe>",
        "<iframe srcdoc=\"<p style='background:url(&amp;#34;http://e/a.png&amp;#34)'>\"></iframe>",
        URL,
    );
    refused(
        "<p style=\"background:url(&quot/a.png&quot)\">",
        "<p style=\"background:url(&quothttp://e/a.png&quot)\">",
        URL,
    );
    refused("<p style=\"background:url(/a.png)\">", "<p style=\"background:url(;http://e/a.png)\">", URL);
    refused("<a title=x href=/a.png>", "<a title=x; href=http://e/a.png>", URL);
}

#[test]
fn an_attribute_without_a_value_gets_one_in_a_nested_document() {
    let settings = Settings { same_document: SameDocument::Absolute, ..Settings::default() };
    let around = Surroundings { retrieval: Some(URL.to_owned()), ..Surroundings::default() };
    let holds = |original: &[u8], rewritten: &[u8]| {
        verify_document(original, rewritten, DocumentType::Html, None, &around, &settings).holds()
    };
    for (before, behind, quote, other) in [
        ("<iframe srcdoc=\"<a href", ">x\">", "&quot;", "&amp;quot;"),
        ("<iframe srcdoc=\"<iframe srcdoc='<a href", ">x'>\">", "&quot;", "&amp;amp;quot;"),
        ("<iframe srcdoc=\"<iframe srcdoc=&quot;<a href", ">x&quot;>\">", "&amp;quot;", "&quot;"),
    ] {
        let original = format!("{before}{behind}");
        let written = |start: &str, end: &str| {
            holds(original.as_bytes(), format!("{before}={start}{URL}{end}{behind}").as_bytes())
        };
        assert!(written(quote, quote), "{original}");
        assert!(!written(quote, "") && !written("", "") && !written(other, other), "{original}");
    }
    let wide = |text: &str| format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    assert!(holds(&wide("<a href>"), &wide(&format!("<a href=\"{URL}\">"))));
}

#[test]
fn a_host_behind_one_slash_may_have_an_empty_port() {
    accepted("<a href='https:/p://h/d'>", "<a href='https://p://h/d'>", URL);
    refused("<a href='https:/p://h/d'>", "<a href='https://p/h/d'>", URL);
}

#[test]
fn a_host_in_ascii_differs_from_what_was_written() {
    let settings = Settings { spelling: Spelling::Ascii, ..Settings::default() };
    let around = Surroundings { retrieval: Some(URL.to_owned()), ..Surroundings::default() };
    let holds = |old: &str, new: &str| {
        let page = |link: &str| format!("<a href='{link}'>").into_bytes();
        verify_document(&page(old), &page(new), DocumentType::Html, None, &around, &settings).holds()
    };
    assert!(holds("//c\u{ac}dn.example/%7e", "http://xn--cdn-cfa.example/%7e"));
    assert!(holds("//b\u{fc}cher", "http://xn--bcher-kva"));
    assert!(!holds("//b\u{fc}cher", "http://xn--bcher-kvb"));
    assert!(!holds("//c\u{ac}dn.example/%7e", "http://xn--cdn-cfa.example/~"));
    assert!(!holds("//c\u{ac}dn.example/x", "http://cdn.example/x"));
}

#[test]
fn prefixes_in_xml_differ_by_case() {
    let feed = |link: &str| {
        format!("<feed xmlns='http://www.w3.org/2005/Atom' Xml:base='http://h/'><link href='{link}'/></feed>")
    };
    accepted_xml(&feed("x"), &feed("http://e/q/w/x"));
    let svg = |link: &str| {
        format!("<svg xmlns='http://www.w3.org/2000/svg'><use xLink:href='g'/><image href='{link}'/></svg>")
    };
    accepted_xml(&svg("x"), &svg("http://e/q/w/x"));
    let rss = "<rss xmlnS:m='http://search.yahoo.com/mrss/' xmlns:M='http://search.yahoo.com/mrss/'><m:content url='x'/></rss>";
    accepted_xml(rss, rss);
    let declared = rss.replace("xmlnS", "xmlns");
    accepted_xml(&declared, &declared.replace("'x'", "'http://e/q/w/x'"));
    assert!(!differences_of(DocumentType::Xml, declared.as_bytes(), declared.as_bytes(), URL).is_empty());
}

#[test]
fn a_prefix_of_xml_in_another_case_is_another() {
    for (start, end) in [
        (
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'><a xLink:href='",
            "'/></svg>",
        ),
        ("<feed><entry xmL:base='", "'/></feed>"),
        ("<feed><div Xmlns='http://www.w3.org/1999/xhtml'><img src='", "'/></div></feed>"),
        ("<feed><XHTML:img xmlns:xhtml='http://www.w3.org/1999/xhtml' src='", "'/></feed>"),
    ] {
        let document = |link: &str| [start, link, end].concat();
        accepted_xml(&document("x"), &document("x"));
        let changed = document("http://e/q/w/x");
        assert_ne!(differences_of(DocumentType::Xml, document("x").as_bytes(), changed.as_bytes(), URL), [""; 0]);
    }
    let feed = |link: &str| format!("<feed xmlnS='http://h/'><link HREF='{link}'/></feed>");
    accepted_xml(&feed("x"), &feed("http://e/q/w/x"));
}

#[test]
fn numbers_without_a_semicolon_end_with_their_digits() {
    for (quote, path, absolute) in [
        ("&#39", "/a.png", "http://e/a.png"),
        ("&#39", "c.png", "http://e/q/w/c.png"),
        ("&#34", "c.png", "http://e/q/w/c.png"),
        ("&#x22", "/a.png", "http://e/a.png"),
    ] {
        let page = |link: &str| format!("<p style=\"background:url({quote}{link}{quote})\">");
        accepted(&page(path), &page(absolute), URL);
    }
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let page = |link: &str| utf_16(&format!("\u{feff}<p style=\"background:url(&quot{link}&quot)\">"));
    assert_eq!(differences(&page("/a.png"), &page(";http://e/a.png"), URL), [""; 0]);
}

/// Dots at the end of a host may be those of the reference, as they are written there.
#[test]
fn dots_of_a_reference_may_end_a_host() {
    accepted("<a href='&#46;&#46;/x'>", "<a href='http://h&#46;&#46;/x'>", "http://h../");
    let feed = |image: &str| {
        format!("{{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{{\"image\":\"{image}\"}}]}}")
    };
    let (original, rewritten) = (feed("\\u002e./x"), feed("http://h\\u002e./x"));
    let found = differences_of(DocumentType::JsonFeed, original.as_bytes(), rewritten.as_bytes(), "http://h../");
    assert_eq!(found, [""; 0]);
}

#[test]
fn what_is_inserted_has_no_escapes_and_no_white_space() {
    refused("<a href='x'>", "<a href='http://e/q/&#119;/x'>", URL);
    refused("<a href='x'>", "<a href='http://e/q/w\n/x'>", URL);
    refused("<a href='x'>", "<a href='http://e/ä ü/x'>", "http://e/ä ü/");
    accepted("<a href='x'>", "<a href='http://e/%C3%A4%20%C3%BC/x'>", "http://e/ä ü/");
    refused("<a href='http:x'>", "<a href='http://E/q/w/x'>", URL);
    accepted("<a href='http:x'>", "<a href='http://e/q/w/x'>", URL);
    let css = |url: &str| format!("a{{b:url({url})}}").into_bytes();
    let differences = |new: &str| differences_of(DocumentType::Css, &css("x"), &css(new), URL);
    assert_eq!(differences("http://e/q/w/x"), [""; 0]);
    assert!(!differences("http://e/\\q/w/x").is_empty());
    let text = |url: &str| format!("<URL:{url}>").into_bytes();
    assert!(!differences_of(DocumentType::Text, &text("x"), &text("http://e /q/w/x"), URL).is_empty());
}
