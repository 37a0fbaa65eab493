//! XML, style sheets, feeds and plain text.

use crate::planted_faults::fault::{Fault, Files, Flags, Mutation, Original, Rules};

const FLAGS: Flags = &["--url", "http://h/d/document"];

const XHTML: Original = Original {
    files: Files::Text(
        "page.xhtml",
        "<?xml version=\"1.0\"?>\n<!-- first -->\n<!DOCTYPE html [<!ENTITY e \"text\">]>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:s=\"http://www.w3.org/2000/svg\">\n\
         <head><title>&lt;T&gt; &e;</title><script>var a = 'b/c';</script></head>\n<body>\n\
         <p xml:base=\"sub/\" class='k'><a id=\"i\" href='x'>in</a>  out</p>\n<a href=\"y?a=1&amp;b=2\" />\n\
         <s:image s:y='1' href='no'/><img src=\"a%2Fb\" alt=\"\" />\n<![CDATA[ <a href=\"c\"> ]]>\n<?pi some data?>\n\
         </body>\n</html>\n<!-- last -->\n",
    ),
    flags: FLAGS,
};

const CSS: Original = Original {
    files: Files::Text(
        "style.css",
        "@charset \"utf-8\";\n@import 'a.css' print;\n/* first url(no) */\np, Q { color: red; background: URL( \"b.png\" ) }\n\
         a::before { content: \"\\201C c\"; }\n@media screen { i { src: url(d\\ e.woff) format('woff'), url(f) } }\n\
         @font-face { font-family: F; src: local(\"G\"), url('g.ttf?#iefix'); }\nb { --v: url(v.png); cursor: url(data:,x) }\n\
         @supports (mask: url(#m)) { u { mask: url(#m) } }\n/* last */\n",
    ),
    flags: FLAGS,
};

const ATOM: Original = Original {
    files: Files::Text(
        "feed.atom",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"http://f/g/\">\n<title>Feed</title><id>tag:x</id>\
         <updated>2020-01-01T00:00:00Z</updated>\n<link rel=\"self\" href=\"feed\"/>\n<entry><title type='html'>A &amp;amp; B</title>\
         <id>e1</id><link href='one'/><content type=\"html\">&lt;p title=\"t\"&gt;&lt;a href=\"in\"&gt;a&lt;/a&gt;&lt;/p&gt;</content>\
         </entry>\n<entry xml:base=\"two/\"><id>e2</id><link href='deep'/><content type=\"xhtml\">\
         <div xmlns=\"http://www.w3.org/1999/xhtml\"><img src=\"pic\"/></div></content></entry>\n</feed>\n",
    ),
    flags: FLAGS,
};

const RSS: Original = Original {
    files: Files::Text(
        "feed.rss",
        "<rss version=\"2.0\"><channel><title>T</title><link>http://f/</link><pubDate>Thu, 01 Jan 1998 00:00:00 GMT</pubDate>\n\
         <item><title>one &amp; two</title><link>item</link><guid isPermaLink=\"false\">g/1</guid>\
         <description><![CDATA[<b>x</b><a href='cd'>c</a>]]></description></item>\n\
         <item><link>\n  other\n</link><enclosure url='s.mp3' type='audio/mpeg' length='5'/></item></channel></rss>\n",
    ),
    flags: FLAGS,
};

const TEXT: Original = Original {
    files: Files::Text("notes.txt", "A note.\n\n  See <URL:one> and <URL:two?x=1>; not <one> nor URL:three.\n"),
    flags: FLAGS,
};

const BYTES: Rules = &["bytes"];
const TREE: Rules = &["bytes"];
const TARGET: Rules = &["target"];
const RELATIVE: Rules = &["relative"];
const LEFT: Rules = &["kept", "bytes", "links"];
const LINKS: Rules = &["links", "bytes", "relative"];

const fn xml(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, XHTML, from, to, rules)
}

const fn css(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, CSS, from, to, rules)
}

const fn atom(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, ATOM, from, to, rules)
}

const fn rss(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, RSS, from, to, rules)
}

const fn text(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, TEXT, from, to, rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    xml("XHTML, text: a word", "  out<", "  but<", TREE),
    xml("XHTML, text: of an entity", "\"text\"", "\"test\"", TREE),
    xml("XHTML, text: of a section", "[ <a href=\"c\"> ]", "[ <a href=\"d\"> ]", TREE),
    xml("XHTML, text: of an instruction", "some data", "more data", TREE),
    xml("XHTML, comment: before the root", "<!-- first -->", "<!-- First -->", TREE),
    xml("XHTML, comment: behind the root dropped", "\n<!-- last -->", "", TREE),
    xml("XHTML, script: a string made absolute", "'b/c'", "'http://h/d/b/c'", TREE),
    xml(
        "XHTML, attribute order: before a link",
        "id=\"i\" href='http://h/d/sub/x'",
        "href='http://h/d/sub/x' id=\"i\"",
        LINKS,
    ),
    xml("XHTML, case: an attribute", " alt=\"\"", " ALT=\"\"", TREE),
    xml("XHTML, case: an escape", "a%2Fb", "a%2fb", &["target", "bytes"]),
    xml("XHTML, entity: of the text", "&lt;T", "&#60;T", BYTES),
    xml("XHTML, entity: replaced by its text", "&e;", "text", TREE),
    xml("XHTML, entity: of a link", "a=1&amp;b", "a=1&#38;b", &["bytes", "target"]),
    xml("XHTML, white space: between attributes", "\" class=", "\"  class=", BYTES),
    xml("XHTML, white space: of the text", "</a>  out", "</a> out", TREE),
    xml("XHTML, white space: behind the root", "</html>\n", "</html>\n\n", BYTES),
    xml("XHTML, target: beside the base of its element", "http://h/d/sub/x", "http://h/d/x", TARGET),
    xml("XHTML, target: a query", "a=1&amp;b=2", "a=1&amp;b=3", TARGET),
    xml("XHTML, link: the base of an element left", "\"http://h/d/sub/\"", "\"sub/\"", RELATIVE),
    xml("XHTML, link: of a section", "href=\"c\"", "href=\"http://h/d/c\"", TREE),
    xml("XHTML, link: an image left", "\"http://h/d/a%2Fb\"", "\"a%2Fb\"", RELATIVE),
    xml("XHTML, missing: a name space", " xmlns:s=\"http://www.w3.org/2000/svg\"", "", TREE),
    xml("XHTML, missing: an element with a link", "<a href=\"http://h/d/y?a=1&amp;b=2\" />\n", "", LINKS),
    xml("XHTML, added: an element with a link", "</body>", "<a href=\"http://h/d/z\"/></body>", LINKS),
    css("style sheet, text: a property", "color: red", "color: RED", BYTES),
    css("style sheet, text: a selector", "p, Q {", "p, q {", BYTES),
    css("style sheet, text: of a string", "\\201C c", "\\201D c", BYTES),
    css("style sheet, comment: the first", "first url(no)", "first url(http://h/d/no)", BYTES),
    css("style sheet, comment: the last dropped", "/* last */\n", "", BYTES),
    css("style sheet, case: of a function", "URL( \"", "url( \"", BYTES),
    css("style sheet, white space: in a function", "URL( \"", "URL(\"", BYTES),
    css("style sheet, white space: between rules", "}\n@font", "} @font", BYTES),
    css("style sheet, escape: of a space", "d\\ e.woff", "d\\20 e.woff", &["bytes", "target"]),
    css("style sheet, escape: of a character of a string", "\\201C c", "“ c", BYTES),
    css("style sheet, target: an import", "http://h/d/a.css", "http://h/a.css", TARGET),
    css("style sheet, target: an escaped reference", "http://h/d/d\\ e", "http://h/d\\ e", TARGET),
    css("style sheet, target: a fragment", "?#iefix", "?", &["target", "bytes"]),
    css("style sheet, link: left in a condition", "url(http://h/d/f)", "url(f)", RELATIVE),
    css("style sheet, link: an id made absolute", "u { mask: url(#m)", "u { mask: url(http://h/d/document#m)", LEFT),
    css("style sheet, link: a data URL", "data:,x", "data:,y", &["kept"]),
    css("style sheet, missing: an import", "@import 'http://h/d/a.css' print;\n", "", LINKS),
    css("style sheet, missing: a source", ", url(http://h/d/f)", "", LINKS),
    css("style sheet, added: an import", "/* first", "@import 'http://h/d/b.css';\n/* first", LINKS),
    css("style sheet, added: a rule", "/* last", "z { }\n/* last", BYTES),
    atom("Atom, text: of a title", ">Feed<", ">feed<", TREE),
    atom("Atom, time: of the update", "2020-01-01T", "2020-01-02T", TREE),
    atom("Atom, entity: escaped once", "&amp;amp;", "&amp;", TREE),
    atom("Atom, entity: of a quote in escaped HTML", "title=\"t\"", "title=&quot;t&quot;", BYTES),
    atom("Atom, target: at the URL of the file", "'http://f/g/one'", "'http://h/d/one'", TARGET),
    atom("Atom, target: beside the base of its entry", "http://f/g/two/deep", "http://f/g/deep", TARGET),
    atom("Atom, target: of escaped HTML", "http://f/g/in", "http://f/in", TARGET),
    atom("Atom, link: of XHTML left", "\"http://f/g/two/pic\"", "\"pic\"", RELATIVE),
    atom("Atom, link: an id", "<id>e1<", "<id>http://f/g/e1<", LEFT),
    atom("Atom, case: a value", "rel=\"self\"", "rel=\"Self\"", TREE),
    atom("Atom, message order: two entries exchanged", "<id>e1</id>", "<id>e2</id>", TREE),
    Fault::new("Atom, missing: an entry", ATOM, Mutation::Bytes(without_entry), LINKS),
    rss("RSS, text: of a title", "one &amp; two", "one &amp; 2", TREE),
    rss("RSS, time: of the channel", "Jan 1998 00:00:00", "Jan 1998 00:00:01", TREE),
    rss("RSS, white space: around a link", ">\n  http://h/d/other\n<", ">http://h/d/other<", TREE),
    rss("RSS, target: at the URL of the feed", "<link>http://h/d/item<", "<link>http://f/item<", TARGET),
    rss("RSS, link: of a section left", "'http://h/d/cd'", "'cd'", RELATIVE),
    rss("RSS, link: a name", ">g/1<", ">http://h/d/g/1<", LEFT),
    rss("RSS, length: of an enclosure", "length='5'", "length='6'", TREE),
    rss("RSS, added: an enclosure", "</item></channel>", "<enclosure url='http://h/d/t'/></item></channel>", LINKS),
    text("plain text, text: a word", "A note", "a note", BYTES),
    text("plain text, white space: an indent", "  See", "\tSee", BYTES),
    text("plain text, target: a query", "two?x=1>", "two?x=2>", TARGET),
    text("plain text, link: what is none", "URL:three", "URL:http://h/d/three", BYTES),
    text("plain text, missing: the last line end", "three.\n", "three.", BYTES),
    text("plain text, added: a link", "A note.", "A note <URL:http://h/d/n>.", LINKS),
];

fn without_entry(honest: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(honest);
    let (start, end) = (text.rfind("<entry").unwrap_or_default(), text.rfind("</feed>").unwrap_or_default());
    [&honest[..start], &honest[end..]].concat()
}
