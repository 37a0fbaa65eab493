//! The input around the pages in which evidence is searched. What this needs is indexed once, on first use.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use absolve_rewriter::{Scheme, decode_percent, slashed};
use url::Url;

use crate::discover::mirror_layout::{APPENDED, Shape, Tool};
use crate::discover::wget_log::file_name;
use crate::input::entry::Entry;
use crate::input::paths::normal;
use crate::input::selection::Selection;

/// The files of an input, and what is known of them.
pub(crate) struct Input<'e> {
    pub(super) entries: &'e [Entry],
    pub(super) selection: &'e Selection,
    pub(super) shape: &'e Shape,
    /// The folders of hosts, if there are two, and one of them is that of `--url`.
    pub(super) hosts: Vec<&'e str>,
    /// The folder of the host of `--url`, if there is one.
    host: Option<&'e str>,
    /// `--url`.
    root: Option<Url>,
    /// Returns the URL of the file at a path by its place, if wget converted the links.
    place: &'e (dyn Fn(&str) -> Option<String> + Sync),
    /// Returns whether a page has no `.html` at the end of its name, so that nothing was appended.
    plain: &'e (dyn Fn() -> bool + Sync),
    files: OnceLock<HashSet<PathBuf>>,
    folders: OnceLock<HashSet<PathBuf>>,
    listed: OnceLock<HashMap<PathBuf, &'e str>>,
}

impl<'e> Input<'e> {
    pub(crate) fn new(
        entries: &'e [Entry],
        selection: &'e Selection,
        shape: &'e Shape,
        place: &'e (dyn Fn(&str) -> Option<String> + Sync),
        plain: &'e (dyn Fn() -> bool + Sync),
    ) -> Self {
        let url = selection.url.as_deref();
        let hosts: Vec<&str> = shape.hosts(Tool::Wget, None).collect();
        let host = url.and_then(|url| shape.hosts(Tool::Wget, Some(url)).next());
        Self {
            entries,
            selection,
            shape,
            hosts: if hosts.len() > 1 && host.is_some() { hosts } else { Vec::new() },
            host,
            root: url.and_then(|url| Url::parse(url).ok()),
            place,
            plain,
            files: OnceLock::new(),
            folders: OnceLock::new(),
            listed: OnceLock::new(),
        }
    }

    pub(super) fn files(&self) -> &HashSet<PathBuf> {
        let path = |entry: &Entry| normal(&entry.source);
        self.files.get_or_init(|| self.entries.iter().filter(|entry| entry.is_file()).map(path).collect())
    }

    pub(super) fn folders(&self) -> &HashSet<PathBuf> {
        let parents = || self.files().iter().flat_map(|file| file.ancestors().skip(1).map(Path::to_owned));
        self.folders.get_or_init(|| parents().collect())
    }

    /// Returns the URLs in the list that the user gave.
    pub(super) fn listed(&self) -> &HashMap<PathBuf, &'e str> {
        let row = |entry: &'e Entry| {
            let known = entry.retrieval().filter(|known| known.source.is_listed())?;
            Some((normal(&entry.source), &*known.url))
        };
        self.listed.get_or_init(|| self.entries.iter().filter_map(row).collect())
    }

    pub(super) fn are_plain(&self) -> bool {
        (self.plain)()
    }

    /// Returns the path of the input in the file system.
    pub(super) fn top_of<'p>(&self, page: &'p Entry) -> &'p Path {
        page.source.ancestors().nth(page.path.components().count()).unwrap_or(Path::new(""))
    }

    /// Returns the URL of a file by its place, if that is certain.
    pub(super) fn url_of(&self, page: &Entry, file: &Path) -> Option<String> {
        (self.place)(&slashed(file.strip_prefix(normal(self.top_of(page))).ok()?)?)
    }

    /// Returns whether an absolute reference is the URL of a file by its place.
    pub(super) fn is_url_of(&self, page: &Entry, reference: &str, file: &Path) -> bool {
        let url = self.url_of(page, file);
        url.is_some_and(|url| decode_percent(&url) == decode_percent(reference.split('#').next().unwrap_or_default()))
    }

    /// Returns whether an absolute reference is to the site of `--url`, at any port.
    pub(super) fn is_of_site(&self, reference: &str) -> bool {
        let Some((root, url)) = self.root.as_ref().zip(Url::parse(reference).ok()) else { return false };
        root.host_str() == url.host_str() && Scheme::of(root.as_str()) == Scheme::of(reference)
    }

    /// Returns the file to which an absolute reference of the site leads. Where wget converts links, it makes those absolute that lead to what
    /// it did not retrieve, and no others.
    pub(super) fn file_at(&self, page: &Entry, reference: &str) -> Option<PathBuf> {
        if !self.is_of_site(reference) {
            return None;
        }
        let site = self.top_of(page).join(self.host.filter(|host| page.path.starts_with(host)).unwrap_or_default());
        let below = file_name(reference)?.split_once('/')?.1.to_owned();
        let paths = APPENDED.map(|end| normal(&site.join(format!("{below}{end}"))));
        paths.into_iter().find(|path| self.files().contains(path))
    }
}
