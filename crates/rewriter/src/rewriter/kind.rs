//! Data in memory, by what they are.

use absolve_base::Retrieval;
use absolve_links::DocumentType;

use crate::entity::Entity;
use crate::options::Options;

/// What data in memory are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A document of a type.
    Document(DocumentType),
    /// A message (RFC 5322, MIME).
    Message,
}

impl Kind {
    /// A page.
    pub const HTML: Self = Self::Document(DocumentType::Html);

    /// Returns all of them, with their names.
    ///
    /// ```
    /// use absolve_rewriter::internal::Kind;
    /// assert!(Kind::named().any(|(name, kind)| (name, kind) == ("message", Kind::Message)));
    /// ```
    pub fn named() -> impl Iterator<Item = (&'static str, Self)> {
        let documents = DocumentType::ALL.into_iter().map(|one| (one.name(), Self::Document(one)));
        documents.chain([("message", Self::Message)])
    }

    /// Returns the entity of data, whose transport declared `charset`. The URL can be a base.
    ///
    /// ```
    /// use absolve_rewriter::Options;
    /// use absolve_rewriter::internal::Kind;
    /// let entity = Kind::Message.entity(b"Content-Type: text/html\n\n", None, Some("http://h/"), &Options::default());
    /// assert_eq!(entity.parts[0].retrieval_url(), Some("http://h/"));
    /// ```
    pub fn entity<'d>(
        self,
        bytes: &'d [u8],
        charset: Option<&str>,
        url: Option<&str>,
        options: &Options,
    ) -> Entity<'d> {
        let entity = match (self, charset) {
            (Self::Message, _) => Entity::message(bytes),
            (Self::Document(document_type), Some(charset)) => {
                Entity::bare_file(bytes, document_type).with_charset(charset)
            }
            (Self::Document(document_type), None) => Entity::bare_file(bytes, document_type),
        };
        let entity = match url {
            Some(url) => entity.retrieved_from(Retrieval::given(url)),
            None => entity,
        };
        entity.with_message_url(options.message_url.as_ref().filter(|_| self == Self::Message))
    }
}
