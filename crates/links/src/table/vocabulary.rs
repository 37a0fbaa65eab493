//! The vocabularies that names of XML belong to (Namespaces in XML 1.0).

use std::borrow::Cow;

/// A namespace, as the table of links represents it.
///
/// ```
/// use absolve_links::Vocabulary;
/// let atom = Vocabulary::of_namespace(b"http://www.w3.org/2005/Atom");
/// assert_eq!(&*atom.name(b"link"), b"atom:link");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary<'t> {
    /// HTML.
    Html,
    /// SVG and MathML, whose elements HTML has as well.
    Foreign,
    /// A namespace with this prefix in the table: one that ends with a colon, or a namespace in braces.
    Prefixed(&'t str),
    /// No namespace, and a root element that says no vocabulary.
    Absent,
}

use Vocabulary::{Absent, Foreign, Html, Prefixed};

impl<'t> Vocabulary<'t> {
    /// A namespace without rows. No name in the table has this prefix.
    pub(crate) const UNKNOWN: Self = Prefixed("?:");

    /// The metadata of the Mozilla Archive Format, whose values are literals although they stand in `rdf:resource`: `UTF-8` is a charset.
    const MAFF: Self = Prefixed("maf:");

    /// Returns whether no value of its elements is a link.
    ///
    /// ```
    /// use absolve_links::Vocabulary;
    /// assert!(Vocabulary::of_namespace(b"http://maf.mozdev.org/metadata/rdf#").holds_literals());
    /// ```
    pub fn holds_literals(self) -> bool {
        self == Self::MAFF
    }

    /// Returns whether its elements have no prefix in the table.
    ///
    /// ```
    /// assert!(absolve_links::Vocabulary::of_root(b"svg").is_markup());
    /// ```
    pub const fn is_markup(self) -> bool {
        matches!(self, Html | Foreign)
    }

    /// Returns whether the table lists all places of its references. DITA is specialised, and its root elements, like those of DocBook 4,
    /// are common words, so that documents with them may be in other vocabularies.
    ///
    /// ```
    /// use absolve_links::Vocabulary;
    /// assert!(Vocabulary::of_root(b"kml").is_known() && !Vocabulary::of_namespace(b"urn:x").is_known());
    /// ```
    pub fn is_known(self) -> bool {
        let Prefixed(prefix) = self else { return self != Absent };
        prefix.ends_with(':') && self != Self::UNKNOWN && !GUESSED.contains(&prefix)
    }

    /// Returns the vocabulary of a namespace. Ignores what varies among feeds and sitemaps: case, a final slash, and `https:` for `http:`.
    ///
    /// ```
    /// use absolve_links::Vocabulary;
    /// assert_eq!(Vocabulary::of_namespace(b"http://www.w3.org/1999/XHTML/"), Vocabulary::Html);
    /// ```
    pub fn of_namespace(uri: &[u8]) -> Self {
        let known = NAMESPACES.iter().find(|(known, _)| is_same_namespace(known.as_bytes(), uri));
        known.map_or(Self::UNKNOWN, |(_, vocabulary)| *vocabulary)
    }

    /// Returns the vocabulary of names without a namespace, by the root element.
    ///
    /// ```
    /// use absolve_links::Vocabulary;
    /// assert_eq!(Vocabulary::of_root(b"html"), Vocabulary::Html);
    /// ```
    pub fn of_root(root: &[u8]) -> Self {
        let is_of = |(_, roots): &&(Self, &str)| roots.split(' ').any(|known| known.as_bytes() == root);
        ROOTS.iter().find(is_of).map_or(Absent, |(vocabulary, _)| *vocabulary)
    }

    /// Returns the vocabulary of a prefix that is not declared: its conventional meaning.
    ///
    /// ```
    /// use absolve_links::Vocabulary;
    /// assert_eq!(Vocabulary::of_prefix(b"xlink"), Vocabulary::of_namespace(b"http://www.w3.org/1999/xlink"));
    /// ```
    pub fn of_prefix(prefix: &[u8]) -> Self {
        let is_usual = |known: &Self| match known {
            Prefixed(known) => known.strip_suffix(':').is_some_and(|known| known.as_bytes() == prefix),
            _ => false,
        };
        NAMESPACES.iter().map(|(_, known)| *known).find(is_usual).unwrap_or(Self::UNKNOWN)
    }

    /// Returns the vocabulary of an attribute with a prefix of this one. Those of HTML and SVG have no prefix.
    ///
    /// ```
    /// assert_eq!(&*absolve_links::Vocabulary::Html.of_attribute().name(b"href"), b"?:href");
    /// ```
    #[must_use]
    pub const fn of_attribute(self) -> Self {
        if matches!(self, Prefixed(_)) { self } else { Self::UNKNOWN }
    }

    /// Returns the name of an element or attribute in the table.
    ///
    /// ```
    /// assert_eq!(&*absolve_links::Vocabulary::of_root(b"feed").name(b"link"), b"atom:link");
    /// ```
    pub fn name(self, local: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Html | Foreign | Absent => Cow::Borrowed(local),
            Prefixed(prefix) => Cow::Owned([prefix.as_bytes(), local].concat()),
        }
    }
}

/// Returns whether two namespaces are the same for readers of feeds and sitemaps.
pub(crate) fn is_same_namespace(one: &[u8], other: &[u8]) -> bool {
    fn essence(uri: &[u8]) -> &[u8] {
        let start = if uri.len() > 5 && uri[..5].eq_ignore_ascii_case(b"https") { 5 } else { uri.len().min(4) };
        let is_web = uri[..start].eq_ignore_ascii_case(b"http") || start == 5;
        let rest = if is_web { &uri[start..] } else { uri };
        rest.strip_suffix(b"/").unwrap_or(rest)
    }
    essence(one).eq_ignore_ascii_case(essence(other))
}

/// The vocabularies whose root elements are common words.
const GUESSED: [&str; 2] = ["docbook:", "dita:"];

/// The root elements of documents without a namespace: of languages that have none, and of others where it is often left out.
const ROOTS: [(Vocabulary<'static>, &str); 11] = [
    (Html, "html"),
    (Foreign, "svg math"),
    (Prefixed("rss:"), "rss"),
    (Prefixed("atom:"), "feed"),
    (Prefixed("opml:"), "opml"),
    (Prefixed("sitemap:"), "urlset sitemapindex"),
    (Prefixed("opensearch:"), "OpenSearchDescription"),
    (Prefixed("kml:"), "kml"),
    (Prefixed("browserconfig:"), "browserconfig"),
    (
        Prefixed("docbook:"),
        "article book chapter part set section sect1 sect2 sect3 sect4 sect5 refentry appendix preface \
         glossary bibliography para simplesect",
    ),
    (
        Prefixed("dita:"),
        "topic concept task reference map bookmap dita glossentry glossgroup troubleshooting subjectScheme learningContent",
    ),
];

const NAMESPACES: [(&str, Vocabulary<'static>); 48] = [
    ("http://www.w3.org/1999/xhtml", Html),
    ("http://www.w3.org/2000/svg", Foreign),
    ("http://www.w3.org/1998/Math/MathML", Foreign),
    ("http://www.w3.org/1999/xlink", Prefixed("xlink:")),
    ("http://www.w3.org/XML/1998/namespace", Prefixed("xml:")),
    ("http://www.w3.org/2001/XInclude", Prefixed("xi:")),
    ("urn:schemas-microsoft-com:vml", Prefixed("v:")),
    ("urn:schemas-microsoft-com:office:office", Prefixed("o:")),
    ("http://schemas.openxmlformats.org/officeDocument/2006/relationships", Prefixed("r:")),
    ("http://www.w3.org/2005/Atom", Prefixed("atom:")),
    ("http://purl.org/atom/ns#", Prefixed("atom:")),
    ("http://www.w3.org/2007/app", Prefixed("app:")),
    ("http://purl.org/atom/app#", Prefixed("app:")),
    ("http://purl.org/syndication/thread/1.0", Prefixed("thr:")),
    ("http://purl.org/rss/1.0/", Prefixed("rss:")),
    ("http://my.netscape.com/rdf/simple/0.9/", Prefixed("rss:")),
    ("http://channel.netscape.com/rdf/simple/0.9/", Prefixed("rss:")),
    ("http://backend.userland.com/rss", Prefixed("rss:")),
    ("http://backend.userland.com/rss2", Prefixed("rss:")),
    ("http://blogs.law.harvard.edu/tech/rss", Prefixed("rss:")),
    ("http://cyber.law.harvard.edu/rss", Prefixed("rss:")),
    ("http://purl.org/rss/1.0/modules/content/", Prefixed("content:")),
    ("http://search.yahoo.com/mrss/", Prefixed("media:")),
    ("http://www.itunes.com/dtds/podcast-1.0.dtd", Prefixed("itunes:")),
    ("http://www.google.com/schemas/play-podcasts/1.0", Prefixed("googleplay:")),
    ("https://podcastindex.org/namespace/1.0", Prefixed("podcast:")),
    ("https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md", Prefixed("podcast:")),
    ("http://podlove.org/simple-chapters", Prefixed("psc:")),
    ("http://wellformedweb.org/CommentAPI/", Prefixed("wfw:")),
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", Prefixed("rdf:")),
    ("http://opml.org/spec2", Prefixed("opml:")),
    ("http://www.sitemaps.org/schemas/sitemap/0.9", Prefixed("sitemap:")),
    ("http://www.google.com/schemas/sitemap/0.84", Prefixed("sitemap:")),
    ("http://www.google.com/schemas/sitemap-image/1.1", Prefixed("image:")),
    ("http://www.google.com/schemas/sitemap-video/1.1", Prefixed("video:")),
    ("http://a9.com/-/spec/opensearch/1.1/", Prefixed("opensearch:")),
    ("http://a9.com/-/spec/opensearchdescription/1.0/", Prefixed("opensearch:")),
    ("http://a9.com/-/spec/opensearchdescription/1.1/", Prefixed("opensearch:")),
    ("http://www.mozilla.org/2006/browser/search/", Prefixed("moz:")),
    ("http://www.opengis.net/kml/2.2", Prefixed("kml:")),
    ("http://www.opengis.net/kml/2.3", Prefixed("kml:")),
    ("http://earth.google.com/kml/2.0", Prefixed("kml:")),
    ("http://earth.google.com/kml/2.1", Prefixed("kml:")),
    ("http://earth.google.com/kml/2.2", Prefixed("kml:")),
    ("http://xspf.org/ns/0/", Prefixed("xspf:")),
    ("http://docbook.org/ns/docbook", Prefixed("docbook:")),
    ("http://maf.mozdev.org/metadata/rdf#", Vocabulary::MAFF),
    ("", Absent),
];
