//! Any bytes at all: no panic, no hang, and every other file is still done.

use std::fs;

use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::rounds;

/// Documents that cost a careless program its memory, its stack or its time, and what a run says of them.
fn bombs() -> Vec<(&'static str, String, &'static str)> {
    let formatting: String = (0..2_000).map(|n| format!("<b a={n}>")).collect();
    let attributes: String = (0..rounds(100_000)).map(|n| format!(" a{n}=x")).collect();
    vec![
        ("nested.html", "<div>".repeat(rounds(2_000_000)), ""),
        ("nested-in-svg.html", format!("<svg><p>{}<a href=x>", "<div>".repeat(200_000)), "tree-too-large"),
        ("formatting.html", format!("<p>{formatting}{}", "</p><p>x".repeat(rounds(2_000))), ""),
        ("formatting-in-svg.html", format!("<svg><p>{formatting}{}", "</p><p>x".repeat(2_000)), "tree-too-large"),
        ("formatting-distinct.html", format!("<svg><p>{}", formatting.repeat(40)), "tree-too-large"),
        ("attributes-in-svg.html", format!("<svg><p><b{attributes}><a href=x>"), ""),
        ("long-value.html", format!("<a href='{}'>", "x".repeat(rounds(10_000_000))), ""),
        ("many-attributes.html", format!("<a{attributes} href=x>"), ""),
        ("tags-open.html", "<a href=x".repeat(rounds(500_000)), ""),
        ("comments-open.html", "<!--".repeat(rounds(1_000_000)), ""),
        ("scripts-open.html", "<script><!--<script>".repeat(rounds(200_000)), ""),
        ("references.html", format!("<a href='{}'>", "&amp".repeat(rounds(500_000))), ""),
        ("climbing.html", format!("<a href='{}x'>", "../".repeat(rounds(500_000))), ""),
        ("srcset.html", format!("<img srcset='{}'>", "a(,".repeat(rounds(500_000))), ""),
        (
            "cells.md",
            format!("{}\n{}\n{}", "|a".repeat(4_000), "|-".repeat(4_000), "a\n".repeat(4_000)),
            "tree-too-large",
        ),
        ("lines.md", "a\n".repeat(600_000), "tree-too-large"),
        ("delimiters.md", "~~a ~b ".repeat(rounds(150_000)), ""),
        ("css.css", format!("a{{b:{}", "url(x ".repeat(rounds(300_000))), ""),
        ("css-blocks.css", format!("@import 'x';{}", "{".repeat(rounds(500_000))), ""),
        ("css-style.html", format!("<p style='background:url(x){}'>", "(".repeat(rounds(300_000))), ""),
        ("css-names.css", format!("@import 'x';{}", "\\61 u\\72l(".repeat(rounds(200_000))), ""),
        ("css-functions.css", format!("a{{b:{}", "image-set(".repeat(rounds(200_000))), ""),
        ("css-filters.css", format!("a{{b:{}", "\"progid:AlphaImageLoader(src='x'\"".repeat(rounds(50_000))), ""),
        ("bases.html", "<base href=x>".repeat(rounds(100_000)), ""),
        ("bases-in-tables.html", format!("<base href=x>{}", "<table><base href=y>".repeat(rounds(3_000))), ""),
        ("nested.xml", format!("{}{}", "<r>".repeat(rounds(300_000)), "</r>".repeat(rounds(300_000))), ""),
        ("unclosed.xml", "<r><a ".repeat(rounds(300_000)), "not-well-formed"),
        ("namespaces.xml", format!("<r{}>{}</r>", namespaces("a"), "<p1:x/>".repeat(rounds(100_000))), ""),
        ("declared-again.xml", format!("{}{}", format!("<r{}>", namespaces("r")).repeat(50), "</r>".repeat(50)), ""),
        ("bases.xml", format!("{}{}", "<r xml:base='a/'>".repeat(50_000), "</r>".repeat(50_000)), "nesting-too-deep"),
        ("bases-in-a-row.xml", format!("<r>{}</r>", "<r xml:base='a/'/>".repeat(rounds(50_000))), ""),
        ("entities.xml", format!("<!DOCTYPE r [{}]><r/>", "<!ENTITY".repeat(rounds(200_000))), ""),
        ("entities-of-entities.xml", format!("<!DOCTYPE r [{}]><r xmlns='&e9;'/>", laughs()), ""),
        (
            "sections.xml",
            format!("<rss><description>{}</description></rss>", "<![CDATA[<a href=x>]]>".repeat(rounds(50_000))),
            "",
        ),
        ("ampersands.xml", format!("<rss><link>{}</link></rss>", "&a".repeat(rounds(500_000))), ""),
        (
            "nested-documents.html",
            format!(
                "{}<a href=y>",
                "<iframe srcdoc=\"<a href=x><table><base href=y>\"></iframe>".repeat(rounds(20_000))
            ),
            "",
        ),
        ("srcdocs.html", "<iframe/srcdoc=".repeat(rounds(200_000)), ""),
        ("open.txt", "<URL:".repeat(rounds(500_000)), ""),
        ("hyphens.txt", format!("<URL:{}>", "-\n".repeat(rounds(500_000))), "hyphen-at-line-end"),
        (
            "long-base.html",
            format!("<base href='http://h/{}/'>{}", "a".repeat(200_000), "<a href=x>".repeat(rounds(80_000))),
            "output-too-large",
        ),
        (
            "long-codebases.html",
            format!(
                "<base href='http://h/{}/'>{}",
                "a".repeat(200_000),
                "<object codebase=x data=y>".repeat(rounds(20_000))
            ),
            "output-too-large",
        ),
        (
            "long-xml-bases.xml",
            format!(
                "<r xml:base='http://h/{}/'>{}</r>",
                "a".repeat(200_000),
                "<r xml:base='a/'/>".repeat(rounds(20_000))
            ),
            "output-too-large",
        ),
        (
            "entity-namespaces.xml",
            format!("<!DOCTYPE r [<!ENTITY e '{}'>]><r xmlns='{}'/>", "x".repeat(400), "&e;".repeat(rounds(500_000))),
            "",
        ),
        ("messages.eml", "Content-Type: message/rfc822\n\n".repeat(32_000), "message-structure"),
        ("multiparts.eml", nested_multiparts(20_000), "message-structure"),
        (
            "boundaries.eml",
            format!(
                "Content-Type: multipart/mixed; boundary=b\n\n{}--b--\n",
                "--b\nContent-Type: multipart/mixed; boundary=never\n\nx\n".repeat(rounds(12_000))
            ),
            "",
        ),
        (
            "parts.eml",
            format!(
                "Content-Type: multipart/related; boundary=b\n\n{}--b--\n",
                "--b\nContent-Type: text/html\nContent-Location: x\n\n<a href=y>\n".repeat(rounds(10_000))
            ),
            "",
        ),
        ("heading.eml", format!("{}\n<a href=x>", "Content-Base: http://h/\n".repeat(rounds(300_000))), ""),
        (
            "quoted.eml",
            format!(
                "Content-Type: text/html\nContent-Base: http://h/\nContent-Transfer-Encoding: quoted-printable\n\n{}",
                "<a href=3Dx>".repeat(rounds(100_000))
            ),
            "",
        ),
        ("nul.html", "<a href=x\0y>\0<\0a href=x>".into(), ""),
        ("bracket.html", "<base href='http://['><a href=x><a href='http://['><a href='//['>".into(), "base-rejected"),
        ("cut.html", "<p><a href=x><a href=\"y".into(), ""),
        ("json.html", "{\"a\": \"<a href=x>\"}".into(), "not-its-type"),
        ("empty.html", String::new(), ""),
    ]
}

fn nested_multiparts(depth: usize) -> String {
    (0..depth).map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}x\n\n--b{n}x\n")).collect()
}

/// Many declarations of namespaces.
fn namespaces(prefix: &str) -> String {
    (0..rounds(20_000)).map(|n| format!(" xmlns:{prefix}{n}='urn:{n}'")).collect()
}

/// Entities each of which holds ten of the one before.
fn laughs() -> String {
    (1..10).map(|n| format!("<!ENTITY e{n} '{}'>", format!("&e{};", n - 1).repeat(10))).collect()
}

#[test]
fn bombs_are_reported_and_the_rest_is_done() -> Outcome {
    let folder = folder_with(&[("in/zz.html", "<a href=x>")])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    for (name, text, _) in bombs() {
        fs::write(input.join(name), text)?;
    }
    fs::write(input.join("invalid.html"), b"<a href=\xff\xfe><a href='\xe9&eacute;?\x80'><p \xff=\xff>\xff")?;
    let attributes: String = (0..60_000).map(|n| format!(" a{n}")).collect();
    fs::write(input.join("meta.html"), [b"\xff<meta", attributes.as_bytes(), b">"].concat())?;
    fs::write(input.join("image.html"), b"\x89PNG\r\n<a href=x>")?;
    let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/d/", "--verbose"];
    let (status, _, errors) = run(&arguments)?;
    assert_eq!(status, 0, "{errors}");
    for (name, text, code) in bombs() {
        let told = errors.lines().any(|line| line.contains(&format!("/{name}:")) && line.contains(code));
        assert!(told || code.is_empty(), "{name}: no {code} in {errors}");
        if code.ends_with("-type") || code.contains("-too-") {
            assert!(fs::read_to_string(output.join(name))? == text, "{name} was changed");
        }
    }
    assert!(errors.contains("image.html: not-its-type"), "{errors}");
    assert_eq!(fs::read_to_string(output.join("zz.html"))?, "<a href=http://h/d/x>");
    assert_eq!(fs::read_to_string(output.join("cut.html"))?, "<p><a href=http://h/d/x><a href=\"y");
    let bracket = "<base href='http://['><a href=http://h/d/x><a href='http://['><a href='//['>";
    assert_eq!(fs::read_to_string(output.join("bracket.html"))?, bracket);
    assert!(!errors.contains("which is a bug"), "{errors}");
    Ok(())
}

/// Bytes at random, and real documents cut and mixed at random.
#[test]
fn random_bytes() -> Outcome {
    let mut random = fastrand::Rng::with_seed(30);
    let seed = "<!doctype html><base href='x'><a href=\"a&amp;b\"><style>@import url(x);</style><img srcset='a 1x,b'>\
                <svg><title>x</title></svg><p style='background:url(y)'><meta http-equiv=refresh content='0;url=z'>";
    let folder = folder_with(&[])?;
    let input = folder.path().join("in");
    fs::create_dir(&input)?;
    for n in 0..rounds(2_000) {
        let mut bytes = seed.as_bytes().to_vec();
        for _ in 0..random.usize(0..20) {
            let at = random.usize(..bytes.len());
            match random.u8(..4) {
                0 => bytes[at] = random.u8(..),
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, b"<>\"'&/ =-!\\\0\xff"[random.usize(..13)]),
                _ => drop(bytes.drain(at..(at + random.usize(0..8)).min(bytes.len() - 1).max(at))),
            }
        }
        fs::write(input.join(format!("{n}.{}", if n % 3 == 0 { "css" } else { "html" })), bytes)?;
    }
    let (status, _, errors) = run(&["rewrite", argument(&input), "--dry-run", "--url", "http://h/d/", "--quiet"])?;
    assert_eq!((status, &*errors), (0, ""));
    Ok(())
}

/// What costs only with options.
#[test]
fn placeholders_that_never_close() -> Outcome {
    let marks = ["{{", "${", "<%", "*|", "%%", "@@", "é?"]
        .map(|mark| format!("<a href=\"x{}\">", mark.repeat(rounds(200_000))));
    let folder = folder_with(&[("a.html", &marks.concat())])?;
    let file = folder.path().join("a.html");
    let arguments = ["rewrite", argument(&file), "--dry-run", "--url", "http://h/", "--spelling", "ascii", "--quiet"];
    assert_eq!(run(&arguments)?.0, 0);
    for command in ["links", "check"] {
        let long = format!("<base href='http://h/{}/'>{}", "a".repeat(200_000), "<a href=x>".repeat(rounds(80_000)));
        fs::write(&file, long)?;
        let (_, out, errors) = run(&[command, "--json", argument(&file)])?;
        assert!(out.len() < 200_000_000 && errors.contains("output-too-large"), "{command}: {} bytes", out.len());
    }
    Ok(())
}
