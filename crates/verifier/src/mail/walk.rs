//! One walk over both versions of a message, part by part.

use std::collections::HashSet;
use std::iter;
use std::ops::Range;

use absolve_framing::{
    ForeignMailbox, Malformed, MediaType, SERVER_SIGNATURES, Transfer, are_signed, divide, may_be_encoded,
};
use absolve_links::DocumentType;

use super::entity::{Entity, TRANSFER_ENCODING};
use super::header_comparison::compare_headers;
use super::part::{DEPTH, child, declared_by, document_type, is_doubtful, is_saved_page};
use super::sides::Sides;
use super::transfer_encoding::verify_decoded;
use crate::base::{Guesses, LOCATION, Siblings, Surroundings, outside};
use crate::resolution::part_key::part_key;
use crate::resolution::{is_absolute, target};
use crate::settings::{HeaderFields, Settings, Signatures};
use crate::verdict::{Difference, Rule, Verdict};

/// A part that is a document, in its transfer encoding.
pub(super) struct Leaf<'l> {
    pub(super) path: &'l str,
    pub(super) old: &'l Entity<'l>,
    pub(super) new: &'l Entity<'l>,
    pub(super) media_type: &'l str,
    pub(super) label: Option<&'l str>,
    pub(super) document_type: DocumentType,
    pub(super) surroundings: &'l Surroundings,
    pub(super) is_kept: bool,
}

/// What surrounds a part.
#[derive(Clone)]
struct Around {
    surroundings: Surroundings,
    /// Whether the part is signed or encrypted, and stays.
    is_kept: bool,
}

/// Verifies all of a message but its documents, which it passes on.
pub(super) fn walk(
    message: Sides<'_>,
    retrieval: Option<&str>,
    settings: &Settings,
    look: &mut dyn FnMut(&Leaf<'_>) -> Verdict,
) -> Verdict {
    let is_saved_page = is_saved_page(&Entity::read(message.old));
    let mut walk = Walk { settings, is_saved_page, look, verdict: Verdict::default() };
    let surroundings = Surroundings { retrieval: retrieval.map(str::to_owned), ..Surroundings::default() };
    match ForeignMailbox::of(message.old) {
        // Its messages would have the bases of each other.
        Some(_) => walk.unread(message, ""),
        None => walk.message(message, "", &Around { surroundings, is_kept: false }),
    }
    walk.verdict
}

struct Walk<'w> {
    settings: &'w Settings,
    /// Whether a browser saved a page as this message; its parts without a transfer encoding are bytes.
    is_saved_page: bool,
    look: &'w mut dyn FnMut(&Leaf<'_>) -> Verdict,
    verdict: Verdict,
}

impl Walk<'_> {
    fn message(&mut self, sides: Sides<'_>, path: &str, around: &Around) {
        let header = Entity::read(sides.old);
        let is_multipart = header.media_type().is_some_and(|media_type| media_type.name.starts_with("multipart/"));
        let own = if is_multipart { path.to_owned() } else { child(path, 1) };
        let is_server_signed = SERVER_SIGNATURES.iter().any(|name| header.named(name).next().is_some());
        let is_kept = around.is_kept || (is_server_signed && self.settings.signatures == Signatures::KeepAll);
        self.entity(sides, &own, "text/plain", &Around { is_kept, ..around.clone() });
    }

    /// Verifies a header and a body.
    fn entity(&mut self, sides: Sides<'_>, path: &str, default_type: &str, around: &Around) {
        let mut old = Entity::read(sides.old);
        let mut new = Entity::read_after(&old, sides.new);
        for entity in [&mut old, &mut new].into_iter().filter(|_| self.is_saved_page) {
            if entity.named(TRANSFER_ENCODING).next().is_none() {
                entity.encoding = Some(Transfer::Binary);
            }
        }
        let media_type = old.media_type();
        let name = media_type.as_ref().map_or(default_type, |media_type| &media_type.name);
        let is_open = old.malformed == Malformed::StartsBody
            && (name.starts_with("message/") || old.encoding == Some(Transfer::Base64));
        if around.surroundings.headers.len() >= DEPTH || is_doubtful(&old) || is_open {
            return self.unread(sides, path);
        }
        let mut around = around.clone();
        around.surroundings.headers.insert(0, declared_by(&old));
        around.surroundings.needs_line_ends |= old.malformed == Malformed::StartsBody;
        let references = if around.is_kept { HeaderFields::Keep } else { self.settings.header_fields };
        if sides.old != sides.new || references == HeaderFields::Absolute {
            self.add(Verdict::of(compare_headers(&old, &new, references, &around.surroundings, self.settings)), path);
        }
        if let Some(media_type) = media_type.as_ref().filter(|_| name.starts_with("multipart/")) {
            self.multipart(&old, &new, media_type, path, &around);
        } else if matches!(name, "message/rfc822" | "message/global") {
            let mut verdict = verify_decoded(&old, &new, |texts| {
                self.message(texts, path, &around);
                Verdict::default()
            });
            // The lines of the parts count.
            let is_plain = [&old, &new].iter().all(|entity| entity.encoding == Some(Transfer::Lines));
            verdict.differences.retain(|_| !is_plain);
            self.add(verdict, path);
        } else if let Some(document_type) = document_type(&old, name) {
            let label = media_type.as_ref().and_then(|media_type| media_type.charset.as_deref());
            let (old, new, is_kept, surroundings) = (&old, &new, around.is_kept, &around.surroundings);
            let leaf = Leaf { path, old, new, media_type: name, label, document_type, surroundings, is_kept };
            let verdict = (self.look)(&leaf);
            self.add(verdict, path);
        } else {
            self.add(Sides { old: old.body, new: new.body }.require_same(Rule::Part), path);
        }
    }

    /// Verifies the bodies of a multipart, part by part.
    fn multipart(&mut self, old: &Entity<'_>, new: &Entity<'_>, media_type: &MediaType, path: &str, around: &Around) {
        let bodies = Sides { old: old.body, new: new.body };
        let boundary = media_type.boundary.as_deref().map(str::as_bytes);
        let parts_of = |body: &[u8]| Some(divide(body, boundary?, 0..body.len())?.parts);
        // RFC 2045 forbids an encoding of a multipart (section 6.4). One that declares it is read as if it did not, if that is sure.
        let is_plain = |parts: &Vec<_>| match old.encoding {
            Some(Transfer::QuotedPrintable) => !may_be_encoded(bodies.old, parts),
            encoding => encoding.is_some(),
        };
        let Some(old) = parts_of(bodies.old).filter(is_plain) else {
            return self.unread(bodies, path);
        };
        let new = parts_of(bodies.new).unwrap_or_default();
        if old.len() != new.len() {
            let message = format!("{} parts have become {}", old.len(), new.len());
            return self.add(Verdict::of([Difference::new(Rule::Part, message)]), path);
        }
        let subtype = media_type.name.trim_start_matches("multipart/");
        let keeps_signed = self.settings.signatures != Signatures::Break;
        let mut around = around.clone();
        around.is_kept |= keeps_signed && matches!(subtype, "signed" | "x-signed" | "encrypted");
        if subtype == "related" && self.settings.header_fields == HeaderFields::Keep {
            let parts = old.iter().map(|part| Entity::read(&bodies.old[part.clone()]));
            let located = self.located(parts, &around.surroundings);
            around.surroundings.siblings.push(located);
        }
        let is_attached = keeps_signed && !matches!(subtype, "alternative" | "related" | "digest");
        let signed = if is_attached { are_signed(bodies.old, &old) } else { Vec::new() };
        let default_type = if subtype == "digest" { "message/rfc822" } else { "text/plain" };
        let mut between = between(bodies.old, &old).zip(between(bodies.new, &new));
        let message = "the bytes around the parts differ";
        let differs = between.find(|((_, old), (_, new))| old != new);
        let differs = differs.map(|((start, _), _)| Difference::new(Rule::Part, message).at(start));
        self.add(Verdict::of(differs), path);
        for (index, (old, new)) in old.iter().zip(&new).enumerate() {
            let sides = Sides { old: &bodies.old[old.clone()], new: &bodies.new[new.clone()] };
            let is_kept = around.is_kept || signed.get(index) == Some(&true);
            self.entity(sides, &child(path, index + 1), default_type, &Around { is_kept, ..around.clone() });
        }
    }

    /// Returns the URLs of the parts that have a location, by their headers.
    fn located<'h>(&self, parts: impl Iterator<Item = Entity<'h>>, around: &Surroundings) -> Siblings {
        let (mut only_as_written, mut all) = (HashSet::new(), HashSet::new());
        let standard = self.settings.standard;
        for mut fields in parts.map(|entity| declared_by(&entity)) {
            let Some((_, location)) = fields.iter().find(|(name, _)| *name == LOCATION).cloned() else { continue };
            let (url, is_only_as_written) = if is_absolute(standard, &location.url) {
                (Some(location.url), location.is_guess)
            } else {
                fields.retain(|(name, _)| *name == "content-base");
                let headers = [vec![fields], around.headers.clone()].concat();
                let around = Surroundings { headers, retrieval: around.retrieval.clone(), ..Surroundings::default() };
                let base = outside(&around, self.settings, Guesses::FindParts);
                (base.and_then(|base| target(standard, &base, &location.url)), true)
            };
            let key = url.map(|url| part_key(&url));
            only_as_written.extend(key.clone().filter(|_| is_only_as_written));
            all.extend(key);
        }
        Siblings { only_as_written: only_as_written.into(), all: all.into() }
    }

    /// Verifies that a part is the same whose structure is in doubt. The links that it may have stay relative.
    fn unread(&mut self, sides: Sides<'_>, path: &str) {
        let mut verdict = sides.require_same(Rule::Part);
        if verdict.holds() && memchr::memchr(b'<', sides.old).is_some() {
            let (expected, message) = ("an absolute URL".to_owned(), "its structure is in doubt, so its links stay");
            verdict.differences.push(Difference { expected, ..Difference::new(Rule::Relative, message) }.at(0));
        }
        self.add(verdict, path);
    }

    /// Adds the verdict on a part.
    fn add(&mut self, verdict: Verdict, path: &str) {
        self.verdict.counts += verdict.counts;
        let here = verdict.differences.into_iter().map(|difference| Difference { part: path.to_owned(), ..difference });
        self.verdict.differences.extend(here);
    }
}

/// Returns what is around the parts of a body, and where: the preamble, the delimiters and the epilogue.
fn between<'b>(body: &'b [u8], parts: &[Range<usize>]) -> impl Iterator<Item = (usize, &'b [u8])> {
    let starts = iter::once(0).chain(parts.iter().map(|part| part.end));
    let ends = parts.iter().map(|part| part.start).chain([body.len()]);
    starts.zip(ends).map(|(start, end)| (start, &body[start..end]))
}
