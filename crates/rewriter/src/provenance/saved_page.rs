//! What a program has made of a page that it saved.

use crate::provenance::local_copies::Copies;
use crate::provenance::marks::CommentedBase;
use crate::provenance::retrieval::WaybackLinks;

/// What a program has made of a document that it saved.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedPage {
    /// The files around it, if its links lead to them.
    pub(crate) copies: Option<Copies>,
    /// The BASE that it had before.
    pub(crate) base: Option<CommentedBase>,
    /// Whether it had one that nobody knows.
    pub(crate) is_base_lost: bool,
    /// What links mean that the Wayback Machine has wrapped, if it has.
    pub(crate) wayback: Option<WaybackLinks>,
}

impl SavedPage {
    pub(crate) const fn is_something(&self) -> bool {
        self.copies.is_some() || self.base.is_some() || self.is_base_lost || self.wayback.is_some()
    }
}
