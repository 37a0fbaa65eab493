//! The documents of a message, with links that are absolute or lead to its parts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use absolve_rewriter::{Code, Counts, Entity, Finding, PinnedLink, Report, rewrite};

use crate::gather::Gathered;
use crate::id::content_ids;
use crate::request::{Format, Request};
use crate::resource::{EmbeddedLink, File, Resource};
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
    let Gathered { embedded_links, files, findings, candidates } = gathered;
    let ids = content_ids(page, &files);
    let mut work = Work { files: &files, ids: &ids, request, counts: Counts::default(), findings, pins: Vec::new() };
    let page = work.rewritten(page, path, &embedded_links);
    let rewritten_file =
        |file: &File| tree.look(file, &mut |document| work.rewritten(document, &file.path, &file.embedded_links));
    let changed: Vec<Option<Vec<u8>>> = files.iter().map(rewritten_file).collect();
    let Work { mut counts, findings, pins, .. } = work;
    counts.rewritten = counts.rewritten.saturating_sub(candidates);

    let all_links = || embedded_links.iter().chain(files.iter().flat_map(|file| &file.embedded_links));
    let mut links = vec![0; files.len()];
    all_links().for_each(|link| links[link.file] += 1);
    let resources: Vec<Resource> = files
        .into_iter()
        .zip(ids)
        .zip(changed)
        .zip(links)
        .map(|(((file, content_id), changed), links)| {
            let File { path, location, media_type, bytes, leaves_links, .. } = file;
            let is_changed = changed.as_ref().is_some_and(|changed| *changed != bytes);
            let bytes = changed.unwrap_or(bytes);
            Resource { path, location, content_id, media_type, bytes, is_changed, leaves_links, links }
        })
        .collect();
    Rewritten { page, resources, counts, findings, pins }
}

/// The input of the rewriting, and its report.
struct Work<'w> {
    files: &'w [File],
    ids: &'w [String],
    request: &'w Request,
    counts: Counts,
    findings: Vec<(PathBuf, Finding)>,
    /// Links with subresource integrity, with the path of their document.
    pins: Vec<(PathBuf, PinnedLink)>,
}

impl Work<'_> {
    fn rewritten(&mut self, document: &Entity<'_>, path: &Path, embedded_links: &[EmbeddedLink]) -> Vec<u8> {
        // A browser finds a part by the URL of the link anyway.
        let is_by_id =
            |link: &&EmbeddedLink| self.request.format == Format::Eml || self.files[link.file].location.is_none();
        let target = |link: &EmbeddedLink| (link.start, format!("cid:{}{}", self.ids[link.file], link.fragment));
        let by_id = embedded_links.iter().filter(is_by_id);
        let targets: HashMap<usize, String> = by_id.clone().map(target).collect();
        // The message declares the charset of what links to its parts.
        let document = match targets.is_empty() {
            true => Cow::Borrowed(document),
            false => {
                let charset = document.document(&document.parts[0]).encoding().name();
                Cow::Owned(document.clone().with_charset(charset).with_targets(targets))
            }
        };
        let (mut report, mut bytes) = (Report::default(), Vec::new());
        rewrite(&document, &self.request.options, &mut report, &mut bytes);
        report.counts.rewritten = report.counts.rewritten.saturating_sub(by_id.count() as u64);
        self.counts += report.counts;
        self.findings.extend(report.findings.into_iter().map(|finding| (path.to_owned(), finding)));
        self.pins.extend(report.pins.into_iter().map(|pin| (path.to_owned(), pin)));
        bytes
    }
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
