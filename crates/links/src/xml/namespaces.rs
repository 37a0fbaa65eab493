//! Which vocabulary a name belongs to (Namespaces in XML 1.0).

use std::borrow::Cow;
use std::collections::HashMap;

/// A namespace as the table knows it: by the prefix that names of it have there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vocabulary(&'static str);

impl Vocabulary {
    /// XHTML, SVG and MathML: what HTML has without a prefix.
    pub(super) const MARKUP: Self = Self("");
    /// What the table does not know; no name begins like this.
    const UNKNOWN: Self = Self("?:");

    fn of_namespace(uri: &[u8]) -> Self {
        let known = NAMESPACES.iter().find(|(known, _)| known.as_bytes() == uri);
        known.map_or(Self::UNKNOWN, |(_, prefix)| Self(prefix))
    }

    /// The vocabulary of names without a namespace, by the root element.
    fn of_root(root: &[u8]) -> Self {
        match root {
            b"html" | b"svg" | b"math" => Self::MARKUP,
            b"rss" => Self("rss:"),
            b"opml" => Self("opml:"),
            _ => Self::UNKNOWN,
        }
    }

    /// The name in the table.
    pub(super) fn name(self, local: &[u8]) -> Cow<'_, [u8]> {
        match self.0 {
            "" => Cow::Borrowed(local),
            prefix => Cow::Owned([prefix.as_bytes(), local].concat()),
        }
    }
}

const NAMESPACES: [(&str, &str); 19] = [
    ("http://www.w3.org/1999/xhtml", ""),
    ("http://www.w3.org/2000/svg", ""),
    ("http://www.w3.org/1998/Math/MathML", ""),
    ("http://www.w3.org/1999/xlink", "xlink:"),
    ("http://www.w3.org/XML/1998/namespace", "xml:"),
    ("urn:schemas-microsoft-com:vml", "v:"),
    ("urn:schemas-microsoft-com:office:office", "o:"),
    ("http://www.w3.org/2005/Atom", "atom:"),
    ("http://purl.org/atom/ns#", "atom:"),
    ("http://purl.org/rss/1.0/", "rss:"),
    ("http://my.netscape.com/rdf/simple/0.9/", "rss:"),
    ("http://channel.netscape.com/rdf/simple/0.9/", "rss:"),
    ("http://backend.userland.com/rss2", "rss:"),
    ("http://purl.org/rss/1.0/modules/content/", "content:"),
    ("http://search.yahoo.com/mrss/", "media:"),
    ("http://www.itunes.com/dtds/podcast-1.0.dtd", "itunes:"),
    ("http://wellformedweb.org/CommentAPI/", "wfw:"),
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:"),
    ("http://opml.org/spec2", "opml:"),
];

/// What the prefixes mean where the reader stands.
#[derive(Debug)]
pub(super) struct Namespaces {
    /// Innermost last.
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
    /// Takes up the declarations of an element: what follows `xmlns`, and the values. How many there are.
    pub(super) fn open<'a>(&mut self, declarations: impl Iterator<Item = (&'a [u8], Cow<'a, [u8]>)>) -> usize {
        let before = self.declared.len();
        for (name, uri) in declarations {
            let prefix = match name {
                b"" => name,
                [b':', prefix @ ..] => prefix,
                _ => continue,
            };
            let vocabulary = if uri.is_empty() { self.without } else { Vocabulary::of_namespace(uri.trim_ascii()) };
            self.of_prefix.entry(prefix.to_vec()).or_default().push(vocabulary);
            self.declared.push(prefix.to_vec());
        }
        self.declared.len() - before
    }

    /// Forgets as many declarations.
    pub(super) fn close(&mut self, count: usize) {
        for prefix in self.declared.drain(self.declared.len() - count..) {
            if let Some(vocabularies) = self.of_prefix.get_mut(&prefix) {
                vocabularies.pop();
            }
        }
    }

    /// Tells the root element, by whose name documents without namespaces are known.
    pub(super) fn set_root(&mut self, name: &[u8]) {
        self.without = Vocabulary::of_root(name);
    }

    /// The vocabulary and the local name of an element.
    pub(super) fn element<'n>(&self, name: &'n [u8]) -> (Vocabulary, &'n [u8]) {
        match memchr::memchr(b':', name) {
            Some(colon) => (self.of_prefix(&name[..colon]), &name[colon + 1..]),
            None => (self.declared_for(b"").unwrap_or(self.without), name),
        }
    }

    /// The name of an attribute in the table. Without a prefix it is in no namespace.
    pub(super) fn attribute<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        match memchr::memchr(b':', name) {
            Some(colon) => Cow::Owned(self.of_prefix(&name[..colon]).name(&name[colon + 1..]).into_owned()),
            None => Cow::Borrowed(name),
        }
    }

    fn declared_for(&self, prefix: &[u8]) -> Option<Vocabulary> {
        self.of_prefix.get(prefix)?.last().copied()
    }

    /// A prefix that is not declared is taken for the one that everybody uses.
    fn of_prefix(&self, prefix: &[u8]) -> Vocabulary {
        let is_usual = |known: &&str| known.strip_suffix(':').is_some_and(|known| known.as_bytes() == prefix);
        self.declared_for(prefix).unwrap_or_else(|| {
            let usual = NAMESPACES.iter().map(|(_, known)| *known).find(|known| is_usual(known));
            usual.map_or(Vocabulary::UNKNOWN, Vocabulary)
        })
    }
}
