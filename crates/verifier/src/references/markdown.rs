//! The references of Markdown, by the tree of markdown-rs.

use std::collections::HashSet;
use std::ops::Range;

use markdown::mdast::Node;
use markdown::{Constructs, ParseOptions, to_mdast};

use super::escapes::{Around, without_references};
use super::found::Reference;
use super::gatherer::Gatherer;
use super::html::gather_fragment;
use crate::text::Text;

/// Gathers the references of a document.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) {
    let constructs = Constructs { frontmatter: true, math_flow: true, math_text: true, ..Constructs::gfm() };
    let options = ParseOptions { constructs, ..ParseOptions::gfm() };
    // Only MDX has errors.
    let Ok(tree) = to_mdast(&text.text, &options) else { return };
    let (mut labels, mut definitions) = (HashSet::new(), Vec::new());
    // What links and images use of them.
    let mut used = [HashSet::new(), HashSet::new()];
    let mut nodes = vec![tree];
    while let Some(mut node) = nodes.pop() {
        let range = node.position().map_or(0..0, |position| position.start.offset..position.end.offset);
        let written = &text.text[range.clone()];
        let found = match &node {
            Node::Html(_) => {
                gather_fragment(text, range.clone(), gatherer);
                None
            }
            // Others are text that GitHub makes links of.
            Node::Link(link) if written.starts_with('<') => {
                let inside = range.start + 1..range.end - 1;
                (text.text[inside.clone()] == link.url).then(|| text.within(inside))
            }
            Node::Link(link) if written.starts_with('[') => resource(text, range, ("](", ")"), &link.url),
            Node::Image(image) => resource(text, range, ("](", ")"), &image.url),
            Node::Definition(definition) if labels.insert(definition.identifier.clone()) => {
                let found = resource(text, range, ("]:", ""), &definition.url);
                let place = (gatherer.found.references.len(), definition.identifier.clone());
                definitions.extend(found.is_some().then_some(place));
                found
            }
            Node::LinkReference(reference) => {
                used[0].insert(reference.identifier.clone());
                None
            }
            Node::ImageReference(reference) => {
                used[1].insert(reference.identifier.clone());
                None
            }
            _ => None,
        };
        let place = gatherer.place(if matches!(node, Node::Image(_)) { "image" } else { "" }, "");
        gatherer.found.references.extend(
            found.map(|found| Reference { is_whole: true, ..Reference::of(found, place, gatherer.scope) }),
        );
        nodes.extend(node.children_mut().map(std::mem::take).unwrap_or_default().into_iter().rev());
    }
    for (definition, label) in definitions {
        let is_image = used[1].contains(&label) && !used[0].contains(&label);
        let found = gatherer.found.references.get_mut(definition).filter(|_| is_image);
        found.into_iter().for_each(|found| "image".clone_into(&mut found.place.element));
    }
}

/// Returns the destination in the bytes of a node, behind `open`, if only a title and `close` follow it (CommonMark 0.31, sections
/// 4.7 and 6.3).
fn resource<'t>(
    text: &'t Text<'_>,
    node: Range<usize>,
    (open, close): (&str, &str),
    url: &str,
) -> Option<Text<'t>> {
    let written = &text.text[node.clone()];
    let inside = written.strip_suffix(close)?;
    let starts = inside.match_indices(open).map(|(at, _)| at + open.len());
    starts.into_iter().find_map(|start| {
        let rest = behind_space(&inside[start..]);
        let at = node.start + inside.len() - rest.len();
        let (range, behind) = match rest.strip_prefix('<') {
            Some(bracketed) => {
                let length = end_of(bracketed, |character| character == '>')?;
                (at + 1..at + 1 + length, &bracketed[length + 1..])
            }
            None => {
                let length = end_of(rest, |character| character <= ' ').unwrap_or(rest.len());
                (at..at + length, &rest[length..])
            }
        };
        let read = without_references(text, range, Around::Markdown);
        (read.text == url && is_title(behind)).then_some(read)
    })
}

/// Reports whether nothing follows a destination but a title.
fn is_title(behind: &str) -> bool {
    let title = behind_space(behind).trim_end();
    let mut characters = title.chars();
    let close = match characters.next() {
        None => return true,
        Some('(') => ')',
        Some(quote @ ('"' | '\'')) => quote,
        Some(_) => return false,
    };
    behind.starts_with(char::is_whitespace)
        && end_of(characters.as_str(), |character| character == close).is_some_and(|end| end + 2 == title.len())
}

/// Returns the text behind white space, and behind the marks of the block quotes around a line.
fn behind_space(text: &str) -> &str {
    let line = text.trim_start_matches([' ', '\t']);
    if line.starts_with(['\r', '\n']) { line.trim_start_matches([' ', '\t', '\r', '\n', '>']) } else { line }
}

/// Returns where the first such character stands that is not escaped.
fn end_of(text: &str, is_end: impl Fn(char) -> bool) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, character)| {
        if is_end(character) && !is_escaped {
            return Some(at);
        }
        is_escaped = character == '\\' && !is_escaped;
        None
    })
}
