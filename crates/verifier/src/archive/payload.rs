//! What a record holds, if that is a document, and whether another text is it with absolute links.

use absolve_links::DocumentType;
use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use super::fixity::is_contradicted;
use super::format::Format;
use super::http_response::Response;
use super::record::{Block, Record};
use crate::base::Surroundings;
use crate::document::verify_document;
use crate::mail::message::verify_message;
use crate::settings::{Digests, HttpHeaders, Settings};
use crate::verdict::Verdict;

/// The document of a record.
#[derive(Clone, Debug)]
pub(super) struct Payload {
    pub(super) content: Vec<u8>,
    /// Its type as a record made of it tells it.
    pub(super) content_type: String,
    kind: Kind,
    charset: Option<String>,
    /// The fields of the header of HTTP.
    header: Vec<(String, String)>,
    url: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Document(DocumentType),
    Message,
    /// Parts, whose header is that of HTTP.
    Multipart,
}

impl Payload {
    /// The document of a record; an error says why it holds none that may change.
    pub(super) fn of(record: &Record, settings: &Settings) -> Result<Self, &'static str> {
        let page = Self::in_record(record)?;
        match settings.digests == Digests::Heed && is_contradicted(record, &page.content) {
            true => Err("tells other digests than those of what it holds"),
            false => Ok(page),
        }
    }

    fn in_record(record: &Record) -> Result<Self, &'static str> {
        let url = record.url();
        if let Block::Long(..) = record.block {
            return Err("is too long");
        }
        if record.format == Format::Arc {
            return Self::of_response(url, record.bytes());
        }
        let is_of_archive = ["urn:", "dns:", "metadata:"].iter().any(|scheme| url.starts_with(scheme));
        if record.target().is_empty() || is_of_archive {
            return Err("has no URL");
        }
        if record.values("WARC-Segment-Number").next().is_some() {
            return Err("is a segment");
        }
        let content_type = record.field("Content-Type");
        let is_http = content_type.is_empty() || content_type.to_ascii_lowercase().starts_with("application/http");
        match &*record.kind() {
            "response" if is_http => Self::of_response(url, record.bytes()),
            "resource" | "conversion" => Self::new(url, content_type, Vec::new(), record.bytes().to_vec()),
            _ => Err("is neither a response nor a resource"),
        }
    }

    fn of_response(url: String, block: &[u8]) -> Result<Self, &'static str> {
        let response = Response::read(block).ok_or("is no response of HTTP")?;
        if !response.is_whole() {
            return Err("is a response of another status than 2xx, or a part of one");
        }
        let content_type = response.content_type();
        // What is no document is not decoded.
        kind_of(&content_type)?;
        let content = response.content().ok_or("has a content coding that cannot be read")?;
        Self::new(url, content_type, response.fields, content)
    }

    /// The document that was found again, with the header it came with there.
    pub(super) fn again(&self, revisit: &Record) -> Result<Self, &'static str> {
        let response = Response::read(revisit.bytes());
        let told = response.as_ref().map(Response::content_type).filter(|told| !told.is_empty());
        let content_type = told.unwrap_or_else(|| self.content_type.clone());
        Self::new(revisit.url(), content_type, response.map(|it| it.fields).unwrap_or_default(), self.content.clone())
    }

    fn new(
        url: String,
        content_type: String,
        header: Vec<(String, String)>,
        content: Vec<u8>,
    ) -> Result<Self, &'static str> {
        const LONGEST_TYPE: usize = 1024;
        let (kind, charset) = match kind_of(&content_type)? {
            Some(told) => told,
            None => (Kind::Document(DocumentType::of_content(&content).ok_or(NO_DOCUMENT)?), None),
        };
        let content_type = match (kind, &charset) {
            (Kind::Document(document_type), None) if content_type.is_empty() || content_type.len() > LONGEST_TYPE => {
                document_type.media_type().to_owned()
            }
            (Kind::Document(document_type), Some(charset)) if content_type.len() > LONGEST_TYPE => {
                format!("{}; charset={charset}", document_type.media_type())
            }
            _ => content_type,
        };
        Ok(Self { content, content_type, kind, charset, header, url })
    }

    /// The media type, as an index tells it.
    pub(super) fn media_type(&self) -> &str {
        self.content_type.split([';', ' ']).next().unwrap_or_default()
    }

    /// Verifies what was made of it.
    pub(super) fn verify(&self, rewritten: &[u8], settings: &Settings) -> Verdict {
        let header = format!("Content-Type: {}\r\n\r\n", self.content_type);
        let with_header = |content: &[u8]| [header.as_bytes(), content].concat();
        let mut verdict = match self.kind {
            Kind::Document(document_type) => {
                let counts = settings.http_headers == HttpHeaders::Count && !self.header.is_empty();
                let headers = if counts { vec![self.header.clone()] } else { Vec::new() };
                let around = Surroundings { headers, retrieval: Some(self.url.clone()), ..Surroundings::default() };
                verify_document(&self.content, rewritten, document_type, self.charset.as_deref(), &around, settings)
            }
            Kind::Message => verify_message(&self.content, rewritten, Some(&self.url), settings),
            Kind::Multipart => {
                let (original, rewritten) = (with_header(&self.content), with_header(rewritten));
                verify_message(&original, &rewritten, Some(&self.url), settings)
            }
        };
        // Those of the archive count.
        (verdict.counts.bytes, verdict.counts.records) = (0, 0);
        verdict
    }
}

const NO_DOCUMENT: &str = "holds no document";

/// What a type tells of the content; `None` if it tells nothing, an error if that is no document.
fn kind_of(content_type: &str) -> Result<Option<(Kind, Option<String>)>, &'static str> {
    let line = format!("{content_type}\n");
    let HeaderValue::ContentType(told) = MessageStream::new(line.as_bytes()).parse_content_type() else {
        return Ok(None);
    };
    let Some(subtype) = told.subtype() else { return Ok(None) };
    let kind = match &*format!("{}/{subtype}", told.ctype()).to_ascii_lowercase() {
        "*/*" => return Ok(None),
        "message/rfc822" | "message/global" | "message/news" => Kind::Message,
        name if name.starts_with("multipart/") => Kind::Multipart,
        name => Kind::Document(DocumentType::of_media_type(name).ok_or(NO_DOCUMENT)?),
    };
    Ok(Some((kind, told.attribute("charset").map(str::to_owned))))
}
