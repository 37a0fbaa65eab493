//! Every wrong choice of a base.

use super::fault::{Fault, Files, Flags, Original, Rules};

const FLAGS: Flags = &["--url", "http://h/d/page.html"];
const TARGET: Rules = &["target"];

const fn html(text: &'static str) -> Original {
    Original { files: Files::Text("page.html", text), flags: FLAGS }
}

const fn mail(text: &'static str, flags: Flags) -> Original {
    Original { files: Files::Text("message.eml", text), flags }
}

const fn atom(text: &'static str) -> Original {
    Original { files: Files::Text("feed.atom", text), flags: FLAGS }
}

const TWO: Original = html("<base href=\"http://one.example/\"><base href=\"http://two.example/\"><a href=x>");
const IN_COMMENT: Original = html("<!-- <base href=\"http://c.example/\"> --><a href=x>");
const IN_TEMPLATE: Original = html("<template><base href=\"http://t.example/\"></template><a href=x>");
const IN_SVG: Original = html("<svg><base href=\"http://s.example/\"/></svg><a href=x>");
const IN_CONDITIONAL: Original = html("<!--[if IE]><base href=\"http://c.example/\"><![endif]--><a href=x>");
const MISNESTED: Original = html(
    "<table><tr><td><base href=\"http://one.example/\"></td></tr><base href=\"http://two.example/\"></table><a href=x>",
);
const RELATIVE: Original = html("<base href=\"e/\"><a href=x>");
const UNUSABLE: Original = html("<base href=\"data:,x\"><base href=\"http://two.example/\"><a href=x>");
const OPAQUE: Original =
    html("<base href=\"mailto:a@b.example\"><a href=x><object codebase=\"http://cb.example/c/\" archive=y></object>");
const CODEBASE: Original = html("<object codebase=\"http://cb.example/c/\" archive=x></object><p>");
const RELATIVE_CODEBASE: Original =
    html("<base href=\"http://b.example/b/\"><object codebase=\"c/\" archive=x></object>");
const SRCDOC: Original = html("<base href=\"http://b.example/b/\"><iframe srcdoc=\"<a href='x'>\"></iframe>");
const SRCDOC_WITH_BASE: Original =
    html("<base href=\"http://b.example/b/\"><iframe srcdoc=\"<base href='http://i.example/'><a href='x'>\"></iframe>");
const XML_BASE: Original =
    atom("<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"http://x.example/b/\"><link href=\"x\"/></feed>");
const NESTED_XML_BASE: Original = atom(
    "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"http://x.example/b/\"><entry xml:base=\"e/\"><link href=\"x\"/>\
     </entry></feed>",
);
const RSS: &str =
    "<rss><item><description>&lt;img src=\"x\"> &lt;a href=\"#n\"></description><link>/p/</link></item></rss>";
const ITEM: Original = Original {
    files: Files::Text("feed.rss", RSS),
    flags: &["--url", "http://h/d/feed.rss", "--feed-base", "item", "--same-document", "absolute"],
};
const ITEM_AT_FEED: Original = Original {
    files: Files::Text("feed.rss", RSS),
    flags: &["--url", "http://h/d/feed.rss", "--same-document", "absolute"],
};
const HEADER_AND_BASE: Original = mail(
    "Content-Base: http://header.example/\nContent-Type: text/html\n\n<base href=\"http://b.example/\"><a href=x>\n",
    &[],
);
const OUTER_AND_BASE: Original = mail(
    "Content-Base: http://outer.example/\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n\
     <base href=\"http://b.example/\"><a href=x>\n--b--\n",
    &[],
);
const OUTER_AND_INNER: Original = mail(
    "Content-Base: http://outer.example/\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\
     Content-Base: http://inner.example/\nContent-Type: multipart/related; boundary=b\n\n--b\n\
     Content-Type: text/html\n\n<a href=x>\n--b--\n--a--\n",
    &[],
);
const MESSAGE_AND_PART: Original = mail(
    "Content-Base: http://outer.example/\nContent-Type: message/rfc822\n\nSubject: in\n\
     Content-Location: http://inner.example/i/\nContent-Type: text/html\n\n<a href=x>\n",
    &[],
);
const BOTH_FIELDS: Original = mail(
    "Content-Location: http://location.example/l\nContent-Base: http://base.example/b/\nContent-Type: text/html\n\n\
     <a href=x>\n",
    &[],
);
const OLD_FIELD: Original = mail(
    "Base: <URL:http://old.example/o/>\nContent-Location: http://location.example/l/\nContent-Type: text/html\n\n\
     <a href=x>\n",
    &[],
);
const CONTRADICTION: Original = mail(
    "Content-Base: http://one.example/\nContent-Base: http://two.example/\nContent-Location: http://location.example/l/\n\
     Content-Type: text/html\n\n<a href=x>\n",
    &[],
);
const LOCATION_AND_RETRIEVAL: Original =
    mail("Content-Location: http://location.example/l/\nContent-Type: text/html\n\n<a href=x>\n", FLAGS);
const RELATIVE_LOCATION: Original = mail(
    "Content-Base: http://outer.example/o/\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
     Content-Location: p/q.html\nContent-Type: text/html\n\n<a href=x>\n--b--\n",
    &[],
);
const FOLDED: Original =
    mail("Content-Base: http://base.example/\n long/er/\nContent-Type: text/html\n\n<a href=x>\n", &[]);
const RFC_2557: Original = mail(
    "Content-Base: http://base.example/b/\nContent-Location: http://location.example/l/\nContent-Type: text/html\n\n\
     <a href=x>\n",
    &["--precedence", "rfc2557"],
);
const BROWSER: Original = mail(
    "Content-Base: http://base.example/b/\nContent-Type: text/html\n\n<a href=x>\n",
    &["--precedence", "browser", "--message-url", "http://h/d/page.html"],
);

const fn wrong(name: &'static str, original: Original, right: &'static str, wrong: &'static str) -> Fault {
    Fault::instead(name, original, right, wrong, TARGET)
}

pub(crate) const FAULTS: &[Fault] = &[
    wrong("the last BASE instead of the first", TWO, "http://one.example/x", "http://two.example/x"),
    wrong("BASE ignored", TWO, "http://one.example/x", "http://h/d/x"),
    wrong("a BASE in a comment used", IN_COMMENT, "http://h/d/x", "http://c.example/x"),
    wrong("a BASE in a template used", IN_TEMPLATE, "http://h/d/x", "http://t.example/x"),
    wrong("a BASE in SVG used", IN_SVG, "http://h/d/x", "http://s.example/x"),
    wrong("a BASE in a conditional comment used", IN_CONDITIONAL, "http://h/d/x", "http://c.example/x"),
    wrong(
        "the first BASE of the bytes instead of that of the tree",
        MISNESTED,
        "http://two.example/x",
        "http://one.example/x",
    ),
    wrong("a relative BASE used twice", RELATIVE, "http://h/d/e/x", "http://h/d/e/e/x"),
    wrong("a relative BASE resolved at the root", RELATIVE, "http://h/d/e/x", "http://h/e/x"),
    wrong("a relative BASE ignored", RELATIVE, "http://h/d/e/x", "http://h/d/x"),
    wrong("a relative BASE itself made wrong", RELATIVE, "\"http://h/d/e/\"", "\"http://h/e/\""),
    Fault::instead("a relative BASE left relative", RELATIVE, "\"http://h/d/e/\"", "\"e/\"", &["relative"]),
    wrong("the second BASE, because the first is unusable", UNUSABLE, "http://h/d/x", "http://two.example/x"),
    Fault::instead(
        "an opaque BASE ignored",
        OPAQUE,
        "<a href=x>",
        "<a href=http://h/d/x>",
        &["kept", "target", "links"],
    ),
    wrong("codebase ignored", CODEBASE, "http://cb.example/c/x", "http://h/d/x"),
    wrong("a relative codebase resolved without BASE", RELATIVE_CODEBASE, "http://b.example/b/c/x", "http://h/d/c/x"),
    wrong("the last folder of a codebase dropped", OPAQUE, "http://cb.example/c/y", "http://cb.example/y"),
    wrong("a srcdoc without the BASE around it", SRCDOC, "http://b.example/b/x", "http://h/d/x"),
    wrong("a srcdoc without its own BASE", SRCDOC_WITH_BASE, "http://i.example/x", "http://b.example/b/x"),
    wrong("xml:base ignored", XML_BASE, "http://x.example/b/x", "http://h/d/x"),
    wrong("the inner of two xml:base ignored", NESTED_XML_BASE, "http://x.example/b/e/x", "http://x.example/b/x"),
    wrong("the outer of two xml:base ignored", NESTED_XML_BASE, "http://x.example/b/e/x", "http://h/d/e/x"),
    wrong("the URL of the feed instead of the link of the item", ITEM, "http://h/p/x", "http://h/d/x"),
    wrong("the link of the item instead of the URL of the feed", ITEM_AT_FEED, "http://h/d/x", "http://h/p/x"),
    wrong("a fragment of the page of an item in the feed", ITEM_AT_FEED, "http://h/p/#n", "http://h/d/feed.rss#n"),
    wrong("the header of the part instead of BASE", HEADER_AND_BASE, "http://b.example/x", "http://header.example/x"),
    wrong("the outer header instead of BASE", OUTER_AND_BASE, "http://b.example/x", "http://outer.example/x")
        .at(&[("part", "1")]),
    wrong(
        "the outer instead of the inner heading",
        OUTER_AND_INNER,
        "http://inner.example/x",
        "http://outer.example/x",
    )
    .at(&[("part", "1.1")]),
    wrong(
        "the heading around a message instead of its own",
        MESSAGE_AND_PART,
        "http://inner.example/i/x",
        "http://outer.example/x",
    ),
    wrong("Content-Location over Content-Base", BOTH_FIELDS, "http://base.example/b/x", "http://location.example/x"),
    wrong("Base over Content-Location", OLD_FIELD, "http://location.example/l/x", "http://old.example/o/x"),
    wrong("a field that contradicts itself used", CONTRADICTION, "http://location.example/l/x", "http://one.example/x"),
    wrong(
        "the retrieval URL over Content-Location",
        LOCATION_AND_RETRIEVAL,
        "http://location.example/l/x",
        "http://h/d/x",
    ),
    wrong(
        "a relative Content-Location ignored",
        RELATIVE_LOCATION,
        "http://outer.example/o/p/x",
        "http://outer.example/o/x",
    ),
    wrong("a folded header read up to its fold", FOLDED, "http://base.example/long/er/x", "http://base.example/x"),
    wrong("Content-Base in the order of RFC 2557", RFC_2557, "http://location.example/l/x", "http://base.example/b/x"),
    wrong("Content-Base in the order of browsers", BROWSER, "http://h/d/x", "http://base.example/b/x"),
];
