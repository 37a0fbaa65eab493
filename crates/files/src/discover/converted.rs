//! Shows whether wget converted the links of an input (`--convert-links`).

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use absolve_links::{Document, DocumentType, Table};
use absolve_rewriter::{Code, Finding};
use rayon::prelude::*;

use crate::discover::copies::path_from;
use crate::discover::twins;
use crate::input::entry::Entry;
use crate::input::paths::normal;
use crate::input::selection::Selection;
use crate::limits::DOCUMENT_FILE_BYTES;

/// Bytes at the start of a page in which an emptied BASE is searched.
const HEAD_BYTES: u64 = 4096;

/// What shows that links were converted.
enum Evidence<'e> {
    Log,
    /// The original of a page.
    Original(&'e Path),
    /// A page that names a file by an escape that no server needs.
    Name(&'e Path, String),
    /// A page whose BASE is empty.
    Base(&'e Path),
}

/// Returns a finding about what shows that wget converted the links of the input, with its path; `None` if nothing does.
pub(crate) fn evidence(entries: &[Entry], selection: &Selection) -> Option<(PathBuf, Finding)> {
    let files: HashSet<PathBuf> =
        entries.iter().filter(|entry| entry.is_file()).map(|entry| normal(&entry.source)).collect();
    let log = || selection.log_converts.then_some(Evidence::Log);
    let original = || {
        let shows =
            |entry: &&Entry| twins::copy_of(&entry.source, &files).is_some_and(|copy| twins::differ(&copy, entry));
        entries.iter().find(shows).map(|entry| Evidence::Original(&entry.source))
    };
    let page =
        || entries.par_iter().filter(|entry| entry.kind.may_be_html()).find_map_first(|page| of_page(page, &files));
    let evidence = log().or_else(original).or_else(page)?;
    let (path, why) = match evidence {
        Evidence::Log => (&*entries.first()?.source, "the log says so".to_owned()),
        Evidence::Original(path) => (path, "this is the original of a page with converted links".to_owned()),
        Evidence::Name(path, reference) => {
            (path, format!("{reference:?} names a file of the input, with an escape of wget"))
        }
        Evidence::Base(path) => (path, "its BASE is empty".to_owned()),
    };
    let message = format!(
        "wget has converted the links of this input: {why}; links to its files become the URLs of these, by the rules of wget \
         for names; --layout root reads them as they are"
    );
    Some((path.to_owned(), Finding::new(Code::Mirror, message)))
}

/// Returns what a page shows.
fn of_page<'e>(page: &'e Entry, files: &HashSet<PathBuf>) -> Option<Evidence<'e>> {
    let mut bytes = Vec::new();
    let mut file = page.open().ok()?;
    (&mut file).take(HEAD_BYTES).read_to_end(&mut bytes).ok()?;
    if memchr::memmem::find(&bytes, b"<base href=\"\"").is_some() {
        return Some(Evidence::Base(&page.source));
    }
    file.take(DOCUMENT_FILE_BYTES - HEAD_BYTES).read_to_end(&mut bytes).ok()?;
    memchr::memmem::find(&bytes, b"%3F")?;
    let document = Document::new(&bytes, DocumentType::Html);
    let scan = document.scan(&Table::default()).ok()?;
    let folder = normal(page.source.parent().unwrap_or(Path::new("")));
    scan.links.iter().find_map(|link| {
        let reference = document.reference(link).text().to_owned();
        let path = &reference[..reference.find(['?', '#']).unwrap_or(reference.len())];
        // The path of a URL may have a question mark of its own: `q%3Fname.html`.
        let is_query = path.split_once("%3F").is_some_and(|(_, query)| query.contains('='));
        let is_name = is_query && files.contains(&path_from(&folder, path)?);
        is_name.then(|| Evidence::Name(&page.source, reference.clone()))
    })
}
