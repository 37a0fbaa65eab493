//! Start tags, and what follows them.

use std::ops::Range;

use crate::markup::attributes::attributes;
use crate::markup::name::Name;

/// A complete start tag. Ranges are bytes of the document.
#[derive(Clone, Debug)]
pub(crate) struct StartTag {
    /// From `<` to after `>`.
    pub(crate) range: Range<usize>,
    pub(crate) name: Range<usize>,
    pub(crate) element: Name,
    pub(crate) self_closing: bool,
}

/// What follows a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Tags, comments and text.
    Markup,
    /// The same behind a tag of a `style` that makes no element, as in a frameset.
    Ignored,
    /// RCDATA or RAWTEXT: text up to the matching end tag.
    RawText,
    /// Script data, which has comments and nested scripts of its own.
    Script,
    /// Text up to the end of the document.
    Plaintext,
}

impl StartTag {
    /// Returns whether the tag is a `<base>` with an `href`, of whatever namespace.
    pub(crate) fn is_base_with_href(&self, document: &[u8]) -> bool {
        const BASE: Name = Name::of("base");
        const HREF: Name = Name::of("href");
        let mut has_href = false;
        if self.element == BASE {
            attributes(document, self.name.end, |attribute| has_href |= attribute.name == HREF);
        }
        has_href
    }
}
