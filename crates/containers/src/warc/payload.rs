//! Payloads of web archive records: documents, with the URLs they were retrieved from.

use absolve_framing::{ArchivedDocument, ArchivedKind, Response, WatPage, lacks_scheme};
use absolve_links::{DocumentType, Edits};
use absolve_options::Profile;
use absolve_rewriter::Finding;
use absolve_rewriter::internal::{Entity, Plan, Retrieval, UrlSource};
use absolve_rewriter::results::Done;

use crate::warc::findings::{not_its_coding, without_scheme};
use crate::warc::options::{ArchiveOptions, HttpHeaders};

/// A document of a web archive.
#[derive(Debug)]
pub struct Payload<'r> {
    pub(crate) document: ArchivedDocument<'r>,
    /// A multipart content behind a generated header with its type.
    multipart: Option<Vec<u8>>,
    /// Bytes of the generated header.
    header: usize,
}

/// The payload of a record, or the reason why it is not a document.
#[derive(Debug)]
pub(crate) enum PayloadKind<'r> {
    Payload(Payload<'r>),
    /// A response with a status other than 2xx, or partial content.
    OtherResponse,
    /// No document.
    Nothing,
}

impl<'r> Payload<'r> {
    /// Returns the payload that is this document.
    pub fn of(document: ArchivedDocument<'r>) -> Self {
        if document.kind != ArchivedKind::Multipart {
            return Self { document, multipart: None, header: 0 };
        }
        let header = format!("Content-Type: {}\r\n\r\n", document.content_type);
        let multipart = Some([header.as_bytes(), &document.content].concat());
        Self { document, multipart, header: header.len() }
    }

    /// Returns the payload that has the base and the links that metadata name.
    pub(crate) fn of_metadata(page: &'r WatPage) -> Self {
        let http_header = Response::read(&page.head).map_or(&b""[..], |response| response.header);
        Self::of(ArchivedDocument {
            url: page.url.clone(),
            content_type: "text/html".to_owned(),
            kind: ArchivedKind::Document(DocumentType::Html),
            charset: Some("utf-8".to_owned()),
            http_header,
            content: page.html.as_bytes().into(),
            absent_codings: Vec::new(),
        })
    }

    fn text(&self) -> &[u8] {
        self.multipart.as_deref().unwrap_or(&self.document.content)
    }

    /// Returns the content.
    pub(crate) fn content(&self) -> &[u8] {
        &self.document.content
    }

    /// Adds the digests of the content to a plan of the entity.
    pub(crate) fn digest(&self, plan: &mut Plan) {
        plan.digest(self.text(), self.header);
    }

    /// Returns the content with these edits of the entity.
    pub(crate) fn edited(&self, edits: &Edits) -> Vec<u8> {
        let mut text = edits.splice(self.text());
        text.drain(..self.header);
        text
    }

    /// Returns the entity, retrieved from the URL of the record.
    pub fn entity(&self, options: &ArchiveOptions) -> Entity<'_> {
        let mut entity = match self.document.kind {
            ArchivedKind::Message | ArchivedKind::Multipart => Entity::message(self.text()),
            ArchivedKind::Document(document_type) => {
                let file = Entity::bare_file(self.text(), document_type);
                let file = self.document.charset.iter().fold(file, |file, charset| file.with_charset(charset));
                match options.http_headers {
                    // Browsers ignore what fields of HTTP say of a base.
                    HttpHeaders::Count if options.documents.rules.profile != Profile::Browser => {
                        file.within_header(self.document.http_header)
                    }
                    _ => file,
                }
            }
        };
        let ArchivedDocument { url, absent_codings, .. } = &self.document;
        entity.findings.extend(not_its_coding(absent_codings));
        match lacks_scheme(url) {
            true => entity.findings.push(Finding { done: Done::AsSaid, ..without_scheme(url) }),
            false => entity = entity.retrieved_by(&[Retrieval { source: UrlSource::WarcTarget, url: url.clone() }]),
        }
        entity
    }
}
