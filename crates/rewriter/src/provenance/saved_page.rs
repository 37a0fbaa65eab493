//! Documents saved by a program.

use crate::provenance::local_copies::Copies;
use crate::provenance::marks::SavedBase;
use crate::provenance::retrieval::{Scheme, WaybackLinks};
use crate::provenance::wayback::{ArchivePrefix, unwrapped};

/// What the program that saved a document did to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedPage {
    /// The local copies around it, if its links lead to them.
    pub(crate) copies: Option<Copies>,
    /// What became of its BASE.
    pub(crate) base: Option<SavedBase>,
    /// How links of the archive are read, if it is from one.
    pub(crate) replay: Option<Replay>,
}

/// The archive that a document was retrieved from.
#[derive(Clone, Debug)]
pub(crate) struct Replay {
    pub(crate) archives: Vec<ArchivePrefix>,
    pub(crate) links: WaybackLinks,
    /// The scheme of what was archived, for links without one.
    pub(crate) scheme: Option<Scheme>,
}

impl Replay {
    /// Returns the archive of a document that was retrieved from this URL.
    pub(crate) fn new(url: Option<&str>, archives: Vec<ArchivePrefix>, links: WaybackLinks) -> Self {
        let scheme = url.and_then(|url| Scheme::of(unwrapped(url, &archives).unwrap_or(url)));
        Self { archives, links, scheme }
    }
}

impl SavedPage {
    /// Returns a copy of an archive at this URL, whose links become those to what was archived.
    pub(crate) fn unwrapped(url: &str, given: Option<&ArchivePrefix>) -> Self {
        let archives = ArchivePrefix::all_of(url, given);
        let replay = Replay::new(Some(url), archives, WaybackLinks::Unwrap(given.cloned()));
        Self { replay: Some(replay), ..Self::default() }
    }

    pub(crate) const fn is_something(&self) -> bool {
        self.copies.is_some() || self.base.is_some() || self.replay.is_some()
    }
}
