//! By what rules a document was to be rewritten.

use std::collections::HashSet;

use absolve_links::Table;
use regex::RegexSet;

use crate::literal;
use crate::values::unescaped;

/// The rules by which the original was to be rewritten: those options of `absolve rewrite` that decide what becomes of a
/// link.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the documents are for.
    pub purpose: Purpose,
    /// The rules of resolution.
    pub standard: Standard,
    /// Which declarations of a base count.
    pub profile: Profile,
    /// Where links stand.
    pub table: Table,
    /// What was to become of references to the document itself.
    pub same_document: SameDocument,
    /// What was to become of the BASE.
    pub base_element: BaseElement,
    /// Whether targets were to be spelled in ASCII.
    pub spelling: Spelling,
    /// References that were to stay.
    pub keep: RegexSet,
    /// What was to become of references in header fields of messages.
    pub header_fields: HeaderFields,
    /// What was to become of what is signed.
    pub signatures: Signatures,
    /// The files of the input, links to which were to stay.
    pub local: LocalUrls,
    /// Whether the headers of HTTP responses declare a base.
    pub http_headers: HttpHeaders,
    /// What was to become of records whose digests do not fit.
    pub digests: Digests,
}

impl Default for Settings {
    /// As `absolve rewrite` without options.
    fn default() -> Self {
        Self {
            purpose: Purpose::Any,
            standard: Standard::Whatwg,
            profile: Profile::Layered,
            table: Table::default(),
            same_document: SameDocument::Keep,
            base_element: BaseElement::Keep,
            spelling: Spelling::AsWritten,
            keep: RegexSet::empty(),
            header_fields: HeaderFields::Keep,
            signatures: Signatures::Keep,
            local: LocalUrls::default(),
            http_headers: HttpHeaders::Ignore,
            digests: Digests::Heed,
        }
    }
}

/// The URLs of files of the input.
#[derive(Clone, Debug, Default)]
pub struct LocalUrls(HashSet<Vec<u8>>);

impl FromIterator<String> for LocalUrls {
    fn from_iter<T: IntoIterator<Item = String>>(urls: T) -> Self {
        Self(urls.into_iter().map(|url| file_of(&url)).collect())
    }
}

impl LocalUrls {
    /// Whether a URL is that of one of the files, however it is percent-encoded.
    pub(crate) fn contain(&self, url: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&file_of(url))
    }
}

/// What of a URL names a file, without percent-encoding.
fn file_of(url: &str) -> Vec<u8> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    unescaped(path.trim_end_matches('/'))
}

/// What the documents are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// For anything.
    Any,
    /// They are mailed: what stands in for a placeholder is absolute then, and needs no BASE.
    Mail,
}

/// The rules of resolution, and who judges by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standard {
    /// The URL Standard, by the `url` crate.
    Whatwg,
    /// Another one, step by step.
    Literal(literal::Standard),
}

/// Which declarations of a base count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// All of them.
    Layered,
    /// Of header fields only an absolute `Content-Location`.
    Rfc2557,
    /// Neither header fields nor `xml:base`.
    Browser,
}

/// What was to become of references to the document itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// They stay.
    Keep,
    /// They become absolute.
    Absolute,
}

/// What was to become of the BASE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaseElement {
    /// It stays, made absolute.
    Keep,
    /// It loses its href, or is put into a comment, unless something needs it.
    Remove,
}

/// How targets were to be spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// In the characters of the document.
    AsWritten,
    /// In ASCII.
    Ascii,
}

/// What was to become of references in header fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeaderFields {
    /// They stay.
    Keep,
    /// They become absolute.
    Absolute,
}

/// What was to become of signed and encrypted parts of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signatures {
    /// They stay.
    Keep,
    /// They change like others.
    Break,
    /// They stay, and so do messages with a signature of a server.
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

/// What was to become of records of web archives that tell other digests than those of what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digests {
    /// They stay.
    Heed,
    /// They change like others.
    Ignore,
}
