//! Shows whether wget converted the links of an input (`--convert-links`).

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use absolve_links::{Document, DocumentType, Place, Table};

use absolve_rewriter::{Code, Finding, UrlSource};
use rayon::prelude::*;
use url::Url;

use crate::discover::copies::path_from;
use crate::discover::twins;
use crate::input::entry::Entry;
use crate::input::paths::normal;
use crate::input::selection::Selection;
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
}

/// Returns a finding about what shows that wget converted the links of the input, with its path; `None` if nothing does.
pub(crate) fn evidence(entries: &[Entry], selection: &Selection) -> Option<(PathBuf, Finding)> {
    // Most inputs show nothing, and need no set of all their files.
    let files = LazyLock::new(|| -> HashSet<PathBuf> {
        entries.iter().filter(|entry| entry.is_file()).map(|entry| normal(&entry.source)).collect()
    });
    let is_listed = |entry: &Entry| entry.retrieval().is_some_and(|known| known.source == UrlSource::Urls);
    let log = || (selection.log_converts && entries.iter().any(is_listed)).then_some(Evidence::Log);
    let original = || {
        let shows = |entry: &&Entry| {
            let copy = twins::is_original(&entry.source).then(|| twins::copy_of(&entry.source, &files)).flatten();
            copy.is_some_and(|copy| twins::differ(&copy, entry))
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
    let evidence = log().or_else(original).or_else(page).or_else(by_list)?;
    let (path, why) = match evidence {
        Evidence::Log => (&*entries.first()?.source, "the log says so".to_owned()),
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
    };
    let message = format!(
        "wget has made the links of this folder lead to its copies: {why}. Each becomes the URL of its copy; --layout root reads \
         them as they are written"
    );
    Some((path.to_owned(), Finding::new(Code::Mirror, message)))
}

/// Returns what a page shows.
fn of_page<'e>(
    page: &'e Entry,
    files: &LazyLock<HashSet<PathBuf>, impl FnOnce() -> HashSet<PathBuf>>,
) -> Option<Evidence<'e>> {
    let mut bytes = Vec::new();
    page.open().ok()?.take(DOCUMENT_FILE_BYTES).read_to_end(&mut bytes).ok()?;
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
    let mut bytes = Vec::new();
    page.open().ok()?.take(DOCUMENT_FILE_BYTES).read_to_end(&mut bytes).ok()?;
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

/// Returns a finding if nothing shows that links were converted, but files have queries in their names, as wget saves them.
pub(crate) fn perhaps(entries: &[Entry], selection: &Selection) -> Option<(PathBuf, Finding)> {
    let is_given = selection.url.is_some() || !selection.urls.is_empty();
    let message = "files have queries in their names, as wget saves them; the links are read as they are written. If wget has made them lead \
                   to the copies (-k), pass --layout wget, or its log with --urls";
    let first = entries.iter().find(|entry| has_query(entry)).filter(|_| is_given)?;
    Some((first.source.clone(), Finding::new(Code::Mirror, message)))
}
