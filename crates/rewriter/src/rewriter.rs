//! A document or message in, the same with absolute links out: the entrance of the crate.

#[cfg(feature = "mail")]
mod kind;

use std::borrow::Cow;

use absolve_base::{Layer, Retrieval};
use absolve_links::{DocumentType, Edits};

use crate::entity::Entity;
use crate::finding::Finding;
use crate::list::{Listing, links_of};
use crate::options::charset::{UnknownCharset, charset};
use crate::options::{Detail, Options};
use crate::plan::plan;
use crate::provenance::retrieval_url::{BaseError, RetrievedFrom};
use crate::report::{Counts, DocumentReport, Report};

#[cfg(feature = "mail")]
pub use kind::Kind;

/// Makes the links of documents absolute, or lists them.
///
/// Each document is resolved at the base that applies to it: its own `<base href>`, `xml:base` or header field, else
/// the URL that it was retrieved from, which the methods take: a text, a [`BaseUrl`](crate::BaseUrl) that was parsed once, or `None`
/// if no URL is known. A `Rewriter` has only settings and no state, so one serves any number of documents and threads.
///
/// ```
/// use absolve_rewriter::{Options, Rewriter, SameDocument};
/// let rewriter = Rewriter::from(Options { same_document: SameDocument::Absolute, ..Options::default() });
/// let page = rewriter.html("<a href=x>", "https://example.org/d/")?;
/// assert_eq!(page.text(), "<a href=https://example.org/d/x>");
/// assert_eq!(page.counts().rewritten, 1);
/// # Ok::<(), absolve_rewriter::BaseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rewriter {
    options: Options,
    charset: Option<&'static str>,
}

impl Default for Rewriter {
    /// As [`Options::default`] has it, which is what the command does without flags.
    fn default() -> Self {
        Self::from(Options::default())
    }
}

impl From<Options> for Rewriter {
    fn from(options: Options) -> Self {
        // Each document reports its base.
        Self { options: Options { detail: Detail::Documents, ..options }, charset: None }
    }
}

/// One document.
impl Rewriter {
    /// Returns HTML with absolute links. The text is read as UTF-8, whatever its `<meta charset>` declares.
    ///
    /// # Errors
    ///
    /// [`BaseError`] if links cannot be resolved against `url`.
    ///
    /// ```
    /// use absolve_rewriter::Rewriter;
    /// let page = Rewriter::default().html("<base href=e/><a href=x>", "https://example.org/d/")?;
    /// assert_eq!(page.text(), "<base href=https://example.org/d/e/><a href=https://example.org/d/e/x>");
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    pub fn html<'d, 'b>(&self, html: &'d str, url: impl Into<RetrievedFrom<'b>>) -> Result<Page<'d>, BaseError> {
        let entity = Entity::bare_file(html.as_bytes(), DocumentType::Html).with_charset("utf-8");
        let Rewritten { content, edits, report } = self.rewritten(self.at(entity, url.into())?);
        let content = match content {
            Cow::Borrowed(_) => Cow::Borrowed(html),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        };
        Ok(Rewritten { content, edits, report })
    }

    /// Returns a document of any type with absolute links. Its encoding is that of its byte order mark, else of
    /// [`Rewriter::charset`], else the one that it declares or shows.
    ///
    /// # Errors
    ///
    /// [`BaseError`] if links cannot be resolved against `url`.
    ///
    /// ```
    /// use absolve_rewriter::{DocumentType, Rewriter};
    /// let style = Rewriter::default().document(b"a { b: url(c) }", DocumentType::Css, "https://example.org/")?;
    /// assert_eq!(style.bytes(), b"a { b: url(https://example.org/c) }");
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    pub fn document<'d, 'b>(
        &self,
        bytes: &'d [u8],
        document_type: DocumentType,
        url: impl Into<RetrievedFrom<'b>>,
    ) -> Result<RewrittenBytes<'d>, BaseError> {
        Ok(self.rewritten(self.at(self.bare_file(bytes, document_type), url.into())?))
    }

    /// Returns the links of a document with their targets, and changes nothing.
    ///
    /// # Errors
    ///
    /// [`BaseError`] if links cannot be resolved against `url`.
    ///
    /// ```
    /// use absolve_rewriter::{DocumentType, Rewriter};
    /// let listing = Rewriter::default().links(b"<a href=x>", DocumentType::Html, "https://example.org/d/")?;
    /// assert_eq!(listing.links[0].target.as_deref(), Some("https://example.org/d/x"));
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    pub fn links<'b>(
        &self,
        bytes: &[u8],
        document_type: DocumentType,
        url: impl Into<RetrievedFrom<'b>>,
    ) -> Result<Listing, BaseError> {
        let entity = self.at(self.bare_file(bytes, document_type), url.into())?;
        Ok(links_of(&entity, &entity.parts[0], &self.options))
    }

    fn bare_file<'d>(&self, bytes: &'d [u8], document_type: DocumentType) -> Entity<'d> {
        let entity = Entity::bare_file(bytes, document_type);
        match self.charset {
            Some(label) => entity.with_charset(label),
            None => entity,
        }
    }

    fn at<'d>(&self, entity: Entity<'d>, url: RetrievedFrom<'_>) -> Result<Entity<'d>, BaseError> {
        Ok(match url.checked(self.options.rules)? {
            Some(url) => entity.retrieved_from(Retrieval::given(url)),
            None => entity,
        })
    }

    fn rewritten<'d>(&self, entity: Entity<'d>) -> RewrittenBytes<'d> {
        let (edits, report) = plan(&entity, &self.options).finish();
        let content = match edits.is_empty() {
            true => Cow::Borrowed(entity.bytes),
            false => Cow::Owned(edits.splice(entity.bytes)),
        };
        Rewritten { content, edits, report }
    }
}

/// One message.
#[cfg(feature = "mail")]
impl Rewriter {
    /// Returns a message (RFC 5322, MIME) with absolute links in all its parts. Most messages were not retrieved from a
    /// URL: their `url` is `None`. It needs the feature `mail`.
    ///
    /// # Errors
    ///
    /// [`BaseError`] if links cannot be resolved against `url`.
    ///
    /// ```
    /// use absolve_rewriter::Rewriter;
    /// let mail = b"Content-Type: text/html\nContent-Base: http://h/d/\n\n<a href=x>";
    /// assert!(Rewriter::default().message(mail, None)?.bytes().ends_with(b"<a href=http://h/d/x>"));
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    pub fn message<'d, 'b>(
        &self,
        bytes: &'d [u8],
        url: impl Into<RetrievedFrom<'b>>,
    ) -> Result<RewrittenBytes<'d>, BaseError> {
        let message = self.at(Entity::message(bytes), url.into())?;
        Ok(self.rewritten(message.with_message_url(self.options.message_url.as_ref())))
    }
}

/// Settings.
impl Rewriter {
    /// Sets the charset that the transport declared for documents in bytes, as HTTP does in `Content-Type`. It
    /// overrides what they declare themselves, but not a byte order mark (Encoding Standard, section 6).
    ///
    /// # Errors
    ///
    /// [`UnknownCharset`] if the Encoding Standard has no such label.
    ///
    /// ```
    /// use absolve_rewriter::{DocumentType, Options, Rewriter, Spelling};
    /// let options = Options { spelling: Spelling::Ascii, ..Options::default() };
    /// let rewriter = Rewriter::from(options).charset("shift_jis")?;
    /// let page = rewriter.document(b"<a href='?\x93\xFA'>", DocumentType::Html, "https://example.org/")?;
    /// assert_eq!(page.bytes(), b"<a href='https://example.org/?%93%FA'>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn charset(mut self, label: &str) -> Result<Self, UnknownCharset> {
        self.charset = Some(charset(label)?);
        Ok(self)
    }

    /// Returns the options.
    pub const fn options(&self) -> &Options {
        &self.options
    }
}

/// What a [`Rewriter`] returns: the content with absolute links, and a report on it.
///
/// The content is borrowed from the input if nothing changed.
#[derive(Clone, Debug)]
pub struct Rewritten<C> {
    content: C,
    edits: Edits,
    report: Report,
}

/// HTML with absolute links.
pub type Page<'d> = Rewritten<Cow<'d, str>>;

/// A document or message with absolute links.
pub type RewrittenBytes<'d> = Rewritten<Cow<'d, [u8]>>;

impl<C> Rewritten<C> {
    /// Returns how many links there are, by what happened to them.
    pub const fn counts(&self) -> Counts {
        self.report.counts
    }

    /// Returns what was found and left unchanged, or changed with a doubt.
    pub fn findings(&self) -> &[Finding] {
        &self.report.findings
    }

    /// Returns the base of the document; of a message, that of its first part with one.
    ///
    /// ```
    /// use absolve_rewriter::{Layer, Rewriter};
    /// let page = Rewriter::default().html("<base href=/d/><a href=x>", "https://example.org/")?;
    /// assert_eq!((page.base(), page.base_source()), (Some("https://example.org/d/"), Layer::Element));
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    pub fn base(&self) -> Option<&str> {
        self.report.document_with_base()?.base.as_deref()
    }

    /// Returns the source of [`Rewritten::base`]: the layer that declared it; [`Layer::None`] without a base.
    pub fn base_source(&self) -> Layer {
        self.report.document_with_base().map_or(Layer::None, |document| document.layer)
    }

    /// Returns a report on each document, with its base and its counts: one for each part of a message.
    pub fn documents(&self) -> &[DocumentReport] {
        &self.report.documents
    }

    /// Returns the edits of the input, as for a file that is patched ([`Edits::write_to`]).
    pub const fn edits(&self) -> &Edits {
        &self.edits
    }
}

impl<'d> Page<'d> {
    /// Returns the HTML.
    pub fn text(&self) -> &str {
        &self.content
    }

    /// Returns the HTML in UTF-8.
    pub fn bytes(&self) -> &[u8] {
        self.content.as_bytes()
    }

    /// Returns the HTML, borrowed if nothing changed.
    pub fn into_text(self) -> Cow<'d, str> {
        self.content
    }
}

impl<'d> RewrittenBytes<'d> {
    /// Returns all bytes of the document or message.
    pub fn bytes(&self) -> &[u8] {
        &self.content
    }

    /// Returns all bytes, borrowed if nothing changed.
    pub fn into_bytes(self) -> Cow<'d, [u8]> {
        self.content
    }
}
