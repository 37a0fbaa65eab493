//! The origin of a document, by all its sources.

use std::sync::Arc;

use absolve_base::{Charset, Declaration, Retrieval, UrlSource};
use url::Url;

use crate::finding::{Code, Conflict, Finding, Remedy, Values};
use crate::provenance::marks::{Mark, SavedBase, Unused, marks_of};
use crate::provenance::retrieval::{Discover, Discovery, Known, Links, Originals, Saver, WaybackLinks};
use crate::provenance::saved_page::Replay;
use crate::provenance::urls::{decode_percent, is_page_url, without_login};
use crate::provenance::wayback::ArchivePrefix;

/// The origin of a document.
#[derive(Debug, Default)]
pub struct Origin {
    /// The retrieval URLs, the most trusted source first.
    pub retrievals: Vec<Retrieval>,
    /// What the program that saved it did to its links; `None` if it is unknown.
    pub(crate) links: Option<Links>,
    /// What its links were before.
    pub(crate) originals: Option<Arc<Originals>>,
    /// What became of its BASE when it was saved.
    pub base: Option<SavedBase>,
    /// Why a mark, which this source is, gives no URL.
    pub(crate) unused: Option<(Unused, UrlSource)>,
    /// How links of the archive are read, if it is from one.
    pub(crate) replay: Option<Replay>,
}

impl Origin {
    /// Returns the browser that saved the document with its files, also if it is in doubt.
    pub fn browser(&self) -> Option<Saver> {
        match self.links {
            Some(Links::Local(saver @ (Saver::Browser | Saver::PerhapsBrowser))) => Some(saver),
            _ => None,
        }
    }

    /// Returns whether a browser saved the document as a frame that has no URL of its own.
    pub fn is_frame_without_url(&self) -> bool {
        matches!(self.unused, Some((Unused::Frame, _)))
    }

    /// Returns the origin of a document in which a program may have recorded what links were. No mark may show another program.
    #[must_use]
    pub fn or_of_recorder(mut self, is_recorded: impl FnOnce() -> bool) -> Self {
        self.links = self.links.or_else(|| is_recorded().then_some(Links::Local(Saver::Recorder)));
        self
    }

    /// Returns whether the program that saved the document made its links lead elsewhere, so that its base alone says not what they mean.
    pub fn has_moved_links(&self) -> bool {
        let unwraps = |replay: &Replay| replay.links != WaybackLinks::Keep;
        self.base == Some(SavedBase::Lost)
            || matches!(self.links, Some(Links::Local(_)))
            || self.replay.as_ref().is_some_and(unwraps)
    }
}

/// Returns the origin of a document: by what is `known` of its file, by the marks in `page` (its HTML, if it is HTML),
/// and by the extended `attributes` of the file.
pub fn origin(known: &Known, page: Option<&[u8]>, attributes: Vec<Retrieval>, discovery: &Discovery) -> Origin {
    let Known { retrievals, links, originals } = known.clone();
    let mut origin = Origin { retrievals, links, originals, ..Origin::default() };
    if discovery.discover == Discover::Nothing {
        return origin;
    }
    let mut marked = None;
    for Mark { source, url, links, base, archive } in
        page.map(|page| marks_of(page, discovery.scheme)).unwrap_or_default()
    {
        origin.links.get_or_insert(links);
        origin.unused = origin.unused.into_iter().chain(url.as_ref().err().map(|why| (*why, source))).min();
        marked = marked.or(archive);
        origin.base = origin.base.or(base);
        origin.retrievals.extend(url.map(|url| Retrieval { source, url }));
    }
    origin.retrievals.extend(attributes);
    origin.retrievals.sort_by_key(|retrieval| retrieval.source);
    origin.replay = replay(marked, &origin.retrievals, &discovery.wayback);
    origin
}

/// Returns the archive that a document was retrieved from. Its URL shows it as well as the script that `marked` is of, which other
/// documents than pages do not have.
fn replay(marked: Option<ArchivePrefix>, retrievals: &[Retrieval], links: &WaybackLinks) -> Option<Replay> {
    let url = retrievals.first().map(|retrieval| &*retrieval.url);
    let of_copy = url.and_then(ArchivePrefix::of_copy);
    let given = match links {
        WaybackLinks::Unwrap(given) => given.clone(),
        WaybackLinks::Keep => None,
    };
    let archives: Vec<_> = of_copy.into_iter().chain(given).chain(marked).collect();
    (!archives.is_empty()).then(|| Replay::new(url, archives, links.clone()))
}

/// Returns a finding if the sources of the retrieval URL name different folders, in which links would have other
/// targets.
pub(crate) fn conflict(retrievals: &[Declaration]) -> Option<Finding> {
    let mut known = retrievals.iter().filter(|retrieval| retrieval.charset == Charset::Known);
    let first = known.next()?;
    let other = known.find(|other| folder(&other.value) != folder(&first.value))?;
    let retrieval = |declared: &Declaration| {
        Some(Retrieval { source: declared.source()?, url: without_login(&declared.value).into_owned() })
    };
    let conflict = Conflict { used: retrieval(first)?, other: retrieval(other)? };
    let finding = Finding::new(Code::UrlConflict, conflict.message(UrlSource::name));
    Some(Finding { values: Some(Box::new(Values::Conflict(conflict))), ..finding })
}

/// Returns a finding for a page with a mark, if that gives no URL and nothing else does.
pub(crate) fn mark_unused(origin: &Origin) -> Option<Finding> {
    let has_base = matches!(&origin.base, Some(SavedBase::Commented(base)) if is_page_url(&base.value));
    let (unused, source) = origin.unused.filter(|_| origin.retrievals.is_empty() && !has_base)?;
    let why = match unused {
        Unused::NoScheme => "has no scheme, so its URL does not count",
        Unused::OtherLength => "does not count: its URL has another length than it declares",
        Unused::NoPage => "does not count: it names no http or https URL, or one that is not UTF-8",
        Unused::Private => "names no page: the browser kept no history when it saved this one",
        Unused::Frame => "names no page: this is a frame with the base of the page that frames it, which is not known",
        Unused::Unmarked => return None,
        Unused::Empty => "shows that its links lead to copies, but nothing gives the URL of the page",
    };
    let finding = Finding::new(Code::UrlNotUsed, format!("{} {why}", source.name()));
    Some(if unused == Unused::NoScheme { finding.with_remedy(Remedy::NameScheme) } else { finding })
}

/// Returns the URL up to the last slash of the path, decoded.
fn folder(url: &str) -> Vec<u8> {
    let url = without_login(url);
    match Url::parse(&url).and_then(|url| url.join(".")) {
        Ok(folder) => decode_percent(folder.as_str()),
        Err(_) => url.into_owned().into_bytes(),
    }
}
