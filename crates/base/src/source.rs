//! The sources of the retrieval URL. Their order is their rank.

use std::borrow::Cow;
use std::fmt;

/// The source of a retrieval URL, the most trusted one first.
///
/// This derived order is that of `docs/precedence.md`. No other code defines it.
///
/// ```
/// use absolve_base::UrlSource;
/// assert!(UrlSource::Urls < UrlSource::SingleFile);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UrlSource {
    /// The caller of the library, for one document.
    Caller,
    /// A list of the URLs of files.
    Urls,
    /// A log of wget with the URLs of files.
    Log,
    /// The user, for the whole input.
    Url,
    /// The field in which a browser declares the URL of the page that it saved as a message.
    Snapshot,
    /// The record of a web archive.
    WarcTarget,
    /// The list of files that HTTrack keeps of a mirror.
    HttrackCache,
    /// The list of members that SingleFile writes into a ZIP file.
    SingleFileManifest,
    /// The metadata of a page in the Mozilla Archive Format.
    Maff,
    /// The metadata of a page of ScrapBook.
    ScrapBook,
    /// The mark of SingleFile.
    SingleFile,
    /// The mark of Save Page WE.
    SavePageWe,
    /// The mark of monolith.
    Monolith,
    /// The mark of the web, by browsers that save a page with its files.
    MarkOfTheWeb,
    /// The mark of WebScrapBook.
    WebScrapBook,
    /// The mark of MaoXian Web Clipper.
    MaoXian,
    /// The script that the Wayback Machine puts into pages.
    Wayback,
    /// The script of pywb or wabac.js.
    Pywb,
    /// The script of warc2zim.
    Warc2zim,
    /// The comment of `lynx -source -base`.
    Lynx,
    /// The comment of HTTrack.
    Httrack,
    /// The saved page that shows the document in a frame, for one without a URL of its own.
    FramingPage,
    /// `user.xdg.origin.url` (freedesktop.org).
    OriginUrl,
    /// `com.apple.metadata:kMDItemWhereFroms`.
    WhereFroms,
    /// The `Zone.Identifier` of Windows in a file beside it.
    ZoneIdentifier,
    /// `user.xdg.origin.url` by curl: the requested URL, before redirects.
    RequestedUrl,
    /// The place of the file in a mirror.
    Layout,
    /// The user, for messages that declare none.
    MessageUrl,
    /// The `Archived-At` of a message (RFC 5064).
    ArchivedAt,
}

/// All sources with their names, in their order.
const SOURCES: [(UrlSource, &str); 29] = [
    (UrlSource::Caller, "the caller"),
    (UrlSource::Urls, "the list of URLs"),
    (UrlSource::Log, "the log of wget"),
    (UrlSource::Url, "the given URL"),
    (UrlSource::Snapshot, "Snapshot-Content-Location"),
    (UrlSource::WarcTarget, "WARC-Target-URI"),
    (UrlSource::HttrackCache, "hts-cache/new.txt"),
    (UrlSource::SingleFileManifest, "manifest.json of SingleFile"),
    (UrlSource::Maff, "index.rdf of MAFF"),
    (UrlSource::ScrapBook, "index.dat of ScrapBook"),
    (UrlSource::SingleFile, "the mark of SingleFile"),
    (UrlSource::SavePageWe, "the mark of Save Page WE"),
    (UrlSource::Monolith, "the mark of monolith"),
    (UrlSource::MarkOfTheWeb, "the mark of the web"),
    (UrlSource::WebScrapBook, "the mark of WebScrapBook"),
    (UrlSource::MaoXian, "the mark of MaoXian"),
    (UrlSource::Wayback, "the script of the Wayback Machine"),
    (UrlSource::Pywb, "the script of pywb"),
    (UrlSource::Warc2zim, "the script of warc2zim"),
    (UrlSource::Lynx, "the comment of lynx"),
    (UrlSource::Httrack, "the comment of HTTrack"),
    (UrlSource::FramingPage, "the page that frames it"),
    (UrlSource::OriginUrl, "user.xdg.origin.url"),
    (UrlSource::WhereFroms, "kMDItemWhereFroms"),
    (UrlSource::ZoneIdentifier, "Zone.Identifier"),
    (UrlSource::RequestedUrl, "user.xdg.origin.url (the URL that curl requested, before redirects)"),
    (UrlSource::Layout, "the place in the mirror"),
    (UrlSource::MessageUrl, "the given URL of messages"),
    (UrlSource::ArchivedAt, "Archived-At"),
];

impl UrlSource {
    /// Returns all sources, the most trusted one first.
    ///
    /// ```
    /// assert!(absolve_base::UrlSource::all().is_sorted());
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        SOURCES.into_iter().map(|(source, _)| source)
    }

    /// Returns its name. A program that takes the URL by an option may say how this is called instead.
    ///
    /// ```
    /// assert!(absolve_base::UrlSource::all().all(|source| !source.name().is_empty()));
    /// assert_eq!(absolve_base::UrlSource::ArchivedAt.name(), "Archived-At");
    /// ```
    pub const fn name(self) -> &'static str {
        SOURCES[self as usize].1
    }

    /// Returns whether the user or the caller gave the URL.
    ///
    /// ```
    /// use absolve_base::UrlSource;
    /// assert!(UrlSource::Url.is_given() && !UrlSource::Snapshot.is_given());
    /// ```
    pub const fn is_given(self) -> bool {
        matches!(self, Self::Caller | Self::Urls | Self::Log | Self::Url | Self::MessageUrl)
    }

    /// Returns whether the URL was found, so that only the program that saved the file knows whether it is right: neither the user nor a
    /// container declares it.
    ///
    /// ```
    /// use absolve_base::UrlSource;
    /// assert!(UrlSource::Layout.is_found() && !UrlSource::Url.is_found());
    /// ```
    pub const fn is_found(self) -> bool {
        matches!(self, Self::Log) || !(self.is_given() || matches!(self, Self::Snapshot | Self::WarcTarget))
    }

    /// Returns whether the user gave a list with the URL of this file.
    ///
    /// ```
    /// assert!(absolve_base::UrlSource::Log.is_listed());
    /// ```
    pub const fn is_listed(self) -> bool {
        matches!(self, Self::Urls | Self::Log)
    }
}

/// A retrieval URL and its source.
///
/// ```
/// use absolve_base::{Retrieval, UrlSource};
/// assert_eq!(Retrieval::given("http://h/").source, UrlSource::Caller);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retrieval {
    /// Its source.
    pub source: UrlSource,
    /// The URL.
    pub url: String,
}

impl Retrieval {
    /// Returns the URL that the caller gives for one document.
    pub fn given(url: impl Into<String>) -> Self {
        Self { source: UrlSource::Caller, url: url.into() }
    }
}

/// Where a base is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A place in a document or a header, such as `byte 57`.
    Text(Cow<'static, str>),
    /// The first byte of a field in a header.
    Field {
        /// The byte.
        byte: usize,
        /// The name of the header.
        header: Cow<'static, str>,
    },
    /// The source of the retrieval URL.
    Source(UrlSource),
}

impl Place {
    /// Sets the name of the header, if it is in one.
    ///
    /// ```
    /// let mut found = absolve_base::declarations_in_header(b"Base: http://h/\n", 0).remove(0);
    /// found.place.set_header("1.MIME");
    /// assert_eq!(found.place.to_string(), "byte 0 of 1.MIME");
    /// ```
    pub fn set_header(&mut self, name: &str) {
        if let Self::Field { header, .. } = self {
            *header = name.to_owned().into();
        }
    }
}

impl From<&'static str> for Place {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Place {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<UrlSource> for Place {
    fn from(source: UrlSource) -> Self {
        Self::Source(source)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Field { byte, header } => write!(formatter, "byte {byte} of {header}"),
            Self::Source(source) => formatter.write_str(source.name()),
        }
    }
}
