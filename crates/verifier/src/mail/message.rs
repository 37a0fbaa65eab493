//! Verifies messages.

use std::collections::HashMap;

use absolve_links::DocumentType;
use memchr::memmem;

use super::entity::Entity;
use super::lenders::lent_bases;
use super::part::{archived_at, is_saved_page, snapshot_of};
use super::sides::Sides;
use super::transfer_encoding::verify_decoded;
use super::walk::{Leaf, walk};
use crate::base::{Lent, Retrieved, Surroundings};
use crate::document::verify_document;
use crate::settings::{MessageUrl, Settings, Signatures};
use crate::verdict::{Rule, Verdict};

/// Verifies a rewritten message against the original: each header, each part, and the bytes around the parts.
///
/// Headers have to be the same, except for lengths and digests of bodies, and the transfer encoding of a part whose
/// lines became too long. Documents are verified without their transfer encoding, which has to be the same where no
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
    let header = Entity::read(original);
    let retrieval = match retrieval {
        Retrieved::Given(url) => Some(url.to_owned()),
        Retrieved::OfInput(url) => is_saved_page(&header).then(|| url.to_owned()),
        Retrieved::Found(url) => snapshot_of(&header).or_else(|| Some(url.to_owned())),
        Retrieved::Nowhere => snapshot_of(&header),
    };
    let retrieval = retrieval.or_else(|| match &settings.message_url {
        MessageUrl::None => None,
        MessageUrl::Given(url) => Some(url.clone()),
        MessageUrl::ArchivedAt => archived_at(&header),
    });
    let lent = lent_bases(original, retrieval.as_deref(), settings);
    let sides = Sides { old: original, new: rewritten };
    let mut verdict = walk(sides, retrieval.as_deref(), settings, &mut |leaf| verify_leaf(leaf, &lent, settings));
    verdict.counts.records = 1;
    verdict
}

/// Reports whether the type of a document in HTML or XML is malformed, so that only its content says whether it is one.
fn has_malformed_type(leaf: &Leaf<'_>) -> bool {
    let is_markup = matches!(leaf.document_type, DocumentType::Html | DocumentType::Xml);
    is_markup && leaf.old.media_type().is_some_and(|declared| declared.is_malformed)
}

/// Verifies a document in its transfer encoding.
fn verify_leaf(leaf: &Leaf<'_>, lent: &HashMap<String, Lent>, settings: &Settings) -> Verdict {
    let Leaf { document_type, media_type, label, .. } = *leaf;
    verify_decoded(leaf.old, leaf.new, |text| {
        let is_clear_signed = memmem::find(text.old, b"-----BEGIN PGP SIGNED MESSAGE-----").is_some();
        let is_doubtful = media_type == DocumentType::UNTYPED || has_malformed_type(leaf);
        let is_another = is_doubtful && !document_type.may_be_that_of(text.old);
        if leaf.is_kept || is_another || (is_clear_signed && settings.signatures != Signatures::Break) {
            return text.require_same(Rule::Part);
        }
        let lent = lent.get(leaf.path).cloned().unwrap_or_default();
        let surroundings = Surroundings { lent, ..leaf.surroundings.clone() };
        verify_document(text.old, text.new, document_type, label, &surroundings, settings)
    })
}
