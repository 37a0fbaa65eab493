//! Law 10: the tags are those of html5ever, with the same ranges and attributes.

use std::ops::Range;

use super::collector::Collector;
use super::lite::Lite;
use super::oracle::{OracleTag, start_tags};
use super::token::{Content, StartTag};
use super::tokenizer::{Visitor, tokenize};
use super::tree::Tree;
use crate::document::{Document, behind_mark};
use crate::document_type::DocumentType;
use crate::markup::attributes::{Quote, attributes};
use crate::table::Table;
use crate::value::character_reference;

#[cfg(test)]
mod tests;

/// Checks the law on any bytes, as a page in UTF-8. Returns the number of tags.
pub fn tags_are_those_of_html5ever(bytes: &[u8]) -> usize {
    check(&String::from_utf8_lossy(bytes), "").0
}

/// Checks that the short loop over common tags and the tokenizer alone find the same links in any bytes. Returns their
/// number.
pub fn common_tags_hold_the_same_links(bytes: &[u8]) -> usize {
    let (document, table) = (Document::new(bytes, DocumentType::Html), Table::default());
    let (mut lite, mut collector) = (Lite::default(), Collector::new(&document, &table, super::scan));
    tokenize(bytes, behind_mark(bytes), &mut lite, &mut collector);
    if lite.is_ambiguous() {
        return 0;
    }
    let expected = super::finished(collector, lite.first_base(), &[]);
    assert_eq!(super::scan_tags(&document, &table), expected, "{}", String::from_utf8_lossy(bytes));
    expected.map_or(0, |scan| scan.links.len())
}

/// Checks one document. Returns the number of its tags, and whether it needed a tree.
#[track_caller]
fn check(text: &str, name: &str) -> (usize, bool) {
    let (Some(ours), needed_tree) = our_tags(text) else { return (0, true) };
    let theirs = start_tags(text);
    let ranges: Vec<_> = ours.iter().map(|tag| tag.range.clone()).collect();
    let expected: Vec<_> = theirs.iter().map(|tag| tag.range.clone()).collect();
    assert_eq!(ranges, expected, "{name}: {:?}", excerpt(text, &ranges, &expected));
    for (our, their) in ours.iter().zip(&theirs) {
        check_attributes(text, our, their, name);
    }
    (ours.len(), needed_tree)
}

/// Returns our start tags, or `None` if the tree exceeded its budget, and whether a tree was needed.
fn our_tags(text: &str) -> (Option<Vec<StartTag>>, bool) {
    let (mut lite, mut recorder) = (Lite::default(), Recorder::default());
    tokenize(text.as_bytes(), behind_mark(text.as_bytes()), &mut lite, &mut recorder);
    if !lite.is_ambiguous() {
        return (Some(recorder.tags), false);
    }
    let (mut tree, mut recorder) = (Tree::new(text.as_bytes()), Recorder::default());
    tokenize(text.as_bytes(), behind_mark(text.as_bytes()), &mut tree, &mut recorder);
    (Some(recorder.tags).filter(|_| !tree.is_over_budget()), true)
}

#[derive(Default)]
struct Recorder {
    tags: Vec<StartTag>,
}

impl Visitor for Recorder {
    fn start_tag(&mut self, tag: &StartTag, _content: Content) {
        self.tags.push(tag.clone());
    }
}

#[track_caller]
fn check_attributes(text: &str, our: &StartTag, their: &OracleTag, name: &str) {
    let read = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
    let mut found: Vec<(String, String)> = Vec::new();
    attributes(text.as_bytes(), our.name.end, |attribute| {
        let name = read(&text[attribute.name_range].to_ascii_lowercase());
        let raw = &text[attribute.value];
        let value = match attribute.quote {
            Quote::Absent => String::new(),
            _ => character_reference::decode_all(&read(raw)),
        };
        if found.iter().all(|(known, _)| *known != name) {
            found.push((name, value));
        }
    });
    assert_eq!(read(&text[our.name.clone()].to_ascii_lowercase()), their.name, "{name}");
    assert_eq!(found, their.attributes, "{name}: {:?}", &text[our.range.clone()]);
}

fn excerpt<'t>(text: &'t str, ours: &[Range<usize>], theirs: &[Range<usize>]) -> &'t str {
    let same = ours.iter().zip(theirs).take_while(|(our, their)| our == their).count();
    let at = |ranges: &[Range<usize>]| ranges.get(same).map_or(text.len(), |range| range.start);
    let start = at(ours).min(at(theirs)).saturating_sub(200);
    let start = (0..=start).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let end = (start + 400).min(text.len());
    &text[start..(end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())]
}
