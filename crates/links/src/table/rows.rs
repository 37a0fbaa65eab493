//! The rows of the table.

use std::borrow::Cow;

use super::{Grammar, Group, ResolvesIn, Row, SameDocument, Syntax, When};

const fn url(element: &'static str, attribute: &'static str, source: &'static str) -> Row {
    Row {
        element: Cow::Borrowed(element),
        attribute: Cow::Borrowed(attribute),
        syntax: Syntax::Any,
        when: When::Always,
        grammar: Grammar::Url,
        resolves_in: ResolvesIn::Document,
        same_document: SameDocument::Asked,
        group: Group::Core,
        source,
    }
}

const fn of(group: Group, mut row: Row) -> Row {
    row.group = group;
    row
}

const fn holding(grammar: Grammar, mut row: Row) -> Row {
    row.grammar = grammar;
    row
}

const fn when(when: When, mut row: Row) -> Row {
    row.when = when;
    row
}

const fn in_codebase(mut row: Row) -> Row {
    row.resolves_in = ResolvesIn::Codebase;
    row
}

const fn outside(mut row: Row) -> Row {
    row.resolves_in = ResolvesIn::Outside;
    row
}

const fn kept_in_document(mut row: Row) -> Row {
    row.same_document = SameDocument::Never;
    row
}

const fn in_xml(mut row: Row) -> Row {
    row.syntax = Syntax::Xml;
    row
}

/// The text of an element of an XML document.
const fn text(grammar: Grammar, element: &'static str, source: &'static str) -> Row {
    in_xml(holding(grammar, url(element, "", source)))
}

const fn around(mut row: Row) -> Row {
    row.resolves_in = ResolvesIn::Around;
    row
}

/// Text constructs of Atom that hold HTML.
const HOLDS_HTML: When = When::Holds(&["type"], &["html", "text/html"]);

const REFRESH: When = When::Holds(&["http-equiv"], &["refresh"]);

/// Metadata that are URLs.
const URL_NAMES: When = When::Holds(
    &["property", "name"],
    &[
        "og:url",
        "og:image",
        "og:image:url",
        "og:image:secure_url",
        "og:video",
        "og:video:url",
        "og:video:secure_url",
        "og:audio",
        "og:audio:url",
        "og:audio:secure_url",
        "og:see_also",
        "twitter:url",
        "twitter:image",
        "twitter:image:src",
        "twitter:player",
        "twitter:player:stream",
        "al:web:url",
        "thumbnail",
        "msapplication-config",
        "msapplication-starturl",
        "msapplication-tileimage",
        "msapplication-square70x70logo",
        "msapplication-square150x150logo",
        "msapplication-wide310x150logo",
        "msapplication-square310x310logo",
    ],
);

/// Metadata with URLs among other pairs.
const PAIR_NAMES: When =
    When::Holds(&["name"], &["msapplication-task", "msapplication-badge", "msapplication-notification"]);

/// All rows, the most frequent elements of an attribute first.
pub(super) static ROWS: [Row; 244] = [
    url("a", "href", "WHATWG HTML"),
    url("area", "href", "WHATWG HTML"),
    url("link", "href", "WHATWG HTML"),
    outside(url("base", "href", "WHATWG HTML")),
    url("img", "src", "WHATWG HTML"),
    url("script", "src", "WHATWG HTML"),
    url("input", "src", "WHATWG HTML"),
    url("iframe", "src", "WHATWG HTML"),
    url("frame", "src", "WHATWG HTML"),
    url("embed", "src", "WHATWG HTML"),
    url("audio", "src", "WHATWG HTML"),
    url("video", "src", "WHATWG HTML"),
    url("source", "src", "WHATWG HTML"),
    url("track", "src", "WHATWG HTML"),
    url("portal", "src", "WICG portals"),
    url("model", "src", "Immersive Web model element"),
    kept_in_document(url("form", "action", "WHATWG HTML")),
    kept_in_document(url("button", "formaction", "WHATWG HTML")),
    kept_in_document(url("input", "formaction", "WHATWG HTML")),
    url("video", "poster", "WHATWG HTML"),
    in_codebase(url("object", "data", "WHATWG HTML")),
    in_codebase(url("object", "classid", "HTML 4.01 13.3")),
    url("object", "codebase", "HTML 4.01 13.3"),
    in_codebase(holding(Grammar::SpaceList, url("object", "archive", "HTML 4.01 13.3"))),
    kept_in_document(url("object", "usemap", "HTML 4.01 13.6.1")),
    kept_in_document(url("img", "usemap", "HTML 4.01 13.6.1")),
    kept_in_document(url("input", "usemap", "HTML 4.01 13.6.1")),
    url("img", "longdesc", "HTML 4.01 13.2, 16.2.2"),
    url("iframe", "longdesc", "HTML 4.01 13.2, 16.2.2"),
    url("frame", "longdesc", "HTML 4.01 13.2, 16.2.2"),
    url("blockquote", "cite", "WHATWG HTML"),
    url("q", "cite", "WHATWG HTML"),
    url("ins", "cite", "WHATWG HTML"),
    url("del", "cite", "WHATWG HTML"),
    url("head", "profile", "HTML 4.01 7.4.4"),
    url("body", "background", "HTML 4.01 7.5.1 and browsers"),
    url("table", "background", "HTML 4.01 7.5.1 and browsers"),
    url("thead", "background", "HTML 4.01 7.5.1 and browsers"),
    url("tbody", "background", "HTML 4.01 7.5.1 and browsers"),
    url("tfoot", "background", "HTML 4.01 7.5.1 and browsers"),
    url("tr", "background", "HTML 4.01 7.5.1 and browsers"),
    url("td", "background", "HTML 4.01 7.5.1 and browsers"),
    url("th", "background", "HTML 4.01 7.5.1 and browsers"),
    url("col", "background", "HTML 4.01 7.5.1 and browsers"),
    url("layer", "background", "HTML 4.01 7.5.1 and browsers"),
    url("*", "itemid", "WHATWG HTML"),
    holding(Grammar::Css, url("*", "style", "WHATWG HTML")),
    holding(Grammar::Srcset, url("img", "srcset", "WHATWG HTML")),
    holding(Grammar::Srcset, url("source", "srcset", "WHATWG HTML")),
    holding(Grammar::Srcset, url("link", "imagesrcset", "WHATWG HTML")),
    holding(Grammar::SpaceList, url("a", "ping", "WHATWG HTML")),
    holding(Grammar::SpaceList, url("area", "ping", "WHATWG HTML")),
    when(REFRESH, holding(Grammar::Refresh, url("meta", "content", "WHATWG HTML"))),
    url("image", "href", "SVG 2 16.1.6"),
    url("image", "xlink:href", "SVG 2 16.1.6"),
    url("use", "href", "SVG 2 16.1.6"),
    url("use", "xlink:href", "SVG 2 16.1.6"),
    url("script", "href", "SVG 2 16.1.6"),
    url("script", "xlink:href", "SVG 2 16.1.6"),
    url("feimage", "href", "SVG 2 16.1.6"),
    url("feimage", "xlink:href", "SVG 2 16.1.6"),
    url("a", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("lineargradient", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("radialgradient", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("pattern", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("mpath", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("textpath", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("animate", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("animatemotion", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("animatetransform", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("set", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("discard", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("cursor", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("filter", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("font-face-uri", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("glyphref", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("altglyph", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("tref", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("color-profile", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    url("lineargradient", "href", "SVG 2 16.1.6"),
    url("radialgradient", "href", "SVG 2 16.1.6"),
    url("pattern", "href", "SVG 2 16.1.6"),
    url("mpath", "href", "SVG 2 16.1.6"),
    url("textpath", "href", "SVG 2 16.1.6"),
    url("animate", "href", "SVG 2 16.1.6"),
    url("animatemotion", "href", "SVG 2 16.1.6"),
    url("animatetransform", "href", "SVG 2 16.1.6"),
    url("set", "href", "SVG 2 16.1.6"),
    url("discard", "href", "SVG 2 16.1.6"),
    holding(Grammar::Html, url("iframe", "srcdoc", "WHATWG HTML")),
    in_xml(around(url("*", "xml:base", "XML Base"))),
    in_xml(url("*", "xlink:href", "XLink 1.1")),
    in_xml(url("?xml-stylesheet", "href", "Associating Style Sheets with XML")),
    in_xml(url("atom:link", "href", "RFC 4287 4.2.7")),
    in_xml(url("atom:content", "src", "RFC 4287 4.1.3")),
    in_xml(url("atom:generator", "uri", "RFC 4287 4.2.4")),
    in_xml(url("atom:category", "scheme", "RFC 4287 4.2.2")),
    text(Grammar::Url, "atom:icon", "RFC 4287 4.2.5"),
    text(Grammar::Url, "atom:logo", "RFC 4287 4.2.8"),
    text(Grammar::Url, "atom:uri", "RFC 4287 3.2.2"),
    when(HOLDS_HTML, text(Grammar::Html, "atom:title", "RFC 4287 3.1")),
    when(HOLDS_HTML, text(Grammar::Html, "atom:subtitle", "RFC 4287 3.1")),
    when(HOLDS_HTML, text(Grammar::Html, "atom:summary", "RFC 4287 3.1")),
    when(HOLDS_HTML, text(Grammar::Html, "atom:content", "RFC 4287 3.1")),
    when(HOLDS_HTML, text(Grammar::Html, "atom:rights", "RFC 4287 3.1")),
    in_xml(url("atom:generator", "url", "Atom 0.3")),
    text(Grammar::Url, "atom:url", "Atom 0.3"),
    when(HOLDS_HTML, text(Grammar::Html, "atom:tagline", "Atom 0.3")),
    text(Grammar::Url, "rss:link", "RSS 2.0"),
    text(Grammar::Url, "rss:url", "RSS 2.0"),
    text(Grammar::Url, "rss:docs", "RSS 2.0"),
    text(Grammar::Url, "rss:comments", "RSS 2.0"),
    when(When::Holds(&["ispermalink"], &["true"]), text(Grammar::Url, "rss:guid", "RSS 2.0")),
    text(Grammar::Html, "rss:description", "RSS 2.0"),
    in_xml(url("rss:enclosure", "url", "RSS 2.0")),
    in_xml(url("rss:source", "url", "RSS 2.0")),
    text(Grammar::Html, "content:encoded", "RSS content module"),
    text(Grammar::Url, "wfw:comment", "Comment API"),
    text(Grammar::Url, "wfw:commentrss", "Comment API"),
    in_xml(url("media:content", "url", "Media RSS")),
    in_xml(url("media:thumbnail", "url", "Media RSS")),
    in_xml(url("media:player", "url", "Media RSS")),
    in_xml(url("itunes:image", "href", "Podcasts")),
    in_xml(url("*", "rdf:about", "RDF/XML")),
    in_xml(url("*", "rdf:resource", "RDF/XML")),
    in_xml(url("opml:outline", "xmlurl", "OPML 2.0")),
    in_xml(url("opml:outline", "htmlurl", "OPML 2.0")),
    in_xml(url("opml:outline", "url", "OPML 2.0")),
    of(Group::Legacy, url("applet", "codebase", "HTML 4.01 13.4")),
    of(Group::Legacy, in_codebase(url("applet", "object", "HTML 4.01 13.4"))),
    of(Group::Legacy, in_codebase(url("applet", "src", "HTML 4.01 13.4"))),
    of(Group::Legacy, in_codebase(holding(Grammar::CommaList, url("applet", "archive", "HTML 4.01 13.4")))),
    of(Group::Legacy, kept_in_document(url("isindex", "action", "HTML 3.2"))),
    of(Group::Legacy, url("html", "manifest", "HTML 5.0 7.9")),
    of(Group::Legacy, url("img", "lowsrc", "Netscape, Internet Explorer")),
    of(Group::Legacy, url("img", "dynsrc", "Netscape, Internet Explorer")),
    of(Group::Legacy, url("img", "vrml", "Netscape, Internet Explorer")),
    of(Group::Legacy, url("input", "lowsrc", "Netscape, Internet Explorer")),
    of(Group::Legacy, url("input", "dynsrc", "Netscape, Internet Explorer")),
    of(Group::Legacy, url("input", "vrml", "Netscape, Internet Explorer")),
    of(Group::Legacy, url("bgsound", "src", "Internet Explorer, Mosaic")),
    of(Group::Legacy, url("sound", "src", "Internet Explorer, Mosaic")),
    of(Group::Legacy, url("layer", "src", "Netscape 4")),
    of(Group::Legacy, url("ilayer", "src", "Netscape 4")),
    of(Group::Legacy, url("ilayer", "background", "Netscape 4")),
    of(Group::Legacy, url("style", "src", "Netscape 4")),
    of(Group::Legacy, url("embed", "pluginspage", "Netscape, QuickTime")),
    of(Group::Legacy, url("embed", "pluginurl", "Netscape, QuickTime")),
    of(Group::Legacy, url("embed", "href", "Netscape, QuickTime")),
    of(Group::Legacy, url("embed", "qtsrc", "Netscape, QuickTime")),
    of(Group::Legacy, url("embed", "code", "Netscape, QuickTime")),
    of(Group::Legacy, url("embed", "codebase", "Netscape, QuickTime")),
    of(Group::Legacy, url("xml", "src", "Internet Explorer")),
    of(Group::Legacy, url("fig", "src", "HTML 3.0 draft")),
    of(Group::Legacy, url("overlay", "src", "HTML 3.0 draft")),
    of(Group::Legacy, url("command", "icon", "HTML 5 drafts")),
    of(Group::Legacy, url("menuitem", "icon", "HTML 5 drafts")),
    url("image", "src", "WHATWG HTML: image is img"),
    holding(Grammar::Css, url("*", "fill", "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "stroke", "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "clip-path", "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "mask", "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "filter", "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "marker", "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "marker-start", "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "marker-mid", "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "marker-end", "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "cursor", "SVG 2 presentation attributes")),
    url("math", "href", "MathML 3"),
    url("mi", "href", "MathML 3"),
    url("mn", "href", "MathML 3"),
    url("mo", "href", "MathML 3"),
    url("ms", "href", "MathML 3"),
    url("mtext", "href", "MathML 3"),
    url("mspace", "href", "MathML 3"),
    url("mrow", "href", "MathML 3"),
    url("mfrac", "href", "MathML 3"),
    url("msqrt", "href", "MathML 3"),
    url("mroot", "href", "MathML 3"),
    url("mstyle", "href", "MathML 3"),
    url("merror", "href", "MathML 3"),
    url("mpadded", "href", "MathML 3"),
    url("mphantom", "href", "MathML 3"),
    url("mfenced", "href", "MathML 3"),
    url("menclose", "href", "MathML 3"),
    url("msub", "href", "MathML 3"),
    url("msup", "href", "MathML 3"),
    url("msubsup", "href", "MathML 3"),
    url("munder", "href", "MathML 3"),
    url("mover", "href", "MathML 3"),
    url("munderover", "href", "MathML 3"),
    url("mmultiscripts", "href", "MathML 3"),
    url("mtable", "href", "MathML 3"),
    url("mtr", "href", "MathML 3"),
    url("mtd", "href", "MathML 3"),
    url("maction", "href", "MathML 3"),
    url("math", "xlink:href", "MathML 2"),
    url("mi", "xlink:href", "MathML 2"),
    url("mn", "xlink:href", "MathML 2"),
    url("mo", "xlink:href", "MathML 2"),
    url("ms", "xlink:href", "MathML 2"),
    url("mtext", "xlink:href", "MathML 2"),
    url("mrow", "xlink:href", "MathML 2"),
    url("mstyle", "xlink:href", "MathML 2"),
    url("math", "altimg", "MathML 3"),
    url("mglyph", "src", "MathML 3"),
    url("annotation", "src", "MathML 3"),
    url("annotation-xml", "src", "MathML 3"),
    url("csymbol", "definitionurl", "MathML 3"),
    url("semantics", "definitionurl", "MathML 3"),
    url("v:fill", "src", "VML"),
    url("v:image", "src", "VML"),
    url("v:imagedata", "src", "VML"),
    url("v:stroke", "src", "VML"),
    url("v:fill", "o:href", "VML"),
    url("v:imagedata", "o:href", "VML"),
    url("v:rect", "href", "VML"),
    url("v:roundrect", "href", "VML"),
    url("v:oval", "href", "VML"),
    url("v:shape", "href", "VML"),
    url("v:group", "href", "VML"),
    url("v:line", "href", "VML"),
    of(Group::Social, when(URL_NAMES, url("meta", "content", "Open Graph, Twitter cards, pinned sites"))),
    of(Group::Social, when(PAIR_NAMES, holding(Grammar::KeyValue, url("meta", "content", "pinned sites")))),
    of(Group::Lazy, url("*", "data-src", "scripts")),
    of(Group::Lazy, url("*", "data-original", "scripts")),
    of(Group::Lazy, url("*", "data-lazy-src", "scripts")),
    of(Group::Lazy, url("*", "data-bg", "scripts")),
    of(Group::Lazy, url("*", "data-background", "scripts")),
    of(Group::Lazy, url("*", "data-background-image", "scripts")),
    of(Group::Lazy, url("*", "data-image", "scripts")),
    of(Group::Lazy, url("*", "data-thumb", "scripts")),
    of(Group::Lazy, url("*", "data-poster", "scripts")),
    of(Group::Lazy, url("*", "data-href", "scripts")),
    of(Group::Lazy, url("*", "data-url", "scripts")),
    of(Group::Lazy, url("*", "data-uri", "scripts")),
    of(Group::Lazy, url("*", "data-mp4", "scripts")),
    of(Group::Lazy, url("*", "data-ogg", "scripts")),
    of(Group::Lazy, url("*", "data-webm", "scripts")),
    of(Group::Lazy, holding(Grammar::Srcset, url("*", "data-srcset", "scripts"))),
    of(Group::Lazy, holding(Grammar::Srcset, url("*", "data-original-set", "scripts"))),
    of(Group::Lazy, holding(Grammar::Srcset, url("*", "data-lazy-srcset", "scripts"))),
    of(Group::Rdfa, holding(Grammar::UrlOrCurie, url("*", "about", "RDFa 1.1"))),
    of(Group::Rdfa, holding(Grammar::UrlOrCurie, url("*", "resource", "RDFa 1.1"))),
];
