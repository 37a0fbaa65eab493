//! `absolve unpack`: what becomes a file, under which name, where links lead, and what is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::{Outcome, argument, folder_with, run, run_with};
use absolve_testing::fixtures;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

/// What a run said, and the files that it wrote.
struct Run {
    status: i32,
    told: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Run {
    fn text(&self, name: &str) -> String {
        self.files.get(name).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    }

    fn names(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }
}

/// Unpacks a message into a folder; nothing else is written beside it.
fn unpack(message: &[u8], name: &str, more: &[&str]) -> Result<Run, Failure> {
    let outer = tempfile::tempdir()?;
    let folder = outer.path().join("d/out");
    fs::create_dir(outer.path().join("d"))?;
    let file = outer.path().join(name);
    fs::write(&file, message)?;
    let (status, _, told) = run(&[&["unpack", argument(&file), "-o", argument(&folder)], more].concat())?;
    let beside = fs::read_dir(outer.path())?.count() + fs::read_dir(outer.path().join("d"))?.count();
    let is_written = folder.exists();
    assert_eq!(beside, 2 + usize::from(is_written), "{told}");
    let files = if is_written { files(&folder)? } else { BTreeMap::new() };
    Ok(Run { status, told, files })
}

fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        assert!(entry.file_type()?.is_file());
        files.insert(entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
    }
    Ok(files)
}

/// A multipart of this subtype of parts, each with its header and its body.
fn multipart(subtype: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let mut message = format!("MIME-Version: 1.0\nContent-Type: multipart/{subtype}; boundary=b\n\n");
    for (header, body) in parts {
        message.push_str(&format!("--b\n{header}\n\n{body}\n"));
    }
    message.push_str("--b--\n");
    message.into_bytes()
}

fn related(page: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let root = ("Content-Type: text/html\nContent-Location: http://h/d/page.html", page);
    multipart("related", &[&[root], parts].concat())
}

#[test]
fn a_packed_page_comes_out_as_it_was() -> Outcome {
    let outer = tempfile::tempdir()?;
    let path = |name: &str| outer.path().join(name);
    let page = fixtures().join("site/index.html");
    for name in ["a.eml", "a.mhtml"] {
        let (message, folder) = (path(name), path(&format!("{name}.d")));
        let url = "https://example.org/lighthouse/";
        let (status, _, told) = run(&["pack", argument(&page), "-o", argument(&message), "--url", url])?;
        assert_eq!(status, 0, "{told}");
        let list = path(&format!("{name}.json"));
        let arguments = ["unpack", argument(&message), "-o", argument(&folder), "--summary", argument(&list)];
        let (status, _, told) = run(&arguments)?;
        assert_eq!(status, 0, "{told}");
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
        assert!(told.starts_with(&opened) && told.contains(" links to parts, 0 made absolute, "), "{told}");
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
    assert_eq!(by_id.names(), ["logo_1.gif", "page.html"], "{}", by_id.told);
    assert!(by_id.text("page.html").contains("<img src=\"logo_1.gif\" alt=\"cid:"));
    assert!(by_id.text("page.html").contains("href=\"http://pages.example/near.html\""));
    let nested = unpacked(6)?;
    assert_eq!(
        nested.names(),
        ["index.html", "logo1.gif", "logo2.gif", "logo3.gif", "logo4.gif", "more.html", "most.html"],
        "{}",
        nested.told
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
fn names_lead_nowhere_else_and_replace_nothing() -> Outcome {
    let long = format!("Content-Type: image/png; name=\"{}.png\"", "n".repeat(10_000));
    let part = |header: &str| format!("{header}\nContent-Type: image/png");
    let headers = [
        part("Content-Location: ../../etc/passwd"),
        part("Content-Location: file:///C:/con.txt"),
        part("Content-Location: ..%2f..%2f.ssh%2fid"),
        part("Content-Disposition: inline; filename=\"/etc/shadow\""),
        part("Content-Disposition: inline; filename=\"..\\\\..\\\\autoexec.bat\""),
        part("Content-Disposition: inline; filename=\".htaccess\""),
        part("Content-Disposition: inline; filename=\"LPT1\""),
        part("Content-Disposition: attachment; filename*=utf-8''na%C3%AFve%0D%0A%E2%80%AE.png"),
        part("Content-Disposition: attachment; filename*0=\"long\"; filename*1=\"er.png\""),
        part("Content-Disposition: attachment; filename=\"=?utf-8?Q?gr=C3=BC=C3=9Fe.png?=\""),
        part("Content-ID: <../lamp@h>"),
        part("Content-Location: A.PNG"),
        part("Content-Location: a.png"),
        part("Content-Location: a.png"),
        long,
    ];
    let parts: Vec<(&str, &str)> = headers.iter().map(|header| (&**header, "x")).collect();
    let run = unpack(&multipart("mixed", &parts), "a.eml", &[])?;
    let names: Vec<&str> = run.names().into_iter().filter(|name| name.len() < 100).collect();
    let expected = [
        "A.PNG",
        "_.htaccess.png",
        "_LPT1.png",
        "_con.txt",
        "a-2.png",
        "a-3.png",
        "autoexec.bat",
        "grüße.png",
        "id.png",
        "lamp.png",
        "longer.png",
        "naïve___.png",
        "passwd.png",
        "shadow.png",
    ];
    assert_eq!((run.status, names), (0, expected.to_vec()), "{}", run.told);
    assert_eq!(run.files.len(), 15);
    Ok(())
}

#[test]
fn an_existing_folder_is_only_written_into_when_forced() -> Outcome {
    let folder = folder_with(&[("out/a.png", "old"), ("out/mine", "mine"), ("elsewhere", "precious")])?;
    let path = |name: &str| folder.path().join(name);
    fs::write(
        path("m.eml"),
        related("<img src=a.png>", &[("Content-Type: image/png\nContent-Location: a.png", "new")]),
    )?;
    let out = path("out");
    let arguments = ["unpack", argument(&path("m.eml")), "-o", argument(&out)].map(str::to_owned);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (status, _, told) = run(&arguments)?;
    assert!(status == 2 && told.contains("out exists; --force writes into it"), "{told}");
    let (status, _, told) = run(&[&arguments[..], &["--force"]].concat())?;
    assert_eq!(status, 0, "{told}");
    let found = files(&out)?;
    assert_eq!(found.keys().collect::<Vec<_>>(), ["a.png", "mine", "page.html"]);
    assert_eq!(found["a.png"], b"new");
    #[cfg(unix)]
    {
        fs::remove_file(out.join("a.png"))?;
        std::os::unix::fs::symlink(path("elsewhere"), out.join("a.png"))?;
        let (status, _, told) = run(&[&arguments[..], &["--force"]].concat())?;
        assert!(status == 1 && told.contains("it exists and is no file"), "{told}");
        assert_eq!(fs::read(path("elsewhere"))?, b"precious");
    }
    let (status, _, told) = run(&["unpack", argument(&path("m.eml")), "-o", argument(folder.path()), "--force"])?;
    assert!(status == 2 && told.contains("lies within the output"), "{told}");
    fs::create_dir(path("other.partial"))?;
    let (status, _, told) = run(&["unpack", argument(&path("m.eml")), "-o", argument(&path("other"))])?;
    assert!(status == 2 && told.contains("other.partial is left from an interrupted run; remove it"), "{told}");
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
            Ok(text) => assert_eq!((run.status, run.text("index.html").trim_end()), (0, text), "{}", run.told),
            Err(why) => assert!(run.status == 2 && run.told.contains(why), "{}", run.told),
        }
    }
    let run = unpack(message("only").as_bytes(), "a.mbox", &[])?;
    assert_eq!((run.status, run.names()), (0, vec!["index.html"]));
    Ok(())
}

#[test]
fn what_is_no_message_is_refused() -> Outcome {
    let folder =
        folder_with(&[("a.html", "<p>"), ("d/x", ""), ("letter.txt", "Subject: x\nFrom: a@h\nReceived: y\n\nText")])?;
    let path = |name: &str| folder.path().join(name);
    let out = path("out");
    for (name, why) in [
        ("a.html", "is no message; unpack reads .eml, .mhtml and mbox"),
        ("d", "is a folder; name one message in it"),
        ("missing.eml", "missing.eml"),
    ] {
        let (status, _, told) = run(&["unpack", argument(&path(name)), "-o", argument(&out)])?;
        assert!(status == 2 && told.contains(why) && !out.exists(), "{name}: {told}");
    }
    let (status, _, told) = run(&["unpack", argument(&path("letter.txt")), "-o", argument(&out)])?;
    assert_eq!((status, files(&out)?.keys().map(String::as_str).collect::<Vec<_>>()), (0, vec!["index.txt"]), "{told}");
    let (status, _, told) = run(&["unpack", argument(&path("letter.txt"))])?;
    assert!(status == 2 && told.contains("--output <FOLDER>"), "{told}");
    let second = path("second");
    let (status, _, told) = run_with(&["unpack", "-", "-o", argument(&second)], &related("<p>", &[]))?;
    assert_eq!((status, files(&second)?.len()), (0, 1), "{told}");
    let (status, _, told) = run_with(&["unpack", "-", "-o", argument(&path("third"))], b"no message at all")?;
    assert!(status == 2 && told.contains("- is no message"), "{told}");
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
        assert!(run.status == 0 && run.told.contains(&format!("/{document}; ")), "{subtype} {document}: {}", run.told);
    }
    Ok(())
}

#[test]
fn a_base_does_not_lead_links_away_from_the_files() -> Outcome {
    let page = "<base href=http://h/e/ target=_top><img src=a.png><a href=b>b</a><a href='#top'>up</a>";
    let image = ("Content-Type: image/png\nContent-Location: http://h/e/a.png", "");
    let run = unpack(&related(page, &[image]), "a.eml", &[])?;
    let expected = "<base href=\"\" target=_top><img src=a.png><a href=http://h/e/b>b</a><a href='#top'>up</a>";
    assert_eq!((run.status, &*run.text("page.html")), (0, expected), "{}", run.told);
    assert!(run.told.contains("fragment-moves: 1 reference"), "{}", run.told);
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
    assert!(run.status == 0 && run.told.contains("no-base: 1 reference left relative"), "{}", run.told);
    let run = unpack(&message, "a.eml", &["--url", "http://h/"])?;
    assert!(run.text("index.html").ends_with("<a href=http://h/more.html>"), "{}", run.told);
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
    assert_eq!(run.text("page.html"), "<img src=outer.png><img src=cid:none><img src='outer.png#x'>", "{}", run.told);
    assert_eq!(run.text("inner.html"), "<img src=inner.png>");
    assert_eq!(run.names(), ["inner.html", "inner.png", "outer-2.png", "outer.png", "page.html"]);
    Ok(())
}

#[test]
fn a_charset_of_the_header_is_put_into_the_file() -> Outcome {
    let page = b"Content-Type: text/html; charset=iso-8859-2\n\n<!doctype html><p>\xB1";
    let run = unpack(page, "a.eml", &[])?;
    assert_eq!(run.files["index.html"], b"<!doctype html><meta charset=\"iso-8859-2\"><p>\xB1", "{}", run.told);
    assert!(
        run.told
            .contains("charset-outside: only the message declares its charset, ISO-8859-2; a meta element was added")
    );
    Ok(())
}

#[test]
fn what_is_damaged_is_named() -> Outcome {
    let encoded =
        |encoding: &str| format!("Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: {encoding}");
    for (header, body, status, told, bytes) in [
        (encoded("base64"), "QUJD*REVG", 1, "part 2: transfer-encoding: its base64 is damaged", Some("ABCDEF")),
        (
            encoded("x-own"),
            "QUJD",
            1,
            "part 2: byte 209: transfer-encoding: its transfer encoding is unknown or malformed; no file is made of it",
            None,
        ),
        (encoded("base64"), "QUJDREVG", 0, "", Some("ABCDEF")),
    ] {
        let run = unpack(&related("<p>", &[(&header, body)]), "a.eml", &[])?;
        assert_eq!(
            (run.status, run.files.get("a.png").map(Vec::as_slice)),
            (status, bytes.map(str::as_bytes)),
            "{}",
            run.told
        );
        assert!(run.told.contains(told), "{}", run.told);
    }
    let whole = related("<img src=a.png>", &[(&encoded("base64"), &"QUJD".repeat(1000))]);
    let run = unpack(&whole[..2000], "a.eml", &[])?;
    assert!(run.told.contains("message-repaired: its closing delimiter is missing"), "{}", run.told);
    assert!(run.files["a.png"].starts_with(b"ABCABC"), "{}", run.told);
    let run = unpack(b"Content-Type: multipart/mixed\n\nx", "a.eml", &[])?;
    assert!(run.status == 1 && run.told.contains("nothing in it can be unpacked"), "{}", run.told);
    Ok(())
}

/// One page of a message: the page, the exit status and what is said.
fn single(message: &[u8]) -> Result<(String, i32, String), Failure> {
    let folder = tempfile::tempdir()?;
    let page = folder.path().join("page.html");
    let (status, _, told) = run_with(&["unpack", "-", "--single", argument(&page)], message)?;
    Ok((fs::read_to_string(page).unwrap_or_default(), status, told))
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
    let (html, status, told) = single(&related(page, &parts))?;
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
    assert_eq!(status, 0, "{told}");
    for why in [
        "part 3: part-left-out: 1 reference to a part left: the parts show each other in a circle",
        "part 6: part-left-out: application/pdf: the page does not show it",
        ": 4 parts within it; 6 links to parts, 3 made absolute, ",
    ] {
        assert!(told.contains(why), "{told}");
    }
    let (_, status, told) = single(b"Subject: x\nFrom: y@h\n\nText")?;
    assert!(status == 2 && told.contains("it has no page of HTML or XHTML"), "{told}");
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
    let (html, status, told) = single(&related("<link rel=stylesheet href=s0.css>", &styles))?;
    assert!(status == 0 && html.len() < 8 << 20 && told.contains("in a circle, or too deep"), "{status} {told}");
    Ok(())
}

/// The time is that of the parts, not of their pairs.
#[test]
fn thousands_of_parts_with_one_name_and_one_id() -> Outcome {
    let part = ("Content-Type: image/gif; name=a.gif\nContent-ID: <i>\nContent-Location: a.gif", "");
    let page = "<img src=cid:i><img src=a.gif>".repeat(2_000);
    let run = unpack(&related(&page, &vec![part; 2_000]), "a.eml", &["--quiet"])?;
    assert_eq!((run.status, run.files.len(), &*run.told), (0, 2_001, ""));
    assert!(run.files.contains_key("a-2000.gif"));
    Ok(())
}
