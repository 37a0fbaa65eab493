//! Files that are part of the input.

use std::collections::HashSet;

use crate::provenance::urls::decode_percent;

/// The files and folders below the root of an input: links to them may be kept.
///
/// ```
/// use absolve_rewriter::settings::LocalFiles;
/// let files = LocalFiles::new("http://h/docs/", ["a b.html".as_bytes(), b"img"]);
/// assert!(files.contains("http://h/docs/a%20b.html#top"));
/// assert!(files.contains("http://h/docs/img/"));
/// assert!(!files.contains("http://h/docs/c.html"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct LocalFiles {
    root: String,
    paths: HashSet<Vec<u8>>,
}

impl LocalFiles {
    /// Returns the files with these paths below the URL `root`, which ends with a slash.
    ///
    /// ```
    /// assert!(absolve_rewriter::settings::LocalFiles::new("http://h/", ["x"]).contains("http://h/x"));
    /// ```
    pub fn new<P: AsRef<[u8]>>(root: &str, paths: impl IntoIterator<Item = P>) -> Self {
        Self { root: root.to_owned(), paths: paths.into_iter().map(|path| path.as_ref().to_vec()).collect() }
    }

    /// Returns whether the absolute URL `target` is that of one of the files, or of a folder with files.
    ///
    /// ```
    /// assert!(!absolve_rewriter::settings::LocalFiles::new("http://h/", ["x"]).contains("http://other/x"));
    /// ```
    pub fn contains(&self, target: &str) -> bool {
        let Some(path) = target.strip_prefix(&self.root) else { return false };
        let path = &path[..path.find(['?', '#']).unwrap_or(path.len())];
        let path = decode_percent(path.trim_end_matches('/'));
        path.is_empty() || self.paths.contains(&path)
    }
}
