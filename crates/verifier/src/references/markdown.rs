//! The references of Markdown, by the tree of comrak.

use std::collections::HashSet;
use std::ops::Range;

use comrak::nodes::{NodeValue, Sourcepos};
use comrak::{Arena, Options, parse_document};

use super::escapes::{Around, without_references};
use super::found::Reference;
use super::gatherer::Gatherer;
use super::html::gather_fragment;
use crate::text::Text;

/// Gathers the references of a document. Definitions are not in the tree: they stand at the beginning of lines, where no node is.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) {
    let arena = Arena::new();
    let lines: Vec<usize> = text.text.split_inclusive('\n').scan(0, |at, line| Some(std::mem::replace(at, *at + line.len()))).collect();
    let place_of = |place: Sourcepos| {
        let at = |line: usize, column| lines.get(line.wrapping_sub(1)).map_or(0, |start| start + column);
        at(place.start.line, place.start.column.saturating_sub(1))..at(place.end.line, place.end.column)
    };
    let (mut covered, mut image_end) = (Vec::new(), 0);
    for node in parse_document(&arena, &text.text, &options(&text.text)).descendants() {
        let node = node.data();
        let range = place_of(node.sourcepos);
        let Some(written) = text.text.get(range.clone()) else { continue };
        // The text of an image is shown as text.
        if range.start < image_end {
            continue;
        }
        match &node.value {
            NodeValue::Document
            | NodeValue::BlockQuote
            | NodeValue::List(_)
            | NodeValue::Item(_)
            | NodeValue::TaskItem(_)
            | NodeValue::FootnoteDefinition(_)
            | NodeValue::Paragraph => continue,
            // Others are text of which GitHub makes links.
            NodeValue::Link(link) if written.starts_with('<') => {
                let inside = range.start + 1..range.end - 1;
                add((text.text[inside.clone()] == link.url).then(|| text.within(inside)), "", gatherer);
            }
            NodeValue::Link(link) if written.ends_with(')') => add(resource(text, range.clone(), &link.url), "", gatherer),
            NodeValue::Image(link) if written.ends_with(')') => {
                add(resource(text, range.clone(), &link.url), "image", gatherer);
                image_end = range.end;
            }
            NodeValue::Image(_) => image_end = range.end,
            NodeValue::HtmlBlock(_) | NodeValue::HtmlInline(_) => gather_fragment(text, range.clone(), gatherer),
            _ => {}
        }
        covered.push(range);
    }
    gather_definitions(text, &lines, covered, gatherer);
}

fn options(text: &str) -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    (extension.table, extension.footnotes, extension.strikethrough) = (true, true, true);
    (extension.tasklist, extension.math_dollars) = (true, true);
    let delimiter = ["---", "+++"].into_iter().find(|delimiter| text.starts_with(delimiter));
    extension.front_matter_delimiter = delimiter.map(str::to_owned);
    options
}

fn add(found: Option<Text<'_>>, element: &str, gatherer: &mut Gatherer<'_>) {
    let place = gatherer.place(element, "");
    let reference = found.map(|found| Reference { is_whole: true, ..Reference::of(found, place, gatherer.scope) });
    gatherer.found.references.extend(reference);
}

/// The bytes of the longest label (CommonMark 0.31, section 4.7: 999 characters).
const LONGEST_LABEL: usize = 4 * 999;

/// Gathers the first definition of each label (CommonMark 0.31, section 4.7).
fn gather_definitions(text: &Text<'_>, lines: &[usize], mut covered: Vec<Range<usize>>, gatherer: &mut Gatherer<'_>) {
    covered.sort_by_key(|range| range.start);
    let (mut labels, mut covered, mut covered_to) = (HashSet::new(), covered.into_iter().peekable(), 0);
    for line in lines {
        let line = &text.text[*line..];
        // What is around its block: quotes and lists.
        let inside = line.trim_start_matches(|mark: char| mark.is_ascii_digit() || " \t>*+-.)".contains(mark));
        let at = text.text.len() - inside.len();
        while let Some(range) = covered.next_if(|range| range.start <= at) {
            covered_to = covered_to.max(range.end);
        }
        let Some(label) = inside.strip_prefix('[').filter(|label| at >= covered_to && !label.starts_with('^')) else {
            continue;
        };
        let label = &label[..label.floor_char_boundary(LONGEST_LABEL)];
        let Some(end) = end_of(label, |character| character == ']') else { continue };
        let name = label[..end].split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if inside[1 + end..].starts_with("]:") && !name.is_empty() && labels.insert(name) {
            add(destination(text, at + 1 + end + 2).map(|(found, _)| found), "", gatherer);
        }
    }
}

/// Returns the destination of a link or an image, if only a title follows it (section 6.3).
fn resource<'t>(text: &'t Text<'_>, node: Range<usize>, url: &str) -> Option<Text<'t>> {
    let end = node.end - 1;
    let starts = text.text[node.start..end].match_indices("](").map(|(at, open)| node.start + at + open.len());
    starts.into_iter().find_map(|start| {
        let (found, behind) = destination(text, start)?;
        (found.text == url && behind <= end && is_title(&text.text[behind..end])).then_some(found)
    })
}

/// Returns the destination that stands at a byte or behind white space there, and the end of it.
fn destination<'t>(text: &'t Text<'_>, start: usize) -> Option<(Text<'t>, usize)> {
    let rest = behind_space(&text.text[start..]);
    let at = text.text.len() - rest.len();
    let mut depth = 0_usize;
    let (range, end) = match rest.strip_prefix('<') {
        Some(inside) => {
            let end = at + 1 + end_of(inside, |character| character == '>')?;
            (at + 1..end, end + 1)
        }
        None => {
            let length = end_of(rest, |character| {
                depth += usize::from(character == '(');
                let is_end = character <= ' ' || (character == ')' && depth == 0);
                depth -= usize::from(character == ')' && depth > 0);
                is_end
            });
            let end = at + length.unwrap_or(rest.len());
            (at..end, end)
        }
    };
    Some((without_references(text, range, Around::Markdown), end))
}

/// Reports whether nothing but a title stands behind a destination.
fn is_title(behind: &str) -> bool {
    let title = behind_space(behind).trim_end();
    let mut characters = title.chars();
    let close = match characters.next() {
        None => return true,
        Some('(') => ')',
        Some(quote @ ('"' | '\'')) => quote,
        Some(_) => return false,
    };
    let end = end_of(characters.as_str(), |character| character == close);
    behind.starts_with(char::is_whitespace) && end.is_some_and(|end| end + 2 == title.len())
}

/// Returns the text behind white space, and behind the marks of the block quotes around the next line.
fn behind_space(text: &str) -> &str {
    let line = text.trim_start_matches([' ', '\t']);
    if line.starts_with(['\r', '\n']) { line.trim_start_matches([' ', '\t', '\r', '\n', '>']) } else { line }
}

/// Returns where the first such character stands that is not escaped.
fn end_of(text: &str, mut is_end: impl FnMut(char) -> bool) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, character)| {
        if !is_escaped && is_end(character) {
            return Some(at);
        }
        is_escaped = character == '\\' && !is_escaped;
        None
    })
}
