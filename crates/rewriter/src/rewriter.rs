//! A document or message in, the same with absolute links out: the entrance of the crate.

mod charset;

use std::borrow::Cow;

use absolve_base::{Layer, Profile, Retrieval};
use absolve_links::{DocumentType, Edits, Group, InvalidPattern, Patterns, Table};
use absolve_resolver::Standard;

use crate::edits::edits_of;
use crate::entity::Entity;
use crate::finding::Finding;
use crate::list::{Listing, links_of};
use crate::options::{BaseElement, Detail, FeedBase, HeaderFields, Options, SameDocument, Signatures, Spelling};
use crate::provenance::retrieval_url::{BaseError, retrieval_url};
use crate::report::{Counts, DocumentReport, Report};

pub use charset::{UnknownCharset, charset};

/// Makes the links of documents absolute, or lists them.
///
/// Each document is resolved at the base that applies to it: its own `<base href>`, `xml:base` or header field, else
/// the URL that it was retrieved from, which the methods take as `base` (`None` if no URL is known). A `Rewriter` has
/// only settings and no state, so one serves any number of documents and threads.
///
/// ```
/// use absolve_rewriter::{Rewriter, Standard};
/// let rewriter = Rewriter::default().standard(Standard::Rfc3986).for_mail();
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
    /// [`BaseError`] if links cannot be resolved against `base`.
    ///
    /// ```
    /// use absolve_rewriter::Rewriter;
    /// let page = Rewriter::default().html("<base href=e/><a href=x>", "https://example.org/d/")?;
    /// assert_eq!(page.text(), "<base href=https://example.org/d/e/><a href=https://example.org/d/e/x>");
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    pub fn html<'d, 'b>(&self, html: &'d str, base: impl Into<Option<&'b str>>) -> Result<Page<'d>, BaseError> {
        let entity = Entity::bare_file(html.as_bytes(), DocumentType::Html).with_charset("utf-8");
        let Rewritten { content, edits, report } = self.rewritten(self.at(entity, base.into())?);
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
    /// [`BaseError`] if links cannot be resolved against `base`.
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
        base: impl Into<Option<&'b str>>,
    ) -> Result<RewrittenBytes<'d>, BaseError> {
        Ok(self.rewritten(self.at(self.bare_file(bytes, document_type), base.into())?))
    }

    /// Returns a message (RFC 5322, MIME) with absolute links in all its parts. Most messages were not retrieved from a
    /// URL: their `base` is `None`.
    ///
    /// # Errors
    ///
    /// [`BaseError`] if links cannot be resolved against `base`.
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
        base: impl Into<Option<&'b str>>,
    ) -> Result<RewrittenBytes<'d>, BaseError> {
        let message = self.at(Entity::message(bytes), base.into())?;
        Ok(self.rewritten(message.with_message_url(self.options.message_url.as_ref())))
    }

    /// Returns the links of a document with their targets, and changes nothing.
    ///
    /// # Errors
    ///
    /// [`BaseError`] if links cannot be resolved against `base`.
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
        base: impl Into<Option<&'b str>>,
    ) -> Result<Listing, BaseError> {
        let entity = self.at(self.bare_file(bytes, document_type), base.into())?;
        Ok(links_of(&entity, &entity.parts[0], &self.options))
    }

    fn bare_file<'d>(&self, bytes: &'d [u8], document_type: DocumentType) -> Entity<'d> {
        let entity = Entity::bare_file(bytes, document_type);
        match self.charset {
            Some(label) => entity.with_charset(label),
            None => entity,
        }
    }

    fn at<'d>(&self, entity: Entity<'d>, base: Option<&str>) -> Result<Entity<'d>, BaseError> {
        let Some(url) = base else { return Ok(entity) };
        retrieval_url(url, self.options.rules)?;
        Ok(entity.retrieved_from(Retrieval::given(url)))
    }

    fn rewritten<'d>(&self, entity: Entity<'d>) -> RewrittenBytes<'d> {
        let mut report = Report::default();
        let edits = edits_of(&entity, &self.options, &mut report);
        let content = match edits.is_empty() {
            true => Cow::Borrowed(entity.bytes),
            false => Cow::Owned(edits.splice(entity.bytes)),
        };
        Rewritten { content, edits, report }
    }
}

/// Settings.
impl Rewriter {
    /// Sets the standard by which references are resolved.
    #[must_use]
    pub fn standard(mut self, standard: Standard) -> Self {
        self.options.rules.standard = standard;
        self
    }

    /// Sets which declarations of a base count.
    #[must_use]
    pub fn precedence(mut self, profile: Profile) -> Self {
        self.options.rules.profile = profile;
        self
    }

    /// Sets what happens to the BASE element.
    #[must_use]
    pub fn base_element(mut self, base_element: BaseElement) -> Self {
        self.options.base_element = base_element;
        self
    }

    /// Sets what happens to empty and fragment-only references.
    #[must_use]
    pub fn same_document(mut self, same_document: SameDocument) -> Self {
        self.options.same_document = same_document;
        self
    }

    /// Sets the base of the content of items of feeds.
    #[must_use]
    pub fn feed_base(self, feed_base: FeedBase) -> Self {
        Self { options: Options { feed_base, ..self.options }, ..self }
    }

    /// Keeps references that match one of these regular expressions, beside the placeholders that are always kept.
    ///
    /// # Errors
    ///
    /// The first pattern that is no regular expression.
    ///
    /// ```
    /// use absolve_rewriter::Rewriter;
    /// let rewriter = Rewriter::default().keep([r"^\["])?;
    /// assert_eq!(rewriter.html("<a href='[x]'>", "https://example.org/")?.counts().kept, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep<P: AsRef<str>>(mut self, patterns: impl IntoIterator<Item = P>) -> Result<Self, InvalidPattern> {
        self.options.keep = Patterns::new(patterns)?;
        Ok(self)
    }

    /// Sets the groups of places in which links are looked for.
    ///
    /// ```
    /// use absolve_rewriter::{Group, Rewriter};
    /// let rewriter = Rewriter::default().groups(&[Group::Core, Group::Lazy]);
    /// assert_eq!(rewriter.html("<img data-src=x>", "https://example.org/")?.counts().rewritten, 1);
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    #[must_use]
    pub fn groups(self, groups: &[Group]) -> Self {
        self.table(Table::of_groups(groups, Vec::new()))
    }

    /// Sets the places in which links are looked for.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        self.options.table = table;
        self
    }

    /// Sets how targets are spelled.
    #[must_use]
    pub fn spelling(mut self, spelling: Spelling) -> Self {
        self.options.spelling = spelling;
        self
    }

    /// Sets what happens to references in the header fields of messages.
    #[must_use]
    pub fn header_fields(mut self, header_fields: HeaderFields) -> Self {
        self.options.header_fields = header_fields;
        self
    }

    /// Sets what happens to signatures of messages that edits would break.
    #[must_use]
    pub fn signatures(mut self, signatures: Signatures) -> Self {
        self.options.signatures = signatures;
        self
    }

    /// Rewrites for mail: see [`Options::for_mail`].
    #[must_use]
    pub fn for_mail(mut self) -> Self {
        self.options = self.options.for_mail();
        self
    }

    /// Sets the charset that the transport declared for documents in bytes, as HTTP does in `Content-Type`. It
    /// overrides what they declare themselves, but not a byte order mark (Encoding Standard, section 6).
    ///
    /// # Errors
    ///
    /// [`UnknownCharset`] if the Encoding Standard has no such label.
    ///
    /// ```
    /// use absolve_rewriter::{DocumentType, Rewriter, Spelling};
    /// let rewriter = Rewriter::default().charset("shift_jis")?.spelling(Spelling::Ascii);
    /// let page = rewriter.document(b"<a href='?\x93\xFA'>", DocumentType::Html, "https://example.org/")?;
    /// assert_eq!(page.bytes(), b"<a href='https://example.org/?%93%FA'>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn charset(mut self, label: &str) -> Result<Self, UnknownCharset> {
        self.charset = Some(charset(label)?);
        Ok(self)
    }

    /// Returns the options, for those that no method sets.
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
