//! URLs of files that are known before the files are read: given by the user, listed by HTTrack, or mapped from the
//! path in a mirror.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use absolve_framing::INDEX_BYTES;
use absolve_framing::bundle::normal;
use absolve_rewriter::internal::{Discover, Links, Retrieval, Saver, Scheme, UrlSource, slashed};
use absolve_rewriter::{Code, Finding};
use rayon::prelude::*;

use crate::discover::copies::of_pages::mark_copies;
use crate::discover::file_names::{INDEX, Names, Tool, has_query, original_of};
use crate::discover::mirror::{Mirror, mirror};
use crate::discover::mirror_layout::{Shape, name_of_folder, name_of_input};
use crate::discover::site::{index, is_file, root_of};
use crate::discover::{httrack, manifests, twins};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::input::selection::{Layout, Selection, UrlList};
use crate::input::unpacked::UnpackedSite;

/// Adds the known URLs to each entry. Returns findings about file lists and layouts that cannot be used, and about a mirror.
pub(crate) fn add_known_urls(entries: &mut [Entry], selection: &Selection) -> Vec<(PathBuf, Finding)> {
    let mut findings = Vec::new();
    let shape = Shape::of(entries);
    if selection.layout == Layout::Auto && shape.query.is_some() {
        add_queries(entries, selection);
    }
    if !selection.urls.is_empty() {
        add_listed(entries, selection);
    }
    if selection.list == UrlList::Unpacked {
        // The page to begin with is no page of the site.
        let is_first_page = |entry: &&mut Entry| entry.path == Path::new(INDEX);
        entries.iter_mut().filter(is_first_page).for_each(|entry| entry.kind = EntryKind::Copied);
        return findings;
    }
    if selection.discovery.discover != Discover::Nothing && shape.has_list {
        findings.extend(add_httrack_lists(entries));
    }
    if selection.discovery.discover != Discover::Nothing {
        for (index, source, url) in manifests::read(entries) {
            add_url(&mut entries[index], source, url);
        }
    }
    let mirror = mirror(entries, selection, &shape, &mut findings);
    mirror.iter().for_each(|mirror| add_places(mirror, entries));
    if !selection.directory_index.is_empty() {
        add_indexes(entries, &selection.directory_index);
    }
    if let Some(mirror) = mirror.filter(|mirror| mirror.links == Links::Local(Saver::Wget)) {
        findings.extend(add_originals(entries, &mirror.by_path));
    }
    if selection.discovery.discover != Discover::Nothing {
        mark_copies(entries);
    }
    findings
}

/// Adds the URLs that the user lists.
fn add_listed(entries: &mut [Entry], selection: &Selection) {
    let by_path = index(entries);
    let mut rows: Vec<_> = selection.urls.iter().map(|(path, url)| (path.clone(), url.clone())).collect();
    rows.sort();
    let folder = entries.iter().find(|entry| !matches!(entry.kind, EntryKind::Bundle(_))).and_then(name_of_input);
    let source = if selection.list.is_log() { UrlSource::Log } else { UrlSource::Urls };
    let unpacked = (selection.list == UrlList::Unpacked).then(|| Arc::new(UnpackedSite::new(&selection.urls)));
    for (path, url) in httrack::rows_of_files(rows, folder.as_deref(), &|path| is_file(&by_path, entries, path)) {
        let entry = &mut entries[by_path[&path]];
        if let Some(file) = unpacked.as_ref().and_then(|site| site.file(&url)) {
            entry.provenance.unpacked = Some(file);
            entry.provenance.known.links = Some(Links::Local(Saver::Unpack));
        }
        add_url(entry, source, url);
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
    let path_of = |entry: &Entry| slashed(&entry.path);
    let Some(root) = selection.url.as_deref().map(root_of) else { return };
    let has_query = |path: &String| path.rsplit('/').next().is_some_and(has_query);
    if !entries.iter().filter_map(path_of).any(|path| has_query(&path)) {
        return;
    }
    let is_named = |path: &String| has_query(path) || path == "index.html" || path.ends_with("/index.html");
    for entry in entries {
        let url =
            path_of(entry).filter(is_named).and_then(|path| Names::Plain.url_below(Tool::Wget, &root, &path).ok());
        let given = entry.provenance.known.retrievals.iter_mut().find(|known| known.source == UrlSource::Url);
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
        let given = entry.provenance.known.retrievals.iter_mut().find(is_by_path);
        if let Some((given, slash)) = given.and_then(|given| given.url.rfind('/').map(|slash| (given, slash))) {
            given.url.truncate(slash + 1);
        }
    }
}

/// Adds the URL to which the path of each file in a mirror maps.
fn add_places(mirror: &Mirror, entries: &mut [Entry]) {
    let add_links = |entry: &mut Entry| {
        if mirror.links != Links::AsRetrieved {
            entry.provenance.known.links.get_or_insert(mirror.links);
        }
    };
    for (index, url) in &mirror.urls {
        let entry = &mut entries[*index];
        add_links(entry);
        // The path of a copy is not that of its URL.
        entry.provenance.known.retrievals.retain(|known| known.source != UrlSource::Url);
        url.iter().for_each(|url| add_url(entry, UrlSource::Layout, url.clone()));
    }
    // Names that are not UTF-8 map to no URL.
    for entry in entries.iter_mut().filter(|entry| slashed(&entry.path).is_none()) {
        add_links(entry);
        entry.provenance.known.retrievals.retain(|known| mirror.is_of_host || known.source != UrlSource::Url);
    }
}

/// Adds what the links of each copy were before, by its original. Returns findings about originals that do not count.
fn add_originals(entries: &mut [Entry], by_path: &HashMap<String, usize>) -> Vec<(PathBuf, Finding)> {
    let url_of = |entry: &Entry| Some((normal(&entry.source), entry.retrieval()?.url.clone()));
    let urls: HashMap<PathBuf, String> = entries.iter().filter_map(url_of).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (path, index) in by_path.iter().filter(|(path, _)| is_file(by_path, entries, path)) {
        let original = original_of(path, &|path| is_file(by_path, entries, path));
        pairs.extend(original.map(|(original, _)| (*index, by_path[&original])));
    }
    pairs.sort_unstable();
    let compared = |(copy, original): &(usize, usize)| {
        let url = &entries[*copy].retrieval()?.url;
        Some((*copy, twins::originals(&entries[*copy], &entries[*original], url, &urls)))
    };
    let compared: Vec<_> = pairs.par_iter().filter_map(compared).collect();
    let mut findings = Vec::new();
    // An original is no page of the mirror.
    pairs.iter().for_each(|(_, original)| entries[*original].kind = EntryKind::Copied);
    for (copy, originals) in compared {
        let entry = &mut entries[copy];
        match originals {
            Ok(originals) => entry.provenance.known.originals = Some(Arc::new(originals)),
            Err(finding) => findings.push((entry.source.clone(), finding)),
        }
    }
    findings
}

/// Returns the folder of the mirror with this file list: `` or `a/`; `None` if the path is not that of a file list.
fn mirror_of(path: &str) -> Option<&str> {
    path.strip_suffix("hts-cache/new.txt").filter(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// Adds the URLs in a file list of HTTrack to the entries of its mirror.
fn add_httrack_urls(list: &str, entries: &mut [Entry], by_path: &HashMap<String, usize>) -> io::Result<()> {
    let Some(folder) = mirror_of(list) else { return Ok(()) };
    let entry = &entries[by_path[list]];
    if entry.attributes.size > INDEX_BYTES as u64 {
        return Err(io::Error::other(format!("it is longer than {} MiB", INDEX_BYTES >> 20)));
    }
    let mut rows = Vec::new();
    entry.open()?.read_to_end(&mut rows)?;
    let rows = httrack::rows(&String::from_utf8_lossy(&rows));
    let log = format!("{folder}hts-cache/doit.log");
    let keeps_links = is_file(by_path, entries, &log) && httrack::keeps_links(entries[by_path[&log]].open()?)?;
    let links = if keeps_links { Links::AsRetrieved } else { Links::Local(Saver::Httrack) };
    let schemes: HashSet<Option<Scheme>> = rows.iter().map(|(_, url)| Scheme::of(url)).collect();
    let within = |path: &str| format!("{folder}{path}");
    // The index page above the hosts is written by HTTrack itself.
    let is_of_mirror = |path: &str| path != "index.html" && is_file(by_path, entries, &within(path));
    let name = name_of_folder(&entries[by_path[list]], 2);
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
        entry.provenance.known.links.get_or_insert(links);
        entry.provenance.discovery.scheme = entry.provenance.discovery.scheme.or(scheme);
    }
    Ok(())
}

/// Adds a URL to an entry, unless it is a message of a Maildir: those were not retrieved from a URL.
fn add_url(entry: &mut Entry, source: UrlSource, url: String) {
    if entry.record.is_empty() {
        let retrievals = &mut entry.provenance.known.retrievals;
        // A URL given for this file replaces the one given for the whole input.
        retrievals.retain(|known| !source.is_listed() || known.source != UrlSource::Url);
        retrievals.push(Retrieval { source, url });
        retrievals.sort_by_key(|known| known.source);
    }
}
