//! Styles that are no styles, that nothing is known of, or that are many, in messages for mail programs.

use std::time::Instant;

use crate::support::Outcome;
use crate::support::packing::{pack, page};
use absolve_testing::IN_FULL;

/// They would lead to files beside the page.
#[test]
fn links_of_a_style_that_stay_relative_keep_their_targets_in_the_page() -> Outcome {
    let css = "@import 'in/b.css';a{b:url(miss.png)url( \"../miss%20b.png#x\" )url(/c.png)url(#d)url(http://h/x)\
               url(e.png?{{q}})url({{f}}.png)}i{filter:progid:X.AlphaImageLoader(src='g.png')}";
    let expected = "a{b:url(css/miss.png)url( \"css/../miss%20b.png#x\" )url(/c.png)url(#d)url(http://h/x)\
                    url(css/e.png?{{q}})url({{f}}.png)}i{filter:progid:X.AlphaImageLoader(src='g.png')}";
    let files =
        [("site/css/s.css", css), ("site/css/in/b.css", "b{c:url(y.png)}"), ("site/t.css", "t{u:url(./z.png)}")];
    let html = "<link rel=stylesheet href=css/s.css><link rel=stylesheet href=t.css>";
    let (_folder, page) = page(html, &files)?;
    let mail = pack(&page, "a.eml", &[])?;
    let expected =
        format!("<style>b{{c:url(css/in/y.png)}}</style><style>{expected}</style><style>t{{u:url(./z.png)}}</style>");
    assert_eq!(mail.html(), expected, "{}", mail.stderr);
    assert!(mail.stderr.contains("resource-missing: miss.png") && mail.stderr.contains("no-base"), "{}", mail.stderr);
    let with_url = pack(&page, "a.eml", &["--url", "https://h.example/page.html"])?;
    assert!(with_url.html().contains("a{b:url(https://h.example/css/miss.png)"), "{}", with_url.html());
    Ok(())
}

/// If it were their square, 100,000 would take 34 s.
#[test]
fn time_is_linear_in_the_number_of_media() -> Outcome {
    let seconds = |number: usize| -> Result<f64, Box<dyn std::error::Error>> {
        let css = "@media print{a{}}b{}".repeat(number);
        let (_folder, page) = page("<link rel=stylesheet href=a.css><!-- -->", &[("site/a.css", &css)])?;
        let start = Instant::now();
        let mail = pack(&page, "a.eml", &["--max-size", "100M", "--quiet"])?;
        assert_eq!(mail.html().matches("<style").count(), 2 * number);
        Ok(start.elapsed().as_secs_f64())
    };
    const FEW: usize = if IN_FULL { 2_000 } else { 500 };
    seconds(FEW / 2)?;
    let (few, many) = (seconds(FEW)?, seconds(16 * FEW)?);
    assert!(many < 64.0 * few + 1.0, "{few} s and {many} s");
    Ok(())
}

/// Only imports of elements that browsers apply become elements of their own.
#[test]
fn imports_of_elements_that_browsers_ignore_are_not_applied() -> Outcome {
    let ignored = "<style type=\"text/x-less\">@import \"a.css\";</style><style type='text/css; charset=utf-8'>\
                   @import \"a.css\";</style><style type=' text/css'>@import \"a.css\";</style>";
    let applied = "<style type=''>@import 'a.css';</style><style type=TEXT/CSS>@import 'a.css';</style>";
    let (_folder, page) = page(&format!("{ignored}{applied}"), &[("site/a.css", "a{}")])?;
    let mail = pack(&page, "a.eml", &[])?;
    let html = mail.html();
    let (before, after) = html.split_once("<style>").ok_or("none is applied")?;
    assert_eq!((before.matches("@import \"cid:").count(), before.matches("<style type=").count()), (3, 3), "{html}");
    assert_eq!(after, "a{}</style><style type=''></style><style>a{}</style><style type=TEXT/CSS></style>");
    Ok(())
}

/// Each has one finding, which names the file that loads the style.
#[test]
fn a_style_that_stays_a_part_is_reported_at_its_page() -> Outcome {
    let files = [("site/b.css", "b{}")];
    let xhtml = |head: &str, link: &str| {
        format!("<?xml version=\"1.0\"?>{head}<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>{link}</head></html>")
    };
    let part = "a style that it loads stays a part, which mail programs do not apply everywhere";
    for (name, html, stderr) in [
        (
            "page.html",
            "<style>@import 'b.css'; @import 'missing.css';</style>".to_owned(),
            "1 of its rules stay within",
        ),
        ("page.xhtml", xhtml("<?xml-stylesheet href='b.css'?>", ""), part),
        ("b.css", xhtml("", "<link rel='stylesheet' href='b.css'></link>"), "it stays a part, which mail programs"),
        ("page.html", "<style lang=é>@import 'b.css';</style>".to_owned(), part),
    ] {
        let (folder, page) = page(&html, &files)?;
        let page = if html.starts_with("<?xml") {
            let xhtml = folder.path().join("site/page.xhtml");
            std::fs::rename(page, &xhtml)?;
            xhtml
        } else {
            page
        };
        let mail = pack(&page, "a.eml", &[])?;
        assert_eq!((mail.status, mail.stderr.matches("mail-style").count()), (0, 1), "{html}: {}", mail.stderr);
        assert!(mail.stderr.contains(&format!("{name}: mail-style: {stderr}")), "{html}: {}", mail.stderr);
    }
    let (_folder, page) = page("", &files)?;
    let html: Vec<u8> = "\u{FEFF}<title>x</title><link rel=stylesheet href=b.css><link rel=stylesheet href=b.css>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    std::fs::write(&page, html)?;
    let mail = pack(&page, "a.eml", &[])?;
    assert_eq!((mail.status, mail.stderr.matches("mail-style").count()), (0, 1), "{}", mail.stderr);
    assert!(
        mail.stderr.contains(&format!("page.html: mail-style: {part}: tags of a page in UTF-16")),
        "{}",
        mail.stderr
    );
    Ok(())
}
