//! The parts of an entity.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use absolve_base::{Declaration, Layer};
use absolve_links::DocumentType;

use crate::entity::body_fields::BodyField;
use crate::entity::header_chain::HeaderChain;
use crate::entity::siblings::Siblings;
use crate::entity::transfer::Body;
use crate::provenance::saved_page::SavedPage;

/// A leaf of an entity: one document.
#[derive(Clone, Debug)]
pub struct Part {
    /// The path of the part, as in `1.2.1`; empty for a bare file.
    pub path: String,
    /// What it holds.
    pub document_type: DocumentType,
    /// The charset label of its header.
    pub charset: Option<String>,
    /// Its own heading and those around it.
    pub(crate) headings: Option<Arc<HeaderChain>>,
    /// What of its own heading is not its base: it itself, if it is a field.
    pub(crate) not_its_base: Option<Layer>,
    /// The URLs it was retrieved from, by those who say so, the most trusted one first.
    pub(crate) retrievals: Vec<Declaration>,
    /// What the program that saved it has made of it.
    pub(crate) saved: Option<Arc<SavedPage>>,
    /// Its body, as bytes of the text it stands in.
    pub(crate) body: Range<usize>,
    /// The index of that text.
    pub(crate) text: usize,
    /// The body without its transfer encoding.
    pub(crate) content: Body,
    /// Where its heading names the transfer encoding.
    pub(crate) encoding_field: EncodingField,
    /// What its heading says of the size and the digest of the content.
    pub(crate) claims: Vec<BodyField>,
    pub(crate) protection: Protection,
    /// The parts around it that it may refer to, if there are some.
    pub(crate) siblings: Option<Arc<Siblings>>,
    /// What some of its links are to become, by their first bytes.
    pub(crate) targets: HashMap<usize, String>,
}

impl Part {
    /// What the headings around it, the innermost first, and the retrieval say of its base.
    ///
    /// ```
    /// let entity = absolve_rewriter::Entity::message(b"Base: <URL:http://h/>\n\n<URL:x>").retrieved_from("http://r/", "x");
    /// let values: Vec<_> = entity.parts[0].declarations().into_iter().map(|declared| declared.value).collect();
    /// assert_eq!(values, ["http://h/", "http://r/"]);
    /// ```
    pub fn declarations(&self) -> Vec<Declaration> {
        let mut declarations = self.headings.as_ref().map_or_else(Vec::new, |headings| headings.declarations(0));
        declarations.retain(|declaration| Some(declaration.layer) != self.not_its_base);
        declarations.extend(self.retrievals.iter().cloned());
        declarations
    }
}

/// A text that parts stand in.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// The index of the text it stands in itself.
    pub(crate) within: usize,
    /// Where it stands there.
    pub(crate) body: Range<usize>,
    /// It without its transfer encoding.
    pub(crate) content: Arc<Body>,
    /// What headings in it say of bodies in it as they are written, and where those stand; outer ones first.
    pub(crate) claims: Vec<(BodyField, Range<usize>)>,
    /// What its heading, in the text around, says of it without its transfer encoding.
    pub(crate) content_claims: Vec<BodyField>,
}

impl Text {
    /// The text that is all of an entity.
    pub(crate) fn whole(bytes: &[u8]) -> Self {
        let (claims, content_claims) = (Vec::new(), Vec::new());
        Self { within: 0, body: 0..bytes.len(), content: Arc::new(Body::Binary), claims, content_claims }
    }
}

/// Where a heading names the transfer encoding of its body.
#[derive(Clone, Debug)]
pub(crate) enum EncodingField {
    /// The name stands there, in each of these places; an empty one is behind the colon.
    Values(Vec<Range<usize>>),
    /// It does not; the field could stand here.
    Missing(usize),
    /// There is no heading.
    NoHeading,
}

/// What a change of the part would make worthless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Protection {
    /// A signature or an encryption that stands in the message.
    pub(crate) is_signed: bool,
    /// The signature of a server that forwarded the message.
    pub(crate) is_dkim_signed: bool,
}
