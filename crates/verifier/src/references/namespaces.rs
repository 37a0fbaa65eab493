//! Which vocabulary a name of XML belongs to.

use std::collections::HashMap;

/// The vocabularies of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    Html,
    /// SVG and MathML.
    Foreign,
    /// Names that the table has with this prefix.
    Prefixed(&'static str),
    /// No namespace at all.
    Absent,
    Other,
}

use Vocabulary::{Absent, Foreign, Html, Other, Prefixed};

impl Vocabulary {
    /// Whether the table has its elements without a prefix.
    pub(crate) const fn is_markup(self) -> bool {
        matches!(self, Html | Foreign)
    }

    /// A name as the table has it.
    pub(crate) fn prefixed(self, local: &str) -> String {
        let local = local.to_ascii_lowercase();
        match self {
            Html | Foreign | Absent => local,
            Prefixed(prefix) => format!("{prefix}:{local}"),
            Other => format!("?:{local}"),
        }
    }
}

/// The vocabulary of a namespace; slashes at its end and capitals do not matter.
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

/// The vocabulary of names without a namespace, by the root element.
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

/// The prefixes that are declared where the reader stands.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    /// What each means, in the element around first.
    meanings: HashMap<String, Vec<Vocabulary>>,
}

impl Prefixes {
    pub(crate) fn declare(&mut self, prefix: &str, vocabulary: Vocabulary) {
        self.meanings.entry(prefix.to_owned()).or_default().push(vocabulary);
    }

    /// Goes back to what the prefix meant before.
    pub(crate) fn undeclare(&mut self, prefix: &str) {
        self.meanings.get_mut(prefix).and_then(Vec::pop);
    }

    fn declared(&self, prefix: &str) -> Option<Vocabulary> {
        self.meanings.get(prefix)?.last().copied()
    }

    /// The vocabulary of an element.
    pub(crate) fn of_element(&self, name: &str, root: Vocabulary) -> Vocabulary {
        match name.split_once(':') {
            Some((prefix, _)) => self.of_prefix(&prefix.to_ascii_lowercase()),
            None => match self.declared("") {
                None | Some(Absent) => root,
                Some(vocabulary) => vocabulary,
            },
        }
    }

    /// The name of an attribute in the table. Without a prefix it is in no namespace.
    pub(crate) fn attribute(&self, name: &str) -> String {
        match name.split_once(':') {
            Some((prefix, local)) => match self.of_prefix(prefix) {
                known @ Prefixed(_) => known.prefixed(local),
                _ => Other.prefixed(local),
            },
            None => name.to_owned(),
        }
    }

    /// A prefix that is not declared is taken for the one that everybody uses.
    fn of_prefix(&self, prefix: &str) -> Vocabulary {
        const USUAL: [&str; 12] =
            ["xlink", "xml", "v", "o", "r", "atom", "rss", "content", "media", "itunes", "wfw", "rdf"];
        let usual = || USUAL.into_iter().chain(["opml"]).find(|usual| *usual == prefix).map(Prefixed);
        self.declared(prefix).or_else(usual).unwrap_or(Other)
    }
}
