//! Pages.

use crate::planted_faults::fault::{Fault, Files, Original, Rules};

const PAGE: Original = Original {
    files: Files::Text(
        "page.html",
        "<!DOCTYPE html>\n<!-- saved by hand --><html lang=en>\n<head><title>Caf&eacute; &amp; bar</title>\n\
         <meta name=author content='A  B'>\n<script>var u = 'a/b.html'; // <a href=\"s\">\n</script>\n\
         <style>/* url(c.png) */ p { background: url(bg.png) }</style></head>\n<body class=\"x y\" id=top>\n\
         <p>One <b>two</b>  three</p>\n<a title=\"T\" href=\"a%20b.html?x=1&amp;y=2#f\" rel=nofollow>link</a>\n\
         <IMG SRC='i.png' ALT=\"pic\" srcset=\"j.png 1x, k.png 2x\">\n<textarea>t <a href=no></textarea>\n\
         <pre>\n  indented\t</pre>\n<a href=\"http://other.example/%7Ea\">o</a><a href=#top>up</a>\
         <a href='mailto:a@b.c'>m</a>\n<template><a href=in></a></template>\n\
         <iframe srcdoc=\"<a href=&quot;sd&quot;>s</a>\"></iframe>\n<applet codebase=cb/ code=A.class></applet>\n\
         <a href=d1 href=d2 >d</a><a href = sp>s</a><a href=\"&#x2e;./up\">u</a>\n\
         <svg><a xlink:href=v>v</a><![CDATA[c d]]></svg><p>end<br/></p>\n</body></html>\n",
    ),
    flags: &["--url", "http://h/d/page.html"],
};

const BASED: Original = Original {
    files: Files::Text(
        "based.html",
        "<head><base target=_top><base href='http://g/e/' id=b><base href=http://no/></head>\n\
         <a href=x>x</a><a href=\"//i/y\">y</a><a href='?q'>q</a><a href=\"\">e</a><form action=/f></form>\n",
    ),
    flags: &["--url", "http://h/d/"],
};

const ASCII: Original = Original {
    files: Files::Text("ascii.html", "<p>é</p><a href=\"caf\u{e9}?x=\u{e9}\">c</a><a href=y>y</a>\n"),
    flags: &["--url", "http://h/d/", "--spelling", "ascii"],
};

const BYTES: Rules = &["bytes"];
const TARGET: Rules = &["target", "bytes"];
const RELATIVE: Rules = &["relative"];
const LEFT: Rules = &["kept", "bytes", "links"];

const fn page(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, PAGE, from, to, rules)
}

const fn based(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, BASED, from, to, rules)
}

const fn ascii(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, ASCII, from, to, rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    page("page, text: a word", ">One <", ">Won <", BYTES),
    page("page, text: a word before a link", ">link</a>", "> link</a>", BYTES),
    page("page, text: the title", "bar</title>", "Bar</title>", BYTES),
    page("page, text: of a text area", "<textarea>t ", "<textarea>T ", BYTES),
    page("page, text: moved behind an element", ">One <b>two</b>", "><b>two</b>One ", BYTES),
    page("page, text: dropped within an element", "<b>two</b>", "<b></b>", BYTES),
    page("page, text: NUL added", "  three", "  \0three", BYTES),
    page("page, text: of a section of foreign elements", "[c d]", "[c e]", BYTES),
    page("page, comment: a word", "saved by hand", "saved by hands", BYTES),
    page("page, comment: dropped", "<!-- saved by hand -->", "", BYTES),
    page("page, comment: before the doctype", "<!DOCTYPE", "<!-- made --><!DOCTYPE", BYTES),
    page("page, comment: made a bogus one", "<!-- saved by hand -->", "<! saved by hand >", BYTES),
    page("page, comment: of a style made absolute", "url(c.png)", "url(http://h/d/c.png)", BYTES),
    page("page, script: a string made absolute", "'a/b.html'", "'http://h/d/a/b.html'", BYTES),
    page("page, script: a tag in a comment", "href=\"s\"", "href=\"http://h/d/s\"", BYTES),
    page("page, script: a semicolon", "b.html';", "b.html'", BYTES),
    page("page, attribute order: around a link", "ALT=\"pic\" srcset=", "srcset=\"\" ALT=\"pic\" srcset=", BYTES),
    page("page, attribute order: of body", "class=\"x y\" id=top", "id=top class=\"x y\"", BYTES),
    page("page, attribute order: classes", "\"x y\"", "\"y x\"", BYTES),
    page("page, case: an element with a link", "<IMG", "<img", &["bytes"]),
    page("page, case: an attribute of a link", "SRC='", "src='", &["bytes"]),
    page("page, case: a value", "lang=en", "lang=EN", BYTES),
    page("page, case: an escape", "other.example/%7Ea", "other.example/%7ea", &["kept"]),
    page("page, case: a scheme kept", "mailto:", "MAILTO:", &["kept"]),
    page("page, entity: written out", "&eacute;", "é", &["bytes"]),
    page("page, entity: in decimal", "&amp; bar", "&#38; bar", &["bytes"]),
    page("page, entity: without its semicolon", "x=1&amp;y", "x=1&ampy", &["bytes", "target"]),
    page("page, entity: of a quote", "<a href=&quot;http", "<a href=&#34;http", &["bytes", "target"]),
    page("page, white space: in the text", "</b>  three", "</b> three", BYTES),
    page("page, white space: a tab", "indented\t", "indented ", BYTES),
    page("page, white space: behind pre", "<pre>\n", "<pre>", &["bytes"]),
    page("page, white space: in a value", "'A  B'", "'A B'", BYTES),
    page("page, white space: before the end of a tag", "href=d2 >", "href=d2>", &["bytes"]),
    page("page, white space: around an equals sign", "href = http", "href= http", &["bytes"]),
    page("page, white space: behind a candidate", "j.png 1x, ", "j.png 1x,", &["bytes", "target", "links"]),
    page("page, target: a query dropped", "?x=1&amp;y=2#f", "#f", TARGET),
    page("page, target: a fragment dropped", "y=2#f", "y=2", TARGET),
    page("page, target: another host", "http://h/d/i.png", "http://g/d/i.png", TARGET),
    page("page, target: another scheme", "http://h/d/bg.png", "https://h/d/bg.png", TARGET),
    page("page, target: a candidate of a set", "http://h/d/k.png", "http://h/k.png", TARGET),
    page("page, target: of a nested document", "http://h/d/sd", "http://h/sd", TARGET),
    page("page, target: dot segments resolved by hand", "http://h/up", "http://h/d/up", TARGET),
    page("page, target: with a trailing slash", "\"http://h/d/a%20b.html?", "\"http://h/d/a%20b.html/?", TARGET),
    page("page, escape: undone", "a%20b.html", "a b.html", TARGET),
    page("page, escape: twice", "a%20b.html", "a%2520b.html", TARGET),
    page("page, link: left in a set", "http://h/d/j.png", "j.png", RELATIVE),
    page("page, link: left in a template", "href=http://h/d/in>", "href=in>", RELATIVE),
    page("page, link: left in a nested document", "http://h/d/sd", "sd", RELATIVE),
    page("page, link: left in foreign elements", "=http://h/d/v>", "=v>", RELATIVE),
    page("page, link: of the document made absolute", "href=#top", "href=http://h/d/page.html#top", LEFT),
    page("page, link: in a text area", "<a href=no>", "<a href=http://h/d/no>", BYTES),
    page("page, link: the second of one name", "href=d2 ", "href=http://h/d/d2 ", BYTES),
    page("page, link: made another attribute", "SRC='http", "data='http", &["bytes", "links", "relative"]),
    page("page, missing: an element with a link", "<a href = http://h/d/sp>s</a>", "", &["links", "bytes", "relative"]),
    page("page, missing: a candidate of a set", ", http://h/d/k.png 2x", "", &["links", "bytes", "relative"]),
    page("page, missing: the end", "</body></html>\n", "", BYTES),
    page("page, added: an element with a link", "end<br/>", "end<a href=http://h/d/z>z</a><br/>", BYTES_LINKS),
    page("page, added: a BASE", "<title>", "<base href=http://h/d/><title>", BYTES_LINKS),
    page("page, added: a candidate of a set", "k.png 2x", "k.png 2x, http://h/d/l.png 3x", BYTES_LINKS),
    page("page, added: a byte order mark", "<!DOCTYPE", "\u{feff}<!DOCTYPE", &["bytes", "encoding"]),
    based("page with a BASE, target: at the URL of the page", "http://g/e/x", "http://h/d/x", TARGET),
    based("page with a BASE, target: at the second BASE", "http://g/e/x", "http://no/x", TARGET),
    based("page with a BASE, link: the empty reference", "href=\"\"", "href=\"http://g/e/\"", LEFT),
    based("page with a BASE, target: another scheme", "http://i/y", "https://i/y", TARGET),
    based("page with a BASE, link: a query left", "http://g/e/?q", "?q", RELATIVE),
    based("page with a BASE, link: a path left", "http://g/f", "/f", RELATIVE),
    based("page with a BASE, missing: the second BASE", "<base href=http://no/>", "", BYTES_LINKS),
    based("page with a BASE, attribute order: of the BASE", "<base target=_top>", "<base>", BYTES),
    based("page with a BASE, case: of the BASE", "' id=b>", "' ID=b>", &["bytes"]),
    ascii("page in ASCII, case: a host", "http://h/d/y", "http://H/d/y", TARGET),
    ascii("page in ASCII, case: a scheme", "http://h/d/y", "HTTP://h/d/y", TARGET),
    ascii("page in ASCII, escape: written out", "caf%C3%A9?", "caf\u{e9}?", TARGET),
    ascii("page in ASCII, target: a port", "http://h/d/y", "http://h:80/d/y", TARGET),
];

const BYTES_LINKS: Rules = &["bytes", "links"];
