//! The vocabularies of XML names.

use std::borrow::Cow;
use std::collections::HashMap;

/// The vocabularies of the table of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    Html,
    /// SVG and MathML.
    Foreign,
    /// Names with this prefix in the table.
    Prefixed(&'static str),
    /// No namespace.
    Absent,
    Other,
}

use Vocabulary::{Absent, Foreign, Html, Other, Prefixed};

impl Vocabulary {
    /// Reports whether the elements of this vocabulary have no prefix in the table.
    pub(crate) const fn is_markup(self) -> bool {
        matches!(self, Html | Foreign)
    }

    /// Returns a name as in the table.
    pub(crate) fn prefixed(self, local: &str) -> String {
        let local = local.to_ascii_lowercase();
        match self {
            Html | Foreign | Absent => local,
            Prefixed(prefix) => format!("{prefix}:{local}"),
            Other => format!("?:{local}"),
        }
    }
}

/// Returns the vocabulary of a namespace; trailing slashes and case are ignored.
pub(crate) fn of_uri(uri: &str) -> Vocabulary {
    let uri = uri.to_ascii_lowercase();
    match uri.strip_suffix('/').unwrap_or(&uri) {
        "" => Absent,
        "http://www.w3.org/1999/xhtml" => Html,
        "http://www.w3.org/2000/svg" | "http://www.w3.org/1998/math/mathml" => Foreign,
        "http://www.w3.org/1999/xlink" => Prefixed("xlink"),
        "http://www.w3.org/xml/1998/namespace" => Prefixed("xml"),
        "urn:schemas-microsoft-com:vml" => Prefixed("v"),
        "urn:schemas-microsoft-com:office:office" => Prefixed("o"),
        "http://schemas.openxmlformats.org/officedocument/2006/relationships" => Prefixed("r"),
        "http://www.w3.org/2005/atom" | "http://purl.org/atom/ns#" => Prefixed("atom"),
        "http://purl.org/rss/1.0"
        | "http://my.netscape.com/rdf/simple/0.9"
        | "http://channel.netscape.com/rdf/simple/0.9"
        | "http://backend.userland.com/rss"
        | "http://backend.userland.com/rss2"
        | "http://blogs.law.harvard.edu/tech/rss"
        | "http://cyber.law.harvard.edu/rss" => Prefixed("rss"),
        "http://purl.org/rss/1.0/modules/content" => Prefixed("content"),
        "http://search.yahoo.com/mrss" => Prefixed("media"),
        "http://www.itunes.com/dtds/podcast-1.0.dtd" => Prefixed("itunes"),
        "http://wellformedweb.org/commentapi" => Prefixed("wfw"),
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#" => Prefixed("rdf"),
        "http://opml.org/spec2" => Prefixed("opml"),
        _ => Other,
    }
}

/// Returns the vocabulary of names without a namespace, by the root element.
pub(crate) fn of_root(root: &str) -> Vocabulary {
    match root {
        "html" => Html,
        "svg" | "math" => Foreign,
        "rss" => Prefixed("rss"),
        "feed" => Prefixed("atom"),
        "opml" => Prefixed("opml"),
        _ => Other,
    }
}

/// The prefixes that are declared at the current position.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    /// The vocabularies of each prefix, the outermost first.
    meanings: HashMap<String, Vec<Vocabulary>>,
}

impl Prefixes {
    pub(crate) fn declare(&mut self, prefix: &str, vocabulary: Vocabulary) {
        self.meanings.entry(prefix.to_owned()).or_default().push(vocabulary);
    }

    /// Restores the previous vocabulary of a prefix.
    pub(crate) fn undeclare(&mut self, prefix: &str) {
        self.meanings.get_mut(prefix).and_then(Vec::pop);
    }

    fn declared(&self, prefix: &str) -> Option<Vocabulary> {
        self.meanings.get(prefix)?.last().copied()
    }

    /// Returns the vocabulary of an element.
    pub(crate) fn of_element(&self, name: &str, root: Vocabulary) -> Vocabulary {
        match name.split_once(':') {
            Some((prefix, _)) => self.of_prefix(&prefix.to_ascii_lowercase()),
            None => match self.declared("") {
                None | Some(Absent) => root,
                Some(vocabulary) => vocabulary,
            },
        }
    }

    /// Returns the name of an attribute in the table. Without a prefix it has no namespace.
    pub(crate) fn attribute<'n>(&self, name: Cow<'n, str>) -> Cow<'n, str> {
        match name.split_once(':') {
            Some((prefix, local)) => match self.of_prefix(prefix) {
                known @ Prefixed(_) => known.prefixed(local).into(),
                _ => Other.prefixed(local).into(),
            },
            None => name,
        }
    }

    /// Returns the vocabulary of a prefix; an undeclared one has its usual vocabulary.
    fn of_prefix(&self, prefix: &str) -> Vocabulary {
        const USUAL: [&str; 12] =
            ["xlink", "xml", "v", "o", "r", "atom", "rss", "content", "media", "itunes", "wfw", "rdf"];
        let usual = || USUAL.into_iter().chain(["opml"]).find(|usual| *usual == prefix).map(Prefixed);
        self.declared(prefix).or_else(usual).unwrap_or(Other)
    }
}
