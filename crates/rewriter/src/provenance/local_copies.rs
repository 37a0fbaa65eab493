//! Documents whose links a program rewrote to local copies.

use std::fmt::Debug;
use std::sync::Arc;

use absolve_base::Rules;
use absolve_links::{Grammar, Row};

use crate::provenance::copy_names::{is_copy_of_frame, is_folder_of_copies};
use crate::provenance::retrieval::{Originals, Saver};

/// The files around a document. The crate that reads files implements it; this one opens none.
pub trait LocalCopies: Debug + Send + Sync {
    /// Returns whether a file exists at `path`, as a link has it: relative to the document, percent-encoded.
    fn contains(&self, path: &str) -> bool;

    /// Returns the retrieval URL of the file at `path`, if it is known.
    fn url_of(&self, path: &str, rules: Rules) -> Option<String>;
}

/// The files that are unpacked together, as one of them refers to them. The crate that writes files implements it.
pub trait LocalPaths: Debug + Send + Sync {
    /// Returns the relative reference to the file of a URL, with the fragment of that; `None` if no file is of that URL.
    fn reference(&self, url: &str) -> Option<String>;

    /// Returns the relative reference to the copy of a file that browsers read as a stylesheet although it has another type; `None` if there is none.
    fn style_sheet(&self, _url: &str) -> Option<String> {
        None
    }
}

/// The local copies around a document.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    /// The program that made them.
    pub(crate) saver: Saver,
    pub(crate) files: Arc<dyn LocalCopies>,
    /// What the links of the document were before.
    pub(crate) originals: Option<Arc<Originals>>,
    /// Whether a list or a log has the URL of the document.
    pub(crate) is_listed: bool,
}

impl Copies {
    /// Returns the original URL of a link to a local copy, if it is known.
    pub(crate) fn target(&self, reference: &str, rules: Rules) -> Option<String> {
        // The fragment of a redirect is no part of a link to it.
        if self.saver == Saver::Unpack
            && reference.contains("-#")
            && let Some(url) = self.files.url_of(reference, rules)
        {
            return Some(url);
        }
        let (reference, fragment) = reference.find('#').map_or((reference, ""), |hash| reference.split_at(hash));
        let (path, query) =
            reference.find('?').map_or((reference, None), |mark| (&reference[..mark], Some(&reference[mark..])));
        let url = match (self.saver, query) {
            (_, None) => self.files.url_of(path, rules)?,
            // Without `--adjust-extension`, wget keeps the `?` of a query in file names.
            (Saver::Wget | Saver::Unpack | Saver::Zim, Some(_)) => self.files.url_of(reference, rules)?,
            // The query stays after the local name. It is that of the URL, or of one that redirected to it.
            (Saver::Httrack, Some(query)) => {
                let url = self.files.url_of(path, rules)?;
                match url.find('?') {
                    Some(mark) => format!("{}{query}", &url[..mark]),
                    None => url,
                }
            }
            (Saver::Browser | Saver::PerhapsBrowser | Saver::Extension | Saver::Recorder, Some(_)) => return None,
        };
        // One file may stand for several queries.
        if self.saver == Saver::Httrack && query.is_none() && url.contains('?') {
            return None;
        }
        let url = &url[..url.find('#').unwrap_or(url.len())];
        Some(format!("{url}{fragment}"))
    }

    /// Returns what the link that begins at a byte of the document was before, if that is recorded.
    pub(crate) fn original(&self, byte: usize, reference: &str) -> Option<String> {
        let (written, url) = self.originals.as_ref()?.get(&byte)?;
        (written == reference).then(|| url.clone())
    }

    /// Returns whether the program rewrites links found by this row, or in a style. Others are unchanged.
    pub(crate) fn are_meant_by(&self, row: Option<&Row>) -> bool {
        const USUAL: [&str; 9] = ["", "href", "src", "background", "poster", "data", "action", "content", "style"];
        let Some(row) = row else { return true };
        // warc2zim 2.2 leaves those to which a reader posts, and those that it does not know.
        if self.saver == Saver::Zim && ["background", "poster", "data", "action"].contains(&&*row.attribute) {
            return false;
        }
        if USUAL.contains(&&*row.attribute) {
            return true;
        }
        match self.saver {
            Saver::Zim => row.grammar == Grammar::Srcset,
            Saver::Wget => row.grammar == Grammar::Srcset && row.element == "img",
            // 3.49-8 rewrites every candidate of a srcset; older ones leave those with several, which then name no files.
            Saver::Httrack => row.grammar == Grammar::Srcset || ["longdesc", "data-src"].contains(&&*row.attribute),
            Saver::Unpack | Saver::Recorder => true,
            Saver::Browser | Saver::PerhapsBrowser | Saver::Extension => false,
        }
    }

    /// Returns whether links may lead to local copies in spite of a BASE.
    pub(crate) fn outlive_base(&self) -> bool {
        !matches!(self.saver, Saver::Browser | Saver::PerhapsBrowser | Saver::Extension)
    }

    /// Returns whether a reference is unchanged: it names no copy. Browsers put the files of a page into one folder beside it, and leave
    /// links unchanged if they save the page only. If it is in doubt whether a browser saved the page, only files in that folder are copies.
    pub(crate) fn leave(&self, reference: &str) -> bool {
        let path = &reference[..reference.find(['?', '#']).unwrap_or(reference.len())];
        let folders = path.rsplit_once(['/', '\\']).map_or("", |(folders, _)| folders);
        let is_among_copies = folders.split(['/', '\\']).any(is_folder_of_copies);
        let may_leave = match self.saver {
            Saver::Browser | Saver::PerhapsBrowser => !is_among_copies && !is_copy_of_frame(path),
            Saver::Recorder => true,
            _ => false,
        };
        may_leave && (self.saver == Saver::PerhapsBrowser || !self.files.contains(path))
    }
}
