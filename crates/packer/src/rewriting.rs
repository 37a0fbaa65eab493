//! The documents of a message, with links that are absolute or lead to its parts.

mod moved;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use absolve_rewriter::internal::{Entity, PinnedLink, Report, rewrite};
use absolve_rewriter::{Code, Counts, Finding};

use crate::gather::{Gathered, leaves_links};
use crate::id::content_ids;
use crate::request::{Format, Request};
use crate::resource::{EmbeddedLink, Resource};
use crate::rewriting::moved::moved;
use crate::tree::Tree;

/// The documents and files of a message.
#[derive(Debug)]
pub(crate) struct Rewritten {
    /// The document itself.
    pub(crate) page: Vec<u8>,
    pub(crate) resources: Vec<Resource>,
    /// Links that became `cid:` are not among the rewritten ones.
    pub(crate) counts: Counts,
    pub(crate) findings: Vec<(PathBuf, Finding)>,
    /// Links with subresource integrity, with the path of their document.
    pub(crate) pins: Vec<(PathBuf, PinnedLink)>,
    /// Whether the document has links that stay relative, because their original targets are not known.
    pub(crate) leaves_links: bool,
}

/// Rewrites the links of the document at `path`, and of the files that it loads: they become absolute or lead to the
/// parts of the message.
pub(crate) fn rewritten(
    page: &Entity<'_>,
    path: &Path,
    gathered: Gathered,
    tree: &Tree,
    request: &Request,
) -> Rewritten {
    let Gathered { embedded_links, mut files, findings, candidates } = gathered;
    let ids = content_ids(page, &files);
    files.iter_mut().zip(ids).for_each(|(file, id)| file.content_id = id);
    let mut work = Rewriting { files: &files, request, counts: Counts::default(), findings, pins: Vec::new() };
    let bytes = work.rewritten(page, path, &embedded_links);
    let rewritten_file = |file: &Resource| {
        let looked = tree.look(file, &mut |document| {
            (work.rewritten(document, &file.path, &file.embedded_links), work.within_page(document, file, path))
        });
        looked.map_or((None, None), |(bytes, within_page)| (Some(bytes), within_page))
    };
    let changed: Vec<(Option<_>, Option<_>)> = files.iter().map(rewritten_file).collect();
    let Rewriting { mut counts, findings, pins, .. } = work;
    counts.rewritten = counts.rewritten.saturating_sub(candidates);

    let own_links = files.iter().flat_map(|file| &file.embedded_links);
    let links: Vec<usize> = embedded_links.iter().chain(own_links).map(|link| link.file).collect();
    links.into_iter().for_each(|file| files[file].links += 1);
    for (file, (changed, within_page)) in files.iter_mut().zip(changed) {
        file.within_page = within_page;
        if let Some(changed) = changed {
            file.is_changed = changed != file.bytes;
            file.bytes = changed;
        }
    }
    let leaves_links = leaves_links(page, request);
    Rewritten { page: bytes, resources: files, counts, findings, pins, leaves_links }
}

/// The input of the rewriting, and its report.
struct Rewriting<'w> {
    files: &'w [Resource],
    request: &'w Request,
    counts: Counts,
    findings: Vec<(PathBuf, Finding)>,
    /// Links with subresource integrity, with the path of their document.
    pins: Vec<(PathBuf, PinnedLink)>,
}

impl Rewriting<'_> {
    fn rewritten(&mut self, document: &Entity<'_>, path: &Path, embedded_links: &[EmbeddedLink]) -> Vec<u8> {
        let targets = self.targets(embedded_links);
        let by_id = targets.len() as u64;
        let (mut report, mut bytes) = (Report::default(), Vec::new());
        rewrite(&with_targets(document, targets), &self.request.options, &mut report, &mut bytes);
        report.counts.rewritten = report.counts.rewritten.saturating_sub(by_id);
        self.counts += report.counts;
        self.findings.extend(report.findings.into_iter().map(|finding| (path.to_owned(), finding)));
        self.pins.extend(report.pins.into_iter().map(|pin| (path.to_owned(), pin)));
        bytes
    }

    /// Returns the targets of links that lead to parts by their ids.
    fn targets(&self, embedded_links: &[EmbeddedLink]) -> HashMap<usize, String> {
        // A browser finds a part by the URL of the link anyway.
        let is_by_id =
            |link: &&EmbeddedLink| self.request.format == Format::Eml || self.files[link.file].location.is_none();
        let target =
            |link: &EmbeddedLink| (link.start, format!("cid:{}{}", self.files[link.file].content_id, link.fragment));
        embedded_links.iter().filter(is_by_id).map(target).collect()
    }

    /// Returns the bytes of a style as they are put into the page at `page`, if they are others there.
    fn within_page(&self, document: &Entity<'_>, file: &Resource, page: &Path) -> Option<Vec<u8>> {
        let is_style = self.request.format == Format::Eml && file.media_type == "text/css";
        let moved = if is_style { moved(document, &file.path, page, &self.request.options) } else { HashMap::new() };
        if moved.is_empty() {
            return None;
        }
        let mut targets = moved;
        targets.extend(self.targets(&file.embedded_links));
        let mut bytes = Vec::new();
        rewrite(&with_targets(document, targets), &self.request.options, &mut Report::default(), &mut bytes);
        Some(bytes)
    }
}

/// Returns a document with these targets. The message declares the charset of what links to its parts.
fn with_targets<'d>(document: &'d Entity<'d>, targets: HashMap<usize, String>) -> Cow<'d, Entity<'d>> {
    if targets.is_empty() {
        return Cow::Borrowed(document);
    }
    let charset = document.document(&document.parts[0]).encoding().name();
    Cow::Owned(document.clone().with_charset(charset).with_targets(targets))
}

/// Returns a finding if the integrity hash of a link covers a part that changes.
pub(crate) fn pinned(pin: &PinnedLink, resources: &[Resource]) -> Option<Finding> {
    let is_pinned = |resource: &&Resource| {
        resource.location.as_ref() == Some(&pin.url) || pin.url.strip_prefix("cid:") == Some(&*resource.content_id)
    };
    let changed = resources.iter().filter(is_pinned).find(|resource| resource.is_changed)?;
    let message = format!("its integrity hash covers {}, which changes", changed.path.display());
    Some(Finding { position: pin.position, ..Finding::new(Code::Integrity, message).at(pin.byte) })
}
