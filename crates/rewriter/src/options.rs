//! How documents are rewritten.

pub(crate) mod charset;
pub(crate) mod given_bases;
pub(crate) mod named;
pub(crate) mod url_map;

use absolve_base::Rules;
use absolve_links::{Group, Patterns, Table};
pub use absolve_options::{
    BaseElement, FeedBase, HeaderFields, Purpose, RelativeLinks, SameDocument, Signatures, Spelling,
};
use given_bases::FolderUrl;
use url_map::UrlMap;

use crate::provenance::local_files::LocalFiles;
use crate::provenance::message_url::MessageUrl;

/// The options of a rewrite. The default is that of the command without flags; fields are added with time.
///
/// ```
/// use absolve_rewriter::settings::{Rules, Table};
/// use absolve_rewriter::{Group, Options, Rewriter, Standard};
/// let rewriter = Rewriter::from(Options {
///     rules: Rules { standard: Standard::Rfc3986, ..Rules::default() },
///     table: Table::of_groups(&[Group::Core, Group::Lazy], Vec::new()),
///     ..Options::default()
/// });
/// assert_eq!(rewriter.html("<img data-src=x>", "https://example.org/")?.counts().rewritten, 1);
/// # Ok::<(), absolve_rewriter::BaseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What the documents are for.
    pub purpose: Purpose,
    /// The standard of resolution and the profile of precedence.
    pub rules: Rules,
    /// How empty and fragment-only references are handled.
    pub same_document: SameDocument,
    /// Whether relative links are made absolute.
    pub relative_links: RelativeLinks,
    /// Where targets lead instead, also those of links that are absolute.
    pub map: UrlMap,
    /// What references that begin with one slash resolve below: `/x` is this URL and `x`. A declared base on another server than those of
    /// this and the retrieval URL wins.
    ///
    /// ```
    /// use absolve_rewriter::{Options, Rewriter};
    /// let options = Options { root: Some("https://example.org/app".parse()?), ..Options::default() };
    /// assert_eq!(Rewriter::from(options).html("<a href=/x?q>", None)?.text(), "<a href=https://example.org/app/x?q>");
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    pub root: Option<FolderUrl>,
    /// What embedded images resolve against in place of the retrieval URL.
    ///
    /// ```
    /// use absolve_rewriter::{Options, Rewriter};
    /// let options = Options { images_url: Some("https://raw.example/main".parse()?), ..Options::default() };
    /// let page = Rewriter::from(options).html("<a href=x><img src=y.png>", "https://example.org/")?;
    /// assert_eq!(page.text(), "<a href=https://example.org/x><img src=https://raw.example/main/y.png>");
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    pub images_url: Option<FolderUrl>,
    /// The folder that the URL of images stands for: the images of a document are as far below that as its retrieval URL is below this one.
    pub images_of: Option<FolderUrl>,
    /// How the BASE element is handled.
    pub base_element: BaseElement,
    /// What the content of the items of feeds is read at.
    pub feed_base: FeedBase,
    /// The places in which links are searched.
    pub table: Table,
    /// References to keep, beside known placeholders.
    ///
    /// ```
    /// use absolve_rewriter::settings::Patterns;
    /// use absolve_rewriter::{Options, Rewriter};
    /// let rewriter = Rewriter::from(Options { keep: Patterns::new([r"^\["])?, ..Options::default() });
    /// assert_eq!(rewriter.html("<a href='[x]'>", "https://example.org/")?.counts().kept, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub keep: Patterns,
    /// How targets are spelled.
    pub spelling: Spelling,
    /// Files of the input: links to them are kept.
    pub local_files: Option<LocalFiles>,
    /// How signed messages are handled.
    pub signatures: Signatures,
    /// How references in header fields are handled.
    pub header_fields: HeaderFields,
    /// The URL of messages that declare none.
    ///
    /// ```
    /// use absolve_rewriter::settings::MessageUrl;
    /// use absolve_rewriter::{Options, Rewriter};
    /// let options = Options { message_url: Some(MessageUrl::ArchivedAt), ..Options::default() };
    /// let mail = b"Archived-At: <https://h/1>\nContent-Type: text/html\n\n<a href=x>";
    /// assert!(Rewriter::from(options).message(mail, None)?.bytes().ends_with(b"<a href=https://h/x>"));
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    pub message_url: Option<MessageUrl>,
    /// How detailed reports are.
    pub detail: Detail,
    /// Whether listings contain what is said of links.
    pub annotations: Annotations,
}

impl Options {
    /// Returns the options for documents to be mailed: targets in ASCII, no BASE, because mail programs ignore it, links
    /// in AMP and MJML ([`Group::MAIL`]), the placeholders of mail services, and findings for links that only their author
    /// can follow.
    ///
    /// ```
    /// use absolve_rewriter::{BaseElement, Options, Spelling};
    /// let options = Options::default().for_mail();
    /// assert_eq!((options.spelling, options.base_element), (Spelling::Ascii, BaseElement::Remove));
    /// ```
    #[must_use]
    pub fn for_mail(self) -> Self {
        Self {
            purpose: Purpose::Mail,
            spelling: Spelling::Ascii,
            base_element: BaseElement::Remove,
            table: self.table.with_groups(&Group::MAIL),
            ..self
        }
    }
}

/// How detailed reports are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Counts and findings.
    #[default]
    Counts,
    /// Each document, with its base, its first links and the hosts they lead to.
    Shown,
    /// Each document, with its base and digests.
    Documents,
}

/// Whether listings contain what documents and responses say of links. Rewriting needs none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Annotations {
    /// They do not.
    #[default]
    Skip,
    /// Web archives are read for the dates and ids of their records, and for the links in the headers of all their responses.
    Captures,
    /// Listings also contain the texts of anchors and the values of `rel`.
    List,
}
