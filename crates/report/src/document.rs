//! What a report takes of a document.

use absolve_base::{Declared, Layer, Place};
use absolve_rewriter::Counts;
use absolve_rewriter::results::Shown;

/// A document, and what came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document<'d> {
    /// The name of its file.
    pub path: &'d str,
    /// The record of the container; empty for a file that holds one record.
    pub record: &'d str,
    /// The part of the message; empty for a bare file.
    pub part: &'d str,
    /// Its media type; empty if the file holds no document of a known type.
    pub media_type: &'d str,
    /// Its base; empty if there is none.
    pub base: &'d str,
    /// The layer that declared the base.
    pub layer: Layer,
    /// The numbers of its links. Without a document, it was left unread, and its findings have the reason.
    pub counts: Counts,
    /// The codes of its findings.
    pub findings: Vec<&'d str>,
    /// The declarations of its base, its first links, and the hosts that its links lead to.
    pub shown: Option<&'d Shown>,
    /// Returns the place of a declaration in the words of the page.
    pub word_place: fn(&Place) -> Place,
}

impl<'d> Document<'d> {
    /// Returns a document that was read, without a base, links and findings.
    pub fn new(path: &'d str, media_type: &'d str) -> Self {
        Self {
            path,
            record: "",
            part: "",
            media_type,
            base: "",
            layer: Layer::None,
            counts: Counts { documents: 1, ..Counts::default() },
            findings: Vec::new(),
            shown: None,
            word_place: Place::clone,
        }
    }

    /// Returns all declarations of its base, innermost first.
    pub(crate) fn declared(&self) -> &'d [Declared] {
        self.shown.map_or(&[], |shown| &shown.declared)
    }

    /// Returns whether there is something to see: a finding, a link without a target, a base that its retrieval URL is not.
    pub(crate) fn is_notable(&self) -> bool {
        let is_odd = self.layer != Layer::Retrieval || self.declared().len() > 1;
        !self.findings.is_empty() || self.counts.unresolved > 0 || (is_odd && self.counts.links > 0)
    }
}
