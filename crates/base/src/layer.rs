//! The layers that may declare a base. Their order is the precedence.

use std::fmt;

/// A layer that may declare a base, innermost first. Of two layers the lesser one wins.
///
/// This derived order is the precedence of draft-fielding-uri-url-00e, section 5. No other code defines it.
///
/// ```
/// use absolve_base::{Field, Layer};
/// let own = Layer::Header { depth: 0, field: Field::ContentLocation };
/// let enclosing = Layer::Header { depth: 1, field: Field::ContentBase };
/// assert!(Layer::Element < own && own < enclosing && enclosing < Layer::Retrieval);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// The `codebase` attribute of an object or applet, for that element only.
    Codebase,
    /// An `xml:base` attribute; 0 is the innermost.
    XmlBase {
        /// The number of elements with `xml:base` between this one and the link.
        depth: usize,
    },
    /// The embedded BASE: in HTML the first `<base href>` of the document tree.
    Element,
    /// The URL of the item of a feed that contains the document.
    Item,
    /// The base of the document that contains this one, for a `srcdoc` or HTML in a feed.
    ParentDocument,
    /// A header field of the part (0) or of an enclosing part or message (1 and more).
    Header {
        /// 0 for the header of the part, 1 for that of the entity around it, and so on.
        depth: usize,
        /// The field of that header.
        field: Field,
    },
    /// The URL that the user gives for references that begin with one slash, and for no others.
    Root,
    /// The URL that the user gives for embedded images, and for no other references.
    Images,
    /// The URL that the outermost entity was retrieved from, after redirects.
    Retrieval,
    /// No base: every reference is interpreted as an absolute URL.
    None,
}

/// The header fields that may declare a base, in the order of their precedence within one header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Field {
    /// `Content-Base`, always absolute (RFC 2110 section 4.2, draft-fielding-uri-url-00e section 5.1).
    ContentBase,
    /// `Content-Location`, absolute or relative.
    ContentLocation,
    /// `Base: <URL:...>`, always absolute (draft-ietf-uri-relative-url-06 section 3.1).
    Base,
}

impl Layer {
    /// Returns the name in JSON and reports.
    ///
    /// ```
    /// assert_eq!(absolve_base::Layer::Retrieval.name(), "retrieval");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Codebase => "codebase",
            Self::XmlBase { .. } => "xml-base",
            Self::Element => "element",
            Self::Item => "item",
            Self::ParentDocument => "parent-document",
            Self::Header { field: Field::ContentBase, .. } => "content-base",
            Self::Header { field: Field::ContentLocation, .. } => "content-location",
            Self::Header { field: Field::Base, .. } => "base",
            Self::Root => "root",
            Self::Images => "images-url",
            Self::Retrieval => "retrieval",
            Self::None => "none",
        }
    }

    /// Returns the box of the drafts that it is in: 1 the document, 2 the headers around it, 3 the retrieval URL, 4 none of them.
    pub const fn number_of_box(self) -> usize {
        match self {
            Self::Header { .. } => 2,
            Self::Root | Self::Images | Self::Retrieval => 3,
            Self::None => 4,
            _ => 1,
        }
    }
}

impl Field {
    /// All fields, in the order of precedence.
    pub const ALL: [Self; 3] = [Self::ContentBase, Self::ContentLocation, Self::Base];

    /// Returns the name of the field.
    ///
    /// ```
    /// assert_eq!(absolve_base::Field::ContentBase.name(), "Content-Base");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::ContentBase => "Content-Base",
            Self::ContentLocation => "Content-Location",
            Self::Base => "Base",
        }
    }

    /// Returns whether the value must be absolute to count.
    pub(crate) const fn must_be_absolute(self) -> bool {
        matches!(self, Self::ContentBase | Self::Base)
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
