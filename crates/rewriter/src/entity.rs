//! An entity and its parts.

use std::ops::Range;
use std::sync::Arc;

use absolve_base::{Declaration, Layer};
use absolve_links::{Document, DocumentType};

use crate::message::{self, Parts};
use crate::siblings::Siblings;
use crate::transfer::Body;
use crate::{FileType, Finding};

/// Header fields and a body, taken apart. A bare file is an entity of one part without header.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_rewriter::Entity;
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from("http://h/", "--url");
/// assert_eq!(entity.parts.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Entity<'e> {
    /// All bytes of the entity.
    pub bytes: &'e [u8],
    /// The documents among its leaves, in the order of their bytes.
    pub parts: Vec<Part>,
    /// What was left alone when it was taken apart.
    pub findings: Vec<Finding>,
}

/// A leaf of an entity: one document.
#[derive(Clone, Debug)]
pub struct Part {
    /// The path of the part, as in `1.2.1`; empty for a bare file.
    pub path: String,
    /// What it holds.
    pub document_type: DocumentType,
    /// The charset label of its header.
    pub charset: Option<String>,
    /// What the headings around it and the retrieval say of its base.
    pub declarations: Vec<Declaration>,
    /// Its body, as bytes of the entity.
    pub body: Range<usize>,
    /// The body without its transfer encoding.
    pub(crate) content: Body,
    /// The parts around it that it may refer to, if there are some.
    pub(crate) siblings: Option<Arc<Siblings>>,
}

impl<'e> Entity<'e> {
    /// A file that is one document.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// let entity = absolve_rewriter::Entity::bare_file(b"a{}", DocumentType::Css);
    /// assert_eq!(entity.parts[0].body, 0..3);
    /// ```
    pub fn bare_file(bytes: &'e [u8], document_type: DocumentType) -> Self {
        let (path, declarations, body) = (String::new(), Vec::new(), 0..bytes.len());
        let siblings = None;
        let part = Part { path, document_type, charset: None, declarations, siblings, body, content: Body::Binary };
        Self { bytes, parts: vec![part], findings: Vec::new() }
    }

    /// What a file of this type holds.
    ///
    /// ```
    /// use absolve_rewriter::{Entity, FileType};
    /// assert_eq!(Entity::of(b"Subject: none\r\n\r\ntext", FileType::Message).parts.len(), 1);
    /// ```
    pub fn of(bytes: &'e [u8], file_type: FileType) -> Self {
        match file_type {
            FileType::Document(document_type) => Self::bare_file(bytes, document_type),
            FileType::Message => Self::message(bytes),
        }
    }

    /// A message: header fields, and parts with header fields of their own.
    ///
    /// A page that a browser saved says in `Snapshot-Content-Location` where it was retrieved from.
    ///
    /// ```
    /// let message = b"Content-Type: text/html\r\nContent-Base: http://h/d/\r\n\r\n<a href=x>";
    /// let entity = absolve_rewriter::Entity::message(message);
    /// assert_eq!((&*entity.parts[0].path, &*entity.parts[0].declarations[0].value), ("1", "http://h/d/"));
    /// ```
    pub fn message(bytes: &'e [u8]) -> Self {
        let Parts { documents, findings, snapshot } = message::parts(bytes);
        let entity = Self { bytes, parts: documents, findings };
        match snapshot {
            Some(url) => entity.retrieved_from(&url, message::SNAPSHOT),
            None => entity,
        }
    }

    /// The same entity, known to have been retrieved from `url`; `place` says who knows. What is known already stays.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// let entity = absolve_rewriter::Entity::bare_file(b"", DocumentType::Css).retrieved_from("http://h/x", "--url");
    /// assert_eq!(entity.parts[0].declarations[0].value, "http://h/x");
    /// ```
    #[must_use]
    pub fn retrieved_from(mut self, url: &str, place: &'static str) -> Self {
        let is_unknown = |part: &&mut Part| part.declarations.iter().all(|known| known.layer != Layer::Retrieval);
        for part in self.parts.iter_mut().filter(is_unknown) {
            let (value, place) = (url.to_owned(), place.into());
            part.declarations.push(Declaration { layer: Layer::Retrieval, value, place });
        }
        self
    }

    /// The document of a part.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// let entity = absolve_rewriter::Entity::bare_file(b"a{}", DocumentType::Css);
    /// assert_eq!(entity.document(&entity.parts[0]).bytes(), b"a{}");
    /// ```
    pub fn document<'p>(&self, part: &'p Part) -> Document<'p>
    where
        'e: 'p,
    {
        let document = Document::new(part.content.bytes(&self.bytes[part.body.clone()]), part.document_type);
        match &part.charset {
            Some(label) => document.with_label(label),
            None => document,
        }
    }
}
