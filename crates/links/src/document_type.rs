//! What type a document is.

use std::str::FromStr;
use std::{error, fmt};

/// A type of document in which links are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentType {
    /// `text/html`.
    Html,
    /// `text/css`.
    Css,
}

impl DocumentType {
    /// The type of a document by the extension of its file name.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert_eq!(DocumentType::of_extension("HTM"), Some(DocumentType::Html));
    /// assert_eq!(DocumentType::of_extension("png"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Self> {
        let is_one_of = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(extension));
        if is_one_of(&["html", "htm", "shtml", "shtm", "phtml"]) {
            Some(Self::Html)
        } else if is_one_of(&["css"]) {
            Some(Self::Css)
        } else {
            None
        }
    }

    /// The type of a document by its first bytes: HTML when it begins like HTML.
    ///
    /// ```
    /// use absolve_links::DocumentType;
    /// assert_eq!(DocumentType::of_content(b"\n<!doctype html><p>"), Some(DocumentType::Html));
    /// assert_eq!(DocumentType::of_content(b"plain text"), None);
    /// ```
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        const BEGINNINGS: [&[u8]; 6] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<title"];
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
        let prolog = memchr::memmem::find(bytes, b"?>").filter(|_| bytes.starts_with(b"<?xml"));
        let bytes = prolog.map_or(bytes, |end| bytes[end + 2..].trim_ascii_start());
        let begins =
            |beginning: &&[u8]| bytes.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning));
        BEGINNINGS.iter().any(begins).then_some(Self::Html)
    }

    /// The media type.
    ///
    /// ```
    /// assert_eq!(absolve_links::DocumentType::Css.media_type(), "text/css");
    /// ```
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html",
            Self::Css => "text/css",
        }
    }
}

/// The text is not the name of a document type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDocumentType;

impl fmt::Display for UnknownDocumentType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a document type is one of html, css")
    }
}

impl error::Error for UnknownDocumentType {}

impl FromStr for DocumentType {
    type Err = UnknownDocumentType;

    fn from_str(name: &str) -> Result<Self, UnknownDocumentType> {
        match name {
            "html" => Ok(Self::Html),
            "css" => Ok(Self::Css),
            _ => Err(UnknownDocumentType),
        }
    }
}

/// Whether the bytes begin like a well-known binary format.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 12] = [
        b"\x89PNG",
        b"GIF8",
        b"\xFF\xD8\xFF",
        b"%PDF-",
        b"PK\x03\x04",
        b"\x1F\x8B",
        b"\x7FELF",
        b"RIFF",
        b"wOFF",
        b"wOF2",
        b"\x28\xB5\x2F\xFD",
        b"BZh",
    ];
    BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning))
}

/// Whether the bytes begin like JSON.
pub(crate) fn is_data(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['))
}
