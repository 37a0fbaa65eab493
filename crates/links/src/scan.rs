//! The result of scanning a document.

use std::ops::Range;
use std::{error, fmt};

use crate::value::wrappings::Wrappings;

/// Everything found in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// The links, in the order of their tags. Their ranges do not overlap.
    pub links: Vec<Link>,
    /// The scopes, each with a base of its own. [`Link::scope`] is an index into this list.
    pub scopes: Vec<Scope>,
    /// The index of the link that is the embedded BASE: in HTML the first `<base href>` of the document tree.
    pub base: Option<usize>,
    /// The indexes of the links that are the `href` of a BASE element in the document tree.
    pub bases: Vec<usize>,
    /// The indexes of the links whose tags have an integrity hash (Subresource Integrity).
    pub with_integrity: Vec<usize>,
    /// What keeps browsers from loading local files, in the order of its bytes within a document and those around it; that in tags only if
    /// the document has such files, see [`Document::with_local_files`](crate::Document::with_local_files).
    pub obstacles: Vec<Obstacle>,
    /// The first byte of a `<meta>` whose `Content-Security-Policy` allows styles by hashes.
    pub style_policy: Option<usize>,
    /// The remarks, one for each kind.
    pub remarks: Vec<Remark>,
    /// The place of the first attribute that may contain a reference in a vocabulary that the table does not know, as
    /// [`Row`](crate::Row) parses it, without its grammar.
    pub unknown_place: Option<String>,
    /// What the document says of its links, in their order; see [`Document::with_annotations`](crate::Document).
    pub annotations: Vec<Annotation>,
    /// References in places that the table only notes.
    pub unsearched: Vec<Link>,
    /// The number of inline scripts with relative imports, if the table notes any.
    pub scripts: usize,
    /// The first byte of the first inline script with relative imports that resolve at a BASE, if the document was asked for it; see
    /// [`Document::with_scripts_at_base`](crate::Document::with_scripts_at_base).
    pub script_at_base: Option<usize>,
}

/// An attribute that keeps browsers from loading local files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The first byte of the tag whose links it concerns; `None` for a `Content-Security-Policy`.
    pub tag: Option<usize>,
    /// Its name.
    pub name: Range<usize>,
}

/// What a document says of the links in one tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The indexes of the links.
    pub links: Range<usize>,
    /// The `rel` of an `a`, `area`, `form` or `link`, in at most 200 characters.
    pub rel: Option<String>,
    /// The text of an `a` without scripts and styles, in at most 200 characters.
    pub text: Option<String>,
}

impl Scan {
    /// Returns what the document says of the link of this index.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Table};
    /// let document = Document::new(b"<img src=x><a href=y>z</a>", DocumentType::Html).with_annotations();
    /// let scan = document.scan(&Table::default())?;
    /// assert!(scan.annotation(0).is_none() && scan.annotation(1).is_some());
    /// # Ok::<(), absolve_links::Refusal>(())
    /// ```
    pub fn annotation(&self, link: usize) -> Option<&Annotation> {
        let after = self.annotations.partition_point(|annotation| annotation.links.start <= link);
        self.annotations[..after].last().filter(|annotation| annotation.links.contains(&link))
    }

    /// Returns how often something was remarked.
    pub(crate) fn remarked(&self) -> usize {
        self.remarks.iter().map(|remark| remark.count).sum()
    }

    #[cold]
    pub(crate) fn remark(&mut self, kind: RemarkKind, byte: usize) {
        match self.remarks.iter_mut().find(|remark| remark.kind == kind) {
            Some(remark) => remark.count += 1,
            None => self.remarks.push(Remark { kind, byte, count: 1 }),
        }
    }
}

/// Why a document was left unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// It is in an encoding that no browser supports: UTF-7, ISO-2022-KR, HZ and others.
    Charset,
    /// Finding its tags needs a document tree, and building the tree exceeded the budget for a document of this size.
    TreeTooLarge,
    /// Its `xml:base` attributes are nested too deeply.
    NestingTooDeep,
    /// Its content does not match its declared type.
    NotItsType,
    /// It is XML, and this crate was built without its feature `xml`.
    NoXml,
    /// It is not well-formed XML. Contains the byte of the error.
    NotWellFormed(usize),
    /// It is not JSON in UTF-8. Contains the byte of the error.
    NotJson(usize),
    /// Two editions of HTML read it differently. Contains the byte of the tag.
    Disputed(usize),
}

/// A remark about parts of a document, most of which were left unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The kind of the remark.
    pub kind: RemarkKind,
    /// The first byte of the first such tag or text.
    pub byte: usize,
    /// The number of such parts.
    pub count: usize,
}

/// The kind of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RemarkKind {
    /// Nested documents, or nested conditional comments, exceed the limit.
    NestingTooDeep,
    /// A nested document cannot be scanned.
    NestedRefused,
    /// A value is composed of entities or of several sections.
    Composed,
    /// A line of plain text breaks within a reference after a hyphen that may be no part of it.
    Hyphen,
    /// A link of a wiki (`[[page]]`) in Markdown, where it is text.
    WikiLink,
    /// A link in Markdown between two dollar signs, where some readers show mathematics.
    Mathematics,
    /// Attributes of XML that may contain references, in a vocabulary that the table does not know.
    UnknownVocabulary,
    /// A pattern of URLs that is an object of components, some of which it has from its base.
    PatternObject,
}

/// A reference and its place in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The range of the reference in the document, without surrounding white space.
    pub range: Range<usize>,
    /// How the reference is encoded there.
    pub wrappings: Wrappings,
    /// The construct that contains it.
    pub place: Place,
    /// The index of its scope in [`Scan::scopes`].
    pub scope: usize,
}

impl RemarkKind {
    /// Returns whether links may have been left unread.
    ///
    /// ```
    /// assert!(!absolve_links::RemarkKind::Hyphen.leaves_unread());
    /// ```
    pub const fn leaves_unread(self) -> bool {
        !matches!(self, Self::Hyphen | Self::WikiLink | Self::Mathematics)
    }
}

impl Link {
    /// Returns the row of the table that matches the link, unless it is in a nested document.
    pub(crate) const fn row(&self) -> Option<u16> {
        match self.place {
            Place::Attribute { row, nesting: 0, .. } => Some(row),
            _ => None,
        }
    }
}

/// The construct that contains a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// An attribute of a tag, or the text after the tag, matched by a row of the [`Table`](crate::Table).
    Attribute {
        /// The byte of the `<` of the tag.
        tag: usize,
        /// The index of the row.
        row: u16,
        /// The number of outer wrappings of the link that also enclose the tag: those of nested documents.
        nesting: u8,
    },
    /// The text of a `style` element.
    StyleElement {
        /// The byte of the `<` of the tag.
        tag: usize,
        /// As for an attribute.
        nesting: u8,
    },
    /// A stylesheet that is a document of its own.
    Stylesheet,
    /// Plain text.
    Text,
    /// A destination in Markdown.
    Markdown(MarkdownPlace),
}

/// What a destination in Markdown is that of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkdownPlace {
    /// A link, or a definition that is not of images alone.
    Link,
    /// An image, or a definition that only images use.
    Image,
}

impl Place {
    /// Returns the first byte of the tag, or 0 without a tag.
    pub(crate) const fn start(self) -> usize {
        match self {
            Self::Attribute { tag, .. } | Self::StyleElement { tag, .. } => tag,
            Self::Stylesheet | Self::Text | Self::Markdown(_) => 0,
        }
    }

    /// Converts a place in a nested document to one in the outer document, where `outer` maps positions.
    pub(crate) fn nest(&mut self, outer: impl Fn(usize) -> Option<usize>) -> Option<()> {
        if let Self::Attribute { tag, nesting, .. } | Self::StyleElement { tag, nesting } = self {
            *tag = outer(*tag)?;
            *nesting += 1;
        }
        Some(())
    }
}

/// A part of a document with one base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// The document: its embedded BASE applies.
    Document,
    /// The surroundings of the document: the BASE element itself resolves here.
    Outside,
    /// An element with a `codebase` attribute.
    Codebase {
        /// The index of the link that is the codebase.
        link: usize,
        /// The scope around, of a lower index.
        within: usize,
    },
    /// The `data` of an object with a `codebase`, unless that is the address of a plug-in. It resolves in the codebase
    /// according to HTML 4, and in the scope around according to the HTML Standard.
    ObjectData {
        /// The scope of the codebase, of a lower index.
        codebase: usize,
        /// The scope around, of a lower index.
        within: usize,
    },
    /// An element with an `xml:base`.
    XmlBase {
        /// The index of the link that is the base.
        link: usize,
        /// The scope around, of a lower index.
        within: usize,
    },
    /// The content of an item of a feed, in which no `xml:base` stands.
    Item {
        /// The index of the link that is the URL of the item, if it has one.
        link: Option<usize>,
        /// Whether the item has another link that may be its URL.
        is_ambiguous: bool,
        /// Whether it has a URL that is not read: it is composed of several pieces, or has an `xml:base` of its own.
        is_unclear: bool,
        /// The scope around the item, of a lower index.
        within: usize,
    },
    /// Values of custom properties that the document does not use itself. Some browsers resolve them at the stylesheet that does, others
    /// here.
    CustomProperty {
        /// The scope around, of a lower index.
        within: usize,
    },
    /// A nested document.
    Nested {
        /// The index of the link that is its embedded BASE.
        base: Option<usize>,
        /// The scope around, of a lower index.
        within: usize,
    },
    /// What stands before the BASE of an HTML document, and which browsers may load before they read that.
    BeforeBase {
        /// Whether all browsers load it at the base around the document.
        is_certain: bool,
        /// The scope of the document, of a lower index.
        document: usize,
        /// The scope around the document, of a lower index.
        around: usize,
    },
    /// A scope whose base is unknown, as that of the documents that use a stylesheet.
    Unknown,
}

impl Scope {
    /// Returns the scope in the document around, where the first link has this index, and scopes the indexes that `moved` gives.
    pub(crate) fn nest(self, first_link: usize, moved: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Codebase { link, within } => Self::Codebase { link: first_link + link, within: moved(within) },
            Self::ObjectData { codebase, within } => {
                Self::ObjectData { codebase: moved(codebase), within: moved(within) }
            }
            Self::Nested { base, within } => {
                Self::Nested { base: base.map(|base| first_link + base), within: moved(within) }
            }
            Self::CustomProperty { within } => Self::CustomProperty { within: moved(within) },
            Self::BeforeBase { is_certain, document, around } => {
                Self::BeforeBase { is_certain, document: moved(document), around: moved(around) }
            }
            other => other,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Charset => formatter.write_str("the document declares an encoding that no browser reads"),
            Self::TreeTooLarge => formatter.write_str("the document tree takes too much work to build"),
            Self::NestingTooDeep => formatter.write_str("the elements with an xml:base are nested too deeply"),
            Self::NotItsType => formatter.write_str("the content does not match the type of its name or label"),
            Self::NoXml => formatter.write_str("this build reads no XML (its feature xml is off)"),
            Self::NotWellFormed(_) => formatter.write_str("the document is not well-formed XML"),
            Self::NotJson(_) => formatter.write_str("the document is not JSON in UTF-8"),
            Self::Disputed(_) => formatter
                .write_str("an element of raw text in a <select> is read differently by new and older browsers"),
        }
    }
}

impl error::Error for Refusal {}
