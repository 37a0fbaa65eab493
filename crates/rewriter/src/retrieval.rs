//! Where a document was retrieved from: who says so, whom of them to believe, and what the program that saved it has
//! made of its links.

pub(crate) mod attributes;
pub(crate) mod httrack;
mod known;
mod layout;
mod mark;
mod property_list;
mod table;
mod table_lines;
pub(crate) mod wayback;
mod wget_log;

use std::borrow::Cow;
use std::path::{Component, Path};

pub(crate) use known::note_retrievals;
use layout::Names;
pub use layout::{Layout, Scheme};
pub(crate) use mark::{BYTES_OF_MARKS, CommentedBase};
use mark::{Mark, SavedBase, marks_of};
pub use table::{UrlTable, read_urls};

use url::Url;

use crate::local::decode_percent;
use crate::{Code, Finding};

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
pub(crate) enum Links {
    /// They are as they were retrieved.
    AsRetrieved,
    /// They lead to copies beside the document.
    Local(Saver),
}

/// A program that makes links lead to copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Saver {
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
pub(crate) struct Known {
    /// Where it was retrieved from, the most trusted one first.
    pub(crate) retrievals: Vec<Retrieval>,
    /// What has become of its links.
    pub(crate) links: Option<Links>,
}

/// All that is known of where a document comes from.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// The most trusted one first.
    pub(crate) retrievals: Vec<Retrieval>,
    /// What has become of its links; `None` if nobody tells.
    pub(crate) links: Option<Links>,
    /// The BASE that it had before it was saved.
    pub(crate) base: Option<CommentedBase>,
    /// Whether it had a BASE that nobody knows.
    pub(crate) is_base_lost: bool,
    /// Whether a mark tells a URL without a scheme.
    pub(crate) lacks_scheme: bool,
    /// What links mean that the Wayback Machine has wrapped, if it has.
    pub(crate) wayback: Option<WaybackLinks>,
}

/// Returns where a document comes from, by all that is `known` of its file before that is read, by the marks in `page`, which is
/// its HTML, if it is some, and by the `attributes` that the file system keeps of it.
pub(crate) fn origin(known: &Known, page: Option<&[u8]>, attributes: Vec<Retrieval>, discovery: Discovery) -> Origin {
    let Known { retrievals, links } = known.clone();
    let mut origin = Origin { retrievals, links, ..Origin::default() };
    if discovery.discover == Discover::Nothing {
        return origin;
    }
    for Mark { source, url, links, base } in page.map(|page| marks_of(page, discovery.scheme)).unwrap_or_default() {
        origin.links.get_or_insert(links);
        origin.lacks_scheme |= source == UrlSource::Httrack && url.is_none() && discovery.scheme.is_none();
        if source == UrlSource::Wayback {
            origin.wayback = Some(discovery.wayback);
        }
        match base {
            Some(SavedBase::Lost) => origin.is_base_lost = true,
            Some(SavedBase::Commented(base)) => {
                origin.base.get_or_insert(base);
            }
            None => {}
        }
        origin.retrievals.extend(url.map(|url| Retrieval { source, url }));
    }
    origin.retrievals.extend(attributes);
    origin.retrievals.sort_by_key(|retrieval| retrieval.source);
    origin
}

/// What is told when those who say where a document was retrieved from name different folders, by which its links would
/// mean different things.
pub(crate) fn conflict(retrievals: &[Retrieval]) -> Option<Finding> {
    let (first, others) = retrievals.split_first()?;
    let other = others.iter().find(|other| folder(&other.url) != folder(&first.url))?;
    let (one, another) = (first.source.name(), other.source.name());
    let (url, other_url) = (without_login(&first.url), without_login(&other.url));
    let message = format!("{one} says that it was retrieved from {url}, {another} from {other_url}; {one} counts");
    Some(Finding::new(Code::UrlConflict, message))
}

/// What is told of a page whose only mark names no scheme.
pub(crate) fn scheme_not_told(origin: &Origin) -> Option<Finding> {
    let is_untold = origin.lacks_scheme && origin.retrievals.is_empty();
    let message = "the comment of HTTrack names no scheme, so its URL does not count; --scheme tells it";
    is_untold.then(|| Finding::new(Code::UrlNotUsed, message))
}

/// Up to the last slash of the path, however it is written.
fn folder(url: &str) -> Vec<u8> {
    let url = without_login(url);
    match Url::parse(&url).and_then(|url| url.join(".")) {
        Ok(folder) => decode_percent(folder.as_str()),
        Err(_) => url.into_owned().into_bytes(),
    }
}

/// A URL without a user name and a password.
fn without_login(url: &str) -> Cow<'_, str> {
    let start = url.find("://").map_or(0, |colon| colon + 3);
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |end| start + end);
    match url[start..end].rfind('@') {
        Some(at) => Cow::Owned([&url[..start], &url[start + at + 1..]].concat()),
        None => Cow::Borrowed(url),
    }
}

/// Whether pages are retrieved from such URLs; anybody may have written the mark.
pub(crate) fn is_page_url(url: &str) -> bool {
    let start = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    // The last one stands where bytes were no text.
    let is_plain = |character: char| !character.is_whitespace() && !character.is_control() && character != '\u{FFFD}';
    let is_here = ["http://localhost", "http://localhost/"].contains(&url);
    (start.starts_with("http://") || start.starts_with("https://")) && url.chars().all(is_plain) && !is_here
}

/// The URL of the file at `path` below a folder whose URL is `root`: the path is appended, percent-encoded
/// byte by byte. A root without a trailing slash gets one, for it names a folder.
///
/// ```
/// use absolve_rewriter::url_below;
/// assert_eq!(url_below("http://h/docs", "a b/c.html".as_ref()), "http://h/docs/a%20b/c.html");
/// ```
pub fn url_below(root: &str, path: &Path) -> String {
    let end = root.find(['?', '#']).unwrap_or(root.len());
    let mut url = root[..end].to_owned();
    for component in path.components() {
        let Component::Normal(name) = component else { continue };
        if !url.ends_with('/') {
            url.push('/');
        }
        url.push_str(&escaped(name.as_encoded_bytes(), b""));
    }
    url
}

/// A name as a segment of a path, with `kept` left as it is as well.
fn escaped(name: &[u8], kept: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(byte) || kept.contains(byte) {
            text.push(char::from(*byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// The names of a path with slashes between them; `None` if one of them is no UTF-8.
pub(crate) fn slashed(path: &Path) -> Option<String> {
    let names: Option<Vec<&str>> = path.components().map(|name| name.as_os_str().to_str()).collect();
    Some(names?.join("/"))
}
