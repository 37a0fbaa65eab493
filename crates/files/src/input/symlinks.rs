//! Symbolic links: where they lead, and what the documents mean that they lead to.
//!
//! A server shows a document that a link leads to at the URL of the link, and its relative links resolve there.

use std::fs;
use std::path::{Component, Path, PathBuf};

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
