//! Shows whether wget converted the links of an input (`--convert-links`).

mod all_links;

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use absolve_links::{Document, DocumentType, Place, Table};
use absolve_rewriter::{Code, Finding};
use rayon::prelude::*;
use url::Url;

use crate::discover::converted::all_links::{Shown, across_hosts, by_links};
use crate::discover::copies::path_from;
use crate::discover::mirror_layout::Tool;
use crate::discover::twins;
use crate::input::entry::Entry;
use crate::input::paths::normal;
use crate::input::selection::{Selection, UrlList};
use crate::limits::DOCUMENT_FILE_BYTES;

/// Bytes at the start of a page in which an emptied BASE is searched.
const HEAD_BYTES: usize = 4096;

/// What shows that links were converted.
enum Evidence<'e> {
    Log,
    /// The original of a page.
    Original(&'e Path),
    /// A page that names a file by an escape that no server needs.
    Name(&'e Path, String),
    /// A page whose BASE is empty.
    Base(&'e Path),
    /// A page that leads to a file by its name, where the list has another URL for it.
    List(&'e Path, String),
    /// A page that leads from the folder of one host to a file in that of another.
    Hosts(&'e Path, String),
    /// A page that leads to the index of a folder, in a mirror of which all links lead to files.
    Links(&'e Path, String),
}

/// Returns the tool that made the links of an input lead to its copies, if something shows it, and a finding with its path about what shows
/// it, or about what may be so.
pub(crate) fn converted(entries: &[Entry], selection: &Selection) -> (Option<Tool>, Option<(PathBuf, Finding)>) {
    // Most inputs show nothing, and need no set of all their files.
    let files = LazyLock::new(|| -> HashSet<PathBuf> {
        entries.iter().filter(|entry| entry.is_file()).map(|entry| normal(&entry.source)).collect()
    });
    let is_listed = |entry: &Entry| entry.retrieval().is_some_and(|known| known.source.is_listed());
    let log = || (selection.list == UrlList::ConvertingLog && entries.iter().any(is_listed)).then_some(Evidence::Log);
    let original = || {
        let shows = |entry: &&Entry| {
            let copy = twins::is_original(&entry.source).then(|| twins::copy_of(&entry.source, &files)).flatten();
            copy.is_some_and(|copy| twins::differ(&copy, entry, &files))
        };
        entries.iter().find(shows).map(|entry| Evidence::Original(&entry.source))
    };
    // Only where names show that wget may have saved it: to read all pages of every input would cost a fifth of a run.
    let may_be_mirror = entries.iter().any(has_query);
    let page = || {
        let pages = entries.par_iter().filter(|entry| may_be_mirror && entry.kind.may_be_html());
        pages.find_map_first(|page| of_page(page, &files))
    };
    let by_list = || {
        let urls: HashMap<PathBuf, &str> = entries.iter().filter(|entry| is_listed(entry)).filter_map(listed).collect();
        let pages = entries.par_iter().filter(|entry| is_listed(entry) && entry.kind.may_be_html());
        pages.find_map_first(|page| by_list(page, &urls))
    };
    let across = || across_hosts(entries, selection, &files).map(|(path, reference)| Evidence::Hosts(path, reference));
    let Some(evidence) = log().or_else(original).or_else(page).or_else(by_list).or_else(across) else {
        return match by_links(entries, selection, &files) {
            Some(Shown { is_of_wget: true, index: Some((path, reference)), .. }) => {
                found(entries, Evidence::Links(path, reference))
            }
            shown => (None, perhaps(entries, selection, shown.and_then(|shown| shown.index))),
        };
    };
    found(entries, evidence)
}

/// Returns the tool and a finding about what shows it.
fn found(entries: &[Entry], evidence: Evidence<'_>) -> (Option<Tool>, Option<(PathBuf, Finding)>) {
    let (path, why) = match evidence {
        Evidence::Log => (entries.first().map_or(Path::new(""), |entry| &entry.source), "the log says so".to_owned()),
        Evidence::Original(path) => {
            (path, "the links of the page beside this original are written for copies".to_owned())
        }
        Evidence::Name(path, reference) => {
            (path, format!("{reference:?} is how it writes the name of a file with a query"))
        }
        Evidence::Base(path) => (path, "its BASE is empty, and all its links lead to files".to_owned()),
        Evidence::List(path, reference) => {
            (path, format!("{reference:?} is the name of a file with another URL in --urls"))
        }
        Evidence::Hosts(path, reference) => {
            (path, format!("{reference:?} leads from the folder of one host to that of another"))
        }
        Evidence::Links(path, reference) => {
            (path, format!("all its links lead to files, and {reference:?} to the index of a folder"))
        }
    };
    let message = format!(
        "wget has made the links of this folder lead to its copies: {why}. Each becomes the URL of its copy; --layout root reads \
         them as they are written"
    );
    (Some(Tool::Wget), Some((path.to_owned(), Finding::new(Code::Mirror, message))))
}

/// Returns what a page shows.
fn of_page<'e>(
    page: &'e Entry,
    files: &LazyLock<HashSet<PathBuf>, impl FnOnce() -> HashSet<PathBuf>>,
) -> Option<Evidence<'e>> {
    let bytes = bytes_of(page)?;
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    if memchr::memmem::find(head, b"<base href=\"\"").is_none() && memchr::memmem::find(&bytes, b"%3F").is_none() {
        return None;
    }
    let document = Document::new(&bytes, DocumentType::Html);
    let table = Table::default();
    let scan = document.scan(&table).ok()?;
    let folder = normal(page.source.parent().unwrap_or(Path::new("")));
    let is_copy = |path: &str| path_from(&folder, path).is_some_and(|path| files.contains(&path));
    let text = |link: usize| document.reference(&scan.links[link]).text().to_owned();
    if scan.base.is_some_and(|base| text(base).is_empty()) {
        // Where wget converts links, it leaves none to a folder, and none that leads nowhere. Authors write an empty BASE, too.
        let is_converted = |link: &usize| match scan.links[*link].place {
            Place::Attribute { row, .. } => ["href", "src"].contains(&&*table.rows()[usize::from(row)].attribute),
            _ => false,
        };
        let others = (0..scan.links.len()).filter(|link| !scan.bases.contains(link) && is_converted(link)).map(text);
        let mut relative = others.filter(|reference| !is_whole(reference)).peekable();
        if relative.peek().is_some() && relative.all(|reference| is_copy(path_of(&reference)) || is_copy(&reference)) {
            return Some(Evidence::Base(&page.source));
        }
    }
    (0..scan.links.len()).map(text).find_map(|reference| {
        let path = path_of(&reference);
        // The path of a URL may have a question mark of its own: `q%3Fname.html`.
        let is_query = path.split_once("%3F").is_some_and(|(_, query)| query.contains('='));
        (is_query && is_copy(path)).then(|| Evidence::Name(&page.source, reference.clone()))
    })
}

/// Returns the path and the URL of an entry.
fn listed(entry: &Entry) -> Option<(PathBuf, &str)> {
    Some((normal(&entry.source), &*entry.retrieval()?.url))
}

/// Returns what a page shows whose URL is listed: it leads to `dir/index.html` or `about.html`, and these files were retrieved from `dir/`
/// and `about`. A page with a link to a folder was not converted.
fn by_list<'e>(page: &'e Entry, urls: &HashMap<PathBuf, &str>) -> Option<Evidence<'e>> {
    let bytes = bytes_of(page)?;
    let document = Document::new(&bytes, DocumentType::Html);
    let scan = document.scan(&Table::default()).ok()?;
    let folder = normal(page.source.parent().unwrap_or(Path::new("")));
    let base = Url::parse(&page.retrieval()?.url).ok()?;
    let links = scan.links.iter().map(|link| document.reference(link).text().to_owned());
    let relative: Vec<String> = links.filter(|reference| !is_whole(reference)).collect();
    if relative.iter().any(|reference| path_of(reference).ends_with('/')) {
        return None;
    }
    relative.into_iter().find_map(|reference| {
        let url = urls.get(&path_from(&folder, path_of(&reference))?)?;
        let target = base.join(path_of(&reference)).ok()?;
        let names = [format!("{url}index.html"), format!("{}.html", url.trim_end_matches('/'))];
        names.iter().any(|name| name == target.as_str()).then(|| Evidence::List(&page.source, reference.clone()))
    })
}

/// Returns the bytes of a page; `None` if it cannot be read.
fn bytes_of(page: &Entry) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    page.open().ok()?.take(DOCUMENT_FILE_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn path_of(reference: &str) -> &str {
    &reference[..reference.find(['?', '#']).unwrap_or(reference.len())]
}

/// Returns whether a reference leads to no copy: it is absolute, or leads into its own document.
fn is_whole(reference: &str) -> bool {
    let scheme = reference.split_once(':').map(|(scheme, _)| scheme);
    let is_absolute = scheme.is_some_and(|scheme| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    is_absolute || reference.is_empty() || reference.starts_with(['#', '{'])
}

/// Returns whether a file has a query in its name.
fn has_query(entry: &Entry) -> bool {
    let name = entry.source.file_name().and_then(|name| name.to_str());
    entry.is_file() && name.is_some_and(|name| name.split_once('?').is_some_and(|(_, query)| query.contains('=')))
}

/// Returns a finding if nothing shows that links were converted, but files have queries in their names, as wget saves them, or all links
/// lead to files, and one to the index of a folder.
fn perhaps(entries: &[Entry], selection: &Selection, index: Option<(&Path, String)>) -> Option<(PathBuf, Finding)> {
    let is_given = selection.url.is_some() || !selection.urls.is_empty();
    let query = entries
        .iter()
        .find(|entry| has_query(entry))
        .map(|entry| (&*entry.source, "files have queries in their names, as wget saves them".to_owned()));
    let by_index = || {
        index.map(|(path, reference)| (path, format!("the links of this page lead to files, as {reference:?} does")))
    };
    let (path, why) = query.or_else(by_index).filter(|_| is_given)?;
    let message = format!(
        "{why}; the links are read as they are written. If wget has made them lead to the copies (-k), pass --layout wget, or its log \
         with --urls"
    );
    Some((path.to_owned(), Finding::new(Code::Mirror, message)))
}
