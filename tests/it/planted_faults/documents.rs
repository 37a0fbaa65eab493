//! Style sheets, XML and plain text.

use super::fault::{Fault, Files, Flags, Original, Rules};

const FLAGS: Flags = &["--url", "http://h/d/document"];
const TARGET: Rules = &["target"];
const RELATIVE: Rules = &["relative"];
const BYTES: Rules = &["bytes"];

const CSS: Original = Original {
    files: Files::Text(
        "style.css",
        "@charset \"utf-8\";\n@import \"a.css\" screen;\n@import url(b.css);\n/* url(c.png) */\n\
         p { background: url(\"d.png\"), url( 'e.png' ) , url(f.png) }\nq { content: \"url(g.png)\"; fill: url(#h) }\n\
         i { background: url(j\\29.png) }\n@namespace \"k\";\n",
    ),
    flags: FLAGS,
};

const SVG: Original = Original {
    files: Files::Text(
        "picture.svg",
        "<?xml version='1.0' encoding=\"utf-8\"?>\n<?xml-stylesheet href=\"s.css\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n\
         <a xlink:href=\"x\"><text>a &#38; b</text></a>\n<use href=\"#id\"/>\n<image href='y.png' />\n\
         <style><![CDATA[rect { fill: url(z.svg#p) }]]></style></svg>\n",
    ),
    flags: FLAGS,
};

const RSS: Original = Original {
    files: Files::Text(
        "feed.rss",
        "<rss version=\"2.0\"><channel><link>index.html</link><title>T</title><item><guid>no-link</guid>\
         <guid isPermaLink=\"true\">one</guid><enclosure url=\"sound.ogg\" length=\"1\"/>\
         <description>&lt;p>see &lt;a href=\"inner\">this&lt;/a></description></item></channel></rss>\n",
    ),
    flags: FLAGS,
};

const ATOM: Original = Original {
    files: Files::Text(
        "feed.atom",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>i</id><link href=\"x\"/>\
         <content type=\"html\"><![CDATA[<img src=\"pic.png\">]]></content>\
         <summary type=\"text\">&lt;a href=\"no\"></summary></feed>\n",
    ),
    flags: FLAGS,
};

const TEXT: Original = Original {
    files: Files::Text("notes.txt", "See <URL:one/two> and <three>,\nor <URL:http://other.example/>.\n"),
    flags: FLAGS,
};

const fn css(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, CSS, from, to, rules)
}

const fn svg(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, SVG, from, to, rules)
}

const fn rss(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, RSS, from, to, rules)
}

const fn atom(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, ATOM, from, to, rules)
}

const fn text(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, TEXT, from, to, rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    css("CSS: a wrong target", "http://h/d/d.png", "http://h/d.png", TARGET),
    css("CSS: an import left relative", "\"http://h/d/a.css\"", "\"a.css\"", RELATIVE),
    css("CSS: an import by url() left relative", "url(http://h/d/b.css)", "url(b.css)", RELATIVE),
    css("CSS: an import to the wrong target", "http://h/d/b.css", "http://h/b.css", TARGET),
    css("CSS: quotes", "'http://h/d/e.png'", "\"http://h/d/e.png\"", BYTES),
    css("CSS: quotes put around", "(http://h/d/f.png)", "(\"http://h/d/f.png\")", BYTES),
    css("CSS: white space within url()", "url( 'http", "url('http", BYTES),
    css("CSS: a reference in a comment", "url(c.png)", "url(http://h/d/c.png)", BYTES),
    css("CSS: a reference in a string", "url(g.png)", "url(http://h/d/g.png)", BYTES),
    css("CSS: an id", "url(#h)", "url(http://h/d/document#h)", &["kept", "bytes", "links"]),
    css("CSS: an escape written out", "j\\29.png", "j).png", &["target", "bytes", "links"]),
    css("CSS: an escape in another spelling", "j\\29.png", "j\\).png", &["bytes", "target"]),
    css("CSS: a namespace", "@namespace \"k\"", "@namespace \"http://h/d/k\"", BYTES),
    css("CSS: a media query", "screen;", "print;", BYTES),
    svg("XML: a wrong target", "http://h/d/x\"", "http://h/x\"", TARGET),
    svg("XML: a link left relative", "'http://h/d/y.png'", "'y.png'", RELATIVE),
    svg("XML: an instruction left relative", "\"http://h/d/s.css\"", "\"s.css\"", RELATIVE),
    svg("XML: an id made absolute", "\"#id\"", "\"http://h/d/document#id\"", &["kept", "bytes", "links"]),
    svg("XML: the declaration changed", "encoding=\"utf-8\"", "encoding=\"UTF-8\"", &["bytes", "encoding"]),
    svg("XML: quotes of the declaration", "version='1.0'", "version=\"1.0\"", BYTES),
    svg("XML: white space before the end of a tag", " />", "/>", BYTES),
    svg("XML: an empty element with an end tag", "<use href=\"#id\"/>", "<use href=\"#id\"></use>", BYTES),
    svg("XML: a character reference", "a &#38; b", "a &amp; b", BYTES),
    svg("XML: a section taken out", "<![CDATA[rect", "rect", &["bytes"]),
    svg("XML: a link of a style sheet", "http://h/d/z.svg#p", "http://h/z.svg#p", TARGET),
    svg("XML: a namespace", "http://www.w3.org/2000/svg", "https://www.w3.org/2000/svg", &["bytes"]),
    rss("RSS: the link of the channel", "<link>http://h/d/", "<link>http://h/", TARGET),
    rss("RSS: a link of escaped HTML to the wrong target", "http://h/d/inner", "http://h/inner", TARGET),
    rss("RSS: a link of escaped HTML left relative", "http://h/d/inner", "inner", RELATIVE),
    rss("RSS: escaped HTML escaped otherwise", "&lt;p>see", "&lt;p&gt;see", BYTES),
    rss("RSS: escaped HTML in a section", "&lt;p>see", "<![CDATA[<p>]]>see", BYTES),
    rss("RSS: an enclosure left relative", "\"http://h/d/sound.ogg\"", "\"sound.ogg\"", RELATIVE),
    rss("RSS: a name made absolute", ">no-link<", ">http://h/d/no-link<", &["bytes", "kept", "links"]),
    rss("RSS: another attribute", "length=\"1\"", "length=\"2\"", &["bytes"]),
    atom("Atom: a link of HTML in a section", "http://h/d/pic.png", "http://h/pic.png", TARGET),
    atom("Atom: an id made absolute", "<id>i<", "<id>http://h/d/i<", &["bytes", "kept", "links"]),
    atom("Atom: text read as HTML", "href=\"no\"", "href=\"http://h/d/no\"", &["bytes", "kept", "links"]),
    text("text: a wrong target", "<URL:http://h/d/one/two>", "<URL:http://h/one/two>", TARGET),
    text("text: a link left relative", "<URL:http://h/d/one/two>", "<URL:one/two>", RELATIVE),
    text("text: what is no link", "<three>", "<http://h/d/three>", BYTES),
    text("text: an absolute link", "<URL:http://other.example/>", "<URL:http://another.example/>", &["kept"]),
    text("text: one byte", "See <", "see <", BYTES).at(&[("byte", "0")]),
];
