//! Messages that the program makes.

use std::fs;
use std::path::{Path, PathBuf};

use mail_parser::{Message, MessageParser};
use tempfile::TempDir;

use super::{argument, folder_with, run};
use absolve_testing::temporary_folder;

/// What a run said, and the message if there is one.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stderr: String,
    pub(crate) message: Vec<u8>,
}

impl Run {
    pub(crate) fn parsed(&self) -> Message<'_> {
        MessageParser::new().parse(&self.message).unwrap_or_default()
    }

    /// The document, without transfer encoding.
    pub(crate) fn html(&self) -> String {
        self.parsed().body_html(0).unwrap_or_default().replace('\r', "")
    }
}

/// Packs a document into a message of this name beside its folder.
pub(crate) fn pack(document: &Path, name: &str, more: &[&str]) -> Result<Run, Box<dyn std::error::Error>> {
    let output = temporary_folder()?;
    let message = output.path().join(name);
    let (status, _, stderr) = run(&[&["pack", argument(document), "-o", argument(&message)], more].concat())?;
    let left = fs::read_dir(output.path())?.count();
    assert_eq!(left, usize::from(status == 0), "what is left of a run: {stderr}");
    Ok(Run { status, stderr, message: fs::read(message).unwrap_or_default() })
}

/// A folder with a page, and the page.
pub(crate) fn page(html: &str, files: &[(&str, &str)]) -> Result<(TempDir, PathBuf), Box<dyn std::error::Error>> {
    let folder = folder_with(&[&[("site/page.html", html)], files].concat())?;
    let page = folder.path().join("site/page.html");
    Ok((folder, page))
}
