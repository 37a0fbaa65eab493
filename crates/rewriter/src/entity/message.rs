//! The parts of a message (RFC 2045, RFC 2046): where they stand, and what all headings around them say.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use absolve_base::{Declaration, Field, Layer};
use absolve_links::DocumentType;
use absolve_resolver::{ReferenceKind, Standard};
use memchr::memmem;

use crate::entity::boundary::{Division, divide};
use crate::entity::header::{Extent, Heading, MediaType, Stray, declarations};
use crate::entity::header_chain::HeaderChain;
use crate::entity::part::{EncodingField, Part, Protection, Text};
use crate::entity::siblings::{Located, Siblings};
use crate::entity::transfer::{Body, Transfer};
use crate::finding::{Code, Finding};
use crate::findings::{message_too_long, packed};
use crate::limits::{NESTED_PARTS, PARTS, declared_bytes, decoded_bytes};

/// A message taken apart.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The documents in it, in the order of their bytes.
    pub(crate) documents: Vec<Part>,
    /// The message itself, and the messages in it that stand in a transfer encoding, each behind the one around it.
    pub(crate) texts: Vec<Text>,
    /// What was left alone.
    pub(crate) findings: Vec<Finding>,
    /// The URL of the page, if a browser saved it as this message.
    pub(crate) snapshot: Option<String>,
}

/// Takes a message apart.
pub(crate) fn parts(message: &[u8]) -> Parts {
    let parts =
        Parts { documents: Vec::new(), texts: vec![Text::whole(message)], findings: Vec::new(), snapshot: None };
    let mut reader = Reader {
        around: None,
        siblings: None,
        protection: Protection::default(),
        is_saved_page: false,
        declared: declared_bytes(message),
        decoded: decoded_bytes(message),
        parts,
    };
    match u32::try_from(message.len()) {
        Ok(_) => match packed(message) {
            Some(finding) => reader.parts.findings.push(finding),
            None => reader.message(View { bytes: message, index: 0 }, 0..message.len(), ""),
        },
        Err(_) => reader.parts.findings.push(message_too_long(u64::from(u32::MAX))),
    }
    reader.parts
}

/// The bytes that are read, and their index among the texts.
#[derive(Clone, Copy)]
struct View<'v> {
    bytes: &'v [u8],
    index: usize,
}

struct Reader {
    /// The headings around the part that is read.
    around: Option<Arc<HeaderChain>>,
    siblings: Option<Arc<Siblings>>,
    protection: Protection,
    is_saved_page: bool,
    /// How many more bytes of declarations parts may have, and messages without their transfer encodings.
    declared: usize,
    decoded: usize,
    parts: Parts,
}

impl Reader {
    fn leave(&mut self, path: &str, byte: usize, code: Code, why: &str) {
        let finding = Finding::new(code, format!("{why}; left as it is")).at(byte);
        self.parts.findings.push(Finding { part: path.to_owned(), ..finding });
    }

    /// Notes that what breaks a rule is read as other programs read it.
    fn repair(&mut self, path: &str, byte: usize, what: &str) {
        let finding = Finding::new(Code::MessageRepaired, what).at(byte);
        self.parts.findings.push(Finding { part: path.to_owned(), ..finding });
    }

    /// Reads the whole of a message that stands in `within`.
    fn message(&mut self, view: View<'_>, within: Range<usize>, path: &str) {
        let heading = Heading::read(view.bytes, within.clone());
        if heading.extent.body == within.end && memmem::find(&view.bytes[within.clone()], b"\r\r").is_some() {
            return self.leave(path, within.start, Code::MessageStructure, "its lines end in a bare CR");
        }
        let outer_protection = self.protection;
        self.protection.is_dkim_signed |= heading.is_signed;
        if self.around.is_none() {
            self.is_saved_page = heading.is_saved_page;
            self.parts.snapshot.clone_from(&heading.snapshot);
        }
        let media_type = heading.media_type.as_ref().map_or("", |media_type| &media_type.name);
        // A body of one part has the number 1 (RFC 3501, section 6.4.5).
        let own = if media_type.starts_with("multipart/") { path.to_owned() } else { child(path, 0) };
        let name = if path.is_empty() { "HEADER".to_owned() } else { format!("{path}.HEADER") };
        self.entity(view, heading, within.end, &own, "text/plain", &name);
        self.protection = outer_protection;
    }

    fn part(&mut self, view: View<'_>, within: Range<usize>, path: &str, default_type: &str) {
        let heading = Heading::read(view.bytes, within.clone());
        self.entity(view, heading, within.end, path, default_type, &format!("{path}.MIME"));
    }

    /// Reads the body that a heading has, up to `end`; `name` is what the heading is called (RFC 3501, section 6.4.5).
    fn entity(&mut self, view: View<'_>, mut heading: Heading, end: usize, path: &str, default_type: &str, name: &str) {
        let outer = self.around.clone();
        let body = heading.extent.body..end;
        if let Some(why) = heading.trouble.or_else(|| heading.doubt(default_type)) {
            return self.leave(path, body.start, Code::MessageStructure, why);
        }
        if outer.as_ref().is_some_and(|outer| outer.count == NESTED_PARTS) {
            return self.leave(path, body.start, Code::MessageStructure, "its parts nest too deep");
        }
        if self.parts.documents.len() >= PARTS {
            return self.leave(path, body.start, Code::MessageStructure, "too many parts stand before it");
        }
        if heading.extent.stray == Stray::Body {
            self.repair(path, body.start, "no empty line ends its heading; its body begins at what is no field");
        }
        let mut own = std::mem::take(&mut heading.declarations);
        for declaration in &mut own {
            declaration.place = declaration.place.replace("the heading", name).into();
        }
        self.around = Some(Arc::new(HeaderChain::within(outer.clone(), own)));
        self.fields(view, &heading, name);
        let media_type = heading.media_type.as_ref().map_or(default_type, |media_type| &media_type.name);
        match media_type.split_once('/') {
            Some(("multipart", subtype)) => {
                self.claim_lengths(view, &heading, &body);
                self.multipart(view, &heading, subtype, body, path);
            }
            Some(("message", "rfc822" | "global")) => self.inner_message(view, &heading, body, path),
            Some(("message", "partial")) => {
                self.leave(path, body.start, Code::MessageStructure, "it is a fragment of a message");
            }
            _ => {
                let by_name = heading.named_type.filter(|_| media_type == UNTYPED);
                if let Some(document_type) = DocumentType::of_media_type(media_type).or(by_name) {
                    self.claim_lengths(view, &heading, &body);
                    self.leaf(view, heading, document_type, body, path);
                }
            }
        }
        self.around = outer;
    }

    /// Notes what a heading says of the length of the body as it is written.
    fn claim_lengths(&mut self, view: View<'_>, heading: &Heading, body: &Range<usize>) {
        let lengths = heading.claims.iter().filter(|claim| claim.kind.is_of_written());
        self.parts.texts[view.index].claims.extend(lengths.map(|claim| (claim.clone(), body.clone())));
    }

    /// Adds the fields of a heading that hold references as documents of their own.
    fn fields(&mut self, view: View<'_>, heading: &Heading, name: &str) {
        for (field, body) in &heading.references {
            let path = format!("{name}.{field}");
            if !self.spend_declarations() {
                return self.leave(&path, body.start, Code::OutputTooLarge, TOO_MANY_BASES);
            }
            // A location is not its own base.
            let own = Layer::Header { depth: 0, field: Field::ContentLocation };
            self.parts.documents.push(Part {
                path,
                document_type: DocumentType::Field,
                charset: None,
                headings: self.around.clone(),
                not_its_base: (*field == Field::ContentLocation.name()).then_some(own),
                retrievals: Vec::new(),
                saved: None,
                body: body.clone(),
                text: view.index,
                content: Body::Lines,
                encoding_field: EncodingField::NoHeading,
                claims: Vec::new(),
                protection: self.protection,
                siblings: None,
                targets: HashMap::new(),
            });
        }
    }

    fn multipart(&mut self, view: View<'_>, heading: &Heading, subtype: &str, body: Range<usize>, path: &str) {
        if !matches!(heading.transfer(), Some(Transfer::Lines | Transfer::Binary)) {
            let why = "several parts together have no transfer encoding";
            return self.leave(path, body.start, Code::TransferEncoding, why);
        }
        let boundary = heading.media_type.as_ref().and_then(|media_type| media_type.boundary.as_ref());
        let division = boundary.and_then(|boundary| divide(view.bytes, boundary.as_bytes(), body.clone()));
        let Some(Division { parts, is_closed }) = division else {
            let why = "its delimiters are not those that its heading announces";
            return self.leave(path, body.start, Code::MessageStructure, why);
        };
        if !is_closed {
            self.repair(path, body.start, "its last delimiter is missing; its last part is read to the end");
        }
        let (outer_siblings, outer_protection) = (self.siblings.clone(), self.protection);
        self.protection.is_signed |= matches!(subtype, "signed" | "encrypted");
        if subtype == "related" {
            let found: Vec<Located> =
                parts.iter().filter_map(|part| self.relative_location(view.bytes, part.clone())).collect();
            if !found.is_empty() {
                self.siblings = Some(Arc::new(Siblings::new(outer_siblings.clone(), found)));
            }
        }
        let default_type = if subtype == "digest" { "message/rfc822" } else { "text/plain" };
        for (number, part) in parts.into_iter().enumerate() {
            self.part(view, part, &child(path, number), default_type);
        }
        (self.siblings, self.protection) = (outer_siblings, outer_protection);
    }

    /// The relative `Content-Location` of a part of the multipart that is read, and what may be its base.
    fn relative_location(&mut self, bytes: &[u8], part: Range<usize>) -> Option<Located> {
        let mut own = declarations(&bytes[part.start..Extent::of(bytes, part).end]);
        let is_of = |declaration: &Declaration, wanted: Field| matches!(declaration.layer, Layer::Header { field, .. } if field == wanted);
        let location = own.iter().find(|declaration| is_of(declaration, Field::ContentLocation))?.value.clone();
        own.retain(|declaration| is_of(declaration, Field::ContentBase));
        let is_relative = Standard::Rfc3986.kind_of(&location) != ReferenceKind::Absolute;
        (is_relative && self.spend_declarations())
            .then(|| Located { location, headings: HeaderChain::within(self.around.clone(), own) })
    }

    fn inner_message(&mut self, view: View<'_>, heading: &Heading, body: Range<usize>, path: &str) {
        let raw = &view.bytes[body.clone()];
        let is_in_lines = matches!(heading.transfer(), Some(Transfer::Lines | Transfer::Binary));
        if is_in_lines {
            let of_body = heading.claims.iter().map(|claim| (claim.clone(), body.clone()));
            self.parts.texts[view.index].claims.extend(of_body);
            return self.message(view, body, path);
        }
        let Some(room) = self.decoded.checked_sub(raw.len()) else {
            return self.leave(path, body.start, Code::OutputTooLarge, "messages in messages are many times its size");
        };
        self.decoded = room;
        let Some(content) = heading.transfer().and_then(|transfer| Body::decode(transfer, raw)) else {
            return self.leave(path, body.start, Code::TransferEncoding, UNKNOWN_ENCODING);
        };
        if content.is_irregular() {
            self.repair(path, body.start, IRREGULAR);
        }
        // A message of its own, to be encoded again.
        self.claim_lengths(view, heading, &body);
        let content = Arc::new(content);
        let index = self.parts.texts.len();
        let content_claims = heading.claims.iter().filter(|claim| !claim.kind.is_of_written()).cloned().collect();
        let text = Text { within: view.index, body, content: content.clone(), claims: Vec::new(), content_claims };
        self.parts.texts.push(text);
        let bytes = content.bytes(raw);
        self.message(View { bytes, index }, 0..bytes.len(), path);
    }

    fn leaf(&mut self, view: View<'_>, heading: Heading, document_type: DocumentType, body: Range<usize>, path: &str) {
        let raw = &view.bytes[body.clone()];
        let transfer = match heading.transfer() {
            // Chromium takes a part of a saved page that names no encoding for bytes.
            Some(Transfer::Lines) if self.is_saved_page && heading.encoding.is_empty() => Some(Transfer::Binary),
            transfer => transfer,
        };
        let Some(content) = transfer.and_then(|transfer| Body::decode(transfer, raw)) else {
            return self.leave(path, body.start, Code::TransferEncoding, UNKNOWN_ENCODING);
        };
        let is_told = heading.media_type.as_ref().is_none_or(|told| told.name != UNTYPED);
        if !is_told && !begins_like(content.bytes(raw), document_type) {
            return self.leave(path, body.start, Code::NotItsType, "its name is that of another type than its content");
        }
        if !self.spend_declarations() {
            return self.leave(path, body.start, Code::OutputTooLarge, TOO_MANY_BASES);
        }
        if content.is_irregular() {
            self.repair(path, body.start, IRREGULAR);
        }
        let mut protection = self.protection;
        protection.is_signed |= memmem::find(content.bytes(raw), b"-----BEGIN PGP SIGNED MESSAGE-----").is_some();
        let encoding_field = match heading.encoding_places {
            places if places.is_empty() => EncodingField::Missing(heading.extent.end),
            places => EncodingField::Values(places),
        };
        self.parts.documents.push(Part {
            path: path.to_owned(),
            document_type,
            charset: heading.media_type.and_then(|MediaType { charset, .. }| charset),
            headings: self.around.clone(),
            not_its_base: None,
            retrievals: Vec::new(),
            saved: None,
            body,
            text: view.index,
            content,
            encoding_field,
            claims: heading.claims.into_iter().filter(|claim| !claim.kind.is_of_written()).collect(),
            protection,
            siblings: self.siblings.clone(),
            targets: HashMap::new(),
        });
    }

    /// Whether one more part may have all declarations around it.
    fn spend_declarations(&mut self) -> bool {
        let cost = self.around.as_ref().map_or(0, |around| around.cost);
        let room = self.declared.checked_sub(cost);
        self.declared = room.unwrap_or(self.declared);
        room.is_some()
    }
}

/// Whether a content may be of the type that its name tells: markup often begins with any element.
fn begins_like(content: &[u8], document_type: DocumentType) -> bool {
    match DocumentType::of_content(content) {
        None => content.trim_ascii_start().starts_with(b"<"),
        found => found == Some(document_type),
    }
}

/// The type of what has none, and of which only the name tells what it is.
const UNTYPED: &str = "application/octet-stream";

const IRREGULAR: &str =
    "its base64 has white space at the ends of lines, or no padding; what changes is written without fault";

const UNKNOWN_ENCODING: &str = "its transfer encoding is not known, or not written as it would be written again";

const TOO_MANY_BASES: &str = "the bases around all parts are many times the size of the message";

/// The path of a child, counted from 1.
fn child(path: &str, index: usize) -> String {
    if path.is_empty() { format!("{}", index + 1) } else { format!("{path}.{}", index + 1) }
}
