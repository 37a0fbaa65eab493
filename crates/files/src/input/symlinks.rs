//! Symbolic links and their targets.
//!
//! A web server serves the target of a symbolic link at the URL of the link, and its relative links resolve there.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Whether symbolic links in a folder are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symlinks {
    /// They are copied as links.
    #[default]
    Keep,
    /// Their targets are read and written at the path of the link, with links resolved for the URL of that path. A link
    /// to a target outside the input, or to a folder that contains the link, is copied as a link.
    Copy,
}

impl Symlinks {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("copy", Self::Copy), ("keep", Self::Keep)];
}

/// Returns whether the path in a symbolic link is absolute or leads above the root, by its text alone. `path` is relative to the root.
pub(crate) fn points_outside(source: &Path, path: &Path) -> bool {
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

/// Returns the path of the target of a symbolic link, with symbolic links below `root` resolved; `None` if it is not
/// below `root`. `canonical_root` is the canonical path of `root`.
pub(crate) fn target_below(root: &Path, canonical_root: &Path, source: &Path) -> Option<PathBuf> {
    Some(root.join(source.canonicalize().ok()?.strip_prefix(canonical_root).ok()?))
}
