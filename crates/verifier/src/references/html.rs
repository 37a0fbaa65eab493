//! The references of HTML.

use std::borrow::Cow;
use std::ops::Range;

use absolve_links::{Group, Row, Vocabulary};

use super::construction::Construction;
use super::element::{Element, gather_attributes};
use super::escapes::{Around, content, stretches, without_references};
use super::gatherer::{Gatherer, TooMuchWork};
use super::json::speculation_rules;
use super::markup::{Content, Event, StartTag, read};
use crate::text::Text;

/// Gathers the references of a document, and its BASE. Builds a tree only where the tokens depend on it.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) -> Result<(), TooMuchWork> {
    let construction = Construction::light();
    gather_markup(text, &construction, gatherer);
    if construction.is_stopped() {
        gatherer.reset();
        let construction = Construction::tree(&text.text);
        gather_markup(text, &construction, gatherer);
        gatherer.found.base = construction.first_base();
        return if construction.is_stopped() { Err(TooMuchWork) } else { Ok(()) };
    }
    Ok(())
}

/// Gathers the references of a piece of markup in a document of another language.
pub(crate) fn gather_fragment(text: &Text<'_>, range: Range<usize>, gatherer: &mut Gatherer<'_>) {
    gather_markup(&text.within(range), &Construction::Names, gatherer);
}

fn gather_markup(text: &Text<'_>, construction: &Construction, gatherer: &mut Gatherer<'_>) {
    let (mut style, mut rules): (Option<Style>, Option<usize>) = (None, None);
    read(&text.text, construction, |event| match event {
        Event::Start(tag) => {
            end_style(&mut style, text, tag.range.start, gatherer);
            let holds_rules = gatherer.comments == 0 && tag.content == Content::Raw && is_of_rules(text, &tag);
            rules = holds_rules.then_some(tag.range.end);
            let is_of_mjml = |row: &Row| row.group == Group::Mjml;
            let is_mjml = &*tag.name == "mj-style" && gatherer.table.rows().iter().any(is_of_mjml);
            if is_mjml || (&*tag.name == "style" && matches!(tag.content, Content::Raw | Content::Foreign)) {
                let is_raw = tag.content == Content::Raw;
                style = Some(Style { start: tag.range.end, is_raw, asides: Vec::new() });
            }
            gather_tag(text, tag, gatherer);
        }
        Event::End(start) => {
            end_style(&mut style, text, start, gatherer);
            end_rules(&mut rules, text, start, gatherer);
        }
        Event::Aside(range) => {
            gather_comment(text, range.clone(), gatherer);
            style.iter_mut().for_each(|style| style.asides.push(range.clone()));
        }
    });
    end_style(&mut style, text, text.text.len(), gatherer);
    end_rules(&mut rules, text, text.text.len(), gatherer);
}

/// Reports whether a tag begins a script of speculation rules.
fn is_of_rules(text: &Text<'_>, tag: &StartTag<'_>) -> bool {
    let kind = tag.attributes.all.iter().find(|attribute| attribute.name == "type");
    let says = |range: Range<usize>| without_references(text, range, Around::HtmlAttribute).text;
    &*tag.name == "script"
        && kind.is_some_and(|kind| says(kind.value.clone()).trim().eq_ignore_ascii_case("speculationrules"))
}

fn end_rules(rules: &mut Option<usize>, text: &Text<'_>, end: usize, gatherer: &mut Gatherer<'_>) {
    if let Some(start) = rules.take() {
        speculation_rules::gather(&text.within(start..end), gatherer.scope, gatherer);
    }
}

/// The text of a style element, up to the next tag.
struct Style {
    start: usize,
    is_raw: bool,
    /// What in it is neither text nor a CDATA section.
    asides: Vec<Range<usize>>,
}

fn end_style(style: &mut Option<Style>, text: &Text<'_>, end: usize, gatherer: &mut Gatherer<'_>) {
    let Some(style) = style.take() else { return };
    let place = gatherer.place("style", "");
    let css = match style.is_raw {
        true => text.within(style.start..end),
        false => content(text, &stretches(&text.text, style.start..end, &style.asides), Around::HtmlText),
    };
    gatherer.add_css(&css, &place, gatherer.scope);
}

/// The deepest conditional comment that is read.
const COMMENTS: usize = 8;

/// Conditional comments are markup to the programs they are meant for. A BASE in one never counts.
fn gather_comment(text: &Text<'_>, range: Range<usize>, gatherer: &mut Gatherer<'_>) {
    const OPEN: &str = "<!--[if";
    let comment = &text.text[range.clone()];
    let is_conditional = comment.get(..OPEN.len()).is_some_and(|open| open.eq_ignore_ascii_case(OPEN));
    let Some(start) = comment.find("]>").filter(|_| is_conditional).map(|end| end + 2) else { return };
    let Some(end) = comment.rfind("<![").filter(|end| *end > start) else { return };
    if gatherer.comments == COMMENTS {
        return;
    }
    let inside = text.within(range.start + start..range.start + end);
    gatherer.comments += 1;
    gather_markup(&inside, &Construction::Names, gatherer);
    gatherer.comments -= 1;
}

fn gather_tag(text: &Text<'_>, tag: StartTag<'_>, gatherer: &mut Gatherer<'_>) {
    let (name, attributes) = (Cow::Borrowed(&*tag.name), tag.attributes.all);
    let element = Element { text, name, vocabulary: Vocabulary::Html, attributes, entities: None };
    if element.name == "base"
        && gatherer.comments == 0
        && let Some(href) = element.value("href")
    {
        gatherer.found.base_tags.push(text.raw(tag.range));
        if tag.content == Content::Markup {
            gatherer.found.base.get_or_insert(href);
        }
    }
    gather_attributes(&element, gatherer);
}
