//! What a report takes of a document.

use absolve_base::{Declared, Layer};

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
    /// Whether it was read, or left alone.
    pub reading: Reading,
    /// Its base; empty if there is none.
    pub base: &'d str,
    /// The layer that declared the base.
    pub layer: Layer,
    /// The numbers of its links.
    pub counts: Counts,
    /// The codes of its findings.
    pub findings: Vec<&'d str>,
    /// All declarations of its base, innermost first.
    pub declared: &'d [Declared],
    /// Its first links.
    pub links: Vec<Link<'d>>,
    /// The hosts that its links lead to.
    pub hosts: Vec<Host<'d>>,
}

impl<'d> Document<'d> {
    /// Returns a document without a base, links and findings.
    pub const fn new(path: &'d str, media_type: &'d str) -> Self {
        Self {
            path,
            record: "",
            part: "",
            media_type,
            reading: Reading::Read,
            base: "",
            layer: Layer::None,
            counts: Counts { links: 0, changed: 0, absolute: 0, same_document: 0, kept: 0, unresolved: 0 },
            findings: Vec::new(),
            declared: &[],
            links: Vec::new(),
            hosts: Vec::new(),
        }
    }

    /// Returns whether there is something to see: a finding, a link without a target, a base that its retrieval URL is not.
    pub(crate) fn is_notable(&self) -> bool {
        let is_odd = self.layer != Layer::Retrieval || self.declared.len() > 1;
        !self.findings.is_empty() || self.counts.unresolved > 0 || (is_odd && self.counts.links > 0)
    }
}

/// Whether a document was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Its links were looked at.
    #[default]
    Read,
    /// It was left alone; its findings have the reason.
    LeftUnread,
}

/// The numbers of links by what happened to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub links: u64,
    /// Those that were made absolute, that were proven, or that are to become absolute.
    pub changed: u64,
    /// Those that were absolute before.
    pub absolute: u64,
    /// Those to the document itself.
    pub same_document: u64,
    /// Those that are kept on purpose.
    pub kept: u64,
    /// Those without a target, which stay relative.
    pub unresolved: u64,
}

/// A link before and after.
#[derive(Clone, Copy, Debug)]
pub struct Link<'d> {
    /// The reference as it was.
    pub before: &'d str,
    /// The target that it was given, if any.
    pub after: Option<&'d str>,
    /// What happened to it, in a word.
    pub status: &'d str,
}

/// The links of a document to a host.
#[derive(Clone, Copy, Debug)]
pub struct Host<'d> {
    /// The name of the host, in lower case.
    pub name: &'d str,
    /// Links that were absolute before.
    pub absolute: u64,
    /// Links that were made absolute.
    pub changed: u64,
}
