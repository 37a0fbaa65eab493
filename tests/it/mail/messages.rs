//! Messages: what is changed in them, and what is left alone.

use crate::support::mail_readers::leaves;
use crate::support::{CORPORA, Outcome, rewrite_mbox};
use absolve_containers::{ArchiveOptions, ContainerReader, StreamError, inspect_container};
use absolve_rewriter::internal::{Entity, Part, Report, edits_of, links_of};
use absolve_rewriter::{ListedLink, Options, Status};
use absolve_testing::{corpus, files};
use mail_parser::{MessageParser, MessagePart};

/// Over real messages with a base planted in their headers: the parts, the headers and all that holds no link stay.
#[test]
fn messages_of_corpora() -> Outcome {
    let (mut messages, mut edited) = (0, 0);
    let has_messages = |name: &&str| name.starts_with("mail-") || name.starts_with("mhtml-");
    for name in CORPORA.iter().map(|corpus| corpus.name).filter(has_messages) {
        let Some(folder) = corpus(name) else { return Ok(()) };
        for path in files(&folder)? {
            let file = std::fs::read(&path)?;
            for original in messages_of(&file)? {
                let planted = [b"Content-Base: http://planted.example/d/\n", &original[..]].concat();
                for message in [&original, &planted] {
                    let mut report = Report::default();
                    let edits = edits_of(&Entity::message(message), &Options::default(), &mut report);
                    let output = edits.splice(message);
                    let has_relative = report.counts.rewritten > 0;
                    assert!(
                        has_relative != edits.is_empty() && has_relative == (output != *message),
                        "{}",
                        path.display()
                    );
                    messages += 1;
                    edited += usize::from(has_relative);
                    same_but_for_links(message, &output, &path.display().to_string());
                }
            }
            let mut copy = Vec::new();
            let changed = rewrite_mbox(&file[..], &mut copy, &mut |_| {})?.changed;
            assert!(changed > 0 || copy == file, "{}", path.display());
        }
    }
    assert_eq!((messages, edited), (1162, 4));
    Ok(())
}

/// The messages of a file: one, or those of an mbox.
fn messages_of(file: &[u8]) -> Result<Vec<Vec<u8>>, StreamError> {
    if !file.starts_with(b"From ") {
        return Ok(vec![file.to_vec()]);
    }
    let mut messages = Vec::new();
    let mailbox = ContainerReader::Mailbox(Box::new(file));
    inspect_container(mailbox, &|_, entity| entity.bytes.to_vec(), &ArchiveOptions::default(), &mut |message| {
        messages.push(message);
        Ok(())
    })?;
    Ok(messages)
}

/// Both read alike by mail-parser: the same parts, headers and contents, but those in which links change.
fn same_but_for_links(before: &[u8], after: &[u8], name: &str) {
    let entity = Entity::message(before);
    let is_relative = |link: &ListedLink| link.status == Status::Relative;
    let with_links = |part: &&Part| links_of(&entity, part, &Options::default()).links.iter().any(is_relative);
    let expected = entity.parts.iter().filter(with_links).count();
    let (Some(before), Some(after)) = (MessageParser::default().parse(before), MessageParser::default().parse(after))
    else {
        return;
    };
    let (old, new) = (leaves(&before), leaves(&after));
    assert_eq!(old.len(), new.len(), "{name}: the number of parts");
    let mut changed = 0;
    for (old, new) in old.iter().zip(&new) {
        let fields = |part: &MessagePart<'_>| -> Vec<String> {
            part.headers.iter().map(|field| format!("{:?} {:?}", field.name, field.value)).collect()
        };
        assert_eq!(fields(old), fields(new), "{name}: the headings");
        changed += usize::from(old.contents() != new.contents());
    }
    assert_eq!(changed, expected, "{name}: the parts that changed");
}

/// Rewrites a message retrieved from nowhere: what comes out, and the codes of its findings.
fn outcome(message: &str) -> (String, Vec<&'static str>) {
    let entity = Entity::message(message.as_bytes());
    let mut report = Report::default();
    let output = edits_of(&entity, &Options::default(), &mut report).splice(message.as_bytes());
    (String::from_utf8_lossy(&output).into_owned(), report.findings.iter().map(|finding| finding.code.name()).collect())
}

/// As of a page, see `documents::single`: a part without a charset, or with one that has no such name.
#[test]
fn a_part_keeps_its_last_byte_that_is_not_utf_8() {
    for charset in ["", "; charset=iso-88"] {
        let before = format!(
            "Content-Base: http://h/\nContent-Type: text/html{charset}\n\
             Content-Transfer-Encoding: quoted-printable\n\n<a href=3D'=E9/../x'>=C3=A9</a><a href=3Dy>"
        );
        let mut report = Report::default();
        let output = edits_of(&Entity::message(before.as_bytes()), &Options::default(), &mut report);
        let output = output.splice(before.as_bytes());
        assert_eq!(String::from_utf8_lossy(&output), before.replace("=3Dy", "=3Dhttp://h/y"));
        assert_eq!((report.counts.rewritten, report.counts.kept), (1, 1));
        let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code.name()).collect();
        assert_eq!(codes.last(), Some(&"charset-needed"), "{charset}: {codes:?}");
    }
}

#[test]
fn what_is_left_alone() {
    let html = "Content-Type: text/html\r\n";
    let based = "Content-Base: http://h/\r\n";
    for (message, code) in [
        (
            format!(
                "{based}Content-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n{html}\r\n<a href=x>\r\n--b--\r\n"
            ),
            "signed",
        ),
        (format!("{based}{html}\r\n-----BEGIN PGP SIGNED MESSAGE-----\r\n<a href=x>"), "signed"),
        (format!("{based}{html}Content-Transfer-Encoding: x-uuencode\r\n\r\n<a href=x>"), "transfer-encoding"),
        (format!("{based}{html}Content-Transfer-Encoding: base64\r\n\r\nPGEgaHJlZj14Pg=!"), "transfer-encoding"),
        (
            format!("{based}{html}Content-Transfer-Encoding: base64\r\n\r\nPGEg\r\naHJlZj14Pg==\r\n"),
            "transfer-encoding",
        ),
        (
            format!("{based}Content-Type: multipart/mixed; boundary=b\r\n\r\n--c\r\n{html}\r\n<a href=x>\r\n"),
            "message-structure",
        ),
        (format!("{based}{}<a href=x>", "Content-Type: message/rfc822\r\n\r\n".repeat(32_000)), "message-structure"),
        (format!("{based}{html}Content-Type: text/plain\r\n\r\n<a href=x>"), "message-structure"),
        (
            format!("{based}{html}Content-Transfer-Encoding: 8bit\r\nContent-Transfer-Encoding: base64\r\n\r\nx"),
            "message-structure",
        ),
        (format!("{based}Content-Type: message/partial\r\n\r\n<a href=x>"), "message-structure"),
        (format!("{based}{html}\r\n<a href=x>").replace("\r\n", "\r"), "message-structure"),
        (
            format!("{based}Content-Type: multipart/mixed; boundary=b; x=\"{}\"\r\n\r\n--b--", "y".repeat(100_000)),
            "message-structure",
        ),
        (
            format!(
                "{based}Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: x-any\r\n\r\n--b\r\n\r\n--b--"
            ),
            "transfer-encoding",
        ),
        (format!("{based}{}", nested_multiparts(200)), "message-structure"),
    ] {
        let (output, codes) = outcome(&message);
        let start = &message[..message.len().min(300)];
        assert!(output == message && codes == [code], "{codes:?}: {start}");
    }
}

fn nested_multiparts(depth: usize) -> String {
    let opened: String =
        (0..depth).map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}x\r\n\r\n--b{n}x\r\n")).collect();
    let closed: String = (0..depth).rev().map(|n| format!("\r\n--b{n}x--\r\n")).collect();
    format!("{opened}Content-Type: text/html\r\n\r\n<a href=x>{closed}")
}

/// A part that says by a relative URL where it stands is reached by relative references only.
#[test]
fn references_to_siblings() {
    let related = |location: &str| {
        format!(
            "Content-Type: multipart/related; boundary=b\r\nContent-Base: http://h/d/\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n\
             <img src=\"pic.png\"><img src=\"other.png\"><a href=\"cid:x\">\r\n--b\r\nContent-Type: image/png\r\n\
             Content-Location: {location}\r\n\r\nPNG\r\n--b--\r\n"
        )
    };
    for (location, expected) in [
        ("pic.png", "<img src=\"pic.png\"><img src=\"http://h/d/other.png\"><a href=\"cid:x\">"),
        ("./sub/../pic.png", "<img src=\"pic.png\"><img src=\"http://h/d/other.png\"><a href=\"cid:x\">"),
        ("http://h/d/pic.png", "<img src=\"http://h/d/pic.png\"><img src=\"http://h/d/other.png\"><a href=\"cid:x\">"),
    ] {
        let (output, codes) = outcome(&related(location));
        assert!(output.contains(expected) && codes == ["no-part"], "{location}: {output}");
    }
}

/// As well when only the URL of the message says what both mean.
#[test]
fn a_sibling_is_reached_where_only_the_retrieval_url_gives_a_base() -> Outcome {
    let message = "Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n\
                   <img src=pic.png><img src=other.png>\r\n--b\r\nContent-Type: image/png\r\n\
                   Content-Location: pic.png\r\n\r\nPNG\r\n--b--\r\n";
    let folder = crate::support::folder_with(&[("a.mhtml", message)])?;
    let (input, output) = (folder.path().join("a.mhtml"), folder.path().join("b.mhtml"));
    for flags in
        [&["--url", "http://h/d/a.mhtml"][..], &["--url", "http://h/d/a.mhtml", "--precedence", "browser", "--force"]]
    {
        let files = ["rewrite", crate::support::argument(&input), "-o", crate::support::argument(&output)];
        assert_eq!(crate::support::run(&[&files, flags].concat())?.0, 0);
        let rewritten = std::fs::read_to_string(&output)?;
        assert!(rewritten.contains("<img src=pic.png><img src=http://h/d/other.png>"), "{rewritten}");
    }
    Ok(())
}

/// Behind one slash, the URL Standard reads a path at a base of the same scheme; to the RFCs the scheme makes it absolute.
#[test]
fn a_sibling_whose_location_has_one_slash_is_reached_by_the_standard_of_the_run() -> Outcome {
    let message = "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\nContent-Base: http://h/\n\n\
                   <img src=d/pic.png>\n--b\nContent-Type: image/png\nContent-Base: http://h/\n\
                   Content-Location: http:/d/pic.png\n\nPNG\n--b--\n";
    let folder = crate::support::folder_with(&[("a.eml", message)])?;
    let [input, output] = ["a.eml", "b.eml"].map(|name| folder.path().join(name));
    let files = [&input, &output].map(|file| crate::support::argument(file));
    for (standard, expected) in [("whatwg", "<img src=d/pic.png>"), ("rfc3986", "<img src=http://h/d/pic.png>")] {
        let flags = ["--standard", standard];
        assert_eq!(
            crate::support::run(&[&["rewrite", files[0], "-o", files[1], "--force"][..], &flags].concat())?.0,
            0
        );
        let rewritten = std::fs::read_to_string(&output)?;
        assert!(rewritten.contains(expected), "{standard}: {rewritten}");
        assert_eq!(crate::support::run(&[&["verify", files[0], files[1]][..], &flags].concat())?.0, 0, "{standard}");
    }
    Ok(())
}

/// Its name counts.
#[test]
fn a_field_stays_where_its_line_would_be_longer_than_998_bytes() -> Outcome {
    let folder = crate::support::folder_with(&[])?;
    let [input, output] = ["a.eml", "b.eml"].map(|name| folder.path().join(name));
    let files = [&input, &output].map(|file| crate::support::argument(file));
    for (length, changes) in [(998, true), (999, false)] {
        let path = "x".repeat(length - "List-Archive: <http://h/>".len());
        let message = |start: &str| format!("Content-Base: http://h/\nList-Archive: <{start}{path}>\n\n<URL:x>\n");
        std::fs::write(&input, message(""))?;
        let command = ["rewrite", files[0], "-o", files[1], "--headers", "--force"];
        assert_eq!(crate::support::run(&command)?.0, 0);
        let rewritten = std::fs::read_to_string(&output)?;
        let expected = message(if changes { "http://h/" } else { "" }).replace("URL:x", "URL:http://h/x");
        assert!(rewritten == expected, "{length}: {rewritten}");
        assert_eq!(crate::support::run(&["verify", files[0], files[1], "--headers"])?.0, 0, "{length}");
    }
    Ok(())
}

/// Chromium's own line endings and folding; the frame has no location of its own, as it notes none for `about:`. The user comes
/// first, then the snapshot.
#[test]
fn the_url_of_the_user_outranks_that_of_a_saved_page() -> Outcome {
    let page = |snapshot: &str| {
        format!(
            "From: <Saved by Blink>\r\n{snapshot}Subject: x\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"b\"\r\n\r\n\r\n\
             --b\r\nContent-Type: text/html\r\nContent-Location: http://h/d/page\r\n\r\n<a href=own>\r\n\
             --b\r\nContent-Type: text/html\r\nContent-ID: <frame-1@mhtml.blink>\r\n\r\n<a href=frame>\r\n\
             --b--\r\n"
        )
    };
    const GIVEN: &[&str] = &["--url", "http://given/"];
    for (snapshot, flags, frame, conflicts) in [
        ("Snapshot-Content-Location: http://s/e/\r\n", &[][..], "http://s/e/frame", false),
        ("snapshot-content-location: =?utf-8?Q?http://s/=65/?=\r\n", &[], "http://s/e/frame", false),
        ("Snapshot-Content-Location: http://s/e/\r\n", GIVEN, "http://given/frame", true),
        ("Snapshot-Content-Location: http://given/page\r\n", GIVEN, "http://given/frame", false),
        ("Snapshot-Content-Location: e/\r\n", GIVEN, "http://given/frame", false),
        ("", GIVEN, "http://given/frame", false),
    ] {
        let before = page(snapshot);
        let folder =
            crate::support::folder_with(&[("in/noname", &before), ("in/a.mht", &before), ("in/b.MHTML", &before)])?;
        let after = before.replace("href=own", "href=http://h/d/own").replace("href=frame", &format!("href={frame}"));
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        let (input, to) = (crate::support::argument(&input).to_owned(), crate::support::argument(&output).to_owned());
        let (status, _, told) = crate::support::run(&[&["rewrite", &input, "-o", &to], flags].concat())?;
        assert_eq!(status, 0);
        assert_eq!(told.contains("url-conflict: --url declares the URL http://given/"), conflicts, "{told}");
        for name in ["noname", "a.mht", "b.MHTML"] {
            assert_eq!(std::fs::read_to_string(output.join(name))?, after, "{name}: {snapshot}");
        }
    }
    Ok(())
}

#[test]
fn messages_are_known_by_name_and_by_content() -> Outcome {
    let message = "Received: from x\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
    let folder = crate::support::folder_with(&[("in/a.eml", message), ("in/noname", message), ("in/b.txt", message)])?;
    let output = folder.path().join("out");
    let arguments = [
        "rewrite",
        crate::support::argument(&folder.path().join("in")),
        "-o",
        crate::support::argument(&output),
        "--quiet",
    ]
    .map(str::to_owned);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    assert_eq!(crate::support::run(&arguments)?.0, 0);
    for (name, changes) in [("a.eml", true), ("noname", true), ("b.txt", false)] {
        let text = std::fs::read_to_string(output.join(name))?;
        assert_eq!(text.contains("<a href=http://h/x>"), changes, "{name}: {text}");
    }
    let (status, out, _) =
        crate::support::run(&["links", "--json", crate::support::argument(&folder.path().join("in/a.eml"))])?;
    assert!(status == 0 && out.contains("\"part\":\"1\",\"start\":8,\"end\":9,\"written\":\"x\""), "{out}");
    Ok(())
}

/// What is compressed in a way that is not read is reported as that, with the command that takes it out.
#[test]
fn compressed_mail_is_reported_with_the_command_that_unpacks_it() -> Outcome {
    let packings: [(&str, &[u8], &str); 2] =
        [("zip", b"PK\x03\x04\x14", "unzip"), ("7z", b"7z\xbc\xaf\x27\x1c", "7z x")];
    for (extension, bytes, command) in packings {
        // Named as what it is in, or as that and what it is compressed by; and a message of a Maildir.
        let names =
            ["a.eml".to_owned(), format!("b.eml.{extension}"), format!("c.mbox.{extension}"), "d.mbox".to_owned()];
        let folder = crate::support::folder_with(&[("in/Mail/cur/1:2,S", ""), ("in/Mail/new/2", "")])?;
        let input = folder.path().join("in");
        let paths = names.iter().map(String::as_str).chain(["Mail/cur/1:2,S"]);
        for path in paths.clone() {
            std::fs::write(input.join(path), bytes)?;
        }
        let (status, _, told) =
            crate::support::run(&["rewrite", "--dry-run", "--verbose", crate::support::argument(&input)])?;
        assert_eq!(status, 0, "{told}");
        for path in paths {
            let line = told.lines().find(|line| line.contains(&format!("/{path}: "))).unwrap_or_default();
            assert!(line.contains("it is compressed (") && line.contains(&format!("`{command}`")), "{path}: {told}");
            let (status, _, told) = crate::support::run(&["check", crate::support::argument(&input.join(path))])?;
            assert!(status > 0 && told.contains(&format!("`{command}`")), "check {path}: {told}");
        }
    }
    Ok(())
}

/// What the commands that list say of what `rewrite` leaves alone.
#[test]
fn lists_agree_with_what_is_rewritten() -> Outcome {
    let signed = "Content-Base: http://h/\nContent-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x>\n--b--\n";
    let broken = "Content-Base: http://h/\nContent-Type: multipart/mixed; boundary=b\n\n--c\nContent-Type: text/html\n\n<a href=x>\n";
    let open = "Content-Base: http://h/\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=#x>\n";
    let archived = "Archived-At: <archive>\nContent-Type: text/html\n\n<a href=http://h/>\n";
    let part = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n{\"a\": 1}\n--b--\n";
    let folder = crate::support::folder_with(&[
        ("o.eml", open),
        ("s.eml", signed),
        ("b.eml", broken),
        ("a.eml", archived),
        ("p.eml", part),
    ])?;
    let path = |name: &str| crate::support::argument(&folder.path().join(name)).to_owned();
    for (command, name, status, told) in [
        ("check", "s.eml", 0, ""),
        ("check", "a.eml", 0, ""),
        ("check", "b.eml", 1, "b.eml:4:1: message-structure: "),
        ("base", "b.eml", 0, "b.eml:4:1: message-structure: "),
        ("check", "p.eml", 1, "p.eml: part 1: not-its-type: "),
        ("check", "o.eml", 0, "o.eml:4:1: message-repaired: "),
    ] {
        let (found, _, errors) = crate::support::run(&[command, &path(name)])?;
        assert!(found == status && errors.contains(told), "{command} {name}: {found}, {errors}");
    }
    let (status, ..) = crate::support::run(&["check", &path("s.eml"), "--break-signatures"])?;
    assert_eq!(status, 1);
    Ok(())
}
