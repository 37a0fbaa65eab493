//! Verifies one document against the original.

mod pair;
mod tree;

use std::ops::Range;

use absolve_links::{Document, DocumentType};
use encoding_rs::Encoding;

use crate::base::{Guesses, Siblings, Surroundings, follow_from_found_url, is_guess, of_scopes};
use crate::references::found::{Found, OUTSIDE, Reference, Scope};
use crate::references::references;
use crate::resolution::placeholders::{begins_with_placeholder, cut_before};
use crate::resolution::{is_absolute, is_same_document};
use crate::settings::{BaseElement, FeedBase, Purpose, Settings};
use crate::text::Text;
use crate::verdict::{Difference, Rule, Verdict};
use pair::{Pair, check_link, unproven};

/// Verifies a rewritten document against the original.
///
/// The references are found by html5ever's tokenizer, cssparser or a parser of XML. All bytes between them have to be
/// the same, each changed reference has to resolve to the same target as before, and both texts have to make the same
/// tree.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_verifier::{Rule, Settings, Surroundings, verify_document};
/// let (original, around) = (b"<a href=x>", Surroundings { retrieval: Some("http://h/d/".into()), ..Default::default() });
/// let verify = |rewritten: &[u8]| {
///     verify_document(original, rewritten, DocumentType::Html, None, &around, &Settings::default())
/// };
/// assert!(verify(b"<a href=http://h/d/x>").holds());
/// assert_eq!(verify(b"<a href=http://h/x>").differences[0].rule, Rule::Target);
/// assert_eq!(verify(b"<a href='http://h/d/x'>").differences[0].rule, Rule::Bytes);
/// assert_eq!(verify(original).differences[0].rule, Rule::Relative);
/// ```
pub fn verify_document(
    original: &[u8],
    rewritten: &[u8],
    document_type: DocumentType,
    label: Option<&str>,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Verdict {
    let mut verdict = Verdict::default();
    verdict.counts.bytes = original.len() as u64;
    let encoding = labelled(original, document_type, label).encoding();
    let old_text = Text::of_document(original, encoding);
    let new_text = Text::of_document(rewritten, encoding);
    let read = |text: &Text<'_>| references(text, document_type, &settings.table);
    let is_unchanged = original == rewritten;
    let (Ok(old), Ok(changed)) = (read(&old_text), (!is_unchanged).then(|| read(&new_text)).transpose()) else {
        // An unchanged document that was not read makes no claim.
        if !is_unchanged {
            verdict.differences.push(Difference::new(Rule::Unread, "its tree takes too much work to build"));
        }
        return verdict;
    };
    let new = changed.as_ref().unwrap_or(&old);
    if let (false, Err(refusal)) = (is_unchanged, labelled(original, document_type, label).scan(&settings.table)) {
        verdict.differences.push(Difference::new(Rule::Kept, format!("it has changed, but it had to stay: {refusal}")));
        return verdict;
    }
    verdict.counts.documents = 1;
    verdict.counts.links = old.references.len() as u64;
    let bases_by = |feed_base, guesses| of_scopes(&old, surroundings, settings, guesses, feed_base);
    let bases = bases_by(settings.feed_base, Guesses::Rejected);
    let has_guess = surroundings.headers.iter().flatten().any(|(_, value)| is_guess(value));
    let finding = has_guess.then(|| bases_by(settings.feed_base, Guesses::FindParts));
    let has_items = old.scopes.iter().any(|scope| matches!(scope, Scope::Item { .. }));
    let comparison = Comparison {
        original,
        rewritten,
        old: &old,
        new,
        siblings: &surroundings.siblings,
        finding: finding.unwrap_or_default(),
        found: follow_from_found_url(&bases, &old, surroundings, settings),
        by_items: has_items.then(|| bases_by(FeedBase::Item, Guesses::Rejected)),
        has_moved_links: surroundings.has_moved_links,
        encoding: encoding.output_encoding(),
        settings,
    };
    comparison.compare(&bases, &mut verdict);
    verdict.differences.extend(encoding_difference(original, rewritten, document_type, label));
    let is_base_gone = settings.base_element != BaseElement::Keep && !old.base_tags.is_empty();
    if verdict.differences.is_empty() && !is_unchanged && !is_base_gone {
        let differs = tree::difference(&old_text.text, &new_text.text, document_type, &settings.table);
        verdict.differences.extend(differs.map(|message| Difference::new(Rule::Tree, message)));
    }
    verdict
}

/// Reports that readers detect another encoding in the rewritten document, in which it reads differently.
///
/// A declaration that has moved behind the bytes that are sniffed is found by browsers later.
fn encoding_difference(
    original: &[u8],
    rewritten: &[u8],
    document_type: DocumentType,
    label: Option<&str>,
) -> Option<Difference> {
    if original == rewritten || rewritten.is_ascii() {
        return None;
    }
    let [old, new] = [original, rewritten].map(|bytes| labelled(bytes, document_type, label).encoding());
    let is_declared = || memchr::memmem::find(&rewritten.to_ascii_lowercase(), b"charset").is_some();
    let message = format!("it was read as {}, and is read as {} now", old.name(), new.name());
    (old != new && !is_declared()).then(|| Difference::new(Rule::Bytes, message))
}

fn labelled<'d>(bytes: &'d [u8], document_type: DocumentType, label: Option<&'d str>) -> Document<'d> {
    let document = Document::new(bytes, document_type);
    match label {
        Some(label) => document.with_label(label),
        None => document,
    }
}

struct Comparison<'c> {
    original: &'c [u8],
    rewritten: &'c [u8],
    old: &'c Found,
    new: &'c Found,
    siblings: &'c [Siblings],
    /// The bases by which parts are found, if those are others.
    finding: Vec<Option<String>>,
    /// Whether each base follows from a URL that was found.
    found: Vec<bool>,
    /// The bases with the links of the items, in a feed.
    by_items: Option<Vec<Option<String>>>,
    has_moved_links: bool,
    encoding: &'static Encoding,
    settings: &'c Settings,
}

impl Comparison<'_> {
    /// Compares both documents reference by reference, up to where they no longer correspond.
    fn compare(&self, bases: &[Option<String>], verdict: &mut Verdict) {
        let (mut old_at, mut new_at) = (0, 0);
        let mut new_references = self.new.references.iter();
        let (mut gone_base, mut needs_base) = (None, false);
        // Of several with the same value, the one that counts is the one that has changed, if one has.
        let mut pairs = self.old.references.iter().zip(&self.new.references);
        let has_base_changed = pairs.any(|(old, new)| self.may_be_base(old) && old.text != new.text);
        for old_reference in &self.old.references {
            // In an item, one to the document itself means the page of the item.
            let by_items =
                self.by_items.as_deref().filter(|_| is_same_document(self.settings.standard, &old_reference.text));
            let base = by_items.unwrap_or(bases)[old_reference.scope].as_deref();
            let old_range = old_reference.range.clone();
            if let Some(behind) = self.behind_removed_base(old_reference, old_at, new_at) {
                gone_base = Some(old_range.start);
                (old_at, new_at) = behind;
                continue;
            }
            let Some(new_reference) = new_references.next() else {
                let message = format!("{} has no counterpart", described(old_reference));
                verdict.differences.push(Difference::new(Rule::Links, message).at(old_range.start));
                break;
            };
            let new_range = new_reference.range.clone();
            let gap = old_at..old_range.start;
            let quoted = self.quotes_added(&gap, new_at, old_reference, new_reference);
            let is_ended = self.ends_character_reference(&gap, new_at..new_range.start);
            if !quoted
                && !is_ended
                && let Some(difference) = self.differs(gap, new_at..new_range.start)
            {
                verdict.differences.push(difference);
                break;
            }
            if old_reference.place != new_reference.place {
                let message = format!("{} has become {}", described(old_reference), described(new_reference));
                verdict.differences.push(Difference::new(Rule::Links, message).at(old_range.start));
                break;
            }
            let pair = self.pair(old_reference, new_reference, base, has_base_changed);
            needs_base |=
                !pair.is_changed() && old_reference.scope != OUTSIDE && requires_base(old_reference, self.settings);
            let unproven = || unproven(&pair, self.settings.standard).filter(|_| self.has_moved_links);
            match check_link(&pair, self.settings).or_else(unproven) {
                None if self.found[old_reference.scope] => verdict.counts.by_found_url += u64::from(pair.is_changed()),
                None => verdict.counts.proven += u64::from(pair.is_changed()),
                Some(difference) => verdict.differences.push(difference.at(old_range.start)),
            }
            (old_at, new_at) = (old_range.end, new_range.end + usize::from(quoted));
        }
        if let Some(byte) = gone_base.filter(|_| needs_base) {
            let message = "the BASE was removed, but links that stayed relative need it";
            verdict.differences.push(Difference::new(Rule::Kept, message).at(byte));
        }
        let is_whole = !verdict.differences.iter().any(|one| matches!(one.rule, Rule::Bytes | Rule::Links));
        if is_whole && let Some(difference) = self.differs(old_at..self.original.len(), new_at..self.rewritten.len()) {
            verdict.differences.push(difference);
        }
    }

    /// Returns a reference and its counterpart, with what decides whether its change is right.
    fn pair<'p>(
        &'p self,
        old: &'p Reference,
        new: &'p Reference,
        base: Option<&'p str>,
        has_base_changed: bool,
    ) -> Pair<'p> {
        let range = old.range.clone();
        Pair {
            old,
            new,
            bytes: (&self.original[range.clone()], &self.rewritten[new.range.clone()]),
            base,
            finding: self.finding.get(old.scope).and_then(Option::as_deref),
            is_base: self.may_be_base(old) && (!has_base_changed || old.text != new.text),
            siblings: self.siblings,
            encoding: self.encoding,
            is_cut: !old.is_whole && cut_before(self.original, range.start),
            entities: &self.old.entities,
        }
    }

    /// Reports whether a reference may be the value of the BASE that counts: of several with the same value, any may be.
    fn may_be_base(&self, reference: &Reference) -> bool {
        // html5ever has line ends of one kind.
        let read = |text: &str| text.trim().replace("\r\n", "\n").replace('\r', "\n");
        let says = |base: &String| read(base) == read(&reference.text);
        reference.scope == OUTSIDE && reference.place.depth == 0 && self.old.base.as_ref().is_some_and(says)
    }

    /// Returns where both documents continue behind a BASE that was removed or commented out.
    fn behind_removed_base(&self, reference: &Reference, old_at: usize, new_at: usize) -> Option<(usize, usize)> {
        if self.settings.base_element == BaseElement::Keep || reference.scope != OUTSIDE {
            return None;
        }
        let tags = &self.old.base_tags;
        let tag = tags.get(tags.partition_point(|tag| tag.end < reference.range.end))?;
        if reference.range.start < tag.start {
            return None;
        }
        let before = self.original.get(old_at..tag.start)?;
        let start = new_at + before.len();
        if self.rewritten.get(new_at..start)? != before {
            return None;
        }
        let (written, rest) = (&self.original[tag.clone()], &self.rewritten[start..]);
        let commented = [b"<!--", written, b"-->"].concat();
        if rest.starts_with(&commented) {
            return Some((tag.end, start + commented.len()));
        }
        let end = start + memchr::memchr(b'>', rest)? + 1;
        let without = crate::references::attributes::without_href(&String::from_utf8_lossy(written));
        let left = String::from_utf8_lossy(&self.rewritten[start..end]).into_owned();
        (without == left).then_some((tag.end, end))
    }

    /// Reports whether an attribute without a value got one, with an equals sign and quotes.
    fn quotes_added(&self, gap: &Range<usize>, new_at: usize, old: &Reference, new: &Reference) -> bool {
        let before = &self.original[gap.clone()];
        let expected = [before, b"=\""].concat();
        let is_quoted = self.rewritten.get(new_at..new.range.start) == Some(&expected);
        old.range.is_empty() && is_quoted && self.rewritten.get(new.range.end) == Some(&b'"')
    }

    /// Reports whether only a semicolon was added to a character reference without one, directly before a reference. In UTF-16 each of these
    /// characters has a NUL beside it.
    fn ends_character_reference(&self, gap: &Range<usize>, new: Range<usize>) -> bool {
        let (before, after) = (&self.original[gap.clone()], self.rewritten.get(new).unwrap_or_default());
        let text: Vec<u8> =
            before[before.len().saturating_sub(128)..].iter().copied().filter(|byte| *byte != 0).collect();
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b';');
        let name = text.rsplit(|byte| !is_of_name(byte)).next().unwrap_or_default();
        let is_open = !name.is_empty() && !name.ends_with(b";") && text[..text.len() - name.len()].ends_with(b"&");
        is_open && after.strip_prefix(before).is_some_and(|added| added.iter().filter(|byte| **byte != 0).eq(b";"))
    }

    /// Reports the first difference between two ranges outside links.
    fn differs(&self, old: Range<usize>, new: Range<usize>) -> Option<Difference> {
        let (old_bytes, new_bytes) = (&self.original[old.clone()], self.rewritten.get(new).unwrap_or_default());
        if old_bytes == new_bytes {
            return None;
        }
        let common = old_bytes.iter().zip(new_bytes).take_while(|(old, new)| old == new).count();
        let shown = |bytes: &[u8]| String::from_utf8_lossy(&bytes[common..bytes.len().min(common + 40)]).into_owned();
        let (original, rewritten) = (shown(old_bytes), shown(new_bytes));
        let message = format!("outside links {original:?} has become {rewritten:?}");
        Some(Difference { original, rewritten, ..Difference::new(Rule::Bytes, message) }.at(old.start + common))
    }
}

/// Reports whether a link that stayed has another target without the BASE.
fn requires_base(reference: &Reference, settings: &Settings) -> bool {
    let text = &*reference.text;
    let stands_in = || {
        begins_with_placeholder(text, settings.purpose) || (!settings.keep.is_empty() && settings.keep.is_match(text))
    };
    if settings.purpose == Purpose::Mail && stands_in() {
        return false;
    }
    !is_absolute(settings.standard, text) && !is_same_document(settings.standard, text)
}

fn described(reference: &Reference) -> String {
    let place = &reference.place;
    match (&*place.element, &*place.attribute) {
        ("", _) => format!("the link {:?}", reference.text),
        (element, "") => format!("the link {:?} in {element}", reference.text),
        (element, attribute) => format!("the link {:?} in {element}@{attribute}", reference.text),
    }
}
