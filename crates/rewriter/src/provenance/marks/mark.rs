//! What a mark says.

use absolve_base::UrlSource;

use crate::provenance::retrieval::{Links, Saver};
use crate::provenance::urls::is_page_url;
use crate::provenance::wayback::ArchivePrefix;

/// A mark of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) source: UrlSource,
    pub(crate) url: Result<String, Unused>,
    pub(crate) links: Links,
    /// What the program did to the BASE.
    pub(crate) base: Option<SavedBase>,
    /// The archive that the page is a copy of.
    pub(crate) archive: Option<ArchivePrefix>,
}

/// Why a mark gives no URL, what a user can mend first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unused {
    /// Its URL has no scheme.
    NoScheme,
    /// It declares another length than that of its URL.
    OtherLength,
    /// It names something else than an http or https URL of a page.
    NoPage,
    /// The browser that wrote it keeps no history, and names no page.
    Private,
    /// It marks a frame that has no URL of its own.
    Frame,
    /// It names nothing.
    Empty,
    /// The program writes no URL at all.
    Unmarked,
}

/// What became of the BASE of a page when it was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedBase {
    /// It was put into a comment.
    Commented(CommentedBase),
    /// Its `href` was removed.
    Lost,
    /// It was removed if there was one, so that nothing shows whether there was.
    Dropped,
    /// It is the second one: the program has put its own in front of the page.
    Second,
}

/// A BASE in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentedBase {
    /// What its `href` declares.
    pub value: String,
    /// Its first byte in the page.
    pub byte: usize,
}

pub(super) fn as_retrieved(source: UrlSource, url: &str) -> Mark {
    let url = Some(url.trim().to_owned()).filter(|url| is_page_url(url)).ok_or(Unused::NoPage);
    Mark { source, url, links: Links::AsRetrieved, base: None, archive: None }
}

pub(super) fn of_copy(source: UrlSource, url: &str, archive: ArchivePrefix) -> Mark {
    Mark { archive: Some(archive), ..as_retrieved(source, url) }
}

pub(super) fn local(source: UrlSource, saver: Saver, url: Result<&str, Unused>) -> Mark {
    let url = url.and_then(|url| as_retrieved(source, url).url);
    Mark { links: Links::Local(saver), url, ..as_retrieved(source, "") }
}
