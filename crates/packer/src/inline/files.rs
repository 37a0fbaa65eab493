//! What the steps share: the page, and the files of its message.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use absolve_links::{Document, DocumentType};
use absolve_rewriter::{Code, Finding};
use encoding_rs::{Encoding, WINDOWS_1252};

use crate::resource::Resource;

/// The page of a message for mail programs.
#[derive(Debug)]
pub(crate) struct InlinedPage {
    pub(crate) bytes: Vec<u8>,
    /// The files whose content is in the page: their indexes, once for each place.
    pub(crate) within: Vec<usize>,
    pub(crate) findings: Vec<(PathBuf, Finding)>,
}

/// A page whose links to files of the message are `cid:`.
pub(crate) struct Page<'p> {
    pub(crate) bytes: &'p [u8],
    pub(crate) document_type: DocumentType,
    pub(crate) encoding: &'static Encoding,
    /// Below the folder.
    pub(crate) path: &'p Path,
}

impl<'p> Page<'p> {
    /// Returns the page with other bytes.
    pub(crate) const fn with_bytes(&self, bytes: &'p [u8]) -> Self {
        Self { bytes, ..*self }
    }

    /// Returns the page as a document in its encoding.
    pub(crate) fn document(&self) -> Document<'p> {
        Document::new(self.bytes, self.document_type).with_label(self.encoding.name())
    }
}

/// The files of a message, by what leads to them.
pub(crate) struct Files<'f> {
    pub(crate) resources: &'f [Resource],
    by_url: HashMap<String, usize>,
    /// The texts of styles.
    texts: Vec<Option<String>>,
}

impl<'f> Files<'f> {
    pub(crate) fn of(page: &Page<'_>, resources: &'f [Resource]) -> Self {
        let by_url = resources.iter().enumerate().map(|(index, file)| (format!("cid:{}", file.content_id), index));
        let is_style = |file: &&Resource| file.media_type == "text/css";
        let text = |file: &Resource| {
            Some(file)
                .filter(is_style)
                .map(|file| text_of(file.within_page.as_ref().unwrap_or(&file.bytes), page.encoding))
        };
        Self { resources, by_url: by_url.collect(), texts: resources.iter().map(text).collect() }
    }

    /// Returns the text of a file, if it is a style.
    pub(crate) fn text(&self, file: usize) -> Option<&str> {
        self.texts[file].as_deref()
    }

    /// Returns the index of the file that a URL leads to, and its fragment.
    pub(crate) fn file<'u>(&self, url: &'u str) -> Option<(usize, &'u str)> {
        let end = url.find('#').unwrap_or(url.len());
        self.by_url.get(&url[..end]).map(|index| (*index, &url[end..]))
    }
    /// Returns the index and the text of the style sheet that a URL leads to.
    pub(crate) fn sheet(&self, url: &str) -> Option<(usize, &str)> {
        let (index, _) = self.file(url)?;
        Some((index, self.text(index)?))
    }
}

/// Returns the text of a style, with line ends of one kind. It has the encoding of its page unless it declares another.
fn text_of(style: &[u8], encoding_of_page: &'static Encoding) -> String {
    let own = Document::new(style, DocumentType::Css).encoding();
    let is_guess = own == WINDOWS_1252 && !style.starts_with(b"@charset");
    let (text, ..) = if is_guess { encoding_of_page } else { own }.decode(style);
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{FFFD}")
}

/// Returns the message of a finding on a file.
pub(crate) fn finding(code: Code, file: &Resource, message: String) -> (PathBuf, Finding) {
    (file.path.clone(), Finding::new(code, message))
}
