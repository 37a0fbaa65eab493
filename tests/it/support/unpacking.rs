//! Messages that are unpacked.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{argument, run};
use absolve_testing::temporary_folder;

type Failure = Box<dyn std::error::Error>;

/// What a run said, and the files that it wrote.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stderr: String,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl Run {
    pub(crate) fn text(&self, name: &str) -> String {
        self.files.get(name).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }
}

/// Unpacks a message into a folder; nothing else is written beside it.
pub(crate) fn unpack(message: &[u8], name: &str, more: &[&str]) -> Result<Run, Failure> {
    let outer = temporary_folder()?;
    let folder = outer.path().join("d/out");
    fs::create_dir(outer.path().join("d"))?;
    let file = outer.path().join(name);
    fs::write(&file, message)?;
    let (status, _, stderr) = run(&[&["unpack", argument(&file), "-o", argument(&folder)], more].concat())?;
    let beside = fs::read_dir(outer.path())?.count() + fs::read_dir(outer.path().join("d"))?.count();
    let is_written = folder.exists();
    assert_eq!(beside, 2 + usize::from(is_written), "{stderr}");
    let files = if is_written { files(&folder)? } else { BTreeMap::new() };
    Ok(Run { status, stderr, files })
}

pub(crate) fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        assert!(entry.file_type()?.is_file());
        files.insert(entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
    }
    Ok(files)
}

/// A multipart of this subtype of parts, each with its header and its body.
pub(crate) fn multipart(subtype: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let mut message = format!("MIME-Version: 1.0\nContent-Type: multipart/{subtype}; boundary=b\n\n");
    for (header, body) in parts {
        message.push_str(&format!("--b\n{header}\n\n{body}\n"));
    }
    message.push_str("--b--\n");
    message.into_bytes()
}

pub(crate) fn related(page: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let root = ("Content-Type: text/html\nContent-Location: http://h/d/page.html", page);
    multipart("related", &[&[root], parts].concat())
}
