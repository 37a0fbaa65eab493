//! Retrieval URLs and their sources.

use std::collections::HashMap;
use std::sync::Arc;

use crate::provenance::wayback::ArchivePrefix;

/// The source of a retrieval URL, the most trusted one first.
///
/// ```
/// use absolve_rewriter::UrlSource;
/// assert!(UrlSource::Urls < UrlSource::SingleFile);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UrlSource {
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
    /// The comment of HTTrack.
    Httrack,
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

impl UrlSource {
    /// All sources, the most trusted one first.
    pub const ALL: [Self; 21] = [
        Self::Urls,
        Self::Log,
        Self::Url,
        Self::Snapshot,
        Self::WarcTarget,
        Self::HttrackCache,
        Self::SingleFile,
        Self::SavePageWe,
        Self::Monolith,
        Self::MarkOfTheWeb,
        Self::WebScrapBook,
        Self::MaoXian,
        Self::Wayback,
        Self::Httrack,
        Self::OriginUrl,
        Self::WhereFroms,
        Self::ZoneIdentifier,
        Self::RequestedUrl,
        Self::Layout,
        Self::MessageUrl,
        Self::ArchivedAt,
    ];

    /// Returns whether the URL was found, so that only the program that saved the file knows whether it is right: neither the user nor a
    /// container declares it.
    ///
    /// ```
    /// use absolve_rewriter::UrlSource;
    /// assert!(UrlSource::Layout.is_found() && !UrlSource::Url.is_found());
    /// ```
    pub const fn is_found(self) -> bool {
        !matches!(self, Self::Urls | Self::Url | Self::Snapshot | Self::WarcTarget | Self::MessageUrl)
    }

    /// Returns whether the user gave a list with the URL of this file.
    ///
    /// ```
    /// assert!(absolve_rewriter::UrlSource::Log.is_listed());
    /// ```
    pub const fn is_listed(self) -> bool {
        matches!(self, Self::Urls | Self::Log)
    }

    /// Returns its name in reports.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::UrlSource::Url.name(), "--url");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Urls => "--urls",
            Self::Log => "the log in --urls",
            Self::Url => "--url",
            Self::Snapshot => "Snapshot-Content-Location",
            Self::WarcTarget => "WARC-Target-URI",
            Self::HttrackCache => "hts-cache/new.txt",
            Self::SingleFile => "the mark of SingleFile",
            Self::SavePageWe => "the mark of Save Page WE",
            Self::Monolith => "the mark of monolith",
            Self::MarkOfTheWeb => "the mark of the web",
            Self::WebScrapBook => "the mark of WebScrapBook",
            Self::MaoXian => "the mark of MaoXian",
            Self::Wayback => "the script of the Wayback Machine",
            Self::Httrack => "the comment of HTTrack",
            Self::OriginUrl => "user.xdg.origin.url",
            Self::WhereFroms => "kMDItemWhereFroms",
            Self::ZoneIdentifier => "Zone.Identifier",
            Self::RequestedUrl => "user.xdg.origin.url (the URL that curl requested, before redirects)",
            Self::Layout => "the place in the mirror",
            Self::MessageUrl => "--message-url",
            Self::ArchivedAt => "Archived-At",
        }
    }
}

/// A retrieval URL and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retrieval {
    /// Its source.
    pub source: UrlSource,
    /// The URL.
    pub url: String,
}

/// What the program that saved a document did to its relative links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Links {
    /// They are unchanged.
    AsRetrieved,
    /// They lead to local copies.
    Local(Saver),
}

/// A program that rewrites links to local copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Saver {
    /// `wget --convert-links`.
    Wget,
    /// HTTrack.
    Httrack,
    /// A browser.
    Browser,
    /// An extension of a browser.
    Extension,
}

/// Where retrieval URLs are searched that the user did not give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Discover {
    /// In marks of programs that save pages, and in their lists.
    #[default]
    Marks,
    /// Also in extended attributes of files, which get lost when they are copied.
    Attributes,
    /// Nowhere.
    Nothing,
}

impl Discover {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 3] =
        [("marks", Self::Marks), ("attributes", Self::Attributes), ("nothing", Self::Nothing)];
}

/// How retrieval URLs are found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Discovery {
    /// Where they are searched.
    pub discover: Discover,
    /// The scheme of URLs that are recorded without one.
    pub scheme: Option<Scheme>,
    /// How links of the Wayback Machine are read.
    pub wayback: WaybackLinks,
}

/// How links of the Wayback Machine and other archives are read, as in `/web/2008/http://h/x`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum WaybackLinks {
    /// As links to the Wayback Machine.
    #[default]
    Keep,
    /// As links to what was archived, also in an archive with this prefix.
    Unwrap(Option<ArchivePrefix>),
}

/// The origin of a file before it is read.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The retrieval URLs, the most trusted source first.
    pub retrievals: Vec<Retrieval>,
    /// What the program that saved it did to its links.
    pub links: Option<Links>,
    /// What its links were before, if that is recorded.
    pub originals: Option<Arc<Originals>>,
}

/// The links of a document to local copies, by their first bytes: the reference that a program wrote, and the original URL.
pub type Originals = HashMap<usize, (String, String)>;

/// The scheme of a mirror whose folders do not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// `http`
    Http,
    /// `https`
    Https,
}

impl Scheme {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Http, Self::Https];

    /// Returns its name in URLs.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::Scheme::Https.name(), "https");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// Returns the scheme of a URL.
    pub fn of(url: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| url.split("://").next() == Some(scheme.name()))
    }
}
