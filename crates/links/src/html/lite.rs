//! Tree construction from element names, which detects when that is not exact.

use super::feedback::{Feedback, Hidden};
use super::special::{Special, special};
use super::token::{Content, StartTag};
use crate::markup::name::Name;

/// Feedback without a tree. It tracks foreign content with a small stack. It becomes `ambiguous` and stops where the
/// tokens depend on a tree: where foreign content ends without its end tags, and at integration points, framesets,
/// `<col>` in a template, and bases in a template or after a table.
#[derive(Debug, Default)]
pub(crate) struct Lite {
    /// The open elements from svg or math inwards, in lower case.
    foreign: Vec<Vec<u8>>,
    saw_template: bool,
    saw_table: bool,
    bases: usize,
    first_base: Option<usize>,
    hidden: Hidden,
    ambiguous: bool,
}

impl Lite {
    /// Returns whether the tokens depend on a tree. The tokens so far are incomplete then.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.ambiguous
    }

    /// Returns the first `<base href>` of the document tree, as an index among those of the source.
    pub(crate) fn first_base(&self) -> Option<usize> {
        self.first_base
    }

    /// Returns whether the next tag is in HTML: no foreign element is open.
    #[inline]
    pub(crate) fn is_in_html(&self) -> bool {
        self.foreign.is_empty()
    }

    /// Counts a base. The first base of the source is the first of the tree, unless it may be in a template, or a later
    /// one is moved out of a table and before it.
    #[cold]
    fn base(&mut self, document: &[u8], at: usize) {
        match self.first_base {
            _ if !self.foreign.is_empty() || self.hidden.hides(document, at) => {}
            None => {
                self.ambiguous |= self.saw_template;
                self.first_base = Some(self.bases);
            }
            Some(_) => self.ambiguous |= self.saw_table,
        }
        self.bases += 1;
    }

    #[cold]
    fn foreign_start_tag(&mut self, document: &[u8], tag: &StartTag) -> Content {
        let is_integration_point = |name: &Vec<u8>| INTEGRATION_POINTS.contains(&Name::of_bytes(name));
        let in_integration_point = self.foreign.last().is_some_and(is_integration_point);
        self.ambiguous |= in_integration_point || BREAKOUTS.contains(&tag.element);
        if !tag.self_closing {
            self.foreign.push(document[tag.name.clone()].to_ascii_lowercase());
        }
        Content::Markup
    }

    #[cold]
    fn foreign_end_tag(&mut self, name: &[u8]) {
        self.ambiguous |= !self.foreign.pop().is_some_and(|open| open.eq_ignore_ascii_case(name));
    }
}

impl Feedback for Lite {
    #[inline]
    fn start_tag(&mut self, document: &[u8], tag: &StartTag) -> Content {
        let special = special(tag.element);
        if special == Some(Special::Base) && tag.is_base_with_href(document) {
            self.base(document, tag.range.start);
        }
        if !self.foreign.is_empty() {
            return self.foreign_start_tag(document, tag);
        }
        match special {
            None | Some(Special::Base | Special::Select) => {}
            Some(Special::Text(content)) => return content,
            Some(Special::Foreign) if tag.self_closing => {}
            Some(Special::Foreign) => self.foreign.push(document[tag.name.clone()].to_ascii_lowercase()),
            Some(Special::Frameset) => self.ambiguous = true,
            Some(Special::Template) => self.saw_template = true,
            // A template whose first content is a column ignores raw text elements.
            Some(Special::Column) => self.ambiguous |= self.saw_template,
            Some(Special::Table) => self.saw_table = true,
            Some(Special::Noscript) => self.hidden.open(tag),
        }
        Content::Markup
    }

    #[inline]
    fn end_tag(&mut self, name: &[u8]) {
        if !self.foreign.is_empty() {
            self.foreign_end_tag(name);
        }
    }

    fn allows_cdata(&self) -> bool {
        !self.foreign.is_empty()
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.ambiguous
    }
}

/// Elements whose content is HTML again (WHATWG HTML, section 13.2.6).
const INTEGRATION_POINTS: [Name; 9] = Name::of_words("foreignobject desc title mi mo mn ms mtext annotation-xml");

/// Start tags that leave foreign content (section 13.2.6.5). `font` does so only with some attributes.
const BREAKOUTS: [Name; 45] = Name::of_words(
    "b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing \
     menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);
