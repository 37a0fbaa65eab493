//! The parts of an entity.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use absolve_base::{Charset, Declaration, Layer};
use absolve_links::{Document, DocumentType, Refusal, Scan, Table};

use crate::entity::body::Body;
use crate::entity::body_fields::BodyField;
use crate::entity::header_chain::HeaderChain;
use crate::entity::siblings::content_ids::ContentIds;
use crate::entity::siblings::lender::Lent;
use crate::entity::siblings::{BaseUse, Siblings, finding_parts};
use crate::provenance::local_copies::LocalPaths;
use crate::provenance::marks::SavedBase;
use crate::provenance::saved_page::SavedPage;

/// A leaf of an entity: one document.
#[derive(Clone, Debug)]
pub struct Part {
    /// The path of the part, as in `1.2.1`; empty for a bare file.
    pub path: String,
    /// Its type.
    pub document_type: DocumentType,
    /// The charset label of its header.
    pub charset: Option<String>,
    /// The `cid:` URLs that lead to it, if it is no place of its own.
    pub(crate) names: Vec<String>,
    pub(crate) lent: Lent,
    /// The ids of all parts of its message; nothing if it is no part of one, or some parts of that could not be read.
    pub(crate) ids: Option<Arc<ContentIds>>,
    /// Its header and those around it.
    pub(crate) headers: Option<Arc<HeaderChain>>,
    /// The layer of its own header that is not its base: itself, if it is a field.
    pub(crate) not_its_base: Option<Layer>,
    /// The retrieval URLs, the most trusted source first.
    pub(crate) retrievals: Vec<Declaration>,
    /// What the program that saved it did to its links.
    pub(crate) saved: Option<Arc<SavedPage>>,
    /// Its body, as bytes of its text.
    pub(crate) body: Range<usize>,
    /// The index of that text.
    pub(crate) text: usize,
    /// The body without its transfer encoding.
    pub(crate) content: Body,
    /// The place of the transfer encoding in its header.
    pub(crate) encoding_field: EncodingField,
    /// The fields of its header that depend on the decoded content.
    pub(crate) body_fields: Vec<BodyField>,
    pub(crate) protection: Protection,
    /// The parts around it that it may refer to.
    pub(crate) siblings: Option<Arc<Siblings>>,
    /// Given targets of some links, by their first bytes.
    pub(crate) targets: HashMap<usize, String>,
    /// The files that are unpacked with it.
    pub(crate) local_paths: Option<Arc<dyn LocalPaths>>,
    pub(crate) base_use: BaseUse,
}

impl Part {
    /// Returns the links of its document, and which BASE counts: lynx puts one in front of that of the page.
    pub(crate) fn scan(&self, document: &Document<'_>, table: &Table) -> Result<Scan, Refusal> {
        let mut scan = document.scan(table)?;
        if self.saved.as_ref().is_some_and(|saved| saved.base == Some(SavedBase::Second)) {
            scan.base = scan.bases.get(1).copied().or(scan.base);
        }
        Ok(scan)
    }

    /// Returns a document without a header, which is this range of the first text.
    pub(crate) fn bare(document_type: DocumentType, body: Range<usize>) -> Self {
        Self {
            path: String::new(),
            document_type,
            charset: None,
            headers: None,
            not_its_base: None,
            retrievals: Vec::new(),
            saved: None,
            body,
            text: 0,
            content: Body::Binary,
            encoding_field: EncodingField::NoHeader,
            body_fields: Vec::new(),
            protection: Protection::default(),
            siblings: None,
            targets: HashMap::new(),
            local_paths: None,
            base_use: BaseUse::Links,
            names: Vec::new(),
            ids: None,
            lent: Lent::Nothing,
        }
    }

    /// Returns the URL that it was retrieved from, as its most trusted source gives it.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType, Refusal, Scan, Table};
    /// let entity = absolve_rewriter::internal::Entity::bare_file(b"", DocumentType::Css).retrieved_from(absolve_rewriter::internal::Retrieval::given("http://h/x"));
    /// assert_eq!(entity.parts[0].retrieval_url(), Some("http://h/x"));
    /// ```
    pub fn retrieval_url(&self) -> Option<&str> {
        let mut known = self.retrievals.iter().filter(|retrieval| retrieval.charset == Charset::Known);
        known.next().map(|retrieval| &*retrieval.value)
    }

    /// Returns the bases that its headers declare, the innermost first, then its retrieval URLs.
    ///
    /// ```
    /// let entity = absolve_rewriter::internal::Entity::message(b"Base: <URL:http://h/>\n\n<URL:x>").retrieved_from(absolve_rewriter::internal::Retrieval::given("http://r/"));
    /// let values: Vec<_> = entity.parts[0].declarations().into_iter().map(|declared| declared.value).collect();
    /// assert_eq!(values, ["http://h/", "http://r/"]);
    /// ```
    pub fn declarations(&self) -> Vec<Declaration> {
        let mut declarations = self.headers.as_ref().map_or_else(Vec::new, |headers| headers.declarations(0));
        declarations.retain(|declaration| Some(declaration.layer) != self.not_its_base);
        declarations.extend(self.retrievals.iter().cloned());
        match self.base_use {
            BaseUse::Links => declarations,
            BaseUse::Parts => finding_parts(declarations),
        }
    }
}

/// A text that contains parts: an entity, or a nested message without its transfer encoding.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// The index of the text around it.
    pub(crate) within: usize,
    /// Its place there.
    pub(crate) body: Range<usize>,
    /// Its content without the transfer encoding.
    pub(crate) content: Body,
    /// Fields in it that depend on encoded bodies, and the places of those; outer ones first.
    pub(crate) body_fields: Vec<(BodyField, Range<usize>)>,
    /// Fields of its header, in the text around, that depend on its decoded content.
    pub(crate) content_fields: Vec<BodyField>,
}

impl Text {
    /// Returns the text of a whole entity.
    pub(crate) fn whole(bytes: &[u8]) -> Self {
        let (body_fields, content_fields) = (Vec::new(), Vec::new());
        Self { within: 0, body: 0..bytes.len(), content: Body::Binary, body_fields, content_fields }
    }
}

/// The place of the transfer encoding in a header.
#[derive(Clone, Debug)]
pub(crate) enum EncodingField {
    /// The places of its name; an empty one is after the colon.
    Values(Vec<Range<usize>>),
    /// It is missing; the place for a new field.
    Missing(usize),
    /// There is no header, or no empty line ends it, so that readers disagree about where its end is.
    NoHeader,
}

/// What a change of the part would break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Protection {
    /// A signature or an encryption in the message.
    pub(crate) is_signed: bool,
    /// The signature of a server (DKIM, ARC).
    pub(crate) is_dkim_signed: bool,
    /// A header around it that no empty line ends: for readers who skip malformed lines, an empty line in a reference may end it, and a
    /// scheme may be the name of a field.
    pub(crate) needs_line_ends: bool,
}
