//! A mirror: whether an input is one, and the URL of each of its files by its place.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use absolve_containers::FileType;
use absolve_links::DocumentType;
use absolve_rewriter::{Code, Finding, Links, Saver, Scheme, slashed};
use url::Url;

use crate::discover::converted::converted;
use crate::discover::converted::input::Input;
use crate::discover::converted::pages::Pages;
use crate::discover::mirror_layout::{self, Names, Queries, Shape, Tool};
use crate::discover::twins;
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::input::selection::{Layout, Selection};
use crate::input::walk::folder_url;

/// An input that is a mirror.
pub(crate) struct Mirror {
    pub(crate) links: Links,
    /// The indexes of its files, each with the URL of its place, if that is certain.
    pub(crate) urls: Vec<(usize, Option<String>)>,
    /// Whether it is the folder of one host.
    pub(crate) is_of_host: bool,
    pub(crate) by_path: HashMap<String, usize>,
}

/// Returns the indexes of entries by their paths, with `/` as the separator.
pub(crate) fn index(entries: &[Entry]) -> HashMap<String, usize> {
    entries.iter().enumerate().filter_map(|(index, entry)| Some((slashed(&entry.path)?, index))).collect()
}

pub(crate) fn is_file(by_path: &HashMap<String, usize>, entries: &[Entry], path: &str) -> bool {
    by_path.get(path).is_some_and(|index| !matches!(entries[*index].kind, EntryKind::Folder | EntryKind::Symlink))
}

/// Returns the mirror that an input is, if it is one, and adds findings about it.
pub(crate) fn mirror(
    entries: &[Entry],
    selection: &Selection,
    shape: &Shape,
    findings: &mut Vec<(PathBuf, Finding)>,
) -> Option<Mirror> {
    let (by_path, plain, places) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
    let by_path_of = || by_path.get_or_init(|| index(entries));
    let are_plain = || *plain.get_or_init(|| has_plain_page(entries, by_path_of()));
    let names = || if are_plain() { Names::Plain } else { Names::PerhapsAdjusted(None) };
    let of_wget = || Places::new(Tool::Wget, entries, by_path_of(), selection, shape);
    let place = |path: &str| places.get_or_init(of_wget).url_of(path, names());
    let input = Input::new(entries, selection, shape, &place, &are_plain);
    let pages = Pages::new(&input);
    let tool = match selection.layout {
        Layout::Wget => Some(Tool::Wget),
        Layout::Httrack => Some(Tool::Httrack),
        Layout::Auto if entries.len() > 1 => {
            let (tool, finding) = converted(&pages);
            findings.extend(finding);
            tool
        }
        Layout::Auto | Layout::Root => None,
    };
    // A mirror whose links are as they were: above the folders of the hosts, too, `--url` is that of one of them.
    let is_plain = || selection.layout == Layout::Auto && is_above_host(Tool::Wget, entries, selection, shape);
    findings.extend(other_port_of_folder(entries, selection, shape));
    let links = match tool {
        Some(tool) => Links::Local(tool.saver()),
        None if is_plain() => Links::AsRetrieved,
        None => {
            findings.extend(host_below(entries, selection, shape));
            return None;
        }
    };
    let tool = tool.unwrap_or(Tool::Wget);
    let places = Places::new(tool, entries, by_path_of(), selection, shape);
    if let Some(path) =
        places.page_above_hosts().filter(|_| selection.layout != Layout::Auto && selection.urls.is_empty())
    {
        let message = "--layout is ignored: this is not a mirror, because a page is next to the folders of the hosts; for the \
                       folder of one host, add its --url";
        findings.push((path.to_owned(), Finding::new(Code::UrlNotUsed, message)));
        return None;
    }
    if selection.url.is_none() && selection.urls.is_empty() {
        findings.extend(pages.other_ports().into_iter().map(other_port));
    }
    let is_adjusted = |path: &str| mirror_layout::has_query(path) && mirror_layout::without_appended(path).is_some();
    let are_plain = links == Links::AsRetrieved || are_plain();
    let needs_queries = !are_plain && tool == Tool::Wget && by_path_of().keys().any(|path| is_adjusted(path));
    let queries = if needs_queries { pages.queries() } else { Queries::default() };
    let names = if are_plain { Names::Plain } else { Names::PerhapsAdjusted(Some(&queries)) };
    let files = by_path_of().iter().filter(|(_, index)| entries[**index].kind != EntryKind::Folder);
    let second =
        second_of_name(by_path_of()).filter(|_| links == Links::Local(Saver::Wget) && selection.urls.is_empty());
    findings.extend(second.map(|(name, index)| without_folders(name, &entries[*index])));
    let url_of = |path: &str| second.is_none().then(|| places.url_of(path, names)).flatten();
    let urls = files.map(|(path, index)| (*index, url_of(path))).collect();
    let is_of_host = places.host.is_some();
    Some(Mirror { links, urls, is_of_host, by_path: by_path.into_inner().unwrap_or_default() })
}

/// Returns whether a page of wget has no `.html` at the end of its name, so that nothing was appended to names.
fn has_plain_page(entries: &[Entry], by_path: &HashMap<String, usize>) -> bool {
    let mut plain = by_path.iter().filter(|(path, _)| mirror_layout::is_plain(path));
    plain.any(|(_, index)| is_page(&entries[*index]))
}

/// Returns whether a file is a page by its first bytes.
fn is_page(entry: &Entry) -> bool {
    let mut start = Vec::new();
    let read = entry.open().and_then(|file| file.take(FileType::START_BYTES).read_to_end(&mut start));
    read.is_ok() && DocumentType::of_content(&start) == Some(DocumentType::Html)
}

/// Returns the second file of a name, beside the first one: `a.html.1`. wget has them where it makes no folders.
fn second_of_name(by_path: &HashMap<String, usize>) -> Option<(&String, &usize)> {
    let is_second = |path: &str| {
        let parts = path.rsplit_once('.').filter(|_| !path.contains('/'));
        parts.is_some_and(|(first, number)| number == "1" && by_path.contains_key(first))
    };
    by_path.iter().filter(|(path, _)| is_second(path)).min()
}

fn without_folders(name: &str, second: &Entry) -> (PathBuf, Finding) {
    let message = format!(
        "{name} is the second file of its name, as wget has them if it makes no folders (-nd): what the files were retrieved from is not \
         known, and links to them stay; pass its log with --urls"
    );
    (second.source.clone(), Finding::new(Code::Mirror, message))
}

/// Returns a finding if the folders of the host of `--url` are named after other ports only.
fn other_port_of_folder(entries: &[Entry], selection: &Selection, shape: &Shape) -> Option<(PathBuf, Finding)> {
    let (first, given) = (entries.first()?, selection.url.as_deref()?);
    let url = Url::parse(given).ok()?;
    let own = mirror_layout::name_of_folder(first, first.path.components().count());
    let own = own.as_deref().filter(|name| mirror_layout::is_below_host(Tool::Wget, &format!("{name}/"), Some(given)));
    let has_other_port = |name: &str| {
        let root = mirror_layout::split_host(Tool::Wget, &format!("{name}/"), Scheme::of(given)).map(|(root, _)| root);
        let port = root.and_then(|root| Url::parse(&root).ok()?.port());
        port.is_some() && port != url.port()
    };
    let mut names = shape.hosts(Tool::Wget, Some(given)).chain(own).peekable();
    let name = *names.peek().filter(|name| has_other_port(name))?;
    let message = format!(
        "the folder {name} is named after another port than that of --url, {url}; correct the one that is wrong"
    );
    names.all(has_other_port).then(|| (first.source.clone(), Finding::new(Code::UrlConflict, message)))
}

/// Returns a finding if all pages are in folders that are named as the host of `--url`, further down.
fn host_below(entries: &[Entry], selection: &Selection, shape: &Shape) -> Option<(PathBuf, Finding)> {
    let url = selection.url.as_deref().filter(|_| selection.layout == Layout::Auto)?;
    let host = Url::parse(url).ok()?.host_str()?.to_owned();
    let names_host =
        |entry: &&Entry| memchr::memmem::find(entry.path.as_os_str().as_encoded_bytes(), host.as_bytes()).is_some();
    let is_host = |path: &&Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| mirror_layout::is_below_host(Tool::Wget, &format!("{name}/"), Some(url)))
    };
    let first = entries.iter().find(names_host).filter(|_| shape.hosts(Tool::Wget, Some(url)).next().is_none())?;
    let folder = first.path.ancestors().find(is_host)?;
    let is_page = |entry: &&Entry| entry.is_expected(DocumentType::Html);
    let is_below = |entry: &Entry| entry.path.ancestors().any(|path| is_host(&path));
    let message = format!(
        "{} is named as the host of --url, but is not directly in the input, so its name is a part of the URLs; if it is the folder of this host, \
         pass it as the input",
        folder.display()
    );
    let are_below = entries.iter().filter(is_page).all(is_below);
    are_below.then(|| (first.source.clone(), Finding::new(Code::Mirror, message)))
}

/// Returns a finding about the index of a host that names it with a port.
fn other_port((index, host, port): (&Entry, &str, u16)) -> (PathBuf, Finding) {
    let message = format!(
        "its links name {host} with the port {port}, which wget2 leaves out of the name of the folder; if the files are from there, pass \
         --url with http://{host}:{port}/"
    );
    (index.source.clone(), Finding::new(Code::UrlConflict, message))
}

/// How the places of the files in a mirror map to URLs.
struct Places<'p> {
    tool: Tool,
    entries: &'p [Entry],
    by_path: &'p HashMap<String, usize>,
    /// The URL of the input, if that is the folder of one host.
    host: Option<String>,
    /// The scheme of the hosts.
    scheme: Option<Scheme>,
    /// The roots of hosts with their ports, by those without: wget2 leaves them out, and the user or the log knows them.
    roots: HashMap<String, String>,
    url: Option<&'p str>,
}

impl<'p> Places<'p> {
    fn new(
        tool: Tool,
        entries: &'p [Entry],
        by_path: &'p HashMap<String, usize>,
        selection: &'p Selection,
        shape: &Shape,
    ) -> Self {
        let url = selection.url.as_deref();
        let of_list = || selection.urls.values().min().and_then(|url| Scheme::of(url));
        let urls = entries.iter().filter_map(|entry| entry.retrieval().filter(|known| known.source.is_listed()));
        Self {
            tool,
            entries,
            by_path,
            host: url.filter(|_| !is_above_host(tool, entries, selection, shape)).map(root_of),
            scheme: selection.discovery.scheme.or_else(|| url.and_then(Scheme::of)).or_else(of_list),
            roots: urls.filter_map(|known| Some((without_port(&known.url)?, known.url.clone()))).collect(),
            url,
        }
    }

    /// Returns the URL of the file at a path; `None` if it is ambiguous.
    fn url_of(&self, path: &str, names: Names<'_>) -> Option<String> {
        let is_original = |path: &str| self.tool == Tool::Wget && is_file(self.by_path, self.entries, path);
        // The name of an original shows whether `.html` was appended.
        let (path, names) =
            twins::original_of(path, &is_original).map_or((path, names), |(_, before)| (before, Names::Plain));
        let (root, below) = match &self.host {
            Some(root) => return names.url_below(self.tool, root, path),
            // A page beside the folders is that of one host, whose folder wget left out (-nH).
            None if self.tool == Tool::Wget && is_file(self.by_path, self.entries, "index.html") => return None,
            None => mirror_layout::split_host(self.tool, path, self.scheme)?,
        };
        let mut known = self.url.into_iter().chain(self.roots.get(&root).map(String::as_str));
        let has_no_port = without_port(&root).as_ref() == Some(&root);
        let known = known.find(|url| has_no_port && mirror_layout::has_host(url, &root));
        names.url_below(self.tool, &known.map_or(root, origin_of), below)
    }

    /// Returns a page beside the folders of hosts, where a mirror has none but the index page that HTTrack writes.
    fn page_above_hosts(&self) -> Option<&'p Path> {
        let is_page = |path: &str| !path.contains('/') && path != "index.html";
        let pages = self.by_path.iter().filter(|(path, index)| is_page(path) && self.entries[**index].may_be_html());
        pages.min().filter(|_| self.host.is_none()).map(|(_, index)| &*self.entries[*index].source)
    }
}

/// Returns whether a folder of the input is that of the host of `--url`, so that the input is the whole mirror. Without `--layout`, no page is
/// beside the folders of hosts then.
fn is_above_host(tool: Tool, entries: &[Entry], selection: &Selection, shape: &Shape) -> bool {
    let Some(url) = selection.url.as_deref() else { return false };
    if shape.hosts(tool, Some(url)).next().is_none() {
        return false;
    }
    let is_below =
        |entry: &Entry| slashed(&entry.path).is_none_or(|path| mirror_layout::is_below_host(tool, &path, None));
    let is_page = |entry: &&Entry| entry.is_expected(DocumentType::Html);
    selection.layout != Layout::Auto || entries.iter().filter(is_page).all(is_below)
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
