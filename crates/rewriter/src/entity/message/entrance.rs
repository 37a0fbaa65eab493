//! Entities of messages, and of documents within headers.

use std::sync::Arc;

use absolve_base::Declaration;
use absolve_framing::body_start;

use crate::entity::Entity;
use crate::entity::header::declarations;
use crate::entity::header_chain::HeaderChain;
use crate::entity::message::{Parts, lend, parts};
use crate::position::Positions;
use crate::provenance::message_url::MessageUrl;

impl<'e> Entity<'e> {
    /// Parses a message: header fields, and parts with header fields of their own.
    ///
    /// The `Snapshot-Content-Location` of a page saved by a browser counts as its retrieval URL.
    ///
    /// ```
    /// let message = b"Content-Type: text/html\r\nContent-Base: http://h/d/\r\n\r\n<a href=x>";
    /// let entity = absolve_rewriter::internal::Entity::message(message);
    /// assert_eq!((&*entity.parts[0].path, &*entity.parts[0].declarations()[0].value), ("1", "http://h/d/"));
    /// ```
    pub fn message(bytes: &'e [u8]) -> Self {
        let Parts { mut documents, texts, mut findings, snapshot, ids, .. } = parts(bytes);
        if !findings.iter().any(|finding| finding.code.leaves_unread()) {
            let ids = Arc::new(ids);
            documents.iter_mut().for_each(|part| part.ids = Some(ids.clone()));
        }
        // Bytes of a message in a transfer encoding are not bytes of the entity.
        let mut positions = Positions::of(bytes);
        for finding in findings.iter_mut().filter(|_| texts.len() == 1) {
            finding.position = finding.byte.map(|byte| positions.at(byte));
        }
        let mut entity = Self { bytes, parts: documents, texts, findings, capture: None };
        for (part, lent) in lend::lent(&entity.parts, |part| entity.document(part)) {
            entity.parts[part].lent = lent;
        }
        entity.parts.iter_mut().for_each(|part| part.retrievals.extend(snapshot.clone()));
        entity
    }

    /// Returns the message with its URL by this option; the last of all sources.
    ///
    /// ```
    /// use absolve_rewriter::internal::Entity;
    /// use absolve_rewriter::settings::MessageUrl;
    /// let message = b"Archived-At: <https://h/1>\nContent-Type: text/html\n\n<a href=x>";
    /// let entity = Entity::message(message).with_message_url(Some(&MessageUrl::ArchivedAt));
    /// assert_eq!(entity.parts[0].retrieval_url(), Some("https://h/1"));
    /// ```
    #[must_use]
    pub fn with_message_url(mut self, message_url: Option<&MessageUrl>) -> Self {
        let lacks_url = || self.parts.iter().any(|part| part.retrieval_url().is_none());
        let Some(message_url) = message_url.filter(|_| lacks_url()) else { return self };
        let header = &self.bytes[..body_start(self.bytes, 0..self.bytes.len()).0];
        match message_url.retrieval(header) {
            Ok(retrieval) => {
                for part in self.parts.iter_mut().filter(|part| part.retrieval_url().is_none()) {
                    part.retrievals.extend(retrieval.clone().map(Declaration::from));
                }
            }
            Err(finding) => self.findings.push(finding),
        }
        self
    }

    /// Returns the bare file as the body of a response whose `header` may declare its base.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// let entity = absolve_rewriter::internal::Entity::bare_file(b"", DocumentType::Css).within_header(b"Content-Base: http://h/d/\r\n");
    /// assert_eq!(entity.parts[0].declarations()[0].value, "http://h/d/");
    /// ```
    #[must_use]
    pub fn within_header(mut self, header: &[u8]) -> Self {
        let chain = Arc::new(HeaderChain::within(None, declarations(header)));
        self.parts.iter_mut().for_each(|part| part.headers = Some(chain.clone()));
        self
    }
}
