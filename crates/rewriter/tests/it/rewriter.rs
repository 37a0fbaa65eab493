//! What callers of the library get.

use std::borrow::Cow;

use absolve_rewriter::{BaseElement, DocumentType, Layer, Options, Rewriter, Spelling};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn ascii() -> Options {
    Options { spelling: Spelling::Ascii, ..Options::default() }
}

#[test]
fn a_character_reference_to_no_ascii_is_escaped_in_ascii() -> Outcome {
    for (html, expected) in [
        ("<a href='x?&copy'>", "<a href='http://h/x?%C2%A9'>"),
        ("<a href='x?&nbsp,'>", "<a href='http://h/x?%C2%A0,'>"),
        ("<a href='x?a&amp;b'>", "<a href='http://h/x?a&amp;b'>"),
    ] {
        let page = Rewriter::from(ascii()).html(html, "http://h/")?;
        assert_eq!(page.text(), expected, "{html}");
    }
    Ok(())
}

#[test]
fn a_decoded_string_is_read_whatever_charset_its_meta_declares() -> Outcome {
    let html = "<meta charset=shift_jis><a href='日?日'>";
    let page = Rewriter::from(ascii()).html(html, "https://example.org/")?;
    assert_eq!(page.text(), "<meta charset=shift_jis><a href='https://example.org/%E6%97%A5?%E6%97%A5'>");
    Ok(())
}

#[test]
fn a_string_stays_text() -> Outcome {
    const PIECES: [&str; 12] = [
        "<meta charset=utf-16le>",
        "<meta charset=iso-2022-jp>",
        "\u{FEFF}",
        "<a href='",
        "é'>",
        "日本",
        "\x1b$B",
        "<base href='é/'>",
        "\0",
        "&eacute;",
        "<style>a{b:url(ü)}</style>",
        "../x'>",
    ];
    let mut random = fastrand::Rng::with_seed(1);
    let rewriter = Rewriter::default();
    let mut changed = 0;
    for _ in 0..absolve_testing::rounds(2_000) {
        let html: String = (0..random.usize(1..12)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
        let page = rewriter.html(&html, "https://bücher.example/é/")?;
        assert_eq!(page.bytes(), page.edits().splice(html.as_bytes()), "{html:?}");
        changed += usize::from(!page.edits().is_empty());
    }
    assert!(changed > absolve_testing::rounds(500), "{changed}");
    Ok(())
}

#[test]
fn nothing_is_copied_where_nothing_changes() -> Outcome {
    let rewriter = Rewriter::default();
    let page = rewriter.html("<a href=https://example.org/>", "https://example.org/")?;
    assert!(matches!(page.into_text(), Cow::Borrowed(_)));
    Ok(())
}

#[test]
fn the_charset_of_the_transport_counts_before_meta_and_after_a_byte_order_mark() -> Outcome {
    let rewriter = Rewriter::from(ascii()).charset("windows-1252")?;
    for (html, target) in [
        (&b"<meta charset=shift_jis><a href='?\xE9'>"[..], "https://example.org/?%E9"),
        (b"\xEF\xBB\xBF<a href='?\xC3\xA9'>", "https://example.org/?%C3%A9"),
    ] {
        let page = rewriter.document(html, DocumentType::Html, "https://example.org/")?;
        assert!(String::from_utf8_lossy(page.bytes()).contains(&format!("'{target}'")), "{target}");
        let listing = rewriter.links(html, DocumentType::Html, "https://example.org/")?;
        assert_eq!(listing.links[0].target.as_deref(), Some(target));
    }
    Ok(())
}

#[test]
fn what_cannot_be_a_base_is_an_error() {
    for (url, advice) in [
        ("example.org/x", "add https://"),
        ("/d/x", "add https://"),
        ("", "add https://"),
        ("localhost:8080/x", "add https://"),
        ("localhost:/x", "add https://"),
        ("example.org:8080/x", "add https://"),
        ("C:\\x", "add https://"),
        ("c:/x", "add https://"),
        ("mailto:me@example.org", "give an http or https URL"),
        ("urn:isbn:1", "give an http or https URL"),
        ("data:text/html,x", "its scheme has no relative references"),
        ("https://", "it is not a URL"),
        ("http://[::1/", "it is not a URL"),
    ] {
        let error = Rewriter::default().html("<a href=x>", url).expect_err(url);
        assert!(error.to_string().contains(advice) && error.url() == url, "{error}");
    }
    for url in ["https://example.org", "HTTP://h/x", "ftp://h/", "file:///home/x", "http:h/x", "app://h/x"] {
        assert!(Rewriter::default().html("<a href=x>", url).is_ok(), "{url}");
    }
}

#[test]
fn one_serves_many_threads() -> Outcome {
    let rewriter = Rewriter::from(Options { base_element: BaseElement::Remove, ..Options::default() });
    std::thread::scope(|scope| {
        let page = || rewriter.html("<base href=/d/><a href=x>", "https://example.org/");
        let threads = [scope.spawn(page), scope.spawn(page)];
        for thread in threads {
            let page = thread.join().expect("no panic")?;
            assert_eq!(page.text(), "<base><a href=https://example.org/d/x>");
            assert_eq!((page.base(), page.base_source()), (Some("https://example.org/d/"), Layer::Element));
        }
        Ok(())
    })
}
