//! How parts of one message refer to each other by their locations, also by those that nobody else can use.

use std::fs;

use crate::support::unpacking::{Run, multipart, unpack};
use crate::support::warc::response;
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::temporary_folder;

type Failure = Box<dyn std::error::Error>;

/// A message as `rewrite`, `verify`, `check` and `links` read it.
struct Read {
    /// Whether `rewrite` changes a byte.
    is_changed: bool,
    rewritten: Vec<u8>,
    findings: String,
    /// The lines of `check`.
    relative: Vec<String>,
    /// The lines of `links` about documents.
    links: Vec<String>,
}

/// Reads a message whose characters are bytes. `verify` has to find what `rewrite` did.
fn read(message: &[u8], name: &str, options: &[&str]) -> Result<Read, Failure> {
    let folder = temporary_folder()?;
    let (file, out) = (folder.path().join(name), folder.path().join(format!("out-{name}")));
    fs::write(&file, message)?;
    let (_, _, findings) = run(&[&["rewrite", argument(&file), "-o", argument(&out)], options].concat())?;
    let (status, _, errors) = run(&[&["verify", argument(&file), argument(&out)], options].concat())?;
    assert_eq!(status, 0, "{errors}{findings}");
    let rewritten = fs::read(&out)?;
    let lines = |output: String| output.lines().map(str::to_owned).collect::<Vec<_>>();
    let (_, relative, _) = run(&[&["check", argument(&file)], options].concat())?;
    let (_, links, _) = run(&[&["links", argument(&file)], options].concat())?;
    let links = lines(links).into_iter().filter(|line| !line.contains(" field: ")).collect();
    Ok(Read { is_changed: rewritten != message, rewritten, findings, relative: lines(relative), links })
}

/// Encodes characters up to U+00FF as one byte each.
fn latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(character).unwrap_or(b'?')).collect()
}

fn related(parts: &[(&str, &str)]) -> Vec<u8> {
    multipart("related", parts)
}

fn is_linked(run: &Run, page: &str, links: &[&str]) {
    let text = run.text(page);
    assert!(run.status == 0 && links.iter().all(|link| text.contains(link)), "{}{text}", run.stderr);
}

/// Word writes a "Single File Web Page" so.
#[test]
fn a_web_page_of_word_keeps_its_images_and_styles() -> Outcome {
    let page = "<link rel=stylesheet href=report_files/s.css><img src=\"report_files/image001.png\"><a href=other.htm>";
    let message = related(&[
        ("Content-Location: file:///C:/2F0C1B2A/report.htm\nContent-Type: text/html", page),
        ("Content-Location: file:///C:/2F0C1B2A/report_files/image001.png\nContent-Type: image/png", "x"),
        (
            "Content-Location: file:///C:/2F0C1B2A/report_files/s.css\nContent-Type: text/css",
            "p{background:url(image001.png)}",
        ),
    ]);
    let run = unpack(&message, "word.mht", &[])?;
    is_linked(&run, "report.htm", &["href=s.css", "src=\"image001.png\"", "href=other.htm"]);
    is_linked(&run, "s.css", &["url(image001.png)"]);
    assert!(run.stderr.contains("3 links to parts, ") && run.stderr.contains(" 1 left relative"), "{}", run.stderr);
    let folder = temporary_folder()?;
    let (file, single) = (folder.path().join("word.mht"), folder.path().join("word.html"));
    fs::write(&file, &message)?;
    let (_, _, errors) = crate::support::run(&["unpack", argument(&file), "--single", argument(&single)])?;
    let html = fs::read_to_string(&single)?;
    assert!(html.contains("href=data:text/css;base64,") && html.contains("src=\"data:image/png;base64,"), "{html}");
    assert!(!errors.contains("part-left-out"), "{errors}");
    let read = read(&message, "word.mht", &[])?;
    assert!(!read.is_changed && read.findings.contains(", 3 kept, 1 left relative; "), "{}", read.findings);
    assert!(read.findings.contains(" kept: links to parts of the same message\n"), "{}", read.findings);
    assert!(read.relative.len() == 1 && read.relative[0].ends_with("a@href: other.htm"), "{:?}", read.relative);
    assert_eq!(read.links.iter().filter(|line| line.contains(": kept ")).count(), 3, "{:?}", read.links);
    Ok(())
}

#[test]
fn a_base_that_is_not_written_finds_parts() -> Outcome {
    let png = "Content-Type: image/png\nContent-Location: ";
    for (page, part, links) in [
        ("Content-Location: thismessage:/page.html", "thismessage:/img/a.png", ["img/a.png", "./img\\a.png#x"]),
        ("Content-Location: thismessage:/page.html", "img/a.png", ["img/a.png", "/img/a.png"]),
        ("Subject: x", "img/a.png", ["thismessage:/img/a.png", "img/a.png"]),
        ("Subject: x", "./img/a.png", ["img/a.png", "img/../img/a.png"]),
        ("Content-Location: p/page.html", "p/img/a.png", ["img/a.png", "../p/img/a.png"]),
        ("Content-Base: file:///C:/x/", "a.png\nContent-Base: file:///C:/x/", ["a.png", "/C:/x/a.png"]),
        ("Content-Location: file://C:\\x\\p.html", "file:///C:/x/a.png", ["a.png", "file:///C:/x/a.png"]),
        (
            "Content-Location: mhtml:file://C:\\x.mht!p.html",
            "a.png\nContent-Base: file:///C:/",
            ["file:///C:/a.png"; 2],
        ),
    ] {
        let html = format!("<img src=\"{}\"><img src=\"{}\"><a href=n.html>n</a>", links[0], links[1]);
        let message = related(&[(&format!("{page}\nContent-Type: text/html"), &html), (&format!("{png}{part}"), "x")]);
        let run = unpack(&message, "a.eml", &[])?;
        let document = *run.names().iter().find(|name| name.ends_with(".html")).ok_or("no page")?;
        is_linked(&run, document, &["href=n.html"]);
        assert_eq!(run.text(document).matches("src=\"a.png").count(), 2, "{page}: {}", run.text(document));
        let read = read(&message, "a.eml", &[])?;
        assert!(!read.is_changed, "{page}: {}", read.findings);
        assert!(
            read.relative.len() == 1 && read.relative[0].ends_with("a@href: n.html"),
            "{page}: {:?}",
            read.relative
        );
    }
    Ok(())
}

#[test]
fn the_location_of_the_whole_message_finds_parts() -> Outcome {
    let message = related(&[
        ("Content-Type: text/html", "<img src=a.png>"),
        ("Content-Location: a.png\nContent-Type: image/png", "x"),
    ]);
    let message = [b"Content-Location: file:///home/u/p.html\n".as_slice(), &message].concat();
    is_linked(&unpack(&message, "a.eml", &[])?, "p.html", &["src=a.png"]);
    let read = read(&message, "a.eml", &[])?;
    assert!(!read.is_changed && read.relative.is_empty(), "{:?}", read.relative);
    Ok(())
}

/// Beside a base that is not written, one that is keeps its rule: with an absolute location, the link becomes absolute.
#[test]
fn only_links_that_stay_anyway_are_kept() -> Outcome {
    let page = "<object codebase=file:///C:/x/ classid=y></object><img src=a.png>";
    let message = related(&[
        ("Content-Type: text/html\nContent-Location: http://h/d/page.html", page),
        ("Content-Type: image/png\nContent-Location: http://h/d/a.png", "x"),
    ]);
    let read = read(&message, "a.eml", &[])?;
    assert!(String::from_utf8_lossy(&read.rewritten).contains("<img src=http://h/d/a.png>"), "{:?}", read.links);
    Ok(())
}

/// Old programs of Windows write locations in windows-1252. No link may get a U+FFFD.
#[test]
fn a_byte_of_latin_1_in_a_location_becomes_no_replacement_character() -> Outcome {
    let page = "Content-Type: text/html; charset=windows-1252\nContent-Location: http://x.example/B\u{FC}ro/seite.html";
    let part = "Content-Type: image/png\nContent-Location: http://x.example/B\u{FC}ro/gr\u{FC}\u{DF}e.png";
    let html = "<img src=\"gr\u{FC}\u{DF}e.png\"><img src='gr%FC%DFe.png'><img src=gr%C3%BC%C3%9Fe.png>\
        <a href=\"n\u{E4}chste.html\">n</a><a href=\"plain.html\">p</a>";
    let message = latin_1(&String::from_utf8(related(&[(page, html), (part, "x")]))?);
    let rejected =
        "content-location at byte 46 of 1.MIME declares \"http://x.example/Büro/seite.html\": its bytes are not UTF-8";
    let alone = read(&message, "oe.mht", &[])?;
    assert!(!alone.is_changed && alone.findings.contains("base-rejected: "), "{}", alone.findings);
    assert!(
        alone.findings.contains(rejected) && alone.findings.contains(", 3 kept, 2 left relative; "),
        "{}",
        alone.findings
    );
    assert_eq!(alone.relative.len(), 2, "{:?}", alone.relative);
    let given = read(&message, "oe.mht", &["--url", "http://x.example/B%C3%BCro/seite.html"])?;
    let changed = latin_1(
        &String::from_utf8(message.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes())?
            .replace("\"n\u{E4}", "\"http://x.example/B%C3%BCro/n\u{E4}")
            .replace("\"plain", "\"http://x.example/B%C3%BCro/plain"),
    );
    assert_eq!(String::from_utf8_lossy(&given.rewritten), String::from_utf8_lossy(&changed), "{}", given.findings);
    let run = unpack(&message, "oe.mht", &[])?;
    assert_eq!(run.names(), ["grüße.png", "seite.html"], "{}", run.stderr);
    assert_eq!(run.text("seite.html").matches("gr%C3%BC%C3%9Fe.png").count(), 3, "{}", run.text("seite.html"));
    assert!(run.stderr.contains("3 links to parts, ") && run.stderr.contains("base-rejected"), "{}", run.stderr);
    Ok(())
}

#[test]
fn a_field_of_unknown_charset_is_not_a_base() -> Outcome {
    for (field, place) in [
        ("Content-Location: https://x.example/\u{E4}/p.html", "content-location at byte 0 of HEADER"),
        ("Content-Base: https://x.example/\u{E4}/", "content-base at byte 0 of HEADER"),
        ("Base: <URL:https://x.example/\u{E4}/>", "base at byte 0 of HEADER"),
        ("Snapshot-Content-Location: https://x.example/\u{E4}/p.html", "retrieval at Snapshot-Content-Location"),
        ("Content-Base: =?utf-8?Q?https://x.example/=E4/?=", "content-base at byte 0 of HEADER"),
    ] {
        let message = latin_1(&format!("{field}\nContent-Type: text/html; charset=utf-8\n\n<a href=\"p\">x</a>"));
        let alone = read(&message, "a.eml", &[])?;
        assert!(
            !alone.is_changed && alone.findings.contains(&format!("base-rejected: {place} declares ")),
            "{field}: {}",
            alone.findings
        );
        assert!(!alone.findings.contains("http://other") && alone.relative.len() == 1, "{field}: {:?}", alone.relative);
        let given = read(&message, "a.eml", &["--message-url", "http://other/"])?;
        assert!(given.rewritten.ends_with(b"<a href=\"http://other/p\">x</a>"), "{field}: {}", given.findings);
    }
    for (field, base) in [
        ("Content-Base: https://x.example/ (B\u{FC}ro)", "https://x.example/"),
        ("Content-Base: =?iso-8859-1?Q?https://x.example/=E4/?=", "https://x.example/%C3%A4/"),
        ("Content-Base: https://x.example/\u{C3}\u{A4}/", "https://x.example/%C3%A4/"),
    ] {
        let message = latin_1(&format!("{field}\nContent-Type: text/html; charset=utf-8\n\n<a href=\"p\">x</a>"));
        let read = read(&message, "a.eml", &[])?;
        assert!(
            read.rewritten.ends_with(format!("<a href=\"{base}p\">x</a>").as_bytes()),
            "{field}: {}",
            read.findings
        );
    }
    Ok(())
}

/// Otherwise the link would become absolute and lead to no part.
#[test]
fn a_relative_location_of_unknown_charset_finds_its_part() -> Outcome {
    let message = latin_1(&String::from_utf8(related(&[
        (
            "Content-Type: text/html; charset=windows-1252\nContent-Base: http://h/d/",
            "<img src=\"gr\u{FC}n.png\"><img src=rot.png>",
        ),
        ("Content-Type: image/png\nContent-Base: http://h/d/\nContent-Location: gr\u{FC}n.png", "x"),
    ]))?);
    let read = read(&message, "a.eml", &[])?;
    let expected = latin_1("<img src=\"gr\u{FC}n.png\"><img src=http://h/d/rot.png>");
    assert!(memchr::memmem::find(&read.rewritten, &expected).is_some(), "{}", String::from_utf8_lossy(&read.rewritten));
    is_linked(&unpack(&message, "a.eml", &[])?, "index.html", &["src=\"gr%C3%BCn.png\"", "src=http://h/d/rot.png"]);
    Ok(())
}

/// Nor need the header of a response be UTF-8.
#[test]
fn a_header_of_a_response_of_unknown_charset_is_not_a_base() -> Outcome {
    let headers = "Content-Type: text/html\r\nContent-Location: /B\u{FC}ro/\r\n";
    let record = response(1, "http://h/d/", "200 OK", headers, b"<a href=x>");
    let record = String::from_utf8(record)?;
    let length = record.len() - 'ü'.len_utf8() + 1;
    let warc = latin_1(&record);
    assert_eq!(warc.len(), length);
    // The character has one byte less now.
    let text = record.lines().filter(|line| line.starts_with("Content-Length: ")).collect::<Vec<_>>();
    let old: usize = text[0]["Content-Length: ".len()..].parse()?;
    let warc = latin_1(&record.replace(text[0], &format!("Content-Length: {}", old - 1)));
    let read = read(&warc, "a.warc", &["--http-headers"])?;
    let written = String::from_utf8_lossy(&read.rewritten).into_owned();
    assert!(
        written.contains("<a href=http://h/d/x>") && read.findings.contains("base-rejected"),
        "{written}{}",
        read.findings
    );
    Ok(())
}

/// `check --for mail` called them out of reach (RFC 2557, section 8.2).
#[test]
fn what_names_a_part_of_the_message_is_within_reach() -> Outcome {
    let page = "<img src=http://localhost/i.png><img src=j.png><a href=http://localhost/else><a href=http://localhost/i.png#x>";
    let message = |location: &str| {
        format!(
            "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\nContent-Location: http://localhost/\n\n{page}\n\
             --b\nContent-Type: image/png\nContent-Location: {location}\n\nPNG\n\
             --b\nContent-Type: image/png\nContent-Location: http://localhost/j.png\n\nPNG\n--b--\n"
        )
    };
    let folder =
        folder_with(&[("a.mhtml", &message("http://localhost/i.png")), ("b.mhtml", &message("file:///i.png"))])?;
    let path = |name: &str| argument(&folder.path().join(name)).to_owned();
    for (name, expected) in [("a.mhtml", &["http://localhost/else"][..]), ("b.mhtml", &["i.png", "else", "i.png#x"])] {
        let (_, found, log) = run(&["check", "--for", "mail", &path(name)])?;
        let said: Vec<&str> = found.lines().filter(|line| line.contains("no reader elsewhere")).collect();
        assert_eq!(said.len(), expected.len(), "{found}{log}");
        assert!(said.iter().zip(expected).all(|(line, url)| line.contains(&format!("{url} ("))), "{found}");
        let (_, _, log) = run(&["rewrite", "--for", "mail", "--dry-run", &path(name)])?;
        let told = format!("out-of-reach: {} reference", expected.len());
        assert!(log.contains(&told), "{log}");
    }
    Ok(())
}
