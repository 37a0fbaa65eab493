//! What a record of a web archive holds: a document, with the URL it was retrieved from.

use std::borrow::Cow;
use std::sync::Arc;

use absolve_links::{DocumentType, Edits};

use crate::archive_options::HttpHeaders;
use crate::headings::Headings;
use crate::http::{Response, Room, Unreadable};
use crate::limits::TYPE_BYTES;
use crate::message::heading::{MediaType, declarations, media_type};
use crate::warc::Record;
use crate::{ArchiveOptions, Code, Entity, Finding};

/// A document of a web archive.
#[derive(Debug)]
pub(crate) struct Page<'r> {
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
pub(crate) enum Held<'r> {
    Page(Page<'r>),
    /// A response of another status than 2xx, or a part of one.
    OtherResponse,
    /// No document.
    Nothing,
}

impl<'r> Page<'r> {
    /// The document of a record, if it holds one: a response of a status 2xx, a resource, or a conversion of another
    /// record.
    ///
    /// # Errors
    ///
    /// What is to be told when it cannot be read.
    pub(crate) fn of_record(record: &Record<'r>, room: &Room) -> Result<Held<'r>, Finding> {
        // A segment is not all of its content.
        let Some(url) = record.target().filter(|_| record.field("WARC-Segment-Number").is_none()) else {
            return Ok(Held::Nothing);
        };
        let content_type = record.field("Content-Type").unwrap_or_default();
        let is_http = content_type.is_empty() || content_type.to_ascii_lowercase().starts_with("application/http");
        if record.is("WARC-Type", "response") && is_http {
            return Self::of_block(url, record.block, room);
        }
        if record.is("WARC-Type", "resource") || record.is("WARC-Type", "conversion") {
            return Ok(Held::of(Self::new(url, content_type, b"", Cow::Borrowed(record.block))));
        }
        Ok(Held::Nothing)
    }

    /// The document of the response that a block is.
    ///
    /// # Errors
    ///
    /// What is to be told when it cannot be read.
    pub(crate) fn of_block(url: String, block: &'r [u8], room: &Room) -> Result<Held<'r>, Finding> {
        let Some(response) = Response::read(block) else { return Ok(Held::Nothing) };
        if !response.is_whole() {
            return Ok(Held::OtherResponse);
        }
        let content_type = response.content_type();
        // What is no document is not decoded.
        if type_of(&content_type).is_some_and(|told| told.kind.is_none()) {
            return Ok(Held::Nothing);
        }
        let content = response.content(room).map_err(unreadable)?;
        Ok(Held::of(Self::new(url, content_type, response.heading, content)))
    }

    /// The document that a revisit has found again at `url`, with the heading that it came with there.
    pub(crate) fn again(url: String, content_type: String, block: &'r [u8], content: &'r [u8]) -> Option<Self> {
        let heading = Response::read(block).map_or(&b""[..], |response| response.heading);
        Self::new(url, content_type, heading, Cow::Borrowed(content))
    }

    fn new(url: String, content_type: String, http_heading: &'r [u8], content: Cow<'r, [u8]>) -> Option<Self> {
        let (kind, charset) = match type_of(&content_type) {
            Some(Told { kind, charset }) => (kind?, charset),
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
        let mut entity = match self.kind {
            Kind::Message | Kind::Multipart => Entity::message(&self.text),
            Kind::Document(document_type) => Entity::bare_file(&self.text, document_type),
        };
        if let Kind::Document(_) = self.kind {
            let headings = (options.http_headers == HttpHeaders::Count)
                .then(|| Arc::new(Headings::within(None, declarations(self.http_heading))));
            for part in &mut entity.parts {
                part.charset.clone_from(&self.charset);
                part.headings.clone_from(&headings);
            }
        }
        entity.retrieved_from(&self.url, "WARC-Target-URI")
    }
}

impl<'r> Held<'r> {
    fn of(page: Option<Page<'r>>) -> Self {
        page.map_or(Self::Nothing, Self::Page)
    }
}

/// What a type tells.
struct Told {
    /// What content of this type is, if it is a document.
    kind: Option<Kind>,
    charset: Option<String>,
}

/// What a type tells; `None` if it is none.
fn type_of(content_type: &str) -> Option<Told> {
    let MediaType { name, charset, .. } = media_type(content_type.as_bytes())?;
    match &*name {
        "*/*" => None,
        "message/rfc822" | "message/global" | "message/news" => Some(Told { kind: Some(Kind::Message), charset }),
        name if name.starts_with("multipart/") => Some(Told { kind: Some(Kind::Multipart), charset }),
        name => Some(Told { kind: DocumentType::of_media_type(name).map(Kind::Document), charset }),
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
