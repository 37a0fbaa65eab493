//! The rows for XML only.

use super::row::{Grammar, ResolvesIn, When};
use super::rows::{Rows, holding, in_xml, kept_in_document, resolving, url, when};

/// Returns the rows for the texts of elements.
const fn text(grammar: Grammar, elements: &'static str, source: &'static str) -> Rows {
    in_xml(holding(grammar, url(elements, "", source)))
}

/// The condition of text constructs of Atom that contain HTML.
const HOLDS_HTML: When = When::Holds(&["type"], &["html", "text/html"]);

const PODCASTING: &str = "Podcasting 2.0";

/// Elements of DocBook that embed a file.
const DOCBOOK_MEDIA: &str =
    "docbook:imagedata docbook:videodata docbook:audiodata docbook:textdata docbook:graphic docbook:inlinegraphic";

/// Elements of DITA that link or embed something.
const DITA_LINKS: &str = "dita:xref dita:link dita:image dita:topicref dita:mapref dita:keydef dita:topicset dita:topicsetref \
    dita:anchorref dita:chapter dita:appendix dita:part dita:preface dita:notices dita:glossref dita:coderef dita:data dita:source \
    dita:author dita:lq dita:longdescref dita:longquoteref dita:video dita:audio dita:media-source dita:media-track dita:svgref \
    dita:mathmlref dita:hazardsymbol dita:subjectdef dita:schemeref dita:ditavalref dita:include";

/// The images and the sources of tiles in a `browserconfig.xml`.
const TILES: &str = "browserconfig:square70x70logo browserconfig:square150x150logo browserconfig:wide310x150logo \
    browserconfig:square310x310logo browserconfig:tileimage browserconfig:polling-uri browserconfig:polling-uri2 \
    browserconfig:polling-uri3 browserconfig:polling-uri4 browserconfig:polling-uri5";

/// The rows. Prefixes stand for namespaces.
pub(super) static ROWS: [Rows; 60] = [
    in_xml(resolving(ResolvesIn::Around, url("*", "xml:base", "XML Base"))),
    in_xml(kept_in_document(url("*", "xlink:href", "XLink 1.1"))),
    in_xml(url("?xml-stylesheet", "href", "Associating Style Sheets with XML")),
    in_xml(url("atom:link", "href", "RFC 4287 4.2.7")),
    in_xml(url("atom:content", "src", "RFC 4287 4.1.3")),
    in_xml(url("atom:generator", "uri", "RFC 4287 4.2.4")),
    in_xml(url("atom:category", "scheme", "RFC 4287 4.2.2")),
    text(Grammar::Url, "atom:icon", "RFC 4287 4.2.5"),
    text(Grammar::Url, "atom:logo", "RFC 4287 4.2.8"),
    text(Grammar::Url, "atom:uri", "RFC 4287 3.2.2"),
    when(
        HOLDS_HTML,
        text(Grammar::Html, "atom:title atom:subtitle atom:summary atom:content atom:rights", "RFC 4287 3.1"),
    ),
    in_xml(url("atom:generator", "url", "Atom 0.3")),
    text(Grammar::Url, "atom:url", "Atom 0.3"),
    when(HOLDS_HTML, text(Grammar::Html, "atom:tagline", "Atom 0.3")),
    text(Grammar::Url, "rss:link rss:url rss:docs rss:comments", "RSS 2.0"),
    when(When::Holds(&["ispermalink"], &["true"]), text(Grammar::Url, "rss:guid", "RSS 2.0")),
    text(Grammar::Html, "rss:description", "RSS 2.0"),
    in_xml(url("rss:enclosure rss:source", "url", "RSS 2.0")),
    text(Grammar::Html, "content:encoded", "RSS content module"),
    text(Grammar::Url, "wfw:comment wfw:commentrss", "Comment API"),
    in_xml(url("thr:in-reply-to", "href source", "RFC 4685")),
    in_xml(url("app:collection", "href", "RFC 5023 8.3.3")),
    in_xml(url("app:categories", "href scheme", "RFC 5023 7.2.1")),
    in_xml(url("media:content media:thumbnail media:player media:embed", "url", "Media RSS")),
    in_xml(url("media:peerlink media:subtitle media:license", "href", "Media RSS")),
    in_xml(url("media:copyright", "url", "Media RSS")),
    text(Grammar::Url, "media:backlink media:response", "Media RSS"),
    when(HOLDS_HTML, text(Grammar::Html, "media:title media:description media:text", "Media RSS")),
    in_xml(url("itunes:image", "href", "Podcasts")),
    text(Grammar::Url, "itunes:new-feed-url", "Podcasts"),
    in_xml(url("googleplay:image", "href", "Google Play podcasts")),
    in_xml(url(
        "podcast:transcript podcast:chapters podcast:funding podcast:trailer podcast:license",
        "url",
        PODCASTING,
    )),
    in_xml(url("podcast:source podcast:socialinteract", "uri", PODCASTING)),
    in_xml(url("podcast:person", "href img", PODCASTING)),
    in_xml(url("podcast:image podcast:contentlink", "href", PODCASTING)),
    in_xml(holding(Grammar::Srcset, url("podcast:images", "srcset", PODCASTING))),
    in_xml(url("podcast:remoteitem", "feedurl", PODCASTING)),
    in_xml(url("psc:chapter", "href image", "Podlove Simple Chapters")),
    in_xml(url("*", "rdf:about rdf:resource", "RDF/XML")),
    in_xml(url("opml:outline", "xmlurl htmlurl url", "OPML 2.0")),
    text(Grammar::Url, "sitemap:loc", "sitemaps.org"),
    text(Grammar::Url, "image:loc image:license", "Google image sitemaps"),
    text(
        Grammar::Url,
        "video:thumbnail_loc video:content_loc video:player_loc video:gallery_loc",
        "Google video sitemaps",
    ),
    in_xml(url("video:uploader", "info", "Google video sitemaps")),
    in_xml(url("opensearch:url", "template", "OpenSearch 1.1")),
    text(Grammar::Url, "opensearch:image", "OpenSearch 1.1"),
    text(Grammar::Url, "opensearch:url", "OpenSearch 1.0"),
    in_xml(url("moz:url", "template", "Firefox")),
    text(Grammar::Url, "moz:searchform moz:updateurl moz:iconupdateurl", "Firefox"),
    text(Grammar::Url, "kml:href kml:targethref", "KML 2.3"),
    kept_in_document(text(Grammar::Url, "kml:styleurl", "KML 2.3")),
    text(Grammar::Html, "kml:description kml:text kml:linkdescription", "KML 2.3"),
    text(Grammar::Url, "xspf:location xspf:info xspf:image xspf:link xspf:license", "XSPF 1"),
    in_xml(url("docbook:ulink", "url", "DocBook 4.5")),
    in_xml(url(DOCBOOK_MEDIA, "fileref", "DocBook 4.5, 5.1")),
    in_xml(url(DITA_LINKS, "href", "DITA 1.3")),
    in_xml(url("dita:object", "data codebase", "DITA 1.3")),
    in_xml(url("dita:*", "conref conrefend", "DITA 1.3")),
    in_xml(url("xi:include", "href", "XInclude")),
    in_xml(url(TILES, "src", "Internet Explorer, Edge")),
];
