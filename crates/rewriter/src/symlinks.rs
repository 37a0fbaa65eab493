//! Symbolic links: where they lead, and what the documents mean that they lead to.
//!
//! A server shows a document that a link leads to at the URL of the link, and its relative links resolve there.

use std::fs;
use std::path::{Component, Path, PathBuf};

use absolve_links::Edits;

use crate::failure::caught;
use crate::file::{Holding, entity_of, read};
use crate::mirror::Mirror;
use crate::retrieval::{Known, Retrieval, url_below};
use crate::rewrite::{Report, edits_of};
use crate::{Code, Entry, EntryKind, Finding, Options};

/// What becomes of symbolic links within a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symlinks {
    /// They stay links.
    #[default]
    Keep,
    /// Documents and folders that they lead to are read and written as if they stood in the place of the link, with links
    /// that are right for the URL of that place. What leads out of the input, or to a folder around it, stays a link.
    Copy,
}

/// Returns whether a link at `path` below the root points above it, by its text alone.
pub(crate) fn leads_outside(source: &Path, path: &Path) -> bool {
    let Ok(target) = fs::read_link(source) else { return true };
    let mut depth = path.components().count() as isize - 1;
    for component in target.components() {
        match component {
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return true,
        }
        if depth < 0 {
            return true;
        }
    }
    false
}

/// Returns the path below `root`, without links in it, of what a link leads to; `None` if that is not below `root`, whose
/// own path without links is `canonical_root`.
pub(crate) fn target_below(root: &Path, canonical_root: &Path, source: &Path) -> Option<PathBuf> {
    Some(root.join(source.canonicalize().ok()?.strip_prefix(canonical_root).ok()?))
}

/// Returns the finding about a link that is kept, if a document that it leads to means something else at the URL of the
/// link.
pub(crate) fn finding(link: &Entry, mirror: &Mirror<'_>, options: &Options) -> Option<Finding> {
    let target = mirror.entry_at(link.leads_to.as_deref()?)?;
    let (what, differs) = match target.kind {
        EntryKind::Folder => {
            let url = &link.retrieval()?.url;
            let differs = mirror.entries_below(target).any(|entry| {
                let below = entry.source.strip_prefix(&target.source).unwrap_or(&entry.source);
                means_something_else(entry, Some(url_below(url, below)), mirror, options)
            });
            ("the folder ", differs)
        }
        _ => {
            let url = link.retrieval().map(|retrieval| retrieval.url.clone());
            ("", means_something_else(target, url, mirror, options))
        }
    };
    let message = format!(
        "a symbolic link to {what}{}: links of documents are made absolute there, for that place, and mean something else \
         than at the URL of this one; --symlinks copy writes files of their own",
        target.name.display()
    );
    differs.then(|| Finding::new(Code::SymlinkKept, message))
}

/// Returns whether the links of a document become others when it was retrieved from this URL.
fn means_something_else(entry: &Entry, url: Option<String>, mirror: &Mirror<'_>, options: &Options) -> bool {
    if url.as_deref() == entry.retrieval().map(|retrieval| &*retrieval.url) {
        return false;
    }
    let source = entry.retrieval().map_or(crate::UrlSource::Url, |retrieval| retrieval.source);
    let retrievals = url.map(|url| Retrieval { source, url }).into_iter().collect();
    let elsewhere = Entry { known: Known { retrievals, links: entry.known.links }, ..entry.clone() };
    let mut bytes = Vec::new();
    let Ok(holding @ (Holding::Document(_) | Holding::Message)) = read(entry, &mut bytes) else { return false };
    let edits = |entry: &Entry| -> Option<Edits> {
        let entity = entity_of(entry, &bytes, holding, mirror)?;
        Some(edits_of(&entity, options, &mut Report::default()))
    };
    caught(|| edits(entry) != edits(&elsewhere)).unwrap_or(false)
}
