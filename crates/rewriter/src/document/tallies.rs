//! What there is to report of the links of one document.

pub(crate) mod before_base;
pub(crate) mod other_base;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use absolve_base::Base;
use absolve_links::{Link, Reference, first_placeholder};

use crate::document::base_element::is_of_base;
use crate::document::classify::decision::{Decision, Depth};
use crate::document::classify::{decide_all, is_of_placeholder, may_be_path, means_document};
use crate::document::context::DocumentContext;
use crate::document::mapped::moves_with_base;
use crate::document::placeholder::is_kept;
use crate::document::saved_links::{leads_to_no_copy, may_be_query_of_page, may_lack_base, names_no_copy};
use crate::document::typo::may_be_host;
use crate::finding::{Code, Finding, KeptPlaceholder, Values};
use crate::findings::Tally;
use crate::options::{Options, Purpose};
use crate::provenance::retrieval_url::BaseError;
use crate::report::{Cause, Counts, ItemDoubt, OutOfReach, Status};

/// Why links are reported, in the order of the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doubt {
    Unresolved(Cause),
    OutOfReach(OutOfReach),
    /// The number of the placeholder, in their order; the last number is that of all others.
    Placeholder(usize),
    AtItem(ItemDoubt),
    NoCopy,
    MayLackBase,
    QueryOfFolder,
    MovesWithBase,
    NoPart,
    PerhapsPath,
    PerhapsHost,
}

impl Doubt {
    /// Returns whether a listing reports it. The list itself shows the others.
    pub(crate) const fn is_listed(self) -> bool {
        matches!(self, Self::Placeholder(_) | Self::AtItem(_) | Self::MovesWithBase | Self::NoPart | Self::PerhapsHost)
    }
}

/// The links of a document, counted by what becomes of them and by what is to be reported.
#[derive(Debug, Default)]
pub(crate) struct Tallies {
    pub(crate) counts: Counts,
    doubts: BTreeMap<Doubt, Tally>,
    /// The first placeholders that references of a document for mail begin with.
    placeholders: Vec<String>,
    /// References to local copies that name no file of the input.
    missing_copies: usize,
    /// References to the same document that lead to the URL of the BASE.
    pub(crate) to_base: usize,
    /// Whether something stays relative that needs the BASE.
    pub(crate) stays_relative: bool,
}

impl Tallies {
    /// The most placeholders of a document that are reported one by one.
    const PLACEHOLDERS: usize = 100;

    /// Decides what becomes of the links of a document, in their order, and counts them. `decided` receives each, and may break off.
    pub(crate) fn of<'d>(
        context: &DocumentContext<'_, 'd>,
        depth: Depth,
        mut decided: impl FnMut(&Link, &Decision<'_, 'd>) -> ControlFlow<()>,
    ) -> (Self, ControlFlow<()>) {
        let mut tallies = Self {
            counts: Counts { documents: 1, links: context.scan.links.len() as u64, ..Counts::default() },
            stays_relative: context.scan.remarks.iter().any(|remark| remark.kind.leaves_unread()),
            ..Self::default()
        };
        let end = decide_all(context, depth, |link, decision| {
            tallies.add(context, link, &decision);
            decided(link, &decision)
        });
        (tallies, end)
    }

    #[inline]
    fn add(&mut self, context: &DocumentContext<'_, '_>, link: &Link, decision: &Decision<'_, '_>) {
        match *decision {
            Decision::Fast { .. } => self.counts.rewritten += 1,
            Decision::Absolute => self.counts.absolute += 1,
            Decision::Local { .. } => self.counts.local += 1,
            Decision::Full { reference, status, target, is_unwrapped, reach } => {
                self.counts.unwrapped += u64::from(is_unwrapped && status == Status::Relative);
                self.report(link, reach.map(Doubt::OutOfReach));
                let moves = status == Status::Kept && moves_with_base(context, link, reference.text(), target);
                self.report(link, moves.then_some(Doubt::MovesWithBase));
                self.add_full(context, link, reference, status);
            }
        }
    }

    fn add_full(&mut self, context: &DocumentContext<'_, '_>, link: &Link, reference: &Reference<'_>, status: Status) {
        let (written, options) = (reference.text(), context.options);
        let doubt = context.doubt_of(link, status, written);
        self.counts.other_at_item += u64::from(doubt == Some(ItemDoubt::OtherAtItem));
        self.report(link, doubt.map(Doubt::AtItem));
        self.report(link, leads_to_no_copy(context, status, written).then_some(Doubt::NoCopy));
        self.report(link, may_lack_base(context, link, status).then_some(Doubt::MayLackBase));
        let is_of_base = || is_of_base(context.scan, link);
        match status {
            Status::Relative => {
                self.counts.rewritten += 1;
                let is_perhaps_host = options.purpose == Purpose::Mail && may_be_host(written);
                self.report(link, is_perhaps_host.then_some(Doubt::PerhapsHost));
            }
            Status::Mapped => self.counts.mapped += 1,
            Status::Absolute => {
                self.counts.absolute += 1;
                self.report(link, may_be_path(written).then_some(Doubt::PerhapsPath));
                self.report(link, may_be_query_of_page(context, written).then_some(Doubt::QueryOfFolder));
                let leads_to_no_part = context.part.ids.as_ref().is_some_and(|ids| ids.lack(written));
                self.report(link, leads_to_no_part.then_some(Doubt::NoPart));
            }
            Status::SameDocument => {
                self.counts.same_document += 1;
                self.to_base += usize::from(!means_document(link, written, options));
            }
            Status::Kept => {
                self.counts.kept += 1;
                self.counts.kept_bases += u64::from(is_of_base());
                let is_of_placeholder = is_of_placeholder(context.document, link, reference, options);
                self.counts.kept_placeholders += u64::from(is_of_placeholder);
                self.stays_relative |= !is_of_base() && !stands_in(written, options);
                let placeholder = self.placeholder(written, options);
                self.report(link, placeholder);
            }
            Status::Unresolved(cause) => {
                self.counts.unresolved += 1;
                self.stays_relative |= !is_of_base();
                self.missing_copies += usize::from(cause == Cause::LocalCopy && names_no_copy(context, written));
                self.report(link, Some(Doubt::Unresolved(cause)));
            }
        }
    }

    fn report(&mut self, link: &Link, doubt: Option<Doubt>) {
        doubt.into_iter().for_each(|doubt| self.doubts.entry(doubt).or_default().add(link.range.start));
    }

    /// Returns the placeholder that a kept reference begins with, in a document for mail.
    fn placeholder(&mut self, reference: &str, options: &Options) -> Option<Doubt> {
        let is_mail = options.purpose == Purpose::Mail;
        let placeholder = first_placeholder(reference, options.purpose).filter(|_| is_mail)?;
        let number = self.placeholders.iter().position(|known| known == placeholder);
        Some(Doubt::Placeholder(number.unwrap_or_else(|| {
            let number = self.placeholders.len();
            self.placeholders.extend((number < Self::PLACEHOLDERS).then(|| placeholder.to_owned()));
            number
        })))
    }

    /// Returns the findings of those doubts that are wanted.
    pub(crate) fn findings(
        &self,
        context: &DocumentContext<'_, '_>,
        is_wanted: impl Fn(Doubt) -> bool,
    ) -> impl Iterator<Item = Finding> {
        let wanted = self.doubts.iter().filter(move |(doubt, _)| is_wanted(**doubt));
        wanted.map(|(doubt, tally)| self.finding(*doubt, *tally, &context.bases))
    }

    /// Reports the references that are in doubt for one reason.
    fn finding(&self, doubt: Doubt, tally: Tally, bases: &[Option<Base>]) -> Finding {
        let (code, message) = match doubt {
            Doubt::Unresolved(cause) => {
                let (code, why) = unresolved(cause, tally, self.missing_copies, bases);
                // Some patterns are absolute.
                let state = if cause == Cause::UrlPattern { "unchanged" } else { "relative" };
                (code, format!("{tally} left {state}: {why}"))
            }
            Doubt::OutOfReach(why) => (Code::OutOfReach, format!("{tally} that no reader elsewhere can follow: {why}")),
            Doubt::Placeholder(number) => match self.placeholders.get(number) {
                Some(text) => return placeholder(text, tally),
                None => (
                    Code::Placeholder,
                    format!("{tally} with still other placeholders, which stay for the mail service to replace"),
                ),
            },
            Doubt::AtItem(doubt) => (Code::FeedBase, format!("{tally} in items {doubt}")),
            Doubt::NoCopy => (
                Code::NoLocalCopy,
                format!("{tally} in a saved page without a local copy; resolved against the URL of the page"),
            ),
            Doubt::MayLackBase => (
                Code::BaseDropped,
                format!(
                    "{tally} resolved against the URL of the page: the program that saved it removes or empties a BASE, so this may be the wrong base"
                ),
            ),
            Doubt::QueryOfFolder => (
                Code::Mirror,
                format!(
                    "{tally} with a query of the folder of the page: wget2 writes that for a query of the page itself"
                ),
            ),
            Doubt::MovesWithBase => {
                (Code::BaseMapped, format!("{tally} left relative: the BASE is mapped, and leads elsewhere with them"))
            }
            Doubt::NoPart => (Code::NoPart, format!("{tally} by cid: that lead to no part of the message")),
            Doubt::PerhapsPath => (Code::SchemeOrPath, format!("{tally} read as absolute, but perhaps meant as paths")),
            Doubt::PerhapsHost => {
                (Code::PerhapsHost, format!("{tally} perhaps meant as hosts, without https://; read as paths"))
            }
        };
        Finding::new(code, message).at(tally.first)
    }
}

/// Returns whether a kept reference is a placeholder for something absolute: nothing else can be put into a mail.
fn stands_in(reference: &str, options: &Options) -> bool {
    options.purpose == Purpose::Mail && is_kept(reference, options)
}

/// Returns why references have no target; `missing` of them name no file of the input.
fn unresolved(cause: Cause, tally: Tally, missing: usize, bases: &[Option<Base>]) -> (Code, Cow<'static, str>) {
    const COPIES: &str = "they lead to local copies whose URLs are not known";
    let mut opaque = bases.iter().flatten().filter_map(|base| base.url.as_ref()).filter(|url| url.is_opaque());
    let (code, why) = match cause {
        Cause::NoBase => (Code::NoBase, "no base is known"),
        Cause::PartBase(unclear) => (Code::PartBase, unclear.why()),
        Cause::UnclearItem => (
            Code::FeedBase,
            "the link of the item is a placeholder, is composed of several pieces, or has an xml:base of its own",
        ),
        Cause::OpaqueBase => match opaque.next() {
            Some(url) => return (Code::OpaqueBase, BaseError::of_opaque(url).to_string().into()),
            None => (Code::OpaqueBase, "the scheme of the base has no paths"),
        },
        Cause::BaseNotPortable => (Code::BaseNotPortable, "the base is not valid elsewhere (file:, cid:)"),
        Cause::NoTarget => (Code::NoTarget, "the standard defines no target"),
        Cause::LostPlaceholder => (Code::NoTarget, "to resolve them would remove a placeholder, or make one"),
        Cause::UrlPattern => (
            Code::UrlPattern,
            "the pattern begins with a group, a root or a map moves links that it matches, or the base has a user name, an IPv6 address or a scheme other than http and https",
        ),
        Cause::CssVariable => (
            Code::CssVariable,
            "they are in custom properties that the document does not use itself, and browsers resolve them at different stylesheets",
        ),
        Cause::LocalCopy if missing == 0 => (Code::LocalCopy, COPIES),
        Cause::LocalCopy if missing == tally.count => (
            Code::LocalCopy,
            "they name no file of the input, and the program that saved the page may have changed them",
        ),
        Cause::LocalCopy => {
            let verb = if missing == 1 { "names" } else { "name" };
            return (Code::LocalCopy, format!("{COPIES}; {missing} of them {verb} no file of the input").into());
        }
        Cause::UnreadableTarget => (Code::UnreadableTarget, "the reference has an invalid host"),
    };
    (code, why.into())
}

/// Reports references in a document for mail that begin with a placeholder.
fn placeholder(placeholder: &str, tally: Tally) -> Finding {
    const SHOWN: usize = 80;
    let mut shown: String = placeholder.chars().take(SHOWN).collect();
    if shown.len() < placeholder.len() {
        shown.push('…');
    }
    let kept = KeptPlaceholder { text: shown, references: tally.count as u64 };
    let finding = Finding::new(Code::Placeholder, kept.message(1)).at(tally.first);
    Finding { values: Some(Box::new(Values::Placeholder(kept))), ..finding }
}
