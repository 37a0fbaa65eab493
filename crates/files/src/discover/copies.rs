//! Local copies: a tool that saves pages may replace links by paths of local files. Such a link means the URL that the
//! file was retrieved from.

pub(crate) mod of_pages;

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::ops::Bound::{Excluded, Unbounded};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use absolve_base::{Declaration, Layer, Rules, establish};
use absolve_framing::bundle::{normal, os_path};
use absolve_rewriter::internal::{BYTES_OF_MARKS, LocalCopies, Retrieval, UrlSource, decode_percent, origin};

use crate::discover::xattr::retrievals_of;
use crate::input::entry::{Entry, Provenance};
use crate::input::names::Names;
use crate::limits::OPEN_CONTAINERS;

/// The files of an input, indexed on first use.
#[derive(Debug)]
pub(crate) struct InputFiles<'e> {
    entries: &'e [Entry],
    files: OnceLock<Arc<FileIndex>>,
    by_source: OnceLock<BTreeMap<&'e Path, usize>>,
    names: OnceLock<Names<'e>>,
    /// The number of containers that were to stay open.
    open: AtomicUsize,
}

/// The files of an input by their paths.
#[derive(Debug)]
pub(crate) struct FileIndex {
    by_path: HashMap<PathBuf, Entry>,
    /// The URLs found so far.
    urls: Mutex<HashMap<PathBuf, Option<String>>>,
}

/// The files of an input, by paths relative to a folder.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    files: Arc<FileIndex>,
}

impl LocalCopies for Folder {
    fn contains(&self, path: &str) -> bool {
        self.files.contain(&self.path, path)
    }

    fn url_of(&self, path: &str, rules: Rules) -> Option<String> {
        self.files.url_of(&self.path, path, rules)
    }
}

impl<'e> InputFiles<'e> {
    pub(crate) const fn new(entries: &'e [Entry]) -> Self {
        Self {
            entries,
            files: OnceLock::new(),
            by_source: OnceLock::new(),
            names: OnceLock::new(),
            open: AtomicUsize::new(0),
        }
    }

    /// Returns whether one more container may stay open until it is its turn.
    pub(crate) fn may_stay_open(&self) -> bool {
        self.open.fetch_add(1, Ordering::Relaxed) < OPEN_CONTAINERS
    }

    /// Returns the entry with this path.
    pub(crate) fn entry_at(&self, source: &Path) -> Option<&'e Entry> {
        Some(&self.entries[*self.by_source().get(source)?])
    }

    /// Returns the names of messages, and the targets of links.
    pub(crate) fn names(&self) -> &Names<'e> {
        self.names.get_or_init(|| Names::of(self.entries))
    }

    /// Returns the entries below a folder, which is no entry itself in a bundle.
    pub(crate) fn entries_below(&self, folder: &Path) -> impl Iterator<Item = &'e Entry> {
        let after = self.by_source().range::<Path, _>((Excluded(folder), Unbounded));
        after.take_while(move |(path, _)| path.starts_with(folder)).map(|(_, index)| &self.entries[*index])
    }

    fn by_source(&self) -> &BTreeMap<&'e Path, usize> {
        let by_source = || self.entries.iter().enumerate().map(|(index, entry)| (&*entry.source, index)).collect();
        self.by_source.get_or_init(by_source)
    }

    /// Returns the files of the input, by paths relative to the folder of a document.
    pub(crate) fn around(&self, document: &Path) -> Arc<dyn LocalCopies> {
        let files = self.files.get_or_init(|| Arc::new(FileIndex::new(self.entries)));
        let path = normal(document.parent().unwrap_or(Path::new("")));
        Arc::new(Folder { path, files: files.clone() })
    }
}

impl FileIndex {
    fn new(entries: &[Entry]) -> Self {
        let by_path =
            entries.iter().filter(|entry| entry.is_file()).map(|entry| (normal(&entry.source), entry.clone()));
        Self { by_path: by_path.collect(), urls: Mutex::default() }
    }

    /// Returns whether a file has this path relative to a folder.
    fn contain(&self, folder: &Path, path: &str) -> bool {
        path_from(folder, path).is_some_and(|path| self.by_path.contains_key(&path))
    }

    /// Returns the URL of the file with this path relative to a folder.
    fn url_of(&self, folder: &Path, path: &str, rules: Rules) -> Option<String> {
        let path = path_from(folder, path)?;
        let file = self.by_path.get(&path)?;
        let urls = || self.urls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(url) = urls().get(&path) {
            return url.clone();
        }
        let url = url_of_file(file, rules);
        urls().insert(path, url.clone());
        url
    }
}

/// Returns the URL that a file was retrieved from, by the most trusted source.
fn url_of_file(file: &Entry, rules: Rules) -> Option<String> {
    let mut start = Vec::new();
    let is_page = file.kind.may_be_html();
    if is_page {
        file.open().ok()?.take(BYTES_OF_MARKS as u64).read_to_end(&mut start).ok()?;
    }
    let Provenance { known, discovery, .. } = &file.provenance;
    let attributes = retrievals_of(file.file(), discovery);
    let origin = origin(known, is_page.then_some(&start), attributes, discovery);
    // `--url` is given for all files together: for this file it would be a guess from its path. A page lends a frame its base, not its URL.
    let is_own = |source| !matches!(source, UrlSource::Url | UrlSource::FramingPage);
    let retrievals = origin.retrievals.into_iter().filter(|retrieval| is_own(retrieval.source));
    let retrieval = |Retrieval { url, .. }: Retrieval| Declaration::new(Layer::Retrieval, url, "local copy");
    // The serialised URL is ASCII and has no password.
    establish(retrievals.map(retrieval).collect(), rules).url.map(|url| url.to_string())
}

/// Returns the path of the local file that a link refers to, from a document in `folder`.
pub(crate) fn path_from(folder: &Path, path: &str) -> Option<PathBuf> {
    let is_relative = !path.is_empty() && !path.starts_with(['/', '\\']) && !path.ends_with('/');
    // A file name cannot contain a slash.
    let is_name = is_relative && !path.to_ascii_lowercase().contains("%2f");
    is_name.then(|| normal(&folder.join(os_path(&decode_percent(path)))))
}
