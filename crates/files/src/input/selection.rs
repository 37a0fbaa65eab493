//! Selection of the files of an input.

use std::collections::HashMap;
use std::path::Path;

use absolve_containers::FileType;
use absolve_rewriter::Purpose;
use absolve_rewriter::internal::Discovery;

use crate::input::globs::Globs;
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
    /// What `urls` was read from.
    pub list: UrlList,
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

/// What a table of files and URLs was read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UrlList {
    /// A list that a user made.
    #[default]
    Table,
    /// The list of an unpacked site, `urls.csv`.
    Unpacked,
    /// A log of wget.
    Log,
    /// A log of wget which says that links were converted (`--convert-links`).
    ConvertingLog,
}

impl UrlList {
    /// Returns whether it is a log of wget.
    pub(crate) const fn is_log(self) -> bool {
        matches!(self, Self::Log | Self::ConvertingLog)
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

impl Layout {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 4] =
        [("auto", Self::Auto), ("root", Self::Root), ("wget", Self::Wget), ("httrack", Self::Httrack)];
}
