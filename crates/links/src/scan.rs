//! What is found in a document.

use std::ops::Range;
use std::{error, fmt};

use crate::value::wrappings::Wrappings;

/// Everything found in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// The links in the order of their tags. Ranges do not overlap.
    pub links: Vec<Link>,
    /// The stretches with a base of their own; a link names its scope by its index here.
    pub scopes: Vec<Scope>,
    /// The link that is the embedded BASE: in HTML the first `<base href>` of the document tree.
    pub base: Option<usize>,
    /// The links that are the href of a BASE in the document tree, in their order.
    pub bases: Vec<usize>,
    /// The links whose tags pin the bytes they lead to (`integrity`).
    pub pinned: Vec<usize>,
    /// The first byte of a tag that allows styles by their digests (`Content-Security-Policy`).
    pub style_policy: Option<usize>,
    /// What was seen and could not be read, each kind once.
    pub remarks: Vec<Remark>,
}

impl Scan {
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
    /// It is in an encoding that no browser reads: UTF-7, ISO-2022-KR, HZ and others.
    Charset,
    /// Only its tree could tell its tags, and the tree took more work than a document of this size may.
    TreeTooLarge,
    /// Its declarations of a base nest too deep.
    NestingTooDeep,
    /// Its content is not of its type.
    NotItsType,
    /// It is no well-formed XML; the byte where that shows.
    NotWellFormed(usize),
}

/// Something within a document that was left unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What it is.
    pub kind: RemarkKind,
    /// The first byte of the tag or text where it stands first.
    pub byte: usize,
    /// How often it stands in the document.
    pub count: usize,
}

/// Why something within a document was left unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RemarkKind {
    /// A document in a document in a document.
    NestingTooDeep,
    /// A document within this one would be refused as a document of its own.
    NestedRefused,
    /// A value that is put together from entities, or from several sections.
    Composed,
    /// A line of plain text that ends, within a reference, with a hyphen that may be none of it.
    Hyphen,
}

/// A reference at a known place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The bytes of the document that hold the reference, without surrounding white space.
    pub range: Range<usize>,
    /// What wraps the reference there.
    pub wrappings: Wrappings,
    /// The place it stands in.
    pub place: Place,
    /// Which of [`Scan::scopes`] it resolves in.
    pub scope: usize,
}

impl RemarkKind {
    /// Whether links may have been left unread.
    ///
    /// ```
    /// assert!(!absolve_links::RemarkKind::Hyphen.leaves_unread());
    /// ```
    pub const fn leaves_unread(self) -> bool {
        !matches!(self, Self::Hyphen)
    }
}

impl Link {
    /// The row of the table by which it was found, if it stands in no document within this one.
    pub(crate) const fn row(&self) -> Option<u16> {
        match self.place {
            Place::Attribute { row, nesting: 0, .. } => Some(row),
            _ => None,
        }
    }
}

/// What a link belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// An attribute of the tag that begins at byte `tag`, or the text behind it, by a row of the [`Table`](crate::Table).
    Attribute {
        /// The `<` of the tag.
        tag: usize,
        /// The index of the row.
        row: u16,
        /// How many wrappings of the link are around the tag as well: those of the documents within this one.
        nesting: u8,
    },
    /// The text of the style element whose tag begins at byte `tag`.
    StyleElement {
        /// The `<` of the tag.
        tag: usize,
        /// As for an attribute.
        nesting: u8,
    },
    /// A stylesheet of its own.
    Stylesheet,
    /// Plain text.
    Text,
}

impl Place {
    /// The first byte of the tag; 0 where there is none.
    pub(crate) const fn start(self) -> usize {
        match self {
            Self::Attribute { tag, .. } | Self::StyleElement { tag, .. } => tag,
            Self::Stylesheet | Self::Text => 0,
        }
    }

    /// Moves the place of a nested document to the document around, where `outer` tells where the tag stands.
    pub(crate) fn nest(&mut self, outer: impl Fn(usize) -> Option<usize>) -> Option<()> {
        if let Self::Attribute { tag, nesting, .. } | Self::StyleElement { tag, nesting } = self {
            *tag = outer(*tag)?;
            *nesting += 1;
        }
        Some(())
    }
}

/// A stretch of a document with one base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// The document: its embedded BASE counts.
    Document,
    /// What stands outside the document: the BASE element itself resolves here.
    Outside,
    /// An element with a `codebase`.
    Codebase {
        /// The link that is the codebase.
        link: usize,
        /// The scope around, of a lower index.
        within: usize,
    },
    /// The `data` of an object with a `codebase` that is no plug-in's: by HTML 4 it resolves in the codebase, by the
    /// HTML Standard in the scope around.
    ObjectData {
        /// The scope of the codebase, of a lower index.
        codebase: usize,
        /// The scope around, of a lower index.
        within: usize,
    },
    /// An element with an `xml:base`.
    XmlBase {
        /// The link that is the base.
        link: usize,
        /// The scope around, of a lower index.
        within: usize,
    },
    /// A document within this one.
    Nested {
        /// The link that is its embedded BASE.
        base: Option<usize>,
        /// The scope around, of a lower index.
        within: usize,
    },
    /// Something whose base the document does not tell: documents that use a stylesheet.
    Unknown,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Charset => formatter.write_str("it is in an encoding that no browser reads"),
            Self::TreeTooLarge => formatter.write_str("the document tree takes too much work to build"),
            Self::NestingTooDeep => formatter.write_str("the elements with an xml:base nest too deep"),
            Self::NotItsType => formatter.write_str("the content is not of the type that its name or label says"),
            Self::NotWellFormed(_) => formatter.write_str("the document is no well-formed XML"),
        }
    }
}

impl error::Error for Refusal {}
