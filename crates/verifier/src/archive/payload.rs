//! The document in a record.

use absolve_framing::{ArchiveFormat, Budget, Response, header_fields};
use absolve_links::DocumentType;
use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use super::fixity::has_wrong_digest;
use super::record::Record;
use crate::base::{Retrieved, Surroundings, declared};
use crate::document::verify_document;
use crate::mail::message::verify_message;
use crate::settings::{Digests, HttpHeaders, Settings};
use crate::verdict::Verdict;

/// The document in a record.
#[derive(Clone, Debug)]
pub(super) struct Payload {
    pub(super) content: Vec<u8>,
    /// Its media type, as `Content-Type` of a record made of it.
    pub(super) content_type: String,
    kind: Kind,
    charset: Option<String>,
    /// The header of the response.
    pub(super) http_header: Vec<u8>,
    url: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Document(DocumentType),
    Message,
    /// A multipart body whose header is that of HTTP.
    Multipart,
}

impl Payload {
    /// Returns the document in a record; an error says why the record holds none that may change.
    pub(super) fn of(record: &Record, settings: &Settings) -> Result<Self, &'static str> {
        let payload = Self::in_record(record)?;
        match settings.digests == Digests::Check && has_wrong_digest(record, &payload.content) {
            true => Err("has digests that do not match its content"),
            false => Ok(payload),
        }
    }

    fn in_record(record: &Record) -> Result<Self, &'static str> {
        if record.long.is_some() {
            return Err("is too long");
        }
        let url = record.url().filter(|url| !url.is_empty()).ok_or("has no URL");
        if record.format == ArchiveFormat::Arc {
            return Self::of_response(url?, record.block());
        }
        if record.field("WARC-Segment-Number").is_some() {
            return Err("is a segment");
        }
        let content_type = record.field("Content-Type").unwrap_or_default();
        let is_http = content_type.is_empty() || content_type.to_ascii_lowercase().starts_with("application/http");
        match &*record.kind() {
            "response" if is_http => Self::of_response(url?, record.block()),
            "resource" | "conversion" => Self::new(url?, content_type, &[], record.block().to_vec()),
            _ => Err("is neither a response nor a resource"),
        }
    }

    fn of_response(url: String, block: &[u8]) -> Result<Self, &'static str> {
        let response = Response::read(block).ok_or("is no HTTP response")?;
        if !response.is_complete() {
            return Err("is a response with another status than 2xx, or a partial one");
        }
        let content_type = response.content_type();
        // The content is decoded only if it is a document.
        kind_of(&content_type)?;
        let content =
            response.content(&Budget::default()).map_err(|_| "has a content coding that cannot be decoded")?;
        Self::new(url, content_type, response.header, content.into_owned())
    }

    /// Returns the same document retrieved again, with the HTTP header of the revisit record.
    pub(super) fn retrieved_again(self, revisit: &Record) -> Result<Self, &'static str> {
        let response = Response::read(revisit.block());
        let content_type =
            response.as_ref().map(Response::content_type).filter(|content_type| !content_type.is_empty());
        let header = response.map_or(&[][..], |response| response.header);
        let url = revisit.url().ok_or("has no URL")?;
        Self::new(url, content_type.unwrap_or(self.content_type), header, self.content)
    }

    /// Returns the same document with its content, which was held elsewhere.
    pub(super) fn with_content(self, content: Vec<u8>) -> Self {
        Self { content, ..self }
    }

    fn new(url: String, content_type: String, http_header: &[u8], content: Vec<u8>) -> Result<Self, &'static str> {
        const LONGEST_TYPE: usize = 1024;
        let (kind, charset) = match kind_of(&content_type)? {
            Some(media_type) => media_type,
            None => (Kind::Document(DocumentType::of_content(&content).ok_or(NO_DOCUMENT)?), None),
        };
        let content_type = match (kind, &charset) {
            (Kind::Document(document_type), charset)
                if content_type.is_empty() || content_type.len() > LONGEST_TYPE =>
            {
                let charset = charset.as_ref().map(|charset| format!("; charset={charset}")).unwrap_or_default();
                format!("{}{charset}", document_type.media_type())
            }
            _ => content_type,
        };
        Ok(Self { content, content_type, kind, charset, http_header: http_header.to_vec(), url })
    }

    /// Returns the media type without parameters, as in an index.
    pub(super) fn media_type(&self) -> &str {
        self.content_type.split([';', ' ']).next().unwrap_or_default()
    }

    /// Verifies a rewritten document against this one.
    pub(super) fn verify(&self, rewritten: &[u8], settings: &Settings) -> Verdict {
        let with_header =
            |content: &[u8]| [format!("Content-Type: {}\r\n\r\n", self.content_type).as_bytes(), content].concat();
        let retrieval = Retrieved::Found(&self.url);
        let mut verdict = match self.kind {
            Kind::Document(document_type) => {
                let counts = settings.http_headers == HttpHeaders::Count && !self.http_header.is_empty();
                let headers =
                    if counts { vec![declared(|name| fields_of(name, &self.http_header))] } else { Vec::new() };
                let around = Surroundings { headers, retrieval: Some(self.url.clone()), ..Surroundings::default() };
                verify_document(&self.content, rewritten, document_type, self.charset.as_deref(), &around, settings)
            }
            Kind::Message => verify_message(&self.content, rewritten, retrieval, settings),
            Kind::Multipart => {
                verify_message(&with_header(&self.content), &with_header(rewritten), retrieval, settings)
            }
        };
        // The archive counts its bytes and records itself.
        (verdict.counts.bytes, verdict.counts.records) = (0, 0);
        verdict
    }
}

/// Returns the values of the fields of this name in a header.
fn fields_of<'h>(name: &'static str, header: &'h [u8]) -> impl Iterator<Item = &'h [u8]> {
    header_fields(header).filter(move |field| field.is_named(name)).map(|field| &header[field.value])
}

const NO_DOCUMENT: &str = "holds no document";

/// Returns the kind of content and the charset that a media type names; `None` if it names no type, an error if the
/// type is no document.
fn kind_of(content_type: &str) -> Result<Option<(Kind, Option<String>)>, &'static str> {
    let line = format!("{content_type}\n");
    let HeaderValue::ContentType(media_type) = MessageStream::new(line.as_bytes()).parse_content_type() else {
        return Ok(None);
    };
    let Some(subtype) = media_type.subtype() else { return Ok(None) };
    let kind = match &*format!("{}/{subtype}", media_type.ctype()).to_ascii_lowercase() {
        "*/*" => return Ok(None),
        "message/rfc822" | "message/global" | "message/news" => Kind::Message,
        name if name.starts_with("multipart/") => Kind::Multipart,
        name => Kind::Document(DocumentType::of_media_type(name).ok_or(NO_DOCUMENT)?),
    };
    Ok(Some((kind, media_type.attribute("charset").map(str::to_owned))))
}

#[cfg(test)]
mod tests {
    use super::Payload;
    use crate::settings::{HttpHeaders, Settings};

    /// As in the header of a message, so that both sides find the same base.
    #[test]
    fn a_location_that_is_folded_in_a_header_of_http_has_no_space() {
        let header = b"HTTP/1.1 200 OK\r\nContent-Location: http://h/a\r\n b/\r\n\r\n";
        let (url, content_type, content) = ("http://u/".to_owned(), "text/html".to_owned(), b"<a href=x>".to_vec());
        let payload = Payload::new(url, content_type, header, content).expect("it is a document");
        let settings = Settings { http_headers: HttpHeaders::Count, ..Settings::default() };
        assert!(payload.verify(b"<a href=http://h/ab/x>", &settings).holds());
        assert!(!payload.verify(b"<a href=http://u/x>", &settings).holds());
    }
}
