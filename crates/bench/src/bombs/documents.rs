//! Documents that are expensive to read.

use std::io;

use super::bomb::{Bomb, bomb};

pub(crate) const BOMBS: &[Bomb] = &[
    bomb("elements in elements", "a.html", |times| text("", "<div>", 500_000 * times, "<a href=x>")),
    bomb("elements in elements, read with a tree", "a.html", |times| {
        text("<svg><p>", "<div>", 100_000 * times, "<a href=x>")
    }),
    bomb("formatting elements", "a.html", |times| text("<p>", "<b><i><font size=1>", 100_000 * times, "<a href=x>")),
    bomb("formatting elements, read with a tree", "a.html", |times| {
        text(&format!("<svg><p>{}", numbered("<b a=", 1_000 * times, ">")), "</p><p>x", 1_000 * times, "<a href=x>")
    }),
    bomb("tables in tables, read with a tree", "a.html", |times| {
        text("<svg><p>", "<table><tr><td><a href=x>", 30_000 * times, "")
    }),
    bomb("one long line of links", "a.html", |times| text("", "<a href=x>", 300_000 * times, "")),
    bomb("one long value", "a.html", |times| text("<a href='", "x/", 2_000_000 * times, "'>")),
    bomb("one long value with references", "a.html", |times| text("<a href='", "&amp;", 500_000 * times, "'>")),
    bomb("references that never end", "a.html", |times| text("<a href='", "&am", 1_000_000 * times, "'>")),
    bomb("many attributes", "a.html", |times| text("<a", &numbered(" a", 100_000 * times, "=x"), 1, " href=x>")),
    bomb("many attributes, read with a tree", "a.html", |times| {
        text("<svg><p><b", &numbered(" a", 20_000 * times, "=x"), 1, "><a href=x>")
    }),
    bomb("the same attribute again and again", "a.html", |times| text("<a", " href=x", 300_000 * times, ">")),
    bomb("many BASE elements", "a.html", |times| text("", "<base href=x>", 100_000 * times, "<a href=x>")),
    bomb("tags that never end", "a.html", |times| text("", "<a href=x", 300_000 * times, "")),
    bomb("comments that never end", "a.html", |times| text("", "<!--", 700_000 * times, "")),
    bomb("scripts that never end", "a.html", |times| text("", "<script><!--<script>", 200_000 * times, "")),
    bomb("a title that never ends", "a.html", |times| text("<title>", "</titl", 500_000 * times, "")),
    bomb("documents in values", "a.html", |times| {
        text("", "<iframe srcdoc='<iframe srcdoc=&quot;<a href=x>&quot;>'></iframe>", 30_000 * times, "")
    }),
    bomb("values of srcdoc that never end", "a.html", |times| text("", "<iframe/srcdoc=", 200_000 * times, "")),
    bomb("candidates of images", "a.html", |times| text("<img srcset='", "a 1x,", 500_000 * times, "'>")),
    bomb("parentheses of candidates", "a.html", |times| text("<img srcset='", "a(,", 500_000 * times, "'>")),
    bomb("a long base and short links", "a.html", |times| {
        let start = format!("<base href='http://h/{}/'>", "a".repeat(50_000 * times));
        text(&start, "<a href=x>", 20_000 * times, "")
    }),
    bomb("a long base and `../`", "a.html", |times| {
        let start = format!("<base href='http://h/{}'>", "a/".repeat(10_000 * times));
        text(&start, "<a href=../../../../x>", 10_000 * times, "")
    }),
    bomb("one climbing link", "a.html", |times| text("<a href='", "../", 500_000 * times, "x'>")),
    bomb("placeholders that never end", "a.html", |times| text("<a href='x", "{{", 500_000 * times, "'>")),
    bomb("UTF-16", "a.html", |times| {
        let html = "<a href=x>".repeat(100_000 * times);
        Ok(html.encode_utf16().fold(vec![0xff, 0xfe], |mut bytes, unit| {
            bytes.extend(unit.to_le_bytes());
            bytes
        }))
    }),
    bomb("CSS: blocks in blocks", "a.css", |times| text("@import 'x';", "{", 1_000_000 * times, "")),
    bomb("CSS: functions in functions", "a.css", |times| text("a{b:", "image-set(", 200_000 * times, "")),
    bomb("CSS: escaped names", "a.css", |times| text("@import 'x';", "\\61 u\\72l(", 200_000 * times, "")),
    bomb("CSS: one long escaped URL", "a.css", |times| text("a{b:url(", "\\61 ", 500_000 * times, ")}")),
    bomb("CSS: URLs that never end", "a.css", |times| text("a{b:", "url(x ", 300_000 * times, "")),
    bomb("CSS: strings that never end", "a.css", |times| text("a{b:", "'url(x)\\\n", 300_000 * times, "")),
    bomb("CSS: comments", "a.css", |times| text("a{b:", "/**/", 500_000 * times, "url(x)}")),
    bomb("CSS: filters in filters", "a.css", |times| {
        text("a{b:", "\"progid:AlphaImageLoader(src='x'\"", 50_000 * times, "")
    }),
    bomb("CSS in attributes", "a.html", |times| text("", "<p style='a:url(x)'>", 100_000 * times, "")),
    bomb("XML: elements in elements", "a.xml", |times| {
        text(&"<r>".repeat(200_000 * times), "</r>", 200_000 * times, "")
    }),
    bomb("XML: entities declared", "a.xml", |times| {
        let declared = numbered("<!ENTITY e", 30_000 * times, " 'x'>");
        text(&format!("<!DOCTYPE r [{declared}]><r><link>"), "&e1;", 30_000 * times, "</link></r>")
    }),
    bomb("XML: entities of entities", "a.xml", |times| {
        let laughs = |n| format!("<!ENTITY e{n} '{}'>", format!("&e{};", n - 1).repeat(10));
        let declared: String = (1..5 + 5 * times).map(laughs).collect();
        text(&format!("<!DOCTYPE r [{declared}]><r xmlns='&e9;'>"), "<a href='&e9;'/>", 10_000 * times, "</r>")
    }),
    bomb("XML: namespaces", "a.xml", |times| {
        let declared = numbered(" xmlns:a", 5_000 * times, "='urn:x'");
        text(&format!("<r{declared}>"), "<a1:x href='x'/>", 50_000 * times, "</r>")
    }),
    bomb("XML: namespaces in elements in elements", "a.xml", |times| {
        let opened: String = (0..3_000 * times).map(|n| format!("<r xmlns:p{n}='urn:{n}' p{n}:x='y'>")).collect();
        text(&opened, "</r>", 3_000 * times, "")
    }),
    bomb("XML: as many namespaces as elements", "a.xml", |times| {
        text(&format!("<r{}>", numbered(" xmlns:a", 10_000 * times, "=''")), "<a/>", 10_000 * times, "</r>")
    }),
    bomb("comments in comments", "a.html", |times| {
        text(&"<!--[if a]>".repeat(20_000 * times), "<![", 20_000 * times, "endif]-->")
    }),
    bomb("XML: bases in elements in elements", "a.xml", |times| {
        text(&"<r xml:base='a/'>".repeat(31), "<r xml:base='b/'/>", 50_000 * times, &"</r>".repeat(31))
    }),
    bomb("XML: sections", "a.xml", |times| {
        text("<rss><description>", "<![CDATA[<a href=x>]]>", 50_000 * times, "</description></rss>")
    }),
    bomb("XML: ampersands", "a.xml", |times| text("<rss><link>", "&amp;", 500_000 * times, "</link></rss>")),
    bomb("XML: many attributes", "a.xml", |times| text("<r", &numbered(" a", 50_000 * times, "='x'"), 1, "/>")),
    bomb("text: URLs that never end", "a.txt", |times| text("", "<URL:", 500_000 * times, "")),
    bomb("text: a URL in many lines", "a.txt", |times| text("<URL:", "x\n ", 500_000 * times, ">")),
    bomb("a list of URLs", "urls.csv", |times| {
        text("", &numbered("p", 100_000 * times, ".html,http://h/d/\n"), 1, "page.html,http://h/d/page.html\n")
    }),
    bomb("a list of URLs with the same path", "urls.csv", |times| {
        text("", &numbered("page.html,http://h/", 100_000 * times, "\n"), 1, "")
    }),
    bomb("a list of URLs in one line", "urls.csv", |times| text("page.html,http://h/", "x", 3_000_000 * times, "\n")),
    bomb("a list of URLs without a line end in quotes", "urls.csv", |times| {
        text("page.html,http://h/\n\"", "x\n", 2_000_000 * times, "")
    }),
];

/// Returns a beginning, a repeated text, and an end.
pub(super) fn text(start: &str, again: &str, times: usize, end: &str) -> io::Result<Vec<u8>> {
    let mut text = String::with_capacity(start.len() + again.len() * times + end.len());
    text.push_str(start);
    (0..times).for_each(|_| text.push_str(again));
    text.push_str(end);
    Ok(text.into_bytes())
}

/// Returns a text repeated with ascending numbers in it.
pub(super) fn numbered(before: &str, count: usize, behind: &str) -> String {
    (0..count).map(|number| format!("{before}{number}{behind}")).collect()
}
