//! The documents in records of web archives, with the URLs they were retrieved from.

use std::borrow::Cow;

use absolve_links::DocumentType;

use crate::archived::response::{Response, Unreadable};
use crate::archived::warc_record::WarcRecord;
use crate::budget::Budget;
use crate::limits::TYPE_BYTES;
use crate::parameters::{MediaType, media_type};

/// A document of a web archive.
#[derive(Clone, Debug)]
pub struct ArchivedDocument<'r> {
    /// Where it was retrieved from.
    pub url: String,
    /// The declared content type, or that of its kind if none is declared.
    pub content_type: String,
    /// The kind of document.
    pub kind: ArchivedKind,
    /// The declared charset.
    pub charset: Option<String>,
    /// The header fields of the response; empty for other records.
    pub http_header: &'r [u8],
    /// The content without its codings.
    pub content: Cow<'r, [u8]>,
}

/// The kind of an archived document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchivedKind {
    /// A document of this type.
    Document(DocumentType),
    /// A message.
    Message,
    /// A multipart body whose `Content-Type` is in the header of the response.
    Multipart,
}

/// Why a record holds no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDocument {
    /// Its content is no document, or only a segment of one.
    Other,
    /// It is a response with a status other than 2xx, or partial content.
    OtherResponse,
    /// Its content cannot be decoded.
    Undecodable(Unreadable),
    /// It is a document that was not retrieved from a URL.
    WithoutUrl,
}

impl<'r> ArchivedDocument<'r> {
    /// Returns the document of a record, if it is a response with a status of 2xx, a resource, or a conversion.
    ///
    /// # Errors
    ///
    /// The reason why it holds none.
    pub fn of_record(record: &WarcRecord<'r>, budget: &Budget) -> Result<Self, NoDocument> {
        // A segment is only a part of its content.
        if record.field("WARC-Segment-Number").is_some() {
            return Err(NoDocument::Other);
        }
        let content_type = record.field("Content-Type").unwrap_or_default();
        let is_http = content_type.is_empty() || content_type.to_ascii_lowercase().starts_with("application/http");
        let is_response = record.is("WARC-Type", "response") && is_http;
        match record.target() {
            Some(url) if is_response => Self::of_response(url, record.block, budget),
            Some(url) if record.is("WARC-Type", "resource") || record.is("WARC-Type", "conversion") => {
                Self::new(url, content_type, b"", Cow::Borrowed(record.block)).ok_or(NoDocument::Other)
            }
            None if is_response => {
                Self::of_response(String::new(), record.block, budget).and(Err(NoDocument::WithoutUrl))
            }
            _ => Err(NoDocument::Other),
        }
    }

    /// Returns the document of an HTTP response.
    ///
    /// # Errors
    ///
    /// The reason why it holds none.
    pub fn of_response(url: String, block: &'r [u8], budget: &Budget) -> Result<Self, NoDocument> {
        let response = Response::read(block).ok_or(NoDocument::Other)?;
        if !response.is_complete() {
            return Err(NoDocument::OtherResponse);
        }
        let content_type = response.content_type();
        // Only documents are decoded.
        if type_of(&content_type).is_some_and(|(kind, _)| kind.is_none()) {
            return Err(NoDocument::Other);
        }
        let content = response.content(budget).map_err(NoDocument::Undecodable)?;
        Self::new(url, content_type, response.header, content).ok_or(NoDocument::Other)
    }

    /// Returns the document that a revisit record refers to, with the HTTP header in the block of that; `content_type` and `content` are
    /// those of the record that it refers to.
    pub fn revisited(revisit: &WarcRecord<'r>, content_type: &str, content: &'r [u8]) -> Option<Self> {
        let response = Response::read(revisit.block);
        let of_revisit = response.as_ref().map(Response::content_type).filter(|of_revisit| !of_revisit.is_empty());
        let content_type = of_revisit.unwrap_or_else(|| content_type.to_owned());
        let header = response.map_or(&b""[..], |response| response.header);
        Self::new(revisit.target()?, content_type, header, Cow::Borrowed(content))
    }

    /// Returns the document that a decoded content is by its type; `None` if it is none.
    pub fn new(url: String, content_type: String, http_header: &'r [u8], content: Cow<'r, [u8]>) -> Option<Self> {
        let (kind, charset) = match type_of(&content_type) {
            Some((kind, charset)) => (kind?, charset),
            // Without a type, the content decides.
            None => (ArchivedKind::Document(DocumentType::of_fragment(&content)?), None),
        };
        // In the header of a record, these would be other lines, or another record.
        let is_other = content_type.contains(char::is_control) || content_type.contains("WARC/");
        let is_unfit = content_type.is_empty() || content_type.len() > TYPE_BYTES || is_other;
        let content_type = match kind {
            ArchivedKind::Document(document_type) if is_unfit => {
                let is_label = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:+".contains(&byte);
                let charset = charset.as_ref().filter(|charset| charset.bytes().all(is_label));
                let charset = charset.map(|charset| format!("; charset={charset}")).unwrap_or_default();
                format!("{}{charset}", document_type.media_type())
            }
            _ => content_type,
        };
        Some(Self { url, content_type, kind, charset, http_header, content })
    }

    /// Returns the media type without parameters, as an index has it.
    pub fn media_type(&self) -> &str {
        self.content_type.split([';', ' ']).next().unwrap_or_default()
    }
}

/// Returns the kind of document of a content type, if it is one, and its charset; `None` if it is malformed or `*/*`.
fn type_of(content_type: &str) -> Option<(Option<ArchivedKind>, Option<String>)> {
    let MediaType { name, charset, .. } = media_type(content_type.as_bytes())?;
    let kind = match &*name {
        "*/*" => return None,
        "message/rfc822" | "message/global" | "message/news" => Some(ArchivedKind::Message),
        name if name.starts_with("multipart/") => Some(ArchivedKind::Multipart),
        name => DocumentType::of_media_type(name).map(ArchivedKind::Document),
    };
    Some((kind, charset))
}
