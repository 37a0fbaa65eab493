//! The vocabularies that names belong to (Namespaces in XML 1.0).

use std::borrow::Cow;
use std::collections::HashMap;

/// A namespace, as the table of links represents it.
///
/// ```
/// use absolve_links::Vocabulary;
/// let atom = Vocabulary::of_namespace(b"http://www.w3.org/2005/Atom");
/// assert_eq!(&*atom.name(b"link"), b"atom:link");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// HTML.
    Html,
    /// SVG and MathML, whose elements HTML has as well.
    Foreign,
    /// A namespace with this prefix in the table, a colon included.
    Prefixed(&'static str),
    /// No namespace. The root element determines the vocabulary.
    Absent,
}

use Vocabulary::{Absent, Foreign, Html, Prefixed};

impl Vocabulary {
    /// A namespace without rows. No name in the table has this prefix.
    const UNKNOWN: Self = Prefixed("?:");

    /// Returns whether its elements have no prefix in the table.
    ///
    /// ```
    /// assert!(absolve_links::Vocabulary::of_root(b"svg").is_markup());
    /// ```
    pub const fn is_markup(self) -> bool {
        matches!(self, Html | Foreign)
    }

    /// Returns the vocabulary of a namespace. Ignores case and a final slash, which vary among feeds.
    ///
    /// ```
    /// use absolve_links::Vocabulary;
    /// assert_eq!(Vocabulary::of_namespace(b"http://www.w3.org/1999/XHTML/"), Vocabulary::Html);
    /// ```
    pub fn of_namespace(uri: &[u8]) -> Self {
        let name = |uri: &[u8]| uri.strip_suffix(b"/").unwrap_or(uri).to_ascii_lowercase();
        let uri = name(uri);
        let known = NAMESPACES.iter().find(|(known, _)| name(known.as_bytes()) == uri);
        known.map_or(Self::UNKNOWN, |(_, vocabulary)| *vocabulary)
    }

    /// Returns the vocabulary of names without a namespace, by the root element.
    ///
    /// ```
    /// use absolve_links::Vocabulary;
    /// assert_eq!(Vocabulary::of_root(b"html"), Vocabulary::Html);
    /// ```
    pub fn of_root(root: &[u8]) -> Self {
        match root {
            b"html" => Html,
            b"svg" | b"math" => Foreign,
            b"rss" => Prefixed("rss:"),
            b"feed" => Prefixed("atom:"),
            b"opml" => Prefixed("opml:"),
            _ => Self::UNKNOWN,
        }
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

const NAMESPACES: [(&str, Vocabulary); 24] = [
    ("http://www.w3.org/1999/xhtml", Html),
    ("http://www.w3.org/2000/svg", Foreign),
    ("http://www.w3.org/1998/Math/MathML", Foreign),
    ("http://www.w3.org/1999/xlink", Prefixed("xlink:")),
    ("http://www.w3.org/XML/1998/namespace", Prefixed("xml:")),
    ("urn:schemas-microsoft-com:vml", Prefixed("v:")),
    ("urn:schemas-microsoft-com:office:office", Prefixed("o:")),
    ("http://schemas.openxmlformats.org/officeDocument/2006/relationships", Prefixed("r:")),
    ("http://www.w3.org/2005/Atom", Prefixed("atom:")),
    ("http://purl.org/atom/ns#", Prefixed("atom:")),
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
    ("http://wellformedweb.org/CommentAPI/", Prefixed("wfw:")),
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", Prefixed("rdf:")),
    ("http://opml.org/spec2", Prefixed("opml:")),
    ("", Absent),
];

/// The namespaces in scope.
///
/// ```
/// use absolve_links::Namespaces;
/// let mut namespaces = Namespaces::default();
/// let count = namespaces.open([(&b":x"[..], "http://www.w3.org/2005/Atom".into())].into_iter());
/// let (vocabulary, local) = namespaces.element(b"x:link");
/// assert_eq!(&*vocabulary.name(local), b"atom:link");
/// namespaces.close(count);
/// ```
#[derive(Debug)]
pub struct Namespaces {
    /// The vocabularies of each prefix, innermost last.
    of_prefix: HashMap<Vec<u8>, Vec<Vocabulary>>,
    declared: Vec<Vec<u8>>,
    without: Vocabulary,
}

impl Default for Namespaces {
    fn default() -> Self {
        Self { of_prefix: HashMap::new(), declared: Vec::new(), without: Vocabulary::UNKNOWN }
    }
}

impl Namespaces {
    /// Adds the declarations of an element, given as the rest of the name after `xmlns` and the value. Returns their
    /// number.
    pub fn open<'a>(&mut self, declarations: impl Iterator<Item = (&'a [u8], Cow<'a, str>)>) -> usize {
        let before = self.declared.len();
        for (name, uri) in declarations {
            let prefix = match name {
                b"" => name,
                [b':', prefix @ ..] => prefix,
                _ => continue,
            };
            let vocabulary = Vocabulary::of_namespace(uri.as_bytes().trim_ascii());
            self.of_prefix.entry(prefix.to_vec()).or_default().push(vocabulary);
            self.declared.push(prefix.to_vec());
        }
        self.declared.len() - before
    }

    /// Removes the last `count` declarations.
    pub fn close(&mut self, count: usize) {
        for prefix in self.declared.drain(self.declared.len() - count..) {
            if let Some(vocabularies) = self.of_prefix.get_mut(&prefix) {
                vocabularies.pop();
            }
        }
    }

    /// Sets the root element, whose name determines the vocabulary of names without a namespace.
    pub fn set_root(&mut self, name: &[u8]) {
        self.without = Vocabulary::of_root(name);
    }

    /// Returns the vocabulary and the local name of an element.
    pub fn element<'n>(&self, name: &'n [u8]) -> (Vocabulary, &'n [u8]) {
        match memchr::memchr(b':', name) {
            Some(colon) => (self.of_prefix(&name[..colon]), &name[colon + 1..]),
            None => match self.declared_for(b"") {
                None | Some(Absent) => (self.without, name),
                Some(vocabulary) => (vocabulary, name),
            },
        }
    }

    /// Returns the name of an attribute in the table. Without a prefix, an attribute is in no namespace.
    pub fn attribute<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        match memchr::memchr(b':', name) {
            Some(colon) => {
                let vocabulary = self.of_prefix(&name[..colon]).of_attribute();
                Cow::Owned(vocabulary.name(&name[colon + 1..]).into_owned())
            }
            None => Cow::Borrowed(name),
        }
    }

    fn declared_for(&self, prefix: &[u8]) -> Option<Vocabulary> {
        self.of_prefix.get(prefix)?.last().copied()
    }

    fn of_prefix(&self, prefix: &[u8]) -> Vocabulary {
        self.declared_for(prefix).unwrap_or_else(|| Vocabulary::of_prefix(prefix))
    }
}
