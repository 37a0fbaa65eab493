//! The documents in records of web archives, with the URLs they were retrieved from.

use std::borrow::Cow;

use absolve_links::DocumentType;

use crate::archived::response::{Decoded, Response, Unreadable, is_text};
use crate::archived::warc_record::WarcRecord;
use crate::budget::Budget;
use crate::framing::arc::{ArcRecord, is_internal};
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
    /// The codings that the header declares and the content does not have.
    pub absent_codings: Vec<String>,
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
    /// Its content is no document.
    Other,
    /// It is a segment of a record that is divided.
    Segment,
    /// Its block has no status line, and nothing shows the type of its content.
    Untyped,
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
        let is = |kind: &str| record.is("WARC-Type", kind);
        if record.is_segment() {
            return Err(NoDocument::Segment);
        }
        match record.target() {
            url if is("response") => match (Response::read(record.block), url) {
                (Some(response), Some(url)) => Self::of_http(url, &response, budget),
                (Some(response), None) => {
                    Self::of_http(String::new(), &response, budget).and(Err(NoDocument::WithoutUrl))
                }
                (None, Some(url)) => Self::of_block(url, record.own_type(), record.block),
                (None, None) => Err(NoDocument::Other),
            },
            Some(url) if is("resource") || is("conversion") => {
                let content_type = record.field("Content-Type").unwrap_or_default();
                Self::new(url, content_type, b"", Cow::Borrowed(record.block)).ok_or(NoDocument::Other)
            }
            _ => Err(NoDocument::Other),
        }
    }

    /// Returns the document of a record of an ARC.
    ///
    /// # Errors
    ///
    /// The reason why it holds none.
    pub fn of_arc(record: &ArcRecord<'r>, budget: &Budget) -> Result<Self, NoDocument> {
        let url = record.url.clone();
        match Response::read(record.block) {
            Some(response) => Self::of_http(url, &response, budget),
            None if is_internal(&url) => Err(NoDocument::Other),
            None => Self::of_block(url, record.own_type(), record.block),
        }
    }

    /// Returns the document of an HTTP response.
    ///
    /// # Errors
    ///
    /// The reason why it holds none.
    pub fn of_response(url: String, block: &'r [u8], budget: &Budget) -> Result<Self, NoDocument> {
        Self::of_http(url, &Response::read(block).ok_or(NoDocument::Other)?, budget)
    }

    fn of_http(url: String, response: &Response<'r>, budget: &Budget) -> Result<Self, NoDocument> {
        if !response.is_complete() {
            return Err(NoDocument::OtherResponse);
        }
        let content_type = response.content_type();
        // Only documents are decoded.
        if type_of(&content_type).is_some_and(|(kind, _)| kind.is_none()) {
            return Err(NoDocument::Other);
        }
        let Decoded { bytes, absent } = response.content(budget).map_err(NoDocument::Undecodable)?;
        let document = Self::new(url, content_type, response.header, bytes).ok_or(NoDocument::Other)?;
        Ok(Self { absent_codings: absent, ..document })
    }

    /// Returns the document that is a block without a status line (HTTP/0.9), by the type that its record declares or its first bytes.
    fn of_block(url: String, own_type: String, block: &'r [u8]) -> Result<Self, NoDocument> {
        let is_typed = type_of(&own_type).is_some() || block.trim_ascii().is_empty() || !is_text(block);
        let why = if is_typed { NoDocument::Other } else { NoDocument::Untyped };
        Self::new(url, own_type, b"", Cow::Borrowed(block)).ok_or(why)
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
        Some(Self { url, content_type, kind, charset, http_header, content, absent_codings: Vec::new() })
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
