//! All that a message carries, decoded and with the bases around it.

use std::borrow::Cow;
use std::collections::HashMap;

use absolve_base::{Charset, Declaration, Field, Layer, Rules, establish};
use absolve_framing::Transfer;
use absolve_links::DocumentType;

use crate::entity::Entity;
use crate::entity::leaves::{Child, Composite, Leaf, Tree};
use crate::entity::message::{Parts, parts_with_leaves};
use crate::entity::quoted_printable::{self, QuotedPrintableBody};
use crate::entity::siblings::finding_parts;
use crate::entity::siblings::lender::Lent;
use crate::entity::transfer::base64::{self, Salvaged};
use crate::finding::{Code, Finding};

/// All that a message carries, as it is unpacked.
///
/// ```
/// use absolve_rewriter::internal::{Contents, Entity};
/// let message = b"Content-Type: multipart/related; boundary=b\n\n\
///     --b\nContent-Type: text/html\n\n<img src=cid:a>\n--b\nContent-Type: image/gif\nContent-ID: <a>\n\nGIF\n--b--\n";
/// let contents = Contents::of(&Entity::message(message));
/// assert_eq!(contents.leaves[1].content_id.as_deref(), Some("a"));
/// assert_eq!(contents.content(&contents.leaves[1]).map(|content| content.bytes.into_owned()), Some(b"GIF".to_vec()));
/// ```
#[derive(Clone, Debug)]
pub struct Contents<'e> {
    /// The leaves in the order of their bytes.
    pub leaves: Vec<Leaf>,
    /// The multiparts and nested messages, each after the one around it.
    pub composites: Vec<Composite>,
    /// Findings of parsing: what was left unread.
    pub findings: Vec<Finding>,
    /// Whether the message ends before the closing delimiter of a multipart.
    pub is_cut_off: bool,
    /// The message without documents.
    entity: Entity<'e>,
    retrievals: Vec<Declaration>,
    /// What documents lend to parts, by the paths of those.
    lent: HashMap<String, Lent>,
}

/// A content without its transfer encoding.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Content<'c> {
    /// Its bytes.
    pub bytes: Cow<'c, [u8]>,
    /// What was wrong with its encoding.
    pub finding: Option<Finding>,
}

impl<'e> Contents<'e> {
    /// Returns the contents of a message, with the retrieval URL that it has.
    pub fn of(message: &Entity<'e>) -> Self {
        let Parts { texts, findings, is_cut_off, snapshot, tree, .. } = parts_with_leaves(message.bytes);
        let Tree { leaves, composites, .. } = tree.unwrap_or_default();
        let entity = Entity { bytes: message.bytes, parts: Vec::new(), texts, findings: Vec::new(), capture: None };
        let known = message.parts.iter().map(|part| &part.retrievals).find(|retrievals| !retrievals.is_empty());
        let retrievals = known.cloned().unwrap_or_else(|| snapshot.into_iter().collect());
        let lent = message.parts.iter().filter(|part| !part.names.is_empty());
        let lent = lent.map(|part| (part.path.clone(), part.lent.clone())).collect();
        Self { leaves, composites, findings, is_cut_off, entity, retrievals, lent }
    }

    /// Returns a leaf without its transfer encoding; `None` if that is unknown, which a finding reports. Of damaged base64,
    /// it is whatever can be decoded; in quoted-printable, an `=` that begins no escape is literal (RFC 2045, section 6.7).
    pub fn content(&self, leaf: &Leaf) -> Option<Content<'_>> {
        let raw = &self.entity.text(leaf.text)[leaf.body.clone()];
        let (bytes, finding) = match leaf.transfer? {
            Transfer::Base64 => {
                let Salvaged { bytes, is_damaged } = base64::salvage(raw);
                let message = "its base64 is damaged; the rest of it was decoded";
                (bytes.into(), is_damaged.then(|| Finding::new(Code::TransferEncoding, message)))
            }
            Transfer::QuotedPrintable => {
                let QuotedPrintableBody { bytes, bare_signs, .. } = quoted_printable::decode(raw);
                let message = format!("its quoted-printable has {bare_signs} `=` that begin no escape, and stay");
                (bytes.into(), (bare_signs > 0).then(|| Finding::new(Code::MessageRepaired, message)))
            }
            Transfer::Lines | Transfer::Binary => (raw.into(), None),
        };
        Some(Content { bytes, finding: finding.map(|finding| Finding { part: leaf.path.clone(), ..finding }) })
    }

    /// Returns whether a leaf has a transfer encoding that can be decoded.
    pub fn is_readable(&self, leaf: usize) -> bool {
        self.leaves[leaf].transfer.is_some()
    }

    /// Returns the document in the content of a leaf, with the bases that the headers around it declare; `None` if it is
    /// no document.
    pub fn document<'c>(&self, leaf: &Leaf, content: &'c [u8]) -> Option<Entity<'c>> {
        let document_type = leaf.document_type?;
        if leaf.media_type == DocumentType::UNTYPED && !document_type.may_be_that_of(content) {
            return None;
        }
        let mut document = Entity::bare_file(content, document_type);
        for part in &mut document.parts {
            part.path.clone_from(&leaf.path);
            part.charset.clone_from(&leaf.charset);
            part.headers.clone_from(&leaf.headers);
            part.retrievals.clone_from(&self.retrievals);
            part.lent = self.lent.get(&leaf.path).cloned().unwrap_or_default();
        }
        Some(document)
    }

    /// Returns the URL by which other parts find this one: its `Content-Location`, resolved against the bases around it (RFC 2557,
    /// section 5), without one against [`MESSAGE_BASE`](crate::MESSAGE_BASE).
    pub fn url(&self, part: Child, rules: Rules) -> Option<String> {
        const OWN: Layer = Layer::Header { depth: 0, field: Field::ContentLocation };
        let headers = match part {
            Child::Leaf(leaf) => &self.leaves[leaf].headers,
            Child::Composite(composite) => &self.composites[composite].headers,
        };
        let mut declarations = headers.as_ref()?.declarations(0);
        let location = declarations.iter().find(|declaration| declaration.layer == OWN)?.value.clone();
        declarations.retain(|declaration| declaration.layer != OWN);
        declarations.extend(self.retrievals.iter().cloned());
        establish(finding_parts(declarations), rules).url?.resolve(&location).ok()
    }

    /// Returns whether the characters of all URLs are certain that the headers around a leaf declare.
    pub fn has_known_charset(&self, leaf: usize) -> bool {
        let declared = self.leaves[leaf].headers.iter().flat_map(|headers| headers.declarations(0));
        declared.chain(self.retrievals.iter().cloned()).all(|declaration| declaration.charset == Charset::Known)
    }
}
