//! The documents: a table to sort and filter, whose rows open.

use std::io::{self, Write};

use maud::{Markup, PreEscaped, Render, html};

use crate::document::Document;
use crate::facts::{Facts, Kind};
use crate::page::picture;
use crate::page::summary::documents_heading;
use crate::state::State;
use crate::text::{Found, count, number};
use crate::totals::Source;

/// The bytes around the rows, at most.
pub(crate) const FRAME_BYTES: usize = 12_000;

/// Adds the row of a document to `html`, and returns the length of its name. End tags that HTML does not need are left out.
///
/// There are as many rows as documents, so this is no template; texts go the same way to their escapes.
pub(crate) fn add_row(kind: Kind, document: &Document<'_>, html: &mut String) -> usize {
    let start = html.len();
    Found(document.path).render_to(html);
    for (what, which) in [(" · record ", document.record), (" · part ", document.part)] {
        if !which.is_empty() {
            html.push_str(what);
            Found(which).render_to(html);
        }
    }
    let name = html.len() - start;
    let counts = document.counts;
    add_cell(&Found(subtype(document.media_type)), html);
    if kind != Kind::Verify {
        add_cell(&PreEscaped(Source::of(document).name), html);
        add_cell(&short_base(document), html);
    }
    add_cell(&Amount(counts.links), html);
    add_cell(&Amount(counts.rewritten), html);
    if kind != Kind::Verify {
        add_cell(&Amount(counts.kept + counts.unresolved), html);
    }
    add_cell(&Found(&codes(&document.findings)), html);
    name
}

fn add_cell(content: &impl Render, html: &mut String) {
    html.push_str("<td>");
    content.render_to(html);
}

/// Returns each code once, with its number if it is over 1. The script of the page splits at the commas.
fn codes(findings: &[&str]) -> String {
    let mut counted: Vec<(&str, u64)> = Vec::new();
    for code in findings {
        match counted.iter_mut().find(|(counted, _)| counted == code) {
            Some((_, number)) => *number += 1,
            None => counted.push((code, 1)),
        }
    }
    let words = counted.into_iter().map(|(code, times)| match times {
        1 => code.to_owned(),
        _ => format!("{code} × {}", number(times)),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A number in a cell, which is empty for zero.
struct Amount(u64);

impl Render for Amount {
    fn render_to(&self, buffer: &mut String) {
        if self.0 > 0 {
            self.0.render_to(buffer);
        }
    }
}

/// The base of a row, whose common end with the name becomes an ellipsis.
struct ShortBase<'b> {
    text: &'b str,
    end: &'static str,
}

impl Render for ShortBase<'_> {
    fn render_to(&self, buffer: &mut String) {
        Found(self.text).render_to(buffer);
        buffer.push_str(self.end);
    }
}

/// Returns the part of a media type that differs.
fn subtype(media_type: &str) -> &str {
    media_type.split_once('/').map_or(media_type, |(_, subtype)| subtype)
}

/// Returns the base; what it has in common with the end of the path becomes an ellipsis.
fn short_base<'d>(document: &Document<'d>) -> ShortBase<'d> {
    let Document { base, path, .. } = *document;
    let same = match base.ends_with(path) {
        true => path.len(),
        false => base.bytes().rev().zip(path.bytes().rev()).take_while(|(one, other)| one == other).count(),
    };
    let tail = &base.as_bytes()[base.len() - same..];
    match tail.iter().position(|byte| *byte == b'/').map(|slash| base.len() - same + slash + 1) {
        Some(start) if base.len() - start > 3 && base.is_char_boundary(start) => {
            ShortBase { text: &base[..start], end: "…" }
        }
        _ => ShortBase { text: base, end: "" },
    }
}

/// Adds what the row of a document opens to `html`: its base as boxes, and its first links. It is not divided, and no template either.
pub(crate) fn add_detail(document: &Document<'_>, html: &mut String) -> usize {
    html.push_str("<div class=\"detail\">");
    if !document.declared().is_empty() || !document.base.is_empty() {
        html.push_str("<div><p>Base: ");
        if document.base.is_empty() {
            html.push_str("none");
        } else {
            add_code(document.base, html);
        }
        html.push_str("</p>");
        picture::add_boxes(document, html);
        html.push_str("</div>");
    }
    add_links(document, html);
    html.push_str("</div>");
    0
}

fn add_links(document: &Document<'_>, html: &mut String) {
    let Some(shown) = document.shown.filter(|shown| shown.links().len() > 0) else { return };
    html.push_str("<div><p>Its first relative links, ");
    shown.links().len().render_to(html);
    html.push_str(" of ");
    html.push_str(&number(document.counts.links));
    html.push_str(if document.counts.links == 1 { " link</p><ul>" } else { " links</p><ul>" });
    for link in shown.links() {
        html.push_str("<li>");
        add_code(link.reference, html);
        match link.target {
            Some(target) => {
                html.push_str(" → ");
                add_code(target, html);
            }
            None => {
                html.push_str("<i> ");
                link.status.name().render_to(html);
                html.push_str("</i>");
            }
        }
        html.push_str("</li>");
    }
    html.push_str("</ul></div>");
}

fn add_code(text: &str, html: &mut String) {
    html.push_str("<code>");
    Found(text).render_to(html);
    html.push_str("</code>");
}

/// Writes the section.
pub(crate) fn write(kind: Kind, facts: &Facts, state: &State, output: &mut dyn Write) -> io::Result<()> {
    let begin = html! {
        h2 #documents-heading { (documents_heading(kind)) }
        (note(kind, facts, state))
        form.controls role="search" hidden {
            label { span { "Find" } input type="search" name="text" autocomplete="off" spellcheck="false" placeholder="name, base, finding" {} }
            label { span { "Type" } select name="type" { option value="" { "all" } } }
            @if kind != Kind::Verify { label { span { "Source" } select name="source" { option value="" { "all" } } } }
            label { span { "Finding" } select name="finding" { option value="" { "all" } } }
            button type="reset" { "Show all" }
        }
        p #count role="status" aria-live="polite" {}
    };
    output.write_all(b"<section class=\"page wide\" id=\"documents\" aria-labelledby=\"documents-heading\">")?;
    output.write_all(begin.0.as_bytes())?;
    output.write_all(b"<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"documents-heading\">")?;
    write!(output, "<table id=\"rows\" class=\"{}\">", if kind == Kind::Verify { "rows bare" } else { "rows" })?;
    output.write_all(heads(kind).0.as_bytes())?;
    output.write_all(b"<tbody>\n")?;
    let mut row = String::new();
    for (key, (name, cells)) in state.rows.iter() {
        row.clear();
        match state.details.iter().find_map(|details| details.get(key)) {
            Some(detail) => {
                let opened = ["<tr><td><details><summary>", name, "</summary>", detail, "</details>", cells, "\n"];
                row.extend(opened);
            }
            None => row.extend(["<tr><td>", name, cells, "\n"]),
        }
        output.write_all(row.as_bytes())?;
    }
    output.write_all(b"</tbody></table></div><p><button type=\"button\" id=\"more\" hidden></button></p></section>")
}

fn heads(kind: Kind) -> Markup {
    let changed = match kind {
        Kind::Rewrite => "Made absolute",
        Kind::Verify => "Proven",
        Kind::Check => "Relative",
    };
    html! {
        thead {
            tr {
                th scope="col" { (if kind == Kind::Verify { "File" } else { "Document" }) }
                th scope="col" { "Type" }
                @if kind != Kind::Verify {
                    th scope="col" { "Source" }
                    th scope="col" { "Base" }
                }
                th scope="col" data-number { "Links" }
                th scope="col" data-number { (changed) }
                @if kind != Kind::Verify { th scope="col" data-number { "Left" } }
                th scope="col" { (kind.findings()) }
            }
        }
    }
}

/// States what is in the table and what is not.
fn note(kind: Kind, facts: &Facts, state: &State) -> Markup {
    let (all, rows) = (state.totals.rows, state.rows.len() as u64);
    let opened: usize = state.details.iter().map(|details| details.len()).sum();
    let what = match kind {
        Kind::Verify => "file",
        _ if state.totals.left_unread() > 0 => "row",
        _ => "document",
    };
    html! {
        p {
            @if rows < all {
                b { (count(all - rows, what)) " of " (number(all)) " are not in this table" }
                ", so that the page stays small; the figures above count all. " (Found(&facts.elsewhere)) " "
            }
            @if kind != Kind::Verify {
                "An ellipsis at the end of a base stands for the end of the name. "
                @if opened > 0 {
                    (count(opened as u64, "row")) " open to show where the base comes from, and links before and after"
                    @if (opened as u64) < rows { ": those with something to see first, as many as fit" }
                    "."
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 80 relative links do not fill the row with 80 times the same word.
    #[test]
    fn a_row_does_not_repeat_the_code_of_each_finding() {
        let found = [&["no-base"][..], &["relative"; 80], &["no-base"; 0], &["kept"]].concat();
        assert_eq!(codes(&found), "no-base, relative × 80, kept");
    }
}
