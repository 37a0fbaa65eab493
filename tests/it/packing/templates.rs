//! The sources of mail: MJML, templates and AMP are read where documents are for mail.

use std::fs;
use std::path::Path;

use crate::support::{Outcome, folder_with, run, run_in, run_with};
use absolve_testing::fixtures;

const URL: [&str; 2] = ["--url", "https://news.example/2026/11/"];
const FOR_MAIL: [&str; 2] = ["--for", "mail"];

/// What a file becomes, proven by `verify`, and the last line of standard error but for the time.
#[track_caller]
fn rewritten(folder: &Path, name: &str, flags: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
    let flags = [&URL, &FOR_MAIL, flags].concat();
    let (status, _, messages) = run_in(folder, &[&["rewrite", name, "-o", "out", "--force"], &flags[..]].concat())?;
    assert_eq!(status, 0, "{messages}");
    let (status, differences, messages) = run_in(folder, &[&["verify", name, "out"], &flags[..]].concat())?;
    assert_eq!((status, &*differences), (0, ""), "{messages}");
    Ok(fs::read_to_string(folder.join("out"))?)
}

const MJML: &str = r##"<mjml><mj-head>
<mj-include path="./header.mjml" />
<mj-font name="Lamp" href="fonts/lamp.css" />
<mj-attributes><mj-class name="hero" background-url="img/hero.jpg" /></mj-attributes>
<mj-style inline="inline">.lamp > a { background: url(img/lamp.png) } .none { color: red }</mj-style>
<mj-style>.dark{background:url("https://news.example/x.png")}</mj-style>
</mj-head><mj-body background-color="#fff">
<mj-navbar base-url="/shop"><mj-navbar-link href="/a">A</mj-navbar-link><mj-navbar-link href="b">B</mj-navbar-link></mj-navbar>
<mj-navbar><mj-navbar-link href="/c">C</mj-navbar-link><mj-navbar-link href="{{d}}">D</mj-navbar-link></mj-navbar>
<mj-section background-url="img/a.png"><mj-column>
<mj-image src="img/b.png" srcset="img/c.png 2x" href="offer/" />
<mj-button href="[unsubscribe]">U</mj-button><mj-button href="offer/?a=1&amp;b=2">O</mj-button>
<mj-text>See <a href="guide/">the guide</a> &amp; <img src='img/d.png'></mj-text>
<mj-carousel left-icon="img/l.png"><mj-carousel-image src="img/e.png" thumbnails-src="img/f.png" href="g/" /></mj-carousel>
<mj-social><mj-social-element name="facebook" href="https://fb.example/" src="img/h.png">F</mj-social-element></mj-social>
<mj-accordion-element icon-wrapped-url="img/i.png" icon-unwrapped-url="img/j.png"></mj-accordion-element>
<mj-raw><table background="img/k.png"></table></mj-raw>
</mj-column></mj-section></mj-body></mjml>
"##;

#[test]
fn mjml_has_links_of_its_own() -> Outcome {
    let folder = folder_with(&[("issue.mjml", MJML)])?;
    let mut expected = MJML.to_owned();
    for relative in ["fonts/", "img/", "offer/", "guide/", "g/"] {
        for before in ["\"", "'", "("] {
            expected = expected.replace(&format!("{before}{relative}"), &format!("{before}{}{relative}", URL[1]));
        }
    }
    expected = expected.replace("\"/shop\"", "\"https://news.example/shop\"");
    expected = expected.replace("\"/c\"", "\"https://news.example/c\"");
    assert_eq!(rewritten(folder.path(), "issue.mjml", &[])?, expected);
    // The groups that are named win.
    let core = rewritten(folder.path(), "issue.mjml", &["--groups", "core"])?;
    assert!(core.contains("mj-image src=\"img/b.png\"") && core.contains("<a href=\"https://"), "{core}");
    Ok(())
}

#[test]
fn templates_are_html_with_placeholders() -> Outcome {
    let page = "{{#each lamps}}<a href=\"{{url}}\"><img src=\"img/{{id}}.png\"></a>{{/each}}<a href=\"/all\">";
    let expected = "{{#each lamps}}<a href=\"{{url}}\"><img src=\"https://news.example/2026/11/img/{{id}}.png\"></a>{{/each}}\
         <a href=\"https://news.example/all\">";
    let folder = folder_with(&[("a.hbs", page), ("b.Liquid", page), ("c.njk", page), ("d.mjml", page)])?;
    for name in ["a.hbs", "b.Liquid", "c.njk", "d.mjml"] {
        assert_eq!(rewritten(folder.path(), name, &[])?, expected, "{name}");
    }
    for start in ["{% extends 'base' %}", "{# a comment #}", "\u{FEFF}{{> header }}"] {
        fs::write(folder.path().join("e.njk"), format!("{start}{page}"))?;
        assert_eq!(rewritten(folder.path(), "e.njk", &[])?, format!("{start}{expected}"));
    }
    Ok(())
}

/// A folder of templates has no document, but for mail, and another input does not make up for that.
#[test]
fn a_folder_without_documents_does_not_pass_beside_a_page() -> Outcome {
    let folder = folder_with(&[
        ("site/a.html", "<a href=https://h.example/>"),
        ("templates/a.mjml", "<mj-button href=offer/>"),
        ("templates/logo.png", "\u{89}PNG"),
        ("none/logo.png", "\u{89}PNG"),
    ])?;
    let check = |arguments: &[&str]| run_in(folder.path(), &[&["check"], arguments].concat());
    let (status, listed, messages) = check(&["site", "templates", "--for", "mail"])?;
    assert_eq!((status, &*listed), (1, "templates/a.mjml:1:17: mj-button@href: offer/\n"), "{messages}");
    assert!(messages.ends_with("1 link relative in 2 documents\n"), "{messages}");
    for inputs in [&["site", "templates"][..], &["site", "none", "--for", "mail"], &["none", "site"]] {
        let (status, listed, messages) = check(inputs)?;
        assert_eq!((status, &*listed), (2, ""), "{messages}");
        assert!(messages.contains(": no file of it is a document\n"), "{messages}");
        assert!(messages.contains("0 links relative in 1 document"), "{messages}");
    }
    let (status, log, _) = check(&["site", "none", "--format", "sarif"])?;
    assert!(status == 2 && log.contains("\"executionSuccessful\":false"), "{log}");
    assert_eq!(check(&["site", "missing.html"])?.0, 2);
    assert_eq!(check(&["templates", "--for", "mail"])?.0, 1);
    assert_eq!(check(&["templates"])?.0, 2);
    Ok(())
}

#[test]
fn a_fragment_on_standard_input_is_a_page_for_mail() -> Outcome {
    let fragment = "<center><a href=x>";
    let (status, listed, _) = run_with(&["check", "-", "--for", "mail"], fragment.as_bytes())?;
    assert_eq!((status, &*listed), (1, "-:1:17: a@href: x\n"));
    let (status, _, messages) = run_with(&["check", "-"], fragment.as_bytes())?;
    assert!(status == 1 && messages.contains("it is read as HTML; --type sets the type"), "{messages}");
    // Nothing at all, as of a program that failed, is no clean document.
    assert_eq!(run_with(&["check", "-", "--for", "mail"], b"")?.0, 2);
    // A message is one, too.
    let message = "MIME-Version: 1.0\nContent-Type: text/html\n\n<a href=x>";
    let (status, listed, _) = run_with(&["check", "-", "--for", "mail"], message.as_bytes())?;
    assert_eq!((status, &*listed), (1, "-:4:9: part 1: a@href: x\n"));
    let rewrite = [&["rewrite", "-", "-o", "-"][..], &URL, &FOR_MAIL].concat();
    let (status, out, _) = run_with(&rewrite, fragment.as_bytes())?;
    assert_eq!((status, &*out), (0, "<center><a href=https://news.example/2026/11/x>"));
    Ok(())
}

#[test]
fn amp_has_links_of_its_own() -> Outcome {
    let page = "<!doctype html><html \u{26A1}4email><body><amp-img src=a.png srcset='b.png 2x' [src]=\"c.src\"></amp-img>\
        <amp-anim src=d.gif></amp-anim><amp-list src=e.json><template type=amp-mustache><a href='{{f}}'></a></template>\
        </amp-list><form method=post action-xhr=/g><amp-state id=s src=h></amp-state><amp-carousel><amp-img src=i.png>\
        </amp-img></amp-carousel><amp-autocomplete src=j></amp-autocomplete></form>";
    let folder = folder_with(&[("a.html", page)])?;
    let mut expected = page.replace("=/g", "=https://news.example/g");
    for relative in ["a.png", "d.gif", "e.json", "h>", "i.png", "j>"] {
        expected = expected.replace(&format!("src={relative}"), &format!("src={}{relative}", URL[1]));
    }
    expected = expected.replace("'b.png", &format!("'{}b.png", URL[1]));
    assert_eq!(rewritten(folder.path(), "a.html", &[])?, expected);
    // In a part of a message, too, and in a page by its mark alone.
    let message = format!("MIME-Version: 1.0\nContent-Type: text/x-amp-html; charset=utf-8\n\n{page}");
    fs::write(folder.path().join("a.eml"), message)?;
    let check = |name: &str, flags: &[&str]| run_in(folder.path(), &[&["check", name], flags].concat());
    assert_eq!(check("a.eml", &FOR_MAIL)?.1.lines().count(), 8);
    assert_eq!(check("a.html", &[])?.1.lines().count(), 8);
    assert_eq!(check("a.html", &["--groups", "core,amp"])?.1.lines().count(), 8);
    Ok(())
}

#[test]
fn the_pages_name_the_extensions() -> Outcome {
    for page in ["docs/email.md"] {
        let text = fs::read_to_string(fixtures().join("..").join(page))?;
        for extension in ["`.mjml`", "`.hbs`", "`.liquid`", "`.njk`"] {
            assert!(text.contains(extension), "{page}: {extension}");
        }
    }
    let (_, help, _) = run(&["check", "--help"])?;
    assert!(help.contains(".mjml"), "{help}");
    Ok(())
}

/// `..` in a placeholder is for the template system, and what a mail service looks for is not percent-encoded.
#[test]
fn dot_segments_and_spaces_within_placeholders_stay() -> Outcome {
    let page = "<a href='/p/{{../../id}}'><img src='i/${../a/../b}/{{ c\\d }}.png'><a href='../?n=[A B]&amp;m={!C.D E}&amp;[ü]=ü'><a href='z/{x/../q}'>";
    let expected = "<a href='http://h/p/{{../../id}}'><img src='http://h/d/f/i/${../a/../b}/{{ c\\d }}.png'>\
                    <a href='http://h/d/?n=[A B]&amp;m={!C.D E}&amp;[%C3%BC]=%C3%BC'><a href='http://h/d/f/z/{x/../q}'>";
    let folder = folder_with(&[
        ("a.hbs", page),
        ("lost.hbs", "<a href='{{x}}.d/y'><a href='a/{{x}}/../y'><a href='a/[x]/../y'>"),
    ])?;
    let options = ["--for", "mail", "--url", "http://h/d/f/"];
    let run_on = |command: &str, files: &[&str]| run_in(folder.path(), &[&[command], files, &options].concat());
    assert_eq!(run_on("rewrite", &["a.hbs", "-o", "b.hbs"])?.0, 0);
    assert_eq!(fs::read_to_string(folder.path().join("b.hbs"))?, expected);
    let (status, out, _) = run_on("verify", &["a.hbs", "b.hbs"])?;
    assert_eq!(status, 0, "{out}");
    for (from, to) in
        [("{{../../id}}", "id}}"), ("{{../../id}}", "{{../id}}"), ("c\\d", "c/d"), ("/f/i/", "/i/"), ("{x/../q}", "q}")]
    {
        fs::write(folder.path().join("b.hbs"), expected.replace(from, to))?;
        let (status, out, _) = run_on("verify", &["a.hbs", "b.hbs"])?;
        assert_eq!(status, 1, "{from} became {to}: {out}");
    }
    // What replaces the placeholder decides where this leads.
    let (status, _, messages) = run_on("rewrite", &["lost.hbs", "-o", "left.hbs"])?;
    assert!(messages.contains("no-target"), "{status} {messages}");
    assert_eq!(
        fs::read_to_string(folder.path().join("left.hbs"))?,
        fs::read_to_string(folder.path().join("lost.hbs"))?
    );
    let (status, out, _) = run_on("verify", &["lost.hbs", "left.hbs"])?;
    assert_eq!(status, 0, "{out}");
    Ok(())
}

/// A placeholder with quotes, commas or white space is not cut, and no URL is put into it.
#[test]
fn parts_of_placeholders_are_not_made_absolute() -> Outcome {
    let page = "<style>a{b:url(\"{{ asset(\"x.png\") }}\")}</style><p style=\"background:url('{% static 'img.png' %}')\">\
                <a ping=\"{{ track }}\" href=y><img srcset=\"{% if a, b %}q.png{% endif %} 1x, {{ i | size: 1, 2 }} 2x\" src='{{ x }}'>";
    let folder = folder_with(&[("in.html", page)])?;
    for flags in [&["--url", "http://h/"][..], &["--url", "http://h/", "--for", "mail"]] {
        let (status, _, says) =
            run_in(folder.path(), &[&["rewrite", "--force", "in.html", "-o", "out.html"], flags].concat())?;
        assert_eq!(
            (status, fs::read_to_string(folder.path().join("out.html"))?),
            (0, page.replace("=y", "=http://h/y")),
            "{says}"
        );
        let (status, differences, says) = run_in(folder.path(), &[&["verify", "in.html", "out.html"], flags].concat())?;
        assert_eq!(status, 0, "{differences}{says}");
    }
    let wrong = page.replace("=y", "=http://h/y").replace(" }}\" href", " http://h/}}\" href");
    fs::write(folder.path().join("wrong.html"), wrong)?;
    assert_eq!(run_in(folder.path(), &["verify", "in.html", "wrong.html", "--url", "http://h/"])?.0, 1);
    Ok(())
}

/// A quote in an expression ends the value. Its first part is not escaped, and one behind a scheme is not a path.
#[test]
fn expressions_with_quotes_and_behind_schemes_stay() -> Outcome {
    let cases = [
        (
            "<a href=\"/p/{{ slug|default:\"none\" }}/\">",
            "<a href=\"https://news.example/p/{{ slug|default:\"none\" }}/\">",
        ),
        (
            "<img src=\"i/{% static \"a.png\" %}\">",
            "<img src=\"https://news.example/2026/11/i/{% static \"a.png\" %}\">",
        ),
        ("<a href=\"/x/<%= link_to \"foo\" %>\">", "<a href=\"https://news.example/x/<%= link_to \"foo\" %>\">"),
        ("<a href=\"/x?<?= $a [\"b\"] ?>\">", "<a href=\"https://news.example/x?<?= $a [\"b\"] ?>\">"),
        (
            "<p style=\"b:url('/i/{{ a | b: '3' }}')\">",
            "<p style=\"b:url('https://news.example/i/{{ a | b: '3' }}')\">",
        ),
        ("<img src=\"https:{{ image | img_url }}\">", "<img src=\"https:{{ image | img_url }}\">"),
        ("<img src=\"HTTP:*|IMAGE|*\">", "<img src=\"HTTP:*|IMAGE|*\">"),
        ("<a href=\"//{{ host }}/x y\">", "<a href=\"https://{{ host }}/x%20y\">"),
        ("<a href=\"//%%host%%/x\">", "<a href=\"https://%%host%%/x\">"),
    ];
    for (page, expected) in cases {
        let folder = folder_with(&[("in.html", page)])?;
        assert_eq!(rewritten(folder.path(), "in.html", &[])?, expected);
    }
    Ok(())
}

/// They would be escaped, cut or removed, and links made absolute with what is left.
#[test]
fn bases_with_placeholders_are_not_used() -> Outcome {
    for (base, flags) in [
        ("http://h/{{ lang }}/", &[][..]),
        ("http://h/{{a/b}}/c", &[]),
        ("http://h/{{a?b}}/c", &[]),
        ("https://{{x}}.h/", &[]),
        ("http://h/{% if a %}b{% endif %}/", &[]),
        ("http://h/[a/b]/", &["--for", "mail"]),
    ] {
        let page = format!("<base href='{base}'><a href='../y'><a href=http://i/>");
        let folder = folder_with(&[("in.html", &page)])?;
        let (_, _, says) = run_in(folder.path(), &[&["rewrite", "in.html", "-o", "out.html"], flags].concat())?;
        assert_eq!(fs::read_to_string(folder.path().join("out.html"))?, page, "{base}: {says}");
        assert!(says.contains("no-base"), "{base}: {says}");
        let (status, differences, _) = run_in(folder.path(), &[&["verify", "in.html", "out.html"], flags].concat())?;
        assert_eq!(status, 0, "{base}: {differences}");
        // A URL does not help, and nothing was made absolute.
        let with_url = [&["rewrite", "in.html", "-o", "out.html", "--force"], flags, &URL].concat();
        let (status, _, says) = run_in(folder.path(), &with_url)?;
        assert!(status == 1 && says.contains("the BASE of the document is unknown"), "{base}: {says}");
    }
    for (base, flags) in [("http://[::1]/a/", &["--for", "mail"][..]), ("http://h/a/?x={{y}}", &[])] {
        let folder = folder_with(&[("in.html", &format!("<base href='{base}'><a href='../y'>"))])?;
        let (status, _, says) = run_in(folder.path(), &[&["rewrite", "in.html", "-o", "out.html"], flags].concat())?;
        assert!(status == 0 && says.contains("1 made absolute"), "{base}: {says}");
        let (status, differences, _) = run_in(folder.path(), &[&["verify", "in.html", "out.html"], flags].concat())?;
        assert_eq!(status, 0, "{base}: {differences}");
    }
    Ok(())
}
