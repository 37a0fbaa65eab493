//! `absolve unpack`: which part becomes which file, and where links lead.

use std::fs;

use crate::support::unpacking::{files, multipart, related, unpack};
use crate::support::{Outcome, argument, run, run_with};
use absolve_testing::{fixtures, temporary_folder};
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

#[test]
fn a_packed_page_comes_out_as_it_was() -> Outcome {
    let outer = temporary_folder()?;
    let path = |name: &str| outer.path().join(name);
    let page = fixtures().join("site/index.html");
    for name in ["a.eml", "a.mhtml"] {
        let (message, folder) = (path(name), path(&format!("{name}.d")));
        let url = "https://example.org/lighthouse/";
        let (status, _, stderr) = run(&["pack", argument(&page), "-o", argument(&message), "--url", url])?;
        assert_eq!(status, 0, "{stderr}");
        let list = path(&format!("{name}.json"));
        let arguments = ["unpack", argument(&message), "-o", argument(&folder), "--summary", argument(&list)];
        let (status, _, stderr) = run(&arguments)?;
        assert_eq!(status, 0, "{stderr}");
        let files = files(&folder)?;
        assert_eq!(files["lamp.svg"], fs::read(fixtures().join("site/img/lamp.svg"))?);
        let html = String::from_utf8_lossy(&files["index.html"]).into_owned();
        for link in ["SRC = lamp.svg", "https://example.org/about/", "href=\"#top\"", "{{unsubscribe}}"] {
            assert!(html.contains(link), "{html}");
        }
        let list: Value = serde_json::from_slice(&fs::read(list)?)?;
        assert_eq!(
            (&list["document"], list["files"].as_array().map(Vec::len)),
            (&"index.html".into(), Some(files.len()))
        );
        assert_eq!(list["files"][0]["location"], url);
        let opened = format!("{} files, open {}; ", files.len(), folder.join("index.html").display());
        assert!(stderr.starts_with(&opened) && stderr.contains(" links to parts, 0 made absolute, "), "{stderr}");
    }
    Ok(())
}

/// Who reaches whom is that of RFC 2557, section 9.
#[test]
fn the_examples_of_the_standard() -> Outcome {
    let unpacked = |number: u8| {
        let path = fixtures().join(format!("mail/rfc2557-9.{number}.eml"));
        unpack(&fs::read(path)?, "a.eml", &[])
    };
    let by_id = unpacked(5)?;
    assert_eq!(by_id.names(), ["logo_1.gif", "page.html"], "{}", by_id.stderr);
    assert!(by_id.text("page.html").contains("<img src=\"logo_1.gif\" alt=\"cid:"));
    assert!(by_id.text("page.html").contains("href=\"http://pages.example/near.html\""));
    let nested = unpacked(6)?;
    assert_eq!(
        nested.names(),
        ["index.html", "logo1.gif", "logo2.gif", "logo3.gif", "logo4.gif", "more.html", "most.html"],
        "{}",
        nested.stderr
    );
    let outer = nested.text("index.html");
    for (written, of) in [
        ("src=\"logo1.gif\"", &outer),
        ("src=\"http://pages.example/images/logo2.gif\"", &outer),
        ("href=\"more.html\"", &outer),
        ("href=\"most.html\"", &outer),
        ("src=\"logo2.gif\"", &nested.text("more.html")),
        ("src=\"logo1.gif\"", &nested.text("more.html")),
        ("src=\"http://pages.example/images/logo3.gif\"", &nested.text("more.html")),
        ("src=\"logo4.gif\"", &nested.text("most.html")),
    ] {
        assert!(of.contains(written), "{written}: {of}");
    }
    Ok(())
}

#[test]
fn one_message_of_a_mailbox_is_named_by_its_number() -> Outcome {
    let message = |text: &str| format!("From a@b Thu Jan  1 00:00:00 1998\nContent-Type: text/html\n\n<p>{text}\n\n");
    let mbox = [message("one"), message("two"), message("three")].concat();
    for (more, expected) in [
        (&["--message", "2"][..], Ok("<p>two")),
        (&["--message", "3"], Ok("<p>three")),
        (&[], Err("holds 3 messages; --message N chooses one")),
        (&["--message", "4"], Err("holds 3 messages, and no message 4")),
        (&["--message", "0"], Err("invalid value '0'")),
    ] {
        let run = unpack(mbox.as_bytes(), "a.mbox", more)?;
        match expected {
            Ok(text) => assert_eq!((run.status, run.text("index.html").trim_end()), (0, text), "{}", run.stderr),
            Err(why) => assert!(run.status == 2 && run.stderr.contains(why), "{}", run.stderr),
        }
    }
    let run = unpack(message("only").as_bytes(), "a.mbox", &[])?;
    assert_eq!((run.status, run.names()), (0, vec!["index.html"]));
    Ok(())
}

#[test]
fn which_part_is_the_document() -> Outcome {
    let page = |name: &str| format!("Content-Type: text/html; name={name}.html");
    let (one, two) = (page("one"), page("two"));
    let started = format!("{two}\nContent-ID: <start@h>");
    let attached = format!("{one}\nContent-Disposition: attachment; filename=one.html");
    let text = ("Content-Type: text/plain; name=text.txt", "text");
    let inner = "Content-Type: text/html; name=inner.html\n\n<p>";
    for (subtype, parts, document) in [
        ("related", vec![(&*one, ""), (&*two, "")], "one.html"),
        ("related; start=\"<start@h>\"", vec![(&*one, ""), (&*started, "")], "two.html"),
        ("alternative", vec![text, (&*one, ""), (&*two, "")], "two.html"),
        ("alternative", vec![text, (&*one, ""), ("Content-Type: text/calendar; name=a.ics", "")], "one.html"),
        ("mixed", vec![text, (&*one, ""), (&*two, "")], "one.html"),
        ("mixed", vec![(&*attached, ""), (&*two, "")], "two.html"),
        ("mixed", vec![text, (&*attached, "")], "text.txt"),
        ("mixed", vec![text, ("Content-Type: message/rfc822", inner)], "inner.html"),
        ("digest", vec![("X: y", inner), ("X: y", "Content-Type: text/html\n\n")], "inner.html"),
    ] {
        let run = unpack(&multipart(subtype, &parts), "a.eml", &[])?;
        assert!(
            run.status == 0 && run.stderr.contains(&format!("/{document}; ")),
            "{subtype} {document}: {}",
            run.stderr
        );
    }
    Ok(())
}

#[test]
fn a_base_does_not_lead_links_away_from_the_files() -> Outcome {
    let page = "<base href=http://h/e/ target=_top><img src=a.png><a href=b>b</a><a href='#top'>up</a>";
    let image = ("Content-Type: image/png\nContent-Location: http://h/e/a.png", "");
    let run = unpack(&related(page, &[image]), "a.eml", &[])?;
    let expected = "<base href=\"\" target=_top><img src=a.png><a href=http://h/e/b>b</a><a href='#top'>up</a>";
    assert_eq!((run.status, &*run.text("page.html")), (0, expected), "{}", run.stderr);
    assert!(run.stderr.contains("fragment-moves: 1 reference"), "{}", run.stderr);
    // Without a file, it does no harm.
    let run = unpack(&related("<base href=http://h/e/><a href=b>", &[]), "a.eml", &[])?;
    assert_eq!(run.text("page.html"), "<base href=http://h/e/><a href=http://h/e/b>");
    Ok(())
}

#[test]
fn without_a_base_parts_find_each_other() -> Outcome {
    let page = ("Content-Type: text/html", "<link rel=stylesheet href=s/a.css><a href=more.html>");
    let style = ("Content-Type: text/css\nContent-Location: s/a.css", "b { c: url(../d%20e.png) url(f.png) }");
    let image = ("Content-Type: image/png\nContent-Location: d%20e.png", "");
    let message = multipart("related", &[page, style, image]);
    let run = unpack(&message, "a.eml", &[])?;
    assert_eq!(run.text("index.html"), "<link rel=stylesheet href=a.css><a href=more.html>");
    assert_eq!(run.text("a.css"), "b { c: url(d%20e.png) url(f.png) }");
    assert!(run.status == 0 && run.stderr.contains("no-base: 1 reference left relative"), "{}", run.stderr);
    let run = unpack(&message, "a.eml", &["--message-url", "http://h/"])?;
    assert!(run.text("index.html").ends_with("<a href=http://h/more.html>"), "{}", run.stderr);
    Ok(())
}

#[test]
fn an_id_is_that_of_the_nearest_part() -> Outcome {
    let image = ("Content-Type: image/png; name=outer.png\nContent-ID: <i>", "1");
    let inner = String::from_utf8(multipart(
        "related",
        &[
            ("Content-Type: text/html; name=inner.html", "<img src=cid:i>"),
            ("Content-Type: image/png; name=inner.png\nContent-ID: <i>", "2"),
        ],
    ))?
    .replace("=b\n", "=c\n")
    .replace("--b", "--c");
    let parts = [image, ("Content-Type: message/rfc822", &*inner), image];
    let message = related("<img src=CID:i><img src=cid:none><img src='cid:%69#x'>", &parts);
    let run = unpack(&message, "a.eml", &[])?;
    assert_eq!(run.text("page.html"), "<img src=outer.png><img src=cid:none><img src='outer.png#x'>", "{}", run.stderr);
    assert_eq!(run.text("inner.html"), "<img src=inner.png>");
    assert_eq!(run.names(), ["inner.html", "inner.png", "outer-2.png", "outer.png", "page.html"]);
    Ok(())
}

#[test]
fn a_charset_of_the_header_is_put_into_the_file() -> Outcome {
    let page = b"Content-Type: text/html; charset=iso-8859-2\n\n<!doctype html><p>\xB1";
    let run = unpack(page, "a.eml", &[])?;
    assert_eq!(run.files["index.html"], b"<!doctype html><meta charset=\"iso-8859-2\"><p>\xB1", "{}", run.stderr);
    assert!(
        run.stderr
            .contains("charset-outside: only the message declares its charset, ISO-8859-2; a meta element was added")
    );
    Ok(())
}

/// One page of a message: the page, the exit status and what is said.
fn single(message: &[u8]) -> Result<(String, i32, String), Failure> {
    let folder = temporary_folder()?;
    let page = folder.path().join("page.html");
    let (status, _, stderr) = run_with(&["unpack", "-", "--single", argument(&page)], message)?;
    Ok((fs::read_to_string(page).unwrap_or_default(), status, stderr))
}

#[test]
fn one_page_has_all_that_it_shows() -> Outcome {
    let located =
        |media_type: &str, name: &str| format!("Content-Type: {media_type}\nContent-Location: http://h/d/{name}");
    let parts = [
        (located("text/css", "a.css"), "@import 'b.css'; i{x:url(a.png)}"),
        (located("text/css", "b.css"), "@import 'a.css';"),
        (located("image/png", "a.png"), "P"),
        (located("text/html", "frame.html"), "<img src=a.png><a href=z>"),
        (located("application/pdf", "more.pdf"), "%PDF"),
    ];
    let parts: Vec<(&str, &str)> = parts.iter().map(|(header, body)| (&**header, *body)).collect();
    let page = "<link rel=stylesheet href=a.css><img src=a.png><iframe src=frame.html></iframe><a href=more.pdf>";
    let (html, status, stderr) = single(&related(page, &parts))?;
    let image = "data:image/png;base64,UA==";
    assert!(
        html.ends_with("></iframe><a href=http://h/d/more.pdf>") && html.contains(&format!("<img src={image}>")),
        "{html}"
    );
    let style = html.split_once("text/css;base64,").and_then(|(_, rest)| rest.split_once('>')).ok_or("no style")?.0;
    let style = String::from_utf8(data_encoding::BASE64.decode(style.as_bytes())?)?;
    assert!(
        style.starts_with("@import 'data:text/css;base64,") && style.ends_with(&format!("; i{{x:url({image})}}")),
        "{style}"
    );
    assert_eq!(status, 0, "{stderr}");
    for why in [
        "part 3: part-left-out: 1 reference to a part left: the parts show each other in a circle",
        "part 6: part-left-out: application/pdf: the page does not show it",
        ": 4 parts within it; 6 links to parts, 3 made absolute, ",
    ] {
        assert!(stderr.contains(why), "{stderr}");
    }
    let (_, status, stderr) = single(b"MIME-Version: 1.0\nSubject: x\n\nText")?;
    assert!(status == 2 && stderr.contains("it has no page of HTML or XHTML"), "{stderr}");
    Ok(())
}

#[test]
fn a_style_that_shows_itself_twice_ends() -> Outcome {
    let names: Vec<String> = (0..40).map(|number| format!("s{number}.css")).collect();
    let styles: Vec<(String, String)> = (0..40)
        .map(|number| {
            let header = format!("Content-Type: text/css\nContent-Location: http://h/d/{}", names[number]);
            let next = &names[(number + 1) % 40];
            (header, format!("@import '{next}'; @import '{next}'; @import '{}';", names[number]))
        })
        .collect();
    let styles: Vec<(&str, &str)> = styles.iter().map(|(header, style)| (&**header, &**style)).collect();
    let (html, status, stderr) = single(&related("<link rel=stylesheet href=s0.css>", &styles))?;
    assert!(status == 0 && html.len() < 8 << 20 && stderr.contains("in a circle, or too deep"), "{status} {stderr}");
    Ok(())
}

#[test]
fn a_style_that_changes_although_its_page_pins_it_is_named() -> Outcome {
    let style = |body: &str| {
        let part = ("Content-Type: text/css; name=a.css\nContent-Location: http://h/d/a.css", body);
        let page = format!("<link rel=stylesheet href=a.css integrity=sha256-{}=>", "x".repeat(43));
        related(&page, &[part])
    };
    let changed = "part 1: byte 26: integrity: its integrity hash covers a.css, which changes";
    for (body, is_named) in [("b { c: url(d) }", true), ("b { c: d }", false)] {
        let run = unpack(&style(body), "a.eml", &[])?;
        assert!(run.status == 0 && run.stderr.contains(changed) == is_named, "{}", run.stderr);
        assert_eq!(single(&style(body))?.2.contains(changed), is_named);
    }
    Ok(())
}
