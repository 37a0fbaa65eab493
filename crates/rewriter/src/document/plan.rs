//! What becomes of the links of one document: its edits, and what there is to report.

use std::ops::ControlFlow;

use absolve_base::Base;
use absolve_links::{Document, Edits, Place, Scan, inserted_bytes};

use crate::document::ascii::away;
use crate::document::classify::decide;
use crate::document::classify::decision::{Decision, Depth};
use crate::document::context::{DocumentContext, Kept};
use crate::document::mapped::local::without_obstacles;
use crate::document::preview::Preview;
use crate::document::tallies::other_base::other_base;
use crate::document::tallies::{Tallies, before_base};
use crate::document::{base_element, bases};
use crate::entity::part::Part;
use crate::finding::{Code, Finding};
use crate::findings;
use crate::options::{BaseElement, Detail, Options};
use crate::position::Position;
use crate::report::shown::Shown;
use crate::report::{Counts, PinnedLink, Status};

/// What becomes of the links of a document.
#[derive(Debug, Default)]
pub(crate) struct DocumentPlan {
    pub(crate) edits: Edits,
    pub(crate) findings: Vec<Finding>,
    pub(crate) pins: Vec<PinnedLink>,
    /// Its base, if that was needed and is known.
    pub(crate) base: Option<Base>,
    /// The links as they were decided one by one.
    decided: Counts,
    shown: Option<Shown>,
    is_vetoed: bool,
}

impl DocumentPlan {
    /// Plans the document of a part.
    pub(crate) fn of(document: &Document<'_>, scan: &Scan, part: &Part, options: &Options) -> Self {
        let read = Self { decided: Counts { documents: 1, ..Counts::default() }, ..Self::default() };
        // Without links, no base is needed.
        let sets_aside = part.local_paths.is_some() && !scan.obstacles.is_empty();
        if scan.links.is_empty() && scan.remarks.is_empty() && !sets_aside {
            return read;
        }
        let mut context = DocumentContext::new(document, scan, part, options);
        let Some(mut plan) = context.as_mut().and_then(Self::in_same_encoding) else {
            return Self { findings: vec![findings::output_too_large()], ..read };
        };
        // That of the document is the first.
        plan.base = context.and_then(|context| context.bases.into_iter().next().flatten());
        if let Some(why) = part.protection.veto(options.signatures).filter(|_| !plan.edits.is_empty()) {
            plan.veto(why);
        }
        plan
    }

    /// Plans a document that cannot be read.
    pub(crate) fn unread(why: Finding) -> Self {
        Self { findings: vec![why], ..Self::default() }
    }

    /// Leaves all of the document unchanged, for this reason.
    pub(crate) fn veto(&mut self, why: Finding) {
        self.leave_unchanged();
        self.findings.push(why);
    }

    fn leave_unchanged(&mut self) {
        (self.is_vetoed, self.edits) = (true, Edits::default());
    }

    /// Sets the places of findings in the entity, where a byte has this position.
    pub(crate) fn locate(&mut self, part: &Part, mut position: impl FnMut(usize) -> Position) {
        for finding in &mut self.findings {
            finding.part.clone_from(&part.path);
            finding.position = finding.byte.map(&mut position);
        }
        self.pins.iter_mut().for_each(|pin| pin.position = Some(position(pin.byte)));
    }

    /// Returns how many links there are, by what becomes of them.
    pub(crate) fn counts(&self) -> Counts {
        if self.is_vetoed { self.decided.unwritten() } else { self.decided }
    }

    /// Returns what there is to see of it.
    pub(crate) fn shown(&mut self) -> Shown {
        let shown = self.shown.take().unwrap_or_default();
        if self.is_vetoed { shown.unwritten() } else { shown }
    }

    /// Plans a document so that it keeps an encoding that is detected by its bytes, with as few references left relative as possible;
    /// sets [`DocumentContext::kept`]. `None` if absolute links would make the document many times its size.
    pub(crate) fn in_same_encoding(context: &mut DocumentContext<'_, '_>) -> Option<Self> {
        let document = context.document;
        let changes_encoding = |plan: &Self| document.changes_encoding(&plan.edits);
        let mut plan = Self::by(context)?;
        if !changes_encoding(&plan) {
            return Some(plan);
        }
        let changed = plan.decided.changed();
        for kept in [Kept::OfBytes, Kept::All] {
            if changes_encoding(&plan) {
                context.kept = kept;
                plan = Self::by(context)?;
            }
        }
        // The only edit left is that of a BASE that was to be removed.
        if changes_encoding(&plan) {
            plan.leave_unchanged();
        }
        plan.findings.push(findings::charset_needed(document, changed - plan.counts().changed()));
        Some(plan)
    }

    fn by(context: &DocumentContext<'_, '_>) -> Option<Self> {
        let DocumentContext { document, scan, .. } = context;
        let mut edits = Edits::with_capacity(scan.links.len(), scan.links.len() * 64);
        // Given targets are not what makes a document many times its size.
        let budget =
            inserted_bytes(document.bytes().len()) + context.part.targets.values().map(String::len).sum::<usize>();
        let mut preview = (context.options.detail == Detail::Shown).then(|| Preview::of(context));
        // The tags of links to local files.
        let mut local = Vec::new();
        let (tallies, end) = Tallies::of(context, Depth::Fast, |link, decision| {
            preview.iter_mut().for_each(|preview| preview.add(link, decision));
            match decision {
                Decision::Fast { range, prefix } => edits.push(range.clone(), prefix.as_bytes()),
                Decision::Full { reference, status: Status::Relative | Status::Mapped, target, .. } => {
                    reference.edit_to(target, &mut edits)
                }
                Decision::Local { reference, path } => {
                    match reference {
                        Some(reference) => reference.edit_to(path, &mut edits),
                        None => edits.push(link.range.clone(), path.as_bytes()),
                    }
                    if let Place::Attribute { tag, .. } = link.place {
                        local.push(tag);
                    }
                }
                _ => {}
            }
            if edits.inserted_bytes() <= budget { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if end.is_break() {
            return None;
        }
        let mut findings = findings_of(context, &tallies, &edits);
        match with_base_element(context, &edits, tallies.stays_relative) {
            None => {}
            Some(Ok(without_base)) => {
                findings.extend(findings::fragments_move(scan, &context.bases, tallies.to_base));
                edits = without_base;
            }
            Some(Err(why)) => findings.push(why),
        }
        if context.part.local_paths.is_some() {
            edits = without_obstacles(document, scan, &local, edits);
        }
        let (decided, pins, shown) = (tallies.counts, pins(context), preview.map(Preview::finish));
        Some(Self { edits, findings, pins, decided, shown, ..Self::default() })
    }
}

fn findings_of(context: &DocumentContext<'_, '_>, tallies: &Tallies, edits: &Edits) -> Vec<Finding> {
    let DocumentContext { scan, bases, .. } = context;
    let mut findings: Vec<Finding> = bases.iter().flatten().take(1).flat_map(bases::findings).collect();
    findings.extend(bases::inner_findings(scan, bases));
    findings.extend(tallies.findings(context, |_| true));
    findings.extend(before_base::findings(context));
    findings.extend(other_base(context));
    findings.extend(findings::remarks(scan));
    findings.extend(findings::style_policy(scan, edits));
    findings
}

/// Returns the edits with the BASE removed, or the finding that it stays; `None` without a BASE, or with the option to keep
/// it.
fn with_base_element(
    context: &DocumentContext<'_, '_>,
    edits: &Edits,
    stays_relative: bool,
) -> Option<Result<Edits, Finding>> {
    let DocumentContext { document, scan, bases, options, .. } = context;
    let stays = |why: &str| Finding::new(Code::BaseNeeded, format!("the BASE stays: {why}"));
    let first: Option<&Option<Base>> = bases.first();
    Some(match (options.base_element, scan.script_at_base) {
        (BaseElement::Keep, _) => return None,
        _ if scan.bases.is_empty() => return None,
        _ if stays_relative => Err(stays("links that stay relative need it")),
        (_, Some(byte)) => Err(stays("relative imports of inline scripts need it").at(byte)),
        _ if first.is_none_or(Option::is_none) => Err(stays("its value is not known here")),
        (base_element, None) => base_element::out_of_force(document, scan, base_element, edits).map_err(stays),
    })
}

/// Returns the targets of links with subresource integrity.
fn pins(context: &DocumentContext<'_, '_>) -> Vec<PinnedLink> {
    let mut pins = Vec::new();
    let mut target = String::new();
    for index in &context.scan.with_integrity {
        let _ = decide(context, *index, &mut target, &mut |link, decision| {
            if let Decision::Full { reference, status, target, .. } = decision {
                let url = if status == Status::Absolute { reference.text() } else { target };
                let away = away(context.document, link, url, context.options);
                let url = away.as_deref().unwrap_or(url);
                let end = url.find('#').unwrap_or(url.len());
                pins.push(PinnedLink { byte: link.range.start, position: None, url: url[..end].to_owned() });
            }
            ControlFlow::Continue(())
        });
    }
    pins
}
