//! The files of an input that may be a mirror, and the URLs of their places. What this needs is indexed once, on first use.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use absolve_containers::FileType;
use absolve_framing::bundle::normal;
use absolve_links::DocumentType;
use absolve_rewriter::internal::{Scheme, decode_percent, slashed};
use url::Url;

use crate::discover::file_names::{INDEX, NO_HOST, Names, Tool, Unclear, appended, is_plain, original_of, path_of};
use crate::discover::mirror_layout::{Shape, has_host, is_below_host, split_host};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::input::selection::{Layout, Selection};
use crate::input::walk::folder_url;

/// The files of an input, and what is known of them.
pub(crate) struct Site<'e> {
    pub(crate) entries: &'e [Entry],
    pub(crate) selection: &'e Selection,
    pub(crate) shape: &'e Shape,
    /// The folders of hosts, if there are two, and one of them is that of `--url`.
    pub(crate) hosts: Vec<&'e str>,
    /// The folder of the host of `--url`, if there is one.
    host: Option<&'e str>,
    /// `--url`.
    root: Option<Url>,
    by_path: OnceLock<HashMap<String, usize>>,
    are_plain: OnceLock<bool>,
    /// If wget made it.
    places: OnceLock<Places>,
    files: OnceLock<HashSet<PathBuf>>,
    folders: OnceLock<HashSet<PathBuf>>,
    listed: OnceLock<HashMap<PathBuf, &'e str>>,
}

impl<'e> Site<'e> {
    pub(crate) fn new(entries: &'e [Entry], selection: &'e Selection, shape: &'e Shape) -> Self {
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
            by_path: OnceLock::new(),
            are_plain: OnceLock::new(),
            places: OnceLock::new(),
            files: OnceLock::new(),
            folders: OnceLock::new(),
            listed: OnceLock::new(),
        }
    }

    /// Returns the indexes of the entries by their paths.
    pub(crate) fn by_path(&self) -> &HashMap<String, usize> {
        self.by_path.get_or_init(|| index(self.entries))
    }

    /// Returns the same without the rest.
    pub(crate) fn into_by_path(self) -> HashMap<String, usize> {
        self.by_path.into_inner().unwrap_or_default()
    }

    /// Returns whether a page of wget has no `.html` at the end of its name, so that nothing was appended to names.
    pub(crate) fn are_plain(&self) -> bool {
        let has_plain_page = || {
            let mut plain = self.by_path().iter().filter(|(path, _)| is_plain(path));
            plain.any(|(_, index)| is_page(&self.entries[*index]))
        };
        *self.are_plain.get_or_init(has_plain_page)
    }

    /// Returns the pages, by their names.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &'e Entry> + Clone {
        let is_page = |entry: &&Entry| entry.is_expected(DocumentType::Html);
        self.entries.iter().filter(is_page)
    }

    pub(crate) fn files(&self) -> &HashSet<PathBuf> {
        let path = |entry: &Entry| normal(&entry.source);
        self.files.get_or_init(|| self.entries.iter().filter(|entry| entry.is_file()).map(path).collect())
    }

    pub(crate) fn folders(&self) -> &HashSet<PathBuf> {
        let parents = || self.files().iter().flat_map(|file| file.ancestors().skip(1).map(Path::to_owned));
        self.folders.get_or_init(|| parents().collect())
    }

    /// Returns the URLs in the list that the user gave.
    pub(crate) fn listed(&self) -> &HashMap<PathBuf, &'e str> {
        let row = |entry: &'e Entry| {
            let known = entry.retrieval().filter(|known| known.source.is_listed())?;
            Some((normal(&entry.source), &*known.url))
        };
        self.listed.get_or_init(|| self.entries.iter().filter_map(row).collect())
    }

    /// Returns the path of the input in the file system.
    pub(crate) fn top_of<'p>(&self, page: &'p Entry) -> &'p Path {
        page.source.ancestors().nth(page.path.components().count()).unwrap_or(Path::new(""))
    }

    /// Returns the URL of a file by its place, if wget converted the links and that is certain.
    pub(crate) fn url_of(&self, page: &Entry, file: &Path) -> Option<String> {
        let path = slashed(file.strip_prefix(normal(self.top_of(page))).ok()?)?;
        let names = if self.are_plain() { Names::Plain } else { Names::PerhapsAdjusted(None) };
        self.places.get_or_init(|| Places::new(Tool::Wget, self)).url_of(self, &path, names).ok()
    }

    /// Returns whether an absolute reference is the URL of a file by its place.
    pub(crate) fn is_url_of(&self, page: &Entry, reference: &str, file: &Path) -> bool {
        let url = self.url_of(page, file);
        url.is_some_and(|url| decode_percent(&url) == decode_percent(reference.split('#').next().unwrap_or_default()))
    }

    /// Returns whether an absolute reference is to the site of `--url`, at any port.
    pub(crate) fn is_of_site(&self, reference: &str) -> bool {
        let Some((root, url)) = self.root.as_ref().zip(Url::parse(reference).ok()) else { return false };
        root.host_str() == url.host_str() && Scheme::of(root.as_str()) == Scheme::of(reference)
    }

    /// Returns whether an absolute reference is to the site of `--url`, at the same port, and `--url` is the root of it.
    pub(crate) fn is_below_root(&self, reference: &str) -> bool {
        let Some((root, url)) = self.root.as_ref().zip(Url::parse(reference).ok()) else { return false };
        root.path() == "/" && root.origin() == url.origin()
    }

    /// Returns the file to which an absolute reference of the site leads. Where wget converts links, it makes those absolute that lead to what
    /// it did not retrieve, and no others.
    pub(crate) fn file_at(&self, page: &Entry, reference: &str) -> Option<PathBuf> {
        if !self.is_of_site(reference) {
            return None;
        }
        let site = self.top_of(page).join(self.host.filter(|host| page.path.starts_with(host)).unwrap_or_default());
        let path = path_of(reference)?;
        let mut paths = appended(path.split_once('/')?.1).map(|below| normal(&site.join(below)));
        paths.find(|path| self.files().contains(path))
    }

    /// Returns whether a folder of the input is that of the host of `--url`, so that the input is the whole mirror. Without `--layout`, no
    /// page is beside the folders of hosts then.
    pub(crate) fn is_above_host(&self, tool: Tool) -> bool {
        let Some(url) = self.selection.url.as_deref() else { return false };
        if self.shape.hosts(tool, Some(url)).next().is_none() {
            return false;
        }
        let is_below = |entry: &Entry| slashed(&entry.path).is_none_or(|path| is_below_host(tool, &path, None));
        self.selection.layout != Layout::Auto || self.pages().all(is_below)
    }
}

/// Returns the indexes of entries by their paths, with `/` as the separator.
pub(crate) fn index(entries: &[Entry]) -> HashMap<String, usize> {
    entries.iter().enumerate().filter_map(|(index, entry)| Some((slashed(&entry.path)?, index))).collect()
}

pub(crate) fn is_file(by_path: &HashMap<String, usize>, entries: &[Entry], path: &str) -> bool {
    by_path.get(path).is_some_and(|index| !matches!(entries[*index].kind, EntryKind::Folder | EntryKind::Symlink(_)))
}

/// Returns whether a file is a page by its first bytes.
fn is_page(entry: &Entry) -> bool {
    let mut start = Vec::new();
    let read = entry.open().and_then(|file| file.take(FileType::START_BYTES).read_to_end(&mut start));
    read.is_ok() && DocumentType::of_content(&start) == Some(DocumentType::Html)
}

/// How the places of the files in a mirror map to URLs.
pub(crate) struct Places {
    tool: Tool,
    /// The URL of the input, if that is the folder of one host.
    pub(crate) host: Option<String>,
    /// The scheme of the hosts.
    scheme: Option<Scheme>,
    /// The roots of hosts with their ports, by those without: wget2 leaves them out, and the user or the log knows them.
    roots: HashMap<String, String>,
}

impl Places {
    pub(crate) fn new(tool: Tool, site: &Site<'_>) -> Self {
        let Selection { urls, discovery, .. } = site.selection;
        let url = site.selection.url.as_deref();
        let of_list = || urls.values().min().and_then(|url| Scheme::of(url));
        let listed = site.entries.iter().filter_map(|entry| entry.retrieval().filter(|known| known.source.is_listed()));
        Self {
            tool,
            host: url.filter(|_| !site.is_above_host(tool)).map(root_of),
            scheme: discovery.scheme.or_else(|| url.and_then(Scheme::of)).or_else(of_list),
            roots: listed.filter_map(|known| Some((without_port(&known.url)?, known.url.clone()))).collect(),
        }
    }

    /// Returns the URL of the file at a path.
    pub(crate) fn url_of(&self, site: &Site<'_>, path: &str, names: Names<'_>) -> Result<String, Unclear> {
        let is_there = |path: &str| self.tool == Tool::Wget && is_file(site.by_path(), site.entries, path);
        // The name of an original shows whether `.html` was appended.
        let (path, names) = original_of(path, &is_there).map_or((path, names), |(_, before)| (before, Names::Plain));
        let (root, below) = match &self.host {
            Some(root) => return names.url_below(self.tool, root, path),
            // A page beside the folders is that of one host, whose folder wget left out (-nH).
            None if is_there(INDEX) => return Err(NO_HOST),
            None => split_host(self.tool, path, self.scheme).ok_or(NO_HOST)?,
        };
        let given = site.selection.url.as_deref();
        let mut known = given.into_iter().chain(self.roots.get(&root).map(String::as_str));
        let has_no_port = without_port(&root).as_ref() == Some(&root);
        let known = known.find(|url| has_no_port && has_host(url, &root));
        names.url_below(self.tool, &known.map_or(root, origin_of), below)
    }
}

/// Returns the URL of a folder with a slash at the end.
pub(crate) fn root_of(url: &str) -> String {
    format!("{}/", folder_url(url).trim_end_matches('/'))
}

/// Returns the URL of the root of the host.
fn origin_of(url: &str) -> String {
    Url::parse(url).and_then(|url| url.join("/")).map_or_else(|_| url.to_owned(), String::from)
}

/// Returns the URL of the root of the host at the port of its scheme.
fn without_port(url: &str) -> Option<String> {
    let mut root = Url::parse(url).and_then(|url| url.join("/")).ok()?;
    root.set_port(None).ok()?;
    Some(root.into())
}
