//! The layers of a base as nested boxes, as the drafts draw them.

use absolve_base::{Declared, Verdict};
use maud::Render;

use crate::document::Document;
use crate::text::Found;

/// The boxes, from the inside out.
const BOXES: [&str; 3] = ["embedded in the document", "headers around it", "URL it was retrieved from"];

/// Adds the boxes to `html`, with what each declares and why it counts or not.
///
/// Thousands of rows open, so this is no template, as those rows are none.
pub(crate) fn add_boxes(document: &Document<'_>, html: &mut String) {
    let declared = document.declared();
    (0..=BOXES.len()).for_each(|_| html.push_str("<div class=\"box\">"));
    for (index, title) in BOXES.iter().enumerate() {
        let is_here = |declared: &&Declared| declared.declaration.layer.number_of_box() == index + 1;
        let mut here = declared.iter().filter(is_here).peekable();
        html.push_str("<p>");
        (index + 1).render_to(html);
        html.push_str(" · ");
        html.push_str(title);
        html.push_str(if here.peek().is_none() { " – nothing declared</p>" } else { "</p>" });
        here.for_each(|declared| add_declaration(document, declared, html));
        html.push_str("</div>");
    }
    html.push_str("<p>4 · no base</p>");
    if !declared.iter().any(|declared| declared.verdict == Verdict::Used) {
        html.push_str("<p class=\"used\">nothing else declares one: each reference is taken as absolute</p>");
    }
    html.push_str("</div>");
}

fn add_declaration(document: &Document<'_>, declared: &Declared, html: &mut String) {
    let Declared { declaration, url, verdict } = declared;
    let is_used = *verdict == Verdict::Used;
    html.push_str(if is_used { "<p class=\"used\"><b>used: </b>" } else { "<p>" });
    declaration.layer.name().render_to(html);
    html.push_str(" at ");
    Found(&(document.word_place)(&declaration.place).to_string()).render_to(html);
    html.push_str(": <code>");
    Found(&declaration.value).render_to(html);
    html.push_str("</code>");
    if let Some(url) = url.as_deref().filter(|url| *url != declaration.value) {
        html.push_str(" = <code>");
        Found(url).render_to(html);
        html.push_str("</code>");
    }
    if !is_used {
        html.push_str("<i> not used: ");
        verdict.why().render_to(html);
        html.push_str("</i>");
    }
    html.push_str("</p>");
}
