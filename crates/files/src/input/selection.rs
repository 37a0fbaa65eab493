//! Which files are read as what.

use std::collections::HashMap;
use std::path::Path;

use absolve_containers::FileType;
use absolve_rewriter::Discovery;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

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
    /// The charset that HTTP declared for documents, by a name of the Encoding Standard. It overrides what they declare
    /// themselves, but not a byte order mark.
    pub charset: Option<&'static str>,
    /// The type of all files that are read as documents, instead of what their names tell.
    pub file_type: Option<FileType>,
    /// Only files whose paths match are read as documents; none: all.
    pub include: Option<Globs>,
    /// Files whose paths match are not read as documents.
    pub exclude: Option<Globs>,
    /// What becomes of symbolic links in a folder.
    pub symlinks: Symlinks,
}

/// Globs as in a `.gitignore` file, over paths below the input: one without a slash matches at any depth, a folder stands
/// for all that is in it, the last glob that matches wins, and `!` before it takes paths out again.
///
/// ```
/// let globs = absolve_files::Globs::new(&["node_modules".to_owned()])?;
/// assert!(globs.is_match("a/node_modules/b.html".as_ref()));
/// # Ok::<(), ignore::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Globs(Vec<(String, Gitignore)>);

impl Globs {
    /// Compiles patterns.
    ///
    /// # Errors
    ///
    /// The first pattern that is not a glob.
    pub fn new(patterns: &[String]) -> Result<Self, ignore::Error> {
        let compile = |pattern: &String| {
            let mut builder = GitignoreBuilder::new("");
            builder.allow_unclosed_class(false);
            builder.add_line(None, pattern)?;
            Ok((pattern.clone(), builder.build()?))
        };
        patterns.iter().map(compile).collect::<Result<_, _>>().map(Self)
    }

    /// Returns whether a file is matched, by its own path or by that of a folder around it.
    pub fn is_match(&self, path: &Path) -> bool {
        let last = self.0.iter().rev().map(|(_, glob)| glob.matched_path_or_any_parents(path, false));
        last.into_iter().find(|found| !found.is_none()).is_some_and(|found| found.is_ignore())
    }

    /// Returns each pattern and its glob.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&str, &Gitignore)> {
        self.0.iter().map(|(pattern, glob)| (&**pattern, glob))
    }
}

/// Who has laid out the folders of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// wget: a folder for each host, and links that lead to copies (`--convert-links`).
    Wget,
    /// HTTrack: the same with names of its own.
    Httrack,
}
