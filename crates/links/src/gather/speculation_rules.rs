//! Links in speculation rules: which pages a browser fetches before a user follows a link (HTML Standard, section 7.6.1).

use std::borrow::Cow;
use std::ops::Range;

use super::Gatherer;
use crate::scan::{Place, RemarkKind};
use crate::table::row::Syntax;
use crate::value::json::{each, text_of, whole};
use crate::value::wrapping::Wrapping;

impl Gatherer<'_, '_> {
    /// Gathers the links of the rules in a range of the document; there are none in what is not JSON. `tag` is the first byte of the
    /// element that holds them, and `of_document` the scope of rules relative to `document`.
    pub(crate) fn speculation_rules(&mut self, range: Range<usize>, tag: usize, of_document: usize) {
        let Ok((text, rules)) = whole(&self.document.bytes()[range.clone()]) else { return };
        let mut walker = Walker { gatherer: self, text, start: range.start, tag, of_document };
        walker.value(rules, 0);
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
    text: &'t str,
    /// The byte of the document at which the text begins.
    start: usize,
    tag: usize,
    of_document: usize,
}

impl<'t> Walker<'_, '_, '_, 't> {
    fn value(&mut self, json: &'t str, depth: usize) {
        match json.as_bytes().first() {
            Some(b'{' | b'[') if depth == DEPTH => {
                self.gatherer.scan.remark(RemarkKind::NestingTooDeep, self.byte_of(json))
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
        let start = self.byte_of(value);
        let row = self.gatherer.table.row_of(Syntax::Json, ELEMENT, name);
        if value.starts_with('{') && !has_server(value) {
            self.gatherer.scan.remark(RemarkKind::PatternObject, start);
        } else if let Some(row) = row.filter(|_| value.starts_with('"') && value != "\"\"") {
            let inside = start + 1..start + value.len() - 1;
            let place = Place::Attribute { tag: self.tag, row, nesting: 0 };
            self.gatherer.row(row, inside, Wrapping::JsonString, place);
        }
    }

    fn byte_of(&self, part: &str) -> usize {
        self.start + (part.as_ptr() as usize - self.text.as_ptr() as usize)
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
