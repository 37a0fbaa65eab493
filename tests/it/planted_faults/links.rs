//! HTML: links that lead elsewhere, stay or should have stayed.

use super::fault::{Fault, Files, Flags, Mutation, Original, Rules};

const FLAGS: Flags = &["--url", "http://h/d/page.html"];
const TARGET: Rules = &["target"];
const RELATIVE: Rules = &["relative"];
const KEPT: Rules = &["kept"];
/// Such a link leads to the same by the map.
const BY_MAP: Rules = &["target", "links"];

const fn html(text: &'static str) -> Original {
    Original { files: Files::Text("page.html", text), flags: FLAGS }
}

const PAGE: Original = html(
    "<p>Text.\n\
     <a href=\"x/y%20z/w%2Fv?q=1#s\">one</a>\n\
     <a href=\"../two/\">two</a>\n\
     <a href=\"?three\">three</a>\n\
     <a href=\"//c.example/four\">four</a>\n\
     <a href=\"five\" href=\"six\">five</a>\n\
     <a href=\"p\" ping=\"seven eight\">seven</a>\n\
     <a href=\"#top\">top</a>\n\
     <a href=\"\">here</a>\n\
     <a href=\"http://Other.example/a/../b\">other</a>\n\
     <a href=\"mailto:a@b.example\">mail</a>\n\
     <a href=\"javascript:go('x')\">script</a>\n\
     <a href=\"data:,x\">data</a>\n\
     <a href=\"{{unsubscribe}}\">out</a>\n\
     <img src=\"cid:picture@b.example\" usemap=\"#m\">\n",
);

const IMAGES: Original = html("<img src=a srcset=\"b 1x, c 2x,d 3x\"><a href=e>");
const STYLES: Original = html(
    "<style>@import 'a.css'; p { background: url(\"b.png\") } i { background: url(c.png); fill: url(#g) }</style>\n\
     <p style=\"background: url('d.png')\">\n",
);
const REFRESH: Original = html("<meta http-equiv=refresh content=\"5; url=next.html\"><a href=x>");
const INNER: Original = html("<iframe srcdoc=\"<p>in</p><a href='x'>\"></iframe><a href=y>");
const CONDITIONAL: Original = html("<!--[if IE]><link rel=stylesheet href=\"ie.css\"><![endif]--><a href=y>");
const HELD: Original = html(
    "<template><a href=\"t\"></template><noscript><img src=\"n\"></noscript><svg><image xlink:href=\"v\"/></svg>\
     <a href=y>",
);
const ABSOLUTE: Original =
    Original { files: PAGE.files, flags: &["--url", "http://h/d/page.html", "--same-document", "absolute"] };
const KEEPING: Original = Original {
    files: Files::Text("page.html", "<a href=\"[[x]]\"><a href=y>"),
    flags: &[FLAGS[0], FLAGS[1], "--keep", "^\\[\\["],
};

const URLS: &str =
    "<a href=http://old.example/docs/x?q><a href=http://old.example/docsy><a href=z><a href=/w><img src=i.png>";
const MAPPED: Original = Original {
    files: Files::Text("page.html", URLS),
    flags: &[
        FLAGS[0],
        "http://old.example/docs/p",
        "--map",
        "http://old.example/docs=https://new.example/d",
        "--map",
        "http://old.example/docs/x=http://x.example/",
    ],
};
const MAPPED_ONLY: Original = Original {
    files: Files::Text("page.html", "<base href=e/><a href=http://old.example/docs/x><a href=y>"),
    flags: &[FLAGS[0], FLAGS[1], "--map", "http://old.example/=http://new.example/"],
};
const MAP_ONLY: Flags = &[FLAGS[0], FLAGS[1], "--map", "http://old.example/=http://new.example/", "--map-only"];
const ROOTED: Original = Original {
    files: Files::Text("page.html", URLS),
    flags: &[FLAGS[0], FLAGS[1], "--root", "http://r.example/app", "--images-url", "http://i.example/raw"],
};

const fn mapped(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, MAPPED, from, to, rules)
}

const fn rooted(name: &'static str, from: &'static str, to: &'static str) -> Fault {
    Fault::instead(name, ROOTED, from, to, TARGET)
}

const fn page(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, PAGE, from, to, rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    mapped("map: a wrong target", "http://x.example/?q", "http://x.example/y?q", TARGET),
    mapped("map: a wrong query", "http://x.example/?q", "http://x.example/?p", TARGET),
    mapped("map: the pair of a shorter URL", "http://x.example/?q", "https://new.example/d/x?q", TARGET),
    mapped("map: a pair that ends within a segment", "http://old.example/docsy", "https://new.example/dy", KEPT),
    mapped("map: an absolute link that no pair covers", "http://old.example/docsy", "http://c.example/", KEPT),
    mapped("map: a link that stayed", "http://x.example/?q", "http://old.example/docs/x?q", RELATIVE),
    mapped("map: a relative link as it was before", "https://new.example/d/z", "http://old.example/docs/z", BY_MAP),
    mapped("map: a relative link that stayed", "https://new.example/d/z", "z", RELATIVE),
    mapped("map: the spelling of the second URL", "https://new.example/d/z", "https://NEW.example/d/z", BY_MAP),
    Fault::new("map: an absolute link changed without a map", MAPPED_ONLY, Mutation::Options(FLAGS), KEPT),
    Fault::new("map: relative links that should have stayed", MAPPED_ONLY, Mutation::Options(MAP_ONLY), KEPT),
    rooted("root: a link at the root of its server", "http://r.example/app/w", "http://h/w"),
    rooted("root: a link beside it", "http://r.example/app/w", "http://r.example/w"),
    rooted("root: a link that does not begin with a slash", "http://h/d/z", "http://r.example/app/z"),
    rooted("images: an image at the retrieval URL", "http://i.example/raw/i.png", "http://h/d/i.png"),
    rooted("images: an image beside them", "http://i.example/raw/i.png", "http://i.example/i.png"),
    rooted("images: a link", "http://h/d/z", "http://i.example/raw/z"),
    page("a link to the wrong target", "http://h/two/", "http://h/three/", TARGET),
    page("the host is wrong", "//c.example/four", "//d.example/four", TARGET),
    page("the scheme is wrong", "http://h/two/", "https://h/two/", TARGET),
    page("a port is added", "http://h/two/", "http://h:8080/two/", TARGET),
    page("a user is added", "http://h/two/", "http://u@h/two/", TARGET),
    page("one segment of the path is wrong", "http://h/d/x/y", "http://h/e/x/y", TARGET),
    page("one segment of the path is lost", "http://h/d/x/y", "http://h/x/y", TARGET),
    page("a segment too many is removed", "http://h/d/five", "http://h/five", TARGET),
    page("the last slash is lost", "http://h/two/", "http://h/two", TARGET),
    page("the query is lost", "?q=1#s", "#s", TARGET),
    page("the query is another", "?q=1#s", "?q=2#s", TARGET),
    page("the fragment is lost", "?q=1#s", "?q=1", TARGET),
    page("the page is lost before a query", "http://h/d/page.html?three", "http://h/d/?three", TARGET),
    page("an escaped space decoded", "y%20z", "y z", &["target", "bytes"]),
    page("an escaped slash decoded", "w%2Fv", "w/v", TARGET),
    page("an escape in lower case", "w%2Fv", "w%2fv", &["target", "bytes"]),
    page("a percent sign escaped twice", "y%20z", "y%2520z", TARGET),
    page("dots left in the path", "http://h/two/", "http://h/d/../two/", &["target", "bytes"]),
    page("a link left relative", "\"http://h/d/five\"", "\"five\"", RELATIVE),
    page("a link left without a scheme", "\"http://c.example/four\"", "\"//c.example/four\"", RELATIVE),
    page("a link left relative in a list", "http://h/d/eight", "eight", RELATIVE),
    page("a link of a list to the wrong target", "http://h/d/eight", "http://h/eight", TARGET),
    page(
        "two links exchanged in a list",
        "http://h/d/seven http://h/d/eight",
        "http://h/d/eight http://h/d/seven",
        TARGET,
    ),
    page(
        "the second attribute of one name made absolute",
        "href=\"six\"",
        "href=\"http://h/d/six\"",
        &["bytes", "kept"],
    ),
    page("a fragment made absolute", "\"#top\"", "\"http://h/d/page.html#top\"", KEPT),
    page("an empty reference made absolute", "href=\"\">here", "href=\"http://h/d/page.html\">here", KEPT),
    page("the name of a map made absolute", "\"#m\"", "\"http://h/d/page.html#m\"", &["kept", "bytes"]),
    page("an absolute link changed", "http://Other.example/a/../b", "http://Other.example/b", KEPT),
    page("the host of an absolute link in lower case", "http://Other.example", "http://other.example", KEPT),
    page("a mail address changed", "mailto:a@b.example", "mailto:c@b.example", &["kept", "bytes"]),
    page("a script changed", "go('x')", "go('http://h/d/x')", &["kept", "bytes"]),
    page("data changed", "data:,x", "data:,y", &["kept", "bytes"]),
    page("a content id changed", "cid:picture@", "cid:image@", &["kept", "bytes"]),
    page("a placeholder made absolute", "{{unsubscribe}}", "http://h/d/{{unsubscribe}}", &["kept", "bytes"]),
    page("a link put in", "<p>Text.", "<p>Text.<a href=\"http://h/\"></a>", &["links", "bytes"]),
    page("a link taken out", "<a href=\"http://h/two/\">two</a>", "two", &["links", "bytes"]),
    page(
        "a link that is none any more",
        "<a href=\"http://h/two/\"",
        "<a data-href=\"http://h/two/\"",
        &["links", "bytes"],
    ),
    page("a link with no value any more", "href=\"http://h/two/\"", "href=\"\"", &["target", "relative", "links"]),
    Fault::new("two links exchanged", PAGE, Mutation::Bytes(exchanged), TARGET),
    Fault::instead(
        "a fragment left, though it was to be absolute",
        ABSOLUTE,
        "\"http://h/d/page.html#top\"",
        "\"#top\"",
        RELATIVE,
    ),
    Fault::instead("a reference changed that matches what is kept", KEEPING, "\"[[x]]\"", "\"http://h/d/[[x]]\"", KEPT),
    Fault::instead("the second candidate of a srcset is wrong", IMAGES, "http://h/d/c 2x", "http://h/c 2x", TARGET),
    Fault::instead("the last candidate of a srcset is left", IMAGES, "http://h/d/d 3x", "d 3x", RELATIVE),
    Fault::instead("a descriptor of a srcset", IMAGES, "c 2x", "c 4x", &["bytes"]),
    Fault::instead("a candidate of a srcset taken out", IMAGES, "http://h/d/c 2x,", "", &["links", "bytes"]),
    Fault::instead("white space of a srcset", IMAGES, "1x, http", "1x,  http", &["bytes"]),
    Fault::instead("quotes of a URL in CSS", STYLES, "url(\"http://h/d/b.png\")", "url(http://h/d/b.png)", &["bytes"]),
    Fault::instead("CSS to the wrong target", STYLES, "http://h/d/c.png", "http://h/c.png", TARGET),
    Fault::instead("CSS in an attribute to the wrong target", STYLES, "http://h/d/d.png", "http://h/d.png", TARGET),
    Fault::instead("CSS in an attribute left relative", STYLES, "http://h/d/d.png", "d.png", RELATIVE),
    Fault::instead("an import left relative", STYLES, "'http://h/d/a.css'", "'a.css'", RELATIVE),
    Fault::instead("an import by url()", STYLES, "'http://h/d/a.css'", "url(http://h/d/a.css)", &["bytes", "links"]),
    Fault::instead(
        "an id in CSS made absolute",
        STYLES,
        "url(#g)",
        "url(http://h/d/page.html#g)",
        &["kept", "bytes", "links"],
    ),
    Fault::instead("the time of a refresh", REFRESH, "\"5; url", "\"0; url", &["bytes"]),
    Fault::instead("a refresh to the wrong target", REFRESH, "http://h/d/next.html", "http://h/next.html", TARGET),
    Fault::instead("a refresh left relative", REFRESH, "http://h/d/next.html", "next.html", RELATIVE),
    Fault::instead("a link of a srcdoc to the wrong target", INNER, "'http://h/d/x'", "'http://h/x'", TARGET),
    Fault::instead("a link of a srcdoc left relative", INNER, "'http://h/d/x'", "'x'", RELATIVE),
    Fault::instead("text of a srcdoc", INNER, "<p>in</p>", "<p>on</p>", &["bytes"]),
    Fault::instead("a srcdoc escaped", INNER, "<p>in</p>", "&lt;p>in&lt;/p>", &["bytes"]),
    Fault::instead(
        "a link of a conditional comment to the wrong target",
        CONDITIONAL,
        "http://h/d/ie.css",
        "http://h/ie.css",
        TARGET,
    ),
    Fault::instead(
        "a link of a conditional comment left relative",
        CONDITIONAL,
        "http://h/d/ie.css",
        "ie.css",
        RELATIVE,
    ),
    Fault::instead("the condition of a comment", CONDITIONAL, "[if IE]", "[if IE 6]", &["bytes"]),
    Fault::instead("a link of a template left relative", HELD, "\"http://h/d/t\"", "\"t\"", RELATIVE),
    Fault::instead("a link of a noscript left relative", HELD, "\"http://h/d/n\"", "\"n\"", RELATIVE),
    Fault::instead("a link of an image in SVG to the wrong target", HELD, "http://h/d/v", "http://h/v", TARGET),
];

fn exchanged(honest: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(honest);
    let (one, other) = ("\"http://h/two/\"", "\"http://h/d/page.html?three\"");
    text.replace(one, "\"\u{0}\"").replace(other, one).replace("\"\u{0}\"", other).into_bytes()
}
