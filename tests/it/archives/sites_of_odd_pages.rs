//! `absolve unpack` with pages that declare bases, encodings and places in odd ways; `absolve verify` proves each.

use std::fs;
use std::path::PathBuf;

use crate::support::warc::{HTML, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::temporary_folder;
use tempfile::TempDir;

type Failure = Box<dyn std::error::Error>;

const XHTML: &str = "Content-Type: application/xhtml+xml\r\n";
const RSS: &str = "Content-Type: application/rss+xml\r\n";
const ATOM: &str = "Content-Type: application/atom+xml\r\n";

/// A page of an archive: its URL, its header fields and its content.
type Page<'p> = (&'p str, &'p str, &'p [u8]);

struct Unpacked {
    outer: TempDir,
}

impl Unpacked {
    /// Unpacks pages, and proves the site.
    fn of(pages: &[Page<'_>]) -> Result<Self, Failure> {
        let outer = temporary_folder()?;
        let records =
            (1..).zip(pages).map(|(number, (url, fields, body))| response(number, url, "200 OK", fields, body));
        fs::write(outer.path().join("a.warc"), records.collect::<Vec<_>>().concat())?;
        let (archive, site) = (outer.path().join("a.warc"), outer.path().join("site"));
        let (status, _, stderr) = run(&["unpack", argument(&archive), "-o", argument(&site)])?;
        assert_eq!(status, 0, "{stderr}");
        let unpacked = Self { outer };
        let (status, found) = unpacked.verify()?;
        assert_eq!(status, 0, "{found}");
        Ok(unpacked)
    }

    fn verify(&self) -> Result<(i32, String), Failure> {
        let outer = self.outer.path();
        let (status, stdout, stderr) =
            run(&["verify", argument(&outer.join("a.warc")), argument(&outer.join("site"))])?;
        Ok((status, stdout + &stderr))
    }

    fn text(&self, path: &str) -> Result<String, Failure> {
        Ok(String::from_utf8_lossy(&fs::read(self.file(path))?).into_owned())
    }

    fn file(&self, path: &str) -> PathBuf {
        self.outer.path().join("site").join(path)
    }

    /// Checks that verify finds each of these faults in a file: what stands there, and what has to.
    fn finds(&self, path: &str, faults: &[(&str, &str)]) -> Outcome {
        let right = fs::read(self.file(path))?;
        for (from, to) in faults {
            let at = memchr::memmem::find(&right, from.as_bytes()).ok_or(*from)?;
            fs::write(self.file(path), [&right[..at], to.as_bytes(), &right[at + from.len()..]].concat())?;
            assert_eq!(self.verify()?.0, 1, "{path}: {to}");
        }
        Ok(fs::write(self.file(path), right)?)
    }
}

#[test]
fn a_charset_of_a_record_is_declared_in_the_xml_declaration() -> Outcome {
    let labelled = "Content-Type: application/xhtml+xml; charset=windows-1251\r\n";
    let page = |declaration: &str| {
        let rest = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><p>\u{43f}\u{440}</p><a href=\"x\"/></html>";
        [declaration.as_bytes(), &encoding_rs::WINDOWS_1251.encode(rest).0].concat()
    };
    let pages = [
        page("<?xml version=\"1.0\"?>"),
        page("<?xml version='1.0' encoding='utf-8' standalone='no'?>"),
        page(""),
        page("<?xml-stylesheet href='s'?>"),
    ];
    let unpacked = Unpacked::of(&[
        ("http://h/a", labelled, &pages[0]),
        ("http://h/b", labelled, &pages[1]),
        ("http://h/c", labelled, &pages[2]),
        ("http://h/e", labelled, &pages[3]),
        ("http://h/d", XHTML, &page("<?xml version='1.0' encoding='windows-1251'?>")),
        ("http://h/x", HTML, b""),
    ])?;
    for (path, start) in [
        ("h/a.xhtml", "<?xml version=\"1.0\" encoding=\"windows-1251\"?><html "),
        ("h/b.xhtml", "<?xml version='1.0' encoding=\"windows-1251\" standalone='no'?><html "),
        ("h/c.xhtml", "<?xml version=\"1.0\" encoding=\"windows-1251\"?><html "),
        ("h/d.xhtml", "<?xml version='1.0' encoding='windows-1251'?><html "),
        ("h/e.xhtml", "<?xml version=\"1.0\" encoding=\"windows-1251\"?><?xml-stylesheet href='http://h/s'?><html "),
    ] {
        let text = unpacked.text(path)?;
        assert!(text.starts_with(start) && text.ends_with("<a href=\"x.html\"/></html>"), "{text}");
    }
    unpacked.finds("h/b.xhtml", &[("-1251", "-1252"), (" standalone='no'", ""), (" encoding", "  encoding")])
}

#[test]
fn links_that_decide_about_the_charset_stay_and_are_proven() -> Outcome {
    let page = b"<p>\xc3\xa9<a href=\"\xe9/../z\">1</a><a href=\"/\xe9/../b\">2</a><a href=/b>3</a>";
    let unpacked = Unpacked::of(&[("http://h/a", HTML, page), ("http://h/b", HTML, b"")])?;
    assert!(unpacked.text("h/a.html")?.ends_with("/../b\">2</a><a href=b.html>3</a>"));
    unpacked.finds("h/a.html", &[("/../z", "/../y"), ("/../b", "/b"), ("b.html", "/b"), ("\">1", "?\">1")])
}

/// The list of such a site is for the way back, which knows only pages of the web; verify reads all of it.
#[test]
fn pages_of_any_scheme_are_proven() -> Outcome {
    let page = b"<a href=#t>1</a><a href=b>2</a><a href=>3</a><a href=/none>4</a>";
    let unpacked = Unpacked::of(&[
        ("ws://h/a", HTML, page),
        ("ws://h/b", HTML, b""),
        ("gopher://h/a", HTML, page),
        ("gopher://h/b", HTML, b"<base href=/a><a href=#t>"),
        ("foo://h/a", HTML, page),
    ])?;
    assert_eq!(
        unpacked.text("ws+h/a.html")?,
        "<a href=#t>1</a><a href=b.html>2</a><a href=>3</a><a href=ws://h/none>4</a>"
    );
    assert_eq!(unpacked.text("gopher+h/b.html")?, "<base href=\"\"><a href=a.html#t>");
    unpacked.finds("gopher+h/a.html", &[("b.html", "a.html"), ("gopher://h/none", "foo://h/none")])
}

/// The user name and the password of a page are no part of its base.
#[test]
fn fragments_stay_in_a_page_with_a_password() -> Outcome {
    let page = b"<a href=#t>1</a><a href=>2</a><a href=http://u:p@h/a#u>3</a><a href=http://h/a#u>4</a>";
    let unpacked = Unpacked::of(&[("http://u:p@h/a", HTML, page)])?;
    assert_eq!(
        unpacked.text("u^3Ap@h/a.html")?,
        "<a href=#t>1</a><a href=>2</a><a href=#u>3</a><a href=http://h/a#u>4</a>"
    );
    unpacked.finds("u^3Ap@h/a.html", &[("#t", "#u"), ("http://h/a#u", "#u")])
}

/// Where no base becomes empty, references to the document itself lead there.
#[test]
fn fragments_stay_in_feeds() -> Outcome {
    let rss = b"<rss version=\"2.0\"><channel><item><link>http://h/a</link><description>&lt;a href=\"#t\"&gt;&lt;a href=\"a\"&gt;\
        </description></item></channel></rss>";
    let atom = b"<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"a\"/><content type=\"xhtml\">\
        <div xmlns=\"http://www.w3.org/1999/xhtml\"><a href=\"#t\"/></div></content></entry></feed>";
    let with_base = b"<rss version=\"2.0\"><channel><item><link>http://h/a</link><description>&lt;base href=\"/e/\"&gt;&lt;a href=\"#t\"&gt;\
        </description></item></channel></rss>";
    let unpacked = Unpacked::of(&[
        ("http://h/r", RSS, rss),
        ("http://h/f", ATOM, atom),
        ("http://h/b", RSS, with_base),
        ("http://h/a", HTML, b""),
        ("http://h/e/", HTML, b""),
    ])?;
    assert!(unpacked.text("h/r.rss")?.contains("href=\"#t\"&gt;&lt;a href=\"a.html\"&gt;"));
    assert!(unpacked.text("h/f.atom")?.contains("<link href=\"a.html\"/>"));
    assert!(unpacked.text("h/b.rss")?.contains("&lt;base href=\"\"&gt;&lt;a href=\"e/index.html#t\"&gt;"));
    unpacked.finds("h/r.rss", &[("#t", "a.html#u")])?;
    unpacked.finds("h/b.rss", &[("e/index.html#t", "#t"), ("<link>a.html</link>", "<link>e/index.html</link>")])
}

#[test]
fn a_base_that_is_empty_stays_and_any_other_becomes_it() -> Outcome {
    let pages: [(&str, &[u8], &str); 8] = [
        ("a", b"<base href><a href=x>", "<base href><a href=x.html>"),
        ("b", b"<base href target=y><a href=#t>", "<base href target=y><a href=#t>"),
        ("c", b"<base href=><a href=\"\">", "<base href=><a href=\"c.html\">"),
        ("d", b"<base href=' '><a href=x>", "<base href=' '><a href=x.html>"),
        ("e", b"<base href=/d/ target=y><a href=x>", "<base href=\"\" target=y><a href=d/x.html>"),
        (
            "f",
            b"<iframe srcdoc=\"<base href=/d/><a href=x>\"></iframe><a href=#t>",
            "<iframe srcdoc=\"<base href=&quot;&quot;><a href=d/x.html>\"></iframe><a href=#t>",
        ),
        (
            "g",
            b"<iframe srcdoc='<iframe srcdoc=\"<base href=/d/ /><a href=#t>\"></iframe>'></iframe>",
            "<iframe srcdoc='<iframe srcdoc=\"<base href=&amp;quot;&amp;quot; /><a href=d/index.html#t>\"></iframe>'></iframe>",
        ),
        (
            "h",
            b"<svg><g xml:base=/d/><a href=#t></a></g></svg><base href=\"/d/\"><a href=#t>",
            "<svg><g xml:base=/d/><a href=d/index.html#t></a></g></svg><base href=\"\"><a href=d/index.html#t>",
        ),
    ];
    let urls: Vec<String> = pages.iter().map(|(name, ..)| format!("http://h/{name}")).collect();
    let all: Vec<Page<'_>> = urls.iter().zip(&pages).map(|(url, (_, body, _))| (&**url, HTML, *body)).collect();
    let others: [Page<'_>; 3] = [("http://h/x", HTML, b""), ("http://h/d/", HTML, b""), ("http://h/d/x", HTML, b"")];
    let unpacked = Unpacked::of(&[all, others.to_vec()].concat())?;
    for (name, _, expected) in pages {
        assert_eq!(unpacked.text(&format!("h/{name}.html"))?, expected);
    }
    unpacked.finds("h/e.html", &[("\"\"", "/d/"), ("\"\" target", "target"), ("\"\"", "\"\" id=z"), ("d/x", "x")])?;
    unpacked.finds("h/f.html", &[("&quot;&quot;", "/d/"), ("&quot;&quot;>", ">x"), ("#t", "d/index.html#t")])
}

/// A script or a server may put anything there.
#[test]
fn a_base_that_leads_to_no_site_stays_with_its_links() -> Outcome {
    let page = b"<base href=\"{{x}}\"><a href=#t>1</a><a href=x>2</a><a href=http://h/x>3</a>";
    let local = b"<base href=\"file:///d/\"><img src=i.png><a href=\"\">1</a><a href=#t>2</a><a href=http://h/x>3</a>";
    let nested = b"<iframe srcdoc='<base href=\"{{x}}\"><a href=x>1</a>'></iframe><a href=http://h/x>2</a>";
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" xml:base=\"{{x}}\"><a href=\"http://h/x\"/></svg>";
    let unpacked = Unpacked::of(&[
        ("http://h/a", HTML, page),
        ("http://h/b", HTML, nested),
        ("http://h/c", "Content-Type: image/svg+xml\r\n", svg),
        ("http://h/x", HTML, b"<base href='/{x}/'><a href=x>"),
        ("http://h/y", HTML, local),
    ])?;
    for (path, same) in [("h/a.html", &page[..]), ("h/b.html", nested), ("h/c.svg", svg), ("h/y.html", local)] {
        assert_eq!(unpacked.text(path)?.as_bytes(), same);
    }
    assert_eq!(unpacked.text("h/x.html")?, "<base href=''><a href=http://h/{x}/x>");
    unpacked.finds("h/a.html", &[("{{x}}", ""), ("{{x}}", "http://h/"), ("http://h/x", "x.html"), ("#t", "x")])
}

/// Fragments lead to the base where browsers resolve them, and to the document where they do not.
#[test]
fn fragments_lead_where_browsers_look_for_them() -> Outcome {
    let page = |base: &str, fragment: &str| {
        format!(
            "<base href={base}><form action={fragment}a><button formaction={fragment}b></button></form><form action=\"\"></form>\
             <svg><a xlink:href={fragment}c></a><use href=#d /><use xlink:href=#e /><rect fill=url(#f) style='mask:url(#g)' /></svg>\
             <iframe src=\"\"></iframe><img src={fragment}h usemap=#i>"
        )
    };
    let (elsewhere, here, gone) = (page("/e", "#"), page("/b", "#"), page("/none", "#"));
    let unpacked = Unpacked::of(&[
        ("http://h/a", HTML, elsewhere.as_bytes()),
        ("http://h/b", HTML, here.as_bytes()),
        ("http://h/c", HTML, gone.as_bytes()),
        ("http://h/e", HTML, b""),
    ])?;
    assert_eq!(unpacked.text("h/a.html")?, page("\"\"", "e.html#"));
    assert_eq!(unpacked.text("h/b.html")?, page("\"\"", "#"));
    assert_eq!(unpacked.text("h/c.html")?, page("\"\"", "http://h/none#"));
    unpacked.finds(
        "h/a.html",
        &[
            ("e.html#a", "#a"),
            ("e.html#c", "#c"),
            ("=#d", "=e.html#d"),
            ("action=\"\"", "action=e.html"),
            ("(#g", "(e.html#g"),
        ],
    )
}

#[test]
fn what_keeps_files_from_being_loaded_is_set_aside_in_nested_documents() -> Outcome {
    let policy = "<meta http-equiv=content-security-policy content=x>";
    let style = "<link rel=stylesheet href=s.css integrity=x crossorigin>";
    let other = "<script src=http://h/none integrity=x crossorigin></script>";
    let set_aside = |page: &str| {
        let page = page.replace(" http-equiv", " data-http-equiv");
        page.replace("s.css integrity=x crossorigin", "s.css data-integrity=x data-crossorigin")
    };
    let inner = format!("<iframe srcdoc='{policy}{style}{other}'></iframe>");
    let deeper = format!("<iframe srcdoc=\"{inner}\"></iframe>");
    let cyrillic = |page: &str| {
        let page = format!(
            "<?xml version=\"1.0\" encoding=\"windows-1251\"?><div xmlns=\"http://www.w3.org/1999/xhtml\">\u{436}{page}</div>"
        );
        encoding_rs::WINDOWS_1251.encode(&page).0.into_owned()
    };
    let xhtml = "<meta http-equiv=\"Content-Security-Policy\" content=\"x\"/><img src=\"s.css\" crossorigin=\"\"/>";
    let unpacked = Unpacked::of(&[
        ("http://h/a", HTML, inner.as_bytes()),
        ("http://h/b", HTML, deeper.as_bytes()),
        ("http://h/c", XHTML, &cyrillic(xhtml)),
        ("http://h/s.css", "Content-Type: text/css\r\n", b""),
    ])?;
    assert_eq!(unpacked.text("h/a.html")?, set_aside(&inner));
    assert_eq!(unpacked.text("h/b.html")?, set_aside(&deeper));
    let expected = xhtml.replace("http-equiv", "data-http-equiv").replace("crossorigin", "data-crossorigin");
    assert_eq!(fs::read(unpacked.file("h/c.xhtml"))?, cyrillic(&expected));
    unpacked.finds("h/a.html", &[("data-integrity", "data-x-integrity"), ("integrity=x cross", "integrity=y cross")])
}

/// White space in front of a fragment is a part of the path, and at the end of a URL it is none.
#[test]
fn white_space_before_a_fragment_is_a_part_of_the_path() -> Outcome {
    let links = b"<a href='page #x'>1</a><a href='page '>2</a><a href=page%20>3</a><a href='http://h/page\t #x'>4</a>";
    let pages: [Page<'_>; 3] =
        [("http://h/i", HTML, links), ("http://h/page", HTML, b"1"), ("http://h/page%20", HTML, b"2")];
    let unpacked = Unpacked::of(&pages)?;
    let start = "<a href='page%2520.html#x'>1</a><a href='page.html '>2</a><a href=page%2520.html>3</a>";
    assert_eq!(unpacked.text("h/i.html")?, format!("{start}<a href='page%2520.html#x'>4</a>"));
    Ok(())
}

/// What leads to the right file only if the site stands at the root of a disk is found.
#[test]
fn links_stay_in_the_folder_of_the_site() -> Outcome {
    let pages: [Page<'_>; 2] = [("http://h/a", HTML, b"<a href='http://i/b/c'>1</a>"), ("http://i/b/c", HTML, b"2")];
    let unpacked = Unpacked::of(&pages)?;
    let right = "'../i/b/c.html'";
    let wrong = ["'/../i/b/c.html'", "'/i/b/c.html'", "'../../i/b/c.html'", "'///i/b/c.html'", "'../i/b%2Fc.html'"];
    unpacked.finds("h/a.html", &wrong.map(|wrong| (right, wrong)))
}

/// Browsers load no file from disk that has a hash or has to be permitted, and a policy names servers; what has no file stays as it is.
#[test]
fn what_keeps_files_from_being_loaded_has_to_be_set_aside() -> Outcome {
    let page = "<meta http-equiv='Content-Security-Policy ' content=x><meta http-equiv=refresh content=9>\
        <script src=s.js integrity=x crossorigin></script><script src=none.js INTEGRITY=y></script>\
        <p integrity=z><img crossorigin src='http://h/s.js' srcset='none.js 2x'><!--[if IE]><img src=s.js crossorigin><![endif]-->";
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"s.js\" crossorigin=\"\"/></svg>";
    let policy = "<meta http-equiv=content-security-policy content=x>";
    let framed = "<iframe srcdoc='<meta http-equiv=content-security-policy content=x>'></iframe>";
    let unpacked = Unpacked::of(&[
        ("http://h/a", HTML, page.as_bytes()),
        ("http://h/b", "Content-Type: image/svg+xml\r\n", svg.as_bytes()),
        ("http://h/c", HTML, policy.as_bytes()),
        ("http://h/d", HTML, framed.as_bytes()),
        ("http://h/m", "Content-Type: text/markdown\r\n", b"<img src=s.js crossorigin>\n\n[a](s.js)\n"),
        ("http://h/s.js", "Content-Type: text/javascript\r\n", b""),
    ])?;
    let right = unpacked.text("h/a.html")?;
    let expected = "<meta data-http-equiv='Content-Security-Policy ' content=x><meta http-equiv=refresh content=9>\
        <script src=s.js data-integrity=x data-crossorigin></script><script src=http://h/none.js INTEGRITY=y></script>\
        <p integrity=z><img data-crossorigin src='s.js' srcset='http://h/none.js 2x'><!--[if IE]><img src=s.js data-crossorigin><![endif]-->";
    assert_eq!(right, expected);
    unpacked.finds(
        "h/a.html",
        &[
            ("data-http-equiv", "http-equiv"),
            ("http-equiv=refresh", "data-http-equiv=refresh"),
            ("data-integrity=x", "integrity=x"),
            ("data-crossorigin", "crossorigin"),
            ("INTEGRITY", "data-INTEGRITY"),
            ("<p integrity", "<p data-integrity"),
            ("<img data-", "<img "),
            ("s.js data-crossorigin><!", "s.js crossorigin><!"),
        ],
    )?;
    unpacked.finds("h/b.svg", &[("data-", "")])?;
    unpacked.finds("h/c.html", &[("data-", "")])?;
    unpacked.finds("h/d.html", &[("data-", "")])?;
    unpacked.finds("h/m.md", &[("data-", "")])
}

/// In UTF-16 each character has two bytes, and what is put in front of a name as well.
#[test]
fn pages_in_utf_16_are_unpacked_as_others() -> Outcome {
    let page = "<meta http-equiv=content-security-policy content=x><script src=s.js integrity=x crossorigin></script>\
        <iframe srcdoc='<base href=/b/><img src=s.js crossorigin><a href=&quot;/s.js&quot;>1</a><a href=#f>2</a>'></iframe>";
    let expected = "<meta data-http-equiv=content-security-policy content=x><script src=s.js data-integrity=x data-crossorigin></script>\
        <iframe srcdoc='<base href=\"\"><img src=http://h/b/s.js crossorigin><a href=&quot;s.js&quot;>1</a><a href=http://h/b/#f>2</a>'></iframe>";
    let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let pages = [[&b"\xFF\xFE"[..], &little(page)].concat(), [&b"\xFE\xFF"[..], &big(page)].concat()];
    let unpacked = Unpacked::of(&[
        ("http://h/a", HTML, &pages[0]),
        ("http://h/b", HTML, &pages[1]),
        ("http://h/c", HTML, &[&b"\xFE\xFF"[..], &big("<iframe srcdoc=\"<base href=/b/><a href=x>1</a>\">")].concat()),
        ("http://h/s.js", "Content-Type: text/javascript\r\n", b""),
    ])?;
    let (one, other) = (fs::read(unpacked.file("h/a.html"))?, fs::read(unpacked.file("h/b.html"))?);
    assert!(one[2..] == little(expected) && other[2..] == big(expected));
    Ok(())
}

/// A JSON Feed has the extension by which it is read on the way back.
#[test]
fn a_json_feed_gets_its_links_back() -> Outcome {
    let feed = "{\"version\": \"https://jsonfeed.org/version/1.1\", \"home_page_url\": \"/\", \"items\": \
        [{\"content_html\": \"<img src='/i.png' crossorigin>\"}]}";
    let image = "Content-Type: image/png\r\n";
    let typed = "Content-Type: application/feed+json\r\n";
    let unpacked = Unpacked::of(&[("http://h/f/feed", typed, feed.as_bytes()), ("http://h/i.png", image, b"\x89PNG")])?;
    let expected = feed.replace("\"/\"", "\"http://h/\"").replace("'/i.png' ", "'../i.png' data-");
    assert_eq!(unpacked.text("h/f/feed.json")?, expected);
    unpacked.finds("h/f/feed.json", &[("data-", "")])?;
    let [site, back] = ["site", "back"].map(|name| unpacked.outer.path().join(name));
    let list = site.join("urls.csv");
    let (status, _, stderr) =
        run(&["rewrite", argument(&site), "--urls", argument(&list), "-o", argument(&back), "--exclude", "urls.csv"])?;
    assert_eq!(status, 0, "{stderr}");
    let expected = expected.replace("../i.png", "http://h/i.png");
    assert_eq!(fs::read_to_string(back.join("h/f/feed.json"))?, expected);
    Ok(())
}
