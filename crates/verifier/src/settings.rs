//! The options of the rewrite to verify.

use std::collections::HashSet;

use absolve_links::{Patterns, Table};
pub use absolve_options::{
    BaseElement, Digests, FeedBase, HeaderFields, HttpHeaders, Profile, Purpose, RelativeLinks, SameDocument,
    Signatures, Spelling,
};
pub use absolve_resolver::Standard;
use percent_encoding::percent_decode_str;

pub use crate::map::Map;

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
    /// Relative links.
    pub relative_links: RelativeLinks,
    /// Where targets lead instead.
    pub map: Map,
    /// The URL, with a slash at its end, below which references that begin with one slash resolve.
    pub root: Option<String>,
    /// The URL of the folder of embedded images.
    pub images_url: Option<String>,
    /// The folder that it stands for; else that of each document.
    pub images_of: Option<String>,
    /// The BASE.
    pub base_element: BaseElement,
    /// The base of the content of items of feeds.
    pub feed_base: FeedBase,
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
    /// The date of the records that the run added to web archives, if the user gave it: as in `2024-01-01T00:00:00Z`.
    pub record_date: Option<String>,
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
            relative_links: RelativeLinks::Absolute,
            map: Map::default(),
            root: None,
            images_url: None,
            images_of: None,
            base_element: BaseElement::Keep,
            feed_base: FeedBase::Feed,
            spelling: Spelling::AsWritten,
            keep: Patterns::default(),
            header_fields: HeaderFields::Keep,
            message_url: MessageUrl::None,
            signatures: Signatures::Keep,
            local: LocalUrls::default(),
            http_headers: HttpHeaders::Ignore,
            digests: Digests::Check,
            record_date: None,
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
    percent_decode_str(path.trim_end_matches('/')).collect()
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
