//! Messages of documents that are odd, or meant to do harm.

use std::fs;
use std::path::Path;

use crate::support::packing::{pack, page};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_links::DocumentType;
use absolve_rewriter::internal::{Entity, Part};
use absolve_testing::{IN_FULL, files, fixtures, temporary_folder};
use mail_parser::{Message, MessageParser, MimeHeaders};

const URL: &str = "https://news.example/2026/page.html";

#[cfg(unix)]
#[test]
fn a_document_that_is_a_symbolic_link_stands_where_the_link_does() -> Outcome {
    let folder = folder_with(&[("t/i.png", "right"), ("t/sub/i.png", "wrong"), ("t/sub/p.html", "<img src=i.png>")])?;
    let link = folder.path().join("t/p.html");
    std::os::unix::fs::symlink("sub/p.html", &link)?;
    let packed = pack(&link, "a.eml", &["--url", URL])?;
    assert_eq!(packed.parsed().parts[2].contents(), b"right", "{}", packed.stderr);
    Ok(())
}

#[test]
fn dots_above_the_folder_lead_to_no_file_in_it() -> Outcome {
    let (_folder, page) =
        page("<img src=../i.png><img src='../../../i.png'>", &[("site/i.png", "wrong"), ("i.png", "outside")])?;
    for more in [&[][..], &["--url", "https://news.example/a/b/c/d/page.html"]] {
        let packed = pack(&page, "a.eml", more)?;
        assert_eq!(packed.stderr.matches("resource-outside").count(), 2, "{}", packed.stderr);
        assert_eq!(packed.parsed().parts.len(), 2);
    }
    Ok(())
}

#[test]
fn a_query_may_be_in_the_name_of_a_file() -> Outcome {
    let files = [("site/a.gif?v=3", "1"), ("site/s.css?v=1", "i{}"), ("site/b.gif?v=3", "2"), ("site/c.gif", "3")];
    let html =
        "<img src='a.gif%3Fv=3'><link rel=stylesheet href='s.css%3Fv=1'><img src='b.gif?v=3'><img src='c.gif?x'>";
    let (_folder, page) = page(html, &files)?;
    let packed = pack(&page, "a.eml", &["--url", URL])?;
    assert!(
        packed.stderr.starts_with(&format!("{} bytes: 4 files embedded for 4 links", packed.message.len())),
        "{}",
        packed.stderr
    );
    Ok(())
}

/// The pages of a mirror, whose names are odd and whose links lead to copies, go into messages in which nothing is left to
/// be rewritten.
#[test]
fn pages_of_mirrors() -> Outcome {
    let (mut seen, mut embedded, mut for_mail, mut styles) = (0, 0, 0, 0);
    for (root, more) in
        [("mirrors/wget/mirror", &["--layout", "wget", "--scheme", "http"][..]), ("mirrors/httrack/mirror", &[])]
    {
        let root = fixtures().join(root);
        let folder = temporary_folder()?;
        let rewritten = folder.path().join("rewritten");
        let command = ["rewrite", argument(&root), "--for", "mail", "-o", argument(&rewritten)];
        assert_eq!(run(&[&command[..], more].concat())?.0, 0);
        // Each is packed twice, so the first tier takes some.
        for document in files(&root)?.into_iter().step_by(if IN_FULL { 1 } else { 4 }) {
            if document.extension().is_none_or(|extension| extension != "html") {
                continue;
            }
            for name in ["a.eml", "a.mhtml"] {
                let message = folder.path().join(name);
                let arguments =
                    ["pack", argument(&document), "--root", argument(&root), "-o", argument(&message), "--force"];
                let (status, _, stderr) = run(&[&arguments[..], more].concat())?;
                assert_eq!(status, 0, "{stderr}");
                let (_, _, stderr) = run(&["rewrite", argument(&message), "--dry-run"])?;
                assert!(stderr.contains(": 0 made absolute"), "{}: {stderr}", document.display());
                let message = fs::read(&message)?;
                let parsed = MessageParser::new().parse(&message).unwrap_or_default();
                let parts =
                    parsed.parts.iter().filter(|part| part.content_id().is_some() && !part.is_text_html()).count();
                if name == "a.eml" {
                    for_mail += parts
                } else {
                    embedded += parts
                }
                styles += check_styles(&parsed, &rewritten)?;
            }
            seen += 1;
        }
    }
    let expected = if IN_FULL { (103, 38, 26, 8) } else { (31, 11, 5, 4) };
    assert_eq!((seen, embedded, for_mail, styles), expected);
    Ok(())
}

/// A link to a copy of which the name does not say whether wget has appended its extension.
const UNCERTAIN: &str = "../style.php%3Fpart=2.css";

/// Each style of a message says what rewriting makes of the style of the mirror, but for links to parts. How many there are.
fn check_styles(message: &Message<'_>, rewritten: &Path) -> Result<usize, Box<dyn std::error::Error>> {
    let mut seen = 0;
    for part in message.parts.iter().filter(|part| part.is_content_type("text", "css")) {
        let name = part.content_disposition().and_then(|header| header.attribute("filename")).ok_or("no name")?;
        let mut text = part.text_contents().ok_or("no text")?.to_owned();
        for other in message.parts.iter().filter(|part| part.content_id().is_some()) {
            // The URL of a copy may be uncertain, and the link to it stays.
            let location: String = other.content_location().unwrap_or(UNCERTAIN).split_whitespace().collect();
            text = text.replace(&format!("cid:{}", other.content_id().unwrap_or_default()), &location);
        }
        let expected = files(rewritten)?.into_iter().filter(|file| file.ends_with(name));
        let expected: Vec<String> = expected.map(fs::read_to_string).collect::<Result<_, _>>()?;
        assert!(expected.contains(&text), "{name}: {text}");
        seen += 1;
    }
    Ok(seen)
}

#[test]
fn an_image_with_a_placeholder_is_none_of_the_folder() -> Outcome {
    let html = "<img src='o.gif?id={{id}}'><img src='{{x}}.gif'><img src='img/*|X|*.gif'>";
    let (_folder, page) = page(html, &[("site/o.gif", "1")])?;
    for name in ["a.eml", "a.mhtml"] {
        let packed = pack(&page, name, &["--url", URL])?;
        let base = "https://news.example/2026/";
        let expected =
            format!("<img src='{base}o.gif?id={{{{id}}}}'><img src='{{{{x}}}}.gif'><img src='{base}img/*|X|*.gif'>");
        assert_eq!(packed.html(), expected);
        assert!(
            packed.stderr.contains(&format!("{} bytes: 0 files embedded", packed.message.len())),
            "{}",
            packed.stderr
        );
    }
    Ok(())
}

/// A field outranks what a style is read by otherwise: the charset of its document.
#[test]
fn a_style_that_names_no_charset_gets_none() -> Outcome {
    let folder = temporary_folder()?;
    let page = folder.path().join("k.html");
    fs::write(&page, b"<meta charset=euc-kr><link rel=stylesheet href=k.css>\xC7\xD1")?;
    fs::write(folder.path().join("k.css"), b"b:before{content:'\xC7\xD1'}")?;
    let packed = pack(&page, "a.mhtml", &["--url", URL])?;
    let parsed = packed.parsed();
    let charset = |part: usize| {
        parsed.parts[part].content_type().and_then(|header| header.attribute("charset")).map(str::to_owned)
    };
    // mhtml2html finds no page with a charset in its type, and the page declares its own.
    assert_eq!((charset(1), charset(2)), (None, None));
    let packed = pack(&page, "a.eml", &["--url", URL])?;
    assert!(packed.html().contains("<style>b:before{content:'\\d55c '}</style>"), "{}", packed.html());
    assert!(String::from_utf8_lossy(&packed.message).contains("charset=\"euc-kr\""));
    fs::write(&page, b"<p>plain")?;
    let packed = pack(&page, "a.mhtml", &["--url", URL])?;
    assert!(String::from_utf8_lossy(&packed.message).contains("charset=\"utf-8\""));
    Ok(())
}

#[test]
fn a_charset_that_nobody_reads_is_not_named() -> Outcome {
    let (_folder, page) = page("<meta charset=iso-2022-kr><p>Hello", &[])?;
    let packed = pack(&page, "a.eml", &["--url", URL, "--text"])?;
    assert!(!String::from_utf8_lossy(&packed.message).contains("replacement"));
    assert!(packed.stderr.contains("charset: ") && packed.stderr.contains("plain-text: "), "{}", packed.stderr);
    Ok(())
}

/// What its links meant nobody knows, so no base may be declared at which they would mean something.
#[test]
fn a_saved_page_with_links_left_has_no_location() -> Outcome {
    let html = "<!-- saved from url=(0033)https://news.example/2026/p1.html -->\n<html><a href=p_files/x.html>x</a><img src=p_files/a.png>";
    let (folder, page) = page(html, &[("site/p_files/a.png", "1")])?;
    let packed = pack(&page, "a.eml", &[])?;
    assert!(packed.stderr.contains("local-copy: 1 reference left relative"), "{}", packed.stderr);
    assert_eq!(packed.parsed().parts[1].content_location(), None);
    let message = folder.path().join("a.eml");
    fs::write(&message, &packed.message)?;
    let (_, _, stderr) = run(&["rewrite", argument(&message), "--dry-run"])?;
    assert!(stderr.contains(": 0 made absolute"), "{stderr}");
    Ok(())
}

#[test]
fn ids_are_those_of_one_message() -> Outcome {
    let (folder, page) = page("<img src=a.png>text", &[("site/a.png", "one")])?;
    let made =
        |more: &[&str]| pack(&page, "a.eml", &[&["--url", URL, "--date", "2026-11-21T10:00:00Z"], more].concat());
    let id = |packed: &crate::support::packing::Run| packed.parsed().message_id().map(str::to_owned);
    let (ann, bo, again) = (
        made(&["--from", "a@example.org", "--to", "ann@example.org"])?,
        made(&["--from", "a@example.org", "--to", "bo@example.org"])?,
        made(&["--from", "a@example.org", "--to", "bo@example.org"])?,
    );
    let with_text = made(&["--from", "a@example.org", "--to", "bo@example.org", "--text"])?;
    assert!(id(&ann).is_some() && id(&ann) != id(&bo) && id(&bo) == id(&again) && id(&bo) != id(&with_text));
    let content_id = |packed: &crate::support::packing::Run| packed.parsed().parts[2].content_id().map(str::to_owned);
    assert_eq!(content_id(&ann), content_id(&bo));
    fs::write(folder.path().join("site/a.png"), "two")?;
    assert_ne!(content_id(&ann), content_id(&made(&[])?), "another image under the same name");
    Ok(())
}

#[test]
fn what_would_be_no_field_is_refused() -> Outcome {
    let (_folder, page) = page("<p>", &[])?;
    let long = format!("{}@example.org", "a".repeat(400));
    for more in [
        ["--to", "a@b>c"],
        ["--to", "a@ü.example"],
        ["--to", &long],
        ["--message-id", &long],
        ["--date", "2026-02-30T10:00:00Z"],
        ["--date", "Sat, 31 Nov 2026 10:00:00 +0000"],
    ] {
        let packed = pack(&page, "a.eml", &more)?;
        assert_eq!(packed.status, 2, "{more:?} {}", packed.stderr);
    }
    Ok(())
}

/// To make a text of them would take minutes, or end the program.
#[test]
fn hostile_documents_get_no_text() -> Outcome {
    for html in [
        "<div>".repeat(100_000),
        "<div/>".repeat(80_000),
        "<div></b>".repeat(20_000),
        "<optgroup>".repeat(20_000),
        "<b id=1>x".repeat(20_000),
        format!("<p {}>x", "a=b ".repeat(50_000)),
    ] {
        let (_folder, page) = page(&html, &[])?;
        let packed = pack(&page, "a.eml", &["--url", URL, "--text"])?;
        assert_eq!(packed.status, 0, "{}", packed.stderr);
        assert!(packed.stderr.contains("plain-text: "), "{}", packed.stderr);
        assert!(packed.parsed().text_body_count() == 1 && packed.parsed().parts.len() == 2, "the page only");
    }
    Ok(())
}

#[test]
fn odd_documents_come_back() -> Outcome {
    let folder = temporary_folder()?;
    let utf_16: Vec<u8> = "\u{FEFF}<a href=x>é</a>\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let absolute: Vec<u8> =
        "\u{FEFF}<a href=https://news.example/2026/x>é</a>\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (html, expected) in [
        (&b""[..], &b""[..]),
        (b"<p>\r\n<p>\n", b"<p>\r\n<p>\n"),
        (b"<p>\r<p>", b"<p>\r<p>"),
        (b"<p>\0<p>", b"<p>\0<p>"),
        (b"From here\n.\n--=_related_\n", b"From here\r\n.\r\n--=_related_\r\n"),
        (&utf_16, &absolute),
    ] {
        let page = folder.path().join("page.html");
        fs::write(&page, html)?;
        for name in ["a.eml", "a.mhtml"] {
            let packed = pack(&page, name, &["--url", URL])?;
            let entity = Entity::message(&packed.message);
            let is_page = |part: &&Part| part.document_type == DocumentType::Html;
            let found = entity.parts.iter().find(is_page).map(|part| entity.document(part).bytes().to_owned());
            assert_eq!(found.as_deref(), Some(expected), "{html:?} {}", packed.stderr);
        }
    }
    Ok(())
}

#[test]
fn an_output_within_the_folder_is_not_embedded_by_the_next_run() -> Outcome {
    let (folder, page) = page("<img src=a.eml><embed src=a.mhtml>", &[])?;
    for _ in 0..2 {
        for name in ["a.eml", "a.mhtml"] {
            let message = folder.path().join("site").join(name);
            let (status, _, stderr) = run(&["pack", argument(&page), "-o", argument(&message), "--force"])?;
            assert!(status == 0 && stderr.contains(" 0 files embedded"), "{stderr}");
        }
    }
    Ok(())
}

#[test]
fn one_file_by_several_names_is_one_part() -> Outcome {
    let html = "<img src=a.png><img src=./a.png><img src='../site/a.png#x'><img src='%61.png'><link rel=stylesheet href=s/s.css>";
    let (folder, page) = page(html, &[("site/a.png", "1"), ("site/s/s.css", "i{background:url(../a.png)}")])?;
    for more in [&[][..], &["--url", URL], &["--root", argument(folder.path())]] {
        let packed = pack(&page, "a.eml", more)?;
        assert!(packed.stderr.contains(" 2 files embedded for "), "{more:?} {}", packed.stderr);
    }
    Ok(())
}

#[test]
fn what_is_not_embedded_may_be_long() -> Outcome {
    let (_folder, page) = page("<embed src=film.mp4>", &[("site/film.mp4", &"x".repeat(100_000))])?;
    let packed = pack(&page, "a.eml", &["--url", URL, "--max-size", "10k"])?;
    assert!(packed.status == 0 && packed.stderr.contains("resource-type: film.mp4"), "{}", packed.stderr);
    Ok(())
}

/// `/web/...` in a page of the Wayback Machine leads to the archive.
#[test]
fn what_a_saved_page_says_of_its_site_is_not_looked_for_in_the_folder() -> Outcome {
    let page_of_archive = fs::read_to_string(fixtures().join("discovery/wayback.html"))?;
    let (_folder, page) = page(&format!("{page_of_archive}<img src=/web/2020im_/http://a.example/x.png>"), &[])?;
    let packed = pack(&page, "a.eml", &[])?;
    assert!(!packed.stderr.contains("resource-"), "{}", packed.stderr);
    assert!(
        packed.html().ends_with("<img src=https://web.archive.org/web/2020im_/http://a.example/x.png>"),
        "{}",
        packed.html()
    );
    Ok(())
}

/// fast-mhtml names each part by its URL or its id, and fails on a page that has neither.
#[test]
fn a_page_without_a_url_has_an_id() -> Outcome {
    let (_folder, page) = page("<img src=a.png>", &[("site/a.png", "1")])?;
    for (name, more, is_named) in
        [("a.mhtml", &[][..], true), ("a.mhtml", &["--url", URL], false), ("a.eml", &[], false)]
    {
        let packed = pack(&page, name, more)?;
        let parsed = packed.parsed();
        let root = parsed.parts.iter().find(|part| part.is_text_html()).ok_or("no page")?;
        assert_eq!(root.content_id().is_some(), is_named, "{name} {more:?}");
    }
    Ok(())
}

/// Its bytes do not become the page of a message.
#[test]
fn a_file_that_is_not_a_page_is_not_packed() -> Outcome {
    let (folder, page) = page("GIF89a\u{1}\0\u{1}\0", &[("site/b.html", "<p>")])?;
    for name in ["a.eml", "a.mhtml", "a.mbox"] {
        let packed = pack(&page, name, &[])?;
        assert_eq!(packed.status, 1, "{}", packed.stderr);
        assert!(
            packed.stderr.contains("not-its-type") && packed.stderr.contains("no message is made"),
            "{}",
            packed.stderr
        );
    }
    let packed = pack(&folder.path().join("site/b.html"), "a.mbox", &[argument(&page)])?;
    assert_eq!(packed.status, 1, "{}", packed.stderr);
    Ok(())
}

/// Nothing could be embedded at such a base.
#[test]
fn a_url_of_one_computer_is_refused() -> Outcome {
    let (_folder, page) = page("<base href='file:///C:/x/'><img src=i.png>", &[("site/i.png", "")])?;
    for url in ["file:///srv/x/page.html", " FILE:///C:/x/"] {
        let packed = pack(&page, "a.eml", &["--url", url])?;
        assert!(packed.status == 2 && packed.stderr.contains("is meaningless elsewhere"), "{}", packed.stderr);
    }
    let packed = pack(&page, "a.eml", &[])?;
    assert!(packed.status == 0 && packed.stderr.contains("base-not-portable"), "{}", packed.stderr);
    Ok(())
}

/// No space is lost.
#[test]
fn a_name_with_words_in_quotes_keeps_its_spaces() -> Outcome {
    let (_folder, page) = page("<p>", &[])?;
    let from = |from: &str| pack(&page, "a.eml", &["--from", from]);
    for refused in ["Ann \"The Keeper\" Lamp <a@b.org>", "\"Ann\" Lamp <a@b.org>"] {
        let packed = from(refused)?;
        assert!(packed.status == 2 && packed.stderr.contains("--from: an address is written"), "{}", packed.stderr);
    }
    for (written, name) in [
        ("\"Lamp, Ann\" <a@b.org>", "Lamp, Ann"),
        ("\"Ann \\\"The Keeper\\\" Lamp\" <a@b.org>", "Ann \"The Keeper\" Lamp"),
        ("Ann  The Keeper <a@b.org>", "Ann The Keeper"),
    ] {
        let packed = from(written)?;
        let parsed = packed.parsed();
        let found = parsed.from().and_then(|from| from.first()?.name()).unwrap_or_default();
        assert_eq!(found.split_whitespace().collect::<Vec<_>>().join(" "), name, "{}", packed.stderr);
    }
    Ok(())
}

/// A file whose name is the same without the slash is not embedded for it.
#[test]
fn a_link_to_a_folder_finds_no_file() -> Outcome {
    let (_folder, page) = page("<img src=a.png/><img src='a.png/?v=1'><img src=a.png>", &[("site/a.png", "a")])?;
    for more in [&[][..], &["--url", URL]] {
        let packed = pack(&page, "a.eml", more)?;
        assert_eq!(packed.stderr.matches("resource-missing: a.png/").count(), 2, "{}", packed.stderr);
        assert_eq!(packed.parsed().parts.len(), 3, "{}", packed.stderr);
    }
    Ok(())
}
