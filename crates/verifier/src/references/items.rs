//! The items of feeds, and the links to their pages.

use super::element::Element;
use super::found::{Reference, Scope};
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
        let content = gatherer.open(Scope::Item { link: None, is_unclear: false, within: around });
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
        let of_link = |one: &&Reference| one.place.attribute == item.link.1 && !one.text.trim().is_empty();
        let Some(found) = gatherer.found.references[first..].iter().find(of_link) else { return };
        let (text, has_own_base) = (found.text.clone(), found.scope != item.around);
        let is_composed = gatherer.found.is_composed(&found.range);
        if let Scope::Item { link, is_unclear, .. } = &mut gatherer.found.scopes[item.content] {
            // An attribute that is composed is no link.
            *is_unclear |= if is_composed { item.link.1.is_empty() } else { link.is_none() && has_own_base };
            *link = link.take().or_else(|| (!is_composed).then_some(text));
        }
    }
}
