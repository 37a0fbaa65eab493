//! URLs of files that are known before the files are read: given by the user, listed by HTTrack, or mapped from the
//! path in a mirror.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::path::PathBuf;

use absolve_containers::{FileType, INDEX_BYTES};
use absolve_links::DocumentType;
use absolve_rewriter::{Code, Discover, Finding, Links, Retrieval, Saver, Scheme, UrlSource, slashed};

use crate::discover::mirror_layout::Names;
use crate::discover::{httrack, mirror_layout};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::input::selection::{Layout, Selection};
use crate::limits::COMMAND_BYTES;

/// Adds the known URLs to each entry. Returns findings about file lists and layouts that cannot be used.
pub(crate) fn add_known_urls(entries: &mut [Entry], selection: &Selection) -> Vec<(PathBuf, Finding)> {
    let reads_lists = selection.discovery.discover != Discover::Nothing
        && entries.iter().any(|entry| entry.path.ends_with("hts-cache/new.txt"));
    if selection.urls.is_empty() && selection.layout.is_none() && !reads_lists {
        return Vec::new();
    }
    let by_path: HashMap<String, usize> =
        entries.iter().enumerate().filter_map(|(index, entry)| Some((slashed(&entry.path)?, index))).collect();
    let mut findings = Vec::new();
    if !selection.urls.is_empty() {
        let mut rows: Vec<_> = selection.urls.iter().map(|(path, url)| (path.clone(), url.clone())).collect();
        rows.sort();
        let folder = entries
            .iter()
            .find(|entry| !matches!(entry.kind, EntryKind::Bundle(_)))
            .and_then(|entry| name_of_folder(entry, entry.path.components().count()));
        for (path, url) in httrack::rows_of_files(rows, folder.as_deref(), &|path| is_file(&by_path, entries, path)) {
            add_url(&mut entries[by_path[&path]], UrlSource::Urls, url);
        }
    }
    if reads_lists {
        let is_list = |path: &&String| mirror_of(path).is_some() && is_file(&by_path, entries, path);
        let mut lists: Vec<String> = by_path.keys().filter(is_list).cloned().collect();
        // In a nested mirror, its own list takes precedence.
        lists.sort_by_key(|list| Reverse(list.matches('/').count()));
        for list in lists {
            if let Err(error) = add_httrack_urls(&list, entries, &by_path) {
                let path = entries[by_path[&list]].source.clone();
                let message = format!("cannot read the file list of HTTrack: {error}");
                findings.push((path, Finding::new(Code::UrlNotUsed, message)));
            }
        }
    }
    if let Some(layout) = selection.layout {
        findings.extend(add_layout_urls(layout, entries, &by_path, selection.discovery.scheme));
    }
    findings
}

/// Adds the URL to which the path of each file maps. Returns a finding instead if a page is where a mirror has none.
fn add_layout_urls(
    layout: Layout,
    entries: &mut [Entry],
    by_path: &HashMap<String, usize>,
    scheme: Option<Scheme>,
) -> Option<(PathBuf, Finding)> {
    // HTTrack writes an index page there.
    let is_above_hosts =
        |path: &str, entry: &Entry| !path.contains('/') && path != "index.html" && entry.kind.may_be_html();
    if let Some((path, _)) = by_path.iter().filter(|(path, index)| is_above_hosts(path, &entries[**index])).min() {
        let message = "--layout is ignored: this is not a mirror, because a page is next to the folders of the hosts; for the \
                       folder of one host use --url";
        return Some((entries[by_path[path]].source.clone(), Finding::new(Code::UrlNotUsed, message)));
    }
    let links = Links::Local(match layout {
        Layout::Wget => Saver::Wget,
        Layout::Httrack => Saver::Httrack,
    });
    let mut plain = by_path.iter().filter(|(path, _)| mirror_layout::is_plain(path)).map(|(_, index)| &entries[*index]);
    let names = if plain.any(is_page) { Names::Plain } else { Names::PerhapsAdjusted };
    let files = by_path.iter().filter(|(_, index)| entries[**index].kind != EntryKind::Folder);
    let urls: Vec<_> = files.map(|(path, index)| (*index, names.url_of(layout, path, scheme))).collect();
    for (index, url) in urls {
        entries[index].known.links.get_or_insert(links);
        url.into_iter().for_each(|url| add_url(&mut entries[index], UrlSource::Layout, url));
    }
    None
}

/// Returns whether a file is a page by its first bytes.
fn is_page(entry: &Entry) -> bool {
    let mut start = Vec::new();
    let read = entry.open().and_then(|file| file.take(FileType::START_BYTES).read_to_end(&mut start));
    read.is_ok() && DocumentType::of_content(&start) == Some(DocumentType::Html)
}

/// Returns the name of the folder `names` levels above an entry.
fn name_of_folder(entry: &Entry, names: usize) -> Option<String> {
    let folder = entry.source.ancestors().nth(names)?;
    let folder = folder.canonicalize().ok()?;
    Some(folder.file_name()?.to_str()?.to_owned())
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
        retrievals.retain(|known| source != UrlSource::Urls || known.source != UrlSource::Url);
        retrievals.push(Retrieval { source, url });
        retrievals.sort_by_key(|known| known.source);
    }
}
