//! An entity and its parts.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use absolve_base::{Declaration, Layer};
use absolve_links::{Document, DocumentType};

use crate::Finding;
use crate::headings::Headings;
use crate::message::claims::Claim;
use crate::message::heading::SNAPSHOT;
use crate::message::{self, Parts};
use crate::retrieval::Retrieval;
use crate::saved_page::Saved;
use crate::siblings::Siblings;
use crate::transfer::Body;

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
    /// The texts that parts stand in: the bytes of the entity, and messages that stand in it in a transfer encoding,
    /// each behind the one around it.
    pub(crate) texts: Vec<Text>,
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
    /// Its own heading and those around it.
    pub(crate) headings: Option<Arc<Headings>>,
    /// What of its own heading is not its base: it itself, if it is a field.
    pub(crate) not_its_base: Option<Layer>,
    /// The URLs it was retrieved from, by those who say so, the most trusted one first.
    pub(crate) retrievals: Vec<Declaration>,
    /// What the program that saved it has made of it.
    pub(crate) saved: Option<Arc<Saved>>,
    /// Its body, as bytes of the text it stands in.
    pub(crate) body: Range<usize>,
    /// The index of that text.
    pub(crate) text: usize,
    /// The body without its transfer encoding.
    pub(crate) content: Body,
    /// Where its heading names the transfer encoding.
    pub(crate) encoding_field: EncodingField,
    /// What its heading says of the size and the digest of the content.
    pub(crate) claims: Vec<Claim>,
    pub(crate) protection: Protection,
    /// The parts around it that it may refer to, if there are some.
    pub(crate) siblings: Option<Arc<Siblings>>,
    /// What some of its links are to become, by their first bytes.
    pub(crate) targets: HashMap<usize, String>,
}

/// A text that parts stand in.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// The index of the text it stands in itself.
    pub(crate) within: usize,
    /// Where it stands there.
    pub(crate) body: Range<usize>,
    /// It without its transfer encoding.
    pub(crate) content: Arc<Body>,
    /// What headings in it say of bodies in it as they are written, and where those stand; outer ones first.
    pub(crate) claims: Vec<(Claim, Range<usize>)>,
    /// What its heading, in the text around, says of it without its transfer encoding.
    pub(crate) content_claims: Vec<Claim>,
}

/// Where a heading names the transfer encoding of its body.
#[derive(Clone, Debug)]
pub(crate) enum EncodingField {
    /// The name stands there, in each of these places; an empty one is behind the colon.
    Values(Vec<Range<usize>>),
    /// It does not; the field could stand here.
    Missing(usize),
    /// There is no heading.
    NoHeading,
}

/// What a change of the part would make worthless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Protection {
    /// A signature or an encryption that stands in the message.
    pub(crate) is_signed: bool,
    /// The signature of a server that forwarded the message.
    pub(crate) is_dkim_signed: bool,
}

impl Part {
    /// What the headings around it, the innermost first, and the retrieval say of its base.
    ///
    /// ```
    /// let entity = absolve_rewriter::Entity::message(b"Base: <URL:http://h/>\n\n<URL:x>").retrieved_from("http://r/", "x");
    /// let values: Vec<_> = entity.parts[0].declarations().into_iter().map(|declared| declared.value).collect();
    /// assert_eq!(values, ["http://h/", "http://r/"]);
    /// ```
    pub fn declarations(&self) -> Vec<Declaration> {
        let mut declarations = self.headings.as_ref().map_or_else(Vec::new, |headings| headings.declarations(0));
        declarations.retain(|declaration| Some(declaration.layer) != self.not_its_base);
        declarations.extend(self.retrievals.iter().cloned());
        declarations
    }
}

impl Text {
    /// The text that is all of an entity.
    pub(crate) fn whole(bytes: &[u8]) -> Self {
        let (claims, content_claims) = (Vec::new(), Vec::new());
        Self { within: 0, body: 0..bytes.len(), content: Arc::new(Body::Binary), claims, content_claims }
    }
}

impl<'e> Entity<'e> {
    /// Whether a program that saved it has changed its links, so that what they mean is found out of other files.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert!(!absolve_rewriter::Entity::bare_file(b"", DocumentType::Html).is_saved());
    /// ```
    pub fn is_saved(&self) -> bool {
        self.parts.iter().any(|part| part.saved.is_some())
    }

    /// A file that is one document.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// let entity = absolve_rewriter::Entity::bare_file(b"a{}", DocumentType::Css);
    /// assert_eq!((entity.parts.len(), &*entity.parts[0].path), (1, ""));
    /// ```
    pub fn bare_file(bytes: &'e [u8], document_type: DocumentType) -> Self {
        let part = Part {
            path: String::new(),
            document_type,
            charset: None,
            headings: None,
            not_its_base: None,
            retrievals: Vec::new(),
            saved: None,
            body: 0..bytes.len(),
            text: 0,
            content: Body::Binary,
            encoding_field: EncodingField::NoHeading,
            claims: Vec::new(),
            protection: Protection::default(),
            siblings: None,
            targets: HashMap::new(),
        };
        Self { bytes, parts: vec![part], texts: vec![Text::whole(bytes)], findings: Vec::new() }
    }

    /// An entity that is not taken apart, and why.
    pub(crate) fn unread(why: Finding) -> Self {
        Self { bytes: b"", parts: Vec::new(), texts: vec![Text::whole(b"")], findings: vec![why] }
    }

    /// A message: header fields, and parts with header fields of their own.
    ///
    /// A page that a browser saved says in `Snapshot-Content-Location` where it was retrieved from.
    ///
    /// ```
    /// let message = b"Content-Type: text/html\r\nContent-Base: http://h/d/\r\n\r\n<a href=x>";
    /// let entity = absolve_rewriter::Entity::message(message);
    /// assert_eq!((&*entity.parts[0].path, &*entity.parts[0].declarations()[0].value), ("1", "http://h/d/"));
    /// ```
    pub fn message(bytes: &'e [u8]) -> Self {
        let Parts { documents, texts, findings, snapshot } = message::parts(bytes);
        let entity = Self { bytes, parts: documents, texts, findings };
        match snapshot {
            Some(url) => entity.retrieved_from(&url, SNAPSHOT),
            None => entity,
        }
    }

    /// The same entity, known to have been retrieved from `url`; `place` says who knows. What is known already stays.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// let entity = absolve_rewriter::Entity::bare_file(b"", DocumentType::Css).retrieved_from("http://h/x", "--url");
    /// assert_eq!(entity.parts[0].declarations()[0].value, "http://h/x");
    /// ```
    #[must_use]
    pub fn retrieved_from(mut self, url: &str, place: &'static str) -> Self {
        let declaration = Declaration { layer: Layer::Retrieval, value: url.to_owned(), place: place.into() };
        for part in self.parts.iter_mut().filter(|part| part.retrievals.is_empty()) {
            part.retrievals.push(declaration.clone());
        }
        self
    }

    /// The same bare file, some links of which have been given targets: those that begin at these bytes of it become what
    /// stands there, whatever they mean.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// use absolve_rewriter::{Entity, Options, Report, rewrite};
    /// let entity = Entity::bare_file(b"<img src=cat.png>", DocumentType::Html);
    /// let entity = entity.with_targets([(9, "cid:cat@example.org".to_owned())].into());
    /// let mut out = Vec::new();
    /// rewrite(&entity, &Options::default(), &mut Report::default(), &mut out);
    /// assert_eq!(out, b"<img src=cid:cat@example.org>");
    /// ```
    #[must_use]
    pub fn with_targets(mut self, targets: HashMap<usize, String>) -> Self {
        self.parts[0].targets = targets;
        self
    }

    /// The same bare file with all that is known of its origin.
    pub(crate) fn of_origin(mut self, retrievals: &[Retrieval], saved: Saved) -> Self {
        let declaration = |retrieval: &Retrieval| Declaration {
            layer: Layer::Retrieval,
            value: retrieval.url.clone(),
            place: retrieval.source.name().into(),
        };
        let saved = saved.is_something().then(|| Arc::new(saved));
        for part in &mut self.parts {
            part.retrievals = retrievals.iter().map(declaration).collect();
            part.saved.clone_from(&saved);
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
    pub fn document<'p>(&'p self, part: &'p Part) -> Document<'p> {
        let document = Document::new(part.content.bytes(self.raw_body(part)), part.document_type);
        match &part.charset {
            Some(label) => document.with_label(label),
            None => document,
        }
    }

    /// The body of a part as it is written.
    pub(crate) fn raw_body(&self, part: &Part) -> &[u8] {
        &self.text(part.text)[part.body.clone()]
    }

    /// The bytes of a text.
    pub(crate) fn text(&self, index: usize) -> &[u8] {
        match index {
            0 => self.bytes,
            _ => {
                let text = &self.texts[index];
                text.content.bytes(&self.text(text.within)[text.body.clone()])
            }
        }
    }
}
