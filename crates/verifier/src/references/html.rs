//! The references of HTML.

pub(super) mod imports;

use std::borrow::Cow;
use std::ops::Range;

use absolve_links::{Group, Row, Vocabulary};

use super::attributes::name_length;
use super::construction::Construction;
use super::element::{Element, gather_attributes};
use super::escapes::{Around, content, stretches, without_references};
use super::gatherer::{Gatherer, TooMuchWork};
use super::json::speculation_rules;
use super::markup::{Content, Event, StartTag, read};
use crate::text::Text;
use crate::values::is_space;
use imports::{Imports, note_handlers};

/// Gathers the references of a document, and its BASE. Builds a tree only where the tokens depend on it.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) -> Result<(), TooMuchWork> {
    let construction = Construction::light();
    gatherer.is_html = true;
    let mut reading = gather_markup(text, &construction, gatherer);
    if construction.is_stopped() {
        gatherer.reset();
        gatherer.is_html = true;
        let construction = Construction::tree(&text.text);
        reading = gather_markup(text, &construction, gatherer);
        let first = construction.first_base(&reading.hidden);
        reading.base = first.as_ref().map(|(_, number)| *number);
        gatherer.found.base = first.map(|(href, _)| href);
        if construction.is_stopped() {
            return Err(TooMuchWork);
        }
    }
    gatherer.end_before_base(reading.base);
    Ok(())
}

/// Gathers the references of a piece of markup in a document of another language.
pub(crate) fn gather_fragment(text: &Text<'_>, range: Range<usize>, gatherer: &mut Gatherer<'_>) {
    gather_markup(&text.within(range), &Construction::Names, gatherer);
}

/// What is known of the tags so far.
#[derive(Default)]
struct Reading {
    /// The number of the BASE that counts among those with an `href`.
    base: Option<usize>,
    /// The numbers of those that do not count: text of a `noscript` where scripts run, or code of a template.
    hidden: Vec<usize>,
    /// From where to where the last known code of a template reaches, in a document.
    code: Option<(usize, usize)>,
    /// Where the content of a `noscript` begins whose end was not found.
    noscript: Option<usize>,
    /// The open templates: whether each is a shadow root.
    templates: Vec<bool>,
    shadow_roots: usize,
    /// A script that is open.
    script: Option<Script>,
}

/// A script that may import something.
struct Script {
    imports: Imports,
    start: usize,
    is_raw: bool,
    /// What in it is neither text nor a CDATA section.
    asides: Vec<Range<usize>>,
}

impl Reading {
    /// Reports whether a tag is text where scripts run: a `noscript` is open there, which ends at the first mention of its end tag.
    fn is_in_noscript(&mut self, text: &str, tag: usize) -> bool {
        let Some(start) = self.noscript else { return false };
        let passed = text[start..tag].to_ascii_lowercase();
        let mut ends = passed.split("</noscript").skip(1);
        let is_ended = ends.any(|rest| rest.starts_with(|next| is_space(next) || matches!(next, '/' | '>')));
        self.noscript = Some(tag).filter(|_| !is_ended);
        !is_ended
    }

    /// Reports whether a tag is in code that runs on a server, `<% … %>`, or in a comment of JSP, `<%-- … --%>`.
    fn is_in_code(&mut self, text: &str, tag: usize) -> bool {
        let Some((mut start, mut end)) = self.code else { return false };
        while end <= tag {
            let Some(found) = text[end..tag].find("<%").map(|found| end + found) else {
                (start, end) = (tag, tag);
                break;
            };
            let close = if text[found..].starts_with("<%--") { "--%>" } else { "%>" };
            let inside = found + "<%".len();
            let behind = text[inside..].find(close).map(|length| inside + length + close.len());
            (start, end) = behind.map_or((usize::MAX, usize::MAX), |behind| (found, behind));
        }
        self.code = Some((start, end));
        start < tag
    }

    fn start(&mut self, tag: &StartTag<'_>, text: &Text<'_>, shadow_roots: usize) {
        match &*tag.name {
            "template" if tag.content == Content::Markup => {
                self.templates.push(shadow_roots > self.shadow_roots);
                self.shadow_roots = shadow_roots;
            }
            "noscript" if tag.content == Content::Markup => self.noscript = Some(tag.range.end),
            "script" if matches!(tag.content, Content::Raw | Content::Foreign) => {
                let (start, is_raw) = (tag.range.end, tag.content == Content::Raw);
                self.script =
                    Imports::of(tag, text).map(|imports| Script { imports, start, is_raw, asides: Vec::new() });
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: usize, text: &Text<'_>, gatherer: &mut Gatherer<'_>) {
        if let Some(Script { imports, start, is_raw, asides }) = self.script.take()
            && gatherer.may_resolve_at_base()
        {
            let script = match is_raw {
                true => text.within(start..tag),
                false => content(text, &stretches(&text.text, start..tag, &asides), Around::HtmlText),
            };
            gatherer.found.has_script_at_base |= imports.are_relative(&script.text);
        }
        let name = &text.text[tag + 2..];
        if name[..name_length(name)].eq_ignore_ascii_case("template") {
            self.templates.pop();
        }
    }
}

fn gather_markup(text: &Text<'_>, construction: &Construction, gatherer: &mut Gatherer<'_>) -> Reading {
    let (mut style, mut rules, mut reading): (Option<Style>, Option<usize>, Reading) = Default::default();
    let is_document = !matches!(construction, Construction::Names);
    reading.code = is_document.then_some((0, 0));
    read(&text.text, construction, |event| match event {
        Event::Start(tag) => {
            end_style(&mut style, text, tag.range.start, gatherer);
            gatherer.loads_at_once = is_document && reading.templates.iter().all(|is_shadow_root| *is_shadow_root);
            if is_document {
                reading.start(&tag, text, construction.shadow_roots());
            }
            let holds_rules = gatherer.comments == 0 && tag.content == Content::Raw && is_of_rules(text, &tag);
            rules = holds_rules.then_some(tag.range.end);
            let is_of_mjml = |row: &Row| row.group == Group::Mjml;
            let is_mjml = &*tag.name == "mj-style" && gatherer.table.rows().iter().any(is_of_mjml);
            if is_mjml || (&*tag.name == "style" && matches!(tag.content, Content::Raw | Content::Foreign)) {
                let is_raw = tag.content == Content::Raw;
                style =
                    Some(Style { start: tag.range.end, is_raw, is_early: gatherer.loads_at_once, asides: Vec::new() });
            }
            gather_tag(text, tag, &mut reading, gatherer);
        }
        Event::End(start) => {
            end_style(&mut style, text, start, gatherer);
            end_rules(&mut rules, text, start, gatherer);
            reading.end(start, text, gatherer);
        }
        Event::Aside(range) => {
            gather_comment(text, range.clone(), gatherer);
            style.iter_mut().for_each(|style| style.asides.push(range.clone()));
            reading.script.iter_mut().for_each(|script| script.asides.push(range.clone()));
        }
    });
    end_style(&mut style, text, text.text.len(), gatherer);
    end_rules(&mut rules, text, text.text.len(), gatherer);
    reading
}

/// Reports whether a tag begins a script of speculation rules.
fn is_of_rules(text: &Text<'_>, tag: &StartTag<'_>) -> bool {
    let named = |name: &str| tag.attributes.all.iter().find(|attribute| attribute.name == name);
    let says = |range: Range<usize>| without_references(text, range, Around::HtmlAttribute).text;
    &*tag.name == "script"
        && named("src").is_none()
        && named("type").is_some_and(|kind| says(kind.value.clone()).trim().eq_ignore_ascii_case("speculationrules"))
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
    /// Whether browsers load from it before they read what follows.
    is_early: bool,
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
    gatherer.loads_at_once = style.is_early;
    gatherer.add_style(&css, &place);
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

fn gather_tag(text: &Text<'_>, tag: StartTag<'_>, reading: &mut Reading, gatherer: &mut Gatherer<'_>) {
    let (name, attributes) = (Cow::Borrowed(&*tag.name), tag.attributes.all);
    let mut element =
        Element { text, name, vocabulary: Vocabulary::Html, attributes, entities: None, reads_amp: false };
    element.note_amp(gatherer);
    if element.name == "base"
        && gatherer.comments == 0
        && let Some(href) = element.value("href")
    {
        let number = gatherer.found.base_tags.len();
        if reading.is_in_code(&text.text, tag.range.start) || reading.is_in_noscript(&text.text, tag.range.start) {
            reading.hidden.push(number);
        } else if tag.content == Content::Markup && gatherer.found.base.is_none() {
            (gatherer.found.base, reading.base) = (Some(href), Some(number));
        }
        gatherer.found.base_tags.push(text.raw(tag.range));
    }
    note_handlers(&element, gatherer);
    gather_attributes(&element, gatherer);
}
