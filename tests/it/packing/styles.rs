//! Styles and images in messages for mail programs: in the page, in the same order, for the same media.

use crate::support::cascade::rules_of;
use crate::support::packing::{Run, pack, page};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::rounds;

const URL: [&str; 2] = ["--url", "https://news.example/2026/page.html"];

type Failure = Box<dyn std::error::Error>;

/// The message of a page, after a look at its rules: they are those of the message for browsers.
fn packed(html: &str, files: &[(&str, &str)]) -> Result<Run, Failure> {
    let (_folder, page) = page(html, files)?;
    let (mail, web) = (pack(&page, "a.eml", &URL)?, pack(&page, "a.mhtml", &URL)?);
    assert_eq!((mail.status, web.status), (0, 0), "{}", mail.stderr);
    assert_eq!(rules_of(&mail.message), rules_of(&web.message), "{}", mail.html());
    Ok(mail)
}

#[test]
fn a_linked_style_is_an_element_in_its_place() -> Outcome {
    let html = "<link rel=stylesheet href=a.css media='Screen' title=\"t&quot;\"><style>b{}</style>\n\
                <LINK href='a.css' rel='StyleSheet'><link rel='alternate stylesheet' href=a.css title=x>\
                <link rel=stylesheet href=a.css type=text/less><link rel=stylesheet disabled href=a.css>";
    let mail = packed(html, &[("site/a.css", "a{}")])?;
    let expected = "<style media=\"Screen\" title=\"t&#34;\">a{}</style><style>b{}</style>\n<style>a{}</style>\
                    <link rel='alternate stylesheet' href=cid:";
    assert!(mail.html().starts_with(expected), "{}", mail.html());
    assert_eq!(mail.html().matches("=cid:").count(), 3, "what does not apply by itself stays");
    Ok(())
}

#[test]
fn media_become_attributes() -> Outcome {
    let css = "a{}@media (min-width: 9px) and (color){b{}@media print{c{}}d{}}\
               @media screen,print{e{}} @media (a) or (b){f{}}g{} @supports (x:y){h{}} @media not print{i{}";
    let mail = packed("<link rel=stylesheet href=a.css media='only screen'>", &[("site/a.css", css)])?;
    let expected = "<style media=\"only screen\">a{}</style>\
                    <style media=\"screen and (min-width: 9px) and (color)\">b{}</style>\
                    <style media=\"not all\">@media not all{c{}}</style>\
                    <style media=\"screen and (min-width: 9px) and (color)\">d{}</style>\
                    <style media=\"screen\">e{}</style>\
                    <style media=\"only screen\"> @media (a) or (b){f{}}g{} @supports (x:y){h{}} @media not print{i{}</style>";
    assert_eq!(mail.html(), expected);
    assert!(mail.stderr.contains("a.css: mail-style: 3 of its rules stay within conditions"), "{}", mail.stderr);
    Ok(())
}

/// Roundcube ignores the attribute.
#[test]
fn styles_for_print_do_not_apply_on_screens() -> Outcome {
    for (media, css, expected) in [
        ("print", "a{}\n@page{}", "@media print{a{}\n@page{}}"),
        ("only print and (color), speech", "a{}", "@media only print and (color), speech{a{}}"),
        ("print", "@charset 'utf-8';a{} b{}", "@media print{a{} b{}}"),
        // No rules that a condition may not contain, or that would end it.
        ("print", "@namespace 'n';a{}", "@namespace 'n';a{}"),
        ("print", "@import 'https://far.example/x.css';", "@import 'https://far.example/x.css';"),
        ("print", "a{}}b{}", "a{}}b{}"),
        ("print", "a{} b{c:'", "a{} b{c:'"),
        ("print", "<!--a{}-->", "<!--a{}-->"),
        // Lists that hold on screens, or that are none.
        ("print, screen", "a{}", "a{}"),
        ("print, (color)", "a{}", "a{}"),
        ("all", "a{}", "a{}"),
        ("not print", "a{}", "a{}"),
        ("print /* x", "a{}", "a{}"),
        ("print;", "a{}", "a{}"),
    ] {
        let mail = packed(&format!("<link rel=stylesheet href=a.css media='{media}'>"), &[("site/a.css", css)])?;
        assert_eq!(mail.html(), format!("<style media=\"{media}\">{expected}</style>"));
    }
    Ok(())
}

#[test]
fn styles_that_stay_parts_are_reported() -> Outcome {
    let html = "<link rel='alternate stylesheet' href=a.css title=x>";
    let mail = packed(html, &[("site/a.css", "a{}")])?;
    let finding = "a.css: mail-style: it stays a part, which mail programs do not apply everywhere";
    assert!(mail.stderr.contains(&format!("{finding}: it applies only if a reader chooses it")), "{}", mail.stderr);
    let xhtml = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title>\
                 <link rel='stylesheet' href='a.css'></link></head><body/></html>";
    let folder = folder_with(&[("page.xhtml", xhtml), ("a.css", "a{}")])?;
    let mail = pack(&folder.path().join("page.xhtml"), "a.eml", &URL)?;
    assert!(mail.stderr.contains(&format!("{finding}: its link has an end tag of its own")), "{}", mail.stderr);
    Ok(())
}

#[test]
fn imports_come_in_their_order() -> Outcome {
    let files = [
        ("site/a.css", "@charset 'utf-8';@layer l;@import 'b.css';@import url(c/c.css) print;a{}@import 'b.css';"),
        ("site/b.css", "@namespace s 'n';b{}@media (x){s|b{}}"),
        ("site/c/c.css", "@import '../b.css' (y);c{background:url(i.png)}"),
        ("site/c/i.png", "image"),
    ];
    let mail = packed("<link rel=stylesheet href=a.css>", &files)?;
    let expected = "<style>@layer l;</style>\
                    <style>@namespace s 'n';b{}</style><style media=\"(x)\">@namespace s 'n';s|b{}</style>\
                    <style media=\"print and (y)\">@namespace s 'n';b{}</style>\
                    <style media=\"print and (y) and (x)\">@namespace s 'n';s|b{}</style>\
                    <style media=\"print\">@media print{c{background:url(data:image/png;base64,aW1hZ2U=)}}</style>\
                    <style>a{}</style>";
    assert_eq!(mail.html(), expected);
    Ok(())
}

#[test]
fn imports_of_a_style_element_come_before_it() -> Outcome {
    let html = "<style media=print>/* é */@import 'a.css'; @import 'https://far.example/x.css'; i{}</style>\
                <style>@layer x; @import 'a.css';</style>";
    let mail = packed(html, &[("site/a.css", "a{}")])?;
    let expected = "<style media=\"print\">@media print{a{}}</style>\
                    <style media=\"print\">@import 'https://far.example/x.css';</style>\
                    <style media=print>/* é */  i{}</style><style>@layer x; @import 'cid:";
    assert!(mail.html().starts_with(expected), "{}", mail.html());
    assert!(mail.stderr.contains("page.html: mail-style: a style that it loads stays a part"), "{}", mail.stderr);
    Ok(())
}

#[test]
fn layers_and_supports_of_an_import_stay_around_it() -> Outcome {
    let files = [
        (
            "site/a.css",
            "@import 'b.css' layer supports(not (x:y)) screen; @import 'b.css' layer(m);@import 'b.css' supports(x:y) layer;",
        ),
        ("site/b.css", "b{}@media print{c{}}"),
    ];
    let (_folder, page) = page("<link rel=stylesheet href=a.css>", &files)?;
    let mail = pack(&page, "a.eml", &URL)?;
    let expected = "<style>@layer absolve-1{@supports (not (x:y)){@media screen{b{}@media print{c{}}}}}</style>\
                    <style>@layer m{b{}@media print{c{}}}</style>\
                    <style>@supports (x:y){@media layer{b{}@media print{c{}}}}</style>";
    assert_eq!(mail.html(), expected);
    Ok(())
}

#[test]
fn a_style_that_ends_within_a_rule_is_in_no_condition() -> Outcome {
    let files = [("site/a.css", "@import 'b.css' layer(x);"), ("site/b.css", "b{c:'")];
    let mail = packed("<link rel=stylesheet href=a.css><link rel=stylesheet href=b.css><p>", &files)?;
    assert!(mail.html().starts_with("<link rel=stylesheet href=cid:"), "{}", mail.html());
    assert!(mail.html().ends_with("<style>b{c:'</style><p>"), "{}", mail.html());
    assert!(mail.stderr.contains("it is imported under conditions, and ends within a rule"), "{}", mail.stderr);
    Ok(())
}

/// Such styles include each other for ever.
#[test]
fn a_style_that_includes_itself_is_included_once() -> Outcome {
    let files = [("site/a.css", "@import 'a.css';@import 'b.css';a{}"), ("site/b.css", "@import 'a.css';b{}")];
    let mail = packed("<link rel=stylesheet href=a.css><style>@import 'b.css';</style>", &files)?;
    assert_eq!(mail.html(), "<style>b{}</style><style>a{}</style><style>a{}</style><style>b{}</style><style></style>");
    Ok(())
}

#[test]
fn chains_of_imports_have_an_end() -> Outcome {
    let name = |index: usize| format!("site/{index}.css");
    let chain = |length: usize| -> Vec<(String, String)> {
        (0..length).map(|index| (name(index), format!("@import '{}.css';a{{}}", index + 1))).collect()
    };
    // Each imports the next twice.
    let doubled: Vec<(String, String)> =
        (0..30).map(|index| (name(index), format!("@import '{0}.css';@import '{0}.css';a{{}}", index + 1))).collect();
    for (files, status, word) in
        [(chain(20), 0, "20 of them within"), (chain(200), 0, "too deep"), (doubled, 1, "the limit is 25000000")]
    {
        let files: Vec<(&str, &str)> = files.iter().map(|(name, css)| (&**name, &**css)).collect();
        let (_folder, page) = page("<link rel=stylesheet href=0.css>", &files)?;
        let mail = pack(&page, "a.eml", &URL)?;
        assert_eq!(mail.status, status, "{}", mail.stderr);
        assert!(mail.stderr.contains(word), "{}", mail.stderr);
    }
    Ok(())
}

#[test]
fn what_ends_an_element_or_comment_does_not() -> Outcome {
    let css = "a:after{content:'</style><b>'}/* </STYLE> */";
    let mail = packed("<link rel=stylesheet href=a.css><p>", &[("site/a.css", css)])?;
    assert_eq!(mail.html(), "<style>a:after{content:'<\\/style><b>'}/* <\\/STYLE> */</style><p>");
    let html = "<!--[if mso]><link rel=stylesheet href=a.css><![endif]--><link rel=stylesheet href=a.css>";
    let (_folder, page) = page(html, &[("site/a.css", "<!-- a{} -->")])?;
    let mail = pack(&page, "a.eml", &URL)?;
    assert!(mail.html().starts_with("<!--[if mso]><link rel=stylesheet href=cid:"), "{}", mail.html());
    assert!(mail.html().ends_with("<style><!-- a{} --></style>"), "{}", mail.html());
    Ok(())
}

#[test]
fn styles_are_read_in_their_own_encoding() -> Outcome {
    let utf_16: Vec<u8> = "\u{FEFF}a{content:'é'}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (page_charset, css, expected) in [
        ("utf-8", &utf_16[..], "a{content:'é'}"),
        ("utf-8", b"@charset \"iso-8859-1\";a{content:'\xE9'}", "a{content:'é'}"),
        ("iso-8859-1", b"a{content:'\xE9'}", "a{content:'\\e9 '}"),
        ("iso-8859-1", "a{content:'é'}".as_bytes(), "a{content:'\\e9 '}"),
        ("utf-8", b"a{\r\nb:c\0}\r", "a{\nb:c\u{FFFD}}\n"),
    ] {
        let folder = folder_with(&[])?;
        let (page, style) = (folder.path().join("p.html"), folder.path().join("a.css"));
        std::fs::write(&page, format!("<meta charset={page_charset}><link rel=stylesheet href=a.css>"))?;
        std::fs::write(style, css)?;
        let mail = pack(&page, "a.eml", &URL)?;
        assert_eq!(mail.html(), format!("<meta charset={page_charset}><style>{expected}</style>"), "{css:?}");
    }
    Ok(())
}

#[test]
fn the_page_keeps_its_line_ends_and_its_syntax() -> Outcome {
    let files = [("site/a.css", "a > b{}\nc{background:url('x&y.png')}\n"), ("site/x&y.png", "image")];
    let mail = packed("<p>\r\n<link rel=stylesheet href=a.css>\r\n", &files)?;
    assert!(!String::from_utf8_lossy(&mail.message).contains("base64\r\n\r\n"), "the line ends are of one kind");
    let folder = folder_with(&files)?;
    let page = folder.path().join("site/p.xhtml");
    let xhtml = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><link rel=\"stylesheet\" href=\"a.css\"/>\
                 <link rel=\"stylesheet\" href=\"a.css\"></link></head></html>";
    std::fs::write(&page, xhtml)?;
    let mail = pack(&page, "a.eml", &URL)?;
    let text = String::from_utf8_lossy(&mail.message).replace("=\r\n", "").replace("=3D", "=");
    assert!(text.contains("<style>a &gt; b{}\r\nc{background:url('data:image/png;base64,aW1hZ2U=')}"), "{text}");
    assert!(text.contains("<link rel=\"stylesheet\" href=\"cid:"), "an element with an end tag stays: {text}");
    Ok(())
}

#[test]
fn images_of_css_are_data_up_to_a_length() -> Outcome {
    let (long, short) = ("x".repeat(200_000), "x".repeat(60_000));
    let files = [("site/long.png", &*long), ("site/short.png", &*short), ("site/f.woff2", "font")];
    let html = "<style>@font-face{src:url(f.woff2)}a{b:url(short.png)}c{d:url(long.png)}</style>\
                <p style='e:url(short.png#f)'><img src=short.png><table background=short.png>";
    let (_folder, page) = page(html, &files)?;
    let mail = pack(&page, "a.eml", &URL)?;
    assert_eq!(mail.html().matches("data:image/png;base64,").count(), 2, "{}", mail.stderr);
    assert!(mail.html().contains("url(data:font/woff2;base64,Zm9udA==)") && mail.html().contains("#f)'>"));
    assert_eq!(mail.html().matches("cid:").count(), 3);
    assert!(mail.stderr.contains("long.png: mail-image: as a data: URL it would take 266668 bytes"), "{}", mail.stderr);
    assert!(mail.stderr.contains("mail-length: the page has "), "{}", mail.stderr);
    let stderr = "3 files embedded for 6 links, 3 of them within the page";
    assert!(mail.stderr.contains(stderr), "{}", mail.stderr);
    let mail = pack(&page, "a.eml", &[&URL[..], &["--css-images", "cid"]].concat())?;
    assert_eq!((mail.html().matches("cid:").count(), mail.html().matches("data:").count()), (6, 0));
    Ok(())
}

#[test]
fn one_image_is_shown_of_its_candidates() -> Outcome {
    let files = [("site/a.png", "a"), ("site/b.png", "b")];
    let far = "https://far.example/x.png";
    for (html, expected) in [
        ("<img srcset='a.png 1x, b.png 2x' src=b.png>", "<img src=CID>"),
        ("<img src=b.png srcset='https://far.example/x.png 2x'>", "<img src=CID>"),
        ("<img alt=x srcset='https://far.example/x.png, b.png 2x' id=y>", "<img alt=x src=\"CID\" id=y>"),
        (&format!("<img src={far} srcset='no.png, b.png 2x'>"), "<img src=CID>"),
        ("<img src=no.png srcset='b.png 2x'>", "<img src=URLno.png srcset='URLb.png 2x'>"),
        ("<img src={{x}} srcset='b.png 2x'>", "<img src={{x}} srcset='URLb.png 2x'>"),
        (&format!("<img src={far} srcset='{far} 2x'>"), &*format!("<img src={far} srcset='{far} 2x'>")),
        (
            "<picture><source srcset=a.png media=print><source srcset='a.png 2x'><img src=b.png></picture><img src=a.png>",
            "<picture><source media=print><source><img src=CID></picture><img src=CID>",
        ),
        (
            &format!("<picture><source srcset=a.png><img src={far}></picture>"),
            "<picture><source><img src=CID></picture>",
        ),
        ("<video><source src=v.mp4></video><img src=b.png>", "<video><source src=URLv.mp4></video><img src=CID>"),
    ] {
        let (folder, page) = page(html, &files)?;
        let mail = pack(&page, "a.eml", &URL)?;
        let mut found = mail.html();
        let parsed = mail.parsed();
        for part in &parsed.parts {
            if let Some(id) = mail_parser::MimeHeaders::content_id(part) {
                found = found.replace(&format!("cid:{id}"), "CID");
            }
        }
        assert_eq!(found, expected.replace("URL", "https://news.example/2026/"), "{html} {}", mail.stderr);
        // What it leaves out is not in the message either.
        let message = folder.path().join("a.eml");
        std::fs::write(&message, &mail.message)?;
        let (status, _, stderr) = run(&["check", argument(&message)])?;
        assert_eq!(status, 0, "{stderr}");
    }
    Ok(())
}

#[test]
fn a_page_may_show_ten_thousand_images() -> Outcome {
    const IMAGES: usize = rounds(10_000);
    let names: Vec<String> = (0..IMAGES).map(|index| format!("site/i/{index}.png")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "an image")).collect();
    let html: String =
        (0..IMAGES).map(|index| format!("<img src=i/{index}.png><p style='background:url(i/{index}.png)'>")).collect();
    let (_folder, page) = page(&html, &files)?;
    let mail = pack(&page, "a.eml", &URL)?;
    let expected = format!("{IMAGES} files embedded for {} links, {IMAGES} of them within", 2 * IMAGES);
    assert!(mail.stderr.contains(&expected), "{}", mail.stderr);
    assert_eq!(mail.parsed().parts.len(), IMAGES + 2);
    Ok(())
}

/// The filters of Internet Explorer resolve in the document, whose base is known once they are in it.
#[test]
fn a_filter_of_a_style_resolves_in_the_page() -> Outcome {
    let css = "a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='x.png')}";
    let (folder, page) = page("<link rel=stylesheet href=s/a.css>", &[("site/s/a.css", css)])?;
    let mail = pack(&page, "a.eml", &URL)?;
    assert!(mail.html().contains("AlphaImageLoader(src='https://news.example/2026/x.png')"), "{}", mail.html());
    let message = folder.path().join("a.eml");
    std::fs::write(&message, &mail.message)?;
    assert_eq!(run(&["check", argument(&message)])?.0, 0);
    Ok(())
}

#[test]
fn a_message_goes_to_standard_output() -> Outcome {
    let (_folder, page) = page("<title>x</title><link rel=stylesheet href=a.css>", &[("site/a.css", "a{}")])?;
    let expected = pack(&page, "a.eml", &[&URL[..], &["--from", "a@h", "--date", "2026-11-21T10:00:00Z"]].concat())?;
    let arguments = ["pack", argument(&page), "-o", "-", "--from", "a@h", "--date", "2026-11-21T10:00:00Z"];
    let (status, out, stderr) = run(&[&arguments[..], &URL].concat())?;
    assert!(status == 0 && out.as_bytes() == expected.message && stderr.contains("1 file embedded"), "{stderr}");
    Ok(())
}
