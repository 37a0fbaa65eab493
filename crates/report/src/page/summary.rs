//! The first screen: what was done, how much, how sure.

use maud::{Markup, html};

use crate::document::Counts;
use crate::facts::{Facts, Kind, Verdict};
use crate::state::State;
use crate::text::{Found, number, percent};
use crate::totals::Source;

/// The errors of files that are listed.
const ERRORS: usize = 50;

/// The types that are listed; the rest is one row.
const TYPES: usize = 8;

/// A row of a figure.
struct Part<'p> {
    label: &'p str,
    count: u64,
    tone: Tone,
}

/// How a bar is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    Plain,
    Strong,
    Warning,
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Strong => "strong",
            Self::Warning => "warn",
        }
    }
}

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
    let sources: Vec<Part<'_>> = totals
        .sources
        .iter()
        .map(|(source, count)| Part {
            label: source.name(),
            count: *count,
            tone: if matches!(source, Source::None | Source::LeftUnread) { Tone::Warning } else { Tone::Plain },
        })
        .collect();
    let mut types: Vec<(&str, u64)> = totals.types.iter().map(|(name, count)| (&**name, *count)).collect();
    types.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
    let others: u64 = types.iter().skip(TYPES).map(|(_, count)| count).sum();
    let named = types.into_iter().take(TYPES).map(|(name, count)| Part {
        label: if name.is_empty() { "no document" } else { name },
        count,
        tone: Tone::Plain,
    });
    let rest = (others > 0).then_some(Part { label: "other types", count: others, tone: Tone::Plain });
    let types: Vec<Part<'_>> = named.chain(rest).collect();
    let mut findings: Vec<Part<'_>> =
        totals.findings.iter().map(|(code, count)| Part { label: code, count: *count, tone: Tone::Warning }).collect();
    findings.sort_by(|one, other| other.count.cmp(&one.count).then(one.label.cmp(other.label)));
    findings.insert(0, Part { label: "nothing to report", count: totals.clean, tone: Tone::Plain });
    let left: Vec<Part<'_>> =
        facts.left.iter().map(|(why, count)| Part { label: why, count: *count, tone: Tone::Warning }).collect();
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
    let Counts { changed, absolute, same_document, kept, unresolved, .. } = counts;
    let is_fault = kind == Kind::Check;
    let parts = [
        (kind.changed(), changed, if is_fault { Tone::Warning } else { Tone::Strong }),
        (kind.absolute(), absolute, Tone::Plain),
        ("to the same document", same_document, Tone::Plain),
        ("kept on purpose", kept, Tone::Plain),
        (kind.unresolved(), unresolved, Tone::Warning),
    ];
    let is_shown = |(index, (_, count, _)): &(usize, (&str, u64, Tone))| *index < 2 || *count > 0;
    parts
        .into_iter()
        .enumerate()
        .filter(is_shown)
        .map(|(_, (label, count, tone))| Part { label, count, tone })
        .collect()
}

/// Returns a table with a bar in each row; what the bars show stands beside them. The whole comes in words as well.
fn figure(title: &str, what: &str, parts: &[Part<'_>], (whole, in_words): (u64, &str)) -> Markup {
    let width = |part: u64| if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    html! {
        table.figure {
            caption { b { (title) } " " span { (what) ", " (in_words) } }
            colgroup { col.label; col; col.amount; col.share; }
            thead.unseen { tr { th scope="col" { "What" } th scope="col" { "Bar" } th scope="col" { "Number" } th scope="col" { "Share" } } }
            tbody {
                @for Part { label, count, tone } in parts {
                    tr {
                        th scope="row" { (Found(label)) }
                        td {
                            svg viewBox="0 0 100 10" preserveAspectRatio="none" width="100%" height="10" aria-hidden="true" {
                                rect.rail width="100" height="10" {}
                                rect class=(tone.class()) width=(format!("{:.3}", width(*count).max(if *count > 0 { 0.6 } else { 0.0 }))) height="10" {}
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
