//! The parts of a message (RFC 2045, RFC 2046), with their headers.

mod entrance;
mod fields;
mod lend;
mod reasons;

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use absolve_base::Declaration;
use absolve_framing::{Division, Malformed, MediaType, Transfer, are_signed, divide, may_be_encoded};
use absolve_links::DocumentType;
use memchr::memmem::Finder;

use crate::entity::header::{Header, MALFORMED_LINE, unread_header};
use crate::entity::header_chain::HeaderChain;
use crate::entity::leaves::{Place, Tree};
use crate::entity::message::lend::names;
use crate::entity::message::reasons::{
    ENCODED_MULTIPART, ENCODED_MULTIPART_UNREAD, IRREGULAR, MALFORMED_TYPE, REPAIRED_TYPE, TOO_MANY_BASES,
    UNKNOWN_ENCODING,
};
use crate::entity::part::{EncodingField, Part, Protection, Text};
use crate::entity::siblings::content_ids::ContentIds;
use crate::entity::siblings::{Located, Siblings};
use crate::entity::transfer::decode;
use crate::finding::{Code, Finding};
use crate::findings::{message_too_long, no_message};
use crate::limits::{NESTED_PARTS, PARTS, declared_bytes, decoded_bytes};

/// The first line of a text signed by PGP without MIME.
static SIGNED: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"-----BEGIN PGP SIGNED MESSAGE-----"));

/// A parsed message.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The documents in it, in the order of their bytes.
    pub(crate) documents: Vec<Part>,
    /// The message itself, and nested messages in a transfer encoding, each after the one around it.
    pub(crate) texts: Vec<Text>,
    /// What was left unread.
    pub(crate) findings: Vec<Finding>,
    /// Whether it ends before the closing delimiter of a multipart.
    pub(crate) is_cut_off: bool,
    /// The URL of the page, if a browser saved it as this message.
    pub(crate) snapshot: Option<Declaration>,
    /// The ids of all parts.
    pub(crate) ids: ContentIds,
    /// All that is in it, if that is wanted instead of the documents.
    pub(crate) tree: Option<Tree>,
}

/// Parses a message into its documents.
pub(crate) fn parts(message: &[u8]) -> Parts {
    read(message, None)
}

/// Parses a message into all of its leaves, which are not decoded.
pub(crate) fn parts_with_leaves(message: &[u8]) -> Parts {
    read(message, Some(Tree::default()))
}

fn read(message: &[u8], tree: Option<Tree>) -> Parts {
    let (documents, texts, findings) = (Vec::new(), vec![Text::whole(message)], Vec::new());
    let ids = ContentIds::default();
    let parts = Parts { documents, texts, findings, is_cut_off: false, snapshot: None, ids, tree };
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
        Ok(_) => match no_message(message) {
            Some(finding) => reader.parts.findings.push(finding),
            None => reader.message(View { bytes: message, index: 0 }, 0..message.len(), ""),
        },
        Err(_) => reader.parts.findings.push(message_too_long(u64::from(u32::MAX))),
    }
    reader.parts
}

/// The bytes being read, and the index of their text.
#[derive(Clone, Copy)]
struct View<'v> {
    bytes: &'v [u8],
    index: usize,
}

struct Reader {
    /// The headers around the current part.
    around: Option<Arc<HeaderChain>>,
    siblings: Option<Arc<Siblings>>,
    protection: Protection,
    is_saved_page: bool,
    /// The remaining budget in bytes: for declarations of all parts, and for nested messages without their transfer
    /// encodings.
    declared: usize,
    decoded: usize,
    parts: Parts,
}

impl Reader {
    fn leave(&mut self, path: &str, byte: usize, code: Code, why: &str) {
        let finding = Finding::left_unchanged(code, why).at(byte);
        self.parts.findings.push(Finding { part: path.to_owned(), ..finding });
    }

    /// Reports malformed input that is read as other programs read it.
    fn repair(&mut self, path: &str, byte: usize, what: &str) {
        let finding = Finding::new(Code::MessageRepaired, what).at(byte);
        self.parts.findings.push(Finding { part: path.to_owned(), ..finding });
    }

    /// Parses the message in `within`.
    fn message(&mut self, view: View<'_>, within: Range<usize>, path: &str) {
        let header = Header::read(view.bytes, within.clone());
        if let Some(why) = unread_header(&view.bytes[within.clone()], header.extent.body - within.start) {
            return self.leave(path, within.start, Code::MessageStructure, why);
        }
        if self.around.is_none() && header.extent.malformed == Malformed::StartsBody && header.extent.body == 0 {
            return self.leave(path, 0, Code::NotItsType, "its first line is not a header field of a message");
        }
        let outer_protection = self.protection;
        self.protection.is_dkim_signed |= header.is_signed;
        if self.around.is_none() {
            self.is_saved_page = header.is_saved_page;
            self.parts.snapshot.clone_from(&header.snapshot);
        }
        let media_type = header.media_type.as_ref().map_or("", |media_type| &media_type.name);
        // A body of one part has the number 1 (RFC 3501, section 6.4.5).
        let own = if media_type.starts_with("multipart/") { path.to_owned() } else { child(path, 0) };
        let name = if path.is_empty() { "HEADER".to_owned() } else { format!("{path}.HEADER") };
        self.entity(view, header, within.end, &own, "text/plain", &name);
        self.protection = outer_protection;
    }

    fn part(&mut self, view: View<'_>, within: Range<usize>, path: &str, default_type: &str) {
        let header = Header::read(view.bytes, within.clone());
        self.entity(view, header, within.end, path, default_type, &format!("{path}.MIME"));
    }

    /// Parses the body of a header up to `end`; `name` is that of the header (RFC 3501, section 6.4.5).
    fn entity(&mut self, view: View<'_>, mut header: Header, end: usize, path: &str, default_type: &str, name: &str) {
        let outer = self.around.clone();
        let body = header.extent.body..end;
        if let Some(why) = header.trouble.or_else(|| header.doubt(default_type)) {
            let place = if why == MALFORMED_LINE { header.extent.malformed_line } else { body.start };
            return self.leave(path, place, Code::MessageStructure, why);
        }
        if outer.as_ref().is_some_and(|outer| outer.count == NESTED_PARTS) {
            return self.leave(path, body.start, Code::MessageStructure, "its parts nest too deep");
        }
        let leaves = self.parts.tree.as_ref().map_or(0, |tree| tree.leaves.len());
        if self.parts.documents.len() + leaves >= PARTS {
            return self.leave(path, body.start, Code::MessageStructure, "too many parts precede it");
        }
        let outer_protection = self.protection;
        self.repair_header(&header, path);
        let mut own = std::mem::take(&mut header.declarations);
        for declaration in &mut own {
            declaration.place.set_header(name);
        }
        self.add_ids(view, &header, &own);
        self.around = Some(Arc::new(HeaderChain::within(outer.clone(), own)));
        if self.parts.tree.is_none() {
            self.fields(view, &header, name);
        }
        let media_type = header.media_type.as_ref().map_or(default_type, |media_type| &media_type.name);
        match media_type.split_once('/') {
            Some(("multipart", subtype)) => {
                self.note_lengths(view, &header, &body);
                self.open(view, &header, media_type);
                self.multipart(view, &header, subtype, body, path);
                self.close();
            }
            Some(("message", "rfc822" | "global")) => {
                self.open(view, &header, media_type);
                self.inner_message(view, &header, body, path);
                self.close();
            }
            Some(("message", "partial")) => {
                self.leave(path, body.start, Code::MessageStructure, "it is a fragment of a message");
            }
            _ if self.parts.tree.is_some() => self.any_leaf(view, &header, media_type, body, path),
            _ if outer.is_none() && header.hides_markup(&view.bytes[body.clone()]) => {
                let why = "its body begins like HTML, and without a Content-Type it is plain text";
                self.leave(path, body.start, Code::NotItsType, why);
            }
            _ => {
                if let Some(document_type) = DocumentType::of_media_type(media_type).or(header.named_type) {
                    self.note_lengths(view, &header, &body);
                    self.leaf(view, header, document_type, body, path);
                }
            }
        }
        (self.around, self.protection) = (outer, outer_protection);
    }

    /// Begins a multipart or a nested message, if leaves are wanted.
    fn open(&mut self, view: View<'_>, header: &Header, media_type: &str) {
        if self.parts.tree.is_none() {
            return;
        }
        let headers = self.around.clone().filter(|_| self.spend_declarations());
        self.parts
            .tree
            .iter_mut()
            .for_each(|tree| tree.open(header, media_type.to_owned(), headers.clone(), view.bytes));
    }

    fn close(&mut self) {
        self.parts.tree.iter_mut().for_each(Tree::close);
    }

    /// Adds a leaf of any type.
    fn any_leaf(&mut self, view: View<'_>, header: &Header, media_type: &str, body: Range<usize>, path: &str) {
        let headers = self.around.clone().filter(|_| self.spend_declarations());
        if headers.is_none() {
            self.repair(path, body.start, TOO_MANY_BASES);
        }
        if header.transfer().is_none() {
            self.leave(path, body.start, Code::TransferEncoding, UNKNOWN_ENCODING);
        }
        let place = Place { path, bytes: view.bytes, text: view.index, body };
        self.parts.tree.iter_mut().for_each(|tree| tree.leaf(header, media_type, headers.clone(), &place));
    }

    fn multipart(&mut self, view: View<'_>, header: &Header, subtype: &str, body: Range<usize>, path: &str) {
        let boundary = header.media_type.as_ref().and_then(|media_type| media_type.boundary.as_ref());
        let division = boundary.and_then(|boundary| divide(view.bytes, boundary.as_bytes(), body.clone()));
        let is_read = |Division { parts, .. }: &Division| match header.transfer() {
            Some(Transfer::QuotedPrintable) => !may_be_encoded(view.bytes, parts),
            transfer => transfer.is_some(),
        };
        if !matches!(header.transfer(), Some(Transfer::Lines | Transfer::Binary)) {
            match division.as_ref().is_some_and(is_read) {
                true => self.repair(path, body.start, ENCODED_MULTIPART),
                false => return self.leave(path, body.start, Code::TransferEncoding, ENCODED_MULTIPART_UNREAD),
            }
        }
        let Some(Division { parts, is_closed }) = division else {
            let why = match boundary {
                Some(_) => "no delimiter line with its boundary follows",
                None => "its header does not declare its boundary",
            };
            return self.leave(path, body.start, Code::MessageStructure, why);
        };
        let is_last = body.end == view.bytes.len();
        if !is_closed {
            self.repair(path, body.start, "its closing delimiter is missing; its last part is read to the end");
            self.parts.is_cut_off |= is_last;
        }
        let (outer_siblings, outer_protection) = (self.siblings.clone(), self.protection);
        self.protection.is_signed |= matches!(subtype, "signed" | "x-signed" | "encrypted");
        if subtype == "related" {
            let found: Vec<Located> = parts.iter().filter_map(|part| self.located(view.bytes, part.clone())).collect();
            if !found.is_empty() {
                self.siblings = Some(Arc::new(Siblings::new(outer_siblings.clone(), found)));
            }
        }
        let default_type = if subtype == "digest" { "message/rfc822" } else { "text/plain" };
        let around = self.protection;
        let signed = match subtype {
            "alternative" | "related" | "digest" => Vec::new(),
            _ => are_signed(view.bytes, &parts),
        };
        for (number, part) in parts.into_iter().enumerate() {
            let is_signed = around.is_signed || signed.get(number) == Some(&true);
            self.protection = Protection { is_signed, ..around };
            self.part(view, part, &child(path, number), default_type);
        }
        (self.siblings, self.protection) = (outer_siblings, outer_protection);
    }

    /// Returns the `Content-Location` of a part of the current multipart, with its headers if it may be relative.
    fn located(&mut self, bytes: &[u8], part: Range<usize>) -> Option<Located> {
        let located = Located::of(bytes, part, self.around.as_ref())?;
        (located.headers.is_none() || self.spend_declarations()).then_some(located)
    }

    fn inner_message(&mut self, view: View<'_>, header: &Header, body: Range<usize>, path: &str) {
        let raw = &view.bytes[body.clone()];
        let is_in_lines = matches!(header.transfer(), Some(Transfer::Lines | Transfer::Binary));
        if is_in_lines {
            let of_body = header.body_fields.iter().map(|field| (field.clone(), body.clone()));
            self.parts.texts[view.index].body_fields.extend(of_body);
            return self.message(view, body, path);
        }
        let Some(room) = self.decoded.checked_sub(raw.len()) else {
            return self.leave(path, body.start, Code::OutputTooLarge, "nested messages are many times its size");
        };
        self.decoded = room;
        let Some(content) = header.transfer().and_then(|transfer| decode(transfer, raw)) else {
            return self.leave(path, body.start, Code::TransferEncoding, UNKNOWN_ENCODING);
        };
        if content.is_irregular() {
            self.repair(path, body.start, IRREGULAR);
        }
        // It is a text of its own, to be encoded again.
        self.note_lengths(view, header, &body);
        let index = self.parts.texts.len();
        let content_fields = header.body_fields.iter().filter(|field| !field.depends_on_encoding()).cloned().collect();
        let text = Text { within: view.index, body, content: content.clone(), body_fields: Vec::new(), content_fields };
        self.parts.texts.push(text);
        let bytes = content.bytes(raw);
        self.message(View { bytes, index }, 0..bytes.len(), path);
    }

    fn leaf(&mut self, view: View<'_>, header: Header, document_type: DocumentType, body: Range<usize>, path: &str) {
        let raw = &view.bytes[body.clone()];
        let transfer = match header.transfer() {
            // Chromium reads a part of a saved page without a transfer encoding as binary.
            Some(Transfer::Lines) if self.is_saved_page && header.encoding.is_empty() => Some(Transfer::Binary),
            transfer => transfer,
        };
        let Some(content) = transfer.and_then(|transfer| decode(transfer, raw)) else {
            return self.leave(path, body.start, Code::TransferEncoding, UNKNOWN_ENCODING);
        };
        let is_malformed =
            matches!(document_type, DocumentType::Html | DocumentType::Xml) && header.has_malformed_type();
        let is_untyped = header.media_type.as_ref().is_some_and(|declared| declared.name == DocumentType::UNTYPED);
        if (is_malformed || is_untyped) && !document_type.may_be_that_of(content.bytes(raw)) {
            let why = if is_malformed { MALFORMED_TYPE } else { "its content does not match the type of its name" };
            return self.leave(path, body.start, Code::NotItsType, why);
        }
        if is_malformed {
            self.repair(path, header.start, REPAIRED_TYPE);
        }
        if !self.spend_declarations() {
            return self.leave(path, body.start, Code::OutputTooLarge, TOO_MANY_BASES);
        }
        if content.is_irregular() {
            self.repair(path, body.start, IRREGULAR);
        }
        let names = names(self.around.as_deref(), &header, view.bytes);
        let mut protection = self.protection;
        protection.is_signed |= SIGNED.find(content.bytes(raw)).is_some();
        let encoding_field = match header.encoding_places {
            places if !places.is_empty() => EncodingField::Values(places),
            _ if header.extent.malformed == Malformed::None => EncodingField::Missing(header.extent.end),
            _ => EncodingField::NoHeader,
        };
        self.parts.documents.push(Part {
            path: path.to_owned(),
            charset: header.media_type.and_then(|MediaType { charset, .. }| charset),
            headers: self.around.clone(),
            text: view.index,
            content,
            encoding_field,
            body_fields: header.body_fields.into_iter().filter(|field| !field.depends_on_encoding()).collect(),
            protection,
            siblings: self.siblings.clone(),
            names,
            ..Part::bare(document_type, body)
        });
    }

    /// Spends the budget of declarations for one more part; returns whether it was enough.
    fn spend_declarations(&mut self) -> bool {
        let cost = self.around.as_ref().map_or(0, |around| around.cost);
        let room = self.declared.checked_sub(cost);
        self.declared = room.unwrap_or(self.declared);
        room.is_some()
    }
}

/// Returns the path of a child, counted from 1.
fn child(path: &str, index: usize) -> String {
    if path.is_empty() { format!("{}", index + 1) } else { format!("{path}.{}", index + 1) }
}
