//! One document of an unpacked site: its links lead to other files of the site.

use std::borrow::Cow;
use std::ops::Range;

use absolve_links::{DocumentType, Refusal, declares_base};
use encoding_rs::Encoding;

use super::comparison::{Comparison, plain, too_large};
use super::labelled;
use super::pair::{Pair, becomes_absolute};
use super::pattern::check_pattern;
use super::sheet::Sheets;
use crate::base::Surroundings;
use crate::references::found::{Obstacle, Reference};
use crate::references::references;
use crate::resolution::{Base, is_absolute, is_same_document, is_same_url};
use crate::settings::{Settings, Standard};
use crate::text::Text;
use crate::verdict::{Counts, Difference, Rule, Verdict};

/// The files of an unpacked site, as one of them refers to them.
#[allow(missing_debug_implementations, reason = "functions have none")]
pub struct UnpackedLinks<'s> {
    /// Returns the URL of a relative reference, by the list of the site; with a fragment, if a row has it.
    pub url_of: &'s dyn Fn(&str) -> Option<String>,
    /// Returns whether the site has a file of a URL without a fragment.
    pub has: &'s dyn Fn(&str) -> bool,
    /// Returns whether the file of a URL is no stylesheet by its type, and has a copy that is one.
    pub has_sheet: &'s dyn Fn(&str) -> bool,
    /// Returns the URL that was archived, if that of a copy is given and the document is one whose links lead to copies.
    pub archived: &'s dyn Fn(&str) -> Option<String>,
}

/// Verifies a document of an unpacked site against the original, which was retrieved from the URL of its surroundings.
///
/// Each link has to lead to the file of the URL that it meant, by the list of the site, or else to that URL. A BASE is empty. Outside of links,
/// only the names of attributes that keep files from being loaded may differ, by `data-` in front of them, and a declaration of the
/// charset that only the record declared.
///
/// ```
/// use absolve_links::DocumentType::Html;
/// use absolve_verifier::{Settings, Surroundings, UnpackedLinks, verify_unpacked};
/// let around = Surroundings { retrieval: Some("http://h/d/".into()), ..Surroundings::default() };
/// let url_of = |reference: &str| (reference == "x.html").then(|| "http://h/d/x".to_owned());
/// let links = UnpackedLinks { url_of: &url_of, has: &|url| url == "http://h/d/x", has_sheet: &|_| false, archived: &|_| None };
/// let verify = |unpacked: &[u8]| verify_unpacked(b"<a href=x>", unpacked, (Html, None), &around, &links, &Settings::default());
/// assert!(verify(b"<a href=x.html>").holds());
/// assert!(!verify(b"<a href=y.html>").holds() && !verify(b"<a href=http://h/d/x>").holds());
/// ```
pub fn verify_unpacked(
    original: &[u8],
    unpacked: &[u8],
    (document_type, label): (DocumentType, Option<&str>),
    surroundings: &Surroundings,
    links: &UnpackedLinks<'_>,
    settings: &Settings,
) -> Verdict {
    let document = labelled(original, document_type, label);
    // What is no document of its type is a file like any other.
    if original == unpacked && document.scan(&settings.table).err() == Some(Refusal::NotItsType) {
        return Verdict { counts: Counts { documents: 1, ..Counts::default() }, ..Verdict::default() };
    }
    let encoding = document.encoding();
    let verdict =
        |unpacked: &[u8]| compare(original, unpacked, (document_type, encoding), surroundings, links, settings);
    let read_as = labelled(unpacked, document_type, None).encoding();
    let as_it_is = verdict(unpacked);
    if read_as != encoding && !unpacked.is_ascii() && document_type != DocumentType::Text {
        let message = format!("it was read as {}, and is read as {} now", encoding.name(), read_as.name());
        return Verdict::of([Difference::new(Rule::Bytes, message)]);
    }
    match without_declaration(original, unpacked, encoding) {
        Some(undeclared) if !as_it_is.holds() && label.is_some() => verdict(&undeclared),
        _ => as_it_is,
    }
}

/// Returns the document without a declaration of its charset that the original does not have there. In an XML declaration, the
/// original may have another one.
fn without_declaration(original: &[u8], unpacked: &[u8], encoding: &'static Encoding) -> Option<Vec<u8>> {
    let name = encoding.name().to_ascii_lowercase();
    let has_xml = original.strip_prefix(b"<?xml").is_some_and(|rest| rest.trim_ascii_start().len() < rest.len());
    let of_xml = format!(" encoding=\"{name}\"");
    let of_xml = if has_xml { of_xml } else { format!("<?xml version=\"1.0\"{of_xml}?>") };
    let declarations = [format!("<meta charset=\"{name}\">"), format!("@charset \"{name}\";"), of_xml];
    let marks = [&b"\xFF\xFE"[..], b"\xFE\xFF"];
    let all = declarations.iter().map(String::as_bytes).chain(marks);
    let found = all.filter_map(|text| Some((memchr::memmem::find(unpacked, text)?, text.len())));
    let (at, length) = found.into_iter().find(|(at, _)| original.starts_with(&unpacked[..*at]))?;
    let own = &original[at..];
    let is_own =
        has_xml && own.first().is_some_and(u8::is_ascii_whitespace) && own.trim_ascii_start().starts_with(b"encoding");
    let end = memchr::memchr2_iter(b'"', b'\'', own).nth(1).filter(|_| is_own).map_or(0, |end| end + 1);
    Some([&unpacked[..at], &own[..end], &unpacked[at + length..]].concat())
}

fn compare(
    original: &[u8],
    unpacked: &[u8],
    (document_type, encoding): (DocumentType, &'static Encoding),
    surroundings: &Surroundings,
    links: &UnpackedLinks<'_>,
    settings: &Settings,
) -> Verdict {
    let read = |bytes: &[u8]| references(&Text::of_document(bytes, encoding), document_type, &settings.table);
    let unread = || Verdict::of([Difference::new(Rule::Unread, "its tree takes too much work to build")]);
    let (Ok(old), Ok(new)) = (read(original), read(unpacked)) else {
        return if original == unpacked { Verdict::default() } else { unread() };
    };
    let Some(comparison) = Comparison::new(unpacked, &old, surroundings, settings, encoding.output_encoding()) else {
        return Verdict::of([too_large()]);
    };
    let mut verdict = Verdict::default();
    (verdict.counts.documents, verdict.counts.links) = (1, old.references.len() as u64);
    if old.references.len() != new.references.len() {
        let message = format!("it has {} links, and had {}", new.references.len(), old.references.len());
        return Verdict { differences: vec![Difference::new(Rule::Links, message)], ..verdict };
    }
    // Where no relative reference has a target, none leads to a file.
    let nowhere = UnpackedLinks { has: &|_| false, ..*links };
    let (bases, links) = match comparison.has_base_without_paths() {
        true => (Bases::Stay, &nowhere),
        false if old.references.iter().any(is_base) => (Bases::Empty, links),
        false => (Bases::None, links),
    };
    let own = surroundings.retrieval.as_deref().unwrap_or_default();
    let archived = (links.archived)(own);
    let own = archived.as_deref().unwrap_or(own);
    let sheets = Sheets::of(original, (document_type, encoding), &old.sheets);
    let (mut pairs, mut local, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for (before, after) in old.references.iter().zip(&new.references) {
        pairs.push(match after.range.is_empty() {
            true => {
                [(original, before), (unpacked, after)].map(|(bytes, at)| with_delimiters(bytes, &at.range, encoding))
            }
            false => [before.range.clone(), after.range.clone()],
        });
        let bytes = (&original[before.range.clone()], &unpacked[after.range.clone()]);
        let pair = Pair { bytes, ..comparison.pair(before, &after.text) };
        if bases != Bases::Stay && leads_to_file(&pair, links, settings) {
            local.push((before.range.start, before.place.depth));
        }
        let of_sheet = || sheets.fault(before, (&after.text, &url_of(&after.text, links)?, own), links.has_sheet);
        match fault(&pair, after, links, (own, encoding, bases), settings).or_else(of_sheet) {
            None => verdict.counts.proven += u64::from(pair.is_changed()),
            Some(why) if bytes.0 == bytes.1 && !bytes.1.is_ascii() => kept.push((after, wrong(before, after, &why))),
            Some(why) => verdict.differences.push(wrong(before, after, &why)),
        }
    }
    let bytes_of = |(after, _): &(&Reference, Difference)| after.range.clone();
    if !decide_charset(unpacked, kept.iter().map(bytes_of), (document_type, encoding)) {
        verdict.differences.extend(kept.into_iter().map(|(_, wrong)| wrong));
    }
    let set_aside = set_aside(original, &old.obstacles, &local);
    let (mut old_at, mut new_at) = (0, 0);
    pairs.push([original.len()..original.len(), unpacked.len()..unpacked.len()]);
    for [old, new] in pairs {
        let gaps = (old_at..old.start, new_at..new.start);
        verdict.differences.extend(outside(original, unpacked, gaps, (&set_aside, encoding)));
        (old_at, new_at) = (old.end, new.end);
    }
    verdict
}

/// Reports whether a document that declares no charset would be read in another one without the bytes of these links.
fn decide_charset(
    bytes: &[u8],
    links: impl Iterator<Item = Range<usize>>,
    (document_type, encoding): (DocumentType, &'static Encoding),
) -> bool {
    let (mut without, mut at) = (Vec::new(), 0);
    for link in links {
        without.extend_from_slice(&bytes[at..link.start]);
        at = link.end;
    }
    without.extend_from_slice(&bytes[at..]);
    at > 0 && labelled(&without, document_type, None).encoding() != encoding
}

fn wrong(before: &Reference, after: &Reference, why: &str) -> Difference {
    let message = format!("the link {:?} is {:?} now, but {why}", before.text, after.text);
    let (original, rewritten) = (before.text.clone(), after.text.clone());
    Difference { original, rewritten, ..Difference::new(Rule::Target, message) }.at(before.range.start)
}

/// What becomes of the bases that a document declares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bases {
    /// There are none.
    None,
    /// They become empty.
    Empty,
    /// They stay: one is not known or has no paths, and no link leads to a file.
    Stay,
}

fn is_base(reference: &Reference) -> bool {
    declares_base(&reference.place.element, &reference.place.attribute)
}

/// Returns a range with the white space and the quotes around it, in documents of any depth: where nothing is left of a link, they no
/// longer delimit one.
fn with_delimiters(bytes: &[u8], range: &Range<usize>, encoding: &'static Encoding) -> Range<usize> {
    const PIECES: [&str; 10] = [" ", "\t", "\n", "\r", "\x0c", "\"", "'", "&", "amp;", "quot;"];
    let pieces = PIECES.map(|piece| written(piece, encoding));
    let (mut before, mut behind) = bytes.split_at(range.start);
    behind = &behind[range.len()..];
    while let Some(rest) = pieces.iter().find_map(|piece| before.strip_suffix(&**piece)) {
        before = rest;
    }
    while let Some(rest) = pieces.iter().find_map(|piece| behind.strip_prefix(&**piece)) {
        behind = rest;
    }
    before.len()..bytes.len() - behind.len()
}

/// Returns what is wrong with a link, if anything.
fn fault(
    pair: &Pair<'_>,
    after: &Reference,
    links: &UnpackedLinks<'_>,
    (own, encoding, bases): (&str, &'static Encoding, Bases),
    settings: &Settings,
) -> Option<String> {
    let (old, new) = (&*pair.old.text, &*after.text);
    if pair.old.is_pattern {
        return check_pattern(pair, settings).map(|found| found.message);
    }
    if is_base(pair.old) {
        return match bases {
            Bases::Stay => pair.is_changed().then(|| "a base that is not known has to stay".to_owned()),
            _ => (!new.is_empty()).then(|| "a base has to be empty".to_owned()),
        };
    }
    let is_same = is_same_document(settings.standard, old);
    if is_same && pair.old.same_document.keeps(old) {
        return pair.is_changed().then(|| "it means the page itself, whatever its base is".to_owned());
    }
    if !pair.is_changed() && is_same && bases != Bases::Empty {
        return None;
    }
    let is_absolute_before = is_absolute(settings.standard, old);
    if !pair.is_changed() && !is_absolute_before && !is_same && !becomes_absolute(pair, settings) {
        return None;
    }
    let meant = match is_absolute_before {
        // Any base will do, but for the charset of a query.
        true => Base::new(Standard::Whatwg, "http://h/".to_owned()).target(old, encoding),
        false => pair.base.and_then(|base| {
            // In what was archived, `..` ends at the root of the site.
            let is_path = !old.trim_start().starts_with(['/', '\\']) && !old.contains(":/");
            let archived = (links.archived)(&base.text).filter(|_| is_path);
            archived.map_or_else(
                || base.target(old, encoding),
                |url| Base::new(settings.standard, url).target(old, encoding),
            )
        }),
    };
    let meant = meant.map(|meant| (links.archived)(&meant).unwrap_or(meant));
    let Some(meant) = meant else { return pair.is_changed().then(|| "it had no target".to_owned()) };
    let split = |url: &str| url.split_at(url.find('#').unwrap_or(url.len())).0.to_owned();
    let fragment = &new[new.find('#').unwrap_or(new.len())..];
    let leads_to = match new {
        _ if is_absolute(Standard::Whatwg, new) => Some(new.to_owned()),
        _ if bases == Bases::Stay => None,
        _ if split(new).is_empty() => Some(format!("{own}{fragment}")),
        _ => url_of(new, links),
    };
    let Some(leads_to) = leads_to else { return Some("it leads to no file of the site".to_owned()) };
    if is_absolute(Standard::Whatwg, new) && (links.has)(&split(&meant)) {
        return Some("the site has the file".to_owned());
    }
    (!is_same_url(&leads_to, &meant, pair.old.barred, encoding))
        .then(|| format!("it leads to {leads_to}, and meant {meant}"))
}

/// Returns ASCII as it is written in a document.
fn written(ascii: &'static str, encoding: &'static Encoding) -> Cow<'static, [u8]> {
    match encoding.name() {
        "UTF-16LE" => ascii.bytes().flat_map(|byte| [byte, 0]).collect(),
        "UTF-16BE" => ascii.bytes().flat_map(|byte| [0, byte]).collect(),
        _ => Cow::Borrowed(ascii.as_bytes()),
    }
}

/// Returns the URL of a relative reference, by the list of the site. The fragment of a redirect belongs to the row of the list.
fn url_of(reference: &str, links: &UnpackedLinks<'_>) -> Option<String> {
    let (path, fragment) = reference.split_at(reference.find('#').unwrap_or(reference.len()));
    (links.url_of)(reference).or_else(|| (links.url_of)(path).map(|url| format!("{url}{fragment}")))
}

/// Reports whether a link leads to a file of the site, which it may have done before.
fn leads_to_file(pair: &Pair<'_>, links: &UnpackedLinks<'_>, settings: &Settings) -> bool {
    let stays_file = || {
        let is_same = is_same_document(settings.standard, &pair.old.text);
        !is_same && becomes_absolute(pair, settings) && url_of(pair.new, links).is_some()
    };
    !is_absolute(Standard::Whatwg, pair.new) && (pair.is_changed() || stays_file())
}

/// Returns where the names of attributes begin that keep files from being loaded, in their order: those of tags with a link to a file,
/// and policies. Links to files begin at bytes of the document, with so many documents around them.
fn set_aside(original: &[u8], obstacles: &[Obstacle], local: &[(usize, usize)]) -> Vec<usize> {
    let concerns_file = |(attributes, depth): &(Range<usize>, usize)| {
        let inside = &local[local.partition_point(|(at, _)| *at < attributes.start)..];
        inside.iter().take_while(|(at, _)| *at < attributes.end).any(|(_, of_link)| of_link == depth)
    };
    // A name that is written in character references stays.
    let is_written = |name: &Range<usize>| {
        let written = plain(&original[name.clone()]);
        ["integrity", "crossorigin", "http-equiv"].iter().any(|known| written.eq_ignore_ascii_case(known.as_bytes()))
    };
    let due = obstacles.iter().filter(|one| one.tag.as_ref().is_none_or(concerns_file) && is_written(&one.name));
    let mut names: Vec<usize> = due.map(|one| one.name.start).collect();
    names.sort_unstable();
    names
}

/// Returns a difference between what is outside of links, where each name that is set aside has `data-` in front of it.
fn outside(
    original: &[u8],
    unpacked: &[u8],
    (old, new): (Range<usize>, Range<usize>),
    (set_aside, encoding): (&[usize], &'static Encoding),
) -> Option<Difference> {
    let prefix = written("data-", encoding);
    let (mut at, mut rest) = (old.start, unpacked.get(new)?);
    let inside = &set_aside[set_aside.partition_point(|name| *name < old.start)..];
    for end in inside.iter().copied().take_while(|name| *name < old.end).chain([old.end]) {
        let before = original.get(at..end)?;
        let same = before.iter().zip(rest).take_while(|(one, other)| one == other).count();
        (at, rest) = (at + same, &rest[same..]);
        rest = match rest.strip_prefix(&*prefix).filter(|_| at == end && end < old.end) {
            Some(behind) => behind,
            None if at == old.end && rest.is_empty() => return None,
            None => break,
        };
    }
    let shown = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
    let (original, rewritten) = (shown(&original[at..old.end]), shown(rest));
    let message = match set_aside.binary_search(&at) {
        Ok(_) => format!("{rewritten:?} keeps files from being loaded, and has to have data- in front of it"),
        Err(_) => format!("outside links {original:?} has become {rewritten:?}"),
    };
    Some(Difference { original, rewritten, ..Difference::new(Rule::Bytes, message) }.at(at))
}
