//! Selection of the files of an input.

use std::collections::HashMap;
use std::path::Path;

use absolve_containers::FileType;
use absolve_rewriter::{Discovery, Purpose};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::input::symlinks::Symlinks;

/// Settings of [`collect`](crate::collect::collect()): which files are read, as which type, and with which URLs.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Selection {
    /// The URL of the input file or folder.
    pub url: Option<String>,
    /// The URLs of files by their paths, with `/` as the separator. They take precedence over `url`. The paths may
    /// begin with parent folders of the input.
    pub urls: HashMap<String, String>,
    /// Whether the log with `urls` says that wget converted the links.
    pub log_converts: bool,
    /// Which tool created this mirror.
    pub layout: Layout,
    /// The names of files whose URLs are those of their folders, as a server sends them (`index.html`). They count for URLs that follow
    /// from `url`.
    pub directory_index: Vec<String>,
    /// How to discover URLs that the user did not give.
    pub discovery: Discovery,
    /// The charset that HTTP declared for documents, by a name of the Encoding Standard. It overrides what they declare
    /// themselves, but not a byte order mark.
    pub charset: Option<&'static str>,
    /// The type of all files that are read as documents, instead of the type by their names.
    pub file_type: Option<FileType>,
    /// What the documents are for. For mail, the sources of templates (`.mjml`, `.hbs`, `.liquid`, `.njk`) are HTML.
    pub purpose: Purpose,
    /// Only files whose paths match are read as documents; none: all.
    pub include: Option<Globs>,
    /// Files whose paths match are not read as documents.
    pub exclude: Option<Globs>,
    /// What becomes of symbolic links in a folder.
    pub symlinks: Symlinks,
}

impl Selection {
    /// Returns whether the globs leave a file out, also one that was named itself.
    pub(crate) fn leaves_out(&self, path: &Path) -> bool {
        self.include.as_ref().is_some_and(|globs| !globs.is_match(path))
            || self.exclude.as_ref().is_some_and(|globs| globs.is_match(path))
    }
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
            // A slash alone matches nothing in git.
            if pattern.trim_start_matches('!').contains(|character| character != '/') {
                builder.add_line(None, pattern)?;
            }
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

/// Which tool created this mirror.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// wget, if something shows that it converted the links; else none.
    #[default]
    Auto,
    /// None, or one that left the links as they were: the URL of the input is that of the folder.
    Root,
    /// wget: links to local copies (`--convert-links`).
    Wget,
    /// HTTrack: links to local copies, and its own file names.
    Httrack,
}
