//! Links in speculation rules: which pages a browser fetches before a user follows a link (HTML Standard, section 7.6.1).

use std::borrow::Cow;
use std::ops::Range;

use super::Gatherer;
use crate::scan::{Place, RemarkKind};
use crate::table::row::Syntax;
use crate::value::json::{each, text_of, whole};
use crate::value::unwrapped::Unwrapped;
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

impl Gatherer<'_, '_> {
    /// Gathers the links of the rules in a range of the document; there are none in what is not JSON. `tag` is the first byte of the
    /// element that holds them, and `of_document` the scope of rules relative to `document`.
    pub(crate) fn speculation_rules(&mut self, range: Range<usize>, tag: usize, of_document: usize) {
        let text = self.document.unwrapped(range, Wrappings::of(Wrapping::Plain));
        let Ok((_, rules)) = whole(text.text().as_bytes()) else { return };
        if rules.starts_with('{') {
            Walker { gatherer: self, text: &text, tag, of_document }.value(rules, 0);
        }
    }
}

/// The deepest object or array that is read.
const DEPTH: usize = 32;

/// The members that hold rules, conditions and links.
const MEMBERS: [&str; 11] = [
    "prefetch",
    "prefetch_with_subresources",
    "prerender",
    "prerender_until_script",
    "where",
    "and",
    "or",
    "not",
    "relative_to",
    "urls",
    "href_matches",
];

struct Walker<'w, 'c, 'd, 't> {
    gatherer: &'w mut Gatherer<'c, 'd>,
    text: &'t Unwrapped<'d>,
    tag: usize,
    of_document: usize,
}

impl<'t> Walker<'_, '_, '_, 't> {
    fn value(&mut self, json: &'t str, depth: usize) {
        match json.as_bytes().first() {
            Some(b'{' | b'[') if depth == DEPTH => {
                self.gatherer.scan.remark(RemarkKind::NestingTooDeep, self.range_of(json).start)
            }
            Some(b'[') => each(json, |_, element| self.value(element, depth + 1)),
            Some(b'{') => self.object(json, depth + 1),
            _ => {}
        }
    }

    fn object(&mut self, json: &'t str, depth: usize) {
        let mut members: Vec<(Cow<'t, str>, &'t str)> = Vec::new();
        each(json, |name, value| {
            let name = text_of(name);
            members.retain(|(known, _)| *known != name);
            if MEMBERS.contains(&&*name) {
                members.push((name, value));
            }
        });
        let is_of_document =
            |(name, value): &(Cow<'_, str>, &str)| name == "relative_to" && text_of(value) == "document";
        let around = self.gatherer.scope;
        let of_links = if members.iter().any(is_of_document) { self.of_document } else { around };
        for (name, value) in members {
            if self.gatherer.table.row_of(Syntax::Json, ELEMENT, &name).is_none() {
                self.value(value, depth);
                continue;
            }
            self.gatherer.scope = of_links;
            match value.starts_with('[') {
                true => each(value, |_, element| self.link(&name, element)),
                false => self.link(&name, value),
            }
            self.gatherer.scope = around;
        }
    }

    /// Gathers a link that is a string. A pattern may be an object of its components instead.
    fn link(&mut self, name: &str, value: &'t str) {
        let range = self.range_of(value);
        let row = self.gatherer.table.row_of(Syntax::Json, ELEMENT, name);
        if value.starts_with('{') && !has_server(value) {
            self.gatherer.scan.remark(RemarkKind::PatternObject, range.start);
        } else if let Some(row) = row.filter(|_| value.starts_with('"') && value != "\"\"") {
            let inside = range.start + 1..range.end - 1;
            let place = Place::Attribute { tag: self.tag, row, nesting: 0 };
            self.gatherer.row(row, inside, Wrapping::JsonString, place);
        }
    }

    /// Returns the bytes of a part of the text.
    fn range_of(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.text().as_ptr() as usize;
        self.text.raw_range(start..start + part.len())
    }
}

/// The name of the objects in the table.
const ELEMENT: &str = "speculationrules";

/// Returns whether the components of a pattern take nothing from the URL around them (URL Pattern Standard, "process a URLPatternInit").
fn has_server(components: &str) -> bool {
    let mut has_server = false;
    each(components, |name, _| has_server |= ["protocol", "baseURL"].contains(&&*text_of(name)));
    has_server
}
