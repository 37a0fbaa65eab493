//! Compares a document with what it has to be, link by link.

use std::ops::Range;

use absolve_links::{first_placeholder, inserted_bytes};
use encoding_rs::{Encoding, UTF_8};

use super::align::{Counterpart, ends_in_reference};
use super::expected::Expected;
use super::pair::{Pair, becomes_absolute, check_link, unproven};
use super::pattern::{check_pattern, names_protocol};
use crate::base::{Guesses, Siblings, Surroundings, follow_from_found_url, of_scopes};
use crate::references::found::{Found, OUTSIDE, Place, Reference, Scope, UNKNOWN};
use crate::resolution::below::{Root, images_url, root_of, roots, roots_of_images};
use crate::resolution::placeholders::cut_before;
use crate::resolution::{Base, is_absolute, is_same_document};
use crate::settings::{FeedBase, Purpose, Settings};
use crate::verdict::{Difference, Rule, Verdict};

/// The faults of one document that are described; all further ones are counted.
const MOST: usize = 1000;

/// The bytes of the targets in such descriptions.
const DESCRIBED: usize = 4 << 20;

/// Says that a document had to stay, because its links would make it many times its size.
pub(super) fn too_large() -> Difference {
    Difference::new(Rule::Unread, "absolute links would make it many times its size")
}

/// The wrong links of a document.
struct Faults {
    /// The bytes that may be inserted into it, and those that are left of them.
    most: usize,
    room: usize,
    /// The number of those that are neither described nor may have a reason.
    unnamed: usize,
}

impl Faults {
    /// Adds a difference to the verdict, which leaves so much room.
    fn note(&mut self, found: Difference, room: usize, verdict: &mut Verdict) {
        self.room = room;
        if verdict.differences.len() < MOST && self.most - room < DESCRIBED {
            verdict.differences.push(found);
        } else if matches!(found.rule, Rule::Relative | Rule::Target | Rule::Kept) {
            // It may have a reason, link by link: what stays, and a target that another file has.
            let Difference { rule, byte, rewritten, .. } = found;
            let expected = found.expected.chars().take(1).collect();
            verdict.differences.push(Difference { expected, byte, rewritten, ..Difference::new(rule, "it is wrong") });
        } else {
            self.unnamed += 1;
        }
    }
}

/// What decides which links of a document are right.
pub(super) struct Comparison<'c> {
    rewritten: &'c [u8],
    found: &'c Found,
    siblings: &'c [Siblings],
    bases: Vec<Option<Base>>,
    /// The bases of images, if the user gives a URL for them.
    images: Option<Vec<Option<Base>>>,
    /// The roots of references that begin with one slash, and those of images.
    roots: [Vec<Root>; 2],
    /// Whether each scope has no base because nothing declares one.
    lacks_declaration: Vec<bool>,
    /// The bases by which parts are found, if those are others.
    finding: Vec<Option<Base>>,
    /// Whether each base follows from a URL that was found.
    is_of_found_url: Vec<bool>,
    /// The bases with the links of the items, in a feed.
    by_items: Option<Vec<Option<Base>>>,
    has_moved_links: bool,
    is_behind_open_header: bool,
    encoding: &'static Encoding,
    settings: &'c Settings,
}

impl<'c> Comparison<'c> {
    /// Establishes the bases of the original, whose references are `found`; `None` if they are many times as long as it.
    pub(super) fn new(
        rewritten: &'c [u8],
        found: &'c Found,
        surroundings: &'c Surroundings,
        settings: &'c Settings,
        encoding: &'static Encoding,
    ) -> Option<Self> {
        let retrieval = surroundings.retrieval.as_deref();
        let roots = [roots(retrieval, settings), roots_of_images(retrieval, settings)];
        let bases_by = |feed_base, guesses| of_scopes(found, surroundings, settings, (guesses, feed_base), &roots[0]);
        let bases_at = |url: String, roots: &[Root]| {
            let elsewhere = Surroundings { retrieval: Some(url), ..surroundings.clone() };
            of_scopes(found, &elsewhere, settings, (Guesses::Rejected, settings.feed_base), roots)
        };
        let images = match images_url(retrieval, settings) {
            Some(url) => Some(bases_at(url, &roots[1])?),
            None => None,
        };
        // Any URL is a base where nothing else is.
        let anywhere = match &settings.root {
            Some(root) => Some(bases_at(root.clone(), &[])?),
            None => None,
        };
        let bases = bases_by(settings.feed_base, Guesses::Rejected)?;
        let read = |bases: Vec<Option<String>>| -> Vec<_> {
            bases.into_iter().map(|base| Some(Base::new(settings.standard, base?))).collect()
        };
        let has_guess = surroundings.headers.iter().flatten().any(|(_, url)| url.is_guess);
        let has_items = found.scopes.iter().any(|scope| matches!(scope, Scope::Item { .. }));
        let lacks_declaration = |index: usize| anywhere.as_ref().is_some_and(|bases| bases[index].is_some());
        Some(Self {
            rewritten,
            found,
            images: images.map(read),
            lacks_declaration: (0..bases.len()).map(lacks_declaration).collect(),
            siblings: &surroundings.siblings,
            finding: if has_guess { read(bases_by(settings.feed_base, Guesses::FindParts)?) } else { Vec::new() },
            is_of_found_url: follow_from_found_url(&bases, found, surroundings, settings)?,
            by_items: if has_items { Some(read(bases_by(FeedBase::Item, Guesses::Rejected)?)) } else { None },
            bases: read(bases),
            roots,
            has_moved_links: surroundings.has_moved_links,
            is_behind_open_header: surroundings.needs_line_ends,
            encoding,
            settings,
        })
    }

    /// Compares both documents link by link, up to where they no longer correspond, or the links that stayed would make the document
    /// many times its size.
    pub(super) fn compare(&self, expected: &Expected<'_>, counterparts: &[Counterpart<'_>]) -> Verdict {
        let mut verdict = Verdict::default();
        let (mut old_at, mut new_at, mut needs_base) = (0, 0, false);
        let most = inserted_bytes(self.found.length);
        let mut faults = Faults { most, room: most, unnamed: 0 };
        // Of several with the same value, the one that counts is the one that has changed or is gone, if one has.
        let mut both = expected.links.iter().zip(counterparts);
        let has_base_changed = both.any(|((_, old), new)| self.may_be_base(old) && old.text != new.text)
            || expected.gone.iter().any(|old| self.may_be_base(old));
        let mut news = counterparts.iter();
        for (range, old) in &expected.links {
            let gap = old_at..range.start;
            let Some(new) = news.next() else {
                let message = format!("{} has no counterpart", described(&old.text, &old.place));
                verdict.differences.push(Difference::new(Rule::Links, message).at(old.range.start));
                return verdict;
            };
            let before = expected.bytes.get(gap.clone()).unwrap_or_default();
            let after = self.rewritten.get(new_at..new.range.start).unwrap_or_default();
            let is_same = before == after;
            let added = if is_same { b"" } else { after.strip_prefix(before).unwrap_or_default() };
            let quote = added_quote(added).filter(|quote| range.is_empty() && self.stands_at(new.range.end, quote));
            let is_ended = || plain(added) == b";" && ends_in_reference(before);
            let is_right = is_same || quote.is_some() || is_ended();
            let difference = if is_right { None } else { self.differs(expected, gap, new_at..new.range.start) };
            if let Some(difference) = difference.or_else(|| displaced(old, new)) {
                verdict.differences.push(difference);
                return verdict;
            }
            let pair = Pair {
                bytes: (&expected.bytes[range.clone()], &self.rewritten[new.range.clone()]),
                is_base: self.may_be_base(old) && (!has_base_changed || old.text != new.text),
                is_cut: !old.is_whole && cut_before(&expected.bytes, range.start, self.found.value_end),
                ..self.pair(old, &new.text)
            };
            needs_base |= !pair.is_changed() && old.scope != OUTSIDE && requires_base(old, self.settings);
            let unproven = || if self.has_moved_links { unproven(&pair, self.settings.standard) } else { None };
            match wrong(&pair, self.settings).or_else(unproven) {
                None if self.is_of_found_url[old.scope] => verdict.counts.by_found_url += u64::from(pair.is_changed()),
                None => verdict.counts.proven += u64::from(pair.is_changed()),
                Some(found) => match faults.room.checked_sub(found.expected.len().saturating_sub(found.original.len()))
                {
                    Some(room) => faults.note(found.at(old.range.start), room, &mut verdict),
                    None => return Verdict::of([too_large()]),
                },
            }
            (old_at, new_at) = (range.end, new.range.end + quote.map_or(0, <[u8]>::len));
        }
        let gone = expected.gone.iter().map(|old| Pair { is_base: self.may_be_base(old), ..self.pair(old, "") });
        verdict.counts.proven += gone.filter(|pair| becomes_absolute(pair, self.settings)).count() as u64;
        let user = needs_base.then_some("links that stayed relative");
        verdict.differences.extend(self.lost_base(expected, user));
        if faults.unnamed > 0 {
            let message = format!("{} more of its links are wrong", faults.unnamed);
            verdict.differences.push(Difference::new(Rule::Target, message));
        }
        verdict.differences.extend(self.differs(expected, old_at..expected.bytes.len(), new_at..self.rewritten.len()));
        verdict
    }

    /// Reports a BASE that was removed, although relative imports of scripts, or what else uses it, need it.
    fn lost_base(&self, expected: &Expected<'_>, user: Option<&str>) -> Option<Difference> {
        let user = user.or(self.found.has_script_at_base.then_some("relative imports of scripts"))?;
        let message = format!("the BASE was removed, but {user} need it");
        Some(Difference::new(Rule::Kept, message).at(expected.gone_base?))
    }

    /// Reports whether a base is not known, has no paths or is on one computer, so that no relative reference has a target.
    pub(super) fn has_base_without_paths(&self) -> bool {
        let has_paths = |(scope, base): (usize, &Option<Base>)| match base {
            Some(base) => base.is_portable && base.text.contains("://"),
            None => scope == UNKNOWN,
        };
        !self.bases.iter().enumerate().all(has_paths)
    }

    /// Returns a link and its counterpart, with what decides whether its change is right wherever it stands.
    pub(super) fn pair<'p>(&'p self, old: &'p Reference, new: &'p str) -> Pair<'p> {
        // In an item, one to the document itself means the page of the item.
        let standard = self.settings.standard;
        let by_items = self.by_items.as_ref().filter(|_| is_same_document(standard, &old.text));
        let images = self.images.as_ref().filter(|_| old.place.is_image());
        let roots = &self.roots[usize::from(images.is_some())];
        let base = by_items.or(images).unwrap_or(&self.bases)[old.scope].as_ref();
        let is_known = base.is_some() || self.lacks_declaration[old.scope];
        let root = root_of(roots, base.map(|base| &*base.text), &old.text, standard).filter(|_| is_known);
        // Nested documents have no encoding of their own, and speculation rules are JSON.
        let is_in_utf_8 = old.is_in_utf_8 || old.place.depth > 0 || old.place.element == "speculationrules";
        Pair {
            old,
            masked: &[],
            new,
            bytes: (b"", b""),
            base: root.map(|root| &root.base).or(base),
            is_below: root.is_some(),
            finding: self.finding.get(old.scope).and_then(Option::as_ref),
            is_base: false,
            siblings: self.siblings,
            encoding: if is_in_utf_8 { UTF_8 } else { self.encoding },
            is_cut: false,
            is_composed: self.found.is_composed(&old.range),
            needs_line_ends: self.found.needs_line_ends,
            is_behind_open_header: self.is_behind_open_header,
        }
    }

    /// Reports whether a reference may be the value of the BASE that counts: of several with the same value, any may be.
    fn may_be_base(&self, reference: &Reference) -> bool {
        // html5ever has line ends of one kind.
        let read = |text: &str| text.trim().replace("\r\n", "\n").replace('\r', "\n");
        let says = |base: &String| read(base) == read(&reference.text);
        reference.scope == OUTSIDE && reference.place.depth == 0 && self.found.base.as_ref().is_some_and(says)
    }

    fn stands_at(&self, at: usize, bytes: &[u8]) -> bool {
        self.rewritten.get(at..).is_some_and(|rest| rest.starts_with(bytes))
    }

    /// Reports the first difference between two ranges outside links.
    fn differs(&self, expected: &Expected<'_>, old: Range<usize>, new: Range<usize>) -> Option<Difference> {
        let old_bytes = expected.bytes.get(old.clone()).unwrap_or_default();
        let new_bytes = self.rewritten.get(new).unwrap_or_default();
        if old_bytes == new_bytes {
            return None;
        }
        let common = old_bytes.iter().zip(new_bytes).take_while(|(old, new)| old == new).count();
        let shown = |bytes: &[u8]| String::from_utf8_lossy(&bytes[common..bytes.len().min(common + 40)]).into_owned();
        let (original, rewritten) = (shown(old_bytes), shown(new_bytes));
        let message = format!("outside links {original:?} has become {rewritten:?}");
        Some(
            Difference { original, rewritten, ..Difference::new(Rule::Bytes, message) }
                .at(expected.in_original(old.start + common)),
        )
    }
}

/// Returns the quote in bytes that give an attribute a value. In a nested document it is a character reference, escaped as often as
/// documents nest; in JSON a quote behind a backslash.
fn added_quote(added: &[u8]) -> Option<&[u8]> {
    let text = plain(added);
    let is_reference = |quote: &[u8]| {
        let escapes = quote.strip_prefix(b"&").and_then(|name| name.strip_suffix(b"quot;"));
        escapes.is_some_and(|escapes| escapes.chunks(4).all(|escape| escape == b"amp;"))
    };
    let width = added.len() / text.len().max(1);
    text.strip_prefix(b"=")
        .filter(|quote| [&b"\""[..], b"\\\""].contains(quote) || is_reference(quote))
        .and_then(|_| added.get(width..))
}

/// Returns bytes without the NUL that each character has beside it in UTF-16.
pub(super) fn plain(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(|byte| *byte != 0).collect()
}

/// Returns what is wrong with a link or a pattern after the rewrite, if anything.
fn wrong(pair: &Pair<'_>, settings: &Settings) -> Option<Difference> {
    if pair.old.is_pattern { check_pattern(pair, settings) } else { check_link(pair, settings) }
}

/// Reports that a link has become one in another place.
fn displaced(old: &Reference, new: &Counterpart<'_>) -> Option<Difference> {
    let place = new.place.filter(|place| **place != *old.place)?;
    let message = format!("{} has become {}", described(&old.text, &old.place), described(&new.text, place));
    Some(Difference::new(Rule::Links, message).at(old.range.start))
}

/// Reports whether a link that stayed has another target without the BASE.
fn requires_base(reference: &Reference, settings: &Settings) -> bool {
    let text = &*reference.text;
    let stands_in = || {
        first_placeholder(text, settings.purpose).is_some()
            || (!settings.keep.is_empty() && settings.keep.is_match(text))
    };
    if settings.purpose == Purpose::Mail && stands_in() {
        return false;
    }
    let is_absolute = if reference.is_pattern { names_protocol(text) } else { is_absolute(settings.standard, text) };
    !is_absolute && !is_same_document(settings.standard, text)
}

fn described(text: &str, place: &Place) -> String {
    match (&*place.element, &*place.attribute) {
        ("", _) => format!("the link {text:?}"),
        (element, "") => format!("the link {text:?} in {element}"),
        (element, attribute) => format!("the link {text:?} in {element}@{attribute}"),
    }
}
