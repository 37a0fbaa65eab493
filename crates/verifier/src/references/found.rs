//! The references of a document, with their bytes, places and scopes.

use std::ops::Range;
use std::rc::Rc;

use absolve_links::{SameDocument, embeds_image};

use crate::text::{Places, Text};

/// The references of a document.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Whether line ends in references matter, so that those stay.
    pub(crate) needs_line_ends: bool,
    /// What ends all values, if their quotes may be escaped.
    pub(crate) value_end: Option<&'static str>,
    /// The length of the document in bytes.
    pub(crate) length: usize,
    /// In the order of the bytes.
    pub(crate) references: Vec<Reference>,
    pub(crate) scopes: Vec<Scope>,
    /// The value of the BASE of the document.
    pub(crate) base: Option<String>,
    /// The tags of all BASEs, except for those in comments.
    pub(crate) base_tags: Vec<Range<usize>>,
    /// Whether the imports of an inline script resolve at a BASE.
    pub(crate) has_script_at_base: bool,
    /// What makes a reference of XML a composed one, in the order of the bytes: entities that only the document itself declares, and what
    /// stands between two pieces of a text.
    pub(crate) seams: Vec<Range<usize>>,
    pub(crate) obstacles: Vec<Obstacle>,
    /// The attributes of the elements of HTML that link stylesheets, in the order of the bytes.
    pub(crate) sheets: Vec<Range<usize>>,
}

/// An attribute that keeps browsers from loading local files.
#[derive(Debug)]
pub(crate) struct Obstacle {
    /// The bytes of its name.
    pub(crate) name: Range<usize>,
    /// The attributes of its tag, and the number of documents around that; `None` for a policy, which concerns all of a document.
    pub(crate) tag: Option<(Range<usize>, usize)>,
}

impl Found {
    /// Reports whether what stands in these bytes is composed.
    pub(crate) fn is_composed(&self, range: &Range<usize>) -> bool {
        let next = self.seams.partition_point(|seam| seam.end <= range.start);
        self.seams.get(next).is_some_and(|seam| seam.start < range.end)
    }

    /// Returns the value of the second BASE.
    pub(crate) fn second_base(&self) -> Option<String> {
        let is_in = |range: &Range<usize>, tag: &Range<usize>| tag.start <= range.start && range.end <= tag.end;
        let is_of_base = |one: &&Reference| self.base_tags.iter().any(|tag| is_in(&one.range, tag));
        self.references.iter().filter(is_of_base).nth(1).map(|one| one.text.clone())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Its bytes in the document.
    pub(crate) range: Range<usize>,
    /// Its decoded text.
    pub(crate) text: String,
    /// The places of its characters.
    pub(crate) places: Places,
    pub(crate) place: Rc<Place>,
    /// The custom property whose value contains it, until its document is read.
    pub(crate) property: Option<Rc<str>>,
    /// Whether browsers may resolve it at another stylesheet.
    pub(crate) is_foreign: bool,
    /// Whether its query is in UTF-8, whatever the encoding of the document.
    pub(crate) is_in_utf_8: bool,
    /// Whether it is a pattern of URLs.
    pub(crate) is_pattern: bool,
    /// Whether it is a whole value, which no grammar has cut out of a longer one.
    pub(crate) is_whole: bool,
    /// A character that would end it here, so that only its percent-encoding can be written.
    pub(crate) barred: Option<char>,
    /// The index of its scope.
    pub(crate) scope: usize,
    /// What becomes of it if it leads to the document it stands in.
    pub(crate) same_document: SameDocument,
}

impl Reference {
    /// Returns the reference with this text, in a place where the option for references to the document itself applies.
    pub(crate) fn of(says: Text<'_>, place: Rc<Place>, scope: usize) -> Self {
        let (range, text) = (says.raw(0..says.text.len()), says.text.clone().into_owned());
        Self {
            range,
            text,
            places: says.into_places(),
            place,
            property: None,
            is_foreign: false,
            is_in_utf_8: false,
            is_pattern: false,
            is_whole: false,
            barred: None,
            scope,
            same_document: SameDocument::OnRequest,
        }
    }
}

/// The place of a reference, which is the same before and after the rewrite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// In lower case; empty if there is none.
    pub(crate) element: String,
    pub(crate) attribute: String,
    /// The number of nested documents around it.
    pub(crate) depth: usize,
    /// Whether it is in a list of image candidates, in which no URL ends with a comma.
    pub(crate) is_candidate: bool,
}

impl Place {
    /// Reports whether an image is embedded there. Those of Markdown have no attribute.
    pub(crate) fn is_image(&self) -> bool {
        embeds_image(&self.element, &self.attribute) || (&*self.element, &*self.attribute) == ("image", "")
    }
}

/// A part of a document with one base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Document,
    /// Outside the document; the scope of the BASE itself.
    Outside,
    /// An element that declares a base by a codebase or an `xml:base`.
    Element {
        declared: String,
        is_xml_base: bool,
        within: usize,
    },
    /// The `data` of an object: by HTML 4 its base is the codebase, by the HTML Standard that of the scope around.
    Data {
        codebase: usize,
        within: usize,
    },
    /// A nested document, with the value of its BASE.
    Nested {
        base: Option<String>,
        within: usize,
    },
    /// The content of an item of a feed, with the first link to its page.
    Item {
        link: Option<String>,
        /// Whether it is composed, or has an `xml:base` of its own, so that its target is left open.
        is_unclear: bool,
        within: usize,
    },
    /// What browsers load before they read the BASE of the document, at the base around that.
    BeforeBase {
        document: usize,
        around: usize,
    },
    /// An unknown base: of the document that uses a stylesheet, or declared by entities of the document.
    Unknown,
}

pub(crate) const DOCUMENT: usize = 0;
pub(crate) const OUTSIDE: usize = 1;
pub(crate) const UNKNOWN: usize = 2;
pub(crate) const BEFORE_BASE: usize = 3;
