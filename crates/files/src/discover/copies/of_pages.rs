//! The files that browsers save next to a page, in a folder named after the page.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use absolve_base::{Declaration, Layer, Rules, establish};
use absolve_containers::FileType;
use absolve_framing::bundle::normal;
use absolve_links::DocumentType;
use absolve_rewriter::internal::{
    BYTES_OF_MARKS, Links, Origin, Retrieval, SavedBase, Saver, UrlSource, origin, page_of_copies, saved_by_firefox,
};

use crate::input::entry::Entry;
use crate::limits::longest;

/// Marks the copies of saved pages. The URL that the user gives for a folder does not apply to copies in it, and a frame without a URL gets the
/// base of the page that shows it.
pub(crate) fn mark_copies(entries: &mut [Entry]) {
    let folders = folders_of_copies(entries);
    if folders.is_empty() {
        return;
    }
    let paths = entries.iter().enumerate().map(|(index, entry)| (normal(&entry.source), index));
    let by_path: HashMap<PathBuf, usize> = paths.collect();
    for (folder, copies) in folders {
        let names: Vec<_> = copies.iter().filter_map(|copy| entries[*copy].source.file_name()?.to_str()).collect();
        let saved = page_beside(&folder, &by_path).and_then(|page| SavedPage::read(&entries[page], &names));
        let Some(page) = saved else { continue };
        for entry in copies {
            let entry = &mut entries[entry];
            let base = page.base_of_frame(entry);
            let known = &mut entry.provenance.known;
            known.links.get_or_insert(Links::Local(page.saver));
            known.retrievals.retain(|known| known.source != UrlSource::Url);
            known.retrievals.extend(base.map(|url| Retrieval { source: UrlSource::FramingPage, url }));
        }
    }
}

/// Returns the folders that are named like those of copies, with the files in them.
fn folders_of_copies(entries: &[Entry]) -> BTreeMap<PathBuf, Vec<usize>> {
    let mut folders: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    let (mut last, mut found): (Option<&OsStr>, Option<&Path>) = (None, None);
    for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_file()) {
        let parent = entry.source.parent();
        if parent.map(Path::as_os_str) != last {
            last = parent.map(Path::as_os_str);
            found = parent.and_then(|parent| parent.ancestors().find(|folder| page_of(folder).is_some()));
        }
        if let Some(folder) = found {
            folders.entry(normal(folder)).or_default().push(index);
        }
    }
    folders
}

/// Returns the path of the page of a folder of copies, without its extension.
fn page_of(folder: &Path) -> Option<PathBuf> {
    let name = page_of_copies(folder.file_name()?.to_str()?).filter(|name| !name.is_empty())?;
    Some(folder.with_file_name(name))
}

fn page_beside(folder: &Path, by_path: &HashMap<PathBuf, usize>) -> Option<usize> {
    let page = page_of(folder)?.into_os_string();
    [".html", ".htm", ".xhtml"].iter().find_map(|extension| {
        let mut path = page.clone();
        path.push(extension);
        by_path.get(Path::new(&path)).copied()
    })
}

/// A page that a browser saved with its files.
struct SavedPage {
    saver: Saver,
    bytes: Vec<u8>,
    base: Option<String>,
}

impl SavedPage {
    fn read(entry: &Entry, copies: &[&str]) -> Option<Self> {
        let mut bytes = Vec::new();
        let longest = longest(FileType::Document(DocumentType::Html));
        entry.open().ok()?.take(longest).read_to_end(&mut bytes).ok()?;
        let origin = origin_of(entry, &bytes);
        // A page whose only copies are those of `srcdoc` frames leads to none.
        let saver = origin.browser().or_else(|| saved_by_firefox(&bytes, copies.iter().copied()))?;
        let retrieval = |Retrieval { url, .. }: Retrieval| Declaration::new(Layer::Retrieval, url, "");
        let mut declared: Vec<Declaration> = origin.retrievals.into_iter().map(retrieval).collect();
        if let Some(SavedBase::Commented(base)) = origin.base {
            declared.push(Declaration::new(Layer::Element, base.value, ""));
        }
        Some(Self { saver, bytes, base: establish(declared, Rules::default()).url.map(|url| url.to_string()) })
    }

    /// Returns the base of a copy that is a frame without a URL, if this page itself shows it.
    fn base_of_frame(&self, entry: &Entry) -> Option<String> {
        let base = self.base.clone().filter(|_| entry.kind.may_be_html())?;
        let mut start = Vec::new();
        entry.open().ok()?.take(BYTES_OF_MARKS as u64).read_to_end(&mut start).ok()?;
        let link = format!("/{}\"", entry.source.file_name()?.to_str()?);
        let is_shown = || memchr::memmem::find(&self.bytes, link.as_bytes()).is_some();
        (origin_of(entry, &start).is_frame_without_url() && is_shown()).then_some(base)
    }
}

fn origin_of(entry: &Entry, page: &[u8]) -> Origin {
    origin(&entry.provenance.known, Some(page), Vec::new(), &entry.provenance.discovery)
}
