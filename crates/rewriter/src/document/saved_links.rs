//! Links of saved documents: they may lead to local copies, or be wrapped.

mod recorded;

use std::mem;

use absolve_links::{Link, Scope};
use absolve_resolver::BaseUrl;

use crate::document::base_element::is_of_base;
use crate::document::bases::own;
use crate::document::context::{DocumentContext, row_of};
use crate::provenance::local_copies::Copies;
use crate::provenance::marks::SavedBase;
use crate::provenance::retrieval::{Saver, Scheme, WaybackLinks};
use crate::provenance::saved_page::{Replay, SavedPage};
use crate::provenance::wayback::unwrapped;
use crate::provenance::zim;
use crate::report::{Cause, Status};

impl SavedPage {
    /// Returns whether links to a web archive become links to what was archived.
    pub(crate) fn unwraps(&self) -> bool {
        self.replay.as_ref().is_some_and(|replay| replay.links != WaybackLinks::Keep)
    }

    /// Returns the status of a link that is `status` with `target` by itself.
    pub(crate) fn classify(
        &self,
        context: &DocumentContext<'_, '_>,
        link: &Link,
        reference: &str,
        status: Status,
        target: &mut String,
    ) -> Status {
        let is_relative = matches!(status, Status::Relative | Status::Unresolved(_));
        let status = match &self.copies {
            Some(copies) if is_relative => copies.classify(context, link, reference, status, target),
            None if is_relative && self.base == Some(SavedBase::Lost) => Status::Unresolved(Cause::LocalCopy),
            _ => status,
        };
        match &self.replay {
            Some(replay) => {
                if status == Status::Relative && replay.links != WaybackLinks::Keep {
                    *target = replay.resolved(context, link, reference).unwrap_or_else(|| mem::take(target));
                }
                replay.classify(reference, status, target)
            }
            None => status,
        }
    }
}

impl Replay {
    /// Returns what the path of a reference means at what was archived: `..` ends at the root of the site, which is not that of the archive.
    fn resolved(&self, context: &DocumentContext<'_, '_>, link: &Link, reference: &str) -> Option<String> {
        let is_path = !reference.trim_start().starts_with(['/', '\\'])
            && !reference.contains(":/")
            && self.archives.iter().all(|archive| archive.at_host(reference).is_none());
        let base = context.base_of(link, reference).filter(|_| is_path)?.url.as_ref()?;
        let archived = BaseUrl::parse(unwrapped(base.as_str(), &self.archives)?, base.standard()).ok()?;
        archived.resolve(reference).ok()
    }

    /// Returns the status of a link in a document from an archive.
    fn classify(&self, reference: &str, status: Status, target: &mut String) -> Status {
        let mut status = status;
        if matches!(status, Status::Relative | Status::Unresolved(Cause::NoBase))
            && let Some(url) = self.archives.iter().find_map(|archive| archive.at_host(reference))
        {
            (status, *target) = (Status::Relative, url);
        }
        let meant = match status {
            Status::Relative => &**target,
            Status::Absolute => reference,
            _ => return status,
        };
        match unwrapped(meant, &self.archives).filter(|_| self.links != WaybackLinks::Keep) {
            Some(wrapped) => {
                let scheme = self.scheme.or_else(|| Scheme::of(meant)).filter(|_| wrapped.starts_with("//"));
                *target = scheme.map_or_else(String::new, |scheme| format!("{}:", scheme.name())) + wrapped;
                Status::Relative
            }
            None => status,
        }
    }
}

impl Copies {
    fn classify(
        &self,
        context: &DocumentContext<'_, '_>,
        link: &Link,
        reference: &str,
        status: Status,
        target: &mut String,
    ) -> Status {
        // wget2 keeps the BASE, and makes links relative to the file in spite of it.
        let is_beside_base = self.saver == Saver::Wget && context.has_base;
        if is_of_base(context.scan, link) {
            return if is_beside_base { status } else { Status::Kept };
        }
        // A base without paths is as it was.
        let is_as_archived = self.saver == Saver::Unpack && status == Status::Unresolved(Cause::OpaqueBase);
        if is_of_document(reference) || (context.has_base && !self.outlive_base()) || is_as_archived {
            return status;
        }
        let is_of_page = || {
            let scope = context.scan.scopes[link.scope];
            matches!(scope, Scope::Document | Scope::BeforeBase { .. } | Scope::CustomProperty { within: 0 })
        };
        let is_plain = self.saver == Saver::Unpack || is_of_page() && (is_beside_base || !context.has_base);
        let leads_to_copy = is_plain && self.are_meant_by(row_of(link, context.options));
        let of_entry = || match (self.saver, context.base_of(link, reference)?.url.as_ref()) {
            (Saver::Zim, Some(page)) => zim::target(page.as_str(), reference),
            _ => None,
        };
        let of_copy = || self.target(reference, context.options.rules).or_else(of_entry).filter(|_| leads_to_copy);
        // What wget does not convert is as it was. Later versions convert more places, and then the link names a file.
        let is_as_it_was = || {
            let path = &reference[..reference.find('#').unwrap_or(reference.len())];
            self.saver == Saver::Wget
                && (is_beside_base || self.is_listed && context.scan.base.is_none())
                && is_plain
                && !leads_to_copy
                && !self.files.contains(path)
        };
        let beside = || recorded::beside(context, self, link, reference);
        match self.original(link.range.start, reference).or_else(beside).or_else(of_copy) {
            Some(url) => {
                *target = url;
                Status::Relative
            }
            None if self.leave(reference) || is_as_it_was() || (self.saver == Saver::Zim && !leads_to_copy) => status,
            None => Status::Unresolved(Cause::LocalCopy),
        }
    }
}

/// Returns whether a link that is made absolute leads to no local copy, although others of its document do.
pub(crate) fn leads_to_no_copy(context: &DocumentContext<'_, '_>, status: Status, reference: &str) -> bool {
    let copies = context.part.saved.as_ref().and_then(|saved| saved.copies.as_ref());
    let is_of_document = || is_of_document(reference) || context.has_base;
    let is_left = |copies: &Copies| copies.saver != Saver::PerhapsBrowser && copies.leave(reference);
    status == Status::Relative && copies.is_some_and(|copies| is_left(copies) && !is_of_document())
}

/// Returns whether an absolute link leads to a query of the folder of its page in a mirror. wget2 makes such ones of `?q`, a query of the page.
pub(crate) fn may_be_query_of_page(context: &DocumentContext<'_, '_>, reference: &str) -> bool {
    let copies = context.part.saved.as_ref().and_then(|saved| saved.copies.as_ref());
    let page = context.part.retrievals.first().filter(|_| copies.is_some_and(|copies| copies.saver == Saver::Wget));
    let page = page.map_or("", |page| page.value.split(['?', '#']).next().unwrap_or_default());
    let folder = &page[..page.rfind('/').map_or(0, |slash| slash + 1)];
    folder != page && reference.strip_prefix(folder).is_some_and(|rest| rest.starts_with('?'))
}

/// Returns whether a link that is made absolute may have had another base: the program that saved its document removes a BASE, and
/// makes other links absolute or relative to copies itself.
pub(crate) fn may_lack_base(context: &DocumentContext<'_, '_>, link: &Link, status: Status) -> bool {
    if status != Status::Relative || context.has_base || is_of_base(context.scan, link) {
        return false;
    }
    let saved = context.part.saved.as_ref();
    let is_of_program = |copies: &Copies| copies.are_meant_by(row_of(link, context.options));
    (saved.is_some_and(|saved| saved.base == Some(SavedBase::Dropped)) || has_empty_base(context))
        && !saved.and_then(|saved| saved.copies.as_ref()).is_some_and(is_of_program)
}

/// Returns whether the BASE of a document is empty: GNU Wget empties it when it converts links.
pub(crate) fn has_empty_base(context: &DocumentContext<'_, '_>) -> bool {
    own(context.document, context.scan).is_some_and(|base| base.trim().is_empty())
}

/// Returns whether a reference in a page with local copies names no file of the input.
pub(crate) fn names_no_copy(context: &DocumentContext<'_, '_>, reference: &str) -> bool {
    let path = &reference[..reference.find('#').unwrap_or(reference.len())];
    let without_query = &path[..path.find('?').unwrap_or(path.len())];
    let copies = context.part.saved.as_ref().and_then(|saved| saved.copies.as_ref());
    copies.is_some_and(|copies| ![path, without_query].iter().any(|path| copies.files.contains(path)))
}

/// Returns whether a reference is by the author of the document, not by a program that saved it.
fn is_of_document(reference: &str) -> bool {
    reference.is_empty() || reference.starts_with(['/', '\\', '#'])
}
