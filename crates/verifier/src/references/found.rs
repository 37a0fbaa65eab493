//! The references of a document, with their bytes, places and scopes.

use std::ops::Range;

use absolve_links::SameDocument;

use crate::text::{Places, Text};

/// What a document holds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// In the order of the bytes.
    pub(crate) references: Vec<Reference>,
    pub(crate) scopes: Vec<Scope>,
    /// What the BASE of the document says.
    pub(crate) base: Option<String>,
    /// The tags of all BASEs, those in comments left out.
    pub(crate) base_tags: Vec<Range<usize>>,
    /// The references of XML to entities that only the document itself explains, in the order of their bytes.
    pub(crate) entities: Vec<Range<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Its bytes in the document.
    pub(crate) range: Range<usize>,
    /// What it says.
    pub(crate) text: String,
    /// Where its characters stand.
    pub(crate) places: Places,
    pub(crate) place: Place,
    /// A character that would end it, and that nothing but an escape of the URL can write.
    pub(crate) barred: Option<char>,
    /// The index of its scope.
    pub(crate) scope: usize,
    /// What becomes of it when it means the document it stands in.
    pub(crate) same_document: SameDocument,
}

impl Reference {
    /// The reference that a text is, in a place where it may be asked for what becomes of it.
    pub(crate) fn of(says: Text<'_>, place: Place, scope: usize) -> Self {
        let (range, text) = (says.raw(0..says.text.len()), says.text.clone().into_owned());
        Self { range, text, places: says.into_places(), place, barred: None, scope, same_document: SameDocument::Asked }
    }
}

/// The place of a reference; alike in the original and in what was made of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// In lower case; empty where there is none.
    pub(crate) element: String,
    pub(crate) attribute: String,
    /// How many documents it stands in within the document.
    pub(crate) depth: usize,
    /// Whether it is in a list of image candidates, where no URL ends with a comma.
    pub(crate) is_candidate: bool,
}

/// A stretch of a document with one base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Document,
    /// What stands outside the document, for the BASE itself.
    Outside,
    /// An element with a reference that is the base in it: a codebase, an `xml:base`.
    Element {
        declared: String,
        is_xml_base: bool,
        within: usize,
    },
    /// The data of an object: by HTML 4 it is in the scope of the codebase, by the HTML Standard in that around.
    Data {
        codebase: usize,
        within: usize,
    },
    /// A document within this one, and what its BASE says.
    Nested {
        base: Option<String>,
        within: usize,
    },
    /// The document that a stylesheet of its own is for, or where only entities of the document tell the base.
    Unknown,
}

pub(crate) const DOCUMENT: usize = 0;
pub(crate) const OUTSIDE: usize = 1;
pub(crate) const UNKNOWN: usize = 2;
