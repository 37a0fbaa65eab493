//! The rows for XML only.

use super::row::{Grammar, ResolvesIn, When};
use super::rows::{Rows, holding, in_xml, kept_in_document, resolving, url, when};

/// Returns the rows for the texts of elements.
const fn text(grammar: Grammar, elements: &'static str, source: &'static str) -> Rows {
    in_xml(holding(grammar, url(elements, "", source)))
}

/// The condition of text constructs of Atom that contain HTML.
const HOLDS_HTML: When = When::Holds(&["type"], &["html", "text/html"]);

/// The rows. Prefixes stand for namespaces.
pub(super) static ROWS: [Rows; 25] = [
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
    in_xml(url("media:content media:thumbnail media:player media:embed", "url", "Media RSS")),
    in_xml(url("media:peerlink media:subtitle media:license", "href", "Media RSS")),
    in_xml(url("itunes:image", "href", "Podcasts")),
    in_xml(url("*", "rdf:about rdf:resource", "RDF/XML")),
    in_xml(url("opml:outline", "xmlurl htmlurl url", "OPML 2.0")),
];
