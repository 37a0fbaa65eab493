//! Documents saved by a program.

use crate::provenance::local_copies::Copies;
use crate::provenance::marks::CommentedBase;
use crate::provenance::retrieval::WaybackLinks;

/// What the program that saved a document did to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedPage {
    /// The local copies around it, if its links lead to them.
    pub(crate) copies: Option<Copies>,
    /// Its BASE before.
    pub(crate) base: Option<CommentedBase>,
    /// Whether its BASE was removed.
    pub(crate) is_base_lost: bool,
    /// How links of the Wayback Machine are read, if it is from there.
    pub(crate) wayback: Option<WaybackLinks>,
}

impl SavedPage {
    pub(crate) const fn is_something(&self) -> bool {
        self.copies.is_some() || self.base.is_some() || self.is_base_lost || self.wayback.is_some()
    }
}
