//! Where a document was retrieved from: the declarations of it, the most trusted one first.

/// Who says where a document was retrieved from, the most trusted one first.
///
/// ```
/// use absolve_rewriter::UrlSource;
/// assert!(UrlSource::Urls < UrlSource::SingleFile);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UrlSource {
    /// A file that tells the URL of each file.
    Urls,
    /// The user, of the whole input.
    Url,
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
    /// `user.xdg.origin.url` by curl, which tells what it was asked for, before redirects.
    RequestedUrl,
    /// The place of the file in a mirror.
    Layout,
}

impl UrlSource {
    /// Who it is, in words for reports.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::UrlSource::Url.name(), "--url");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Urls => "--urls",
            Self::Url => "--url",
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
            Self::RequestedUrl => "user.xdg.origin.url (what curl was asked for, before redirects)",
            Self::Layout => "--layout",
        }
    }
}

/// Where a document was retrieved from, by one who says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retrieval {
    /// Who says so.
    pub source: UrlSource,
    /// The URL.
    pub url: String,
}

/// What the program that saved a document has made of its relative links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Links {
    /// They are as they were retrieved.
    AsRetrieved,
    /// They lead to copies beside the document.
    Local(Saver),
}

/// A program that makes links lead to copies.
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

/// Where the URL is looked for that a file was retrieved from, when nobody tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Discover {
    /// In what programs that save pages write into them, or beside them.
    #[default]
    Marks,
    /// There, and in what file systems note of files; that gets lost when they are copied.
    Attributes,
    /// Nowhere.
    Nothing,
}

/// How the URL of a file is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Discovery {
    /// Where it is looked for.
    pub discover: Discover,
    /// The scheme of URLs that are noted without one.
    pub scheme: Option<Scheme>,
    /// Whether links that the Wayback Machine has wrapped mean what they wrap.
    pub wayback: WaybackLinks,
}

/// What links mean that the Wayback Machine has wrapped, as in `/web/2008/http://h/x`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WaybackLinks {
    /// The copy in the Wayback Machine.
    #[default]
    Keep,
    /// What was archived.
    Unwrap,
}

/// What is known of a file before it is read.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Where it was retrieved from, the most trusted one first.
    pub retrievals: Vec<Retrieval>,
    /// What has become of its links.
    pub links: Option<Links>,
}

/// The scheme of the URLs of a mirror whose folders do not tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// `http`
    Http,
    /// `https`
    Https,
}

impl Scheme {
    /// As in URLs.
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

    /// The scheme of a URL.
    pub fn of(url: &str) -> Option<Self> {
        [Self::Http, Self::Https].into_iter().find(|scheme| url.split("://").next() == Some(scheme.name()))
    }
}
