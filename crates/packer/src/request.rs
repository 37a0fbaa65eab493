//! The options of a message.

use absolve_rewriter::Options;

use crate::header::Header;
use crate::limits::{MAIL_BYTES, WEB_BYTES};

/// The options of a message.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// How links are made absolute.
    pub options: Options,
    /// The readers of the message.
    pub format: Format,
    /// What is embedded.
    pub embed: Embed,
    /// How images and fonts are embedded that CSS names.
    pub css_images: CssImages,
    /// The originator, destination and subject fields.
    pub header: Header,
    /// Whether there is a text for readers without HTML.
    pub plain_text: PlainText,
    /// Whether there is a `Content-Base` too.
    pub content_base: ContentBase,
    /// The limit of its length in bytes.
    pub max_bytes: u64,
}

/// The readers of the message, on which references between parts depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Mail programs: by `cid:`, because many follow nothing else.
    Eml,
    /// Browsers: by `Content-Location`.
    Mhtml,
}

/// What is embedded of the files that the document loads from its folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Embed {
    /// Images, styles and fonts, and the files that styles load.
    #[default]
    All,
    /// Images.
    Images,
    /// Nothing.
    None,
}

impl Embed {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 3] = [("all", Self::All), ("images", Self::Images), ("none", Self::None)];
}

/// How images and fonts are embedded that CSS names, in messages for mail programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CssImages {
    /// In the page, as `data:` URLs, up to a length: mail programs show them.
    #[default]
    Data,
    /// As parts, by `cid:`.
    Cid,
}

impl CssImages {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("data", Self::Data), ("cid", Self::Cid)];
}

/// Whether there is a text for readers without HTML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlainText {
    /// No.
    #[default]
    No,
    /// The text of the document comes before it as an alternative, with the targets of its links as `<URL:…>`.
    Alternative,
}

/// Whether the base is declared by `Content-Base` (RFC 2110) beside `Content-Location`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ContentBase {
    /// No: RFC 2557 dropped the field.
    #[default]
    No,
    /// Yes.
    Yes,
}

impl Request {
    /// Returns the options of a message with everything embedded, without a header, of at most 25 MB for mail and 1 GiB
    /// for browsers.
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
            css_images: CssImages::default(),
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
