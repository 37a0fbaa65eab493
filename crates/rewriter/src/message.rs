//! The parts of a message (RFC 2045, RFC 2046): where they stand, and what all headings around them say.

pub(crate) mod claims;
mod delimiters;
pub(crate) mod heading;

use std::ops::Range;
use std::sync::Arc;

use absolve_base::{Declaration, Field, Layer};
use absolve_links::DocumentType;
use absolve_resolver::{ReferenceKind, Standard};
use memchr::memmem;

use crate::entity::{EncodingField, Part, Protection, Text};
use crate::limits::{NESTED_PARTS, declared_bytes};
use crate::message::claims::{Claim, ClaimKind};
use crate::message::delimiters::parts_between;
use crate::message::heading::{Heading, MediaType, body_start, declarations};
use crate::siblings::{Located, Siblings};
use crate::transfer::{Body, Transfer};
use crate::{Code, Finding};

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
        around: Vec::new(),
        siblings: None,
        protection: Protection::default(),
        is_saved_page: false,
        room: declared_bytes(message),
        parts,
    };
    reader.message(View { bytes: message, index: 0 }, 0..message.len(), "");
    reader.parts
}

/// The bytes that are read, and their index among the texts.
#[derive(Clone, Copy)]
struct View<'v> {
    bytes: &'v [u8],
    index: usize,
}

struct Reader {
    /// What the headings around the part that is read say of its base, outermost first.
    around: Vec<Vec<Declaration>>,
    siblings: Option<Arc<Siblings>>,
    protection: Protection,
    is_saved_page: bool,
    /// How many more bytes of declarations parts may have.
    room: usize,
    parts: Parts,
}

impl Reader {
    fn leave(&mut self, path: &str, byte: usize, code: Code, why: &str) {
        let finding = Finding::new(code, format!("{why}; left as it is")).at(byte);
        self.parts.findings.push(Finding { part: path.to_owned(), ..finding });
    }

    /// Reads the whole of a message that stands in `within`.
    fn message(&mut self, view: View<'_>, within: Range<usize>, path: &str) {
        let (heading_end, body) = body_start(view.bytes, within.clone());
        let heading = Heading::read(view.bytes, within.start..heading_end);
        if body == within.end && memmem::find(&view.bytes[within.clone()], b"\r\r").is_some() {
            return self.leave(path, within.start, Code::MessageStructure, "its lines end in a bare CR");
        }
        let outer_protection = self.protection;
        self.protection.is_dkim_signed |= heading.is_signed;
        if self.around.is_empty() {
            self.is_saved_page = heading.is_saved_page;
            self.parts.snapshot.clone_from(&heading.snapshot);
        }
        let media_type = heading.media_type.as_ref().map_or("", |media_type| &media_type.name);
        // A body of one part has the number 1 (RFC 3501, section 6.4.5).
        let own = if media_type.starts_with("multipart/") { path.to_owned() } else { child(path, 0) };
        let name = if path.is_empty() { "HEADER".to_owned() } else { format!("{path}.HEADER") };
        self.entity(view, heading, (heading_end, body..within.end), &own, "text/plain", &name);
        self.protection = outer_protection;
    }

    fn part(&mut self, view: View<'_>, within: Range<usize>, path: &str, default_type: &str) {
        let (heading_end, body) = body_start(view.bytes, within.clone());
        let heading = Heading::read(view.bytes, within.start..heading_end);
        self.entity(view, heading, (heading_end, body..within.end), path, default_type, &format!("{path}.MIME"));
    }

    /// Reads a heading and a body; `heading_end` is where more fields could stand, `name` what the heading is called
    /// (RFC 3501, section 6.4.5).
    fn entity(
        &mut self,
        view: View<'_>,
        mut heading: Heading,
        (heading_end, body): (usize, Range<usize>),
        path: &str,
        default_type: &str,
        name: &str,
    ) {
        if let Some(why) = heading.trouble {
            return self.leave(path, body.start, Code::MessageStructure, why);
        }
        if self.around.len() == NESTED_PARTS {
            return self.leave(path, body.start, Code::MessageStructure, "its parts nest too deep");
        }
        for declaration in &mut heading.declarations {
            declaration.place = declaration.place.replace("the heading", name).into();
        }
        self.around.push(std::mem::take(&mut heading.declarations));
        self.fields(view, &heading, name);
        let media_type = heading.media_type.as_ref().map_or(default_type, |media_type| &media_type.name);
        let lengths = heading.claims.iter().filter(|claim| matches!(claim.kind, ClaimKind::Length | ClaimKind::Lines));
        self.parts.texts[view.index].claims.extend(lengths.map(|claim| (claim.clone(), body.clone())));
        match media_type.split_once('/') {
            Some(("multipart", subtype)) => self.multipart(view, &heading, subtype, body, path),
            Some(("message", "rfc822" | "global")) => self.inner_message(view, &heading, body, path),
            Some(("message", "partial")) => {
                self.leave(path, body.start, Code::MessageStructure, "it is a fragment of a message");
            }
            _ => {
                if let Some(document_type) = DocumentType::of_media_type(media_type) {
                    self.leaf(view, heading, document_type, (heading_end, body), path);
                }
            }
        }
        self.around.pop();
    }

    /// Adds the fields of a heading that hold references as documents of their own.
    fn fields(&mut self, view: View<'_>, heading: &Heading, name: &str) {
        for (field, body) in &heading.references {
            let Some(mut declarations) = self.declarations(0) else { return };
            if *field == Field::ContentLocation.name() {
                // It is not its own base.
                let own = Layer::Header { depth: 0, field: Field::ContentLocation };
                declarations.retain(|declaration| declaration.layer != own);
            }
            self.parts.documents.push(Part {
                path: format!("{name}.{field}"),
                document_type: DocumentType::Field,
                charset: None,
                declarations,
                body: body.clone(),
                text: view.index,
                content: Body::Lines,
                encoding_field: EncodingField::NoHeading,
                claims: Vec::new(),
                protection: self.protection,
                siblings: None,
            });
        }
    }

    fn multipart(&mut self, view: View<'_>, heading: &Heading, subtype: &str, body: Range<usize>, path: &str) {
        if !matches!(heading.transfer(), Some(Transfer::Lines | Transfer::Binary)) {
            let why = "several parts together have no transfer encoding";
            return self.leave(path, body.start, Code::TransferEncoding, why);
        }
        let boundary = heading.media_type.as_ref().and_then(|media_type| media_type.boundary.as_ref());
        let Some(parts) = boundary.and_then(|boundary| parts_between(view.bytes, boundary.as_bytes(), body.clone()))
        else {
            let why = "its delimiters are not those that its heading announces, or the last one is missing";
            return self.leave(path, body.start, Code::MessageStructure, why);
        };
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
        let (heading_end, _) = body_start(bytes, part.clone());
        let own = declarations(&bytes[part.start..heading_end]);
        let is_of = |declaration: &&Declaration, wanted: Field| matches!(declaration.layer, Layer::Header { field, .. } if field == wanted);
        let location = own.iter().find(|declaration| is_of(declaration, Field::ContentLocation))?.value.clone();
        let bases = own.iter().filter(|declaration| is_of(declaration, Field::ContentBase)).cloned();
        let is_relative = Standard::Rfc3986.kind_of(&location) != ReferenceKind::Absolute;
        let outside = if is_relative { self.declarations(1)? } else { return None };
        Some(Located { location, declarations: bases.chain(outside).collect() })
    }

    fn inner_message(&mut self, view: View<'_>, heading: &Heading, body: Range<usize>, path: &str) {
        let content = heading.transfer().and_then(|transfer| Body::decode(transfer, &view.bytes[body.clone()]));
        match content {
            Some(Body::Lines | Body::Binary) => self.message(view, body, path),
            Some(content) => {
                // A message of its own, to be encoded again.
                let index = self.parts.texts.len();
                let text = content.bytes(&[]).to_vec();
                self.parts.texts.push(Text { within: view.index, body, content, claims: Vec::new() });
                self.message(View { bytes: &text, index }, 0..text.len(), path);
            }
            None => self.leave(path, body.start, Code::TransferEncoding, UNKNOWN_ENCODING),
        }
    }

    fn leaf(
        &mut self,
        view: View<'_>,
        heading: Heading,
        document_type: DocumentType,
        (heading_end, body): (usize, Range<usize>),
        path: &str,
    ) {
        let raw = &view.bytes[body.clone()];
        let transfer = match heading.transfer() {
            // Chromium takes a part of a saved page that names no encoding for bytes.
            Some(Transfer::Lines) if self.is_saved_page && heading.encoding.is_empty() => Some(Transfer::Binary),
            transfer => transfer,
        };
        let Some(content) = transfer.and_then(|transfer| Body::decode(transfer, raw)) else {
            return self.leave(path, body.start, Code::TransferEncoding, UNKNOWN_ENCODING);
        };
        let Some(declarations) = self.declarations(0) else {
            return self.leave(path, body.start, Code::OutputTooLarge, "its bases are many times its size");
        };
        let mut protection = self.protection;
        protection.is_signed |= memmem::find(content.bytes(raw), b"-----BEGIN PGP SIGNED MESSAGE-----").is_some();
        let encoding_field = match heading.encoding_place {
            Some(value) => EncodingField::Value(value),
            None => EncodingField::Missing(heading_end),
        };
        let is_of_decoded = |claim: &Claim| matches!(claim.kind, ClaimKind::DecodedSize | ClaimKind::Md5);
        self.parts.documents.push(Part {
            path: path.to_owned(),
            document_type,
            charset: heading.media_type.and_then(|MediaType { charset, .. }| charset),
            declarations,
            body,
            text: view.index,
            content,
            encoding_field,
            claims: heading.claims.into_iter().filter(is_of_decoded).collect(),
            protection,
            siblings: self.siblings.clone(),
        });
    }

    /// What the headings around say of a base, the innermost of them `depth` headings outwards; `None` when that is too
    /// much.
    fn declarations(&mut self, depth: usize) -> Option<Vec<Declaration>> {
        let length: usize = self.around.iter().flatten().map(|declaration| declaration.value.len()).sum();
        self.room = self.room.checked_sub(length)?;
        let outwards = |(index, heading): (usize, &Vec<Declaration>)| -> Vec<Declaration> {
            let further = |declaration: &Declaration| Declaration {
                layer: match declaration.layer {
                    Layer::Header { field, .. } => Layer::Header { depth: depth + index, field },
                    layer => layer,
                },
                ..declaration.clone()
            };
            heading.iter().map(further).collect()
        };
        Some(self.around.iter().rev().enumerate().flat_map(outwards).collect())
    }
}

const UNKNOWN_ENCODING: &str = "its transfer encoding is not known, or not written as it would be written again";

/// The path of a child, counted from 1.
fn child(path: &str, index: usize) -> String {
    if path.is_empty() { format!("{}", index + 1) } else { format!("{path}.{}", index + 1) }
}
