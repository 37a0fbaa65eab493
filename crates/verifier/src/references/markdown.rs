//! The references of Markdown, by comrak.
//!
//! The tree of comrak says what is a link, but its places are not exact. So all that may be a destination or a tag is marked first, and
//! what has a mark in the tree is one.

mod marks;

use absolve_links::is_text_in_markdown;
use comrak::arena_tree::NodeEdge;
use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};

use super::found::Reference;
use super::gatherer::Gatherer;
use super::html::gather_fragment;
use crate::text::Text;
use marks::{Candidate, Kind, Marked};

/// Gathers the references of a document.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) {
    let marked = Marked::of(&text.text);
    let arena = Arena::new();
    let (mut images, mut elements) = (0_usize, vec![None; marked.candidates.len()]);
    for edge in parse_document(&arena, &marked.text, &options(&text.text)).traverse() {
        let (node, is_start) = match edge {
            NodeEdge::Start(node) => (node, true),
            NodeEdge::End(node) => (node, false),
        };
        match &node.data().value {
            NodeValue::Image(_) if !is_start => images -= 1,
            _ if !is_start => {}
            // The text of an image is shown as text.
            NodeValue::Image(link) => {
                let element = if images == 0 { marked.numbers(&link.url).next() } else { None };
                element.into_iter().for_each(|number| elements[number] = elements[number].or(Some("image")));
                images += 1;
            }
            NodeValue::Link(link) if images == 0 => {
                marked.numbers(&link.url).for_each(|number| elements[number] = Some(""));
            }
            NodeValue::HtmlBlock(block) if images == 0 => {
                gather_fragment(text, marked.range_of_block(&block.literal, &text.text), gatherer);
            }
            NodeValue::HtmlInline(html) if images == 0 => {
                for number in marked.numbers(html) {
                    let Candidate { range, kind, .. } = &marked.candidates[number];
                    if *kind == Kind::Tag && !is_text_in_markdown(&text.text[range.clone()]) {
                        gather_fragment(text, range.clone(), gatherer);
                    }
                }
            }
            _ => {}
        }
    }
    for (candidate, element) in marked.candidates.iter().zip(elements) {
        let Some(element) = element.filter(|_| candidate.kind != Kind::Tag) else { continue };
        let place = gatherer.place(element, "");
        let found = marks::read(text, candidate);
        gatherer.found.references.push(Reference { is_whole: true, ..Reference::of(found, place, gatherer.scope) });
    }
}

fn options(text: &str) -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    (extension.table, extension.footnotes, extension.strikethrough) = (true, true, true);
    (extension.tasklist, extension.math_dollars) = (true, true);
    extension.front_matter_delimiter = marks::front_matter(text).map(|(delimiter, _)| delimiter.to_owned());
    options
}
