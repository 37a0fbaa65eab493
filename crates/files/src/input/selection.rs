//! Which files are read as what.

use std::collections::HashMap;

use absolve_containers::FileType;
use absolve_rewriter::Discovery;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::input::symlinks::Symlinks;

/// How the files of an input are looked for.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Selection {
    /// The URL of the input: of its root, if it is a folder.
    pub url: Option<String>,
    /// The URLs of files by their paths, with `/` between names; what they do not name has that of `url`. The paths may
    /// begin with folders around the input.
    pub urls: HashMap<String, String>,
    /// Who has laid out the folders, if they tell URLs.
    pub layout: Option<Layout>,
    /// How the URLs of files are found that nobody tells.
    pub discovery: Discovery,
    /// The type of all files that are read as documents, instead of what their names tell.
    pub file_type: Option<FileType>,
    /// Only files whose paths match are read as documents; none: all.
    pub include: Option<GlobSet>,
    /// Files whose paths match are not read as documents.
    pub exclude: Option<GlobSet>,
    /// What becomes of symbolic links in a folder.
    pub symlinks: Symlinks,
}

/// Globs over paths below the input, with `*` staying within a folder and `**` crossing them.
///
/// # Errors
///
/// The message of the first pattern that is no glob.
///
/// ```
/// let globs = absolve_files::globs(&["old/**".to_owned()])?;
/// assert!(globs.is_match("old/a/b.html"));
/// # Ok::<(), globset::Error>(())
/// ```
pub fn globs(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(GlobBuilder::new(pattern).literal_separator(true).build()?);
    }
    set.build()
}

/// Who has laid out the folders of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// wget: a folder for each host, and links that lead to copies (`--convert-links`).
    Wget,
    /// HTTrack: the same with names of its own.
    Httrack,
}
