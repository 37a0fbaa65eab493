//! Elements that change how a document is tokenized.

use super::token::Content;
use crate::markup::name::{Name, Shapes};

/// How an element changes the tokens that follow it, or the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// Its content is raw text.
    Text(Content),
    /// Its content is foreign: svg, math.
    Foreign,
    /// In a document with framesets, most other elements are ignored.
    Frameset,
    /// Its content is another tree.
    Template,
    /// As the first content of a template, it changes how the rest is parsed.
    Column,
    /// Misplaced content of a table is moved before the table.
    Table,
    /// It may declare the base.
    Base,
    /// Editions of HTML differ in what it may contain.
    Select,
    /// Its content is text where scripts run.
    Noscript,
}

/// The shapes of their names.
pub(crate) const SHAPES: Shapes = {
    let mut shapes = Shapes::new();
    let mut index = 0;
    while index < ELEMENTS.len() {
        shapes.add(ELEMENTS[index].0);
        index += 1;
    }
    // Its text is CSS, where MJML is read.
    shapes.add("mj-style");
    shapes
};

/// Returns how `element` is special in the HTML namespace, with scripting off.
#[inline(always)]
pub(crate) fn special(element: Name) -> Option<Special> {
    let mut slot = element.bucket() % SLOTS;
    loop {
        match SPECIAL[slot] {
            None => return None,
            Some((name, special)) if name == element => return Some(special),
            Some(_) => slot = (slot + 1) % SLOTS,
        }
    }
}

const ELEMENTS: [(&str, Special); 18] = [
    ("title", Special::Text(Content::RawText)),
    ("textarea", Special::Text(Content::RawText)),
    ("style", Special::Text(Content::RawText)),
    ("xmp", Special::Text(Content::RawText)),
    ("iframe", Special::Text(Content::RawText)),
    ("noembed", Special::Text(Content::RawText)),
    ("noframes", Special::Text(Content::RawText)),
    ("script", Special::Text(Content::Script)),
    ("plaintext", Special::Text(Content::Plaintext)),
    ("svg", Special::Foreign),
    ("math", Special::Foreign),
    ("frameset", Special::Frameset),
    ("template", Special::Template),
    ("col", Special::Column),
    ("table", Special::Table),
    ("base", Special::Base),
    ("select", Special::Select),
    ("noscript", Special::Noscript),
];

const SLOTS: usize = 64;

/// The elements by [`Name::bucket`], with open addressing.
static SPECIAL: [Option<(Name, Special)>; SLOTS] = {
    let mut slots = [None; SLOTS];
    let mut index = 0;
    while index < ELEMENTS.len() {
        let (name, special) = ELEMENTS[index];
        let name = Name::of(name);
        let mut slot = name.bucket() % SLOTS;
        while slots[slot].is_some() {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = Some((name, special));
        index += 1;
    }
    slots
};
