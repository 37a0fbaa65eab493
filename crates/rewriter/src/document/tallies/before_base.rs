//! Reports references before the BASE, whose target depends on whether a browser has read that.

use std::ops::ControlFlow;

use absolve_base::{Base, Profile};
use absolve_links::{Link, Scope};

use crate::document::bases::before_base::applies;
use crate::document::classify::decision::Decision;
use crate::document::classify::{classify, decide, spend};
use crate::document::context::DocumentContext;
use crate::finding::{Code, Finding};
use crate::findings::Tally;
use crate::limits::resolved_bytes;
use crate::options::Spelling;
use crate::report::Status;

/// The scopes whose bases a link before the BASE may have.
#[derive(Clone, Copy)]
struct Early {
    /// Whether all browsers load it at the base around the document.
    is_certain: bool,
    document: usize,
    around: usize,
}

/// What is reported of a document: why, how often, and the first reference with its target and the other one.
type Reported = (&'static str, Tally, [String; 3]);

/// Returns a finding for references that all browsers load before they read the BASE, and one for those that some do.
pub(crate) fn findings(context: &DocumentContext<'_, '_>) -> Vec<Finding> {
    let DocumentContext { document, scan, bases, options, .. } = context;
    let is_early = |scope: &Scope| matches!(scope, Scope::BeforeBase { .. } | Scope::Nested { base: None, .. });
    if options.rules.profile == Profile::Drafts || !scan.scopes.iter().any(is_early) {
        return Vec::new();
    }
    let mut reported: Vec<Reported> = Vec::new();
    let mut room = resolved_bytes(document);
    for (index, link) in scan.links.iter().enumerate() {
        let early = match scan.scopes[link.scope] {
            Scope::BeforeBase { is_certain, document, around } => Early { is_certain, document, around },
            // Only Chromium gives a frame the base from before the BASE.
            Scope::Nested { base: None, within: 0 } if scan.base.is_some_and(|base| index < base) => {
                Early { is_certain: false, document: 0, around: 1 }
            }
            _ => continue,
        };
        let [document, around] = [early.document, early.around].map(|scope| bases[scope].as_ref());
        if url(document) == url(around) || spend(&mut room, document).is_break() || spend(&mut room, around).is_break()
        {
            continue;
        }
        let Some((why, targets)) = targets_of(context, index, early) else { continue };
        match reported.iter_mut().find(|(known, ..)| *known == why) {
            Some((_, tally, _)) => tally.add(link.range.start),
            None => reported.push((why, Tally { count: 1, first: link.range.start }, targets)),
        }
    }
    let finding = |(why, tally, [reference, target, other]): Reported| {
        let message = format!("{tally} before the BASE {why}: {reference:?} leads to {target}, and {other}");
        Finding::new(Code::BeforeBase, message).at(tally.first)
    };
    reported.into_iter().map(finding).collect()
}

fn url(base: Option<&Base>) -> Option<&str> {
    base.and_then(|base| base.url.as_ref()).map(|url| url.as_str())
}

/// Returns why a link is reported, with its text, its target and what it would lead to at the other base; `None` if both targets are one.
fn targets_of(context: &DocumentContext<'_, '_>, index: usize, early: Early) -> Option<(&'static str, [String; 3])> {
    let DocumentContext { document, scan, bases, options, part, .. } = context;
    let (link, mut target) = (&scan.links[index], String::new());
    let mut written = None;
    let _ = decide(context, index, &mut target, &mut |_, decision| {
        if let Decision::Full { status: Status::Relative, target, .. } = decision {
            written = Some(target.to_owned());
        }
        ControlFlow::Continue(())
    });
    let written = written.filter(|_| !part.targets.contains_key(&link.range.start))?;
    let reference = document.reference(link);
    let mut at = |scope: usize| {
        let link = Link { scope, ..link.clone() };
        let base = context.base_of(&link, reference.text());
        let status = classify(context, &link, reference.text(), base, &mut target);
        (status == Status::Relative).then(|| target.clone())
    };
    let is_around = early.is_certain && applies(&bases[early.around], options.rules);
    let (at_base, around) = (at(early.document), at(early.around));
    let (own, other) = if is_around { (around, at_base) } else { (at_base, around) };
    let is_by_base = !options.map.is_empty() || options.spelling == Spelling::Ascii || own.as_ref() == Some(&written);
    if !is_by_base || own == other {
        return None;
    }
    let by_base = |other: Option<String>| {
        other.map_or("nowhere at the BASE".to_owned(), |url| format!("at the BASE it would lead to {url}"))
    };
    let in_browsers = |verb: &str| match &other {
        Some(url) => format!("{verb} it from {url}"),
        None => format!("{verb} it from the folder of the page, whose URL is not known"),
    };
    let (why, other) = match (is_around, early.is_certain) {
        (true, _) => ("resolved without it, because browsers load them first", by_base(other)),
        (_, true) => ("resolved at it, although browsers load them first", in_browsers("they load")),
        _ => ("resolved at it, although some browsers load them first", in_browsers("those load")),
    };
    Some((why, [reference.text().to_owned(), written, other]))
}
