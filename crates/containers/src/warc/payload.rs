//! What a record of a web archive holds: a document, with the URL it was retrieved from.

use std::borrow::Cow;

use absolve_links::{DocumentType, Edits};
use absolve_rewriter::{Code, Entity, Finding, MediaType, media_type};

use crate::limits::TYPE_BYTES;
use crate::warc::header::Record;
use crate::warc::http::{Budget, Response, Unreadable};
use crate::warc::options::{ArchiveOptions, HttpHeaders};

/// A document of a web archive.
#[derive(Debug)]
pub(crate) struct Payload<'r> {
    url: String,
    /// Its type as the archive has it.
    pub(crate) content_type: String,
    kind: Kind,
    charset: Option<String>,
    pub(crate) http_heading: &'r [u8],
    /// The content, behind a heading that tells the type of the parts, if it consists of parts.
    text: Cow<'r, [u8]>,
    /// The length of that heading.
    heading: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Document(DocumentType),
    Message,
    /// The body of a message whose heading is that of HTTP.
    Multipart,
}

/// What a record holds.
#[derive(Debug)]
pub(crate) enum PayloadKind<'r> {
    Payload(Payload<'r>),
    /// A response of another status than 2xx, or a part of one.
    OtherResponse,
    /// No document.
    Nothing,
}

impl<'r> Payload<'r> {
    /// The document of a record, if it holds one: a response of a status 2xx, a resource, or a conversion of another
    /// record.
    ///
    /// # Errors
    ///
    /// What is to be told when it cannot be read.
    pub(crate) fn of_record(record: &Record<'r>, room: &Budget) -> Result<PayloadKind<'r>, Finding> {
        // A segment is not all of its content.
        let Some(url) = record.target().filter(|_| record.field("WARC-Segment-Number").is_none()) else {
            return Ok(PayloadKind::Nothing);
        };
        let content_type = record.field("Content-Type").unwrap_or_default();
        let is_http = content_type.is_empty() || content_type.to_ascii_lowercase().starts_with("application/http");
        if record.is("WARC-Type", "response") && is_http {
            return Self::of_block(url, record.block, room);
        }
        if record.is("WARC-Type", "resource") || record.is("WARC-Type", "conversion") {
            return Ok(PayloadKind::of(Self::new(url, content_type, b"", Cow::Borrowed(record.block))));
        }
        Ok(PayloadKind::Nothing)
    }

    /// The document of the response that a block is.
    ///
    /// # Errors
    ///
    /// What is to be told when it cannot be read.
    pub(crate) fn of_block(url: String, block: &'r [u8], room: &Budget) -> Result<PayloadKind<'r>, Finding> {
        let Some(response) = Response::read(block) else { return Ok(PayloadKind::Nothing) };
        if !response.is_whole() {
            return Ok(PayloadKind::OtherResponse);
        }
        let content_type = response.content_type();
        // What is no document is not decoded.
        if type_of(&content_type).is_some_and(|told| told.kind.is_none()) {
            return Ok(PayloadKind::Nothing);
        }
        let content = response.content(room).map_err(unreadable)?;
        Ok(PayloadKind::of(Self::new(url, content_type, response.heading, content)))
    }

    /// The document that a revisit has found again at `url`, with the heading that it came with there.
    pub(crate) fn again(url: String, content_type: String, block: &'r [u8], content: &'r [u8]) -> Option<Self> {
        let heading = Response::read(block).map_or(&b""[..], |response| response.heading);
        Self::new(url, content_type, heading, Cow::Borrowed(content))
    }

    fn new(url: String, content_type: String, http_heading: &'r [u8], content: Cow<'r, [u8]>) -> Option<Self> {
        let (kind, charset) = match type_of(&content_type) {
            Some(ContentTypeInfo { kind, charset }) => (kind?, charset),
            // The content tells where the type does not.
            None => (Kind::Document(DocumentType::of_content(&content)?), None),
        };
        let (text, heading) = match kind {
            Kind::Multipart => {
                let heading = format!("Content-Type: {content_type}\r\n\r\n");
                (Cow::Owned([heading.as_bytes(), &content].concat()), heading.len())
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
        Some(Self { url, content_type, kind, charset, http_heading, text, heading })
    }

    /// Its bytes.
    pub(crate) fn content(&self) -> &[u8] {
        &self.text[self.heading..]
    }

    /// Its bytes with these edits of its entity.
    pub(crate) fn edited(&self, edits: &Edits) -> Vec<u8> {
        let mut text = edits.splice(&self.text);
        text.drain(..self.heading);
        text
    }

    /// It as an entity, retrieved from its URL.
    pub(crate) fn entity(&self, options: &ArchiveOptions) -> Entity<'_> {
        let entity = match self.kind {
            Kind::Message | Kind::Multipart => Entity::message(&self.text),
            Kind::Document(document_type) => {
                let file = Entity::bare_file(&self.text, document_type);
                let file = self.charset.iter().fold(file, |file, charset| file.with_charset(charset));
                match options.http_headers {
                    HttpHeaders::Count => file.within_header(self.http_heading),
                    HttpHeaders::Ignore => file,
                }
            }
        };
        entity.retrieved_from(&self.url, "WARC-Target-URI")
    }
}

impl<'r> PayloadKind<'r> {
    fn of(page: Option<Payload<'r>>) -> Self {
        page.map_or(Self::Nothing, Self::Payload)
    }
}

/// What a type tells.
struct ContentTypeInfo {
    /// What content of this type is, if it is a document.
    kind: Option<Kind>,
    charset: Option<String>,
}

/// What a type tells; `None` if it is none.
fn type_of(content_type: &str) -> Option<ContentTypeInfo> {
    let MediaType { name, charset, .. } = media_type(content_type.as_bytes())?;
    match &*name {
        "*/*" => None,
        "message/rfc822" | "message/global" | "message/news" => {
            Some(ContentTypeInfo { kind: Some(Kind::Message), charset })
        }
        name if name.starts_with("multipart/") => Some(ContentTypeInfo { kind: Some(Kind::Multipart), charset }),
        name => Some(ContentTypeInfo { kind: DocumentType::of_media_type(name).map(Kind::Document), charset }),
    }
}

fn unreadable(why: Unreadable) -> Finding {
    let message = match why {
        Unreadable::Coding => "its content coding is not known; left as it is",
        Unreadable::Damaged => "its content is not what its content coding says, or breaks off; left as it is",
        Unreadable::TooLong => "its content is too long without its content coding; left as it is",
        Unreadable::NoRoom => {
            "the contents of records that stand together are many times their size without their codings; left as it is"
        }
    };
    Finding::new(Code::ContentCoding, message)
}
