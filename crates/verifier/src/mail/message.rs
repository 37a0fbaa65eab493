//! Verifies messages part by part.

use std::collections::{HashMap, HashSet};

use absolve_links::DocumentType;
use memchr::memmem;

use super::header::{Field, Header};
use super::header_comparison::compare_headers;
use super::lenders::lent_bases;
use super::multipart::{is_plain, signed, split};
use super::parameters::{media_type, parameter};
use super::part::{
    DEPTH, archived_at, begins_like, child, declared_by, is_doubtful, is_saved_page, is_untyped, named_type,
    snapshot_of,
};
use super::transfer_encoding::{Encoding, decode, encoding_difference, line_difference};
use crate::base::{Guesses, Lent, Retrieved, Siblings, Surroundings, is_guess, outside, url_of};
use crate::document::verify_document;
use crate::resolution::part_key::part_key;
use crate::resolution::{is_absolute, target};
use crate::settings::{HeaderFields, MessageUrl, Settings, Signatures};
use crate::verdict::{Difference, Rule, Verdict};

/// Verifies a rewritten message against the original: each header, each part, and the bytes around the parts.
///
/// Headers have to be the require_same, except for lengths and digests of bodies, and the transfer encoding of a part whose
/// lines became too long. Documents are verified without their transfer encoding, which has to be the require_same where no
/// link changed.
///
/// ```
/// use absolve_verifier::{Retrieved, Rule, Settings, verify_message};
/// let original = b"Content-Type: text/html\r\nContent-Base: http://h/d/\r\n\r\n<a href=x>\r\n";
/// let rewritten = b"Content-Type: text/html\r\nContent-Base: http://h/d/\r\n\r\n<a href=http://h/d/x>\r\n";
/// assert!(verify_message(original, rewritten, Retrieved::Nowhere, &Settings::default()).holds());
/// let forged = b"Content-Type: text/html\r\nContent-Base: http://h/e/\r\n\r\n<a href=http://h/d/x>\r\n";
/// assert_eq!(verify_message(original, forged, Retrieved::Nowhere, &Settings::default()).differences[0].rule, Rule::Header);
/// ```
pub fn verify_message(original: &[u8], rewritten: &[u8], retrieval: Retrieved<'_>, settings: &Settings) -> Verdict {
    let snapshot = || snapshot_of(&Header::read(original));
    let retrieval = match retrieval {
        Retrieved::Given(url) => Some(url.to_owned()),
        Retrieved::Found(url) => snapshot().or_else(|| Some(url.to_owned())),
        Retrieved::Nowhere => snapshot(),
    };
    let retrieval = retrieval.or_else(|| match &settings.message_url {
        MessageUrl::None => None,
        MessageUrl::Given(url) => Some(url.clone()),
        MessageUrl::ArchivedAt => archived_at(&Header::read(original)),
    });
    let mut verification = Verification {
        settings,
        lent: lent_bases(original, retrieval.as_deref(), settings),
        retrieval,
        siblings: Vec::new(),
        is_kept: false,
        is_saved_page: false,
        verdict: Verdict::default(),
    };
    verification.verdict.counts.records = 1;
    verification.message(Sides { old: original, new: rewritten }, "", &[]);
    verification.verdict
}

struct Verification<'v> {
    settings: &'v Settings,
    retrieval: Option<String>,
    /// The bases that documents lend to parts, by the paths of those.
    lent: HashMap<String, Lent>,
    /// The sibling parts with a location, outermost first.
    siblings: Vec<Siblings>,
    /// Whether the part is signed or encrypted, and stays.
    is_kept: bool,
    /// Whether a browser saved a page as this message; its parts without a transfer encoding are bytes.
    is_saved_page: bool,
    verdict: Verdict,
}

/// A range of the original, and of the rewritten message.
#[derive(Clone, Copy)]
struct Sides<'s> {
    old: &'s [u8],
    new: &'s [u8],
}

/// The headers around a part, innermost first.
type HeaderChain = Vec<Vec<(String, String)>>;

impl Verification<'_> {
    fn message(&mut self, sides: Sides<'_>, path: &str, around: &[Vec<(String, String)>]) {
        let header = Header::read(sides.old);
        if around.is_empty() {
            self.is_saved_page = is_saved_page(&header);
        }
        let is_multipart = media_type(&header).starts_with("multipart/");
        let own = if is_multipart { path.to_owned() } else { child(path, 1) };
        let is_server_signed = header.fields.iter().any(Field::is_server_signature);
        let outer = self.is_kept;
        self.is_kept |= is_server_signed && self.settings.signatures == Signatures::KeepAll;
        self.entity(sides, &own, "text/plain", around);
        self.is_kept = outer;
    }

    /// Verifies a header and a body.
    fn entity(&mut self, sides: Sides<'_>, path: &str, default_type: &str, around: &[Vec<(String, String)>]) {
        let old = Header::read(sides.old);
        // Where no empty line ends a header, one in a reference does, and is gone from a URL that was made absolute.
        let new = match old.lacks_end && sides.new.starts_with(&sides.old[..old.body]) {
            true => old.clone(),
            false => Header::read(sides.new),
        };
        let (old_body, new_body) = (&sides.old[old.body..], &sides.new[new.body..]);
        let bodies = Sides { old: old_body, new: new_body };
        let mut headers: HeaderChain = vec![declared_by(&old)];
        headers.extend_from_slice(around);
        let encodings = (Encoding::of(&old), Encoding::of(&new));
        let surroundings = Surroundings {
            headers: headers.clone(),
            retrieval: self.retrieval.clone(),
            siblings: self.siblings.clone(),
            ..Surroundings::default()
        };
        let differences = compare_headers(&old, &new, (old_body, new_body), encodings, &surroundings, self.settings);
        self.report(path, differences);
        if headers.len() > DEPTH || is_doubtful(&old) {
            return self.require_same(bodies, path, Rule::Part);
        }
        let written_type = media_type(&old);
        let name = if written_type.is_empty() { default_type } else { &*written_type };
        if old.lacks_end && (name.starts_with("message/") || encodings.0 == Encoding::Base64) {
            return self.require_same(bodies, path, Rule::Part);
        }
        if name.starts_with("multipart/") {
            self.body_of_parts(bodies, &old, name, encodings.0, path, &headers);
        } else if matches!(name, "message/rfc822" | "message/global") {
            self.decoded(bodies, encodings, path, |this, sides| this.message(sides, path, &headers));
        } else if let Some(document_type) = DocumentType::of_media_type(name).or_else(|| named_type(&old, name)) {
            let label = parameter(&old, "content-type", "charset");
            let lent = self.lent.get(path).cloned().unwrap_or_default();
            let surroundings = Surroundings { lent, ..surroundings };
            self.decoded(bodies, encodings, path, |this, sides| {
                let is_another = is_untyped(name) && !begins_like(sides.old, document_type);
                let is_clear_signed = memmem::find(sides.old, b"-----BEGIN PGP SIGNED MESSAGE-----").is_some();
                let is_kept = this.is_kept || (is_clear_signed && this.settings.signatures != Signatures::Break);
                if is_another || is_kept {
                    return this.require_same(sides, path, Rule::Part);
                }
                let (label, settings) = (label.as_deref(), this.settings);
                let verdict = verify_document(sides.old, sides.new, document_type, label, &surroundings, settings);
                this.verdict.counts += verdict.counts;
                this.report(path, verdict.differences);
                let is_of_bytes = this.is_saved_page && old.value("content-transfer-encoding").is_none();
                let differs = line_difference(sides.old, sides.new, encodings).filter(|_| !is_of_bytes);
                this.report(path, differs);
            });
        } else {
            self.require_same(bodies, path, Rule::Part);
        }
    }

    /// Verifies the bodies of a multipart, part by part.
    fn body_of_parts(
        &mut self,
        bodies: Sides<'_>,
        header: &Header,
        name: &str,
        encoding: Encoding,
        path: &str,
        headers: &HeaderChain,
    ) {
        let boundary = parameter(header, "content-type", "boundary").filter(|boundary| !boundary.is_empty());
        let Some(boundary) = boundary.filter(|boundary| is_plain(bodies.old, boundary, encoding)) else {
            return self.require_same(bodies, path, Rule::Part);
        };
        let outer = (self.is_kept, self.siblings.len());
        let is_protected = matches!(name, "multipart/signed" | "multipart/x-signed" | "multipart/encrypted");
        self.is_kept |= is_protected && self.settings.signatures != Signatures::Break;
        if name == "multipart/related" && self.settings.header_fields == HeaderFields::Keep {
            let located = self.located(bodies.old, &boundary, headers);
            self.siblings.push(located);
        }
        self.multipart(bodies, name, &boundary, path, headers);
        self.is_kept = outer.0;
        self.siblings.truncate(outer.1);
    }

    /// Verifies bodies without their transfer encoding, and then the encoding itself.
    fn decoded(
        &mut self,
        bodies: Sides<'_>,
        encodings: (Encoding, Encoding),
        path: &str,
        look: impl FnOnce(&mut Self, Sides<'_>),
    ) {
        match (decode(bodies.old, encodings.0), decode(bodies.new, encodings.1)) {
            (Some(old), Some(new)) => {
                look(self, Sides { old: &old, new: &new });
                let differs = encoding_difference((bodies.old, bodies.new), (&old, &new), encodings);
                self.report(path, differs);
            }
            _ => self.require_same(bodies, path, Rule::Encoding),
        }
    }

    fn multipart(
        &mut self,
        bodies: Sides<'_>,
        media_type: &str,
        boundary: &str,
        path: &str,
        headers: &[Vec<(String, String)>],
    ) {
        let (old, new) = (split(bodies.old, boundary), split(bodies.new, boundary));
        if old.parts.len() != new.parts.len() {
            let message = format!("{} parts have become {}", old.parts.len(), new.parts.len());
            return self.report(path, [Difference::new(Rule::Part, message)]);
        }
        let between = old.around.iter().zip(&new.around);
        let differs = between.filter(|(old, new)| bodies.old[(*old).clone()] != bodies.new[(*new).clone()]);
        let message = "the bytes around the parts differ";
        let differences: Vec<Difference> =
            differs.map(|(old, _)| Difference::new(Rule::Part, message).at(old.start)).take(1).collect();
        self.report(path, differences);
        let default_type = if media_type == "multipart/digest" { "message/rfc822" } else { "text/plain" };
        let signed = match media_type {
            _ if self.settings.signatures == Signatures::Break => Vec::new(),
            "multipart/alternative" | "multipart/related" | "multipart/digest" => Vec::new(),
            _ => signed(bodies.old, &old),
        };
        let is_kept = self.is_kept;
        for (index, (old, new)) in old.parts.into_iter().zip(new.parts).enumerate() {
            let sides = Sides { old: &bodies.old[old], new: &bodies.new[new] };
            self.is_kept = is_kept || signed.get(index) == Some(&true);
            self.entity(sides, &child(path, index + 1), default_type, headers);
        }
        self.is_kept = is_kept;
    }

    /// Returns the URLs of the parts of a body that have a location.
    fn located(&self, body: &[u8], boundary: &str, around: &[Vec<(String, String)>]) -> Siblings {
        let (mut only_as_written, mut all) = (HashSet::new(), HashSet::new());
        for part in split(body, boundary).parts {
            let fields = declared_by(&Header::read(&body[part]));
            let Some((_, value)) = fields.iter().find(|(name, _)| name == "content-location") else { continue };
            let (location, is_guess) = (url_of(value), is_guess(value));
            let standard = self.settings.standard;
            if is_absolute(standard, &location) {
                only_as_written.extend(is_guess.then(|| part_key(&location)));
                all.insert(part_key(&location));
                continue;
            }
            let own = fields.into_iter().filter(|(name, _)| name == "content-base").collect();
            let headers = [vec![own], around.to_vec()].concat();
            let surroundings = Surroundings { headers, retrieval: self.retrieval.clone(), ..Surroundings::default() };
            let base = outside(&surroundings, self.settings, Guesses::FindParts);
            let url = base.and_then(|base| target(standard, &base, &location)).map(|url| part_key(&url));
            only_as_written.extend(url.clone());
            all.extend(url);
        }
        Siblings { only_as_written: only_as_written.into(), all: all.into() }
    }

    fn require_same(&mut self, sides: Sides<'_>, path: &str, rule: Rule) {
        if sides.old != sides.new {
            let common = sides.old.iter().zip(sides.new).take_while(|(old, new)| old == new).count();
            self.report(path, [Difference::new(rule, "a body without links to change differs").at(common)]);
        }
    }

    fn report(&mut self, path: &str, differences: impl IntoIterator<Item = Difference>) {
        let here = differences.into_iter().map(|difference| Difference { part: path.to_owned(), ..difference });
        self.verdict.differences.extend(here);
    }
}
