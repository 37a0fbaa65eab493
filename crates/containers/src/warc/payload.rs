//! Payloads of web archive records: documents, with the URLs they were retrieved from.

use std::borrow::Cow;

use absolve_framing::{Budget, Response, WarcRecord};
use absolve_framing::{MediaType, media_type};
use absolve_links::{DocumentType, Edits};
use absolve_rewriter::internal::{Entity, Plan, Retrieval, UrlSource};
use absolve_rewriter::{Code, Finding};

use crate::limits::TYPE_BYTES;
use crate::warc::options::{ArchiveOptions, HttpHeaders};

/// A document of a web archive.
#[derive(Debug)]
pub(crate) struct Payload<'r> {
    url: String,
    /// The declared content type.
    pub(crate) content_type: String,
    kind: Kind,
    charset: Option<String>,
    pub(crate) http_header: &'r [u8],
    /// The content. A multipart content follows a generated header with its type.
    text: Cow<'r, [u8]>,
    /// Bytes of the generated header.
    header: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Document(DocumentType),
    Message,
    /// A multipart body whose `Content-Type` is in the header of the response.
    Multipart,
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
    /// Returns the document of a record, if it is a response with a status of 2xx, a resource, or a conversion.
    ///
    /// # Errors
    ///
    /// The finding about content that cannot be decoded.
    pub(crate) fn of_record(record: &WarcRecord<'r>, budget: &Budget) -> Result<PayloadKind<'r>, Finding> {
        // A segment is only a part of its content.
        if record.field("WARC-Segment-Number").is_some() {
            return Ok(PayloadKind::Nothing);
        }
        let content_type = record.field("Content-Type").unwrap_or_default();
        let is_http = content_type.is_empty() || content_type.to_ascii_lowercase().starts_with("application/http");
        let is_response = record.is("WARC-Type", "response") && is_http;
        let Some(url) = record.target() else {
            let is_document = || Self::of_response(String::new(), record.block, budget).map(|kind| kind.is_payload());
            return if is_response && is_document()? { Err(without_url(record)) } else { Ok(PayloadKind::Nothing) };
        };
        if is_response {
            return Self::of_response(url, record.block, budget);
        }
        if record.is("WARC-Type", "resource") || record.is("WARC-Type", "conversion") {
            return Ok(PayloadKind::of(Self::new(url, content_type, b"", Cow::Borrowed(record.block))));
        }
        Ok(PayloadKind::Nothing)
    }

    /// Returns the document of an HTTP response.
    ///
    /// # Errors
    ///
    /// The finding about content that cannot be decoded.
    pub(crate) fn of_response(url: String, block: &'r [u8], budget: &Budget) -> Result<PayloadKind<'r>, Finding> {
        let Some(response) = Response::read(block) else { return Ok(PayloadKind::Nothing) };
        if !response.is_complete() {
            return Ok(PayloadKind::OtherResponse);
        }
        let content_type = response.content_type();
        // Only documents are decoded.
        if type_of(&content_type).is_some_and(|(kind, _)| kind.is_none()) {
            return Ok(PayloadKind::Nothing);
        }
        let content = response.content(budget).map_err(|why| Finding::left_unchanged(Code::ContentCoding, why))?;
        Ok(PayloadKind::of(Self::new(url, content_type, response.header, content)))
    }

    /// Returns the document that a revisit of `url` refers to, with the HTTP header in the block of the revisit.
    pub(crate) fn revisited(url: String, content_type: String, block: &'r [u8], content: &'r [u8]) -> Option<Self> {
        let header = Response::read(block).map_or(&b""[..], |response| response.header);
        Self::new(url, content_type, header, Cow::Borrowed(content))
    }

    fn new(url: String, content_type: String, http_header: &'r [u8], content: Cow<'r, [u8]>) -> Option<Self> {
        let (kind, charset) = match type_of(&content_type) {
            Some((kind, charset)) => (kind?, charset),
            // Without a type, the content decides.
            None => (Kind::Document(DocumentType::of_content(&content)?), None),
        };
        let (text, header) = match kind {
            Kind::Multipart => {
                let header = format!("Content-Type: {content_type}\r\n\r\n");
                (Cow::Owned([header.as_bytes(), &content].concat()), header.len())
            }
            _ => (content, 0),
        };
        let content_type = match (kind, &charset) {
            (Kind::Document(document_type), _) if content_type.is_empty() => document_type.media_type().to_owned(),
            (Kind::Document(document_type), charset) if content_type.len() > TYPE_BYTES => {
                let charset = charset.as_ref().map(|charset| format!("; charset={charset}")).unwrap_or_default();
                format!("{}{charset}", document_type.media_type())
            }
            _ => content_type,
        };
        Some(Self { url, content_type, kind, charset, http_header, text, header })
    }

    /// Returns the content.
    pub(crate) fn content(&self) -> &[u8] {
        &self.text[self.header..]
    }

    /// Adds the digests of the content to a plan of the entity.
    pub(crate) fn digest(&self, plan: &mut Plan) {
        plan.digest(&self.text, self.header);
    }

    /// Returns the content with these edits of the entity.
    pub(crate) fn edited(&self, edits: &Edits) -> Vec<u8> {
        let mut text = edits.splice(&self.text);
        text.drain(..self.header);
        text
    }

    /// Returns the entity, retrieved from the URL of the record.
    pub(crate) fn entity(&self, options: &ArchiveOptions) -> Entity<'_> {
        let entity = match self.kind {
            Kind::Message | Kind::Multipart => Entity::message(&self.text),
            Kind::Document(document_type) => {
                let file = Entity::bare_file(&self.text, document_type);
                let file = self.charset.iter().fold(file, |file, charset| file.with_charset(charset));
                match options.http_headers {
                    HttpHeaders::Count => file.within_header(self.http_header),
                    HttpHeaders::Ignore => file,
                }
            }
        };
        entity.retrieved_by(&[Retrieval { source: UrlSource::WarcTarget, url: self.url.clone() }])
    }
}

impl<'r> PayloadKind<'r> {
    fn of(payload: Option<Payload<'r>>) -> Self {
        payload.map_or(Self::Nothing, Self::Payload)
    }

    pub(crate) const fn is_payload(&self) -> bool {
        matches!(self, Self::Payload(_))
    }
}

/// Returns the kind of document of a content type, if it is one, and its charset; `None` if it is malformed or `*/*`.
fn type_of(content_type: &str) -> Option<(Option<Kind>, Option<String>)> {
    let MediaType { name, charset, .. } = media_type(content_type.as_bytes())?;
    let kind = match &*name {
        "*/*" => return None,
        "message/rfc822" | "message/global" | "message/news" => Some(Kind::Message),
        name if name.starts_with("multipart/") => Some(Kind::Multipart),
        name => DocumentType::of_media_type(name).map(Kind::Document),
    };
    Some((kind, charset))
}

/// Finding: a response that was not retrieved from a URL.
fn without_url(record: &WarcRecord<'_>) -> Finding {
    let message = match record.url() {
        Some(url) => format!("its WARC-Target-URI {url:?} is not the URL of a document"),
        None => "it has no WARC-Target-URI".to_owned(),
    };
    Finding::left_unchanged(Code::RecordUrl, message)
}
