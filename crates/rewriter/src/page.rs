//! What a record of a web archive holds: a document, with the URL it was retrieved from.

use std::borrow::Cow;
use std::sync::Arc;

use absolve_links::DocumentType;

use crate::headings::Headings;
use crate::http::{Response, Unreadable};
use crate::message::heading::{MediaType, declarations, media_type};
use crate::options::HttpHeaders;
use crate::warc::Record;
use crate::{Code, Entity, Finding, Options, arc};

/// A document of a web archive.
#[derive(Debug)]
pub(crate) struct Page<'r> {
    pub(crate) url: &'r str,
    /// Its type as the archive has it.
    pub(crate) content_type: Cow<'r, str>,
    kind: Kind,
    charset: Option<String>,
    http_heading: &'r [u8],
    pub(crate) content: Cow<'r, [u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Document(DocumentType),
    Message,
}

impl<'r> Page<'r> {
    /// The document of a record, if it holds one: a response of a status 2xx, a resource, or a conversion of another
    /// record.
    ///
    /// # Errors
    ///
    /// What is to be told when it cannot be read.
    pub(crate) fn of_record(record: &Record<'r>) -> Result<Option<Self>, Finding> {
        let Some(url) = record.target() else { return Ok(None) };
        let is_http = record.field("Content-Type").is_some_and(|value| value.starts_with("application/http"));
        match record.field("WARC-Type") {
            // A segment is not all of its content.
            _ if record.field("WARC-Segment-Number").is_some() => Ok(None),
            Some("response") if is_http => match Response::read(record.block) {
                Some(response) if (200..300).contains(&response.status) => Self::of_response(url, &response),
                _ => Ok(None),
            },
            Some("resource" | "conversion") => {
                let content_type = record.field("Content-Type").unwrap_or_default();
                Ok(Self::new(url, content_type, b"", Cow::Borrowed(record.block)))
            }
            _ => Ok(None),
        }
    }

    /// The document of a record of an ARC, if it holds one.
    ///
    /// # Errors
    ///
    /// What is to be told when it cannot be read.
    pub(crate) fn of_arc(record: &arc::Record<'r>) -> Result<Option<Self>, Finding> {
        match Response::read(record.block) {
            Some(response) if (200..300).contains(&response.status) => Self::of_response(record.url, &response),
            _ => Ok(None),
        }
    }

    fn of_response(url: &'r str, response: &Response<'r>) -> Result<Option<Self>, Finding> {
        let content_type = response.field("Content-Type").unwrap_or_default();
        if !content_type.is_empty() && kind_of(content_type, b"").is_none() {
            // What is no document is not decoded.
            return Ok(None);
        }
        let content = response.content().map_err(unreadable)?;
        Ok(Self::new(url, content_type, response.heading, content))
    }

    fn new(url: &'r str, content_type: &'r str, http_heading: &'r [u8], content: Cow<'r, [u8]>) -> Option<Self> {
        let (kind, charset) = kind_of(content_type, &content)?;
        let content_type = match (content_type, kind) {
            ("", Kind::Document(document_type)) => Cow::Borrowed(document_type.media_type()),
            (content_type, _) => Cow::Borrowed(content_type),
        };
        Some(Self { url, content_type, kind, charset, http_heading, content })
    }

    /// It as an entity, retrieved from its URL.
    pub(crate) fn entity(&self, options: &Options) -> Entity<'_> {
        let mut entity = match self.kind {
            Kind::Message => Entity::message(&self.content),
            Kind::Document(document_type) => Entity::bare_file(&self.content, document_type),
        };
        if self.kind != Kind::Message {
            let headings = (options.http_headers == HttpHeaders::Count)
                .then(|| Arc::new(Headings::within(None, declarations(self.http_heading))));
            for part in &mut entity.parts {
                part.charset.clone_from(&self.charset);
                part.headings.clone_from(&headings);
            }
        }
        entity.retrieved_from(self.url, "WARC-Target-URI")
    }
}

/// What content of this type is, and its charset; the content tells where the type does not.
fn kind_of(content_type: &str, content: &[u8]) -> Option<(Kind, Option<String>)> {
    if content_type.is_empty() {
        return DocumentType::of_content(content).map(|document_type| (Kind::Document(document_type), None));
    }
    let MediaType { name, charset, .. } = media_type(content_type.as_bytes())?;
    let kind = match &*name {
        "message/rfc822" => Kind::Message,
        name => Kind::Document(DocumentType::of_media_type(name)?),
    };
    Some((kind, charset))
}

fn unreadable(why: Unreadable) -> Finding {
    let message = match why {
        Unreadable::Coding => "its content coding is not known; left as it is",
        Unreadable::Damaged => "its content is not what its content coding says, or breaks off; left as it is",
        Unreadable::TooLong => "its content is too long without its content coding; left as it is",
    };
    Finding::new(Code::ContentCoding, message)
}
