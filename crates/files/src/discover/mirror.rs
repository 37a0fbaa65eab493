//! A mirror: whether an input is one, and the URL of each of its files by its place.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use absolve_rewriter::internal::{Links, Saver, Scheme, UrlSource};
use absolve_rewriter::results::Remedy;
use absolve_rewriter::{Code, Finding};
use url::Url;

use crate::discover::converted::converted;
use crate::discover::converted::pages::Pages;
use crate::discover::file_names::{
    INDEX, NO_HOST, Names, Queries, Tool, Unclear, has_query, is_original, without_appended,
};
use crate::discover::mirror_layout::{Shape, is_named_after_host, name_of_input, split_host};
use crate::discover::site::{Places, Site};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::input::selection::{Layout, Selection};

/// An input that is a mirror.
pub(crate) struct Mirror {
    pub(crate) links: Links,
    /// The indexes of its files, each with the URL of its place, if that is certain.
    pub(crate) urls: Vec<(usize, Option<String>)>,
    /// Whether it is the folder of one host.
    pub(crate) is_of_host: bool,
    pub(crate) by_path: HashMap<String, usize>,
}

/// Returns the mirror that an input is, if it is one, and adds findings about it.
pub(crate) fn mirror(
    entries: &[Entry],
    selection: &Selection,
    shape: &Shape,
    findings: &mut Vec<(PathBuf, Finding)>,
) -> Option<Mirror> {
    let site = Site::new(entries, selection, shape);
    let pages = Pages::new(&site);
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
    findings.extend(other_port_of_folder(&site));
    let links = match tool {
        Some(tool) => Links::Local(tool.saver()),
        // A mirror whose links are as they were: above the folders of the hosts, too, `--url` is that of one of them.
        None if selection.layout == Layout::Auto && site.is_above_host(Tool::Wget) => Links::AsRetrieved,
        None => {
            findings.extend(host_below(&site));
            return None;
        }
    };
    let tool = tool.unwrap_or(Tool::Wget);
    let places = Places::new(tool, &site);
    let is_whole = places.host.is_some() || selection.layout == Layout::Auto || !selection.urls.is_empty();
    if let Some(path) = if is_whole { None } else { page_above_hosts(&site) } {
        let message = "the layout is ignored: this is not a mirror, because a page is next to the folders of the hosts";
        findings.push((path.to_owned(), Finding::new(Code::UrlNotUsed, message).with_remedy(Remedy::GiveUrlOfHost)));
        return None;
    }
    if selection.url.is_none() && selection.urls.is_empty() {
        findings.extend(pages.other_ports().into_iter().map(other_port));
    }
    let is_adjusted = |path: &str| has_query(path) && without_appended(path).is_some();
    let are_plain = links == Links::AsRetrieved || site.are_plain();
    let needs_queries = !are_plain && tool == Tool::Wget && site.by_path().keys().any(|path| is_adjusted(path));
    let queries = if needs_queries { pages.queries() } else { Queries::default() };
    let names = if are_plain { Names::Plain } else { Names::PerhapsAdjusted(Some(&queries)) };
    let files = site.by_path().iter().filter(|(_, index)| entries[**index].kind != EntryKind::Folder);
    let second =
        second_of_name(site.by_path()).filter(|_| links == Links::Local(Saver::Wget) && selection.urls.is_empty());
    findings.extend(second.map(|(name, index)| without_folders(name, &entries[*index])));
    let url_of = |path: &str| second.map_or_else(|| places.url_of(&site, path, names), |_| Err(NO_HOST));
    let mut urls: Vec<_> = files.map(|(path, index)| (*index, url_of(path))).collect();
    if links == Links::Local(Saver::Wget) && second.is_none() {
        pages.add_own_urls(&mut urls);
        findings.extend(unclear(&site, &urls).filter(|_| selection.urls.is_empty()));
    }
    let urls = urls.into_iter().map(|(index, url)| (index, url.ok())).collect();
    Some(Mirror { links, urls, is_of_host: places.host.is_some(), by_path: site.into_by_path() })
}

/// Returns the second file of a name, beside the first one: `a.html.1`. wget has them where it makes no folders.
fn second_of_name(by_path: &HashMap<String, usize>) -> Option<(&String, &usize)> {
    let is_second = |path: &str| {
        let parts = path.rsplit_once('.').filter(|_| !path.contains('/'));
        parts.is_some_and(|(first, number)| number == "1" && by_path.contains_key(first))
    };
    by_path.iter().filter(|(path, _)| is_second(path)).min()
}

/// Returns a finding about the files whose names do not show their URLs, if the user gave no list of those.
fn unclear(site: &Site<'_>, urls: &[(usize, Result<String, Unclear>)]) -> Option<(PathBuf, Finding)> {
    let is_known = |entry: &Entry| entry.retrieval().is_some_and(|known| known.source != UrlSource::Url);
    let unclear = urls.iter().filter_map(|(index, url)| Some((*url.as_ref().err()?, &site.entries[*index])));
    let may_be_meant = |(why, entry): &(Unclear, &Entry)| {
        *why != NO_HOST && entry.is_file() && !is_original(&entry.path) && !is_known(entry)
    };
    let mut unclear: Vec<(Unclear, &Entry)> = unclear.filter(may_be_meant).collect();
    unclear.sort_by(|(one, first), (other, second)| (one, &first.path).cmp(&(other, &second.path)));
    let of_reason = |files: &[(Unclear, &Entry)]| {
        format!("{} such as {}, because {}", files.len(), files[0].1.path.display(), files[0].0)
    };
    let reasons: Vec<String> = unclear.chunk_by(|(one, _), (other, _)| one == other).map(of_reason).collect();
    let message = format!("links to copies stay whose names do not show their URLs: {}", reasons.join(", "));
    let (_, first) = unclear.first()?;
    Some((first.source.clone(), Finding::new(Code::Mirror, message).with_remedy(Remedy::GiveLog)))
}

fn without_folders(name: &str, second: &Entry) -> (PathBuf, Finding) {
    let message = format!(
        "{name} is the second file of its name, as wget has them if it makes no folders (-nd): what the files were retrieved from is not \
         known, and links to them stay"
    );
    (second.source.clone(), Finding::new(Code::Mirror, message).with_remedy(Remedy::GiveLog))
}

/// Returns a finding if the folders of the host of `--url` are named after other ports only.
fn other_port_of_folder(site: &Site<'_>) -> Option<(PathBuf, Finding)> {
    let (first, given) = (site.entries.first()?, site.selection.url.as_deref()?);
    let url = Url::parse(given).ok()?;
    let own = name_of_input(first);
    let own = own.as_deref().filter(|name| is_named_after_host(name, Some(given)));
    let has_other_port = |name: &str| {
        let root = split_host(Tool::Wget, &format!("{name}/"), Scheme::of(given)).map(|(root, _)| root);
        let port = root.and_then(|root| Url::parse(&root).ok()?.port());
        port.is_some() && port != url.port()
    };
    let mut names = site.shape.hosts(Tool::Wget, Some(given)).chain(own).peekable();
    let name = *names.peek().filter(|name| has_other_port(name))?;
    let message = format!(
        "the folder {name} is named after another port than that of the given URL, {url}; correct the one that is wrong"
    );
    names.all(has_other_port).then(|| (first.source.clone(), Finding::new(Code::UrlConflict, message)))
}

/// Returns a finding if all pages are in folders that are named as the host of `--url`, further down.
fn host_below(site: &Site<'_>) -> Option<(PathBuf, Finding)> {
    let url = site.selection.url.as_deref().filter(|_| site.selection.layout == Layout::Auto)?;
    let host = Url::parse(url).ok()?.host_str()?.to_owned();
    let names_host =
        |entry: &&Entry| memchr::memmem::find(entry.path.as_os_str().as_encoded_bytes(), host.as_bytes()).is_some();
    let is_host = |path: &&Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| is_named_after_host(name, Some(url)))
    };
    let is_above = site.shape.hosts(Tool::Wget, Some(url)).next().is_some();
    let first = site.entries.iter().find(names_host).filter(|_| !is_above)?;
    let folder = first.path.ancestors().find(is_host)?;
    let is_below = |entry: &Entry| entry.path.ancestors().any(|path| is_host(&path));
    let message = format!(
        "{} is named as the host of the given URL, but is not directly in the input, so its name is a part of the URLs; if it is the folder of this host, \
         pass it as the input",
        folder.display()
    );
    site.pages().all(is_below).then(|| (first.source.clone(), Finding::new(Code::Mirror, message)))
}

/// Returns a finding about the index of a host that names it with a port.
fn other_port((index, host, port): (&Entry, &str, u16)) -> (PathBuf, Finding) {
    let message =
        format!("its links name {host} with the port {port}, which wget2 leaves out of the name of the folder");
    let remedy = Remedy::GiveUrl(format!("http://{host}:{port}/"));
    (index.source.clone(), Finding::new(Code::UrlConflict, message).with_remedy(remedy))
}

/// Returns a page beside the folders of hosts, where a mirror has none but the index page that HTTrack writes.
fn page_above_hosts<'e>(site: &Site<'e>) -> Option<&'e Path> {
    let is_page = |path: &str| !path.contains('/') && path != INDEX;
    let pages = site.by_path().iter().filter(|(path, index)| is_page(path) && site.entries[**index].kind.may_be_html());
    pages.min().map(|(_, index)| &*site.entries[*index].source)
}
