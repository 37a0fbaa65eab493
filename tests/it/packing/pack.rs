//! `absolve pack`: what it makes, what it refuses, and what it reports.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::packing::{pack, page};
use crate::support::{Outcome, argument, folder_with, run, run_with};
use absolve_testing::{fixtures, temporary_folder};
use mail_parser::MimeHeaders;

const URL: &str = "https://news.example/2026/page.html";

#[test]
fn what_cannot_be_embedded_is_reported_and_left_absolute() -> Outcome {
    for (reference, code, target) in [
        ("missing.png", "resource-missing", "https://news.example/2026/missing.png"),
        ("folder.png", "resource-missing", "https://news.example/2026/folder.png"),
        ("../../etc/passwd.png", "resource-outside", "https://news.example/etc/passwd.png"),
        ("../outside.png", "resource-outside", "https://news.example/outside.png"),
        ("..%2foutside.png", "resource-outside", "https://news.example/2026/..%2foutside.png"),
        ("link-out.png", "resource-outside", "https://news.example/2026/link-out.png"),
        ("linked/outside.png", "resource-outside", "https://news.example/2026/linked/outside.png"),
        ("pipe.png", "resource-missing", "https://news.example/2026/pipe.png"),
        ("loop.png", "resource-unreadable", "https://news.example/2026/loop.png"),
        ("page.html", "resource-type", "https://news.example/2026/page.html"),
        ("no-extension", "resource-type", "https://news.example/2026/no-extension"),
    ] {
        let html = format!("<img src='{reference}'><img src=in.png>");
        let files =
            [("outside.png", "secret"), ("site/in.png", "in"), ("site/folder.png/x", ""), ("site/no-extension", "")];
        let (folder, page) = page(&html, &files)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            let site = folder.path().join("site");
            symlink("../outside.png", site.join("link-out.png"))?;
            symlink("..", site.join("linked"))?;
            symlink("loop.png", site.join("loop.png"))?;
            assert!(Command::new("mkfifo").arg(site.join("pipe.png")).status()?.success());
        }
        let packed = pack(&page, "a.eml", &["--url", URL])?;
        assert_eq!(packed.status, 0, "{}", packed.stderr);
        assert!(packed.stderr.contains(&format!("page.html:1:11: {code}: {reference} ")), "{}", packed.stderr);
        assert!(packed.html().starts_with(&format!("<img src='{target}'><img src=cid:")), "{}", packed.html());
        assert_eq!(packed.parsed().parts.len(), 3, "{reference}");
        assert!(!packed.message.windows(6).any(|six| six == b"secret" || six == b"c2Vjcm"), "{reference}");
        drop(folder);
    }
    Ok(())
}

#[test]
fn without_a_url_what_is_not_embedded_stays() -> Outcome {
    let files =
        [("site/img/a b.png", "image"), ("site/s.css", "i{background:url(img/a%20b.png)}"), ("site/x.png", "x")];
    let html =
        "<link rel=stylesheet href=s.css><img src='img/a b.png'><img src=/x.png><img src=no.png><a href=more.html>";
    let (_folder, page) = page(html, &files)?;
    for (name, expected) in [("a.eml", 1), ("a.mhtml", 2)] {
        let packed = pack(&page, name, &[])?;
        let parts = packed.html().matches("=cid:").count() + packed.html().matches("'cid:").count();
        assert_eq!(parts, expected, "{}", packed.html());
        assert!(packed.html().ends_with("<img src=/x.png><img src=no.png><a href=more.html>"), "{}", packed.html());
        assert!(packed.stderr.contains("resource-outside: /x.png leads out of the folder; the link is left unchanged"));
        assert!(
            packed.stderr.contains("resource-missing: no.png is no file of the folder; the link is left unchanged")
        );
        assert!(packed.stderr.contains("no-base: 3 references left relative"), "{}", packed.stderr);
        let style = packed
            .parsed()
            .parts
            .iter()
            .find_map(|part| Some(part.text_contents()?.to_owned()).filter(|text| text.starts_with('i')));
        let is_part = style.is_some_and(|style| style.starts_with("i{background:url(cid:"));
        let is_within = packed.html().starts_with("<style>i{background:url(data:image/png;base64,");
        assert_eq!((is_part, is_within), (name == "a.mhtml", name == "a.eml"), "{}", packed.html());
        assert!(!String::from_utf8_lossy(&packed.message).contains("folder.invalid"));
    }
    Ok(())
}

#[test]
fn a_page_of_a_tree() -> Outcome {
    let html = "<base href='../'><img src=img/a.png><img src='https://news.example/site/img/a.png'><a href=x>";
    let (folder, _) =
        page("", &[("site/deep/er/p.html", html), ("site/deep/img/a.png", "1"), ("site/img/a.png", "2")])?;
    let (document, root) = (folder.path().join("site/deep/er/p.html"), folder.path().join("site"));
    let packed = pack(&document, "a.eml", &["--root", argument(&root), "--url", "https://news.example/site/"])?;
    assert!(packed.stderr.contains("2 files embedded for 2 links; 2 made absolute"), "{}", packed.stderr);
    assert!(!packed.stderr.contains("resource-"), "a BASE is not loaded: {}", packed.stderr);
    assert!(packed.html().contains("<a href=https://news.example/site/deep/x>"), "{}", packed.html());
    let locations: Vec<_> =
        packed.parsed().parts.iter().filter_map(|part| part.content_location().map(str::to_owned)).collect();
    let expected =
        ["deep/er/p.html", "deep/img/a.png", "img/a.png"].map(|path| format!("https://news.example/site/{path}"));
    assert_eq!(locations, expected);
    let elsewhere = pack(&document, "a.eml", &["--root", argument(&fixtures())])?;
    assert_eq!(elsewhere.status, 2, "{}", elsewhere.stderr);
    Ok(())
}

/// What a browser has saved leads to copies whose URLs nobody knows.
#[test]
fn a_page_that_a_browser_saved() -> Outcome {
    let html =
        "<!-- saved from url=(0028)https://news.example/2026/p1 -->\n<html><img src='./p_files/a.png'><a href=/x>x</a>";
    let (_folder, page) = page(html, &[("site/p_files/a.png", "image")])?;
    for name in ["a.eml", "a.mht"] {
        let packed = pack(&page, name, &[])?;
        assert!(packed.html().contains("<img src='cid:"), "{} {}", packed.html(), packed.stderr);
        assert!(packed.html().contains("<a href=https://news.example/x>"), "{}", packed.html());
    }
    Ok(())
}

#[test]
fn wrong_use_is_refused_and_nothing_is_written() -> Outcome {
    let (folder, page) = page("<p>", &[("site/a.css", "a{}"), ("site/m.eml", "Subject: x\n\ny")])?;
    for (more, why) in [
        (&["--subject", "a\r\nBcc: x@example.org"][..], "--subject: a header field holds no line breaks"),
        (&["--from", "a@example.org\nBcc: x@example.org"], "--from: a header field holds no line breaks"),
        (&["--to", "a@example.org\rX"], "--to: a header field holds no line breaks"),
        (&["--message-id", "a@b\n"], "--message-id: a header field holds no line breaks"),
        (&["--date", "2026-11-21T10:00:00Z\n"], "--date: a header field holds no line breaks"),
        (&["--from", "nobody"], "--from: an address is written"),
        (&["--from", "a@example.org, b@example.org"], "--from: an address is written"),
        (&["--to", ""], "--to: an address is written"),
        (&["--date", "yesterday"], "--date: a date is written"),
        (&["--message-id", "a b"], "--message-id: a message id is written"),
        (&["--content-base"], "pass --url"),
        (&["--max-size", "many"], "it is a number of bytes"),
        (&["--root", "/no such folder"], "cannot read /no such folder"),
    ] {
        let packed = pack(&page, "a.eml", more)?;
        assert_eq!(packed.status, 2, "{more:?} {}", packed.stderr);
        assert!(packed.stderr.contains(why), "{more:?} {}", packed.stderr);
    }
    for (document, name, more, why) in [
        ("page.html", "a.txt", &[][..], "the output must be FILE.eml"),
        ("page.html", "a.mhtml", &["--text"], "--text goes with .eml only"),
        ("a.css", "a.eml", &[], "is made of one page"),
        ("m.eml", "a.eml", &[], "is made of one page"),
        ("none.html", "a.eml", &[], "none.html"),
    ] {
        let packed = pack(&folder.path().join("site").join(document), name, more)?;
        assert_eq!(packed.status, 2, "{document} {}", packed.stderr);
        assert!(packed.stderr.contains(why), "{document} {}", packed.stderr);
    }
    let (status, _, stderr) = run_with(&["pack", "-", "-o", "a.eml"], b"<p>")?;
    assert!(status == 2 && stderr.contains("standard input"), "{stderr}");
    Ok(())
}

#[test]
fn a_folder_or_a_message_is_not_packed() -> Outcome {
    const MESSAGE: &str = "Content-Type: text/html\n\n<p>x</p>\n";
    let of_parts = format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n{MESSAGE}--b--\n");
    let (folder, page) = page("<p>", &[("site/b.html", "<p>"), ("site/m.eml", MESSAGE), ("site/n.mht", &of_parts)])?;
    let site = folder.path().join("site");
    for output in ["a.eml", "a.mhtml", "a.mbox"] {
        for (document, why) in [
            (site.clone(), "is a folder; name the page in it"),
            (site.join("m.eml"), "a message is made of one page of HTML or XHTML"),
            (site.join("n.mht"), "a message is made of one page of HTML or XHTML"),
        ] {
            for more in [&[][..], &["--root", argument(folder.path())]] {
                let packed = pack(&document, output, more)?;
                assert_eq!(packed.status, 2, "{} {}", document.display(), packed.stderr);
                assert!(packed.stderr.contains(why), "{} {}", document.display(), packed.stderr);
            }
        }
    }
    let packed = pack(&page, "a.eml", &[argument(&site)])?;
    assert!(packed.status == 2 && packed.stderr.contains("is a folder"), "{}", packed.stderr);
    Ok(())
}

#[test]
fn a_message_that_exists_stays() -> Outcome {
    let (folder, page) = page("<p>new", &[("a.eml", "old")])?;
    let message = folder.path().join("a.eml");
    let arguments = ["pack", argument(&page), "-o", argument(&message)];
    assert_eq!(run(&arguments)?.0, 2);
    assert_eq!(fs::read(&message)?, b"old");
    assert_eq!(run(&[&arguments[..], &["--force"]].concat())?.0, 0);
    assert!(fs::read_to_string(&message)?.contains("<p>new"));
    Ok(())
}

#[test]
fn too_long_a_message_is_not_written() -> Outcome {
    let files = [("site/big.png", &*"x".repeat(20_000)), ("site/small.png", "x")];
    let (_folder, page) = page("<img src=small.png><img src=big.png>", &files)?;
    for (limit, with) in
        [("100", " with big.png"), ("10", " with page.html"), ("20k", " with big.png"), ("26k", ""), ("27k", "")]
    {
        let packed = pack(&page, "a.eml", &["--max-size", limit])?;
        assert_eq!(packed.status, 1, "{limit} {}", packed.stderr);
        assert!(packed.stderr.contains(&format!("bytes{with}, and ")), "{limit} {}", packed.stderr);
        assert!(packed.stderr.contains("--max-size allows more"), "{}", packed.stderr);
    }
    assert_eq!(pack(&page, "a.eml", &["--max-size", "29k"])?.status, 0);
    assert_eq!(pack(&page, "a.eml", &["--max-size", "2k", "--embed", "none"])?.status, 0);
    Ok(())
}

#[test]
fn a_draft_and_a_message_to_be_sent() -> Outcome {
    let (_folder, page) = page("<title>Grüße – to you</title><p>", &[])?;
    let draft = pack(&page, "a.eml", &[])?;
    let fields: Vec<_> = draft.parsed().headers_raw().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(fields, ["Subject", "X-Unsent", "MIME-Version", "Content-Type"]);
    assert_eq!(draft.parsed().subject(), Some("Grüße – to you"));
    assert_eq!(draft.message, pack(&page, "a.eml", &[])?.message, "the same bytes");

    let to = ["--from", "Änn <ann@example.org>", "--to", "b@example.org, C <c@example.org>", "--to", "d@example.org"];
    let more = ["--subject", "Now", "--date", "Sat, 21 Nov 2026 11:00:00 +0100", "--message-id", "<1@example.org>"];
    let sent = pack(&page, "a.eml", &[&to[..], &more].concat())?;
    let parsed = sent.parsed();
    let from = parsed.from().and_then(|from| from.first()).ok_or("no sender")?;
    assert_eq!((from.name(), from.address()), (Some("Änn"), Some("ann@example.org")));
    assert_eq!(parsed.to().map(|to| to.iter().count()), Some(3));
    assert_eq!((parsed.subject(), parsed.message_id()), (Some("Now"), Some("1@example.org")));
    assert_eq!(parsed.date().map(|date| date.to_timestamp()), Some(1_795_255_200));
    assert!(parsed.header_raw("X-Unsent").is_none() && sent.message.is_ascii());
    let made = pack(&page, "a.eml", &["--from", "a@example.org", "--to", "b@example.org"])?;
    assert!(made.parsed().date().is_some() && made.parsed().message_id().is_some());
    let addressed = pack(&page, "a.eml", &["--to", "b@example.org"])?;
    assert!(addressed.parsed().header_raw("X-Unsent").is_some() && addressed.parsed().date().is_none());
    Ok(())
}

#[test]
fn what_is_embedded_is_chosen() -> Outcome {
    let files = [
        ("site/a.png", "a"),
        ("site/b.png", "b"),
        ("site/s.css", "@font-face{src:url(f.woff2)} i{background:url(b.png)}"),
        ("site/f.woff2", "f"),
    ];
    let html = "<link rel=stylesheet href=s.css><link rel=icon href=a.png><img src=a.png srcset='a.png 1x, b.png 2x'>";
    let (_folder, page) = page(html, &files)?;
    for (embed, files, links, parts) in [("all", 4, 4, 3), ("images", 1, 1, 3), ("none", 0, 0, 2)] {
        let packed = pack(&page, "a.eml", &["--url", URL, "--embed", embed])?;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let summary = format!("{files} file{} embedded for {links} link{}", plural(files), plural(links));
        assert!(packed.stderr.contains(&summary), "{embed} {}", packed.stderr);
        assert_eq!(packed.parsed().parts.len(), parts, "{embed}");
    }
    Ok(())
}

/// A file pinned by its digest that changes within the message would not be shown.
#[test]
fn a_pinned_style_that_changes_is_reported() -> Outcome {
    let html = "<link rel=stylesheet integrity=sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0= href=s.css><link rel=stylesheet integrity=sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0= href=t.css>";
    let (_folder, page) =
        page(html, &[("site/s.css", "i{background:url(b.png)}"), ("site/t.css", "i{}"), ("site/b.png", "")])?;
    for (name, expected) in [("a.eml", 0), ("a.mhtml", 1)] {
        let packed = pack(&page, name, &["--url", URL])?;
        let stderr = packed.stderr.matches("integrity: its integrity hash covers s.css, which changes").count();
        assert_eq!((stderr, packed.stderr.matches("integrity: ").count()), (expected, expected), "{}", packed.stderr);
    }
    Ok(())
}

#[test]
fn the_base_is_declared_by_content_base_too() -> Outcome {
    let (folder, page) = page("<a href='#top'>up</a>", &[])?;
    let message = folder.path().join("a.eml");
    run(&["pack", argument(&page), "-o", argument(&message), "--url", URL, "--content-base"])?;
    let (status, shown, stderr) = run(&["base", argument(&message)])?;
    assert!(status == 0 && stderr.is_empty() && shown.contains("=>     content-base at"), "{shown}{stderr}");
    Ok(())
}

#[test]
fn a_packed_newsletter_keeps_its_placeholders() -> Outcome {
    let before = fixtures().join("newsletter/before.html");
    let after = fs::read_to_string(fixtures().join("newsletter/after.html"))?;
    let packed = pack(&before, "a.eml", &["--url", "https://news.example/2026/11/issue.html", "--text"])?;
    assert_eq!(packed.status, 0, "{}", packed.stderr);
    assert_eq!(packed.html(), after);
    let text = packed.parsed().body_text(0).unwrap_or_default().into_owned();
    assert!(text.contains("<URL:{{unsubscribe_url}}>"), "{text}");
    assert!(!text.to_ascii_lowercase().contains("%7b%7b") && !packed.html().to_ascii_lowercase().contains("%7b%7b"));
    assert!(
        text.split("<URL:").skip(1).all(|rest| rest.split('>').next().is_some_and(|url| !url.contains('\n'))),
        "{text}"
    );
    Ok(())
}

/// The program has nothing to say against its own messages.
#[test]
fn messages_pass_its_own_checks() -> Outcome {
    let folder = temporary_folder()?;
    for (document, name) in
        [("pack/pages/lamp.html", "lamp"), ("site/index.html", "site"), ("site/guide/first-night.html", "guide")]
    {
        for (extension, more) in
            [("eml", &["--text", "--from", "a@example.org"][..]), ("eml", &["--embed", "none"]), ("mhtml", &[])]
        {
            let (document, root) =
                (fixtures().join(document), fixtures().join(document).ancestors().nth(1).map(Path::to_owned));
            let message = folder.path().join(format!("{name}.{extension}"));
            let root = root
                .filter(|root| root.ends_with("guide") || root.ends_with("pages"))
                .and_then(|root| Some(root.parent()?.to_owned()));
            let root = root.unwrap_or_else(|| document.parent().unwrap_or(Path::new("")).to_owned());
            let url = ["--url", "https://example.org/lighthouse/", "--root", argument(&root), "--force"];
            let (status, _, stderr) =
                run(&[&["pack", argument(&document), "-o", argument(&message)], &url[..], more].concat())?;
            assert_eq!(status, 0, "{stderr}");
            for arguments in [&["check"][..], &["check", "--for", "mail"]] {
                let (status, listed, stderr) = run(&[arguments, &[argument(&message)]].concat())?;
                assert_eq!((status, &*listed), (0, ""), "{stderr}");
            }
            let again = folder.path().join("again");
            let (status, _, stderr) = run(&["rewrite", argument(&message), "-o", argument(&again), "--force"])?;
            assert_eq!(status, 0, "{stderr}");
            assert!(fs::read(&message)? == fs::read(&again)?, "{stderr}");
            let (status, _, stderr) = run(&["verify", argument(&message), argument(&again)])?;
            assert_eq!(status, 0, "{stderr}");
        }
    }
    Ok(())
}

#[test]
fn the_example_of_the_documentation_is_true() -> Outcome {
    let docs = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/email.md"))?;
    let section = docs.split("## A document as one message").nth(1).ok_or("no section")?;
    let blocks: Vec<&str> =
        section.split("```").skip(3).step_by(2).map(|block| block.split_once('\n').unwrap_or_default().1).collect();
    let [before, style_before, after] = blocks[..3] else { return Err("not three blocks".into()) };
    let files = [
        ("site/pages/lamp.html", before),
        ("site/style.css", style_before),
        ("site/img/lamp.svg", "<svg/>"),
        ("site/img/tile.png", "tile"),
    ];
    let folder = folder_with(&files)?;
    let root = folder.path().join("site");
    let packed = pack(
        &root.join("pages/lamp.html"),
        "lamp.eml",
        &["--root", argument(&root), "--url", "https://example.org/", "--text"],
    )?;
    assert_eq!(packed.html(), after);
    Ok(())
}
