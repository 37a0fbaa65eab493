//! Documents whose links a program has made lead to copies: a link that names a file of the input means what that file
//! was retrieved from.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use absolve_base::{Declaration, Layer, Rules, establish};
use absolve_links::{Grammar, Row};

use crate::local::{decode_percent, os_path};
use crate::retrieval::{BYTES_OF_MARKS, Discovery, Known, Retrieval, Saver, UrlSource, origin};
use crate::{Entry, EntryKind};

/// The files of an input, gone through when the first document asks for one.
#[derive(Debug)]
pub(crate) struct Mirror<'e> {
    entries: &'e [Entry],
    files: OnceLock<Arc<Files>>,
    by_source: OnceLock<HashMap<&'e Path, usize>>,
}

/// The files of an input by their paths.
#[derive(Debug)]
pub(crate) struct Files {
    by_path: HashMap<PathBuf, Neighbour>,
    /// What was found out of them.
    urls: Mutex<HashMap<PathBuf, Option<String>>>,
}

#[derive(Debug)]
struct Neighbour {
    source: PathBuf,
    known: Known,
    discovery: Discovery,
    is_page: bool,
}

/// A document among copies.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    /// The folder in which the document stands.
    folder: PathBuf,
    saver: Saver,
    files: Arc<Files>,
}

impl<'e> Mirror<'e> {
    pub(crate) const fn new(entries: &'e [Entry]) -> Self {
        Self { entries, files: OnceLock::new(), by_source: OnceLock::new() }
    }

    /// Returns the entry that stands at a path.
    pub(crate) fn entry_at(&self, source: &Path) -> Option<&'e Entry> {
        Some(&self.entries[self.index_of(source)?])
    }

    /// Returns the entries in a folder and in folders within.
    pub(crate) fn entries_below<'f>(&self, folder: &'f Entry) -> impl Iterator<Item = &'e Entry> + use<'e, 'f> {
        let behind = self.index_of(&folder.source).map_or(self.entries.len(), |index| index + 1);
        self.entries[behind..].iter().take_while(|entry| entry.source.starts_with(&folder.source))
    }

    fn index_of(&self, source: &Path) -> Option<usize> {
        let by_source = self
            .by_source
            .get_or_init(|| self.entries.iter().enumerate().map(|(index, entry)| (&*entry.source, index)).collect());
        by_source.get(source).copied()
    }

    /// The copies around a document.
    pub(crate) fn around(&self, document: &Path, saver: Saver) -> Copies {
        let files = self.files.get_or_init(|| Arc::new(Files::new(self.entries)));
        let folder = normal(document.parent().unwrap_or(Path::new("")));
        Copies { folder, saver, files: files.clone() }
    }
}

impl Copies {
    /// What a link means that reads `reference` and leads to a copy; `None` if that is not known.
    pub(crate) fn target(&self, reference: &str, rules: Rules) -> Option<String> {
        let (reference, fragment) = reference.find('#').map_or((reference, ""), |hash| reference.split_at(hash));
        let (path, query) =
            reference.find('?').map_or((reference, None), |mark| (&reference[..mark], Some(&reference[mark..])));
        let url = match (self.saver, query) {
            (_, None) => self.files.url_of(&self.folder, path, rules)?,
            // Without `--adjust-extension`, wget leaves the mark of a query as it is, also where a name begins there.
            (Saver::Wget, Some(_)) => self.files.url_of(&self.folder, reference, rules)?,
            // The query stays behind the local name. It is that of the URL, or of one that was redirected to it.
            (Saver::Httrack, Some(query)) => {
                let url = self.files.url_of(&self.folder, path, rules)?;
                match url.find('?') {
                    Some(mark) => format!("{}{query}", &url[..mark]),
                    None => url,
                }
            }
            (Saver::Browser | Saver::Extension, Some(_)) => return None,
        };
        // Files for several queries may have been one.
        if self.saver == Saver::Httrack && query.is_none() && url.contains('?') {
            return None;
        }
        let url = &url[..url.find('#').unwrap_or(url.len())];
        Some(format!("{url}{fragment}"))
    }

    /// Whether the program makes links lead to copies that were found by this row, or in a style. In other places they
    /// are as they were.
    pub(crate) fn are_meant_by(&self, row: Option<&Row>) -> bool {
        const USUAL: [&str; 9] = ["", "href", "src", "background", "poster", "data", "action", "content", "style"];
        let Some(row) = row else { return true };
        if USUAL.contains(&&*row.attribute) {
            return true;
        }
        match self.saver {
            Saver::Wget => row.grammar == Grammar::Srcset && row.element == "img",
            Saver::Httrack => ["longdesc", "data-src"].contains(&&*row.attribute),
            Saver::Browser | Saver::Extension => false,
        }
    }

    /// Whether links may lead to copies in spite of a BASE.
    pub(crate) fn outlive_base(&self) -> bool {
        !matches!(self.saver, Saver::Browser | Saver::Extension)
    }

    /// Whether a reference is as it was retrieved in spite of all. Browsers lay the files of a page into one folder beside it, and
    /// leave its links as they are if they save it without its files.
    pub(crate) fn leave(&self, reference: &str) -> bool {
        let path = &reference[..reference.find(['?', '#']).unwrap_or(reference.len())];
        let folders = path.rsplit_once(['/', '\\']).map_or("", |(folders, _)| folders);
        let is_among_copies = folders.split(['/', '\\']).any(is_folder_of_copies);
        self.saver == Saver::Browser && !is_among_copies && !self.files.contain(&self.folder, path)
    }
}

impl Files {
    fn new(entries: &[Entry]) -> Self {
        let is_file =
            |entry: &&Entry| !matches!(entry.kind, EntryKind::Folder | EntryKind::Symlink) && entry.opened.is_none();
        let by_path = entries.iter().filter(is_file).map(|entry| {
            let neighbour = Neighbour {
                source: entry.source.clone(),
                known: entry.known.clone(),
                discovery: entry.discovery,
                is_page: entry.kind.may_be_html(),
            };
            (normal(&entry.source), neighbour)
        });
        Self { by_path: by_path.collect(), urls: Mutex::default() }
    }

    /// Whether there is a file at `path` from a folder.
    fn contain(&self, folder: &Path, path: &str) -> bool {
        path_from(folder, path).is_some_and(|path| self.by_path.contains_key(&path))
    }

    /// The URL of the file that stands at `path` from a folder.
    fn url_of(&self, folder: &Path, path: &str, rules: Rules) -> Option<String> {
        let path = path_from(folder, path)?;
        let neighbour = self.by_path.get(&path)?;
        let known = || self.urls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(url) = known().get(&path) {
            return url.clone();
        }
        let url = neighbour.url(rules);
        known().insert(path, url.clone());
        url
    }
}

impl Neighbour {
    /// Where it was retrieved from, by those who are trusted most.
    fn url(&self, rules: Rules) -> Option<String> {
        let mut start = Vec::new();
        if self.is_page {
            let file = File::open(&self.source).ok()?;
            file.take(BYTES_OF_MARKS as u64).read_to_end(&mut start).ok()?;
        }
        let origin = origin(&self.known, self.is_page.then_some(&start), Some(&self.source), self.discovery);
        // That is told of all files together, and would be a guess at this one by its place.
        let told = origin.retrievals.into_iter().filter(|retrieval| retrieval.source != UrlSource::Url);
        let retrieval = |Retrieval { url, .. }: Retrieval| Declaration {
            layer: Layer::Retrieval,
            value: url,
            place: "beside it".into(),
        };
        // In characters that stand in any document, and without a password.
        establish(told.map(retrieval).collect(), rules).url.map(|url| url.to_string())
    }
}

/// The path of a file that a link in a folder leads to.
fn path_from(folder: &Path, path: &str) -> Option<PathBuf> {
    let is_relative = !path.is_empty() && !path.starts_with(['/', '\\']) && !path.ends_with('/');
    // No name of a file holds a slash.
    let is_name = is_relative && !path.to_ascii_lowercase().contains("%2f");
    is_name.then(|| normal(&folder.join(os_path(&decode_percent(path)))))
}

/// Whether a folder has the name of one that browsers lay the files of a page into: the name of the page, and a word for
/// "files" in the language of the browser or of Windows, which takes page and folder for one thing by that word.
fn is_folder_of_copies(name: &str) -> bool {
    let Ok(name) = String::from_utf8(decode_percent(name)) else { return false };
    WORDS_FOR_FILES.iter().any(|word| name.to_lowercase().ends_with(word))
}

/// As Windows has them ("Connected Files" in the documentation of its shell).
const WORDS_FOR_FILES: [&str; 22] = [
    ".files",
    "_files",
    "-dateien",
    "_fichiers",
    "_bestanden",
    "_file",
    "_archivos",
    "-filer",
    "_tiedostot",
    "_pliki",
    "_soubory",
    "_elemei",
    "_ficheiros",
    "_arquivos",
    "_dosyalar",
    "_datoteke",
    "_fitxers",
    "_failid",
    "_fails",
    "_bylos",
    "_fajlovi",
    "_fitxategiak",
];

/// A path without `.` and `..`, as far as they can go.
fn normal(path: &Path) -> PathBuf {
    let mut names = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if names.file_name().is_some() => {
                names.pop();
            }
            other => names.push(other),
        }
    }
    names
}
