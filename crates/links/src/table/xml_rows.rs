//! The rows for XML only.

use super::row::{Grammar, ResolvesIn, Row, Syntax, When};
use super::rows::{holding, kept_in_document, url, when};

const fn in_xml(mut row: Row) -> Row {
    row.syntax = Syntax::Xml;
    row
}

/// Returns the row for the text of an element.
const fn text(grammar: Grammar, element: &'static str, source: &'static str) -> Row {
    in_xml(holding(grammar, url(element, "", source)))
}

const fn around(mut row: Row) -> Row {
    row.resolves_in = ResolvesIn::Around;
    row
}

/// The condition of text constructs of Atom that contain HTML.
const HOLDS_HTML: When = When::Holds(&["type"], &["html", "text/html"]);

/// The rows. Prefixes stand for namespaces.
pub(super) static ROWS: [Row; 42] = [
    in_xml(around(url("*", "xml:base", "XML Base"))),
    in_xml(kept_in_document(url("*", "xlink:href", "XLink 1.1"))),
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
    in_xml(url("media:embed", "url", "Media RSS")),
    in_xml(url("media:peerlink", "href", "Media RSS")),
    in_xml(url("media:subtitle", "href", "Media RSS")),
    in_xml(url("media:license", "href", "Media RSS")),
    in_xml(url("itunes:image", "href", "Podcasts")),
    in_xml(url("*", "rdf:about", "RDF/XML")),
    in_xml(url("*", "rdf:resource", "RDF/XML")),
    in_xml(url("opml:outline", "xmlurl", "OPML 2.0")),
    in_xml(url("opml:outline", "htmlurl", "OPML 2.0")),
    in_xml(url("opml:outline", "url", "OPML 2.0")),
];
