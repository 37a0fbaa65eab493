//! The originals that wget keeps of pages whose links it converts (`--backup-converted`): `a.html.orig`, or `a.orig` where it
//! appended `.html`.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::iter;
use std::path::{Path, PathBuf};

use absolve_framing::bundle::normal;
use absolve_links::DocumentType;
use absolve_rewriter::internal::{Entity, Originals, Retrieval, decode_percent, links_of};
use absolve_rewriter::{Code, Finding, ListedLink, Options};

use crate::discover::copies::path_from;
use crate::discover::file_names::{is_name_of, without_fragment, without_index};
use crate::input::entry::Entry;
use crate::limits::DOCUMENT_FILE_BYTES;

/// Returns whether the links of a copy are those of its original, but that some were converted: to names of `files`, or to URLs, as wget
/// does with links to what it did not retrieve, and an earlier run in place with the others.
pub(crate) fn differ(copy: &Path, original: &Entry, files: &HashSet<PathBuf>) -> bool {
    let original_links = links(original, "http://original.invalid/");
    let copy_links = links(&original.stored_at(copy), "http://copy.invalid/");
    let (Ok(original), Ok(copied)) = (original_links, copy_links) else { return false };
    let Some(pairs) = pairs(&copied, &original) else { return false };
    let folder = normal(copy.parent().unwrap_or(Path::new("")));
    let is_converted = |copy: &ListedLink, original: &ListedLink| {
        let written = without_fragment(&original.reference);
        if copy.reference.contains("://") && !written.contains("://") {
            return without_fragment(&copy.reference).ends_with(written.trim_start_matches(['.', '/']));
        }
        let file = path_from(&folder, without_fragment(&copy.reference)).filter(|path| files.contains(path));
        file.is_some_and(|file| is_name_of(&file, &original.reference, &folder))
    };
    let changed: Vec<_> = pairs.filter(|(copy, original)| copy.reference != original.reference).collect();
    let converted = changed.iter().filter(|(copy, original)| is_converted(copy, original)).count();
    // A redirection may have given a copy the name of another URL.
    2 * converted > changed.len()
}

/// Returns whether two URLs have the same host and port.
fn has_same_host(one: &str, other: &str) -> bool {
    let host = |url: &str| url.split('/').nth(2).map(str::to_ascii_lowercase);
    host(one) == host(other)
}

/// Returns what the links of a copy were before they were converted. `copy_url` is the URL of the copy by its name, and `urls` has those of the files around it.
///
/// That URL may have been redirected to another folder: of all, the one counts at which most links mean the files they lead to.
pub(crate) fn originals(
    copy: &Entry,
    original: &Entry,
    copy_url: &str,
    urls: &HashMap<PathBuf, String>,
) -> Result<Originals, Finding> {
    let unread = |error: io::Error| not_its_original(original, &error.to_string());
    let folder = normal(copy.source.parent().unwrap_or(Path::new("")));
    let named =
        |link: &ListedLink| urls.get(&path_from(&folder, without_fragment(&link.reference))?).map(String::as_str);
    let copied = links(copy, copy_url).map_err(unread)?;
    let listed = links(original, copy_url).map_err(unread)?;
    let Some(paired) = pairs(&copied, &listed) else { return Err(not_its_original(original, "it has other links")) };
    let folder_of = |(copy, original): (&ListedLink, &ListedLink)| {
        let path = Some(without_fragment(&original.reference))
            .filter(|path| !path.is_empty() && !path.starts_with(['.', '/', '?']));
        named(copy)?.strip_suffix(path?).filter(|folder| folder.ends_with('/')).map(str::to_owned)
    };
    let mut bases: Vec<String> = paired.filter_map(folder_of).collect();
    bases.sort();
    bases.dedup();
    let (mut best, mut most) = (Originals::new(), None);
    let elsewhere = bases.iter().map(|base| links(original, base));
    for listed in iter::once(Ok(listed)).chain(elsewhere) {
        let listed = listed.map_err(unread)?;
        let (mut originals, mut hits) = (Originals::new(), 0);
        for (copy, original) in pairs(&copied, &listed).into_iter().flatten() {
            let Some(target) = &original.target else { continue };
            let url = without_fragment(target);
            // The names of files have lost the escapes of queries.
            let key = |url: &str| decode_percent(without_index(url));
            let is_meant = named(copy).map(|named| key(named) == key(url));
            hits += usize::from(is_meant == Some(true) || copy.reference == *target);
            // One file may have been saved from two URLs. A reference that was not converted means its own.
            let is_of_site = copy.reference == *target || has_same_host(url, copy_url);
            if (is_meant != Some(false) || copy.reference == original.reference) && is_of_site {
                originals.insert(copy.start, (copy.reference.clone(), target.clone()));
            }
        }
        if most.is_none_or(|most| hits > most) {
            (best, most) = (originals, Some(hits));
        }
    }
    Ok(best)
}

fn not_its_original(original: &Entry, why: &str) -> Finding {
    let name = original.path.display();
    Finding::new(Code::UrlConflict, format!("{name} is not its original, or was changed: {why}; it does not count"))
}

/// Returns the links of a page that was retrieved from `url`.
fn links(page: &Entry, url: &str) -> io::Result<Vec<ListedLink>> {
    let mut bytes = Vec::new();
    page.open()?.take(DOCUMENT_FILE_BYTES).read_to_end(&mut bytes)?;
    let entity = Entity::bare_file(&bytes, DocumentType::Html).retrieved_from(Retrieval::given(url));
    Ok(links_of(&entity, &entity.parts[0], &Options::default()).links)
}

/// Returns the links of a copy and those of its original in pairs, but for BASEs; `None` if they are at different places.
fn pairs<'l>(
    copy: &'l [ListedLink],
    original: &'l [ListedLink],
) -> Option<impl Iterator<Item = (&'l ListedLink, &'l ListedLink)>> {
    let are_alike =
        |(one, other): (&ListedLink, &ListedLink)| one.element == other.element && one.attribute == other.attribute;
    let is_paired = copy.len() == original.len() && copy.iter().zip(original).all(are_alike);
    is_paired.then(|| copy.iter().zip(original).filter(|(link, _)| link.element != "base"))
}
