//! Retrieval URLs and their sources.

use std::collections::HashMap;
use std::sync::Arc;

use absolve_base::Retrieval;

use crate::provenance::wayback::ArchivePrefix;

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
    /// A browser, or nothing: an author may have named the files as a browser names copies.
    PerhapsBrowser,
    /// An extension of a browser.
    Extension,
    /// A program that records the URL of the page, or what links to copies were, and leaves the other relative links unchanged.
    Recorder,
    /// `absolve unpack`, of web archives.
    Unpack,
    /// warc2zim.
    Zim,
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
    /// assert_eq!(absolve_rewriter::internal::Scheme::Https.name(), "https");
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
