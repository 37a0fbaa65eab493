//! URLs of files that are known before the files are read: given by the user, listed by HTTrack, or mapped from the
//! path in a mirror.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use absolve_containers::{FileType, INDEX_BYTES};
use absolve_links::DocumentType;
use absolve_rewriter::{Code, Discover, Finding, Links, Retrieval, Saver, Scheme, UrlSource, slashed};
use rayon::prelude::*;
use url::Url;

use crate::discover::mirror_layout::{Names, Tool};
use crate::discover::{converted, httrack, mirror_layout, twins};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::input::paths::normal;
use crate::input::selection::{Layout, Selection, UrlList};
use crate::input::walk::folder_url;
use crate::limits::{COMMAND_BYTES, DOCUMENT_FILE_BYTES};

/// Adds the known URLs to each entry. Returns findings about file lists and layouts that cannot be used, and about a mirror.
pub(crate) fn add_known_urls(entries: &mut [Entry], selection: &Selection) -> Vec<(PathBuf, Finding)> {
    let mut findings = Vec::new();
    if selection.layout == Layout::Auto {
        add_queries(entries, selection);
    }
    if !selection.urls.is_empty() {
        add_listed(entries, selection);
    }
    let is_list = |entry: &Entry| entry.path.ends_with("hts-cache/new.txt");
    if selection.discovery.discover != Discover::Nothing && entries.iter().any(is_list) {
        findings.extend(add_httrack_lists(entries));
    }
    let tool = match selection.layout {
        Layout::Wget => Some(Tool::Wget),
        Layout::Httrack => Some(Tool::Httrack),
        Layout::Auto if entries.len() > 1 => {
            let (tool, finding) = converted::converted(entries, selection);
            findings.extend(finding);
            tool
        }
        Layout::Auto | Layout::Root => None,
    };
    // A mirror whose links are as they were: above the folders of the hosts, too, `--url` is that of one of them.
    let is_plain = || selection.layout == Layout::Auto && is_above_host(Tool::Wget, entries, selection);
    let mirror = match tool {
        Some(tool) => Some((tool, Links::Local(tool.saver()))),
        None => is_plain().then_some((Tool::Wget, Links::AsRetrieved)),
    };
    let by_path = mirror.map(|_| index(entries)).unwrap_or_default();
    if let Some((tool, links)) = mirror {
        findings.extend(add_places(tool, links, entries, &by_path, selection));
        if selection.url.is_none() && selection.urls.is_empty() {
            findings.extend(other_ports(entries));
        }
    }
    if !selection.directory_index.is_empty() {
        add_indexes(entries, &selection.directory_index);
    }
    if tool == Some(Tool::Wget) {
        findings.extend(add_originals(entries, &by_path));
    }
    findings
}

/// Returns the indexes of entries by their paths, with `/` as the separator.
fn index(entries: &[Entry]) -> HashMap<String, usize> {
    entries.iter().enumerate().filter_map(|(index, entry)| Some((slashed(&entry.path)?, index))).collect()
}

/// Adds the URLs that the user lists.
fn add_listed(entries: &mut [Entry], selection: &Selection) {
    let by_path = index(entries);
    let mut rows: Vec<_> = selection.urls.iter().map(|(path, url)| (path.clone(), url.clone())).collect();
    rows.sort();
    let folder = entries
        .iter()
        .find(|entry| !matches!(entry.kind, EntryKind::Bundle(_)))
        .and_then(|entry| mirror_layout::name_of_folder(entry, entry.path.components().count()));
    let source = if selection.list == UrlList::Table { UrlSource::Urls } else { UrlSource::Log };
    for (path, url) in httrack::rows_of_files(rows, folder.as_deref(), &|path| is_file(&by_path, entries, path)) {
        add_url(&mut entries[by_path[&path]], source, url);
    }
}

/// Adds the URLs in all file lists of HTTrack. Returns findings about those that cannot be read.
fn add_httrack_lists(entries: &mut [Entry]) -> Vec<(PathBuf, Finding)> {
    let by_path = index(entries);
    let is_list = |path: &&String| mirror_of(path).is_some() && is_file(&by_path, entries, path);
    let mut lists: Vec<&String> = by_path.keys().filter(is_list).collect();
    // In a nested mirror, its own list takes precedence.
    lists.sort_by_key(|list| Reverse(list.matches('/').count()));
    let mut findings = Vec::new();
    for list in lists {
        if let Err(error) = add_httrack_urls(list, entries, &by_path) {
            let message = format!("cannot read the file list of HTTrack: {error}");
            findings.push((entries[by_path[list]].source.clone(), Finding::new(Code::UrlNotUsed, message)));
        }
    }
    findings
}

/// Gives files with a query in their names the URLs with this query, and indexes beside such files those of their folders. wget names
/// them so, also where it converts no links.
fn add_queries(entries: &mut [Entry], selection: &Selection) {
    let has_query =
        |path: &String| path.rsplit('/').next().is_some_and(|name| name.contains('?') && name.contains('='));
    let path_of = |entry: &Entry| slashed(&entry.path);
    let Some(root) = selection.url.as_deref().map(root_of) else { return };
    if !entries.iter().filter_map(path_of).any(|path| has_query(&path)) {
        return;
    }
    let is_named = |path: &String| has_query(path) || path == "index.html" || path.ends_with("/index.html");
    for entry in entries {
        let url = path_of(entry).filter(is_named).and_then(|path| Names::Plain.url_below(Tool::Wget, &root, &path));
        let given = entry.known.retrievals.iter_mut().find(|known| known.source == UrlSource::Url);
        if let (Some(url), Some(given)) = (url, given) {
            given.url = url;
        }
    }
}

/// Gives files with these names the URLs of their folders.
fn add_indexes(entries: &mut [Entry], names: &[String]) {
    let is_index = |entry: &&mut Entry| {
        let name = entry.path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| names.iter().any(|index| index == name))
    };
    for entry in entries.iter_mut().filter(is_index) {
        let is_by_path = |known: &&mut Retrieval| matches!(known.source, UrlSource::Url | UrlSource::Layout);
        let given = entry.known.retrievals.iter_mut().find(is_by_path);
        if let Some((given, slash)) = given.and_then(|given| given.url.rfind('/').map(|slash| (given, slash))) {
            given.url.truncate(slash + 1);
        }
    }
}

/// Returns the URL of a folder with a slash at the end.
fn root_of(url: &str) -> String {
    format!("{}/", folder_url(url).trim_end_matches('/'))
}

/// Adds the URL to which the path of each file in a mirror maps. Returns a finding instead if a page is where a mirror has none.
fn add_places(
    tool: Tool,
    links: Links,
    entries: &mut [Entry],
    by_path: &HashMap<String, usize>,
    selection: &Selection,
) -> Option<(PathBuf, Finding)> {
    let host = selection.url.as_deref().filter(|_| !is_above_host(tool, entries, selection)).map(root_of);
    // HTTrack writes an index page above the hosts.
    let is_above_hosts =
        |path: &str, entry: &Entry| !path.contains('/') && path != "index.html" && entry.kind.may_be_html();
    let above = || by_path.iter().filter(|(path, index)| is_above_hosts(path, &entries[**index])).min();
    if let (Layout::Wget | Layout::Httrack, None, Some((path, _))) = (selection.layout, &host, above())
        && selection.urls.is_empty()
    {
        let message = "--layout is ignored: this is not a mirror, because a page is next to the folders of the hosts; for the \
                       folder of one host, add its --url";
        return Some((entries[by_path[path]].source.clone(), Finding::new(Code::UrlNotUsed, message)));
    }
    let mut plain = by_path.iter().filter(|(path, _)| mirror_layout::is_plain(path)).map(|(_, index)| &entries[*index]);
    let are_plain = links == Links::AsRetrieved || plain.any(is_page);
    let names = if are_plain { Names::Plain } else { Names::PerhapsAdjusted };
    let urls = entries.iter().filter_map(|entry| entry.retrieval().filter(|known| known.source.is_listed()));
    let listed: HashMap<String, String> =
        urls.filter_map(|known| Some((without_port(&known.url)?, known.url.clone()))).collect();
    let is_original = |path: &str| tool == Tool::Wget && is_file(by_path, entries, path);
    let place = |path: &str| {
        // The name of an original shows whether `.html` was appended.
        let (path, names) =
            twins::original_of(path, &is_original).map_or((path, names), |(_, before)| (before, Names::Plain));
        let (root, below) = match &host {
            Some(root) => (root.clone(), path),
            // A page beside the folders is that of one host, whose folder wget left out (-nH).
            None if tool == Tool::Wget && is_file(by_path, entries, "index.html") => return None,
            None => mirror_layout::split_host(tool, path, scheme_of(selection))?,
        };
        // wget2 leaves out the port, which the user or the log knows.
        let known = selection.url.iter().chain(listed.get(&root));
        let mut known = known.filter(|url| host.is_none() && mirror_layout::has_host(url, &root));
        names.url_below(tool, &known.next().map_or(root, |url| origin_of(url)), below)
    };
    let files = by_path.iter().filter(|(_, index)| entries[**index].kind != EntryKind::Folder);
    let urls: Vec<_> = files.map(|(path, index)| (*index, place(path))).collect();
    for (index, url) in urls {
        let known = &mut entries[index].known;
        if links != Links::AsRetrieved {
            known.links.get_or_insert(links);
        }
        // The path of a copy is not that of its URL.
        known.retrievals.retain(|known| known.source != UrlSource::Url);
        url.into_iter().for_each(|url| add_url(&mut entries[index], UrlSource::Layout, url));
    }
    // Names that are not UTF-8 map to no URL.
    for entry in entries.iter_mut().filter(|entry| slashed(&entry.path).is_none()) {
        if links != Links::AsRetrieved {
            entry.known.links.get_or_insert(links);
        }
        entry.known.retrievals.retain(|known| host.is_some() || known.source != UrlSource::Url);
    }
    None
}

/// Returns the URL of the root of the host at the port of its scheme.
fn without_port(url: &str) -> Option<String> {
    let mut root = Url::parse(url).and_then(|url| url.join("/")).ok()?;
    root.set_port(None).ok()?;
    Some(root.into())
}

/// Returns a finding for each folder of a host without a port whose index names this host with one.
fn other_ports(entries: &[Entry]) -> Vec<(PathBuf, Finding)> {
    let other = |entry: &Entry| {
        let path = slashed(&entry.path)?;
        let host = path.strip_suffix("/index.html").filter(|host| !host.contains(['/', ':', '+']))?;
        let mut start = Vec::new();
        entry.open().ok()?.take(DOCUMENT_FILE_BYTES).read_to_end(&mut start).ok()?;
        let name = format!("//{host}:");
        let port = &start[memchr::memmem::find(&start, name.as_bytes())? + name.len()..];
        let port: String =
            port.iter().take_while(|byte| byte.is_ascii_digit()).map(|digit| char::from(*digit)).collect();
        let message = format!(
            "its links name {host} with the port {port}, which wget2 leaves out of the name of the folder; if the files are from there, pass \
             --url with http://{host}:{port}/"
        );
        (!port.is_empty()).then(|| (entry.source.clone(), Finding::new(Code::UrlConflict, message)))
    };
    entries.iter().filter_map(other).collect()
}

/// Adds what the links of each copy were before, by its original. Returns findings about originals that do not count.
fn add_originals(entries: &mut [Entry], by_path: &HashMap<String, usize>) -> Vec<(PathBuf, Finding)> {
    let url_of = |entry: &Entry| Some((normal(&entry.source), entry.retrieval()?.url.clone()));
    let urls: HashMap<PathBuf, String> = entries.iter().filter_map(url_of).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (path, index) in by_path.iter().filter(|(path, _)| is_file(by_path, entries, path)) {
        let original = twins::original_of(path, &|path| is_file(by_path, entries, path));
        pairs.extend(original.map(|(original, _)| (*index, by_path[&original])));
    }
    pairs.sort_unstable();
    let compared = |(copy, original): &(usize, usize)| {
        let url = &entries[*copy].retrieval()?.url;
        Some((*copy, twins::originals(&entries[*copy], &entries[*original], url, &urls)))
    };
    let compared: Vec<_> = pairs.par_iter().filter_map(compared).collect();
    let mut findings = Vec::new();
    for (copy, originals) in compared {
        let entry = &mut entries[copy];
        match originals {
            Ok(originals) => entry.known.originals = Some(Arc::new(originals)),
            Err(finding) => findings.push((entry.source.clone(), finding)),
        }
    }
    findings
}

/// Returns the scheme of the hosts of a mirror.
fn scheme_of(selection: &Selection) -> Option<Scheme> {
    let of_list = || selection.urls.values().min().and_then(|url| Scheme::of(url));
    selection.discovery.scheme.or_else(|| selection.url.as_deref().and_then(Scheme::of)).or_else(of_list)
}

/// Returns whether a folder of the input is that of the host of `--url`, so that the input is the whole mirror. Without `--layout`, no page is
/// beside the folders of hosts then.
fn is_above_host(tool: Tool, entries: &[Entry], selection: &Selection) -> bool {
    let Some(url) = selection.url.as_deref() else { return false };
    if !mirror_layout::tops(entries).iter().any(|top| mirror_layout::is_below_host(tool, top, Some(url))) {
        return false;
    }
    let is_below =
        |entry: &Entry| slashed(&entry.path).is_none_or(|path| mirror_layout::is_below_host(tool, &path, None));
    let is_page = |entry: &&Entry| entry.kind == EntryKind::Document(FileType::Document(DocumentType::Html));
    selection.layout != Layout::Auto || entries.iter().filter(is_page).all(is_below)
}

/// Returns the URL of the root of the host.
fn origin_of(url: &str) -> String {
    Url::parse(url).and_then(|url| url.join("/")).map_or_else(|_| url.to_owned(), String::from)
}

/// Returns whether a file is a page by its first bytes.
fn is_page(entry: &Entry) -> bool {
    let mut start = Vec::new();
    let read = entry.open().and_then(|file| file.take(FileType::START_BYTES).read_to_end(&mut start));
    read.is_ok() && DocumentType::of_content(&start) == Some(DocumentType::Html)
}

fn is_file(by_path: &HashMap<String, usize>, entries: &[Entry], path: &str) -> bool {
    by_path.get(path).is_some_and(|index| !matches!(entries[*index].kind, EntryKind::Folder | EntryKind::Symlink))
}

/// Returns the folder of the mirror with this file list: `` or `a/`; `None` if the path is not that of a file list.
fn mirror_of(path: &str) -> Option<&str> {
    path.strip_suffix("hts-cache/new.txt").filter(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// Adds the URLs in a file list of HTTrack to the entries of its mirror.
fn add_httrack_urls(list: &str, entries: &mut [Entry], by_path: &HashMap<String, usize>) -> io::Result<()> {
    let Some(folder) = mirror_of(list) else { return Ok(()) };
    let entry = &entries[by_path[list]];
    if entry.size > INDEX_BYTES as u64 {
        return Err(io::Error::other(format!("it is longer than {} MiB", INDEX_BYTES >> 20)));
    }
    let mut rows = Vec::new();
    entry.open()?.read_to_end(&mut rows)?;
    let rows = httrack::rows(&String::from_utf8_lossy(&rows));
    let log = format!("{folder}hts-cache/doit.log");
    let has_log = is_file(by_path, entries, &log);
    let mut command = Vec::new();
    if has_log {
        entries[by_path[&log]].open()?.take(COMMAND_BYTES).read_to_end(&mut command)?;
    }
    let links = match httrack::keeps_links(&String::from_utf8_lossy(&command)) {
        true => Links::AsRetrieved,
        false => Links::Local(Saver::Httrack),
    };
    let schemes: HashSet<Option<Scheme>> = rows.iter().map(|(_, url)| Scheme::of(url)).collect();
    let within = |path: &str| format!("{folder}{path}");
    // The index page above the hosts is written by HTTrack itself.
    let is_of_mirror = |path: &str| path != "index.html" && is_file(by_path, entries, &within(path));
    let name = mirror_layout::name_of_folder(&entries[by_path[list]], 2);
    for (path, url) in httrack::rows_of_files(rows, name.as_deref(), &is_of_mirror) {
        add_url(&mut entries[by_path[&within(&path)]], UrlSource::HttrackCache, url);
    }
    // The comments in its pages do not contain the scheme.
    let scheme = match Vec::from_iter(schemes)[..] {
        [scheme] => scheme,
        _ => None,
    };
    for (_, index) in by_path.iter().filter(|(path, _)| path.starts_with(folder)) {
        let entry = &mut entries[*index];
        entry.known.links.get_or_insert(links);
        entry.discovery.scheme = entry.discovery.scheme.or(scheme);
    }
    Ok(())
}

/// Adds a URL to an entry, unless it is a message of a Maildir: those were not retrieved from a URL.
fn add_url(entry: &mut Entry, source: UrlSource, url: String) {
    if entry.record.is_empty() {
        let retrievals = &mut entry.known.retrievals;
        // A URL given for this file replaces the one given for the whole input.
        retrievals.retain(|known| !source.is_listed() || known.source != UrlSource::Url);
        retrievals.push(Retrieval { source, url });
        retrievals.sort_by_key(|known| known.source);
    }
}
