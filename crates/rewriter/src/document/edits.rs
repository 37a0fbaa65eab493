//! The edits of one document, and what there is to report of it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use absolve_base::Base;
use absolve_links::{Edits, Link, Reference};

use crate::document::classify::{Classified, classify_all, classify_fully, is_of_placeholder, may_be_path};
use crate::document::context::DocumentContext;
use crate::document::out_of_reach::{is_perhaps_host, reach_of_link};
use crate::document::placeholder::is_kept;
use crate::document::placeholder_tally::Placeholders;
use crate::document::saved_links::{leads_to_no_copy, names_no_copy};
use crate::document::sight::Sight;
use crate::document::{base_element, bases};
use crate::finding::{Code, Finding};
use crate::findings;
use crate::findings::Tally;
use crate::limits::inserted_bytes;
use crate::options::{BaseElement, Detail, Options, Purpose};
use crate::report::shown::Shown;
use crate::report::{Cause, Counts, ItemDoubt, OutOfReach, PinnedLink, Status};

/// The edits of a document, and what they come from.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) edits: Edits,
    pub(crate) counts: Counts,
    pub(crate) findings: Vec<Finding>,
    pub(crate) pins: Vec<PinnedLink>,
    /// What there is to see, if that is wanted.
    pub(crate) shown: Option<Shown>,
}

/// Returns the outcome of a document; `None` if absolute links would make it many times its size.
pub(crate) fn outcome_of(context: &DocumentContext<'_, '_>) -> Option<Outcome> {
    let DocumentContext { document, scan, .. } = context;
    let mut edits = Edits::with_capacity(scan.links.len(), scan.links.len() * 64);
    let mut counts = Counts { documents: 1, links: scan.links.len() as u64, ..Counts::default() };
    let mut tallies =
        Tallies { stays_relative: scan.remarks.iter().any(|remark| remark.kind.leaves_unread()), ..Tallies::default() };
    // Given targets are not what makes a document many times its size.
    let budget = inserted_bytes(document) + context.targets.values().map(String::len).sum::<usize>();
    let mut sight = (context.options.detail == Detail::Shown).then(|| Sight::of(context));
    let end = classify_all(context, |link, classified| {
        match classified {
            Classified::Fast { range, prefix } => {
                counts.rewritten += 1;
                sight.iter_mut().for_each(|sight| sight.add_fast(link, &range, prefix));
                edits.push(range, prefix.as_bytes());
            }
            Classified::Absolute => counts.absolute += 1,
            Classified::Full { reference, status, target, is_unwrapped } => {
                tallies.add(context, link, reference, status, target);
                sight.iter_mut().for_each(|sight| sight.add(reference.text(), status, target));
                match status {
                    Status::Relative => {
                        counts.rewritten += 1;
                        counts.unwrapped += u64::from(is_unwrapped);
                        reference.edit_to(target, &mut edits);
                    }
                    Status::Absolute => counts.absolute += 1,
                    Status::SameDocument => counts.same_document += 1,
                    Status::Kept => {
                        counts.kept += 1;
                        counts.kept_bases += u64::from(base_element::is_of_base(scan, link));
                        counts.kept_placeholders +=
                            u64::from(is_of_placeholder(document, link, reference, context.options));
                    }
                    Status::Unresolved(_) => counts.unresolved += 1,
                }
            }
        }
        if edits.inserted_bytes() <= budget { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if end.is_break() {
        return None;
    }
    counts.other_at_item = tallies.items.get(&ItemDoubt::OtherAtItem).map_or(0, |tally| tally.count as u64);
    let mut findings = findings_of(context, &tallies, &edits);
    let edits = match with_base_element(context, &edits, tallies.stays_relative) {
        None => edits,
        Some(Ok(edits)) => {
            findings.extend(findings::fragments_move(scan, &context.bases, counts.same_document as usize));
            edits
        }
        Some(Err(why)) => {
            findings.push(Finding::new(Code::BaseNeeded, format!("the BASE stays: {why}")));
            edits
        }
    };
    Some(Outcome { edits, counts, findings, pins: pins(context), shown: sight.map(Sight::finish) })
}

/// How many links of a document there are to report, by the reason.
#[derive(Debug, Default)]
struct Tallies {
    unresolved: BTreeMap<Cause, Tally>,
    /// References to local copies that name no file of the input.
    missing_copies: usize,
    perhaps_paths: Tally,
    perhaps_hosts: Tally,
    out_of_reach: BTreeMap<OutOfReach, Tally>,
    placeholders: Placeholders,
    no_copies: Tally,
    items: BTreeMap<ItemDoubt, Tally>,
    /// Whether something stays relative that needs the BASE.
    stays_relative: bool,
}

impl Tallies {
    fn add(
        &mut self,
        context: &DocumentContext<'_, '_>,
        link: &Link,
        reference: &Reference<'_>,
        status: Status,
        target: &str,
    ) {
        let (byte, reference) = (link.range.start, reference.text());
        if let Some(why) = reach_of_link(context, link, status, reference, target) {
            self.out_of_reach.entry(why).or_default().add(byte);
        }
        if leads_to_no_copy(context, status, reference) {
            self.no_copies.add(byte);
        }
        if let Some(doubt) = context.doubt_of(link, status, reference) {
            self.items.entry(doubt).or_default().add(byte);
        }
        let is_of_base = || base_element::is_of_base(context.scan, link);
        match status {
            Status::Absolute if may_be_path(reference) => self.perhaps_paths.add(byte),
            Status::Relative if is_perhaps_host(context.options, status, reference) => self.perhaps_hosts.add(byte),
            Status::Kept => {
                self.stays_relative |= !is_of_base() && !stands_in(reference, context.options);
                self.placeholders.add(reference, byte, context.options);
            }
            Status::Unresolved(cause) => {
                self.stays_relative |= !is_of_base();
                self.missing_copies += usize::from(cause == Cause::LocalCopy && names_no_copy(context, reference));
                self.unresolved.entry(cause).or_default().add(byte);
            }
            _ => {}
        }
    }
}

/// Returns whether a kept reference is a placeholder for something absolute: nothing else can be put into a mail.
fn stands_in(reference: &str, options: &Options) -> bool {
    options.purpose == Purpose::Mail && is_kept(reference, options)
}

fn findings_of(context: &DocumentContext<'_, '_>, tallies: &Tallies, edits: &Edits) -> Vec<Finding> {
    let DocumentContext { scan, bases, .. } = context;
    let mut findings: Vec<Finding> = bases.iter().flatten().take(1).flat_map(bases::findings).collect();
    findings.extend(bases::inner_findings(scan, bases));
    let opaque = || bases.iter().flatten().filter_map(|base| base.url.as_ref()).find(|url| url.is_opaque());
    let unresolved = tallies.unresolved.iter();
    findings.extend(unresolved.map(|(cause, tally)| match cause {
        Cause::LocalCopy => findings::local_copies(*tally, tallies.missing_copies),
        cause => findings::unresolved(*cause, *tally, opaque()),
    }));
    findings.extend(tallies.out_of_reach.iter().map(|(why, tally)| findings::out_of_reach(*why, *tally)));
    findings.extend(tallies.placeholders.findings());
    findings.extend(tallies.items.iter().map(|(doubt, tally)| findings::feed_base(*doubt, *tally)));
    for (tally, finding) in [
        (tallies.no_copies, findings::no_copies as fn(Tally) -> Finding),
        (tallies.perhaps_paths, findings::perhaps_paths),
        (tallies.perhaps_hosts, findings::perhaps_hosts),
    ] {
        findings.extend((tally.count > 0).then(|| finding(tally)));
    }
    findings.extend(scan.remarks.iter().map(findings::remark));
    findings.extend(findings::style_policy(scan, edits));
    findings
}

/// Returns the edits with the BASE removed, or the reason why it stays; `None` without a BASE, or with the option to keep
/// it.
fn with_base_element(
    context: &DocumentContext<'_, '_>,
    edits: &Edits,
    stays_relative: bool,
) -> Option<Result<Edits, &'static str>> {
    let DocumentContext { document, scan, bases, options, .. } = context;
    let first: Option<&Option<Base>> = bases.first();
    Some(match options.base_element {
        BaseElement::Keep => return None,
        _ if scan.bases.is_empty() => return None,
        _ if stays_relative => Err("links that stay relative need it"),
        _ if first.is_none_or(Option::is_none) => Err("its value is not known here"),
        base_element => base_element::out_of_force(document, scan, base_element, edits),
    })
}

/// Returns the targets of links with subresource integrity.
fn pins(context: &DocumentContext<'_, '_>) -> Vec<PinnedLink> {
    let mut pins = Vec::new();
    let mut target = String::new();
    for index in &context.scan.with_integrity {
        let _ = classify_fully(context, *index, &mut target, &mut |link, classified| {
            if let Classified::Full { reference, status, target, .. } = classified {
                let url = if status == Status::Absolute { reference.text() } else { target };
                let end = url.find('#').unwrap_or(url.len());
                pins.push(PinnedLink { byte: link.range.start, position: None, url: url[..end].to_owned() });
            }
            ControlFlow::Continue(())
        });
    }
    pins
}
