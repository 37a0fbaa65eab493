//! What is known of the files of an input before they are read: what the user tells, the list that HTTrack keeps, the
//! folders they stand in.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fs;
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

/// Notes with each entry what is known of it; tells of lists of mirrors that cannot be read.
pub(crate) fn note_retrievals(entries: &mut [Entry], selection: &Selection) -> Vec<(PathBuf, Finding)> {
    let looks_for_lists = selection.discovery.discover != Discover::Nothing
        && entries.iter().any(|entry| entry.path.ends_with("hts-cache/new.txt"));
    if selection.urls.is_empty() && selection.layout.is_none() && !looks_for_lists {
        return Vec::new();
    }
    let by_path: HashMap<String, usize> =
        entries.iter().enumerate().filter_map(|(index, entry)| Some((slashed(&entry.path)?, index))).collect();
    let mut findings = Vec::new();
    if !selection.urls.is_empty() {
        let mut told: Vec<_> = selection.urls.iter().map(|(path, url)| (path.clone(), url.clone())).collect();
        told.sort();
        let folder = entries.first().and_then(|entry| name_of_folder(entry, entry.path.components().count()));
        for (path, url) in httrack::fitted(told, folder.as_deref(), &|path| is_file(&by_path, entries, path)) {
            note(&mut entries[by_path[&path]], UrlSource::Urls, url);
        }
    }
    if looks_for_lists {
        let is_list = |path: &&String| mirror_of(path).is_some() && is_file(&by_path, entries, path);
        let mut lists: Vec<String> = by_path.keys().filter(is_list).cloned().collect();
        // What is known of a mirror within another one counts there.
        lists.sort_by_key(|list| Reverse(list.matches('/').count()));
        for list in lists {
            if let Err(error) = note_mirror(&list, entries, &by_path) {
                let path = entries[by_path[&list]].source.clone();
                findings.push((path, Finding::new(Code::UrlNotUsed, format!("the list of the mirror: {error}"))));
            }
        }
    }
    if let Some(layout) = selection.layout {
        findings.extend(note_layout(layout, entries, &by_path, selection.discovery.scheme));
    }
    findings
}

/// Notes what the place of each file tells; tells of pages that stand where a mirror has none.
fn note_layout(
    layout: Layout,
    entries: &mut [Entry],
    by_path: &HashMap<String, usize>,
    scheme: Option<Scheme>,
) -> Option<(PathBuf, Finding)> {
    // HTTrack has a page of its own there.
    let is_above = |path: &str, entry: &Entry| !path.contains('/') && path != "index.html" && entry.kind.may_be_html();
    if let Some((path, _)) = by_path.iter().filter(|(path, index)| is_above(path, &entries[**index])).min() {
        let message = "a page beside the folders of hosts: this is no mirror, and --layout does not count; --url tells the \
                       URL of the folder of one host";
        return Some((entries[by_path[path]].source.clone(), Finding::new(Code::UrlNotUsed, message)));
    }
    let links = Links::Local(match layout {
        Layout::Wget => Saver::Wget,
        Layout::Httrack => Saver::Httrack,
    });
    let mut plain = by_path.iter().filter(|(path, _)| mirror_layout::is_plain(path)).map(|(_, index)| &entries[*index]);
    let names = if plain.any(holds_page) { Names::Plain } else { Names::PerhapsAdjusted };
    let files = by_path.iter().filter(|(_, index)| entries[**index].kind != EntryKind::Folder);
    let urls: Vec<_> = files.map(|(path, index)| (*index, names.url_of(layout, path, scheme))).collect();
    for (index, url) in urls {
        entries[index].known.links.get_or_insert(links);
        url.into_iter().for_each(|url| note(&mut entries[index], UrlSource::Layout, url));
    }
    None
}

/// Whether a file is a page by its first bytes.
fn holds_page(entry: &Entry) -> bool {
    let mut start = Vec::new();
    let read = entry.open().and_then(|file| file.take(FileType::BYTES_THAT_TELL).read_to_end(&mut start));
    read.is_ok() && DocumentType::of_content(&start) == Some(DocumentType::Html)
}

/// The name of the folder that stands so many names above an entry.
fn name_of_folder(entry: &Entry, names: usize) -> Option<String> {
    let folder = entry.source.ancestors().nth(names)?;
    let folder = folder.canonicalize().ok()?;
    Some(folder.file_name()?.to_str()?.to_owned())
}

fn is_file(by_path: &HashMap<String, usize>, entries: &[Entry], path: &str) -> bool {
    by_path.get(path).is_some_and(|index| !matches!(entries[*index].kind, EntryKind::Folder | EntryKind::Symlink))
}

/// The folder of the mirror that this list is of, if it is one: `` or `a/`.
fn mirror_of(path: &str) -> Option<&str> {
    path.strip_suffix("hts-cache/new.txt").filter(|folder| folder.is_empty() || folder.ends_with('/'))
}

fn note_mirror(list: &str, entries: &mut [Entry], by_path: &HashMap<String, usize>) -> io::Result<()> {
    let Some(folder) = mirror_of(list) else { return Ok(()) };
    let Entry { source, size, .. } = &entries[by_path[list]];
    if *size > INDEX_BYTES as u64 {
        return Err(io::Error::other(format!("it is longer than {} MiB", INDEX_BYTES >> 20)));
    }
    let rows = httrack::rows(&String::from_utf8_lossy(&fs::read(source)?));
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
    // The page above the hosts is one of HTTrack's own.
    let is_of_mirror = |path: &str| path != "index.html" && is_file(by_path, entries, &within(path));
    let name = name_of_folder(&entries[by_path[list]], 2);
    for (path, url) in httrack::fitted(rows, name.as_deref(), &is_of_mirror) {
        note(&mut entries[by_path[&within(&path)]], UrlSource::HttrackCache, url);
    }
    // The comments in its pages tell no scheme.
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

/// Nobody retrieved the messages of a Maildir from a URL.
fn note(entry: &mut Entry, source: UrlSource, url: String) {
    if entry.record.is_empty() {
        let retrievals = &mut entry.known.retrievals;
        // What is told of it alone counts, not what is told of all.
        retrievals.retain(|known| source != UrlSource::Urls || known.source != UrlSource::Url);
        retrievals.push(Retrieval { source, url });
        retrievals.sort_by_key(|known| known.source);
    }
}
