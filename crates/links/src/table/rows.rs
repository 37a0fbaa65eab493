//! The rows for HTML and XML.

use std::borrow::Cow;

use super::row::{Grammar, Group, ResolvesIn, Row, SameDocument, Syntax, When};

/// Rows that differ in their elements and attributes only.
pub(super) struct Rows {
    /// The elements, separated by spaces.
    elements: &'static str,
    /// The attributes of each, separated by spaces.
    attributes: &'static str,
    /// The rest of each row.
    pub(super) row: Row,
}

impl Rows {
    pub(super) const fn group(&self) -> Group {
        self.row.group
    }

    /// Returns the rows: of each element those of all attributes.
    pub(super) fn iter(&'static self) -> impl Iterator<Item = Row> {
        self.elements.split(' ').flat_map(move |element| {
            let row = move |attribute: &'static str| Row {
                element: element.into(),
                attribute: attribute.into(),
                ..self.row.clone()
            };
            self.attributes.split(' ').map(row)
        })
    }
}

pub(super) const fn url(elements: &'static str, attributes: &'static str, source: &'static str) -> Rows {
    let row = Row {
        element: Cow::Borrowed(""),
        attribute: Cow::Borrowed(""),
        syntax: Syntax::Any,
        when: When::Always,
        grammar: Grammar::Url,
        resolves_in: ResolvesIn::Document,
        same_document: SameDocument::OnRequest,
        group: Group::Core,
        source,
    };
    Rows { elements, attributes, row }
}

pub(super) const fn of(group: Group, mut rows: Rows) -> Rows {
    rows.row.group = group;
    rows
}

pub(super) const fn holding(grammar: Grammar, mut rows: Rows) -> Rows {
    rows.row.grammar = grammar;
    rows
}

pub(super) const fn when(when: When, mut rows: Rows) -> Rows {
    rows.row.when = when;
    rows
}

pub(super) const fn resolving(resolves_in: ResolvesIn, mut rows: Rows) -> Rows {
    rows.row.resolves_in = resolves_in;
    rows
}

pub(super) const fn in_xml(mut rows: Rows) -> Rows {
    rows.row.syntax = Syntax::Xml;
    rows
}

pub(super) const fn kept_in_document(mut rows: Rows) -> Rows {
    rows.row.same_document = SameDocument::Never;
    rows
}

pub(super) const fn kept_if_empty(mut rows: Rows) -> Rows {
    rows.row.same_document = SameDocument::FragmentOnRequest;
    rows
}

const REFRESH: When = When::Holds(&["http-equiv"], &["refresh"]);

/// Animations of a reference in SVG.
const ANIMATED: When = When::Holds(&["attributename"], &["href", "xlink:href"]);

/// Metadata whose values are URLs.
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
        "twitter:image0",
        "twitter:image1",
        "twitter:image2",
        "twitter:image3",
        "twitter:player",
        "twitter:player:stream",
        "al:web:url",
        "citation_pdf_url",
        "citation_abstract_html_url",
        "citation_fulltext_html_url",
        "citation_public_url",
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

/// Parameters of objects that are the URLs of media for plug-ins.
const PLUG_IN_NAMES: When = When::Holds(&["name"], &["movie", "src", "filename", "url"]);

/// Properties of microdata whose values are URLs. Those that are often words (`license`, `mainEntityOfPage`) are left out.
const URL_PROPERTIES: When = When::Lists(
    "itemprop",
    &[
        "url",
        "image",
        "logo",
        "photo",
        "screenshot",
        "thumbnail",
        "thumbnailUrl",
        "primaryImageOfPage",
        "contentUrl",
        "embedUrl",
        "downloadUrl",
        "installUrl",
        "discussionUrl",
        "isBasedOnUrl",
        "relatedLink",
        "significantLink",
        "codeRepository",
        "hasMap",
        "sameAs",
        "serviceUrl",
        "trackingUrl",
    ],
);

/// Metadata with URLs in some pairs.
const PAIR_NAMES: When =
    When::Holds(&["name"], &["msapplication-task", "msapplication-badge", "msapplication-notification"]);

/// Elements of SVG with an `href`, and those that had an `xlink:href` only.
const SVG: &str =
    "lineargradient radialgradient pattern mpath textpath animate animatemotion animatetransform set discard";
const SVG_1: &str = "lineargradient radialgradient pattern mpath textpath animate animatemotion animatetransform set \
    discard cursor filter font-face-uri glyphref altglyph tref color-profile";

/// Elements of MathML that may be links.
const MATHML: &str = "math mlabeledtr mstack mlongdiv ci cn csymbol apply semantics mi mn mo ms mtext mspace mrow mfrac \
    msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub msup msubsup munder mover munderover mmultiscripts \
    mtable mtr mtd maction";
const MATHML_2: &str = "math mtd mtable mfrac maction mspace msqrt mi mn mo ms mtext mrow mstyle";

/// Attributes of SVG whose values are CSS.
const PRESENTATION: &str = "fill stroke clip-path mask filter marker marker-start marker-mid marker-end cursor";

/// Attributes from which scripts load images and media.
const LAZY: &str = "data-src data-src-small data-src-medium data-full-src data-original data-lazy data-lazy-src \
    data-lazyload data-actualsrc data-img-src data-srv data-bg data-background data-background-image data-image \
    data-thumb data-poster data-href data-url data-uri data-mp4 data-ogg data-webm";

/// The rows. Of those with the same attribute, the rows of the most frequent elements come first.
pub(super) static ROWS: [Rows; 70] = [
    url("a area link", "href", "WHATWG HTML"),
    resolving(ResolvesIn::Outside, url("base", "href", "WHATWG HTML")),
    kept_if_empty(url("img script input iframe frame embed audio video source track", "src", "WHATWG HTML")),
    url("portal", "src", "WICG portals"),
    url("model", "src", "Immersive Web model element"),
    kept_if_empty(url("form", "action", "WHATWG HTML")),
    kept_if_empty(url("button input", "formaction", "WHATWG HTML")),
    url("video", "poster", "WHATWG HTML"),
    resolving(ResolvesIn::DocumentOrCodebase, url("object", "data", "WHATWG HTML; HTML 4.01 13.3")),
    resolving(ResolvesIn::Codebase, url("object", "classid", "HTML 4.01 13.3")),
    url("object", "codebase", "HTML 4.01 13.3"),
    resolving(ResolvesIn::Codebase, holding(Grammar::SpaceList, url("object", "archive", "HTML 4.01 13.3"))),
    kept_in_document(url("object img input", "usemap", "HTML 4.01 13.6.1")),
    url("img iframe frame", "longdesc", "HTML 4.01 13.2, 16.2.2"),
    url("blockquote q ins del", "cite", "WHATWG HTML"),
    holding(Grammar::SpaceList, url("head", "profile", "HTML 4.01 7.4.4")),
    url("body table colgroup thead tbody tfoot tr td th col layer", "background", "HTML 4.01 7.5.1 and browsers"),
    url("*", "itemid", "WHATWG HTML"),
    holding(Grammar::Css, url("*", "style", "WHATWG HTML")),
    holding(Grammar::Srcset, url("img source", "srcset", "WHATWG HTML")),
    holding(Grammar::Srcset, url("link", "imagesrcset", "WHATWG HTML")),
    holding(Grammar::SpaceList, url("a area", "ping", "WHATWG HTML")),
    holding(Grammar::SpaceList, url("a area img script", "attributionsrc", "WICG Attribution Reporting")),
    when(REFRESH, holding(Grammar::Refresh, url("meta", "content", "WHATWG HTML"))),
    kept_in_document(url("image use", "href xlink:href", "SVG 2 16.1.6")),
    url("script", "href", "SVG 2 16.1.6"),
    kept_in_document(url("script", "xlink:href", "SVG 2 16.1.6")),
    kept_in_document(url("feimage", "href xlink:href", "SVG 2 16.1.6")),
    url("a", "xlink:href", "SVG 1.1, SVG 2 16.1.6"),
    kept_in_document(url(SVG_1, "xlink:href", "SVG 1.1, SVG 2 16.1.6")),
    kept_in_document(url(SVG, "href", "SVG 2 16.1.6")),
    when(ANIMATED, kept_in_document(url("animate", "from to by", "SVG Animations Level 2"))),
    when(
        ANIMATED,
        kept_in_document(holding(Grammar::SemicolonList, url("animate", "values", "SVG Animations Level 2"))),
    ),
    when(ANIMATED, kept_in_document(url("set", "to", "SVG Animations Level 2"))),
    holding(Grammar::Html, url("iframe", "srcdoc", "WHATWG HTML")),
    of(Group::Legacy, url("applet", "codebase", "HTML 4.01 13.4")),
    of(Group::Legacy, resolving(ResolvesIn::Codebase, url("applet", "object src", "HTML 4.01 13.4"))),
    of(
        Group::Legacy,
        resolving(ResolvesIn::Codebase, holding(Grammar::CommaList, url("applet", "archive", "HTML 4.01 13.4"))),
    ),
    of(Group::Legacy, kept_in_document(url("isindex", "action", "HTML 3.2"))),
    of(Group::Legacy, url("html", "manifest", "HTML 5.0 7.9")),
    of(Group::Legacy, url("img input", "lowsrc dynsrc vrml", "Netscape, Internet Explorer")),
    of(Group::Legacy, url("bgsound sound", "src", "Internet Explorer, Mosaic")),
    of(Group::Legacy, url("layer ilayer", "src", "Netscape 4")),
    of(Group::Legacy, url("ilayer", "background", "Netscape 4")),
    of(Group::Legacy, url("style", "src", "Netscape 4")),
    of(Group::Legacy, url("embed", "pluginspage pluginurl href qtsrc code codebase", "Netscape, QuickTime")),
    of(Group::Legacy, url("xml", "src", "Internet Explorer")),
    of(Group::Legacy, url("fig overlay hr ul li h1 h2 h3 h4 h5 h6 note select", "src", "HTML 3.0 draft")),
    of(Group::Legacy, url("audio", "poster", "browsers of the past, wget")),
    of(Group::Legacy, kept_in_document(url("*", "datasrc", "Internet Explorer"))),
    of(Group::Legacy, url("command menuitem", "icon", "HTML 5 drafts")),
    url("image", "src", "WHATWG HTML: image is img"),
    holding(Grammar::Css, url("*", PRESENTATION, "SVG 2 presentation attributes")),
    holding(Grammar::Css, url("*", "color-profile", "SVG 1.1 presentation attributes")),
    url(MATHML, "href", "MathML 3"),
    kept_in_document(url(MATHML_2, "xlink:href", "MathML 2")),
    url("math", "altimg", "MathML 3"),
    url("mglyph annotation annotation-xml", "src", "MathML 3"),
    url("csymbol semantics", "definitionurl", "MathML 3"),
    url("v:fill v:image v:imagedata v:stroke", "src", "VML"),
    url("v:rect v:roundrect v:oval v:shape v:group v:line v:polyline v:curve v:arc v:image", "href", "VML"),
    url("*", "o:href r:href", "VML"),
    url("v:background", "src", "VML"),
    of(
        Group::Social,
        when(URL_NAMES, url("meta", "content", "Open Graph, Twitter cards, pinned sites, Google Scholar")),
    ),
    of(Group::Social, when(URL_PROPERTIES, url("meta", "content", "schema.org"))),
    of(Group::Social, when(PAIR_NAMES, holding(Grammar::KeyValue, url("meta", "content", "pinned sites")))),
    of(Group::Lazy, holding(Grammar::UrlOrSrcset, url("*", LAZY, "scripts"))),
    of(Group::Lazy, holding(Grammar::Srcset, url("*", "data-srcset data-original-set data-lazy-srcset", "scripts"))),
    of(Group::Plugins, when(PLUG_IN_NAMES, url("param", "value", "Flash, Windows Media, QuickTime, RealMedia"))),
    of(Group::Rdfa, holding(Grammar::UrlOrCurie, url("*", "about resource", "RDFa 1.1"))),
];
