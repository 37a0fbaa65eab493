//! What a file is: a document, or something that holds documents.

use std::str::FromStr;
use std::{error, fmt};

use absolve_links::DocumentType;

/// A type of file that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileType {
    /// A document.
    Document(DocumentType),
    /// A message, `message/rfc822`, or a page saved as one (MHTML, RFC 2557).
    Message,
}

impl FileType {
    /// All types.
    pub const ALL: [Self; 5] = [
        Self::Document(DocumentType::Html),
        Self::Document(DocumentType::Css),
        Self::Document(DocumentType::Xml),
        Self::Document(DocumentType::Text),
        Self::Message,
    ];

    /// The type of a file by the extension of its name.
    ///
    /// ```
    /// use absolve_rewriter::FileType;
    /// assert_eq!(FileType::of_extension("mhtml"), Some(FileType::Message));
    /// assert_eq!(FileType::of_extension("png"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Self> {
        if ["eml", "mht", "mhtml"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
            return Some(Self::Message);
        }
        DocumentType::of_extension(extension).map(Self::Document)
    }

    /// The type of a file by its first bytes.
    ///
    /// ```
    /// use absolve_rewriter::FileType;
    /// assert_eq!(FileType::of_content(b"Received: from x\r\n by y"), Some(FileType::Message));
    /// assert_eq!(FileType::of_content(b"Note: plain text"), None);
    /// ```
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        const FIELDS: [&[u8]; 11] = [
            b"Received:",
            b"Return-Path:",
            b"Delivered-To:",
            b"Message-ID:",
            b"MIME-Version:",
            b"X-Mozilla-Status:",
            b"Content-Type: multipart/",
            b"Content-Type: text/html",
            // Browsers begin so when they save a page.
            b"From: <Saved by ",
            b"From: \"Saved by ",
            b"Snapshot-Content-Location:",
        ];
        let begins = |field: &&[u8]| bytes.get(..field.len()).is_some_and(|start| start.eq_ignore_ascii_case(field));
        if FIELDS.iter().any(begins) {
            return Some(Self::Message);
        }
        DocumentType::of_content(bytes).map(Self::Document)
    }

    /// The name used on the command line.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::FileType::Message.name(), "message");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document(document_type) => document_type.name(),
            Self::Message => "message",
        }
    }
}

/// The text is not the name of a file type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFileType;

impl fmt::Display for UnknownFileType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a file type is one of {}", FileType::ALL.map(FileType::name).join(", "))
    }
}

impl error::Error for UnknownFileType {}

impl FromStr for FileType {
    type Err = UnknownFileType;

    fn from_str(name: &str) -> Result<Self, UnknownFileType> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or(UnknownFileType)
    }
}
