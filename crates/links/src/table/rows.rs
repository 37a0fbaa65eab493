//! The rows of the table.

use super::{Grammar, Group, ResolvesIn, Row, SameDocument};

const fn url(element: &'static str, attribute: &'static str, source: &'static str) -> Row {
    Row {
        element,
        attribute,
        grammar: Grammar::Url,
        resolves_in: ResolvesIn::Document,
        same_document: SameDocument::Asked,
        group: Group::Core,
        source,
    }
}

const fn legacy(row: Row) -> Row {
    Row { group: Group::Legacy, ..row }
}

const fn holding(grammar: Grammar, row: Row) -> Row {
    Row { grammar, ..row }
}

const fn in_codebase(row: Row) -> Row {
    Row { resolves_in: ResolvesIn::Codebase, ..row }
}

const fn outside(row: Row) -> Row {
    Row { resolves_in: ResolvesIn::Outside, ..row }
}

const fn kept_in_document(row: Row) -> Row {
    Row { same_document: SameDocument::Never, ..row }
}

/// All rows, the most frequent elements of an attribute first.
pub(super) const ROWS: [Row; 118] = [
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
    holding(Grammar::Refresh, url("meta", "content", "WHATWG HTML")),
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
    legacy(url("applet", "codebase", "HTML 4.01 13.4")),
    legacy(in_codebase(url("applet", "object", "HTML 4.01 13.4"))),
    legacy(in_codebase(url("applet", "src", "HTML 4.01 13.4"))),
    legacy(in_codebase(holding(Grammar::CommaList, url("applet", "archive", "HTML 4.01 13.4")))),
    legacy(kept_in_document(url("isindex", "action", "HTML 3.2"))),
    legacy(url("html", "manifest", "HTML 5.0 7.9")),
    legacy(url("img", "lowsrc", "Netscape, Internet Explorer")),
    legacy(url("img", "dynsrc", "Netscape, Internet Explorer")),
    legacy(url("img", "vrml", "Netscape, Internet Explorer")),
    legacy(url("input", "lowsrc", "Netscape, Internet Explorer")),
    legacy(url("input", "dynsrc", "Netscape, Internet Explorer")),
    legacy(url("input", "vrml", "Netscape, Internet Explorer")),
    legacy(url("bgsound", "src", "Internet Explorer, Mosaic")),
    legacy(url("sound", "src", "Internet Explorer, Mosaic")),
    legacy(url("layer", "src", "Netscape 4")),
    legacy(url("ilayer", "src", "Netscape 4")),
    legacy(url("ilayer", "background", "Netscape 4")),
    legacy(url("style", "src", "Netscape 4")),
    legacy(url("embed", "pluginspage", "Netscape, QuickTime")),
    legacy(url("embed", "pluginurl", "Netscape, QuickTime")),
    legacy(url("embed", "href", "Netscape, QuickTime")),
    legacy(url("embed", "qtsrc", "Netscape, QuickTime")),
    legacy(url("embed", "code", "Netscape, QuickTime")),
    legacy(url("embed", "codebase", "Netscape, QuickTime")),
    legacy(url("xml", "src", "Internet Explorer")),
    legacy(url("fig", "src", "HTML 3.0 draft")),
    legacy(url("overlay", "src", "HTML 3.0 draft")),
    legacy(url("command", "icon", "HTML 5 drafts")),
    legacy(url("menuitem", "icon", "HTML 5 drafts")),
];
