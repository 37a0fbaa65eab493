//! One link before and after the rewrite.

use std::ops::Range;

use absolve_links::{first_placeholder, placeholders};
use absolve_resolver::is_special;
use encoding_rs::{Encoding, UTF_8};

use super::align::is_inert;
use crate::base::Siblings;
use crate::map::Mapped;
use crate::references::found::Reference;
use crate::resolution::below::below;
use crate::resolution::part_key::part_key;
use crate::resolution::placeholders::{is_torn, makes_others, masked, may_change_in_ascii, same_in, stand_in};
use crate::resolution::{
    Base, brings_authority, has_new_dot_segments, is_absolute, is_same_document, is_same_url, resolves_to,
    start_of_base, stripped, unresolved_tail,
};
use crate::settings::{HeaderFields, RelativeLinks, SameDocument, Settings, Spelling, Standard};
use crate::verdict::{Difference, Rule};

/// A link before and after the rewrite.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'p> {
    pub(crate) old: &'p Reference,
    /// The placeholders of the original for which one character each stands in its text.
    pub(crate) masked: &'p [Range<usize>],
    /// Its text after the rewrite.
    pub(crate) new: &'p str,
    /// Its bytes before and after.
    pub(crate) bytes: (&'p [u8], &'p [u8]),
    pub(crate) base: Option<&'p Base>,
    /// Whether the base is a root, below which it resolves.
    pub(crate) is_below: bool,
    /// The base by which it finds parts, if that may be another.
    pub(crate) finding: Option<&'p Base>,
    /// Whether it is the value of the BASE that counts, which is resolved even if it is empty.
    pub(crate) is_base: bool,
    /// The sibling parts, references to which stay.
    pub(crate) siblings: &'p [Siblings],
    /// The charset of the document, in which browsers encode queries.
    pub(crate) encoding: &'static Encoding,
    /// Whether it is a part of a placeholder, which the grammar around it has cut.
    pub(crate) is_cut: bool,
    /// Whether it is composed of entities or of several pieces.
    pub(crate) is_composed: bool,
    /// Whether it stays if a line ends in it.
    pub(crate) needs_line_ends: bool,
    /// Whether no empty line ends a header around the document.
    pub(crate) is_behind_open_header: bool,
}

impl Pair<'_> {
    /// Reports whether its bytes have changed.
    pub(crate) fn is_changed(&self) -> bool {
        self.bytes.0 != self.bytes.1
    }

    fn base_text(&self) -> &str {
        self.base.map(|base| &*base.text).unwrap_or_default()
    }
}

/// Returns what is wrong with a link after the rewrite, if anything.
pub(crate) fn check_link(pair: &Pair<'_>, settings: &Settings) -> Option<Difference> {
    check_around(pair, settings).filter(|_| pair.is_changed() || !needs_placeholders(pair, settings))
}

/// Returns what is wrong with a link, the placeholders in it aside.
fn check_around(pair: &Pair<'_>, settings: &Settings) -> Option<Difference> {
    let (old, new) = (&*pair.old.text, pair.new);
    let inside: Vec<_> = placeholders(old, settings.purpose).collect();
    let pair = &Pair { is_cut: pair.is_cut || is_torn(old, settings.purpose), ..*pair };
    if first_placeholder(old, settings.purpose).is_some() {
        return check(pair, None, settings);
    }
    let Some(still_inside) = same_in(old, new, settings.purpose) else {
        return Some(difference(pair, Rule::Target, old, "a placeholder in it is another"));
    };
    if inside.is_empty() {
        return check(pair, None, settings);
    }
    let [plain_old, plain_new] =
        [(old, &inside), (new, &still_inside)].map(|(text, inside)| masked(text, inside, '\0'));
    let Some(stand_in) = stand_in(&[&plain_old, &plain_new, pair.base_text()]) else {
        return check(pair, None, settings);
    };
    let without = Reference { text: masked(old, &inside, stand_in), ..pair.old.clone() };
    let masked = Pair { old: &without, masked: &inside, new: &masked(new, &still_inside, stand_in), ..*pair };
    let found = check(&masked, Some(stand_in), settings)?;
    let message = found.message.replace(masked.new, new).replace(&masked.old.text, old);
    Some(Difference { original: old.to_owned(), rewritten: new.to_owned(), message, ..found })
}

/// Reports whether a link stays because its placeholders would be others if it were absolute.
fn needs_placeholders(pair: &Pair<'_>, settings: &Settings) -> bool {
    let (reference, purpose) = (&*pair.old.text, settings.purpose);
    let base = if pair.is_below { "" } else { pair.base_text() };
    let at_base = || format!("{base}{}", stripped(reference));
    makes_others(base, reference, purpose)
        || (settings.spelling == Spelling::Ascii && may_change_in_ascii(&at_base(), purpose, pair.encoding))
}

/// Returns the difference of a link that is right by itself, but may have been another before a program saved its document. One that is
/// absolute and has stayed was another only if it contains a URL, as those of an archive do.
pub(crate) fn unproven(pair: &Pair<'_>, standard: Standard) -> Option<Difference> {
    let old = &*pair.old.text;
    let may_be_wrapped = || old.to_ascii_lowercase().contains("/http");
    let (rule, finds) = match pair.is_changed() {
        true => (Rule::Target, "another target"),
        false if is_absolute(standard, old) && !may_be_wrapped() => return None,
        false => (Rule::Relative, "a target"),
    };
    let why = format!("a program saved the page with other links, and rewrite finds {finds}");
    Some(difference(pair, rule, "", &why))
}

/// Reports whether a link has a target, and nothing that keeps it as it is.
pub(crate) fn becomes_absolute(pair: &Pair<'_>, settings: &Settings) -> bool {
    matches!(meaning(pair, None, settings), Meaning { stays: None, target: Some(_), .. })
}

/// What has to become of a link.
struct Meaning<'s> {
    /// Why it stays as it is, if it does.
    stays: Option<&'static str>,
    target: Option<String>,
    /// What its target begins with by the map, and what it is without.
    mapped: Option<(&'s str, String)>,
}

/// Returns what has to become of a link. A character may stand for those of placeholders: the target has all of them.
fn meaning<'s>(pair: &Pair<'_>, stand_in: Option<char>, settings: &'s Settings) -> Meaning<'s> {
    let (reference, standard) = (&*pair.old.text, settings.standard);
    let absolute = |url: &str| Base::new(Standard::Whatwg, "http://h/".to_owned()).target(url, pair.encoding);
    let map = |url: &str| if settings.map.is_empty() { None } else { mapped(&absolute(url)?, pair, settings) };
    let is_absolute = is_absolute(standard, reference);
    let of_absolute = if is_absolute { map(reference) } else { None };
    let kept = if stand_in.is_none() && first_placeholder(reference, settings.purpose).is_some() {
        Some("it begins with a placeholder")
    } else if pair.needs_line_ends && memchr::memchr2(b'\n', b'\r', pair.bytes.0.trim_ascii()).is_some() {
        Some("a line ends in it")
    } else if pair.is_cut {
        Some("it is a part of a placeholder, or a line ends in one")
    } else if is_absolute && of_absolute.is_none() {
        Some("it is absolute")
    } else if is_same_document(standard, reference) && !pair.is_base && keeps_same_document(pair, settings) {
        Some("it leads to the document itself")
    } else if !is_absolute && settings.relative_links == RelativeLinks::Keep {
        Some("it is relative, and only mapped links change")
    } else if pair.old.is_foreign && !is_absolute {
        Some(
            "it is in a custom property that the document does not use, and browsers resolve it at different stylesheets",
        )
    } else if pair.is_composed {
        Some("it is composed of entities or of several pieces")
    } else if !settings.keep.is_empty() && settings.keep.is_match(reference) {
        Some("it matches a pattern to keep")
    } else {
        None
    };
    if kept.is_some() {
        return Meaning { stays: kept, target: None, mapped: None };
    }
    let count = |text: &str| stand_in.map_or(0, |stand_in| text.matches(stand_in).count());
    let base = pair.base.filter(|base| base.is_portable);
    let meant = base
        .and_then(|base| match pair.is_below {
            true => below(standard, &base.text, reference, pair.encoding),
            false => base.target(reference, pair.encoding),
        })
        .filter(|meant| count(meant) == count(reference));
    let stays = if meant.as_ref().is_some_and(|meant| is_of_sibling(meant, pair)) || finds_sibling(reference, pair) {
        Some("it leads to a sibling part")
    } else if meant.as_ref().is_some_and(|meant| settings.local.contain(meant)) {
        Some("it leads to a file of the input")
    } else {
        None
    };
    let unmapped = if is_absolute { absolute(reference) } else { meant.clone() };
    let mapped = of_absolute.or_else(|| map(meant.as_ref().filter(|_| !is_absolute)?));
    let start = mapped.as_ref().map(|mapped| mapped.start).zip(unmapped);
    let target = mapped.map(|mapped| mapped.url).or(meant);
    let names_field = pair.is_behind_open_header && target.as_ref().is_some_and(|target| may_name_field(target));
    let stays = stays.or(names_field.then_some("its scheme may be the name of a header field"));
    Meaning { stays, target, mapped: start }
}

/// Reports whether a URL at the start of a line may be a field of a header that no empty line ends.
fn may_name_field(url: &str) -> bool {
    !url.split(':').next().is_some_and(is_special)
}

/// Returns where a target leads by the map. One that names a part of the message stays, as the field that locates the part does.
fn mapped<'s>(url: &str, pair: &Pair<'_>, settings: &'s Settings) -> Option<Mapped<'s>> {
    let key = key_without_fragment(url);
    let is_part = || pair.siblings.iter().any(|siblings| siblings.all.contains(&key));
    settings.map.target(url).filter(|_| settings.header_fields == HeaderFields::Absolute || !is_part())
}

/// Returns what is wrong with a link in which a character stands for those of placeholders.
fn check(pair: &Pair<'_>, stand_in: Option<char>, settings: &Settings) -> Option<Difference> {
    let (reference, standard) = (&*pair.old.text, settings.standard);
    let Meaning { stays, target, mapped } = meaning(pair, stand_in, settings);
    match (stays, target, pair.is_changed()) {
        (Some(_), _, false) | (None, None, false) => None,
        (Some(why), ..) => Some(difference(pair, Rule::Kept, reference, why)),
        (None, None, true) => {
            let lacks_base = pair.base.is_none();
            let why = if lacks_base { "cannot check: no base" } else { "it has no target" };
            Some(Difference { lacks_base, ..difference(pair, Rule::Kept, reference, why) })
        }
        (None, Some(meant), false) => {
            let is = if mapped.is_some() { "it is not mapped" } else { "it is still relative" };
            let why = format!("{is}, and leads to {meant}");
            Some(difference(pair, Rule::Relative, &meant, &why))
        }
        (None, Some(meant), true) => {
            let written = pair.new;
            let is_resolved =
                standard != Standard::Whatwg || !has_new_dot_segments(written, pair.base_text(), reference);
            let keeps_spelling = match settings.spelling {
                Spelling::Ascii => ends_in_ascii(pair, settings),
                Spelling::AsWritten => is_resolved && keeps_spelling(pair),
            };
            let is_spelled = match &mapped {
                Some((start, unmapped)) => begins_like(pair, start) && continues(pair, (start, unmapped), settings),
                None if standard != Standard::Whatwg && !meant.ends_with(reference) => true,
                None => {
                    let is_plain = stand_in.is_some() || inserts_itself(pair);
                    keeps_spelling && begins_like_base(pair, standard) && is_plain
                }
            };
            let leads_there = match mapped {
                Some(_) => is_same_url(written, &meant, pair.old.barred, pair.encoding),
                None => resolves_to(written, &meant, pair.old.barred, pair.encoding, settings),
            };
            match leads_there {
                true if is_spelled => None,
                true => Some(difference(pair, Rule::Target, &meant, "it is spelled differently from the original")),
                false => {
                    let base = pair.base_text();
                    let by = if mapped.is_some() { "by the map" } else { "at its base" };
                    let why = format!("it leads to {meant} {by} {base}");
                    Some(difference(pair, Rule::Target, &meant, &why))
                }
            }
        }
    }
}

/// Reports whether the part that needs no resolution is spelled as before, and no line break was added.
fn keeps_spelling(pair: &Pair<'_>) -> bool {
    let (old, new) = pair.bytes;
    let is_kept = unresolved_tail(&pair.old.text).is_none_or(|tail| {
        // What is in front of it is of the base.
        let of_base = pair.new.strip_suffix(tail);
        of_base.is_some_and(|start| start.bytes().all(|byte| byte.is_ascii_graphic()))
            && new.ends_with(written_tail(pair, tail.len()))
    });
    let is_broken = |bytes: &[u8]| bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
    is_kept && (is_broken(old) || !is_broken(new))
}

/// Reports whether a link is in ASCII, except for placeholders, and ends with the ASCII that needed no resolution.
fn ends_in_ascii(pair: &Pair<'_>, settings: &Settings) -> bool {
    let tail = unresolved_tail(&pair.old.text).unwrap_or_default();
    // A host that is not in ASCII gets another form as a whole.
    let host = Some(tail.find(['/', '?', '#']).unwrap_or(tail.len()));
    let host = host.filter(|end| brings_authority(&pair.old.text) && !tail[..*end].is_ascii());
    let tail = &tail[host.unwrap_or(0)..];
    let end = graphic_end(tail);
    let inside: Vec<_> = placeholders(pair.new, settings.purpose).collect();
    masked(pair.new, &inside, '~').bytes().all(|byte| byte.is_ascii_graphic()) && pair.new.ends_with(end)
}

/// Returns what follows the last character that has an escape in ASCII.
fn graphic_end(text: &str) -> &str {
    let last = text.rfind(|character: char| !character.is_ascii_graphic());
    last.map_or(text, |last| &text[text.ceil_char_boundary(last + 1)..])
}

/// Returns the bytes in which the last `length` bytes of the text of a link are written, up to its end.
fn written_tail<'p>(pair: &Pair<'p>, length: usize) -> &'p [u8] {
    let Reference { text, places, range, .. } = pair.old;
    // Where the text has one character for a placeholder, the original has all of it.
    let behind = |at: usize, masked: &Range<usize>| if at > masked.start { at + masked.len() - 1 } else { at };
    let [start, end] = [text.len() - length, text.len()].map(|at| pair.masked.iter().fold(at, behind));
    let start = places.raw(start..end).start.saturating_sub(range.start);
    pair.bytes.0.get(start..).filter(|_| length > 0).unwrap_or_default()
}

/// Reports whether the prefix of the reference is spelled as in the base, without any escape.
fn begins_like_base(pair: &Pair<'_>, standard: Standard) -> bool {
    let Some(start) = start_of_base(standard, pair.base_text(), &pair.old.text) else { return true };
    let Some(rest) = pair.new.strip_prefix(&*start) else { return false };
    // Dots at the end of a host may be those of the reference.
    inserted(pair).zip(start.bytes()).all(|(inserted, byte)| inserted == byte)
        && (rest.is_empty() || rest.starts_with(['/', '?', '#', ';', '\\']))
}

/// Reports whether what was written in front of the old bytes is without escapes and white space that it does not need.
fn inserts_itself(pair: &Pair<'_>) -> bool {
    let tail = unresolved_tail(&pair.old.text).unwrap_or_default();
    let needs_none = pair.new.strip_suffix(tail).is_some_and(|start| is_inert(start.as_bytes()));
    let mut bytes = pair.new.bytes();
    !needs_none || inserted(pair).all(|inserted| bytes.next() == Some(inserted))
}

/// Returns the new bytes of a link in front of those with which both versions end. In UTF-16, each character has a zero beside it.
fn inserted<'p>(pair: &Pair<'p>) -> impl Iterator<Item = u8> + use<'p> {
    let (old, new) = pair.bytes;
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    new[..new.len() - same].iter().copied().filter(|byte| *byte != 0)
}

/// Reports whether a mapped link begins with the second URL of its pair, without any escape.
fn begins_like(pair: &Pair<'_>, start: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":/.-_~".contains(&byte);
    let mut bytes = pair.bytes.1.iter().filter(|byte| **byte != 0).take(start.len());
    pair.new.starts_with(start) && (!start.bytes().all(is_plain) || bytes.by_ref().eq(start.as_bytes()))
}

/// Reports whether a mapped link goes on behind its beginning as the original ends.
fn continues(pair: &Pair<'_>, (start, unmapped): (&str, &str), settings: &Settings) -> bool {
    let old = &*pair.old.text;
    let behind_host =
        || old.split_once("//").map(|(_, rest)| &rest[rest.find(['/', '?', '#']).unwrap_or(rest.len())..]);
    let tail = match is_absolute(Standard::Whatwg, old) || brings_authority(old) {
        true => behind_host(),
        false => Some(old).filter(|old| settings.standard == Standard::Whatwg || unmapped.ends_with(old)),
    };
    let tail = tail.and_then(unresolved_tail).unwrap_or_default();
    let tail = if settings.spelling == Spelling::Ascii { graphic_end(tail) } else { tail };
    let rest = &pair.new[start.len()..];
    let ends_so = rest.ends_with(tail) || tail.ends_with(rest);
    ends_so && pair.bytes.1.ends_with(written_tail(pair, tail.len().min(rest.len())))
}

fn is_of_sibling(meant: &str, pair: &Pair<'_>) -> bool {
    if pair.siblings.is_empty() {
        return false;
    }
    let key = key_without_fragment(meant);
    pair.siblings.iter().any(|siblings| siblings.only_as_written.contains(&key))
}

/// Reports whether a reference leads to a sibling part by a base that is not written into documents.
fn finds_sibling(reference: &str, pair: &Pair<'_>) -> bool {
    let base = pair.finding.filter(|base| pair.base.is_none_or(|known| known.text != base.text));
    let found = base.and_then(|base| base.target(reference, UTF_8));
    let key = found.map(|found| key_without_fragment(&found));
    key.is_some_and(|key| pair.siblings.iter().any(|siblings| siblings.all.contains(&key)))
}

fn key_without_fragment(url: &str) -> String {
    part_key(url.split('#').next().unwrap_or_default())
}

fn keeps_same_document(pair: &Pair<'_>, settings: &Settings) -> bool {
    settings.same_document == SameDocument::Keep || pair.old.same_document.keeps(&pair.old.text)
}

pub(super) fn difference(pair: &Pair<'_>, rule: Rule, expected: &str, why: &str) -> Difference {
    let (original, rewritten) = (pair.old.text.clone(), pair.new.to_owned());
    let message = match pair.is_changed() {
        true => format!("the link {original:?} has become {rewritten:?}, but {why}"),
        false => format!("the link {original:?} has stayed, but {why}"),
    };
    Difference { original, rewritten, expected: expected.to_owned(), ..Difference::new(rule, message) }
}
