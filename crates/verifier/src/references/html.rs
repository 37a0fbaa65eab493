//! The references of HTML.

use std::collections::HashSet;
use std::ops::Range;

use absolve_links::{Group, Syntax};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::attributes::{Attribute, attributes, name_length};
use super::escapes::{Around, characters, units_of, without_references};
use super::found::Place;
use super::gatherer::{Gatherer, Unread, row, value_range};
use super::markup::{Event, Markup, StartTag, is_conditional, read_document, read_fragment};
use crate::text::Text;
use crate::values::trimmed;

/// Gathers the references of a document, and its BASE.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) -> Result<(), Unread> {
    let markup = read_document(&text.text)?;
    gatherer.found.base = markup.tree.as_ref().and_then(first_base);
    gather_markup(text, &markup, gatherer)
}

/// Returns the value of the first `<base href>` in tree order that is neither in a template nor in SVG.
fn first_base(tree: &RcDom) -> Option<String> {
    let mut nodes: Vec<Handle> = vec![tree.document.clone()];
    while let Some(node) = nodes.pop() {
        if let NodeData::Element { name, attrs, .. } = &node.data
            && name.ns == html5ever::ns!(html)
            && &*name.local == "base"
            && let Some(href) = attrs.borrow().iter().find(|attribute| &*attribute.name.local == "href")
        {
            return Some(href.value.to_string());
        }
        nodes.extend(node.children.borrow().iter().rev().cloned());
    }
    None
}

fn gather_markup(text: &Text<'_>, markup: &Markup, gatherer: &mut Gatherer<'_>) -> Result<(), Unread> {
    for (index, event) in markup.events.iter().enumerate() {
        match event {
            Event::Start(tag) => {
                gather_tag(text, tag, gatherer)?;
                let is_mjml = || gatherer.table.rows().iter().any(|row| row.group == Group::Mjml);
                let is_of_mjml = tag.name == "mj-style" && is_mjml();
                if tag.name == "style" || is_of_mjml {
                    let behind = &markup.events[index + 1..];
                    let end = behind.iter().find_map(|event| ends_style(event, tag)).unwrap_or(text.text.len());
                    gather_style(text, tag, tag.range.end..end, behind, gatherer);
                }
            }
            Event::Comment(range) => gather_comment(text, range.clone(), gatherer)?,
            Event::End { .. } | Event::Aside(_) => {}
        }
    }
    Ok(())
}

/// Returns where the text of a style element ends, if it ends at this event.
fn ends_style(event: &Event, tag: &StartTag) -> Option<usize> {
    match event {
        Event::Comment(_) if tag.is_foreign => None,
        Event::Comment(range) => Some(range.start),
        Event::Aside(_) => None,
        Event::Start(tag) => Some(tag.range.start),
        Event::End { start, .. } => Some(*start),
    }
}

fn gather_style(text: &Text<'_>, tag: &StartTag, range: Range<usize>, behind: &[Event], gatherer: &mut Gatherer<'_>) {
    let place = Place { element: "style".into(), depth: gatherer.depth, ..Place::default() };
    let css = match tag.is_foreign || tag.name == "mj-style" {
        true => foreign_text(text, range, behind),
        false => text.within(range),
    };
    gatherer.add_css(&css, &place, gatherer.scope);
}

/// Returns the text between two tags in SVG, which may contain CDATA sections; `behind` are the events behind the first
/// tag.
fn foreign_text<'t>(text: &'t Text<'_>, range: Range<usize>, behind: &[Event]) -> Text<'t> {
    const SECTION: &str = "<![CDATA[";
    let mut asides = behind.iter().filter_map(|event| match event {
        Event::Aside(aside) if aside.start < range.end => Some(aside),
        _ => None,
    });
    let mut aside = asides.next();
    let mut units: Vec<(Range<usize>, String)> = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let rest = &text.text[at..range.end];
        if let Some(left_out) = aside.filter(|aside| aside.start <= at) {
            at = at.max(left_out.end);
            aside = asides.next();
        } else if let Some(section) = rest.strip_prefix(SECTION) {
            let inside = section.split("]]>").next().unwrap_or_default();
            units.extend(characters(text, at + SECTION.len()..at + SECTION.len() + inside.len()));
            at = (at + SECTION.len() + inside.len() + "]]>".len()).min(range.end);
        } else if rest.starts_with("</>") {
            at += "</>".len();
        } else {
            let next = rest.char_indices().skip(1).find(|(_, character)| *character == '<');
            let end = at + next.map_or(rest.len(), |(next, _)| next);
            units.extend(units_of(text, at..end, Around::HtmlText));
            at = end;
        }
    }
    text.unwrapped(units.into_iter())
}

/// The deepest conditional comment that is read.
const COMMENTS: usize = 8;

/// Conditional comments are markup to the programs they are meant for. A BASE in one never counts.
fn gather_comment(text: &Text<'_>, range: Range<usize>, gatherer: &mut Gatherer<'_>) -> Result<(), Unread> {
    let comment = &text.text[range.clone()];
    let Some(start) = comment.find("]>").filter(|_| is_conditional(comment)).map(|end| end + 2) else { return Ok(()) };
    let Some(end) = comment.rfind("<![").filter(|end| *end > start) else { return Ok(()) };
    if gatherer.comments == COMMENTS {
        return Ok(());
    }
    let inside = text.within(range.start + start..range.start + end);
    let markup = read_fragment(&inside.text);
    let base_tags = gatherer.found.base_tags.len();
    gatherer.comments += 1;
    let gathered = gather_markup(&inside, &markup, gatherer);
    gatherer.comments -= 1;
    gatherer.found.base_tags.truncate(base_tags);
    gathered
}

fn gather_tag(text: &Text<'_>, tag: &StartTag, gatherer: &mut Gatherer<'_>) -> Result<(), Unread> {
    let name_end = tag.range.start + 1 + name_length(&text.text[tag.range.start + 1..tag.range.end]);
    let mut all: Vec<Attribute> = attributes(&text.text[..tag.range.end], name_end);
    // Of duplicate attributes, the first counts.
    let mut names = HashSet::new();
    all.retain(|attribute| names.insert(attribute.name.clone()));
    if tag.name == "base" && all.iter().any(|attribute| attribute.name == "href") {
        gatherer.found.base_tags.push(text.raw(tag.range.clone()));
    }
    let value_of = |name: &str| {
        let attribute = all.iter().find(|attribute| attribute.name == name)?;
        Some(without_references(text, attribute.value.clone(), Around::HtmlAttribute).text.into_owned())
    };
    if tag.name == "mj-navbar" {
        gatherer.is_behind_base_url = value_of("base-url").is_some_and(|url| !url.is_empty());
    }
    let table = gatherer.table;
    let row_of =
        |attribute: &Attribute| row(table, &tag.name, &attribute.name, |row| row.syntax == Syntax::Any, value_of);
    let outer = gatherer.scope;
    let codebase = all.iter().find(|one| one.name == "codebase" && row_of(one).is_some());
    let inner = codebase.map(|codebase| {
        let range = trimmed(&text.text, codebase.value.clone());
        let declared = without_references(text, range, Around::HtmlAttribute).text.into_owned();
        gatherer.open_codebase(declared, value_of("classid"), outer)
    });
    for attribute in &all {
        let Some(row) = row_of(attribute) else { continue };
        let range = value_range(row, &text.text, attribute.value.clone());
        let value = without_references(text, range, Around::HtmlAttribute);
        gatherer.scope = inner.map_or(outer, |scopes| scopes.of(row));
        gatherer.add_value(row, &value, &tag.name)?;
        gatherer.scope = outer;
    }
    Ok(())
}
