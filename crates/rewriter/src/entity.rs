//! An entity and its parts.

pub(crate) mod body;
pub(crate) mod body_fields;
pub(crate) mod capture;
#[cfg(feature = "mail")]
pub(crate) mod contents;
pub(crate) mod encoded;
#[cfg(feature = "mail")]
pub(crate) mod header;
pub(crate) mod header_chain;
#[cfg(feature = "mail")]
pub(crate) mod leaves;
pub(crate) mod lift;
pub(crate) mod lines;
#[cfg(feature = "mail")]
pub(crate) mod message;
pub(crate) mod part;
pub(crate) mod quoted_printable;
pub(crate) mod siblings;
#[cfg(feature = "mail")]
pub(crate) mod transfer;

use std::collections::HashMap;
use std::sync::Arc;

use absolve_base::{Declaration, Retrieval};
use absolve_links::{Document, DocumentType};

use crate::entity::capture::Capture;
use crate::entity::part::{Part, Text};
use crate::entity::siblings::BaseUse;
use crate::finding::Finding;
use crate::position::Positions;
use crate::provenance::local_copies::{Copies, LocalCopies, LocalPaths};
use crate::provenance::origin::{Origin, conflict, mark_unused};
use crate::provenance::retrieval::Links;
use crate::provenance::saved_page::SavedPage;
use crate::provenance::wayback::ArchivePrefix;

/// A message or document, parsed into parts. A bare file is an entity of one part without a header.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_rewriter::internal::{Entity, Retrieval};
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from(Retrieval::given("http://h/"));
/// assert_eq!(entity.parts.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Entity<'e> {
    /// All bytes of the entity.
    pub bytes: &'e [u8],
    /// The documents among its leaves, in the order of their bytes.
    pub parts: Vec<Part>,
    /// The texts that contain the parts: the bytes of the entity, and nested messages without their transfer encoding,
    /// each after the one around it.
    pub(crate) texts: Vec<Text>,
    /// Findings of parsing: what was left unread.
    pub findings: Vec<Finding>,
    /// The record of a web archive that it comes from, if annotations are listed.
    pub capture: Option<Box<Capture<'e>>>,
}

impl<'e> Entity<'e> {
    /// Returns whether a program that saved it has changed its links, so that their targets depend on other files.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert!(!absolve_rewriter::internal::Entity::bare_file(b"", DocumentType::Html).is_saved());
    /// ```
    pub fn is_saved(&self) -> bool {
        self.parts.iter().any(|part| part.saved.is_some())
    }

    /// Returns a file that is one document.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// let entity = absolve_rewriter::internal::Entity::bare_file(b"a{}", DocumentType::Css);
    /// assert_eq!((entity.parts.len(), &*entity.parts[0].path), (1, ""));
    /// ```
    pub fn bare_file(bytes: &'e [u8], document_type: DocumentType) -> Self {
        let part = Part::bare(document_type, 0..bytes.len());
        Self { bytes, parts: vec![part], texts: vec![Text::whole(bytes)], findings: Vec::new(), capture: None }
    }

    /// Returns an entity that is left unread, with the reason.
    ///
    /// ```
    /// use absolve_rewriter::internal::Entity;
    /// use absolve_rewriter::{Code, Finding};
    /// assert!(Entity::unread(Finding::new(Code::NotItsType, "no message")).parts.is_empty());
    /// ```
    pub fn unread(why: Finding) -> Self {
        Self { bytes: b"", parts: Vec::new(), texts: vec![Text::whole(b"")], findings: vec![why], capture: None }
    }

    /// Returns an entity without documents: a response of which only the header is read.
    ///
    /// ```
    /// use absolve_rewriter::internal::{Capture, Entity};
    /// assert!(Entity::of_capture(Capture::new("http://h/")).parts.is_empty());
    /// ```
    pub fn of_capture(capture: Capture<'e>) -> Self {
        let (bytes, capture) = (capture.head, Some(Box::new(capture)));
        Self { bytes, parts: Vec::new(), texts: vec![Text::whole(bytes)], findings: Vec::new(), capture }
    }

    /// Returns the entity with the record that it comes from, if that is known.
    ///
    /// ```
    /// use absolve_rewriter::internal::{Capture, Entity};
    /// use absolve_rewriter::DocumentType;
    /// let entity = Entity::bare_file(b"", DocumentType::Css).with_capture(Some(Capture::new("http://h/")));
    /// assert_eq!(entity.capture.map(|capture| capture.url).as_deref(), Some("http://h/"));
    /// ```
    #[must_use]
    pub fn with_capture(self, capture: Option<Capture<'e>>) -> Self {
        Self { capture: capture.map(Box::new), ..self }
    }

    /// Returns the entity with a retrieval URL, at the rank of its source: that of the caller outranks those that the entity has already.
    /// A finding reports if links have other targets by another one.
    ///
    /// ```
    /// use absolve_rewriter::internal::{Entity, Retrieval};
    /// use absolve_rewriter::DocumentType;
    /// let entity = Entity::bare_file(b"", DocumentType::Css).retrieved_from(Retrieval::given("http://h/x"));
    /// assert_eq!(entity.parts[0].declarations()[0].value, "http://h/x");
    /// ```
    #[must_use]
    pub fn retrieved_from(self, retrieval: Retrieval) -> Self {
        self.retrieved_by(&[retrieval])
    }

    /// Returns the entity with the retrieval URLs that are known of its file or record. They stand beside the one in the header of a
    /// saved page, each at the rank of its source.
    ///
    /// ```
    /// use absolve_rewriter::internal::{Entity, Retrieval, UrlSource};
    /// let page = Entity::message(b"Snapshot-Content-Location: http://h/d/\nContent-Type: text/html\n\n");
    /// let record = Retrieval { source: UrlSource::WarcTarget, url: "http://h/saved.mhtml".to_owned() };
    /// assert_eq!(page.retrieved_by(&[record]).parts[0].retrieval_url(), Some("http://h/d/"));
    /// ```
    #[must_use]
    pub fn retrieved_by(mut self, known: &[Retrieval]) -> Self {
        for part in &mut self.parts {
            part.retrievals.splice(..0, known.iter().cloned().map(Declaration::from));
            part.retrievals.sort_by_key(Declaration::source);
        }
        self.findings.extend(self.parts.first().and_then(|part| conflict(&part.retrievals)));
        self
    }

    /// Returns the entity with the bases by which parts of its message are found, those included that must not be written into
    /// documents (RFC 2557, section 8.2). Without a base it is [`MESSAGE_BASE`](crate::MESSAGE_BASE).
    ///
    /// ```
    /// let entity = absolve_rewriter::internal::Entity::message(b"Content-Location: a/b\n\n<URL:x>").finding_parts();
    /// let base = absolve_rewriter::internal::base_of(&entity, &entity.parts[1], &absolve_rewriter::Options::default());
    /// assert_eq!(base.url.unwrap().as_str(), "wss://message.invalid/a/b");
    /// ```
    #[must_use]
    pub fn finding_parts(mut self) -> Self {
        self.parts.iter_mut().for_each(|part| part.base_use = BaseUse::Parts);
        self
    }

    /// Returns the bare file in the charset that its transport declared (`charset` of `Content-Type`).
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// let entity = absolve_rewriter::internal::Entity::bare_file(b"", DocumentType::Html).with_charset("shift_jis");
    /// assert_eq!(entity.parts[0].charset.as_deref(), Some("shift_jis"));
    /// ```
    #[must_use]
    pub fn with_charset(mut self, label: &str) -> Self {
        self.parts.iter_mut().for_each(|part| part.charset = Some(label.to_owned()));
        self
    }

    /// Returns the bare file with given targets for the links that begin at these bytes, whatever they resolve to.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// use absolve_rewriter::internal::{Entity, Report, rewrite};
    /// use absolve_rewriter::Options;
    /// let entity = Entity::bare_file(b"<img src=cat.png>", DocumentType::Html);
    /// let entity = entity.with_targets([(9, "cid:cat@example.org".to_owned())].into());
    /// let mut out = Vec::new();
    /// rewrite(&entity, &Options::default(), &mut Report::default(), &mut out);
    /// assert_eq!(out, b"<img src=cid:cat@example.org>");
    /// ```
    #[must_use]
    pub fn with_targets(mut self, targets: HashMap<usize, String>) -> Self {
        self.parts[0].targets = targets;
        self
    }

    /// Returns the bare file, which is unpacked with these files: links to them become relative, and a base that it declares empty.
    #[must_use]
    pub fn with_local_paths(mut self, paths: Arc<dyn LocalPaths>) -> Self {
        self.parts[0].local_paths = Some(paths);
        self
    }

    /// Returns the bare file with its origin: its retrieval URLs, and what a program that saved it did to its links.
    pub fn of_origin(mut self, origin: Origin, files: impl FnOnce() -> Arc<dyn LocalCopies>) -> Self {
        self.findings.extend(mark_unused(&origin));
        let Origin { retrievals, links, originals, base, replay, .. } = origin;
        let is_listed = retrievals.first().is_some_and(|retrieval| retrieval.source.is_listed());
        let copies = match links {
            Some(Links::Local(saver)) => Some(Copies { saver, files: files(), originals, is_listed }),
            _ => None,
        };
        let saved = SavedPage { copies, base, replay };
        let saved = saved.is_something().then(|| Arc::new(saved));
        self.parts.iter_mut().for_each(|part| part.saved.clone_from(&saved));
        self.retrieved_by(&retrievals)
    }

    /// Returns the bare file as the copy of an archive at this URL: its links are read as those to what was archived.
    #[must_use]
    pub fn of_copy(mut self, url: &str, given: Option<&ArchivePrefix>) -> Self {
        self.parts[0].saved = Some(Arc::new(SavedPage::unwrapped(url, given)));
        self
    }

    /// Returns the document of a part.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// let entity = absolve_rewriter::internal::Entity::bare_file(b"a{}", DocumentType::Css);
    /// assert_eq!(entity.document(&entity.parts[0]).bytes(), b"a{}");
    /// ```
    pub fn document<'p>(&'p self, part: &'p Part) -> Document<'p> {
        let document = Document::new(part.content.bytes(self.raw_body(part)), part.document_type);
        let document = if part.local_paths.is_some() { document.with_local_files() } else { document };
        match &part.charset {
            Some(label) => document.with_label(label),
            None => document,
        }
    }

    /// Returns the positions of its bytes: in a bare file those of its document.
    ///
    /// ```
    /// use absolve_rewriter::internal::Entity;
    /// use absolve_rewriter::DocumentType;
    /// assert_eq!(Entity::bare_file(b"\n\0<\0", DocumentType::Text).with_charset("utf-16le").positions().at(2).line, 2);
    /// ```
    pub fn positions(&self) -> Positions<'_> {
        match &self.parts[..] {
            [part] if part.body == (0..self.bytes.len()) => Positions::of_document(&self.document(part)),
            _ => Positions::of(self.bytes),
        }
    }

    /// Returns the body of a part in its transfer encoding.
    pub(crate) fn raw_body(&self, part: &Part) -> &[u8] {
        &self.text(part.text)[part.body.clone()]
    }

    /// Returns where a byte of the document of a part stands in the entity; in base64, the first byte of its body.
    ///
    /// ```
    /// let entity = absolve_rewriter::internal::Entity::message(b"Subject: x\n\nhttp://h/");
    /// assert_eq!(entity.byte_of(&entity.parts[0], 7), 19);
    /// ```
    pub fn byte_of(&self, part: &Part, byte: usize) -> usize {
        let (mut byte, mut index) = (part.body.start + part.content.raw_byte(byte), part.text);
        while index > 0 {
            let text = &self.texts[index];
            (byte, index) = (text.body.start + text.content.raw_byte(byte), text.within);
        }
        byte
    }

    /// Returns the bytes of a text.
    pub(crate) fn text(&self, index: usize) -> &[u8] {
        match index {
            0 => self.bytes,
            _ => {
                let text = &self.texts[index];
                text.content.bytes(&self.text(text.within)[text.body.clone()])
            }
        }
    }
}
