//! The items of feeds, and the links to their pages.

use std::ops::Range;

use super::element::Element;
use super::found::{Found, Scope};
use super::gatherer::Gatherer;
use crate::values::is_space;

/// The open items of a feed, outermost first.
#[derive(Default)]
pub(super) struct Items(Vec<Item>);

struct Item {
    /// The number of elements around its children.
    depth: usize,
    /// The element with the link to its page, and the attribute that contains it.
    link: (&'static str, &'static str),
    around: usize,
    content: usize,
}

impl Items {
    /// Opens an item, if an element with `depth` elements around its children is one.
    pub(super) fn open(&mut self, element: &str, depth: usize, around: usize, gatherer: &mut Gatherer<'_>) {
        let link = match element {
            "rss:item" => ("rss:link", ""),
            "atom:entry" => ("atom:link", "href"),
            _ => return,
        };
        let content = gatherer.open(Scope::Item { link: None, within: around });
        self.0.push(Item { depth, link, around, content });
    }

    /// Closes the innermost item, if fewer than its elements are open.
    pub(super) fn close(&mut self, depth: usize) {
        if self.0.last().is_some_and(|item| depth < item.depth) {
            self.0.pop();
        }
    }

    /// Returns the scope of content that stands in `scope`: an `xml:base` in the item has opened another one.
    pub(super) fn scope_of_content(&self, scope: usize) -> usize {
        self.0.last().filter(|item| item.around == scope).map_or(scope, |item| item.content)
    }

    /// Notes the link of a child of the item to its page: the first among the references from `first` on.
    pub(super) fn note(&self, element: &Element<'_>, first: usize, depth: usize, gatherer: &mut Gatherer<'_>) {
        let Some(item) = self.0.last().filter(|item| item.depth == depth && item.link.0 == element.name) else {
            return;
        };
        let is_alternate = |relation: String| {
            let name = relation.trim_matches(is_space).to_ascii_lowercase();
            name.trim_start_matches("http://www.iana.org/assignments/relation/") == "alternate"
        };
        if item.link.1 == "href" && !element.value("rel").is_none_or(is_alternate) {
            return;
        }
        let Found { references, entities, scopes, .. } = &mut gatherer.found;
        let is_readable = |range: &Range<usize>| {
            let next = entities.partition_point(|entity| entity.end <= range.start);
            entities.get(next).is_none_or(|entity| entity.start >= range.end)
        };
        let found = references[first..].iter().find(|one| one.place.attribute == item.link.1);
        let found = found.filter(|one| !one.text.trim().is_empty() && is_readable(&one.range));
        if let Scope::Item { link: link @ None, .. } = &mut scopes[item.content] {
            *link = found.map(|one| one.text.clone());
        }
    }
}
