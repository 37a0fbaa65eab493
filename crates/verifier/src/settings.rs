//! The options of the rewrite to verify.

use std::collections::HashSet;

use absolve_links::{Patterns, Table};

use crate::literal;
use crate::values::unescaped;

/// The options of the rewrite to verify: those of `absolve rewrite` that decide what becomes of a link.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The purpose of the documents.
    pub purpose: Purpose,
    /// The standard of resolution.
    pub standard: Standard,
    /// The declarations of a base that count.
    pub profile: Profile,
    /// The places of links.
    pub table: Table,
    /// References to the document itself.
    pub same_document: SameDocument,
    /// The BASE.
    pub base_element: BaseElement,
    /// The spelling of targets.
    pub spelling: Spelling,
    /// References that stay.
    pub keep: Patterns,
    /// References in header fields of messages.
    pub header_fields: HeaderFields,
    /// The URL of messages that have none.
    pub message_url: MessageUrl,
    /// Signed and encrypted parts of messages.
    pub signatures: Signatures,
    /// The files of the input, links to which stay.
    pub local: LocalUrls,
    /// The headers of HTTP responses.
    pub http_headers: HttpHeaders,
    /// Records of web archives with wrong digests.
    pub digests: Digests,
}

impl Default for Settings {
    /// Returns the options of `absolve rewrite` without arguments.
    fn default() -> Self {
        Self {
            purpose: Purpose::Any,
            standard: Standard::Whatwg,
            profile: Profile::Layered,
            table: Table::default(),
            same_document: SameDocument::Keep,
            base_element: BaseElement::Keep,
            spelling: Spelling::AsWritten,
            keep: Patterns::default(),
            header_fields: HeaderFields::Keep,
            message_url: MessageUrl::None,
            signatures: Signatures::Keep,
            local: LocalUrls::default(),
            http_headers: HttpHeaders::Ignore,
            digests: Digests::Heed,
        }
    }
}

/// The URLs of the files of the input.
#[derive(Clone, Debug, Default)]
pub struct LocalUrls(HashSet<Vec<u8>>);

impl FromIterator<String> for LocalUrls {
    fn from_iter<T: IntoIterator<Item = String>>(urls: T) -> Self {
        Self(urls.into_iter().map(|url| file_of(&url)).collect())
    }
}

impl LocalUrls {
    /// Reports whether a URL is that of one of the files, however it is percent-encoded.
    pub(crate) fn contain(&self, url: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&file_of(url))
    }
}

/// Returns the part of a URL that names a file, without percent-encoding.
fn file_of(url: &str) -> Vec<u8> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    unescaped(path.trim_end_matches('/'))
}

/// The purpose of the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Any purpose.
    Any,
    /// Mail: a reference that begins with a placeholder counts as absolute, and needs no BASE.
    Mail,
}

/// A standard of resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standard {
    /// The URL Standard, as the `url` crate implements it.
    Whatwg,
    /// An older standard, followed step by step.
    Literal(literal::Standard),
}

/// The declarations of a base that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// All of them.
    Layered,
    /// Of header fields only an absolute `Content-Location`.
    Rfc2557,
    /// Neither header fields nor `xml:base`.
    Browser,
}

/// What becomes of references to the document itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// They stay.
    Keep,
    /// They become absolute.
    Absolute,
}

/// What becomes of the BASE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaseElement {
    /// It stays, and becomes absolute.
    Keep,
    /// Its `href` is removed, or it is commented out, unless a link needs it.
    Remove,
}

/// The spelling of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// In the characters of the document.
    AsWritten,
    /// In ASCII.
    Ascii,
}

/// What becomes of references in header fields of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeaderFields {
    /// They stay.
    Keep,
    /// They become absolute.
    Absolute,
}

/// The URL of messages that have none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MessageUrl {
    /// No URL.
    None,
    /// The same for all messages.
    Given(String),
    /// That in the `Archived-At` field of each.
    ArchivedAt,
}

/// What becomes of signed and encrypted parts of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signatures {
    /// They stay.
    Keep,
    /// They change like other parts.
    Break,
    /// They stay, and so do messages with a signature of a server, such as DKIM.
    KeepAll,
}

/// Whether the headers of HTTP responses declare a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HttpHeaders {
    /// They do not, as in browsers.
    Ignore,
    /// Their `Content-Base`, `Content-Location` and `Base` do.
    Count,
}

/// What becomes of records of web archives whose digests are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digests {
    /// They stay.
    Heed,
    /// They change like other records.
    Ignore,
}
