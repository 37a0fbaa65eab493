//! Pages that Chromium saved as MHTML: a `<style>` and a frame are parts that are no places of their own.

use std::fmt::Write;
use std::fs;

use crate::support::unpacking::{multipart, unpack};
use crate::support::{Outcome, argument, run};
use absolve_testing::{rounds, temporary_folder};
use serde_json::Value;

const PAGE: &str = "Content-Type: text/html\nContent-ID: <frame-1@mhtml.blink>\nContent-Location: http://h/d/page";
const FRAME: &str = "Content-Type: text/html\nContent-ID: <frame-2@mhtml.blink>\nContent-Location: http://h/f/frame";
/// The frame of a `srcdoc`.
const SRCDOC: &str = "Content-Type: text/html\nContent-ID: <frame-3@mhtml.blink>";

fn style(name: &str) -> String {
    format!("Content-Type: text/css\nContent-Location: cid:{name}@mhtml.blink")
}

fn link(name: &str) -> String {
    format!("<link rel=stylesheet href=\"cid:{name}@mhtml.blink\">")
}

/// The header and the body of each part.
type Parts<'p> = &'p [(&'p str, &'p str)];

struct Rewritten {
    text: String,
    findings: String,
    /// The objects of `links` about links that were relative.
    links: Vec<Value>,
    /// The objects of `base`.
    bases: Vec<Value>,
}

/// Rewrites a saved page. `verify` has to prove the outcome, and a second run has to change nothing.
fn rewritten(parts: Parts<'_>, options: &[&str]) -> Result<Rewritten, Box<dyn std::error::Error>> {
    let folder = temporary_folder()?;
    let [file, out, again] = ["a.mhtml", "b.mhtml", "c.mhtml"].map(|name| folder.path().join(name));
    let start = b"From: <Saved by Blink>\nSnapshot-Content-Location: http://h/d/page\n";
    fs::write(&file, [&start[..], &multipart("related", parts)].concat())?;
    let (_, _, findings) = run(&[&["rewrite", argument(&file), "-o", argument(&out)], options].concat())?;
    let (status, told, errors) = run(&[&["verify", argument(&file), argument(&out)], options].concat())?;
    assert_eq!(status, 0, "{told}{errors}{findings}");
    run(&[&["rewrite", argument(&out), "-o", argument(&again)], options].concat())?;
    assert_eq!(fs::read(&out)?, fs::read(&again)?);
    let objects = |command| -> Result<Vec<Value>, Box<dyn std::error::Error>> {
        let (_, lines, _) = run(&[&[command, argument(&file), "--json"], options].concat())?;
        Ok(lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
    };
    let links = objects("links")?.into_iter().filter(|link| link["status"] != "absolute").collect();
    Ok(Rewritten { text: fs::read_to_string(&out)?, findings, links, bases: objects("base")? })
}

#[test]
fn a_style_resolves_at_the_document_that_links_it() -> Outcome {
    let page = format!(
        "<base href=http://h/base/>{}<style>@import url(cid:css-4@mhtml.blink);</style><iframe src=cid:frame-2@mhtml.blink>",
        link("css-1")
    );
    let frame = format!("{}<iframe src=cid:frame-3@mhtml.blink>", link("css-2"));
    let rewritten = rewritten(
        &[
            // One that comes in front of its document, in an encoding.
            (
                &format!("{}\nContent-Transfer-Encoding: quoted-printable", style("css-2")),
                "a{background:url(\"t=\nwo\")}",
            ),
            (PAGE, &page),
            (FRAME, &frame),
            (SRCDOC, &format!("{}<a href=rel>", link("css-3"))),
            (&style("css-1"), "@import \"cid:css-5%40mhtml.blink\"; a{background:url(one)}"),
            (&style("css-3"), "a{background:url(/three)}"),
            (&style("css-4"), "a{background:url(../four)}"),
            (&style("css-5"), "a{background:url(five)}"),
        ],
        &[],
    )?;
    let targets = [
        ("1", "http://h/f/two", "part 3"),
        ("4", "http://h/f/rel", "part 3"),
        ("5", "http://h/base/one", "part 2"),
        ("6", "http://h/three", "part 3"),
        ("7", "http://h/four", "part 2"),
        ("8", "http://h/base/five", "part 2"),
    ];
    let found: Vec<_> = rewritten.links.iter().map(|link| (&link["part"], &link["target"])).collect();
    assert_eq!(found.len(), targets.len(), "{found:?}");
    for (part, target, lender) in targets {
        assert!(found.iter().any(|(of, found)| **of == part && **found == target), "{part}: {found:?}");
        assert!(rewritten.text.replace("=\n", "").contains(target), "{}", rewritten.text);
        let base = rewritten.bases.iter().find(|base| base["part"] == part).ok_or("no base")?;
        assert_eq!(
            (&base["layer"], &base["declared"][0]["where"]),
            (&"parent-document".into(), &lender.into()),
            "{base}"
        );
    }
    assert!(!rewritten.findings.contains("part-base") && !rewritten.findings.contains("left relative"));
    Ok(())
}

#[test]
fn a_style_whose_document_is_not_certain_stays() -> Outcome {
    let alone = "a{background:url(x)}";
    let circle = |name: &str| format!("@import \"cid:{name}@mhtml.blink\"; {alone}");
    let (one, two) = (circle("css-1"), circle("css-2"));
    let twice = link("css-1");
    let css_1 = &*style("css-1");
    let page = format!("{}<iframe src=cid:frame-2@mhtml.blink>", link("css-1"));
    let cases: [(Parts<'_>, usize, &str); 6] = [
        (&[(PAGE, "<p>x"), (css_1, alone)], 1, "no document of the message links"),
        (&[(PAGE, &page), (FRAME, &twice), (css_1, alone)], 1, "different bases"),
        (&[(PAGE, &twice), (css_1, &one)], 1, "circle"),
        (&[(PAGE, &twice), (css_1, &two), (&style("css-2"), &one)], 2, "circle"),
        (&[(PAGE, "<p>x"), (css_1, &two), (&style("css-2"), alone)], 2, "no document of the message links"),
        // In a document within the document, whose base is its own.
        (
            &[
                (PAGE, "<iframe srcdoc=\"<base href=/><link rel=stylesheet href=cid:css-1@mhtml.blink>\">"),
                (css_1, alone),
            ],
            1,
            "no document",
        ),
    ];
    for (parts, count, why) in cases {
        for options in [&[][..], &["--url", "http://given/d/"]] {
            let Rewritten { text, findings, links, .. } = rewritten(parts, options)?;
            assert_eq!(text.matches("url(x)").count(), count, "{text}");
            assert!(
                findings.contains("part-base: 1 reference left relative: ") && findings.contains(why),
                "{findings}"
            );
            let found = links.iter().filter(|link| link["status"] == "unresolved" && link["target"].is_null()).count();
            assert_eq!(found, count, "{links:?}");
        }
    }
    Ok(())
}

#[test]
fn documents_that_declare_the_same_lend_one_base() -> Outcome {
    let again = PAGE.replace("frame-1", "frame-2");
    let parts = [(PAGE, &*link("css-1")), (&again, &link("css-1")), (&style("css-1"), "a{background:url(x)}")];
    let Rewritten { text, findings, .. } = rewritten(&parts, &[])?;
    assert!(text.contains("url(http://h/d/x)") && !findings.contains("part-base"), "{text}{findings}");
    Ok(())
}

/// Parts of both copies have the same names.
#[test]
fn the_nearest_document_lends_its_base() -> Outcome {
    let folder = temporary_folder()?;
    let [file, out] = ["a.eml", "b.eml"].map(|name| folder.path().join(name));
    let frame = format!("{}<iframe src=cid:frame-3@mhtml.blink>", link("css-2"));
    let copy = |host: &str| {
        let page = PAGE.replace("//h/", host);
        let both = "Content-Type: multipart/alternative; boundary=c";
        let page = format!("--c\n{page}\n\n{}<iframe src=cid:frame-2@mhtml.blink>\n--c--", link("css-1"));
        let parts = [
            (both, &*page),
            (&SRCDOC.replace("frame-3", "frame-2"), &frame),
            (SRCDOC, "<a href=three>"),
            (&style("css-1"), "@import 'cid:css-3@mhtml.blink';a{background:url(one)}"),
            (&style("css-2"), "a{background:url(two)}"),
        ];
        String::from_utf8_lossy(&multipart("related", &parts)).into_owned()
    };
    let (one, two) = (copy("//one/"), copy("//two/"));
    // Outside both, and of the same base for both.
    let alone = format!("{}\n\na{{background:url(x)}}", style("css-3"));
    for within in ["", "Content-Type: message/rfc822\n\n"] {
        let parts = [format!("{within}{one}"), format!("{within}{two}"), alone.clone()];
        let parts: String = parts.iter().map(|part| format!("--m\n{part}\n")).collect();
        fs::write(&file, format!("Content-Type: multipart/mixed; boundary=m\n\n{parts}--m--\n"))?;
        let (status, _, findings) = run(&["rewrite", "--force", argument(&file), "-o", argument(&out)])?;
        let text = fs::read_to_string(&out)?;
        for host in ["one", "two"] {
            for name in ["url(http://H/d/one)", "url(http://H/d/two)", "href=http://H/d/three"] {
                assert!(text.contains(&name.replace('H', host)), "{status} {findings}{text}");
            }
        }
        let findings: Vec<&str> = findings.lines().filter(|line| line.contains("part-base")).collect();
        assert!(findings.len() == 1 && findings[0].contains("different bases"), "{findings:?}");
        let (status, differences, _) = run(&["verify", argument(&file), argument(&out)])?;
        assert_eq!((status, &*differences), (0, ""));
    }
    Ok(())
}

#[test]
fn a_style_of_a_page_with_an_unknown_base_stays() -> Outcome {
    let page = format!("<base href=\"{{{{ root }}}}/\">{}", link("css-1"));
    let Rewritten { text, bases, .. } = rewritten(&[(PAGE, &page), (&style("css-1"), "a{background:url(x)}")], &[])?;
    assert!(text.contains("url(x)"), "{text}");
    let base = bases.iter().find(|base| base["part"] == "2").ok_or("no base")?;
    assert!(base["base"].is_null() && base["declared"][0]["where"] == "part 1", "{base}");
    Ok(())
}

/// In other messages as well, `cid:` and `about:` in a `Content-Location` are no bases.
#[test]
fn a_location_that_is_no_place_declares_no_base() -> Outcome {
    let folder = temporary_folder()?;
    let file = folder.path().join("a.eml");
    for location in ["cid:x@example.org", "about:blank", "ABOUT:srcdoc"] {
        fs::write(&file, format!("Content-Type: text/html\nContent-Location: {location}\n\n<a href=x>"))?;
        let (_, out, _) = run(&["links", argument(&file), "--json", "--message-url", "http://h/d/"])?;
        assert!(out.contains("\"target\":\"http://h/d/x\"") && out.contains("\"layer\":\"retrieval\""), "{out}");
    }
    Ok(())
}

#[test]
fn unpacking_a_saved_page_keeps_the_images_of_its_styles() -> Outcome {
    let page = format!("{}<iframe src=cid:frame-2@mhtml.blink>", link("css-1"));
    let png = |url: &str| format!("Content-Type: image/png\nContent-Location: {url}");
    let parts = [
        (PAGE, &*page),
        (FRAME, &link("css-2")),
        (&style("css-1"), "a{background:url(\"bg.png\")} b{background:url(gone.png)}"),
        (&style("css-2"), "a{background:url(\"bg.png\")}"),
        (&png("http://h/d/bg.png"), "of the page"),
        (&png("http://h/f/bg.png"), "of the frame"),
    ];
    let message = multipart("related", &parts);
    let run = unpack(&message, "a.mhtml", &[])?;
    for (style, image, text) in [("css-1.css", "bg.png", "of the page"), ("css-2.css", "bg-2.png", "of the frame")] {
        assert!(run.text(style).contains(&format!("url(\"{image}\")")), "{}", run.text(style));
        assert_eq!(run.text(image).trim(), text);
    }
    assert!(run.text("css-1.css").contains("url(http://h/d/gone.png)"), "{}", run.text("css-1.css"));
    let folder = temporary_folder()?;
    let (file, single) = (folder.path().join("a.mhtml"), folder.path().join("a.html"));
    fs::write(&file, &message)?;
    let (status, _, told) = crate::support::run(&["unpack", argument(&file), "--single", argument(&single)])?;
    assert!(status == 0 && told.contains("5 parts within it; 5 links to parts"), "{told}");
    Ok(())
}

/// A chain is followed up to a limit, and in linear time.
#[test]
fn a_long_chain_of_styles_is_followed_up_to_a_limit() -> Outcome {
    let mut parts = vec![(PAGE.to_owned(), link("css-0"))];
    for number in 0..rounds(20_000) {
        let mut css = String::new();
        write!(css, "@import \"cid:css-{}@mhtml.blink\"; a{{background:url(x{number})}}", number + 1)?;
        parts.push((style(&format!("css-{number}")), css));
    }
    parts.reverse();
    let parts: Vec<(&str, &str)> = parts.iter().map(|(header, body)| (&**header, &**body)).collect();
    let Rewritten { text, findings, .. } = rewritten(&parts, &[])?;
    assert!(text.contains("url(http://h/d/x0)") && findings.contains("in too long a chain"), "{}", findings.len());
    Ok(())
}
