//! Where a document was retrieved from, by all that declare it.

use std::borrow::Cow;

use url::Url;

use crate::finding::{Code, Finding};
use crate::provenance::marks::{CommentedBase, Mark, SavedBase, marks_of};
use crate::provenance::retrieval::{Discover, Discovery, Known, Links, Retrieval, UrlSource, WaybackLinks};
use crate::provenance::urls::decode_percent;

/// All that is known of where a document comes from.
#[derive(Debug, Default)]
pub struct Origin {
    /// The most trusted one first.
    pub retrievals: Vec<Retrieval>,
    /// What has become of its links; `None` if nobody tells.
    pub(crate) links: Option<Links>,
    /// The BASE that it had before it was saved.
    pub base: Option<CommentedBase>,
    /// Whether it had a BASE that nobody knows.
    pub(crate) is_base_lost: bool,
    /// Whether a mark tells a URL without a scheme.
    pub(crate) lacks_scheme: bool,
    /// What links mean that the Wayback Machine has wrapped, if it has.
    pub(crate) wayback: Option<WaybackLinks>,
}

/// Returns where a document comes from, by all that is `known` of its file before that is read, by the marks in `page`, which is
/// its HTML, if it is some, and by the `attributes` that the file system keeps of it.
pub fn origin(known: &Known, page: Option<&[u8]>, attributes: Vec<Retrieval>, discovery: Discovery) -> Origin {
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
