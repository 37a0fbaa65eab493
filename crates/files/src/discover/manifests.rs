//! Files that programs write next to a saved page. They record the URL of the page, or the URL of each file.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use absolve_framing::INDEX_BYTES;
use absolve_rewriter::internal::{Links, Saver, UrlSource, is_page_url, slashed};
use serde_json::Value;

use crate::discover::site::index;
use crate::input::entry::Entry;

/// The URLs of files, by their paths below the folder of a manifest.
type Pages = Vec<(String, String)>;

/// The name of a manifest, and how it is read.
type Format = (&'static str, UrlSource, fn(&str) -> Option<Pages>);

const FORMATS: [Format; 3] = [
    ("manifest.json", UrlSource::SingleFileManifest, of_single_file),
    ("index.rdf", UrlSource::Maff, of_maff),
    ("index.dat", UrlSource::ScrapBook, of_scrapbook),
];

/// The name of a page in the folder of its manifest.
const INDEX: &str = "index.html";

/// Returns the URLs in all manifests, with the indexes of the entries. Notes that links of the files around each lead to the files, or are
/// unchanged.
pub(crate) fn read(entries: &mut [Entry]) -> Vec<(usize, UrlSource, String)> {
    // The last bytes exclude most paths, without a look at their parts.
    let ends_with = |path: &Path, name: &str| {
        path.as_os_str().as_encoded_bytes().ends_with(name.as_bytes()) && path.ends_with(name)
    };
    let format_of = |path: &Path| FORMATS.iter().find(|(name, ..)| ends_with(path, name));
    let is_manifest = |entry: &&Entry| entry.is_file() && format_of(&entry.path).is_some();
    let mut manifests: Vec<String> = entries.iter().filter(is_manifest).filter_map(|one| slashed(&one.path)).collect();
    let mut found: BTreeMap<usize, (UrlSource, String)> = BTreeMap::new();
    if manifests.is_empty() {
        return Vec::new();
    }
    let by_path = index(entries);
    // One in a folder within takes precedence there.
    manifests.sort_by_key(|path| Reverse(path.matches('/').count()));
    for manifest in manifests {
        let Some((name, source, read)) = format_of(manifest.as_ref()) else { continue };
        let folder = &manifest[..manifest.len() - name.len()];
        let Some(pages) = text_of(&entries[by_path[&manifest]]).and_then(|text| read(&text)) else { continue };
        let urls: Vec<(usize, String)> = pages
            .into_iter()
            .filter(|(_, url)| is_page_url(url))
            .filter_map(|(path, url)| Some((*by_path.get(&format!("{folder}{path}"))?, url)))
            .collect();
        let page = by_path.get(&format!("{folder}{INDEX}")).or_else(|| urls.first().map(|(page, _)| page)).copied();
        for (_, index) in by_path.iter().filter(|(path, _)| path.starts_with(folder)) {
            let known = &mut entries[*index].provenance.known;
            known.links.get_or_insert(Links::Local(Saver::Recorder));
            // The path of a copy differs from the path in its URL.
            known.retrievals.retain(|one| one.source != UrlSource::Url || page == Some(*index));
        }
        for (index, url) in urls {
            found.entry(index).or_insert((*source, url));
        }
    }
    found.into_iter().map(|(index, (source, url))| (index, source, url)).collect()
}

fn text_of(manifest: &Entry) -> Option<String> {
    let mut bytes = Vec::new();
    manifest.open().ok()?.take(INDEX_BYTES as u64).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads the manifest in a ZIP file of SingleFile: `originalUrl` is that of the page, and `resources` has those of the other members. A key
/// that ends with a slash is the folder of a frame.
fn of_single_file(text: &str) -> Option<Pages> {
    let manifest: Value = serde_json::from_str(text).ok()?;
    let page = (manifest["indexFilename"].as_str()?, manifest["originalUrl"].as_str()?);
    let resources = manifest["resources"].as_object()?.iter();
    let url_of = |(path, url): (&String, &Value)| {
        let index = if path.ends_with('/') { INDEX } else { "" };
        Some((format!("{path}{index}"), url.as_str()?.to_owned()))
    };
    Some(std::iter::once((page.0.to_owned(), page.1.to_owned())).chain(resources.filter_map(url_of)).collect())
}

/// Reads the metadata of a page in the Mozilla Archive Format.
fn of_maff(text: &str) -> Option<Pages> {
    const RESOURCE: &str = "resource=\"";
    if !text.contains("http://maf.mozdev.org/metadata/rdf#") {
        return None;
    }
    let value = |name: &str| {
        let tag = text[text.find(&format!(":{name}"))?..].split('>').next()?;
        let value = &tag[tag.find(RESOURCE)? + RESOURCE.len()..];
        Some(value.split('"').next()?.replace("&amp;", "&"))
    };
    Some(vec![(value("indexfilename").unwrap_or(INDEX.to_owned()), value("originalurl")?)])
}

/// Reads the metadata of a page of ScrapBook: a name and a value in each line, with a tab between them.
fn of_scrapbook(text: &str) -> Option<Pages> {
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'));
    value("id")?;
    Some(vec![(INDEX.to_owned(), value("source")?.trim().to_owned())])
}
