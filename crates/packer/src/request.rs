//! What a message is to be like.

use absolve_rewriter::Options;

use crate::header::Header;
use crate::limits::{MAIL_BYTES, WEB_BYTES};

/// What a message is to be like.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// How the links of the document, and of those within the message, are made absolute.
    pub options: Options,
    /// Who is to read the message.
    pub format: Format,
    /// What the message holds of what the document loads.
    pub embed: Embed,
    /// Who writes to whom, and about what.
    pub header: Header,
    /// Whether a reader without HTML gets a text.
    pub plain_text: PlainText,
    /// Whether the base is told by `Content-Base` too.
    pub content_base: ContentBase,
    /// The greatest length of the message, in bytes.
    pub max_bytes: u64,
}

/// Who is to read the message, which decides how parts refer to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Mail programs: by `cid:`, because many follow nothing else.
    Eml,
    /// Browsers: by `Content-Location`.
    Mhtml,
}

/// What the message holds of what the document loads from its folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Embed {
    /// Images, styles and fonts, and what the styles load.
    #[default]
    All,
    /// Images.
    Images,
    /// Nothing.
    None,
}

/// Whether a reader without HTML gets a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlainText {
    /// It does not.
    #[default]
    No,
    /// The text of the document, with the targets of its links as `<URL:…>`, stands before it as an alternative.
    Alternative,
}

/// Whether the base is told by `Content-Base` (RFC 2110) beside `Content-Location`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ContentBase {
    /// It is not: RFC 2557 dropped the field.
    #[default]
    No,
    /// It is.
    Yes,
}

impl Request {
    /// Returns a message that embeds everything, without a header, of at most 25 MB for mail and 1 GiB for browsers.
    ///
    /// ```
    /// use absolve_packer::{Embed, Format, Request};
    /// assert_eq!(Request::new(Format::Eml).embed, Embed::All);
    /// ```
    pub fn new(format: Format) -> Self {
        Self {
            options: Options::default().for_mail(),
            format,
            embed: Embed::default(),
            header: Header::default(),
            plain_text: PlainText::default(),
            content_base: ContentBase::default(),
            max_bytes: match format {
                Format::Eml => MAIL_BYTES,
                Format::Mhtml => WEB_BYTES,
            },
        }
    }
}
