//! What the links of all pages together show: each leads to a file, or from the folder of one host to that of another.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use absolve_containers::FileType;
use absolve_links::{Document, DocumentType, Link, Place, Table};
use absolve_rewriter::Scheme;
use rayon::prelude::*;

use super::{bytes_of, has_query, is_whole, path_of};
use crate::discover::copies::path_from;
use crate::discover::mirror_layout::{self, Tool};
use crate::discover::wget_log::file_name;
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::input::paths::normal;
use crate::input::selection::Selection;

/// What a page, or all pages, show of links that lead to files.
#[derive(Default)]
pub(super) struct Shown<'e> {
    /// The first page with a link to the index of a folder, and this link.
    pub(super) index: Option<(&'e Path, String)>,
    /// Whether a file has a name that servers seldom need, and wget gives.
    pub(super) is_of_wget: bool,
    pages: usize,
    /// How many of the pages are indexes.
    indexes: usize,
}

/// Returns what the links of all pages show; if one of them leads to no file, what those of one page do. A site as it was retrieved has links
/// to folders, to its root, or to what was not retrieved; wget makes the last ones absolute.
pub(super) fn by_links<'e>(
    entries: &'e [Entry],
    selection: &Selection,
    files: &LazyLock<HashSet<PathBuf>, impl FnOnce() -> HashSet<PathBuf> + Send + Sync>,
) -> Option<Shown<'e>> {
    let is_named_as_host = is_named_as_host(entries, selection.url.as_deref());
    if !is_named_as_host && !entries.iter().any(has_query) && !are_indexes(entries) {
        return None;
    }
    let files: &HashSet<PathBuf> = files;
    let pages = entries.par_iter().filter(|entry| entry.kind.may_be_html());
    let shown = |page| shown_by(page, selection.url.as_deref(), files);
    let Some(shown) = pages.clone().map(shown).collect::<Option<Vec<Shown<'e>>>>() else {
        // wget2 leaves some pages as they were.
        return Some(Shown { index: pages.find_map_first(|page| shown(page)?.index), ..Shown::default() });
    };
    let mut all = shown.into_iter().fold(Shown::default(), |all, page| Shown {
        index: all.index.or(page.index),
        is_of_wget: all.is_of_wget || page.is_of_wget,
        pages: all.pages + page.pages,
        indexes: all.indexes + page.indexes,
    });
    all.is_of_wget |=
        entries.iter().any(has_query) || (is_named_as_host && all.pages >= INDEXES && all.indexes == all.pages);
    Some(all)
}

/// Pages of a site that are all indexes of folders. Who writes pages by hand gives some of three another name.
const INDEXES: usize = 3;

/// Returns whether the input, or a folder in it, is named as the host of its URL.
fn is_named_as_host(entries: &[Entry], url: Option<&str>) -> bool {
    let is_below_host = |path: &str| mirror_layout::is_below_host(Tool::Wget, path, url);
    let folder =
        entries.first().and_then(|entry| mirror_layout::name_of_folder(entry, entry.path.components().count()));
    folder.is_some_and(|name| is_below_host(&format!("{name}/")))
        || mirror_layout::tops(entries).iter().any(|top| is_below_host(top))
}

/// Returns whether all pages are indexes by their names, and there are some.
fn are_indexes(entries: &[Entry]) -> bool {
    let is_page = |entry: &&Entry| entry.kind == EntryKind::Document(FileType::Document(DocumentType::Html));
    let mut pages = entries.iter().filter(is_page);
    pages.clone().count() >= INDEXES && pages.all(is_index)
}

/// Returns what the links of one file show, which may be a page; `None` if one leads to no file, or if HTTrack saved it.
fn shown_by<'e>(page: &'e Entry, root: Option<&str>, files: &HashSet<PathBuf>) -> Option<Shown<'e>> {
    let bytes = bytes_of(page)?;
    if DocumentType::of_content(&bytes) != Some(DocumentType::Html) && page.kind == EntryKind::Unknown {
        return Some(Shown::default());
    }
    if memchr::memmem::find(&bytes, b"<!-- Mirrored from ").is_some() {
        return None;
    }
    let document = Document::new(&bytes, DocumentType::Html);
    let table = Table::default();
    let scan = document.scan(&table).ok()?;
    let folder = normal(page.source.parent().unwrap_or(Path::new("")));
    let is_usual = |link: &&Link| match link.place {
        Place::Attribute { row, .. } => {
            let row = &table.rows()[usize::from(row)];
            ["a", "area", "img", "frame", "iframe"].contains(&&*row.element)
                && ["href", "src"].contains(&&*row.attribute)
        }
        _ => false,
    };
    let text = |link: &Link| document.reference(link).text().to_owned();
    let leads_to_file = |reference: &str| root.and_then(|root| leads_to_file(page, reference, root, files));
    if scan.links.iter().any(|link| leads_to_file(&text(link)) == Some(true)) {
        return None;
    }
    let references = scan.links.iter().filter(is_usual).map(text);
    let (whole, relative): (Vec<String>, Vec<String>) = references.partition(|reference| is_whole(reference));
    let path = |reference: &str| path_from(&folder, reference);
    let file_of = |reference: &String| {
        let whole = &reference[..reference.find('#').unwrap_or(reference.len())];
        let copy = [whole, path_of(reference)].into_iter().filter_map(path).find(|path| files.contains(path));
        // wget2 leaves links to folders without a slash.
        copy.or_else(|| path(whole).filter(|path| files.iter().any(|file| file.starts_with(path))))
    };
    let led_to: Vec<PathBuf> = relative.iter().map(file_of).collect::<Option<_>>()?;
    let index = relative.into_iter().zip(&led_to).find(|(_, path)| is_index_name(path)).map(|(reference, _)| reference);
    Some(Shown {
        index: index.map(|reference| (&*page.source, reference)),
        is_of_wget: page.source.extension().is_none()
            || whole.iter().any(|reference| leads_to_file(reference) == Some(false)),
        pages: 1,
        indexes: usize::from(is_index(page)),
    })
}

/// Returns whether there is a file of what an absolute link leads to; `None` if that is not of the site of `root`. Where wget converts links, it
/// makes those absolute that lead to what it did not retrieve, and no others.
fn leads_to_file(page: &Entry, reference: &str, root: &str, files: &HashSet<PathBuf>) -> Option<bool> {
    if !mirror_layout::has_host(root, reference) || Scheme::of(root) != Scheme::of(reference) {
        return None;
    }
    let host = page.path.components().next().filter(|name| {
        let name = name.as_os_str().to_str();
        name.is_some_and(|name| mirror_layout::is_below_host(Tool::Wget, &format!("{name}/"), Some(root)))
    });
    let site = host.map_or_else(|| top_of(page).to_owned(), |host| top_of(page).join(host));
    let below = file_name(reference)?.split_once('/')?.1.to_owned();
    let is_file = |end: &&str| files.contains(&normal(&site.join(format!("{below}{end}"))));
    Some(["", ".html", ".css"].iter().any(is_file))
}

/// Returns the path of the input in the file system.
fn top_of(page: &Entry) -> &Path {
    page.source.ancestors().nth(page.path.components().count()).unwrap_or(Path::new(""))
}

/// Returns a page in the folder of a host that leads into the folder of another one, as only copies do; one of them is that of `--url`.
pub(super) fn across_hosts<'e>(
    entries: &'e [Entry],
    selection: &Selection,
    files: &LazyLock<HashSet<PathBuf>, impl FnOnce() -> HashSet<PathBuf> + Send + Sync>,
) -> Option<(&'e Path, String)> {
    let url = selection.url.as_deref()?;
    let is_below_host = |top: &String, url| mirror_layout::is_below_host(Tool::Wget, top, url);
    let hosts: HashSet<String> =
        mirror_layout::tops(entries).into_iter().filter(|top| is_below_host(top, None)).collect();
    if hosts.len() < 2 || !hosts.iter().any(|top| is_below_host(top, Some(url))) {
        return None;
    }
    let is_host =
        |name: Component<'_>| name.as_os_str().to_str().is_some_and(|name| hosts.contains(&format!("{name}//")));
    let files: &HashSet<PathBuf> = files;
    let pages = entries
        .par_iter()
        .filter(|entry| entry.kind.may_be_html() && entry.path.components().next().is_some_and(is_host));
    pages.find_map_first(|page| {
        let bytes = bytes_of(page)?;
        let document = Document::new(&bytes, DocumentType::Html);
        let scan = document.scan(&Table::default()).ok()?;
        let folder = normal(page.source.parent().unwrap_or(Path::new("")));
        let is_across = |reference: &String| {
            let Some(path) = path_from(&folder, path_of(reference)).filter(|path| files.contains(path)) else {
                return false;
            };
            let below = path.strip_prefix(normal(top_of(page))).ok().and_then(|below| below.components().next());
            below.is_some_and(|other| Some(other) != page.path.components().next() && is_host(other))
        };
        let mut references = scan.links.iter().map(|link| document.reference(link).text().to_owned());
        references.find(is_across).map(|reference| (&*page.source, reference))
    })
}

/// Returns whether a file has the name that wget gives to what it retrieves from the URL of a folder.
fn is_index(entry: &Entry) -> bool {
    is_index_name(&entry.source)
}

fn is_index_name(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.and_then(|name| name.strip_prefix("index.html")).is_some_and(|rest| rest.is_empty() || rest.starts_with('?'))
}
