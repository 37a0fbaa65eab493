//! The first screen: what was done, how much, how sure.

use absolve_rewriter::Counts;
use maud::{Markup, html};

use crate::facts::{Facts, Kind, Verdict};
use crate::state::State;
use crate::text::{Found, heads, largest_first, number, percent};
use crate::totals::Source;

/// The errors of files that are listed.
const ERRORS: usize = 50;

/// The types that are listed; the rest is one row.
const TYPES: usize = 8;

/// A row of a figure.
struct Part<'p> {
    label: &'p str,
    count: u64,
    colour: &'static str,
}

const fn part<'p>(label: &'p str, count: u64, colour: &'static str) -> Part<'p> {
    Part { label, count, colour }
}

/// The colours of bars: classes of the style.
const PLAIN: &str = "plain";
const STRONG: &str = "strong";
const WARNING: &str = "warn";

pub(crate) fn section(kind: Kind, facts: &Facts, state: &State) -> Markup {
    let verdict = match facts.verdict {
        Verdict::Good => "good",
        Verdict::Notable => "notable",
        Verdict::Bad => "bad",
    };
    let (first, others) = facts.sentences.split_first().map_or(("", &[][..]), |(first, others)| (first, others));
    html! {
        header class=(verdict) {
            p.kicker { (kind.name()) }
            h1 { (Found(&facts.title)) }
            @if !first.is_empty() { p.lead { (Found(first)) } }
            @for sentence in others { p { (Found(sentence)) } }
            @if !facts.command.is_empty() { pre.command tabindex="0" { code { (Found(&facts.command)) } } }
            nav aria-label="Sections" {
                @if !facts.errors.is_empty() { a href="#errors" { "Errors" } }
                @if !facts.findings.is_empty() { a href="#findings" { (kind.findings()) } }
                @if !state.hosts.top().shown.is_empty() { a href="#hosts" { "Hosts" } }
                a href="#documents" { (documents_heading(kind)) }
            }
        }
        main.page {
            (figures(kind, facts, state))
            (errors(&facts.errors))
        }
    }
}

pub(crate) const fn documents_heading(kind: Kind) -> &'static str {
    match kind {
        Kind::Verify => "Files",
        _ => "Documents",
    }
}

fn errors(errors: &[String]) -> Markup {
    html! {
        @if !errors.is_empty() {
            section.errors aria-labelledby="errors" {
                h2 #errors { "Errors " span { (number(errors.len() as u64)) } }
                ul { @for error in errors.iter().take(ERRORS) { li { (Found(error)) } } }
                @if errors.len() > ERRORS {
                    p { "The other " (number((errors.len() - ERRORS) as u64)) " are on the standard error of the run." }
                }
            }
        }
    }
}

fn figures(kind: Kind, facts: &Facts, state: &State) -> Markup {
    let totals = &state.totals;
    let units = match kind {
        Kind::Verify => "files",
        _ => "documents",
    };
    let colour = |source: Source| if source.is_doubtful() { WARNING } else { PLAIN };
    let sources =
        totals.sources.iter().map(|(source, count)| part(source.name, *count, colour(*source))).collect::<Vec<_>>();
    let named = |(name, count): (_, u64)| part(if str::is_empty(name) { "no document" } else { name }, count, PLAIN);
    let mut types: Vec<Part<'_>> = largest_first(&totals.types).into_iter().map(named).collect();
    let others = types.split_off(TYPES.min(types.len())).iter().map(|part| part.count).sum();
    types.extend((others > 0).then_some(part("other types", others, PLAIN)));
    let warning = |(label, count)| part(label, count, WARNING);
    let mut findings = vec![part("nothing to report", totals.clean, PLAIN)];
    findings.extend(largest_first(&totals.findings).into_iter().map(warning));
    let left: Vec<Part<'_>> = facts.left.iter().map(|(why, count)| warning((why, *count))).collect();
    let reasons = left.iter().map(|part| part.count).sum();
    let (rows, all) = (totals.rows, totals.all_in_words());
    let in_all = |whole: u64| format!("{} in all", number(whole));
    html! {
        section.figures aria-label="Figures" {
            (figure("Links", "by what became of them", &links(kind, totals.links), (totals.links.links, &in_all(totals.links.links))))
            @if kind != Kind::Verify {
                (figure("Bases", "documents by the source of their base", &sources, (rows, &all)))
            }
            (figure("Types", &format!("{units} by media type"), &types, (rows, &all)))
            (figure(kind.findings(), &format!("{units} by what was found in them"), &findings, (rows, &all)))
            @if !left.is_empty() {
                (figure("Left relative", "links by the reason", &left, (reasons, &in_all(reasons))))
            }
        }
    }
}

fn links(kind: Kind, counts: Counts) -> Vec<Part<'static>> {
    let Counts { rewritten, mapped, absolute, same_document, kept, unresolved, .. } = counts;
    let is_fault = kind == Kind::Check;
    let parts = [
        part(kind.changed(), rewritten, if is_fault { WARNING } else { STRONG }),
        part(kind.absolute(), absolute, PLAIN),
        part("absolute before, and mapped", mapped, if is_fault { WARNING } else { STRONG }),
        part("to the same document", same_document, PLAIN),
        part("kept on purpose", kept, PLAIN),
        part(kind.unresolved(), unresolved, WARNING),
    ];
    let is_shown = |(index, part): &(usize, Part<'_>)| *index < 2 || part.count > 0;
    parts.into_iter().enumerate().filter(is_shown).map(|(_, part)| part).collect()
}

/// Returns a table with a bar in each row; what the bars show stands beside them. The whole comes in words as well.
fn figure(title: &str, what: &str, parts: &[Part<'_>], (whole, in_words): (u64, &str)) -> Markup {
    let width = |part: u64| if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    html! {
        table.figure {
            caption { b { (title) } " " span { (what) ", " (in_words) } }
            colgroup { col.label; col; col.amount; col.share; }
            thead.unseen { tr { (heads(&["What", "Bar", "Number", "Share"])) } }
            tbody {
                @for Part { label, count, colour } in parts {
                    tr {
                        th scope="row" { (Found(label)) }
                        td {
                            svg viewBox="0 0 100 10" preserveAspectRatio="none" width="100%" height="10" aria-hidden="true" {
                                rect.rail width="100" height="10" {}
                                rect class=(colour) width=(format!("{:.3}", width(*count).max(if *count > 0 { 0.6 } else { 0.0 }))) height="10" {}
                            }
                        }
                        td { (number(*count)) }
                        td { (percent(*count, whole)) }
                    }
                }
            }
        }
    }
}
