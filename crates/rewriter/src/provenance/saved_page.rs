//! Documents saved by a program.

use crate::provenance::local_copies::Copies;
use crate::provenance::marks::CommentedBase;
use crate::provenance::retrieval::WaybackLinks;
use crate::provenance::wayback::ArchivePrefix;

/// What the program that saved a document did to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedPage {
    /// The local copies around it, if its links lead to them.
    pub(crate) copies: Option<Copies>,
    /// Its BASE before.
    pub(crate) base: Option<CommentedBase>,
    /// Whether its BASE was removed.
    pub(crate) is_base_lost: bool,
    /// How links of the archive are read, if it is from one.
    pub(crate) replay: Option<Replay>,
}

/// The archive that a document was retrieved from.
#[derive(Clone, Debug)]
pub(crate) struct Replay {
    pub(crate) archives: Vec<ArchivePrefix>,
    pub(crate) links: WaybackLinks,
}

impl SavedPage {
    /// Returns a copy of an archive at this URL, whose links become those to what was archived.
    pub(crate) fn unwrapped(url: &str, given: Option<&ArchivePrefix>) -> Self {
        let archives = ArchivePrefix::all_of(url, given);
        let replay = Replay { archives, links: WaybackLinks::Unwrap(given.cloned()) };
        Self { replay: Some(replay), ..Self::default() }
    }

    pub(crate) const fn is_something(&self) -> bool {
        self.copies.is_some() || self.base.is_some() || self.is_base_lost || self.replay.is_some()
    }
}
