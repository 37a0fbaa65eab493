//! The items of feeds: whose content some generators mean to be read at the URL of the item.

use super::Walker;
use crate::gather::Tag;
use crate::markup::name::Name;
use crate::scan::{Place, Scope};
use crate::table::row::Row;

/// An open item of a feed.
pub(super) struct Item {
    /// The number of open elements, including it.
    depth: usize,
    /// The scope around it.
    around: usize,
    /// The scope of its content.
    content: usize,
    /// The element that contains its URL.
    link: &'static str,
}

impl Walker<'_, '_> {
    /// Opens an item of a feed, if the innermost element is one, with the scope of its content. `around` is the scope around it.
    pub(super) fn open_item(&mut self, element: &[u8], around: usize) {
        let link = match element {
            b"rss:item" => "rss:link",
            b"atom:entry" => "atom:link",
            _ => return,
        };
        let content = self.gatherer.scan.scopes.len();
        self.gatherer.scan.scopes.push(Scope::Item {
            link: None,
            is_ambiguous: false,
            is_unclear: false,
            within: around,
        });
        self.items.push(Item { depth: self.open.len(), around, content, link });
    }

    /// Closes the innermost item, if its element is closed.
    pub(super) fn close_item(&mut self) {
        self.items.pop_if(|item| item.depth == self.open.len());
    }

    /// Enters the scope of the content of an item, unless an `xml:base` in the item applies.
    pub(super) fn enter_content(&mut self) {
        if let Some(item) = self.items.last()
            && self.gatherer.scope == item.around
        {
            self.gatherer.scope = item.content;
        }
    }

    /// Notes the URL of an item that an attribute of a tag contains: that of a link to an alternate of it, which is the meaning
    /// of a link without `rel` (RFC 4287, section 4.2.7.2).
    pub(super) fn note_item_link(&mut self, tag: &Tag, first: usize) {
        const ALTERNATE: [&str; 2] = ["alternate", "http://www.iana.org/assignments/relation/alternate"];
        if tag.element == Name::of("atom:link") && self.gatherer.holds(tag, "rel", &ALTERNATE).unwrap_or(true) {
            self.note(first, |row| row.attribute == "href");
        }
    }

    /// Notes the URL of an item that is the text of an element.
    pub(super) fn note_item_text(&mut self, first: usize) {
        self.note(first, |row| row.attribute.is_empty());
    }

    /// Notes that the text of an element is composed of pieces, and that of the item is unclear if the element contains it.
    pub(super) fn note_unread_text(&mut self, place: Place) {
        let Some(item) = self.items.last().filter(|item| item.depth + 1 == self.open.len()) else { return };
        let Place::Attribute { row, nesting: 0, .. } = place else { return };
        if self.gatherer.table.rows()[usize::from(row)].element == item.link
            && let Scope::Item { is_unclear, .. } = &mut self.gatherer.scan.scopes[item.content]
        {
            *is_unclear = true;
        }
    }

    /// Notes the first of the links from `first` on as the URL of the item, if it is that of a child of the item.
    fn note(&mut self, first: usize, contains_url: impl Fn(&Row) -> bool) {
        let Some(item) = self.items.last().filter(|item| item.depth + 1 == self.open.len()) else { return };
        let scan = &mut self.gatherer.scan;
        let rows = self.gatherer.table.rows();
        let is_url = |row: u16| rows[usize::from(row)].element == item.link && contains_url(&rows[usize::from(row)]);
        let index = (first..scan.links.len()).find(|index| {
            let found = &scan.links[*index];
            found.row().is_some_and(is_url) && !found.range.is_empty()
        });
        let (Some(index), Scope::Item { link, is_ambiguous, is_unclear, .. }) = (index, &mut scan.scopes[item.content])
        else {
            return;
        };
        let (bytes, found) = (self.gatherer.document.bytes(), &scan.links[index]);
        // Its `xml:base` does not count for the content.
        *is_unclear |= link.is_none() && found.scope != item.around;
        match *link {
            None => *link = Some(index),
            Some(known) => *is_ambiguous |= bytes[scan.links[known].range.clone()] != bytes[found.range.clone()],
        }
    }
}
